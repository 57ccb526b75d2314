//go:build !linux

package process

import (
	"testing"

	"lockstep/engine/testtools"
)

func onLinux(t *testing.T) {
	t.Helper()
	testtools.Absent(t, "only Linux tells what a program has started")
}

func gone(*testing.T, int) {}

type member struct{ dead bool }

func status(int) (member, bool) { return member{}, false }

func (t *tree) members(bool) []member { return nil }
