package store

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// survives wraps each goroutine of the package: in a go statement, a WaitGroup's Go, or an
// AfterFunc.
func TestEveryGoroutineSurvives(t *testing.T) {
	set := token.NewFileSet()
	files, err := filepath.Glob("*.go")
	must(t, err)
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		must(t, err)
		file, err := parser.ParseFile(set, name, text, 0)
		must(t, err)
		begins := func(what ast.Expr) {
			found++
			code := string(text[set.Position(what.Pos()).Offset:set.Position(what.End()).Offset])
			if before, _, ok := strings.Cut(code, "("); !ok || !strings.HasSuffix(before, ".panics.survives") {
				t.Errorf("%s: a goroutine is not begun by survives, but by %.40s", set.Position(what.Pos()), code)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				begins(n.Call.Fun)
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Go", "AfterFunc"}, fn.Sel.Name) {
					begins(n.Args[len(n.Args)-1])
				}
			}
			return true
		})
	}
	if found < 4 {
		t.Errorf("only %d goroutines were found", found)
	}
}

// A job panics half-way, and other jobs share its transaction. Its caller gets an error, its
// changes are rolled back, and no other job notices. Ping fails, and the operator is told.
func TestAPanicFailsOnlyItsJob(t *testing.T) {
	for _, outside := range []bool{false, true} {
		t.Run(fmt.Sprintf("outside a transaction: %t", outside), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told notebook
				s := openSQLite(t, t.TempDir(), Options{Logger: told.logger()})
				defer s.Close()
				d := s.(*database)
				add(t, s, "t/a", 0, "x")
				busy := make(chan struct{})
				var all sync.WaitGroup
				all.Go(func() { d.do(func() error { <-busy; return nil }) })
				synctest.Wait()
				for i := range 5 {
					all.Go(func() { add(t, s, fmt.Sprintf("t/%d", i), 0, "x") })
				}
				all.Go(func() {
					j := newJob(func() error {
						if !outside {
							log := d.catalog.logs["t/a"]
							d.catalog.forget(log)
							must(t, d.remove(log))
						}
						panic("half-way")
					})
					j.outside = outside
					if err := d.ask(ctx, j); !errors.Is(err, errPanic) || !strings.HasSuffix(err.Error(), "half-way") {
						t.Errorf("the caller is told %v", err)
					}
				})
				synctest.Wait()
				close(busy)
				all.Wait()
				read(t, s, "t/a", 0, "x")
				for i := range 5 {
					read(t, s, fmt.Sprintf("t/%d", i), 0, "x")
				}
				whole(t, d)
				if n := s.Stats().Panics; n == 0 || !strings.Contains(told.String(), `msg="panic in the store" err=half-way stack=`) {
					t.Errorf("%d panics are counted, and the operator is told\n%s", n, told.String())
				}
			})
		})
	}
}

// A sweep and a verification panic, each time. The store continues to serve, and closes.
func TestAPanicOfTheStoreItself(t *testing.T) {
	for name, damage := range map[string]func(d *database){
		"a sweep":                 func(d *database) { d.catalog.old.first = &entryLog{name: "t/none"} },
		"a verification":          func(d *database) { d.pass = pass{running: true, logs: []*entryLog{nil}} },
		"a verification of a log": func(d *database) { d.damages.logger = nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir, _ := rowed(t)
				var told notebook
				s := openSQLite(t, dir, Options{Logger: told.logger(), Keep: time.Hour})
				d := s.(*database)
				synctest.Wait()
				must(t, d.do(func() error {
					damage(d)
					return d.exec(`UPDATE logs SET bytes = 1 WHERE name = 't/bad'`)
				}))
				time.Sleep(4 * betweenSweeps)
				synctest.Wait()
				if n := s.Stats().Panics; n == 0 || !strings.Contains(told.String(), "panic in the store") {
					t.Errorf("%d panics are counted, and the operator is told\n%s", n, told.String())
				}
				add(t, s, "t/new", 0, "x")
				read(t, s, "t/new", 0, "x")
				must(t, s.Close())
			})
		})
	}
}

// A ping panics; its caller is answered, and the next ping works.
func TestAPanicOfAPing(t *testing.T) {
	s := openSQLite(t, t.TempDir(), Options{})
	defer s.Close()
	if err := s.Ping(mistaken{ctx}); !errors.Is(err, errPanic) {
		t.Errorf("the ping says %v", err)
	}
	healthy(t, s, "")
}

// A mistaken context panics in Err.
type mistaken struct{ context.Context }

func (mistaken) Err() error { panic("no idea") }

// A follower's function panics. The follower still hears the next news.
func TestAPanicOfAFollower(t *testing.T) {
	server := startRedis(t)
	a, b := twoServers(t, server.URL())
	all := make(chan News, 10)
	b.Follow(func(n News) {
		all <- n
		if n.Log == "t/a" {
			panic("cannot hear this")
		}
	})
	if first := <-all; first.Log != "" {
		t.Fatalf("a follower first hears %+v", first)
	}
	for _, log := range []string{"t/a", "t/b"} {
		add(t, a, log, 0, "x")
		if n := <-all; n.Log != log { // not that the connection was lost
			t.Errorf("b hears %+v, not of %s", n, log)
		}
	}
	if n := b.Stats().Panics; n != 1 {
		t.Errorf("%d panics are counted", n)
	}
}
