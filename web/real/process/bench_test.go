package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"lockstep/engine/testtools"
)

// A start, the first command at the door, and the end. go test ./web/real/process -bench Start -run '^$'
func BenchmarkStart(b *testing.B) {
	for _, row := range []struct{ name, program, flag, text string }{
		{"bash", "bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET k\r\n' >&3; read -r reply <&3`},
		{"redis-cli", "sh", "-c", `redis-cli -u $REDIS_URL GET k`},
		{"python", "python3", "-c", "import os, socket\ns = socket.create_connection(('127.0.0.1', os.environ['PORT']))\ns.send(b'GET k\\r\\n')\ns.recv(9)"},
		{"redis-py", "/usr/bin/python3", "-c", "import os, redis\nredis.Redis.from_url(os.environ['REDIS_URL']).get('k')"},
		{"node", "node", "-e", `require("net").connect(process.env.PORT, "127.0.0.1").write("GET k\r\n")`},
		{"go", "", "", "package main\nimport (\n\"net\"\n\"os\"\n)\nfunc main() {\nc, _ := net.Dial(\"tcp\", \"127.0.0.1:\"+os.Getenv(\"PORT\"))\nc.Write([]byte(\"GET k\\r\\n\"))\nc.Read(make([]byte, 9))\n}\n"},
	} {
		b.Run(row.name, func(b *testing.B) {
			command := []string{row.program, row.flag, row.text}
			if row.name == "go" {
				command = []string{built(b, row.text)}
			}
			testtools.Find(b, command[0])
			for b.Loop() {
				p, err := Start(command, "C1", Options{})
				if err != nil {
					b.Fatal(err)
				}
				if a := p.Next(); a.Command == nil {
					b.Fatal(a.Said)
				}
				b.StopTimer()
				p.Kill()
				b.StartTimer()
			}
		})
	}
	b.Run("the end", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			p, err := Start([]string{"bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET k\r\n' >&3; read -r reply <&3`}, "C1", Options{})
			if err != nil {
				b.Fatal(err)
			}
			p.Next()
			b.StartTimer()
			p.Kill()
		}
	})
}

// built returns the path of a Go program.
func built(b *testing.B, text string) string {
	source, program := filepath.Join(b.TempDir(), "main.go"), filepath.Join(b.TempDir(), "program")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	if said, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, said)
	}
	return program
}
