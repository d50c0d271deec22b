package importer

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Condition compares what a cell says, with Equal, NotEqual, Contains, NotContains, IsNull or IsNotNull (docs/formats.md).
type Condition struct {
	PropertyCode    string  `json:"propertyCode"`
	QueryFilterType plan.Op `json:"queryFilterType"` // "" = Equal
	PropertyValue   string  `json:"propertyValue"`
}

func (c Condition) holds(text string) bool {
	switch c.QueryFilterType {
	case plan.NotEqual:
		return text != c.PropertyValue
	case plan.Contains:
		return strings.Contains(strings.ToLower(text), strings.ToLower(c.PropertyValue))
	case plan.NotContains:
		return !strings.Contains(strings.ToLower(text), strings.ToLower(c.PropertyValue))
	case plan.OpIsNull:
		return text == ""
	case plan.IsNotNull:
		return text != ""
	}
	return text == c.PropertyValue
}

// Replacement gives the cells of a column of some rows other values: Value; or with Search their text, in which Value replaces each Search; or with
// Fit what the property takes of those that it refuses for their form alone (property.Fitter).
type Replacement struct {
	ID           string          `json:"id"`
	Rows         []string        `json:"rows"` // ids; with All none
	All          bool            `json:"all"`
	Conditions   []Condition     `json:"conditions"` // all must hold
	PropertyCode string          `json:"propertyCode"`
	Value        json.RawMessage `json:"value"` // a text, or entries; with Search a text
	Search       string          `json:"search"`
	Fit          bool            `json:"fit"`
	Preview      bool            `json:"preview"` // nothing is changed
}

// Replaced is what a replacement changes: how many cells, and the first of them.
type Replaced struct {
	Changed int            `json:"changedCount"`
	Changes []ReplacedCell `json:"changes"`
}

// ReplacedCell is one cell, before and after.
type ReplacedCell struct {
	Sheet  string `json:"sheet"`     // of an import of several
	Number int64  `json:"rowNumber"` // in the worksheet
	Before string `json:"before"`
	After  string `json:"after"`
}

// shownChanges is how many cells a replacement shows.
const shownChanges = 20

// replacing is a replacement that was looked at.
type replacing struct {
	c          Column
	conditions []Condition
	to         func(input) (input, bool) // false: the cell stays
	out        *Replaced
	sheets     sheetNames
}

// Replace carries out a replacement. Conditions on columns of the same sub-table choose its rows.
func (s *Service) Replace(ctx context.Context, view *authz.View, req Replacement) (Replaced, error) {
	out := Replaced{Changes: []ReplacedCell{}}
	imp, err := s.idle(ctx, view.User(), req.ID)
	if err != nil {
		return out, err
	}
	j, err := s.judgeOf(view, imp)
	if err != nil {
		return out, err
	}
	x, err := j.replacing(req, &out)
	if err != nil {
		return out, err
	}
	look := func(k keptRow) (*raw, int, error) {
		r, err := decodeRaw(k.Content)
		if err != nil {
			return nil, 0, err
		}
		n := x.replace(r)
		out.Changed += n
		return r, n, nil
	}
	if req.Preview {
		return out, s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return s.eachKept(tx, imp, req.Rows, req.All, func(k keptRow) error {
				_, _, err := look(k)
				return err
			})
		})
	}
	return out, s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		out = Replaced{Changes: []ReplacedCell{}}
		if err := imp.hold(tx); err != nil {
			return err
		}
		if j.look.renamed, err = imp.named(tx); err != nil {
			return err
		}
		return s.eachKept(tx, imp, req.Rows, req.All, func(k keptRow) error {
			_, n, err := look(k)
			if n == 0 || err != nil {
				return err
			}
			_, err = s.change(ctx, tx, j, k, func(again *raw) ([]string, error) {
				replacing{x.c, x.conditions, x.to, &Replaced{}, x.sheets}.replace(again)
				return []string{x.c.Code()}, nil
			})
			return err
		})
	})
}

// replacing checks a replacement.
func (j *judge) replacing(req Replacement, out *Replaced) (x replacing, err error) {
	c, ok := fieldOf(j.columns, req.PropertyCode)
	if !ok {
		return x, fault.New(fault.BadParameter, "propertyCode")
	}
	for _, cond := range req.Conditions {
		if _, ok := fieldOf(j.columns, cond.PropertyCode); !ok {
			return x, fault.New(fault.BadParameter, "conditions")
		}
	}
	x = replacing{c: c, conditions: req.Conditions, out: out, sheets: j.sheets}
	fitter, fits := c.Field.Property.(property.Fitter)
	var value input
	switch {
	case req.Fit && (!fits || req.Search != ""):
		return x, fault.New(fault.BadParameter, "fit")
	case req.Fit:
		x.to = func(in input) (input, bool) { return fitted(c.Field, fitter, in) }
		return x, nil
	case json.Unmarshal(req.Value, &value) != nil, req.Search != "" && value.chosen != nil:
		return x, fault.New(fault.BadParameter, "value")
	case req.Search != "":
		x.to = func(in input) (input, bool) { return searched(in, req.Search, cellText(value.cell)) }
	default:
		x.to = func(input) (input, bool) { return value, true }
	}
	return x, nil
}

// fitted makes a cell that a property refuses fit.
func fitted(f *catalog.Field, fitter property.Fitter, in input) (input, bool) {
	if in.chosen != nil || in.empty() {
		return in, false
	}
	if _, _, err := parse(f, in); err == nil {
		return in, false
	}
	cell, ok := fitter.Fit(in.cell)
	return input{cell: cell}, ok
}

// searched puts a text in the place of another one within a cell; what somebody has chosen for a cell has none.
func searched(in input, search, by string) (input, bool) {
	text := cellText(in.cell)
	if in.chosen != nil || !strings.Contains(text, search) {
		return in, false
	}
	next := strings.ReplaceAll(text, search, by)
	return input{cell: property.Cell{Kind: property.CellText, Text: next}}, next != text
}

// replace gives the cells of the column other values where conditions hold, and counts them.
func (x replacing) replace(r *raw) (n int) {
	code := x.c.Field.Code
	put := func(cells map[string]input, row, place int) {
		for _, cond := range x.conditions {
			if !cond.holds(r.textOf(cond.PropertyCode, place)) {
				return
			}
		}
		next, changes := x.to(cells[code])
		if !changes {
			return
		}
		n++
		if len(x.out.Changes) < shownChanges {
			sheet, number := x.sheets.place(int64(row))
			x.out.Changes = append(x.out.Changes, ReplacedCell{sheet, number, cells[code].text(), next.text()})
		}
		if cells[code] = next; next.empty() {
			delete(cells, code)
		}
	}
	if x.c.Sheet == nil {
		if put(r.Cells, r.Row, -1); n > 0 {
			delete(r.Says, code)
		}
		return n
	}
	for i, sub := range r.Rows[x.c.Sheet.Code] {
		put(sub.Cells, sub.Row, i)
	}
	return n
}

// textOf is what a cell says; of a sub-table the row i, or for i < 0 all rows.
func (r *raw) textOf(code string, i int) string {
	sheet, column, inSheet := strings.Cut(code, ".")
	if !inSheet {
		return r.Cells[code].text()
	}
	rows := r.Rows[sheet]
	if i >= 0 && i < len(rows) {
		return rows[i].Cells[column].text()
	}
	var out []string
	for _, sub := range rows {
		out = append(out, sub.Cells[column].text())
	}
	return strings.Join(out, ";")
}
