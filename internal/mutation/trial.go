package main

import (
	"fmt"
	"math/rand/v2"
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
}

type outcome string

const (
	seen       outcome = "seen"
	unseen     outcome = "UNSEEN"
	never      outcome = "NEVER" // no test runs the line
	equivalent outcome = "equal" // listed: changes no answer
	invalid    outcome = "invalid"
)

// all tries breaks drawn at random and prints what became of them. Those that do not compile are replaced by others.
func (t trial) all(only string, line, count int, seed uint64) error {
	breaks, err := breaksOf(t.pkg, only)
	if err != nil {
		return err
	}
	listed, err := readEquivalent()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(breaks), func(i, j int) { breaks[i], breaks[j] = breaks[j], breaks[i] })
	sums := map[outcome]int{}
	for tried := 0; tried < count && len(breaks) > 0; {
		var now []brokenLine
		for len(breaks) > 0 && tried+len(now) < count {
			b := breaks[0]
			breaks = breaks[1:]
			switch {
			case line != 0 && b.at.Line != line:
			case line == 0 && listed[b.key(t.pkg)] != "":
				tried++
				sums[equivalent]++
				fmt.Printf("%-6s %s\n", equivalent, b)
			default:
				now = append(now, b)
			}
		}
		err := t.together(now, func(b brokenLine, o outcome) {
			if o == invalid {
				return
			}
			tried++
			sums[o]++
			fmt.Printf("%-6s %s\n", o, b)
			if o == unseen || o == never {
				fmt.Println("       " + strings.ReplaceAll(b.key(t.pkg), "\n", "\n       "))
			}
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("seen %d of %d, %d equivalent\n", sums[seen], sums[seen]+sums[unseen]+sums[never], sums[equivalent])
	return nil
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
