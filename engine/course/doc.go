// Package course reads courses and proves what they say.
//
// A course is a directory: course.yaml, a Markdown file per lesson and language,
// and programs of its own, if it has any. The built-in one is in redis-lock.
//
//	course.yaml      titles by language, and the lessons in order
//	race.en.md       a lesson in the course's first language: facts and words
//	race.zh.md       its translation: words
//	mine.star        a program that a scenario names
//	sources.yaml     what the sources say, claim by claim, and where it is shown
//
// # A lesson
//
// A file begins with front matter between two lines of ---. Each language has its
// title and its goal; the facts stand once, in the first language's file:
//
//	---
//	title: One winner
//	goal: See that SETNX lets one client in.
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
// stops and says something. Below the front matter a section per moment has the
// words for it. Its heading names it; ### are the answers to its prediction, and
// what is said afterwards to whoever has given them:
//
//	What is read before the lesson begins.
//
//	## C2 is second {#second}
//	The key is there. What will Redis reply to C2?
//
//	### 1: it has the lock, too {#one}
//	SETNX asks and writes in one moment …
//
//	### 0 {#zero}
//	Yes.
//
//	## What the run showed {#showed}
//	…
//
//	## Can two be inside? {#break}
//	The words of the challenge. Below ### {#solved} stands what is said to whoever has solved it.
//
//	## The way on {#on}
//
// Nobody marks the right answer of a prediction. It is the one whose expectations
// are met when the scenario has gone on to the next moment: the engine is the
// answer key. Check makes sure that there is exactly one.
//
// # A challenge
//
// A challenge is a question of package explore: from its start, within its bounds,
// can its property be violated? It says what the answer is, with the length of the
// shortest way (par: 8) or that there is none (holds: true), and Check lets the
// explorer find out. Whoever takes it acts in a run that begins with its start, and
// Judge looks at the properties of that run, counting as the explorer does; or they
// claim that it cannot be broken, and the explorer judges. In a challenge with
// fix: solution.star the learner edits the program until the explorer finds nothing;
// the file named is one way to do it. Try sees to it that it still is a lock.
//
//	start          scenario text; its program line says how many Redis nodes there are
//	property       one of package check, or several with blanks between them
//	clients        how many may take part; without it 3
//	ticks          how often time may pass; without it 5
//	tick           how much passes each time; without it 1s
//	crashes        how many clients may crash; without it none
//	delays         0: no message is under way while time passes; any: as it is without it
//	replies: true  a reply takes time, too: a step counts two
//	node-crashes   how often a Redis node may crash; without it never
//	lose: true     one that crashes loses its data
//	restart-delay  how many ticks pass before it may be back; without it none
//
// # What is wrong
//
// A file has at most 256 KB, a paragraph of it, which is what stands between two blank lines, 8 KB. Lists and
// quotations are nested at most 16 deep.
//
// Load leaves out a lesson with mistakes in its first language's file; whatever
// else is wrong is told as well, but the lesson can be taken. The kinds of mistakes
// are in testdata/mistakes.
package course
