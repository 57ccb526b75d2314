package present

import (
	"html"
	"regexp"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	"lockstep/web/highlight"
)

// Reading makes the view model of a reading.
func Reading(c *course.Course, r *course.Reading, site views.Site) courseview.Reading {
	in := teacher{site.Lang}
	page := courseview.Reading{
		Site: site, Course: in.course(c), ReadingLink: in.reading(c, r),
		Lead: in.prose(r.Lead, site.Base), Sections: in.sections(r.Sections, site.Base),
	}
	page.Window, page.Site.About, page.Picture = page.Title.Say+" · "+page.Course.Title.Say, plain(page.Goal.Say), pictureOf(CoursePath(c))
	return page
}

func (in teacher) sections(all []*course.Section, base string) (sections []courseview.Section) {
	for _, s := range all {
		sections = append(sections, courseview.Section{
			Name: s.Name, Heading: in.text(s.Heading), Text: in.prose(s.Text, base), Folded: in.sections(s.Folded, base),
		})
	}
	return sections
}

// prose returns the HTML of a reading with coloured listings. Its links begin at the site's base path, or lead elsewhere and say so.
func (in teacher) prose(w lang.Text, base string) courseview.Text {
	t := in.text(w)
	t.Say = strings.ReplaceAll(t.Say, `href="/`, `href="`+html.EscapeString(base)+"/")
	t.Say = strings.ReplaceAll(t.Say, `<a href="http`, `<a rel="external" href="http`)
	t.Say = listing.ReplaceAllStringFunc(t.Say, func(code string) string {
		found := listing.FindStringSubmatch(code)
		return `<pre translate="no"><code>` + coloured(found[1], html.UnescapeString(found[2])) + "</code></pre>"
	})
	return t
}

// listing matches a listing in a language.
var listing = regexp.MustCompile(`(?s)<pre><code class="language-([a-z]+)">(.*?)</code></pre>`)

// coloured returns the HTML of a text in its colours.
func coloured(language, source string) string {
	var b strings.Builder
	for i, line := range highlight.In(language, source) {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, part := range line {
			if part.Kind == "" {
				b.WriteString(html.EscapeString(part.Text))
				continue
			}
			b.WriteString(`<i class="` + part.Kind + `">` + html.EscapeString(part.Text) + "</i>")
		}
	}
	return b.String()
}

func (in teacher) reading(c *course.Course, r *course.Reading) courseview.ReadingLink {
	return courseview.ReadingLink{Path: ReadingPath(c, r), Title: in.text(r.Title), Goal: in.text(r.Goal)}
}

// ReadingPath returns the path of a reading.
func ReadingPath(c *course.Course, r *course.Reading) string { return CoursePath(c) + "/" + r.Name }
