// Package course reads courses and proves their claims.
//
// A course is a directory: course.yaml, a Markdown file per lesson and
// language, and its own programs, if any. The built-in one is in redis-lock.
//
//	course.yaml      titles by language, the lessons in order, those of the express path, and the playlist of a class
//	race.en.md       a lesson in the course's first language: facts and words
//	race.zh.md       its translation: words
//	test.en.md       a test before and after the course; optional
//	mine.star        a program that a scenario names
//	sources.yaml     the sources' claims, and the moments that test them
//
// course.yaml also names the misconceptions that wrong answers come from, in
// every language of the course:
//
//	title: {en: Locks, zh: 锁}
//	lessons: [one-winner, race]
//	express: [race]
//	playlist:
//	  - lesson: one-winner
//	  - poll: lesson
//	  - challenge: one-winner/break
//	misconceptions:
//	  overwrites: {en: SETNX overwrites, zh: SETNX 会覆盖旧值}
//
// # A lesson
//
// A file begins with front matter between two lines of ---. Each language has
// its title and its goal. The facts stand once, in the first language's file:
//
//	---
//	title: One winner
//	goal: See that SETNX lets one client in.
//	minutes: 4
//	scenario: |
//	  program naive
//	  spawn C1 C2
//	  step C1
//	  # @second
//	  step C2
//	  expect reply C2 0
//	  # @showed
//	predictions:
//	  second:
//	    one: expect reply C2 1
//	    zero: expect reply C2 0
//	challenges:
//	  break:
//	    start: program naive timeout=2s retry=1s
//	    property: overlap
//	    clients: 2
//	    ticks: 4
//	    holds: true
//	---
//
// A comment "# @second" in the scenario is a moment: a place where the lesson
// stops and speaks. Below the front matter, a section per moment holds its
// words. Its heading names it; ### are the answers to its prediction, each with
// the reply to a learner who gives it:
//
//	The introduction.
//
//	## C2 is second {#second}
//	The key is there. What will Redis reply to C2?
//
//	### 1: it has the lock, too {#one .overwrites}
//	SETNX asks and writes in one moment …
//
//	### 0 {#zero}
//	Yes.
//
//	## What the run showed {#showed}
//	…
//
//	## Can two be inside? {#break}
//	The words of the challenge. Below ### {#solved} stands the reply to a learner who has solved it.
//
//	## Next steps {#on}
//
// Each text is a card: at most three sentences and a question, which the reader
// sees at once. A rule, a line of ***, ends it; what follows opens below. Load
// keeps a longer card and warns of it. card.go says what a sentence is, and
// warn.go what else Load warns of.
//
// You don't mark the right answer to a prediction; the engine works it out. The
// right answer is the one whose expectations hold when the scenario has reached
// the next moment. Check makes sure that there is exactly one. The learner sees
// the answers as A, B, C in an order that the names of course, lesson and moment
// decide, followed by "Not sure". A wrong answer's heading names the misconception
// that it comes from: {#one .overwrites}. The reply then begins with its name.
//
// # A question that comes back
//
// A lesson may supply one question to later lessons, which ask it at their end. It stands alone: a run of its own up to
// the place where it asks, and what decides the answer. Its words stand in the section {#again}, below it the answers.
//
//	again:
//	  scenario: |
//	    program naive
//	    spawn C1 C2 C3
//	    step C2
//	    # @again
//	    step C1
//	  answers:
//	    in: expect C1 holds
//	    waits: expect C1 asleep
//
// Course.Recall says which questions come back at the end of a lesson, and in which order.
//
// # A test
//
// A test asks up to eight questions before the course, and after it the same in other schedules. Its front matter has
// the title and, in the first language, the questions; what stands before the first section introduces it.
//
//	title: What do you know about locks?
//	questions:
//	  winner:
//	    about: one-winner
//	    before: {scenario: …, answers: …}
//	    after: {scenario: …, answers: …}
//
// Each scenario asks at the moment that its form names: # @before or # @after. The words stand in the sections
// {#winner-before} and {#winner-after}.
//
// # A challenge
//
// A challenge is a question for package explore: from its start, within its
// bounds, can its property be violated? The challenge states the answer: the
// length of a shortest counterexample (par: 8), or that there is none (holds:
// true). Check lets the explorer confirm it. A learner acts in a run that
// begins with the start, and Judge looks at the properties in that run,
// counting as the explorer does. Or the learner claims that nobody can break
// the lock, and the explorer judges. In a challenge with fix: solution.star the
// learner edits the program until the explorer finds no counterexample; the
// named file is one solution. Try makes sure that the solution still is a lock.
//
// Who claims that nobody can break the lock is asked why: each name in because
// and not-because has a ### below the challenge, with the reason as its heading
// and the reply to a learner who chooses it. The explorer decides the claim
// whatever the reason; because has to be true about the program and the bounds,
// which only its author can see to. A run can refute a wrong reason, for example
// one of another program about which the reason is just as true. It ends with
// the expectation that refutes it:
//
//	not-because:
//	  one-by-one: |
//	    program look-then-set.star
//	    spawn C1 C2
//	    step C1
//	    step C2
//	    step C1
//	    step C2
//	    expect violation overlap C1 C2
//	  polite:
//
//	start          scenario text; its program line says how many Redis nodes there are
//	property       one of package check, or several with blanks between them
//	because        the name of the reason why nobody can break it; only where that is true
//	not-because    the names of other reasons, or a mapping of their names to the runs that refute them
//	clients        how many may take part; default 3
//	ticks          how often time may pass; default 5
//	tick           how much passes each time; default 1s
//	crashes        how many clients may crash; default none
//	delays         0: no message is under way while time passes; any: default
//	replies: true  a reply takes time, too: a step counts two
//	losses         how many messages may be lost; default none; with any, a reply takes time
//	node-crashes   how often a Redis node may crash; default never
//	lose: true     a crashed node loses its data
//	failovers      how often a node's replica, which lags, may take over; default never
//	restart-delay  how many ticks pass before it may be back; default none
//
// # A reading
//
// The list readings in course.yaml names pages of words: a title, a goal, and
// sections in the same order in every language. Nothing runs there. Links may
// begin with / and lead into the site. A listing whose fence names a file after
// its language prints that file of the course.
//
// # Limits and mistakes
//
// A file has at most 256 KB, and so have the listings of a reading together. A paragraph, the text between two blank
// lines, has at most 8 KB. Lists and quotations nest at most 16 deep, where four blanks of indent count as one more, and
// have at most 20,000 lines in a page, nested ones counted as often as they are nested. The tables of a page have at most 32
// columns and 2,000 cells together, also those that no byte stands for. Links and headings of columns that repeat take at
// most 256 KB. The files of a course have 16 MB, those that it names twice counted twice; a list has 500 entries, a name 64
// letters, another text in YAML 1,000. Of the mistakes 500 are listed. A paragraph costs the square of its length: the pages and the scenarios of a
// course may take about five seconds of a processor.
//
// A file is no link that leads out of the course's directory, no pipe and no device, and its name begins with no dot.
//
// Load leaves out a lesson with mistakes in its first language's file. It
// reports all other mistakes as well, but keeps their lesson. Words that another
// language lacks are no mistake: Load warns, and readers get the first language's.
// The kinds of mistakes are in testdata/mistakes, those of warnings in testdata/warnings.
package course
