package cli

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"lockstep/engine/lang"
)

// A sentence is an error in one language. It wraps the error that it says.
type sentence struct {
	said string
	error
}

func (s sentence) Error() string { return s.said }

func (s sentence) Unwrap() error { return s.error }

// Said returns an error in a language, if it has a sentence in each. One about a file has.
func Said(err error, in lang.Language) error {
	if both := (lang.Speaker)(nil); errors.As(err, &both) {
		return sentence{both.Sentence(in), err}
	}
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		if said := aboutFile(file); said != nil {
			if in == lang.Chinese {
				return sentence{said.Chinese, err}
			}
			return sentence{strings.Replace(err.Error(), file.Error(), said.English, 1), err} // behind what it was for
		}
	}
	return err
}

// aboutFile returns why a file cannot be read or written; nil: for an unusual reason, which the system tells in English.
func aboutFile(err *fs.PathError) *lang.Error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lang.Errorf("there is no file %s", "没有文件 %s", err.Path)
	case errors.Is(err, fs.ErrPermission):
		return lang.Errorf("%s: you have no right to this file", "%s：没有访问这个文件的权限", err.Path)
	case errors.Is(err, fs.ErrExist):
		return lang.Errorf("%s is there already", "%s 已经存在", err.Path)
	case errors.Is(err, syscall.EISDIR):
		return lang.Errorf("%s is a directory, not a file", "%s 是目录，不是文件", err.Path)
	case errors.Is(err, syscall.ENOTDIR):
		return lang.Errorf("%s is not below a directory", "%s 的上级不是目录", err.Path)
	case errors.Is(err, syscall.ENOSPC):
		return lang.Errorf("%s: no space is left", "%s：空间不足", err.Path)
	}
	return nil
}
