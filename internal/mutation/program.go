package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// program is the tests of some packages with breaks in them, each of which the environment switches on by its number, from 1.
type program struct {
	trial
	dir    string
	binary []string       // of each package
	ran    []map[int]bool // by each of them, when known
	limit  time.Duration
}

// switches is put beside the files of the package. What was run is noted when a file is named for it.
const switches = `package %s

import ("os"; "strconv"; "sync")

var mutationNow, _ = strconv.Atoi(os.Getenv("MUTATION"))
var mutationRan sync.Map

func mutationOn(k int) bool {
	if name := os.Getenv("MUTATION_RAN"); name != "" {
		if _, known := mutationRan.LoadOrStore(k, true); !known {
			if f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0); err == nil {
				f.WriteString(strconv.Itoa(k) + "\n")
				f.Close()
			}
		}
	}
	return k == mutationNow
}

func mutationBool(k int, was, with func() bool) bool {
	if mutationOn(k) {
		return with()
	}
	return was()
}
`

// text is what is in place of a break that is number k.
func (b brokenLine) text(k int) string {
	switch b.kind {
	case condition:
		return fmt.Sprintf("mutationBool(%d, func() bool { return %s }, func() bool { return %s })", k, b.was, b.with)
	case statement:
		return fmt.Sprintf("if !mutationOn(%d) { %s }", k, b.was)
	case constant:
		if b.was == "true" {
			return fmt.Sprintf("!mutationOn(%d)", k)
		}
		return fmt.Sprintf("mutationOn(%d)", k)
	}
	return b.with
}

// build makes a program, or tells which breaks do not compile.
func (t trial) build(breaks []brokenLine) (*program, []brokenLine, error) {
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return nil, nil, err
	}
	p := &program{trial: t, dir: dir}
	files := map[string]string{}
	write := func(name, text string) error {
		at := filepath.Join(dir, strconv.Itoa(len(files))+".go")
		files[name] = at
		return os.WriteFile(at, []byte(text), 0o600)
	}
	if err := write(filepath.Join(filepath.Dir(breaks[0].file), "mutation_switches.go"), fmt.Sprintf(switches, breaks[0].pkg)); err != nil {
		return nil, nil, err
	}
	for _, b := range breaks {
		if files[b.file] != "" {
			continue
		}
		source, err := os.ReadFile(b.file)
		if err != nil {
			return nil, nil, err
		}
		if err := write(b.file, broken(source, b.file, breaks)); err != nil {
			return nil, nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return nil, nil, err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return nil, nil, err
	}
	for i, pkg := range t.tests {
		binary := filepath.Join(dir, strconv.Itoa(i)+".test")
		out, err := exec.Command("go", "test", "-vet=off", "-gcflags=-e", "-c", "-overlay", list, "-o", binary, pkg).CombinedOutput() //nolint:gosec // a developer's own command line
		if err != nil {
			p.remove()
			wrong := complainedOf(out, breaks)
			if len(wrong) == 0 {
				return nil, nil, fmt.Errorf("%w\n%s", err, out)
			}
			return nil, wrong, nil
		}
		p.binary = append(p.binary, binary)
	}
	return p, nil, nil
}

// broken is a source file with its breaks in it.
func broken(source []byte, file string, breaks []brokenLine) string {
	type edit struct {
		brokenLine
		k int
	}
	var edits []edit
	for i, b := range breaks {
		if b.file == file {
			edits = append(edits, edit{b, i + 1})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.Write(source[at:e.start])
		out.WriteString(e.text(e.k))
		at = e.end
	}
	out.Write(source[at:])
	return out.String()
}

// complainedOf finds the breaks on the lines that the compiler names; one that is alone is meant whatever the line.
func complainedOf(out []byte, breaks []brokenLine) (wrong []brokenLine) {
	if len(breaks) == 1 {
		return breaks
	}
	for _, b := range breaks {
		last := b.at.Line + strings.Count(b.was, "\n")
		for line := b.at.Line; line <= last; line++ {
			if bytes.Contains(out, fmt.Appendf(nil, "%s:%d:", filepath.Base(b.file), line)) {
				wrong = append(wrong, b)
				break
			}
		}
	}
	return wrong
}

func (p *program) remove() { _ = os.RemoveAll(p.dir) }

// try runs the tests without a break first, which tells the lines that they run, and then with each of them.
func (p *program) try(breaks []brokenLine, tell func(brokenLine, outcome)) error {
	if breaks[0].kind == alone {
		p.limit = 10 * time.Minute
		tell(breaks[0], p.ask(0, breaks[0]))
		return nil
	}
	start := time.Now()
	skip := p.skip
	if p.both {
		skip = ""
	}
	for i := range p.binary {
		ran, err := p.notes(i, skip)
		if err != nil {
			return err
		}
		p.ran = append(p.ran, ran)
	}
	p.limit = 5*time.Since(start) + time.Minute // a loop that never ends is seen; the machine may have other things to do
	for i, b := range breaks {
		if !b.ofPostgres() && !slices.ContainsFunc(p.ran, func(ran map[int]bool) bool { return ran[i+1] }) {
			tell(b, never)
			continue
		}
		tell(b, p.ask(i+1, b))
	}
	return nil
}

// notes runs the tests of one package without a break and returns the numbers of those whose lines they run.
func (p *program) notes(i int, skip string) (map[int]bool, error) {
	name := filepath.Join(p.dir, "ran"+strconv.Itoa(i))
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		return nil, err
	}
	if out, err := p.testOne(i, 0, p.run, skip, "MUTATION_RAN="+name); err != nil {
		return nil, fmt.Errorf("the tests of %s fail without a break: %w\n%s", p.tests[i], err, out)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	ran := map[int]bool{}
	for line := range strings.FieldsSeq(string(text)) {
		k, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		ran[k] = true
	}
	return ran, nil
}

func (b brokenLine) ofPostgres() bool { return strings.Contains(filepath.Base(b.file), "postgres") }

// ask runs the tests with a break, the slow ones when the others saw nothing.
func (p *program) ask(k int, b brokenLine) outcome {
	failed := func(run, skip string) bool {
		for i := range p.binary {
			if p.ran != nil && !p.ran[i][k] && !b.ofPostgres() {
				continue
			}
			if _, err := p.testOne(i, k, run, skip); err != nil {
				return true
			}
		}
		return false
	}
	sees := func() bool {
		switch {
		case b.ofPostgres():
			return failed(p.run, "")
		case p.slow == "":
			return failed(p.run, p.skip)
		}
		return failed(p.run, p.skip+"|"+p.slow) || failed(p.slow, p.skip)
	}
	if sees() || p.both && !b.ofPostgres() && failed(p.run, "") {
		return seen
	}
	return unseen
}

func (p *program) testOne(i, k int, run, skip string, env ...string) ([]byte, error) {
	args := []string{"-test.failfast", "-test.count=1"}
	if run != "" {
		args = append(args, "-test.run", run)
	}
	if skip != "" {
		args = append(args, "-test.skip", skip)
	}
	if p.limit > 0 {
		args = append(args, "-test.timeout", p.limit.String())
	}
	cmd := exec.Command(p.binary[i], args...) //nolint:gosec // a developer's own command line
	cmd.Dir = p.tests[i]
	cmd.Env = append(append(os.Environ(), "MUTATION="+strconv.Itoa(k), "MUTATION_RAN="), env...)
	if skip == "" { // runtime/store/storetest asks PostgreSQL in few packages
		cmd.Env = append(cmd.Env, "SLUICE_TEST_POSTGRES_ALWAYS=1")
	}
	return cmd.CombinedOutput()
}
