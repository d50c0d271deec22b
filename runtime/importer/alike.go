package importer

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// lead is the head of the first worksheet of an import. The others are read by it: each has to have its columns, wherever they stand, and no further ones that an
// import could read. What one worksheet has more or less than the others would be lost or emptied without a word.
type lead struct {
	name string
	headings
	k    *known
	said bool // somebody said which row it is
	// open: somebody may still say what columns are. So those count too that are asked for, and all where nothing is known.
	open bool
}

// wants reports whether the others need a column.
func (l lead) wants(c headedColumn) bool {
	if c.sure {
		return l.k.has(c.codes[0])
	}
	return l.open && (len(c.codes) > 0 || l.score == 0 && heading(c.text) != "")
}

// differs is how a worksheet is not like the lead.
type differs struct {
	lacks []string // headings of the lead
	more  []string // of the worksheet
	none  bool     // it has no heading of the lead
}

// worse reports whether other headings of the worksheet are more like the lead.
func (d differs) worse(than differs) bool {
	if d.none != than.none {
		return d.none
	}
	return len(d.lacks)+len(d.more) > len(than.lacks)+len(than.more)
}

// read finds the head of another worksheet, of that name. The fault says why the worksheet is none of this import.
func (l lead) read(name string, rows []workbook.Row, merged []workbook.Range) (headings, error) {
	if len(rows) == 0 {
		return headings{}, fault.New(fault.ImportSheetEmpty, name)
	}
	closest := differs{none: true}
	for _, at := range l.tried(rows, merged) {
		h, how := l.match(l.k.find(rows, merged, at))
		if !how.none && len(how.lacks)+len(how.more) == 0 {
			return h, nil
		}
		if closest.worse(how) {
			closest = how
		}
	}
	switch {
	case closest.none:
		return headings{}, fault.New(fault.ImportSheetHead, name, l.name)
	case len(closest.lacks) > 0:
		return headings{}, fault.New(fault.ImportSheetLacks, name, l.name, strings.Join(closest.lacks, ", "))
	}
	return headings{}, fault.New(fault.ImportSheetMore, name, l.name, strings.Join(closest.more, ", "))
}

// tried are the rows that may be the last of the head, as known.find takes them: the one that looks like it, the one of the lead, and then each of the first ones.
func (l lead) tried(rows []workbook.Row, merged []workbook.Range) []int {
	out := []int{0, l.last}
	if l.k.find(rows, merged, 0).byCode {
		return out[:1]
	}
	if l.said {
		slices.Reverse(out)
	}
	for _, r := range rows[:min(len(rows), headRows)] {
		out = append(out, r.Number)
	}
	return out
}

// match gives the columns of a worksheet what those of the lead are that are headed alike.
func (l lead) match(h headings) (headings, differs) {
	var how differs
	taken := map[int]int{} // column of the worksheet -> of the lead
	wanted := 0
	for i, c := range l.columns {
		if !l.wants(c) {
			continue
		}
		wanted++
		at := slices.IndexFunc(h.columns, func(other headedColumn) bool {
			_, gone := taken[other.at]
			return !gone && c.like(other)
		})
		if at < 0 {
			how.lacks = append(how.lacks, c.called())
			continue
		}
		taken[h.columns[at].at] = i
	}
	how.none = wanted == len(how.lacks)
	out := headings{last: h.last, byCode: h.byCode}
	for _, c := range h.columns {
		i, read := taken[c.at]
		if read {
			c.codes, c.sure, c.twice = l.columns[i].codes, true, false
		} else if l.further(c) {
			how.more = append(how.more, c.called())
		} else {
			c.codes, c.sure = nil, false
		}
		out.take(c)
	}
	return out, how
}

// like reports whether two columns are headed alike, in letters or in meaning. Without a heading they stand at the same place.
func (c headedColumn) like(other headedColumn) bool {
	if c.sure && c.by != byAssigned && other.sure && other.codes[0] == c.codes[0] {
		return true
	}
	if heading(c.text) == "" {
		return c.at == other.at && heading(other.text) == ""
	}
	return heading(c.text) == heading(other.text)
}

// further reports whether a column that the lead does not have could be read, so that leaving it out has to be said. What is left out of the lead is left out here.
func (l lead) further(c headedColumn) bool {
	if len(c.codes) == 0 || c.sure && !l.k.has(c.codes[0]) {
		return false
	}
	return !slices.ContainsFunc(l.columns, func(of headedColumn) bool { return heading(of.text) == heading(c.text) })
}

// called is a column in sentences.
func (c headedColumn) called() string {
	if strings.TrimSpace(c.text) == "" {
		return workbook.ColumnName(c.at)
	}
	return cut(c.text)
}
