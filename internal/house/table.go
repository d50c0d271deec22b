package house

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table is how many findings each fence has in each area; those without any are left out.
type Table map[Key]int

// Key is a row of a table.
type Key struct{ Fence, Area string }

// Count makes a table of findings.
func Count(all []Finding) Table {
	out := Table{}
	for _, f := range all {
		out[Key{f.Fence, f.Area}]++
	}
	return out
}

// Read reads a table as String writes it.
func Read(text string) (Table, error) {
	out := Table{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		var k Key
		var n int
		if strings.HasPrefix(lines.Text(), "#") || lines.Text() == "" {
			continue
		}
		if _, err := fmt.Sscanf(lines.Text(), "%s %s %d", &k.Fence, &k.Area, &n); err != nil {
			return nil, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		out[k] = n
	}
	return out, lines.Err()
}

// String is the table as its file has it.
func (t Table) String() string {
	var b strings.Builder
	for _, k := range t.sorted() {
		fmt.Fprintln(&b, k.Fence, k.Area, t[k])
	}
	return b.String()
}

func (t Table) sorted() []Key {
	return slices.SortedFunc(maps.Keys(t), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Fence, b.Fence), cmp.Compare(a.Area, b.Area))
	})
}

// Over are the rows in which a tree has more than the table allows.
func (t Table) Over(now Table) (out []Key) {
	for _, k := range now.sorted() {
		if now[k] > t[k] {
			out = append(out, k)
		}
	}
	return out
}

// Lowered is the table with what has fallen: no row rises.
func (t Table) Lowered(now Table) Table {
	out := Table{}
	for k, n := range t {
		if n = min(n, now[k]); n > 0 {
			out[k] = n
		}
	}
	return out
}

// Totals are the findings by fence.
func (t Table) Totals() map[string]int {
	out := map[string]int{}
	for k, n := range t {
		out[k.Fence] += n
	}
	return out
}
