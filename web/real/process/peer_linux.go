package process

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
)

// waits reports whether the other side of a connection is still open. The kernel's tables tell at once, while the end of a
// connection travels to its reader.
func waits(socket *net.TCPConn) bool {
	there, ok := socket.RemoteAddr().(*net.TCPAddr)
	here, also := socket.LocalAddr().(*net.TCPAddr)
	if !ok || !also {
		return false
	}
	local, remote := fmt.Sprintf(":%04X", there.Port), fmt.Sprintf(":%04X", here.Port)
	known := false
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // a socket of IPv6 reaches 127.0.0.1, too
		table, err := os.Open(name)
		if err != nil {
			continue
		}
		known = true
		for lines := bufio.NewScanner(table); lines.Scan(); {
			// sl local_address rem_address st …
			fields := strings.Fields(lines.Text())
			if len(fields) > 3 && strings.HasSuffix(fields[1], local) && strings.HasSuffix(fields[2], remote) {
				table.Close()
				return fields[3] == "01" // ESTABLISHED
			}
		}
		table.Close()
	}
	return !known && !ended(socket)
}
