package views

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The glossary of the course, by what is often said instead. What others have
// said is quoted as they said it.
var glossary = []struct{ instead, say string }{
	{"竞争条件", "竞态条件"},
	{"加锁", "获取锁"},
	{"解锁", "释放锁"},
	{"抢锁", "获取锁"},
	{"时钟偏移", "时钟偏差"},
	{"时钟漂移", "时钟偏差"},
	{"时钟误差", "时钟偏差"},
	{"原子操作", "原子命令"},
	{"临界段", "临界区"},
	{"持锁者", "持有者"},
	{"锁持有者", "持有者"},
	{"续约", "看门狗续期"},
	{"栅栏令牌", "隔离令牌"},
	{"围栏令牌", "隔离令牌"},
	{"单例", "单实例"},
	{"交错运行", "交错执行"},
	{"泳池", "泳道"},
	{"客户机", "客户端"},
	{"界限", "范围"},
	{"漏洞利用", "反例"},
}

var quoted = regexp.MustCompile(`“[^”]*”|「[^」]*」|"[^"]*"|\x60[^\x60]*\x60|(?m)^\s*quote:.*$`)

// One word for one thing, in the pages and in the lessons.
func TestGlossary(t *testing.T) {
	texts := map[string]string{}
	for key, w := range words {
		texts[key] = w.chinese
	}
	files, err := filepath.Glob("../engine/course/redis-lock/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".zh.md") && !strings.HasSuffix(file, ".yaml") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)] = string(text)
	}
	if len(texts) < len(words)+20 {
		t.Fatal("the lessons are not there")
	}
	for name, text := range texts {
		for number, line := range strings.Split(text, "\n") {
			line = quoted.ReplaceAllString(line, "")
			for _, g := range glossary {
				if strings.Contains(line, g.instead) {
					t.Errorf("%s:%d: %s is called %s: %s", name, number+1, g.instead, g.say, line)
				}
			}
		}
	}
}
