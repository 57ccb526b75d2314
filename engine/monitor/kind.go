package monitor

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// open returns the text of a log: without a byte order mark, in UTF-8. It refuses what is no log, and says what it is.
func open(in io.Reader) (*bufio.Reader, source, error) {
	text := bufio.NewReaderSize(in, 256<<10)
	head, err := text.Peek(4)
	if err != nil && err != io.EOF {
		return nil, source{}, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		text.Discard(3)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		text.Discard(2)
		text = bufio.NewReaderSize(&utf16Reader{in: text, big: head[0] == 0xfe}, 256<<10)
	}
	head, _ = text.Peek(4096)
	if what := otherKind(head); what.English != "" {
		return nil, source{}, engine.Refuse("this is %s, and no log of commands", "这是%s，不是命令日志", what)
	}
	return converted(text, head)
}

// otherKind names a file that is no log, by its beginning.
func otherKind(head []byte) lang.Text {
	for _, k := range []struct {
		begin string
		name  lang.Text
	}{
		{"REDIS0", lang.Both("a snapshot of Redis (RDB)", " Redis 的快照（RDB）")},
		{"\x1f\x8b", lang.Both("a file packed by gzip: unpack it with gunzip", "用 gzip 压缩的文件，请先用 gunzip 解压")},
		{"\x28\xb5\x2f\xfd", lang.Both("a file packed by zstd: unpack it with unzstd", "用 zstd 压缩的文件，请先用 unzstd 解压")},
		{"\xfd7zXZ", lang.Both("a file packed by xz: unpack it with unxz", "用 xz 压缩的文件，请先用 unxz 解压")},
		{"PK\x03\x04", lang.Both("a ZIP archive: unpack it first", " ZIP 压缩包，请先解压")},
		{"\xd4\xc3\xb2\xa1", lang.Both("a capture of network packets (pcap)", "网络抓包文件（pcap）")},
		{"\xa1\xb2\xc3\xd4", lang.Both("a capture of network packets (pcap)", "网络抓包文件（pcap）")},
		{"\x4d\x3c\xb2\xa1", lang.Both("a capture of network packets (pcap)", "网络抓包文件（pcap）")},
		{"\x0a\x0d\x0d\x0a", lang.Both("a capture of network packets (pcapng)", "网络抓包文件（pcapng）")},
		{"file appendonly", lang.Both("the list of the files of an AOF: give one of those", " AOF 的文件清单，请给出其中的文件")},
		{"began 2", lang.Both("a scenario, which was imported already: lockstep run takes it", "已经导入好的场景，请用 lockstep run 运行")},
		{"# Imported from", lang.Both("a scenario, which was imported already: lockstep run takes it", "已经导入好的场景，请用 lockstep run 运行")},
		{"# 导入自", lang.Both("a scenario, which was imported already: lockstep run takes it", "已经导入好的场景，请用 lockstep run 运行")},
		{"\x89PNG", lang.Both("a picture", "图片")},
		{"%PDF", lang.Both("a PDF", " PDF 文件")},
		{"<!DOCTYPE", lang.Both("a web page", "网页")},
		{"<html", lang.Both("a web page", "网页")},
		{"SQLite format 3", lang.Both("an SQLite database", " SQLite 数据库")},
	} {
		if bytes.HasPrefix(head, []byte(k.begin)) {
			return k.name
		}
	}
	return lang.Text{}
}

// nothing returns the sentence for a log without a record.
func (s *Scanner) nothing() error {
	if s.line == 0 {
		return engine.Refuse("the log is empty", "日志是空的")
	}
	line := 1
	if len(s.Odd.First) > 0 {
		line = s.Odd.First[0]
	}
	return engine.Refuse(`line %d: this is not what MONITOR prints, such as 1339518083.107412 [0 127.0.0.1:60866] "get" "key"`,
		`第 %d 行：这不是 MONITOR 的输出，输出应形如 1339518083.107412 [0 127.0.0.1:60866] "get" "key"`, line)
}

// A utf16Reader reads UTF-16 as UTF-8. PowerShell's > writes it.
type utf16Reader struct {
	in   *bufio.Reader
	big  bool
	high rune // the first half of a pair
	room [utf8.UTFMax]byte
	out  []byte // of it
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		var unit [2]byte
		if _, err := io.ReadFull(r.in, unit[:]); err != nil {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return 0, err
		}
		c := rune(unit[0]) | rune(unit[1])<<8
		if r.big {
			c = rune(unit[1]) | rune(unit[0])<<8
		}
		switch {
		case r.high != 0:
			c, r.high = utf16.DecodeRune(r.high, c), 0
		case utf16.IsSurrogate(c):
			r.high = c
			continue
		}
		r.out = utf8.AppendRune(r.room[:0], c)
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// nothing returns the sentence for a log without a command that a scenario can hold.
func (r *reader) nothing() error {
	if r.Lines == 0 {
		return engine.Refuse("the log is empty", "日志是空的")
	}
	left := r.left()
	if len(r.Keys) > 0 && r.OtherKeys > 0 {
		keys := clip(redis.Quote(r.Keys), 100)
		if len(left) == 1 {
			return engine.Refuse("no command of the log names the key %s", "日志里没有哪条命令用到键 %s", keys)
		}
		return engine.Refuse("no command of the log that a scenario can hold names the key %s. %s", "场景可以容纳的命令中没有哪条用到键 %s。%s", keys, left[0])
	}
	if len(left) > 0 {
		return engine.Refuse("the log has no command that a scenario can hold. %s", "日志里没有场景可以容纳的命令。%s", left[0])
	}
	return engine.Refuse("the log has no command that a scenario can hold", "日志里没有场景可以容纳的命令")
}

// wrong refuses the present line. It does not quote the line, which may hold a secret.
func (r *reader) wrong(english, chinese string) error {
	return engine.Refuse("line %d: "+english, "第 %d 行："+chinese, r.Lines)
}
