package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"syscall"
	"time"

	"lockstep/engine"
)

// Windows has error numbers of its own for sockets, which package syscall names on Windows only.
const (
	windowsTaken   = syscall.Errno(10048) // WSAEADDRINUSE
	windowsRefuses = syscall.Errno(10013) // WSAEACCES
)

// Listen listens on an address of --address. Where it cannot, its error says why and, for a port that is taken or needs
// rights, names an address that works.
func Listen(address string) (net.Listener, error) {
	l, err := bind(address)
	if err != nil {
		return nil, explained(address, err)
	}
	return l, nil
}

// explained turns the reason why nothing can listen on an address into a sentence with a way out.
func explained(address string, err error) error {
	host, port, _ := net.SplitHostPort(address)
	from, _ := strconv.Atoi(port)
	switch {
	case errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsTaken):
		return engine.Refuse("another program uses port %s: stop it, or start Lockstep with --address %s", "端口 %s 已被其他程序占用：请停止它，或用 --address %s 启动 Lockstep", port, freeAddress(host, from+1))
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, windowsRefuses):
		return engine.Refuse("you have no right to listen on port %s: start Lockstep with --address %s", "没有监听端口 %s 的权限：请用 --address %s 启动 Lockstep", port, freeAddress(host, 8080))
	}
	return fmt.Errorf("--address %s: %w", address, err)
}

// acceptTime is how long a program that listens already may take to accept a connection.
const acceptTime = 2 * time.Second

// bind listens on an address. The name localhost leads a browser to either of two addresses, and Go listens on one of
// them. A program on the other one would get visitors of this server, so its port counts as taken. So does a port on which
// a program listens for the whole machine: macOS and Windows let another one have it on one address.
func bind(address string) (net.Listener, error) {
	if host, port, _ := net.SplitHostPort(address); host == "localhost" {
		for _, either := range []string{"127.0.0.1", "::1"} {
			if c, err := net.DialTimeout("tcp", net.JoinHostPort(either, port), acceptTime); err == nil {
				return nil, errors.Join(syscall.EADDRINUSE, c.Close())
			}
		}
	}
	return net.Listen("tcp", address)
}

// freeAddress returns an address with the first port from some port on that nobody uses.
func freeAddress(host string, from int) string {
	const tries = 100
	for port := from; port < from+tries; port++ {
		address := net.JoinHostPort(host, strconv.Itoa(port))
		if l, err := bind(address); err == nil {
			_ = l.Close()
			return address
		}
	}
	return net.JoinHostPort(host, "0") // the system chooses
}
