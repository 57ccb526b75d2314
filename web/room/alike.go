package room

import (
	"strings"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// A likeness is what somebody sees who reads a name, by the skeletons of Unicode (UTS 39): letters of any script that have
// the same shape have the same skeleton. Two names look alike if one of their texts is the same.
type likeness [3]string

// likenessOf reads a name as it stands, where a capital I looks like a small l; without regard to case; and without regard to
// case where letters of other scripts have the shape of Latin ones, whose small letters are others.
func likenessOf(name string) likeness {
	return likeness{confusable.Skeleton(name), folded(name), folded(latin(name))}
}

func (l likeness) like(other likeness) bool {
	for i := range l {
		if l[i] == other[i] {
			return true
		}
	}
	return false
}

func folded(name string) string {
	return strings.ToLower(confusable.Skeleton(strings.ToLower(strings.ToUpper(name))))
}

// latin gives letters of other scripts the shapes of Latin ones.
func latin(name string) string {
	var all strings.Builder
	for _, r := range norm.NFD.String(capitals.Replace(name)) {
		if shape := confusable.GetReplacement(r); r > 0x7f && shape != "" {
			all.WriteString(shape)
		} else {
			all.WriteRune(r)
		}
	}
	return all.String()
}

// capitals maps the letters whose skeleton is a small l, and which have a small letter that looks like an i.
var capitals = strings.NewReplacer("І", "I", "Ι", "I", "Ӏ", "I", "Ⲓ", "I", "ı", "i")
