package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/store"
)

// forgetAll is the argument of --forget that deletes all rooms.
const forgetAll = "all"

// forgetTime is how long --forget may take for a whole store.
const forgetTime = 10 * time.Minute

// forget deletes what the store keeps, of a room or of all, and says what it was.
func (f *Flags) forget(out io.Writer) error {
	kept, err := f.open()
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Data != "":
		return fmt.Errorf("--forget: nothing is kept in %s", f.Data)
	case errors.Is(err, store.ErrInUse):
		return fmt.Errorf("--forget: a server is using %s; stop it first, or press \"Forget this room\" there: %w", f.Data, err)
	case err != nil:
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), forgetTime)
	defer cancel()
	if f.Forget == forgetAll {
		return f.forgetAll(ctx, kept, out)
	}
	code, _ := room.ParseCode(f.Forget)
	runs, err := class.ForgetIn(ctx, kept, code)
	if err = errors.Join(err, kept.Close()); err != nil {
		return fmt.Errorf("--forget %s: %w", room.FormatCode(code), err)
	}
	fmt.Fprintf(out, "Lockstep has forgotten the room %s and %s.\n", room.FormatCode(code), counted(runs, "run"))
	f.remind(out)
	return nil
}

// forgetAll deletes all rooms and runs. It overwrites them first. Of a directory it then deletes the file, with whatever damage has
// made unreadable, and the secret of its cookies. Servers that share a Redis keep their secret.
func (f *Flags) forgetAll(ctx context.Context, kept store.Store, out io.Writer) error {
	names, err := kept.Names(ctx)
	if err == nil {
		if err = kept.Forget(ctx, names); f.Data != "" && errors.Is(err, store.ErrDamaged) {
			err = nil // the file goes
		}
	}
	if err = errors.Join(err, kept.Close()); err != nil {
		return fmt.Errorf("--forget %s: %w", forgetAll, err)
	}
	if f.Data != "" {
		if err := f.Stores.Erase(f.Data); err != nil {
			return fmt.Errorf("--forget %s: %w", forgetAll, err)
		}
	}
	rooms, runs := 0, 0
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, class.RoomLog("")):
			rooms++
		case strings.HasPrefix(name, live.RunLog("")):
			runs++
		}
	}
	fmt.Fprintf(out, "Lockstep has forgotten %s and %s.\n", counted(rooms, "room"), counted(runs, "run"))
	f.remind(out)
	return nil
}

// remind says what Lockstep cannot delete.
func (f *Flags) remind(out io.Writer) {
	if f.Data == "" {
		fmt.Fprintln(out, "Redis may have them in its append-only file, snapshots and replicas: BGREWRITEAOF and BGSAVE write them again.")
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
