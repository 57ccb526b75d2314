package process

import (
	"testing"
	"time"
	"fmt"
	"lockstep/engine/redis"
)

func TestSmoke(t *testing.T) {
	for _, cmd := range [][]string{
		{"bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'SETNX lock a\r\n' >&3; read r <&3; echo "got $r" >&2; exit 7`},
		{"/usr/bin/python3", "-c", `
import redis,os
r=redis.Redis.from_url(os.environ["REDIS_URL"])
l=r.lock("k",timeout=10)
print(l.acquire()); l.release()`},
	} {
		begin := time.Now()
		p, err := Start(cmd, "C1", Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			a := p.Next()
			fmt.Println(time.Since(begin), a, a.Fault)
			if a.Command == nil { break }
			if i == 0 { p.Answer(redis.Reply("+OK\r\n"))} else { p.Answer(":1\r\n") }
		}
		fmt.Println(time.Since(begin))
		p.Kill()
		fmt.Println(time.Since(begin))
	}
}
