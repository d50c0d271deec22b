package storetest

import (
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// Heard is what a test hears on one connection. Asked has what the client says, and whether it was answered since it spoke last.
// Where Answered returns false, the connection ends for the client without the answer.
type Heard struct {
	Asked    func(question []byte, turn bool)
	Answered func(answer []byte) bool
}

// Between listens before a PostgreSQL server and passes on what is said; opened is called for each connection. It returns the address
// for clients.
func Between(t *testing.T, address string, opened func() Heard) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	const socket = ".s.PGSQL.5432"
	query := u.Query()
	server, dir := filepath.Join(query.Get("host"), socket), t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				behind, err := net.Dial("unix", server)
				if err != nil {
					_ = client.Close()
					return
				}
				var waits atomic.Bool
				heard := opened()
				go pass(client, behind, func(b []byte) bool { waits.Store(false); return heard.Answered(b) })
				pass(behind, client, func(b []byte) bool { heard.Asked(b, !waits.Swap(true)); return true })
			}()
		}
	}()
	query.Set("host", dir)
	u.RawQuery = query.Encode()
	return u.String()
}

// pass copies until one side ends or heard returns false.
func pass(to, from net.Conn, heard func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !heard(buffer[:n]) {
				break
			}
			if _, e := to.Write(buffer[:n]); e != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	_, _ = to.Close(), from.Close()
}
