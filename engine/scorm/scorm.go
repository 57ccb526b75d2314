package scorm

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/lang"
)

// A Request says what to pack.
type Request struct {
	Course   *course.Course
	Lesson   string        // the only one; empty: all lessons and bug reports
	Server   string        // the address of a server that serves the course, with its base path
	Language lang.Language // of the pages
}

//go:embed runtime.js
var runtime string

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page.html").Parse(page))

// An object is a learning object of the package: the page of a lesson.
type object struct {
	id, file, title string
	lesson          *course.Lesson
}

// Package returns the zip. The same course, server and language give the same bytes.
func Package(q Request) ([]byte, error) {
	server, err := address(q.Server)
	if err != nil {
		return nil, err
	}
	objects, err := q.objects()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	write := func(name string, content []byte) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			panic(fmt.Errorf("packing %s: %w", name, err)) // writing to memory does not fail
		}
	}
	write("imsmanifest.xml", q.manifest(objects))
	for _, o := range objects {
		write(o.file, q.page(o, server))
	}
	write(runtimeFile, []byte(runtime))
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing the course: %w", err)
	}
	return b.Bytes(), nil
}

const runtimeFile = "runtime.js"

// address returns the address of a server without what its pages do not need.
func address(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, engine.Refuse("--server: %q is not the address of a server, such as https://lockstep.example", "--server：%q 不是服务器的地址，例如 https://lockstep.example", text)
	}
	return u, nil
}

// objects returns the learning objects in the course's order.
func (q Request) objects() ([]object, error) {
	all := q.Course.All()
	if q.Lesson != "" {
		l := q.Course.Lesson(q.Lesson)
		if l == nil {
			var known []string
			for _, l := range all {
				known = append(known, l.Name)
			}
			return nil, engine.Refuse("there is no lesson %s%s", "没有课文 %s%s", q.Lesson, lang.DidYouMeanOf(q.Lesson, known))
		}
		return []object{{"sco-" + l.Name, "index.html", l.Title.In(q.Language), l}}, nil
	}
	if len(all) == 0 {
		return nil, engine.Refuse("the course has no lesson", "课程里没有课文")
	}
	var objects []object
	for _, l := range all {
		objects = append(objects, object{"sco-" + l.Name, "lessons/" + l.Name + ".html", l.Title.In(q.Language), l})
	}
	return objects, nil
}

// tasks returns the names of the tasks that complete a lesson: itself or, where it has no scenario, its challenges.
func (q Request) tasks(l *course.Lesson) (names []string) {
	if l.Scenario != nil {
		return []string{course.Task{Course: q.Course, Lesson: l}.Name()}
	}
	for _, c := range l.Challenges {
		names = append(names, course.Task{Course: q.Course, Lesson: l, Challenge: c}.Name())
	}
	return names
}

// page returns the page of a learning object.
func (q Request) page(o object, server *url.URL) []byte {
	place := server.String() + "/embed/courses/" + q.Course.Name + "/" + o.lesson.Name
	var tasks []string
	for _, name := range q.tasks(o.lesson) {
		tasks = append(tasks, "/courses/"+name)
	}
	data, err := json.Marshal(map[string]any{ // escapes what could end the element
		"tasks": tasks,
		"says": map[string]string{
			"alone":   alone.In(q.Language),
			"refused": lang.Format(refused.English, refused.Chinese, server.String(), "{origin}").In(q.Language),
			"open":    open.In(q.Language),
		},
	})
	if err != nil {
		panic(fmt.Errorf("packing %s: %w", o.file, err)) // it is plain data
	}
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, map[string]any{
		"Lang": tag(q.Language), "Title": o.title, "Data": template.JS(data),
		"Runtime": strings.Repeat("../", strings.Count(o.file, "/")) + runtimeFile,
		"Frame":   place + "?lang=" + string(q.Language), "Window": server.String() + "/courses/" + q.Course.Name + "/" + o.lesson.Name + "?lang=" + string(q.Language),
	})
	if err != nil {
		panic(fmt.Errorf("packing %s: %w", o.file, err)) // a test fills the template
	}
	return b.Bytes()
}

// What a page says by itself.
var (
	alone   = lang.Both("No learning platform is around this page: it reports nothing.", "这个页面不在学习平台里：不会上报任何结果。")
	refused = lang.Both("The lesson of %s does not open here. Its owner has to let this site show it: lockstep serve --embed-from %s", "%s 的课文无法在这里打开。它的管理员需要允许本站嵌入：lockstep serve --embed-from %s")
	open    = lang.Both("Open the lesson in a window of its own", "在单独的窗口中打开这一课")
)

func tag(l lang.Language) string {
	if l == lang.Chinese {
		return "zh-Hans"
	}
	return string(l)
}

// The manifest in the order of its schema.
type (
	manifest struct {
		XMLName       xml.Name      `xml:"manifest"`
		Identifier    string        `xml:"identifier,attr"`
		Version       string        `xml:"version,attr"`
		Namespace     string        `xml:"xmlns,attr"`
		ADL           string        `xml:"xmlns:adlcp,attr"`
		Schema        string        `xml:"metadata>schema"`
		SchemaVersion string        `xml:"metadata>schemaversion"`
		Organizations organizations `xml:"organizations"`
		Resources     []resource    `xml:"resources>resource"`
	}
	organizations struct {
		Default      string       `xml:"default,attr"`
		Organization organization `xml:"organization"`
	}
	organization struct {
		Identifier string `xml:"identifier,attr"`
		Title      string `xml:"title"`
		Items      []item `xml:"item"`
	}
	item struct {
		Identifier string `xml:"identifier,attr"`
		Ref        string `xml:"identifierref,attr"`
		Visible    bool   `xml:"isvisible,attr"`
		Title      string `xml:"title"`
	}
	resource struct {
		Identifier string       `xml:"identifier,attr"`
		Type       string       `xml:"type,attr"`
		Scorm      string       `xml:"adlcp:scormtype,attr"`
		Href       string       `xml:"href,attr,omitempty"`
		Files      []file       `xml:"file"`
		Dependency []dependency `xml:"dependency"`
	}
	file struct {
		Href string `xml:"href,attr"`
	}
	dependency struct {
		Ref string `xml:"identifierref,attr"`
	}
)

// manifest returns imsmanifest.xml.
func (q Request) manifest(objects []object) []byte {
	const shared = "shared"
	name := "lockstep-" + q.Course.Name
	title := q.Course.Title.In(q.Language)
	if q.Lesson != "" {
		name, title = name+"-"+q.Lesson, objects[0].title
	}
	m := manifest{
		Identifier: name, Version: "1.2", Namespace: "http://www.imsproject.org/xsd/imscp_rootv1p1p2", ADL: "http://www.adlnet.org/xsd/adlcp_rootv1p2",
		Schema: "ADL SCORM", SchemaVersion: "1.2",
		Organizations: organizations{Default: "course", Organization: organization{Identifier: "course", Title: title}},
	}
	for _, o := range objects {
		organization := &m.Organizations.Organization
		organization.Items = append(organization.Items, item{"item-" + o.lesson.Name, o.id, true, o.title})
		m.Resources = append(m.Resources, resource{Identifier: o.id, Type: "webcontent", Scorm: "sco", Href: o.file, Files: []file{{o.file}}, Dependency: []dependency{{shared}}})
	}
	m.Resources = append(m.Resources, resource{Identifier: shared, Type: "webcontent", Scorm: "asset", Files: []file{{runtimeFile}}})
	text, err := xml.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(fmt.Errorf("writing the manifest: %w", err)) // it is plain data
	}
	return append([]byte(xml.Header), append(text, '\n')...)
}
