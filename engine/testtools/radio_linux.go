package testtools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A Radio is a link between two network namespaces of its own: it delays each packet, loses some, and has little room. The
// kernel's TCP works on both sides, with its real retransmissions.
type Radio struct {
	Shaped string // what delays and loses the packets

	desk, room namespace
	change     func(Weather) error
}

// A Weather tells how bad the link is, in each direction.
type Weather struct {
	Delay time.Duration
	Loss  int // percent of the packets
	Rate  int // bits a second
}

// The addresses of the two sides.
const (
	deskAddress = "10.77.0.1"
	roomAddress = "10.77.0.2"
)

// NewRadio returns a link. The kernel's netem shapes it or, where the kernel has none, a program between two tun devices.
// Where the kernel refuses both, or namespaces, the test is skipped and says which.
func NewRadio(t testing.TB, w Weather) *Radio {
	t.Helper()
	Find(t, "ip")
	Find(t, "tc")
	if os.Geteuid() != 0 {
		Absent(t, "only root makes a network namespace")
	}
	r := &Radio{}
	for _, side := range []*namespace{&r.desk, &r.room} {
		if err := side.open(); err != nil {
			t.Skipf("the kernel refuses a network namespace: %v", err)
		}
		t.Cleanup(side.close)
	}
	netem := r.netem(w)
	if netem == nil {
		r.Shaped = "netem"
		r.change = func(w Weather) error {
			return errors.Join(r.desk.runs(netemOf("radio0", w, "change")), r.room.runs(netemOf("radio1", w, "change")))
		}
		return r
	}
	if err := r.tun(t, w); err != nil {
		t.Skipf("the kernel refuses netem (%v) and tun (%v)", netem, err)
	}
	r.Shaped = "a program between two tun devices, as the kernel refuses netem"
	t.Logf("the kernel refuses netem: %v", netem)
	return r
}

// Becomes changes the weather.
func (r *Radio) Becomes(t testing.TB, w Weather) {
	t.Helper()
	if err := r.change(w); err != nil {
		t.Fatal(err)
	}
}

// netem lets the kernel shape a pair of virtual devices.
func (r *Radio) netem(w Weather) error {
	if err := r.desk.runs([]string{"ip", "link", "add", "radio0", "type", "veth", "peer", "name", "radio1"}); err != nil {
		return err
	}
	err := r.desk.runs(append(up("radio0", deskAddress), netemOf("radio0", w, "add"), []string{"ip", "link", "set", "radio1", "netns", r.room.path})...)
	if err == nil {
		err = r.room.runs(append(up("radio1", roomAddress), netemOf("radio1", w, "add"))...)
	}
	if err != nil {
		_ = r.desk.runs([]string{"ip", "link", "del", "radio0"}) // and with it the other one
	}
	return err
}

// netemOf is the command that shapes a device.
func netemOf(device string, w Weather, verb string) []string {
	return []string{"tc", "qdisc", verb, "dev", device, "root", "netem", "delay", fmt.Sprintf("%dms", w.Delay.Milliseconds()), "loss", fmt.Sprintf("%d%%", w.Loss), "rate", fmt.Sprintf("%dbit", w.Rate)}
}

// up are the commands that give a device its address.
func up(device, address string) [][]string {
	return [][]string{{"ip", "address", "add", address + "/24", "dev", device}, {"ip", "link", "set", device, "up"}}
}

// tun carries the packets between two devices in this program.
func (r *Radio) tun(t testing.TB, w Weather) error {
	var ends [2]*os.File
	for i, side := range []struct {
		namespace
		address string
	}{{r.desk, deskAddress}, {r.room, roomAddress}} {
		device := fmt.Sprintf("radio%d", i)
		err := side.do(func() (err error) {
			ends[i], err = openTun(device)
			return err
		})
		if err == nil {
			t.Cleanup(func() { ends[i].Close() })
			err = side.runs(up(device, side.address)...)
		}
		if err != nil {
			return err
		}
	}
	a := &air{weather: w}
	r.change = a.becomes
	var carrying sync.WaitGroup
	carrying.Go(func() { a.carry(ends[1], ends[0]) })
	carrying.Go(func() { a.carry(ends[0], ends[1]) })
	t.Cleanup(carrying.Wait) // after the devices are closed
	for _, end := range ends {
		t.Cleanup(func() { end.Close() })
	}
	return nil
}

