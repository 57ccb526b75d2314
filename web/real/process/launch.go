package process

import (
	"context"
	"crypto/rand"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/learn"
)

// Options say how a program is started and listened to. The zero value is a good one.
type Options struct {
	Patience    time.Duration   // how long Next waits; 0: 10 s for a program that Launch starts, for ever with Listen
	Dir         string          // the working directory; "": this one
	Environment []string        // NAME=value, besides the environment of Lockstep
	Clock       bool            // on a clock that stands still until Set: see LacksClock
	Until       context.Context // ends every process when it ends; nil: nothing does

	apart time.Duration // how far its clock is beyond that
	first int64         // what the program reads on its clock at its start, ms since the beginning of 1970
	seed  string        // of its randomness
	trace func(connection int64, sent []string, answer string)
}

// Launch returns a launcher that starts a command as a client. The program finds its Redis in REDIS_URL, REDIS_HOST,
// REDIS_PORT and PORT, and in its arguments, in place of {url} and {port}. LOCKSTEP_CLIENT is the client's name.
//
// On a clock of its own a program has the same randomness in each run, but in each of its client's lives another one.
func Launch(command []string, options Options) learn.Launcher {
	var lives sync.Map // of a client: *atomic.Int64
	return func(name string, own, apart int64) (learn.Process, error) {
		life, _ := lives.LoadOrStore(name, new(atomic.Int64))
		options := options
		options.first, options.apart, options.seed = own, time.Duration(apart), name+"-"+strconv.FormatInt(life.(*atomic.Int64).Add(1), 10)
		p, err := Start(command, name, options)
		if err != nil {
			return nil, err
		}
		if options.Until != nil {
			forget := context.AfterFunc(options.Until, p.Kill)
			p.mu.Lock()
			p.forget = forget
			p.mu.Unlock()
		}
		return p, nil
	}
}

// Start starts a command as Launch does.
func Start(command []string, name string, options Options) (*Process, error) {
	if len(command) == 0 || command[0] == "" {
		return nil, startError("there is no program to start", "没有要启动的程序")
	}
	if options.Patience == 0 {
		options.Patience = defaultPatience
	}
	p, err := listen(options)
	if err != nil {
		return nil, err
	}
	p.ownQueues, p.looked = ownQueues(), time.Now()
	p.timed.first, p.timed.apart = options.first, options.apart
	if err := p.run(command, name, options); err != nil {
		p.Kill()
		return nil, startError("cannot start %s: %v", "无法启动 %s：%v", command[0], err)
	}
	return p, nil
}

// run starts the program, and watches it.
func (p *Process) run(command []string, name string, options Options) error {
	_, port, _ := net.SplitHostPort(p.Address())
	fill := strings.NewReplacer("{url}", p.URL(), "{port}", port)
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = fill.Replace(word)
	}
	mark := "LOCKSTEP_RUN=" + rand.Text()
	says, end, err := os.Pipe()
	if err != nil {
		return err
	}
	defer end.Close()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = options.Dir
	cmd.Stderr = end
	cmd.SysProcAttr = attributes()
	cmd.Env = append(append(os.Environ(), options.Environment...), // the last of a name counts
		"REDIS_URL="+p.URL(), "REDIS_HOST=127.0.0.1", "REDIS_PORT="+port, "PORT="+port, "LOCKSTEP_CLIENT="+name, mark)
	if cmd.Err != nil {
		says.Close()
		return cmd.Err
	}
	started := make(chan error)
	c := &child{cmd: cmd, says: says, mark: mark}
	p.mu.Lock() // somebody may connect already
	p.child = c
	p.mu.Unlock()
	p.start(c.listen)
	p.start(func() {
		// Linux ends a child with the thread that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.begin(c, options)
		if err == nil {
			c.tree = plant(cmd, mark)
		}
		started <- err
		if err == nil {
			p.watch()
		}
	})
	return <-started
}

// watch waits for the program's end, ends what it has left behind, and waits until all that it has sent is here.
func (p *Process) watch() {
	c := p.child
	if c.clock != nil {
		defer c.clock.Close()
		c.clock.Wait()
		c.clock.Drain(time.Now().Add(settling))
	} else {
		c.tree.wait()
		c.tree.drain(time.Now().Add(settling))
	}
	left := c.tree.end()
	_ = c.cmd.Wait() // its error is the exit code
	c.reap()
	p.knock()
	_ = c.says.SetReadDeadline(time.Now().Add(farewell))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exited = true
	p.code = c.cmd.ProcessState.ExitCode()
	if len(left) > 0 && !p.killed {
		p.fail(leavesBehind(len(left), left[0]))
	}
	p.wakeUp()
}

// knock returns when every connection of the program has been accepted. A connection of our own is the last in the queue.
func (p *Process) knock() {
	p.mu.Lock()
	c, err := net.DialTimeout("tcp4", p.Address(), farewell)
	if err == nil {
		defer c.Close()
		p.probe = c.LocalAddr().String()
	}
	killed := p.killed
	p.mu.Unlock()
	if err == nil && !killed {
		select {
		case <-p.drained:
		case <-p.deaf:
		}
	}
}
