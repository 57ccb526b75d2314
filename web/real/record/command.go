package record

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// Command records what passes between clients and a Redis.
type Command struct {
	File     string        `arg:"" help:"File to write the recording to. It must not exist." zh:"录制文件，必须尚不存在。"`
	To       string        `help:"Address of the Redis." zh:"Redis 的地址。" required:"" placeholder:"HOST:PORT"`
	Listen   string        `help:"Address to listen on. Everybody who reaches it reaches the Redis." zh:"监听的地址。能访问它的人就能访问那个 Redis。" default:"127.0.0.1:6390"`
	Redact   bool          `help:"Replace keys and values by short names, so that the recording can be shared." zh:"用短名代替键和值，便于分享录制文件。"`
	Limit    int64         `help:"Stop recording when the file has this many MiB, and go on as a proxy." zh:"文件达到这么多 MiB 时停止录制，继续转发。" default:"1024"`
	Language lang.Language `kong:"-"` // of the sentences
}

// Run records until the user interrupts it.
func (c *Command) Run(in lang.Language) error {
	c.Language = in
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.record(ctx, os.Stderr, nil)
}

// record records until the context ends. It tells ready the address on which it listens.
func (c *Command) record(ctx context.Context, told io.Writer, ready func(net.Addr)) error {
	if c.Limit < 1 || c.Limit > 1<<20 {
		return c.refuse("--limit: a number of MiB from 1 to %d", "--limit：应为 1 到 %d 之间的 MiB 数", 1<<20)
	}
	if _, _, err := net.SplitHostPort(c.To); err != nil {
		return c.refuse("--to: %q is not an address such as 127.0.0.1:6379", "--to：%q 不是 127.0.0.1:6379 这样的地址", c.To)
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return c.refuse("--listen: %v", "--listen：%v", err)
	}
	defer listener.Close()
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // values may be secret
	if os.IsExist(err) {
		return c.refuse("%s is there already: give another name, or remove it", "%s 已经存在：请换个名字，或先删除它", c.File)
	}
	if err != nil {
		return c.refuse("the recording cannot be written: %v", "无法写入录制文件：%v", err)
	}
	defer file.Close()
	var lock sync.Mutex
	say := func(sentence lang.Text) {
		lock.Lock()
		defer lock.Unlock()
		fmt.Fprintln(told, sentence.In(c.Language))
	}
	p := &proxy{to: c.To, tape: newTape(file, c.Limit<<20, c.Redact, say), say: say, open: map[net.Conn]bool{}}
	say(lang.Format("Recording %s into %s. Let your clients connect to %s; Ctrl-C ends it.", "正在把 %s 录制到 %s。请让客户端连接 %s；按 Ctrl-C 结束。", c.To, c.File, listener.Addr()))
	if err := p.reaches(ctx); err != nil {
		say(lang.Format("Redis at %s does not answer now: %v. A client that connects is disconnected until it does.", "%s 上的 Redis 现在没有应答：%v。在它应答之前，连接上来的客户端会被断开。", c.To, err))
	}
	if ready != nil {
		ready(listener.Addr())
	}
	if err := p.serve(ctx, listener); err != nil {
		return c.refuse("the proxy has ended: %v", "代理已结束：%v", err)
	}
	say(lang.Format("%d commands of %d connections are recorded. See them with: lockstep import %s", "录制了 %[2]d 个连接的 %[1]d 条命令。用 lockstep import %[3]s 查看。", p.tape.commands(), p.conns(), c.File))
	if err := file.Close(); err != nil {
		return c.refuse("the recording cannot be written: %v", "无法写入录制文件：%v", err)
	}
	return nil
}

func (c *Command) refuse(english, chinese string, arguments ...any) error {
	return fmt.Errorf("%s", engine.Refuse(english, chinese, arguments...).Sentence(c.Language))
}
