package storetest

import (
	"os"
	"os/exec"
	"testing"
)

// Stoppable is a PostgreSQL server of one test, which stops and starts it.
type Stoppable struct {
	t       *testing.T
	c       *cluster
	stdin   *os.File
	running *exec.Cmd
}

// runner runs the server until its input ends; the folder stays.
const runner = `"$@" & p=$!; cat >/dev/null; kill -QUIT $p; wait $p`

// NewStoppable starts a server with an empty database, in every package: what an outage does is tested in one place only. Without
// PostgreSQL on the machine it skips the test, in CI it fails.
func NewStoppable(t *testing.T) *Stoppable {
	t.Helper()
	c, err := initialized()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI needs PostgreSQL: %v", err)
		}
		t.Skipf("NOT TESTED ON POSTGRESQL: %v", err)
	}
	s := &Stoppable{t: t, c: c}
	t.Cleanup(func() {
		s.Stop()
		_ = os.RemoveAll(c.dir)
	})
	s.Start()
	return s
}

// URL is the address of its database.
func (s *Stoppable) URL() string { return s.c.url("postgres") }

// Start starts it and waits until it answers. What was committed before a Stop is there again.
func (s *Stoppable) Start() {
	s.t.Helper()
	var err error
	if s.stdin, s.running, err = s.c.launch(runner, "synchronous_commit=on"); err != nil {
		s.t.Fatal(err)
	}
	if err := s.c.wait(); err != nil {
		s.t.Fatal(err)
	}
}

// Stop ends it at once, as a power cut does, and waits until it is gone.
func (s *Stoppable) Stop() {
	if s.stdin == nil {
		return
	}
	_ = s.stdin.Close()
	_ = s.running.Wait() // it says how the server ended
	s.stdin = nil
}