// openTun opens a device whose packets a program reads and writes.
func openTun(name string) (*os.File, error) {
	fd, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("opening /dev/net/tun: %w", err)
	}
	const setInterface, packetsAlone = 0x400454ca, syscall.IFF_TUN | syscall.IFF_NO_PI
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], name)
	request.flags = packetsAlone
	if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), setInterface, uintptr(unsafe.Pointer(&request))); failed != 0 {
		_ = syscall.Close(fd)
		return nil, fmt.Errorf("making a tun device: %w", failed)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// An air is what the packets of both directions go through: only one of them is in it at a time.
type air struct {
	mu      sync.Mutex
	weather Weather
	free    time.Time // when the last packet has left
}

func (a *air) becomes(w Weather) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.weather = w
	return nil
}

// mostWaiting is how many packets of a direction may wait: netem's own bound.
const mostWaiting = 1000

// carry brings packets from one device to another.
func (a *air) carry(to, from *os.File) {
	type packet struct {
		data []byte
		at   time.Time // when it arrives
	}
	waiting := make(chan packet, mostWaiting)
	var arriving sync.WaitGroup
	arriving.Go(func() {
		for p := range waiting {
			time.Sleep(time.Until(p.at))
			_, _ = to.Write(p.data) // a device that is gone loses it
		}
	})
	defer arriving.Wait()
	defer close(waiting)
	read := make([]byte, 1<<16)
	for {
		n, err := from.Read(read)
		if err != nil {
			return
		}
		at, lost := a.sends(n)
		if lost {
			continue
		}
		select {
		case waiting <- packet{bytes.Clone(read[:n]), at}:
		default: // the queue is full
		}
	}
}

// sends returns when a packet arrives, or that it does not.
func (a *air) sends(bytes int) (at time.Time, lost bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if rand.IntN(100) < a.weather.Loss {
		return at, true
	}
	if now := time.Now(); a.free.Before(now) {
		a.free = now
	}
	a.free = a.free.Add(time.Duration(8*bytes) * time.Second / time.Duration(a.weather.Rate))
	return a.free.Add(a.weather.Delay), false
}

// Listen listens on the desk's side.
func (r *Radio) Listen() (l net.Listener, err error) {
	err = r.desk.do(func() (err error) {
		l, err = net.Listen("tcp", deskAddress+":0")
		return err
	})
	return l, err
}

// Dial connects from the room's side to an address of the desk's.
func (r *Radio) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	to, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return nil, err
	}
	var fd int
	err = r.room.do(func() (err error) { // a socket stays in the namespace where it was made
		fd, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	socket := os.NewFile(uintptr(fd), "socket")
	defer socket.Close()
	defer context.AfterFunc(ctx, func() { socket.Close() })()
	remote := syscall.SockaddrInet4{Port: to.Port}
	copy(remote.Addr[:], to.IP.To4())
	if err := syscall.Connect(fd, &remote); err != nil && !errors.Is(err, syscall.EINPROGRESS) {
		return nil, err
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil, err
	}
	var failed error
	err = raw.Write(func(fd uintptr) bool {
		if code, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR); err != nil || code != 0 {
			failed = errors.Join(err, syscall.Errno(code))
			return true
		}
		_, err := syscall.Getpeername(int(fd))
		return err == nil
	})
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", address, err)
	}
	return net.FileConn(socket)
}

// A namespace is a network of its own. One thread is in it, and does what has to be done there.
type namespace struct {
	path  string
	calls chan func()
}

func (n *namespace) open() error {
	n.calls = make(chan func())
	opened := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocks it: the thread ends with the goroutine
		err := syscall.Unshare(syscall.CLONE_NEWNET)
		n.path = fmt.Sprintf("/proc/%d/task/%d/ns/net", os.Getpid(), syscall.Gettid())
		opened <- err
		for call := range n.calls {
			call()
		}
	}()
	return <-opened
}

func (n *namespace) close() { close(n.calls) }

// do does something in the namespace.
func (n namespace) do(something func() error) error {
	done := make(chan error)
	n.calls <- func() { done <- something() }
	return <-done
}

// runs runs commands in the namespace, until one fails.
func (n namespace) runs(commands ...[]string) error {
	for _, c := range commands {
		err := n.do(func() error {
			out, err := exec.Command(c[0], c[1:]...).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%v: %w: %s", c, err, bytes.TrimSpace(out))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
