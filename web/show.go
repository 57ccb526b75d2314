package web

import (
	"context"
	"fmt"
	"net"

	"lockstep/web/runpages"

	"lockstep/web/live"
)

// Show serves a scenario on this machine alone until ctx ends. It calls announce with the address where the run opens.
func Show(ctx context.Context, scenario string, announce func(url string)) error {
	trace, err := live.Play(nil, scenario)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("showing the run: %w", err)
	}
	site := New(Options{})
	run, err := site.Rooms.Runs.Add(context.Background(), trace.Run, live.Beginning{})
	if err != nil {
		listener.Close()
		site.Close()
		return err
	}
	announce("http://" + listener.Addr().String() + runpages.Destination{Run: run, Step: run.Opening()}.URL(""))
	return site.Serve(ctx, listener, 0)
}
