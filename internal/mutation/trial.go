package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
)

// trial tries breaks of a package with the tests of some.
type trial struct {
	pkg   string
	tests []string
	run   string
	skip  string
	slow  string
	both  bool
	out   io.Writer
}

type outcome string

const (
	seen       outcome = "seen"
	unseen     outcome = "UNSEEN"
	never      outcome = "NEVER" // no test runs the line
	equivalent outcome = "equal" // listed: changes no answer
	invalid    outcome = "invalid"
)

// of is the trial of a package: its own tests and those of its neighbours, unless others are named.
func (t trial) of(pkg string) trial {
	t.pkg = pkg
	if len(t.tests) == 0 {
		t.tests = append([]string{"./" + pkg}, neighbours[pkg]...)
	}
	t.tests = slices.DeleteFunc(slices.Clone(t.tests), func(dir string) bool {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		return err != nil || len(files) == 0
	})
	return t
}

// pool is a number of breaks to try, in order of preference, of which as many are tried as are wanted.
type pool struct {
	breaks []brokenLine
	want   int
}

func shuffle(breaks []brokenLine, seed uint64) {
	random := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // draws have to come again
	random.Shuffle(len(breaks), func(i, j int) { breaks[i], breaks[j] = breaks[j], breaks[i] })
}

// draw tries breaks of a package and prints what became of them. Those that do not compile are replaced by others.
func (t trial) draw(pools []*pool, line int) (score, error) {
	s := score{Name: t.pkg}
	listed, err := readEquivalent()
	if err != nil {
		return s, err
	}
	tell := func(p *pool, b brokenLine, o outcome) {
		if o == invalid {
			return
		}
		p.want--
		s.count(o)
		mark := ""
		if b.touched {
			mark = "+ "
		}
		fmt.Fprintf(t.out, "%-6s %s%s\n", o, mark, b)
		if o == unseen || o == never {
			fmt.Fprintln(t.out, "       "+strings.ReplaceAll(b.key(t.pkg), "\n", "\n       "))
		}
	}
	for {
		var now []brokenLine
		from := map[string]*pool{}
		for _, p := range pools {
			for taken := 0; len(p.breaks) > 0 && taken < p.want; {
				b := p.breaks[0]
				p.breaks = p.breaks[1:]
				from[b.file] = p
				switch {
				case line != 0 && b.at.Line != line:
				case line == 0 && listed[b.key(t.pkg)] != "":
					tell(p, b, equivalent)
				case len(t.tests) == 0:
					tell(p, b, never)
				default:
					now = append(now, b)
					taken++
				}
			}
		}
		if len(now) == 0 {
			return s, nil
		}
		if err := t.together(now, func(b brokenLine, o outcome) { tell(from[b.file], b, o) }); err != nil {
			return s, err
		}
	}
}

// together tries breaks: as many as can stand side by side in one program, then the others in the next ones.
func (t trial) together(breaks []brokenLine, tell func(brokenLine, outcome)) error {
	for len(breaks) > 0 {
		var now, later []brokenLine
		for _, b := range breaks {
			if len(now) > 0 && (now[0].kind == alone || b.kind == alone || overlaps(now, b)) {
				later = append(later, b)
				continue
			}
			now = append(now, b)
		}
		p, wrong, err := t.build(now)
		if err != nil {
			return err
		}
		if len(wrong) > 0 { // these do not compile beside the others
			for _, b := range wrong {
				if b.kind == alone {
					tell(b, invalid)
				} else {
					b.kind = alone
					later = append(later, b)
				}
			}
			breaks = append(without(now, wrong), later...)
			continue
		}
		err = p.try(now, tell)
		p.remove()
		if err != nil {
			return err
		}
		breaks = later
	}
	return nil
}

func overlaps(of []brokenLine, b brokenLine) bool {
	for _, o := range of {
		if o.file == b.file && o.start < b.end && b.start < o.end {
			return true
		}
	}
	return false
}

func without(of, not []brokenLine) (out []brokenLine) {
	for _, b := range of {
		if !overlaps(not, b) {
			out = append(out, b)
		}
	}
	return out
}
