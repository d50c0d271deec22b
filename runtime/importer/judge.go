package importer

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// judge turns the cells of a record into a change, or says what is wrong with them.
type judge struct {
	look    *lookup
	m       *catalog.Model
	columns []Column
	clear   bool // empty cells empty the property
	replace bool // rows of sub-tables that the file does not have are removed
	// planned reports whether an earlier row of a dry run, which was taken back, would have added a record of the model that a text names.
	planned func(text string) bool
	// sheets are the worksheets of an import of several: refusals name rows by them.
	sheets sheetNames
}

// judged is a record of the file in the form of a change.
type judged struct {
	set     map[string]json.RawMessage
	lines   map[string]lines // of sub-tables
	errs    []Verdict
	rounded map[string]bool // of set: numbers that count as the sheet shows them
}

// texts notes the texts of a record that name other records.
func (j *judge) texts(r *raw, into map[*catalog.Field][]string) {
	add := func(f *catalog.Field, in input) {
		if _, record := refers(f); !record {
			return
		}
		if in.chosen == nil {
			into[f] = append(into[f], words(in.text())...)
		}
		for _, e := range in.chosen {
			if e.ID == "" {
				into[f] = append(into[f], e.Name)
			}
		}
	}
	for _, c := range j.columns {
		if c.Sheet == nil {
			add(c.Field, r.Cells[c.Field.Code])
			continue
		}
		for _, sub := range r.Rows[c.Sheet.Code] {
			add(c.Field, sub.Cells[c.Field.Code])
		}
	}
}

// words are a text as a whole, and the parts that it may be a list of.
func words(text string) []string { return property.ListWords(text) }

// record judges the cells of a record; creates says that it will be a new one, held is what it has now.
func (j *judge) record(ctx context.Context, r *raw, creates bool, held *held) (judged, error) {
	out := judged{set: map[string]json.RawMessage{}, lines: map[string]lines{}, rounded: map[string]bool{}}
	for _, c := range j.columns {
		if c.Sheet != nil {
			continue
		}
		if row, other := r.Says[c.Field.Code]; other {
			out.errs = append(out.errs, refuse(c.Code(), nil, fault.CellsDiffer, j.sheets.told(row)))
			continue
		}
		in := r.Cells[c.Field.Code]
		if in.empty() {
			if j.clear && !creates && !r.Further {
				out.set[c.Field.Code] = json.RawMessage("null")
			}
			continue
		}
		v, wrong, err := j.value(ctx, c, nil, in, held.value(c.Field))
		if err != nil {
			return out, err
		}
		switch {
		case wrong != nil:
			out.errs = append(out.errs, *wrong)
		case !v.kept:
			out.set[c.Field.Code] = v.value
			if v.rounded {
				out.rounded[c.Field.Code] = true
			}
		}
	}
	for _, sheet := range j.sheetsOf(r, creates) {
		if err := j.sheet(ctx, r, sheet, creates, held, &out); err != nil {
			return out, err
		}
	}
	if creates && len(out.errs) > 0 {
		out.errs = append(out.errs, j.lacking(r)...)
	}
	return out, nil
}

// lacking are the required cells that a refused record leaves empty. The writer would tell of them, and is not asked when a cell is wrong.
func (j *judge) lacking(r *raw) (out []Verdict) {
	for _, c := range j.columns {
		if !c.Field.Required || c.Field.Default != nil || c.Field.RequiredIf != nil {
			continue
		}
		if c.Sheet == nil && r.Cells[c.Field.Code].empty() {
			out = append(out, refuse(c.Code(), nil, fault.FieldRequired))
		}
		if c.Sheet == nil {
			continue
		}
		for i, sub := range r.Rows[c.Sheet.Code] {
			if sub.Cells[c.Field.Code].empty() {
				out = append(out, refuse(c.Code(), &i, fault.FieldRequired))
			}
		}
	}
	return out
}

func quoted(s string) json.RawMessage { return property.AppendQuoted(nil, s) }

// everyone has a name, so that no reference is left out.
type everyone struct{}

// Name implements property.Names.
func (everyone) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "-"}, true }

// multiple reports whether a property keeps several values.
func multiple(f *catalog.Field) bool {
	cols := f.Columns()
	return len(cols) == 1 && cols[0].Kind == plan.Set
}

// reference finds the people, departments or records that a cell names. Of several with one name those count that the record has already, each once;
// otherwise nothing is guessed.
func (j *judge) reference(ctx context.Context, c Column, row *int, in input, held any) (json.RawMessage, *Verdict, error) {
	n := &naming{j: j, c: c, row: row}
	parts := in.parts()
	if len(parts) == 1 && parts[0].ID == "" { // a text
		parts = n.parts(ctx, parts[0].Name)
	}
	if len(parts) > 1 && !multiple(c.Field) {
		v := refuse(c.Code(), row, fault.CellSingle)
		return nil, &v, nil
	}
	if wrong := n.resolve(ctx, parts, held); wrong != nil {
		return nil, wrong, nil
	}
	return wire(c.Field, n.chosen()), nil, nil
}

// parts are the entries that were chosen, or the text.
func (in input) parts() []Entry {
	if in.chosen != nil {
		return in.chosen
	}
	return []Entry{{Name: in.text()}}
}

func heldIDs(f *catalog.Field, v any) []string {
	if v == nil {
		return nil
	}
	var out []string
	for _, ref := range f.Property.(property.Referrer).Refs(v) {
		out = append(out, ref.ID)
	}
	return out
}

// wire is a reference as a save takes it.
func wire(f *catalog.Field, chosen []Entry) json.RawMessage {
	if len(chosen) == 0 {
		return json.RawMessage("null")
	}
	one := func(e Entry) any {
		if f.Target == nil { // people and departments mixed
			return map[string]any{"id": e.ID, "type": e.Type}
		}
		return e.ID
	}
	var v any = one(chosen[0])
	if multiple(f) {
		list := make([]any, len(chosen))
		for i, e := range chosen {
			list[i] = one(e)
		}
		v = list
	}
	text, err := json.Marshal(v)
	if err != nil { // ids and numbers cannot fail
		return json.RawMessage("null")
	}
	return text
}

// fields are those whose values decide what a cell means, or whether it changes anything, and the sub-tables.
func (j *judge) fields() []*catalog.Field {
	var out []*catalog.Field
	for _, c := range j.columns {
		if c.Sheet != nil && !slices.Contains(out, c.Sheet) {
			out = append(out, c.Sheet)
		}
		out = append(out, c.Field)
	}
	return out
}
