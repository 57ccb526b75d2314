package scorm_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/scorm"
)

// unpacked returns the files of a package, in their order.
func unpacked(t *testing.T, packed []byte) (names []string, files map[string]string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		names, files[f.Name] = append(names, f.Name), string(text)
	}
	return names, files
}

// The children that the schemas of SCORM 1.2 (IMS content packaging 1.1.2, ADL 1.2) let an element have, in their order.
var schema = map[string][]string{
	"manifest": {"metadata", "organizations", "resources"}, "metadata": {"schema", "schemaversion"}, "organizations": {"organization"},
	"organization": {"title", "item"}, "item": {"title"}, "resources": {"resource"}, "resource": {"file", "dependency"},
	"schema": {}, "schemaversion": {}, "title": {}, "file": {}, "dependency": {},
}

// conforms checks the manifest against the schemas, and returns its identifiers and its references.
func conforms(t *testing.T, text string) (attributes map[string][]string) {
	t.Helper()
	const imscp, adlcp = "http://www.imsproject.org/xsd/imscp_rootv1p1p2", "http://www.adlnet.org/xsd/adlcp_rootv1p2"
	attributes = map[string][]string{}
	d, open, at := xml.NewDecoder(strings.NewReader(text)), []string{}, []int{0}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the manifest is not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if e.Name.Space != imscp {
				t.Errorf("%s is in the namespace %q", name, e.Name.Space)
			}
			if len(open) > 0 {
				place := slices.Index(schema[open[len(open)-1]], name)
				if place < at[len(at)-1] {
					t.Errorf("%s stands in %s, out of order or not at all allowed", name, open)
				}
				at[len(at)-1] = place
			}
			open, at = append(open, name), append(at, 0)
			for _, a := range e.Attr {
				key := a.Name.Local
				if a.Name.Space == adlcp {
					key = "adlcp:" + key
				}
				attributes[name+"."+key] = append(attributes[name+"."+key], a.Value)
			}
		case xml.EndElement:
			open, at = open[:len(open)-1], at[:len(at)-1]
		case xml.CharData:
			if len(open) > 0 && strings.TrimSpace(string(e)) != "" {
				attributes[open[len(open)-1]] = append(attributes[open[len(open)-1]], string(e))
			}
		}
	}
	return attributes
}

var id = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9._-]*$`) // an xs:ID

// The manifest conforms to its schemas, and lists each file of the package once and no other. Each lesson is a learning object.
func TestThePackageHoldsWhatTheManifestLists(t *testing.T) {
	c := course.Builtin()
	for _, test := range []struct {
		lesson string
		want   int // learning objects
		files  string
	}{{"", len(c.All()), ""}, {"race", 1, "imsmanifest.xml index.html runtime.js"}} {
		q := scorm.Request{Course: c, Lesson: test.lesson, Server: "https://lockstep.example/tools/", Language: lang.Chinese}
		packed, err := scorm.Package(q)
		if err != nil {
			t.Fatal(err)
		}
		again, err := scorm.Package(q)
		if err != nil || !bytes.Equal(packed, again) {
			t.Errorf("packed twice it is another file (%v)", err)
		}
		names, files := unpacked(t, packed)
		if test.files != "" && strings.Join(names, " ") != test.files {
			t.Errorf("the package holds %s", names)
		}
		m := conforms(t, files["imsmanifest.xml"])
		if listed := append([]string{"imsmanifest.xml"}, m["file.href"]...); !slices.Equal(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(names))) {
			t.Errorf("the manifest lists %s, and the package holds %s", listed, names)
		}
		ids := slices.Concat(m["manifest.identifier"], m["organization.identifier"], m["item.identifier"], m["resource.identifier"])
		seen := map[string]bool{}
		for _, name := range ids {
			if seen[name] || !id.MatchString(name) {
				t.Errorf("%q is an identifier twice or none", name)
			}
			seen[name] = true
		}
		for _, ref := range slices.Concat(m["item.identifierref"], m["dependency.identifierref"]) {
			if !slices.Contains(m["resource.identifier"], ref) {
				t.Errorf("%s refers to nothing", ref)
			}
		}
		if m["organizations.default"][0] != m["organization.identifier"][0] {
			t.Error("the default organization is not there")
		}
		objects := len(slices.DeleteFunc(slices.Clone(m["resource.adlcp:scormtype"]), func(kind string) bool { return kind != "sco" }))
		if objects != test.want || len(m["item.identifier"]) != test.want || m["schema"][0] != "ADL SCORM" || m["schemaversion"][0] != "1.2" {
			t.Errorf("%d learning objects of %d, %d items, schema %s %s", objects, test.want, len(m["item.identifier"]), m["schema"], m["schemaversion"])
		}
		for _, href := range m["resource.href"] {
			if files[href] == "" || !strings.Contains(files[href], `src="https://lockstep.example/tools/embed/courses/redis-lock/`) || !strings.Contains(files[href], `?lang=zh"`) || !strings.Contains(files[href], `<html lang="zh-Hans">`) {
				t.Errorf("%s frames no lesson in Chinese:\n%s", href, files[href])
			}
			script := regexp.MustCompile(`<script src="([^"]*)"`).FindStringSubmatch(files[href])
			if want := strings.Repeat("../", strings.Count(href, "/")) + "runtime.js"; script == nil || script[1] != want {
				t.Errorf("%s loads %v", href, script)
			}
		}
	}
}

