package room

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A generated name joins one of 40 adjectives and one of 40 animals. Every pair is friendly in both languages: no animal
// that people call each other in anger, nothing about a body, an age or a speed.

var adjectives = [...]Words{
	{"Quiet", "安静的"}, {"Cheerful", "开朗的"}, {"Curious", "好奇的"}, {"Brave", "勇敢的"}, {"Gentle", "温柔的"},
	{"Clever", "聪明的"}, {"Patient", "耐心的"}, {"Careful", "细心的"}, {"Calm", "沉着的"}, {"Kind", "善良的"},
	{"Lucky", "幸运的"}, {"Happy", "快乐的"}, {"Friendly", "友好的"}, {"Honest", "诚实的"}, {"Generous", "慷慨的"},
	{"Helpful", "热心的"}, {"Sunny", "阳光的"}, {"Lively", "活泼的"}, {"Nimble", "灵巧的"}, {"Steady", "稳重的"},
	{"Witty", "风趣的"}, {"Wise", "睿智的"}, {"Modest", "谦虚的"}, {"Polite", "有礼貌的"}, {"Hopeful", "乐观的"},
	{"Determined", "坚定的"}, {"Diligent", "勤奋的"}, {"Loyal", "忠诚的"}, {"Elegant", "优雅的"}, {"Graceful", "轻盈的"},
	{"Confident", "自信的"}, {"Creative", "有创意的"}, {"Thoughtful", "体贴的"}, {"Attentive", "专注的"}, {"Earnest", "认真的"},
	{"Sincere", "真诚的"}, {"Daring", "大胆的"}, {"Resourceful", "机智的"}, {"Peaceful", "平和的"}, {"Relaxed", "悠闲的"},
}

var animals = [...]Words{
	{"Otter", "水獭"}, {"Panda", "熊猫"}, {"Koala", "考拉"}, {"Dolphin", "海豚"}, {"Penguin", "企鹅"},
	{"Squirrel", "松鼠"}, {"Hedgehog", "刺猬"}, {"Reindeer", "驯鹿"}, {"Giraffe", "长颈鹿"}, {"Zebra", "斑马"},
	{"Antelope", "羚羊"}, {"Lynx", "猞猁"}, {"Lion", "狮子"}, {"Leopard", "花豹"}, {"Kangaroo", "袋鼠"},
	{"Lemur", "狐猴"}, {"Seahorse", "海马"}, {"Narwhal", "独角鲸"}, {"Seal", "海豹"}, {"Koi", "锦鲤"},
	{"Starfish", "海星"}, {"Swan", "天鹅"}, {"Crane", "丹顶鹤"}, {"Egret", "白鹭"}, {"Swallow", "燕子"},
	{"Robin", "知更鸟"}, {"Lark", "云雀"}, {"Kingfisher", "翠鸟"}, {"Magpie", "喜鹊"}, {"Hummingbird", "蜂鸟"},
	{"Puffin", "海鹦"}, {"Pelican", "鹈鹕"}, {"Flamingo", "火烈鸟"}, {"Falcon", "游隼"}, {"Dragonfly", "蜻蜓"},
	{"Butterfly", "蝴蝶"}, {"Firefly", "萤火虫"}, {"Ladybird", "瓢虫"}, {"Bumblebee", "熊蜂"}, {"Pony", "小马"},
}

// Names is how many generated names there are. A room's is one of them, and its
// seats have others.
const Names = len(adjectives) * len(animals)

// generated returns the name with a number, for any number. Two names in a row share no word.
func generated(number int) Words {
	number %= Names
	if number < 0 {
		number += Names
	}
	turn, animal := number/len(animals), number%len(animals)
	a, b := adjectives[(turn+animal)%len(adjectives)], animals[animal]
	return Words{a.English + " " + b.English, a.Chinese + b.Chinese}
}

// stride leads from one seat's name to the next. It has no divisor in common with
// Names, so that no two of the first Names-1 seats have the same name, nor the room's.
const stride = 613

// seatName returns the generated name of a seat. room is the number of the room's own name.
func seatName(room, seat int) Words { return generated(room%Names + stride*seat) }

// couldBeGenerated reports whether a text looks like a generated name in either language, with anything between, on or
// beside its letters.
func couldBeGenerated(text string) bool {
	squeezed := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return r
	}, norm.NFD.String(folded(text)))
	for _, a := range adjectives {
		for _, first := range []string{a.English, a.Chinese} {
			rest, ok := strings.CutPrefix(squeezed, strings.ToLower(first))
			if !ok {
				continue
			}
			for _, b := range animals {
				if rest == strings.ToLower(b.English) || rest == b.Chinese {
					return true
				}
			}
		}
	}
	return false
}
