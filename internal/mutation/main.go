// Command mutation breaks lines of a package, one at a time and at random, and tells which of them the package's tests do not
// see (docs/adr/0043). The source files stay as they are: go test reads the broken one through its overlay.
//
//	go run ./internal/mutation -n 20 -seed 1 ./runtime/bulk
//
// A line that does not compile when broken is not counted. It prints one line for each break, then `seen N of M`.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	count := flag.Int("n", 20, "lines to break")
	seed := flag.Uint64("seed", 1, "which lines")
	only := flag.String("file", "", "break lines of this `file` only")
	run := flag.String("run", "", "tests to run, as of go test")
	skip := flag.String("skip", "/on/postgres", "tests to leave out, as of go test")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	t := trial{pkg: flag.Arg(0), args: []string{"-vet=off", "-failfast", "-count=1", "-skip", *skip}}
	if *run != "" {
		t.args = append(t.args, "-run", *run)
	}
	if err := t.all(*only, *count, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type trial struct {
	pkg  string
	args []string
}

func (t trial) all(only string, count int, seed uint64) error {
	start := time.Now()
	if out, outcome := t.test(""); outcome != unseen {
		return fmt.Errorf("the tests fail without a break:\n%s", out)
	}
	limit := 3*time.Since(start) + 20*time.Second // a loop that never ends is seen
	t.args = append(t.args, "-timeout", limit.String())
	breaks, err := breaksOf(t.pkg, only)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(breaks), func(i, j int) { breaks[i], breaks[j] = breaks[j], breaks[i] })
	tried, found := 0, 0
	for _, b := range breaks {
		if tried == count {
			break
		}
		outcome, err := t.try(b)
		if err != nil {
			return err
		}
		if outcome == invalid {
			continue
		}
		tried++
		if outcome == seen {
			found++
		}
		fmt.Printf("%-6s %s\n", outcome, b)
	}
	fmt.Printf("seen %d of %d\n", found, tried)
	return nil
}

// try runs the tests over one broken file.
func (t trial) try(b brokenLine) (outcome, error) {
	source, err := os.ReadFile(b.file)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	broken := filepath.Join(dir, filepath.Base(b.file))
	if err := os.WriteFile(broken, b.apply(source), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{b.file: broken}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	_, outcome := t.test(list)
	return outcome, nil
}

type outcome string

const (
	seen    outcome = "seen"
	unseen  outcome = "UNSEEN"
	invalid outcome = "invalid" // does not compile
)

func (t trial) test(overlay string) ([]byte, outcome) {
	args := []string{"test"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	out, err := exec.Command("go", append(append(args, t.args...), t.pkg)...).CombinedOutput() //nolint:gosec // a developer's own command line
	switch {
	case err == nil:
		return out, unseen
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return out, invalid
	default:
		return out, seen
	}
}

// brokenLine replaces the bytes from start to end of a file.
type brokenLine struct {
	file       string
	at         token.Position
	start, end int
	with       string
	was        string
}

func (b brokenLine) apply(source []byte) []byte {
	return append(append(append([]byte{}, source[:b.start]...), b.with...), source[b.end:]...)
}

func (b brokenLine) String() string {
	line := func(s string) string {
		s, _, more := strings.Cut(strings.TrimSpace(s), "\n")
		if more {
			s += " ..."
		}
		return s
	}
	return fmt.Sprintf("%s:%d  %s  ->  %s", filepath.Base(b.file), b.at.Line, line(b.was), line(b.with))
}
