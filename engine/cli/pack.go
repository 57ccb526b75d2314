package cli

import (
	"fmt"
	"path/filepath"

	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// PackCourse writes a course as one file.
type PackCourse struct {
	Dir    string `arg:"" help:"Directory of the course." zh:"课程目录。" type:"existingdir"`
	Output string `short:"o" help:"File to write. Default: the course's name and ${packed}, in this directory." zh:"要写的文件。默认：当前目录下，课程名加 ${packed}。" placeholder:"FILE" type:"path"`
}

// Run writes the file, and tells its name and size.
func (p *PackCourse) Run(h *Host) error {
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return fmt.Errorf("packing the course %s: %w", p.Dir, err)
	}
	name := filepath.Base(dir)
	packed, err := course.Pack(course.Dir(dir), name)
	if err != nil {
		return Said(err, h.Language)
	}
	path := p.Output
	if path == "" {
		path = name + course.PackedSuffix
	}
	if err := h.Write(path, string(packed)); err != nil {
		return fmt.Errorf("packing the course: %w", err)
	}
	fmt.Fprintln(h.Out, lang.Format("%s: %d bytes. Serve it with lockstep --course %[1]s", "%s：%d 字节。用 lockstep --course %[1]s 即可提供这门课程", filepath.ToSlash(path), len(packed)).In(h.Language))
	return nil
}