// A lesson is completed by itself. A bug report without a scenario is completed by all of its challenges.
func TestEachLearningObjectKnowsItsTasks(t *testing.T) {
	packed, err := scorm.Package(scorm.Request{Course: course.Builtin(), Server: "https://lockstep.example:8443/tools", Language: lang.English})
	if err != nil {
		t.Fatal(err)
	}
	_, files := unpacked(t, packed)
	for _, l := range course.Builtin().All() {
		var data struct{ Tasks []string }
		text := regexp.MustCompile(`<script type="application/json" id="data">(.*)</script>`).FindStringSubmatch(files["lessons/"+l.Name+".html"])
		if text == nil {
			t.Fatalf("the page of %s has no data", l.Name)
		}
		if err := json.Unmarshal([]byte(text[1]), &data); err != nil {
			t.Fatal(err)
		}
		want := []string{"/courses/redis-lock/" + l.Name}
		if l.Scenario == nil {
			want = nil
			for _, c := range l.Challenges {
				want = append(want, "/courses/redis-lock/"+l.Name+"/"+c.Name)
			}
		}
		if !slices.Equal(data.Tasks, want) || len(want) == 0 {
			t.Errorf("%s: %+v, want %s", l.Name, data, want)
		}
	}
}

// The words of a course may be anybody's: none of them becomes markup.
func TestNamesAreEscaped(t *testing.T) {
	const evil = `</script><b title="x">&amp; 'y'`
	c := course.Load(fstest.MapFS{
		"course.yaml": {Data: []byte("title:\n  en: |\n    " + evil + "\nlessons: [first]\n")},
		"first.en.md": {Data: []byte("---\ntitle: |\n  " + evil + "\ngoal: Goal.\nscenario: |\n  program naive\n  spawn C1\n  # @a\n  step C1\n  expect C1 inside\n  # @b\n---\nWords.\n## A {#a}\nA.\n## B {#b}\nB.\n")},
	}, "evil")
	if len(c.Mistakes) > 0 {
		t.Fatal(c.Mistakes)
	}
	packed, err := scorm.Package(scorm.Request{Course: c, Server: "https://lockstep.example", Language: lang.Chinese})
	if err != nil {
		t.Fatal(err)
	}
	_, files := unpacked(t, packed)
	if m := conforms(t, files["imsmanifest.xml"]); !slices.Equal(m["title"], []string{evil, evil}) {
		t.Errorf("the titles are %q", m["title"])
	}
	page := files["lessons/first.html"]
	if strings.Contains(page, "<b ") || strings.Count(page, "</script>") != 2 || !strings.Contains(page, "<title>&lt;/script&gt;&lt;b title=") {
		t.Errorf("the page has\n%s", page)
	}
}

func TestAPackageIsRefused(t *testing.T) {
	for _, test := range []struct{ lesson, server, want, chinese string }{
		{"racee", "https://lockstep.example", "there is no lesson racee; did you mean race?", "没有课文 racee；是不是想写 race？"},
		{"", "lockstep.example", `--server: "lockstep.example" is not the address of a server, such as https://lockstep.example`, ""},
		{"", "ftp://lockstep.example", `--server: "ftp://lockstep.example" is not the address of a server, such as https://lockstep.example`, ""},
		{"", "javascript:alert(1)", `--server: "javascript:alert(1)" is not the address of a server, such as https://lockstep.example`, ""},
		{"", "https://user@lockstep.example", `--server: "https://user@lockstep.example" is not the address of a server, such as https://lockstep.example`, ""},
		{"", "https://lockstep.example/?a=b", `--server: "https://lockstep.example/?a=b" is not the address of a server, such as https://lockstep.example`, ""},
	} {
		_, err := scorm.Package(scorm.Request{Course: course.Builtin(), Lesson: test.lesson, Server: test.server, Language: lang.English})
		if err == nil || err.Error() != test.want {
			t.Errorf("%+v: %v", test, err)
		}
		if test.lesson != "" && err.(lang.Speaker).Sentence(lang.Chinese) != test.chinese {
			t.Errorf("in Chinese: %s", err.(lang.Speaker).Sentence(lang.Chinese))
		}
	}
	if _, err := scorm.Package(scorm.Request{Course: &course.Course{Name: "empty"}, Server: "https://lockstep.example"}); err == nil || err.Error() != "the course has no lesson" {
		t.Errorf("an empty course: %v", err)
	}
}
