package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/scorm"
)

// ExportCourse writes a course as a package for a learning platform.
type ExportCourse struct {
	Course string `arg:"" help:"Directory of the course, a course file, or ${builtin}: the course that comes with Lockstep." zh:"课程目录、课程文件，或 ${builtin}：Lockstep 自带的课程。"`
	Server string `required:"" help:"Address of a server that serves the course, such as https://lockstep.example." zh:"提供这门课程的服务器地址，例如 https://lockstep.example。" placeholder:"URL"`
	Lesson string `help:"Only this lesson." zh:"只要这一课。" placeholder:"NAME"`
	Output string `short:"o" help:"File to write. Default: the name of the course or the lesson and .scorm.zip, in this directory." zh:"要写的文件。默认：当前目录下，课程名或课文名加 .scorm.zip。" placeholder:"FILE" type:"path"`
}

// Run writes the package, and tells what has to happen next.
func (e *ExportCourse) Run(h *Host) error {
	c, err := e.course()
	if err != nil {
		return Said(err, h.Language)
	}
	packed, err := scorm.Package(scorm.Request{Course: c, Lesson: e.Lesson, Server: e.Server, Language: h.Language})
	if err != nil {
		return Said(err, h.Language)
	}
	path := e.Output
	if path == "" {
		path = c.Name
		if e.Lesson != "" {
			path += "-" + e.Lesson
		}
		path += ".scorm.zip"
	}
	if err := h.Write(path, string(packed)); err != nil {
		return fmt.Errorf("exporting the course: %w", err)
	}
	fmt.Fprintln(h.Out, lang.Format(
		"%s: %d bytes of SCORM 1.2. The server has to let the platform frame its lessons: --embed-from https://moodle.example, with the platform's own address.",
		"%s：%d 字节，SCORM 1.2。服务器要允许平台嵌入课文：--embed-from https://moodle.example，换成平台自己的地址。", filepath.ToSlash(path), len(packed)).In(h.Language))
	return nil
}

// course opens the course. The name of the built-in one means that, unless a file has it.
func (e *ExportCourse) course() (*course.Course, error) {
	if _, err := os.Stat(e.Course); err != nil && e.Course == course.BuiltinName {
		return course.Builtin(), nil
	}
	return course.Open(e.Course)
}
