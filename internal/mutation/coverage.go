package main

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// coverage holds, for each file of the package, the parts that no test runs.
type coverage map[string][]part

type part struct{ fromLine, fromColumn, toLine, toColumn int }

// readCoverage reads what go test wrote. A part that several packages ran or did not stands there once for each.
func readCoverage(profile io.Reader) (coverage, error) {
	type place struct {
		file string
		part part
	}
	ran := map[place]bool{}
	for lines := bufio.NewScanner(profile); lines.Scan(); {
		file, rest, found := strings.Cut(lines.Text(), ".go:")
		if !found {
			continue // the first line names the mode
		}
		at, statements, count := place{file: path.Base(file) + ".go"}, 0, 0
		p := &at.part
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &p.fromLine, &p.fromColumn, &p.toLine, &p.toColumn, &statements, &count); err != nil {
			return nil, fmt.Errorf("coverage %q: %w", lines.Text(), err)
		}
		ran[at] = ran[at] || count > 0
	}
	out := coverage{}
	for at, did := range ran {
		if !did {
			out[at.file] = append(out[at.file], at.part)
		}
	}
	return out, nil
}

func (c coverage) leftOut(b brokenLine) bool {
	for _, p := range c[filepath.Base(b.file)] {
		line, column := b.at.Line, b.at.Column
		after := line > p.fromLine || line == p.fromLine && column >= p.fromColumn
		before := line < p.toLine || line == p.toLine && column < p.toColumn
		if after && before {
			return true
		}
	}
	return false
}
