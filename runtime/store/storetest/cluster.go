package storetest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is a PostgreSQL server of this process, or one that a whole run of tests shares. It has no network address, only a
// socket in its own folder.
type cluster struct {
	dir    string
	server string               // the program
	user   *syscall.SysProcAttr // as whom it runs
	stdin  *os.File             // closing it, or the end of this process, stops the server and removes the folder
	count  atomic.Int64
}

// started starts the server at the first call.
var started = sync.OnceValues(start)

// settings trade safety against a power cut for speed.
var settings = []string{"fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200", "shared_buffers=64MB",
	"autovacuum=off", "listen_addresses=", "lc_messages=C"}

// keeper runs the server until its input ends, which also happens when the test process is killed.
const keeper = `"$@" & p=$!; cat >/dev/null; kill -QUIT $p; wait $p; rm -rf "$DIR"`

func start() (*cluster, error) {
	if dir := os.Getenv("SLUICE_TEST_POSTGRES"); dir != "" { // one for all packages, see .ci/with-postgres
		return &cluster{dir: dir}, nil
	}
	c, err := initialized()
	if err != nil {
		return nil, err
	}
	if c.stdin, _, err = c.launch(keeper); err != nil {
		return nil, err
	}
	return c, c.wait()
}

// initialized makes the folder of a server that does not run yet.
func initialized() (*cluster, error) {
	initdb, err := binary("initdb")
	if err != nil {
		return nil, err
	}
	server, err := binary("postgres")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sluicepg")
	if err != nil {
		return nil, err
	}
	user, err := unprivileged(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(initdb, "-D", filepath.Join(dir, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	cmd.SysProcAttr, cmd.Dir = user, dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return &cluster{dir: dir, server: server, user: user}, nil
}

// launch runs the server under a script that keeps it until its input ends.
func (c *cluster) launch(script string, more ...string) (stdin *os.File, running *exec.Cmd, err error) {
	args := []string{"-c", script, "sh", c.server, "-D", filepath.Join(c.dir, "data"), "-k", c.dir}
	for _, s := range slices.Concat(settings, more) {
		args = append(args, "-c", s)
	}
	logFile, err := os.OpenFile(filepath.Join(c.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	defer logFile.Close()
	in, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	cmd := exec.Command("sh", args...)
	cmd.SysProcAttr, cmd.Dir, cmd.Env = c.user, c.dir, append(os.Environ(), "DIR="+c.dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, logFile, logFile
	return out, cmd, cmd.Start()
}

// binary finds a program of PostgreSQL, the newest where Debian keeps several.
func binary(name string) (string, error) {
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return "", errors.New("no " + name + " on this machine")
	}
	slices.SortFunc(found, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return found[len(found)-1], nil
}

func (c *cluster) url(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/" + database, RawQuery: url.Values{"host": {c.dir}}.Encode()}
	return u.String()
}

func (c *cluster) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		db, err := pgx.Connect(ctx, c.url("postgres"))
		if err == nil {
			return db.Close(ctx)
		}
		select {
		case <-ctx.Done():
			text, _ := os.ReadFile(filepath.Join(c.dir, "log"))
			return fmt.Errorf("PostgreSQL did not start: %w\n%s", err, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (c *cluster) name() string { return fmt.Sprintf("test%d_%d", os.Getpid(), c.count.Add(1)) }

// database makes a database for a test, with further words of CREATE DATABASE, and drops it afterwards.
func (c *cluster) database(t *testing.T, options string) string {
	t.Helper()
	name := c.name()
	c.exec(t, "CREATE DATABASE "+name+options)
	t.Cleanup(func() { c.exec(t, "DROP DATABASE "+name+" WITH (FORCE)") })
	return pooled(c.url(name))
}

func (c *cluster) exec(t *testing.T, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	db, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(ctx)
	if _, err := db.Exec(ctx, text); err != nil {
		t.Fatal(err)
	}
}
