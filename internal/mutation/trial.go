package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// trial tries breaks of a package with the tests of some.
type trial struct {
	pkg   string
	tests []string
	skip  string
	slow  string
	args  []string
	ran   coverage
}

type outcome string

const (
	seen       outcome = "seen"
	unseen     outcome = "UNSEEN"
	never      outcome = "NEVER" // no test runs the line
	equivalent outcome = "equal" // listed: changes no answer
	invalid    outcome = "invalid"
)

func (t trial) all(only string, line, count int, seed uint64) error {
	breaks, err := breaksOf(t.pkg, only)
	if err != nil {
		return err
	}
	listed, err := readEquivalent()
	if err != nil {
		return err
	}
	profile, err := os.CreateTemp("", "mutation")
	if err != nil {
		return err
	}
	defer os.Remove(profile.Name())
	defer profile.Close()
	start := time.Now()
	if out, outcome := t.test("", t.skip, "-coverprofile="+profile.Name(), "-coverpkg=./"+t.pkg); outcome != unseen {
		return fmt.Errorf("the tests fail without a break:\n%s", out)
	}
	limit := 3*time.Since(start) + 20*time.Second // a loop that never ends is seen
	t.args = append(t.args, "-timeout", limit.String())
	if t.ran, err = readCoverage(profile); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(breaks), func(i, j int) { breaks[i], breaks[j] = breaks[j], breaks[i] })
	sums := map[outcome]int{}
	tried := 0
	for _, b := range breaks {
		if tried == count {
			break
		}
		if line != 0 && b.at.Line != line {
			continue
		}
		outcome := equivalent
		if line != 0 || listed[b.key(t.pkg)] == "" {
			if outcome, err = t.try(b); err != nil {
				return err
			}
		}
		if outcome == invalid {
			continue
		}
		tried++
		sums[outcome]++
		fmt.Printf("%-6s %s\n", outcome, b)
		if outcome == unseen || outcome == never {
			fmt.Println(indented(b.key(t.pkg)))
		}
	}
	fmt.Printf("seen %d of %d, %d equivalent\n", sums[seen], tried-sums[equivalent], sums[equivalent])
	return nil
}

func indented(s string) string { return "       " + strings.ReplaceAll(s, "\n", "\n       ") }

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
	skip := t.skip
	switch {
	case strings.Contains(filepath.Base(b.file), "postgres"):
		skip = ""
	case t.ran.leftOut(b):
		if err := exec.Command("go", "build", "-overlay", list, "./"+t.pkg).Run(); err != nil { //nolint:gosec // a developer's own command line
			return invalid, nil
		}
		return never, nil
	case t.slow != "":
		if _, outcome := t.test(list, skip+"|"+t.slow); outcome != unseen {
			return outcome, nil
		}
		_, outcome := t.test(list, skip, "-run", t.slow)
		return outcome, nil
	}
	_, outcome := t.test(list, skip)
	return outcome, nil
}

func (t trial) test(overlay, skip string, more ...string) ([]byte, outcome) {
	args := []string{"test"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if skip != "" {
		args = append(args, "-skip", skip)
	}
	args = append(append(append(args, t.args...), more...), t.tests...)
	out, err := exec.Command("go", args...).CombinedOutput() //nolint:gosec // a developer's own command line
	switch {
	case err == nil:
		return out, unseen
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return out, invalid
	default:
		return out, seen
	}
}
