package present

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
)

// Contents makes the view model of a course's contents, with links to the other courses.
func Contents(all []*course.Course, c *course.Course, site views.Site) courseview.Contents {
	in := teacher{site.Lang}
	page := courseview.Contents{
		Site: site, Link: in.course(c), About: in.text(c.About),
		Lessons: in.lessons(c, c.Lessons), Incidents: in.lessons(c, c.Incidents), Claims: len(c.Claims), Asks: waiting(c),
		Length: in.takes("course.length", "course.length-one", c.Lessons, whole), Hurry: in.takes("course.express.about", "course.express.about-one", c.Express, func(l *course.Lesson) int { return l.Hurried(in.lang) }),
	}
	for _, l := range c.Express {
		page.Express = append(page.Express, in.lesson(c, l))
	}
	for _, r := range c.Readings {
		page.Readings = append(page.Readings, in.reading(c, r))
	}
	if c.Test != nil {
		page.Test = len(c.Test.Pairs)
	}
	for _, other := range all {
		if other != c {
			page.Others = append(page.Others, in.course(other))
		}
	}
	for _, m := range c.Mistakes {
		page.Mistakes = append(page.Mistakes, m.Sentence(in.lang))
	}
	page.Window, page.Site.About, page.Picture = page.Link.Title.Say, plain(page.About.Say), pictureOf(CoursePath(c))
	return page
}

// CourseSources makes the view model of a course's sources.
func CourseSources(c *course.Course, site views.Site) courseview.Sources {
	in := teacher{site.Lang}
	page := courseview.Sources{Site: site, Course: in.course(c), Count: len(c.Claims)}
	verdicts := map[string]int{}
	for _, from := range c.Sources {
		source := courseview.Source{Name: from.Name, Title: in.text(from.Title), Link: from.Link}
		for _, claim := range c.Claims {
			if claim.Source != from.Name {
				continue
			}
			verdicts[claim.Verdict]++
			source.Claims = append(source.Claims, courseview.Claim{
				Number: verdicts["holds"] + verdicts["partly"] + verdicts["fails"], Quote: in.quote(claim.Quote),
				Means: in.text(claim.Say), Verdict: claim.Verdict, Shown: in.text(claim.Shown), Lesson: in.lesson(c, c.Lesson(claim.Lesson)), Moment: claim.Moment,
			})
		}
		if len(source.Claims) > 0 {
			page.Sources = append(page.Sources, source)
		}
	}
	page.Sum = views.Say(in.lang, "course.sources.sum", verdicts["holds"], verdicts["partly"], verdicts["fails"])
	page.Window, page.Picture = views.Say(in.lang, "course.sources")+" · "+page.Course.Title.Say, pictureOf(CoursePath(c))
	return page
}

// A teacher puts the texts of a course into view models, in a language.
type teacher struct{ lang lang.Language }

// text returns a course's text in the language, or in the only language it has.
func (in teacher) text(w lang.Text) courseview.Text {
	return courseview.Text{Say: w.In(in.lang), Lang: w.Foreign(in.lang)}
}

// quote returns a source's words.
func (in teacher) quote(words string) courseview.Text {
	t := courseview.Text{Say: words}
	if l := courseview.LanguageOf(words); l != in.lang {
		t.Lang = l
	}
	return t
}

// takes says in a sentence how many lessons there are and how long they take: in minutes up to an hour and a half, else in
// hours. It says nothing where there is none, or where one does not say how long it takes.
func (in teacher) takes(sentence, ofOne string, all []*course.Lesson, takes func(*course.Lesson) int) string {
	minutes, number := 0, []any{len(all)}
	if len(all) == 1 {
		sentence, number = ofOne, nil
	}
	for _, l := range all {
		if minutes += takes(l); l.Minutes == 0 {
			return ""
		}
	}
	switch {
	case minutes == 0:
		return ""
	case minutes > 90:
		return views.Say(in.lang, sentence, append(number, views.Say(in.lang, "course.about-hours", (minutes+30)/60))...)
	}
	return views.Say(in.lang, sentence, append(number, views.Say(in.lang, "course.about-minutes", minutes))...)
}

// whole returns how many minutes a lesson takes with all of its challenges.
func whole(l *course.Lesson) int { return l.Minutes }

func (in teacher) course(c *course.Course) courseview.Link {
	link := courseview.Link{Path: CoursePath(c), Name: c.Name, Title: in.text(c.Title)}
	if len(c.Languages) == 1 {
		link.Only = lang.English
		if c.Languages[0] == lang.Chinese {
			link.Only = lang.Chinese
		}
	}
	return link
}

func (in teacher) lesson(c *course.Course, l *course.Lesson) courseview.LessonLink {
	var challenges []string
	for _, ch := range l.Challenges {
		challenges = append(challenges, ch.Name)
	}
	incident := true
	for _, one := range c.Lessons {
		incident = incident && one != l
	}
	return courseview.LessonLink{
		Path: LessonPath(c, l), Name: l.Name, Number: l.Number, Incident: incident,
		Title: in.text(l.Title), Goal: in.text(l.Goal), Minutes: l.Minutes, Express: slices.Contains(c.Express, l),
		Challenges: strings.Join(challenges, " "),
	}
}

// challenges returns links to the challenges of a lesson.
func (in teacher) challenges(c *course.Course, l *course.Lesson) []courseview.ChallengeLink {
	var all []courseview.ChallengeLink
	for _, ch := range l.Challenges {
		all = append(all, courseview.ChallengeLink{Path: LessonPath(c, l) + "/" + ch.Name, Name: ch.Name, Heading: in.text(ch.Heading), Fix: ch.Fix != nil})
	}
	return all
}

func (in teacher) lessons(c *course.Course, all []*course.Lesson) []courseview.LessonLink {
	var links []courseview.LessonLink
	for _, l := range all {
		link := in.lesson(c, l)
		link.Links = in.challenges(c, l)
		links = append(links, link)
	}
	return links
}

// CoursePath returns the path of a course's contents.
func CoursePath(c *course.Course) string { return "/courses/" + c.Name }

// LessonPath returns the path of a lesson.
func LessonPath(c *course.Course, l *course.Lesson) string { return CoursePath(c) + "/" + l.Name }

// EndPath returns the path of a lesson's last card.
func EndPath(c *course.Course, l *course.Lesson) string {
	t := course.Task{Course: c, Lesson: l}
	return draftPath(t, len(l.Scenario.Actions()))
}

// TaskPath returns the path of a lesson or a challenge.
func TaskPath(t course.Task) string { return draftPath(t, 0) }

// draftPath returns the path at which a task begins, with some of its actions done.
func draftPath(t course.Task, done int) string {
	if t.Free != nil {
		return "/new?" + DraftQuery(t, 0)
	}
	path := LessonPath(t.Course, t.Lesson)
	if t.Challenge != nil {
		return path + "/" + t.Challenge.Name
	}
	if done = t.Done(done); done > t.Done(0) {
		path += "?done=" + strconv.Itoa(done)
	}
	return path
}

// DraftQuery returns the query that names a task, and how many of its actions are done when its run begins; or the program of a
// run without one.
func DraftQuery(t course.Task, done int) string {
	if t.Free != nil {
		query := url.Values{"program": {t.Free.Name}}
		if t.Many > 0 {
			query.Set("clients", strconv.Itoa(t.Many))
		}
		return query.Encode()
	}
	return url.Values{"begin": {t.Name()}, "done": {strconv.Itoa(t.Done(done))}}.Encode()
}
