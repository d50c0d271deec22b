package importer

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// shaper gives the value of merged cells to each of their rows. A row that has no cell of its own is none, and one that has only cells of
// sub-tables is a further line of the record above it, whose own columns stay empty there.
type shaper struct {
	first  int              // row below the head
	of     map[int]bool     // columns that are read -> they are of a sub-table
	merged []workbook.Range // over several rows, by their first row
	open   []spread
	used   int // merged cells that gave a value to a row below
	cells  []property.Cell
}

// spread is a merged cell whose rows are under way.
type spread struct {
	workbook.Range
	cell property.Cell
	used bool
}

func newShaper(h head, merged []workbook.Range) *shaper {
	s := &shaper{first: h.First, of: map[int]bool{}}
	for _, c := range h.Columns {
		if _, code, inSheet := strings.Cut(c.Code, "."); c.Code != rowID && code != rowID { // an id is of one row
			s.of[c.At] = inSheet
		}
	}
	for _, r := range merged {
		if _, read := s.of[r.Column]; read && r.Rows > 1 && r.Row >= h.First {
			s.merged = append(s.merged, r)
		}
	}
	slices.SortStableFunc(s.merged, func(a, b workbook.Range) int { return a.Row - b.Row })
	return s
}

// shape fills a row. Its cells are good until the next one.
func (s *shaper) shape(r workbook.Row) workbook.Row {
	if len(s.merged) == 0 && len(s.open) == 0 || r.Number < s.first {
		return r
	}
	s.open = slices.DeleteFunc(s.open, func(m spread) bool { return m.Row+m.Rows <= r.Number })
	own, sub := s.has(r)
	filled := false
	for i := range s.open {
		m := &s.open[i]
		inSheet := s.of[m.Column]
		if !own && !(inSheet && sub) || m.cell.Kind == property.CellEmpty {
			continue
		}
		if !filled {
			s.cells, filled = append(s.cells[:0], r.Cells...), true
		}
		for len(s.cells) <= m.Column {
			s.cells = append(s.cells, property.Cell{})
		}
		s.cells[m.Column] = m.cell
		if !m.used {
			m.used = true
			s.used++
		}
	}
	for len(s.merged) > 0 && s.merged[0].Row <= r.Number {
		if m := s.merged[0]; m.Row == r.Number && m.Column < len(r.Cells) {
			c := r.Cells[m.Column]
			c.Text, c.Format = strings.Clone(c.Text), strings.Clone(c.Format)
			s.open = append(s.open, spread{Range: m, cell: c})
		}
		s.merged = s.merged[1:]
	}
	if filled {
		r.Cells = s.cells
	}
	return r
}

// has tells if a row has cells of the record's own, and of its sub-tables.
func (s *shaper) has(r workbook.Row) (own, sub bool) {
	for at, inSheet := range s.of {
		if textOf(r, at) == "" {
			continue
		}
		own, sub = own || !inSheet, sub || inSheet
	}
	return own, sub
}
