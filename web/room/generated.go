package room

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lockstep/engine/lang"
)

// A generated name joins one of 40 adjectives and one of 40 animals. Every pair is friendly in both languages: no animal
// that people call each other in anger, nothing about a body, an age or a speed.

var adjectives = [...]lang.Text{
	lang.Both("Quiet", "安静的"), lang.Both("Cheerful", "开朗的"), lang.Both("Curious", "好奇的"), lang.Both("Brave", "勇敢的"), lang.Both("Gentle", "温柔的"),
	lang.Both("Clever", "聪明的"), lang.Both("Patient", "耐心的"), lang.Both("Careful", "细心的"), lang.Both("Calm", "沉着的"), lang.Both("Kind", "善良的"),
	lang.Both("Lucky", "幸运的"), lang.Both("Happy", "快乐的"), lang.Both("Friendly", "友好的"), lang.Both("Honest", "诚实的"), lang.Both("Generous", "慷慨的"),
	lang.Both("Helpful", "热心的"), lang.Both("Sunny", "阳光的"), lang.Both("Lively", "活泼的"), lang.Both("Nimble", "灵巧的"), lang.Both("Steady", "稳重的"),
	lang.Both("Witty", "风趣的"), lang.Both("Wise", "睿智的"), lang.Both("Modest", "谦虚的"), lang.Both("Polite", "有礼貌的"), lang.Both("Hopeful", "乐观的"),
	lang.Both("Determined", "坚定的"), lang.Both("Diligent", "勤奋的"), lang.Both("Loyal", "忠诚的"), lang.Both("Elegant", "优雅的"), lang.Both("Graceful", "轻盈的"),
	lang.Both("Confident", "自信的"), lang.Both("Creative", "有创意的"), lang.Both("Thoughtful", "体贴的"), lang.Both("Attentive", "专注的"), lang.Both("Earnest", "认真的"),
	lang.Both("Sincere", "真诚的"), lang.Both("Daring", "大胆的"), lang.Both("Resourceful", "机智的"), lang.Both("Peaceful", "平和的"), lang.Both("Relaxed", "悠闲的"),
}

var animals = [...]lang.Text{
	lang.Both("Otter", "水獭"), lang.Both("Panda", "熊猫"), lang.Both("Koala", "考拉"), lang.Both("Dolphin", "海豚"), lang.Both("Penguin", "企鹅"),
	lang.Both("Squirrel", "松鼠"), lang.Both("Hedgehog", "刺猬"), lang.Both("Reindeer", "驯鹿"), lang.Both("Giraffe", "长颈鹿"), lang.Both("Zebra", "斑马"),
	lang.Both("Antelope", "羚羊"), lang.Both("Lynx", "猞猁"), lang.Both("Lion", "狮子"), lang.Both("Leopard", "花豹"), lang.Both("Kangaroo", "袋鼠"),
	lang.Both("Lemur", "狐猴"), lang.Both("Seahorse", "海马"), lang.Both("Narwhal", "独角鲸"), lang.Both("Seal", "海豹"), lang.Both("Koi", "锦鲤"),
	lang.Both("Starfish", "海星"), lang.Both("Swan", "天鹅"), lang.Both("Crane", "丹顶鹤"), lang.Both("Egret", "白鹭"), lang.Both("Swallow", "燕子"),
	lang.Both("Robin", "知更鸟"), lang.Both("Lark", "云雀"), lang.Both("Kingfisher", "翠鸟"), lang.Both("Magpie", "喜鹊"), lang.Both("Hummingbird", "蜂鸟"),
	lang.Both("Puffin", "海鹦"), lang.Both("Pelican", "鹈鹕"), lang.Both("Flamingo", "火烈鸟"), lang.Both("Falcon", "游隼"), lang.Both("Dragonfly", "蜻蜓"),
	lang.Both("Butterfly", "蝴蝶"), lang.Both("Firefly", "萤火虫"), lang.Both("Ladybird", "瓢虫"), lang.Both("Bumblebee", "熊蜂"), lang.Both("Pony", "小马"),
}

// Names is how many generated names there are. A room's is one of them, and its
// seats have others.
const Names = len(adjectives) * len(animals)

// generated returns the name with a number, for any number. Two names in a row share no word.
func generated(number int) lang.Text {
	number %= Names
	if number < 0 {
		number += Names
	}
	turn, animal := number/len(animals), number%len(animals)
	a, b := adjectives[(turn+animal)%len(adjectives)], animals[animal]
	return lang.Both(a.English+" "+b.English, a.Chinese+b.Chinese)
}

// stride leads from one seat's name to the next. It has no divisor in common with
// Names, so that no two of the first Names-1 seats have the same name, nor the room's.
const stride = 613

// seatName returns the generated name of a seat. room is the number of the room's own name.
func seatName(room, seat int) lang.Text { return generated(room%Names + stride*seat) }

// couldBeGenerated reports whether a text looks like a generated name in either language, with anything between, on or
// beside its letters.
func couldBeGenerated(text string) bool {
	all := everyGenerated()
	for _, seen := range likenessOf(text) {
		if all[letters(seen)] {
			return true
		}
	}
	return false
}

// everyGenerated has what somebody sees of each generated name.
var everyGenerated = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, a := range adjectives {
		for _, b := range animals {
			for _, name := range []string{a.English + b.English, a.Chinese + b.Chinese, a.English + b.Chinese, a.Chinese + b.English} {
				for _, seen := range likenessOf(name) {
					all[letters(seen)] = true
				}
			}
		}
	}
	return all
})

// letters returns the letters of a text, as small ones.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}
