package course

import "lockstep/engine/lang"

// Seconds that a lesson takes.
const (
	aMinute     = 60
	aPrediction = 30
	aStop       = 10
	aBreak      = 60 // of a lock, in few actions
	aLongBreak  = 120
	aProof      = 120
	aFix        = 360
)

// Few actions break a lock soon.
const fewActions = 4

// A reader's speed, in a minute.
const (
	wordsRead      = 130
	charactersRead = 230 // of Chinese
)

// Hurried returns how many minutes a lesson takes with its first challenge alone, as a reader of the express path takes it.
func (l *Lesson) Hurried(in lang.Language) int {
	return minutes(l, l.Challenges[:min(1, len(l.Challenges))], in)
}

// minutes estimates how long a lesson takes with some of its challenges: its visible cards are read, its questions answered, the
// challenges taken.
func minutes(lesson *Lesson, challenges []*Challenge, in lang.Language) int {
	read, seconds := length(lesson.Lead.In(in), in)+length(lesson.On.In(in), in), 0
	for _, m := range lesson.Moments {
		read += length(m.Heading.In(in), in) + length(m.Text.In(in), in)
		seconds += aStop
		for _, a := range m.Answers {
			if read += length(a.Text.In(in), in); a.Right {
				read += length(a.After.In(in), in)
				seconds += aPrediction
			}
		}
	}
	for _, c := range challenges {
		read += length(c.Heading.In(in), in) + length(c.Text.In(in), in) + length(c.Solved.In(in), in)
		switch {
		case c.Fix != nil:
			seconds += aFix
		case c.Par == 0:
			seconds += aProof
		case c.Par <= fewActions:
			seconds += aBreak
		default:
			seconds += aLongBreak
		}
	}
	speed := wordsRead
	if in == lang.Chinese {
		speed = charactersRead
	}
	return max(1, (seconds+read*aMinute/speed+aMinute/2)/aMinute)
}
