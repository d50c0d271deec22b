package importer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// judge turns the cells of a record into a change, or says what is wrong with them.
type judge struct {
	look    *lookup
	m       *catalog.Model
	columns []Column
	clear   bool // empty cells empty the property
	// planned reports whether an earlier row of a dry run, which was taken back, would have added a record of the model that a text names.
	planned func(text string) bool
}

// judged is a record of the file in the form of a change.
type judged struct {
	set  map[string]json.RawMessage
	ids  map[string][]string // of rows of sub-tables, "" = new
	errs []Verdict
}

// present reads what the record holds now, when somebody has to know.
type present func() (*query.Held, error)

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

// record judges the cells of a record; creates says that it will be a new one.
func (j *judge) record(ctx context.Context, r *raw, creates bool, now present) (judged, error) {
	out := judged{set: map[string]json.RawMessage{}, ids: map[string][]string{}}
	for _, c := range j.columns {
		if c.Sheet != nil {
			continue
		}
		in := r.Cells[c.Field.Code]
		if in.empty() {
			if j.clear && !creates {
				out.set[c.Field.Code] = json.RawMessage("null")
			}
			continue
		}
		v, wrong, err := j.value(ctx, c, nil, in, func() (any, error) {
			held, err := now()
			if err != nil || held == nil {
				return nil, err
			}
			return held.Values[c.Field], nil
		})
		if err != nil {
			return out, err
		}
		if wrong != nil {
			out.errs = append(out.errs, *wrong)
			continue
		}
		if v != nil {
			out.set[c.Field.Code] = v
		}
	}
	for _, sheet := range r.sheets() {
		if err := j.sheet(ctx, r, sheet, now, &out); err != nil {
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

// sheet judges the rows of a sub-table. Rows without ids change those that are there, in their order.
func (j *judge) sheet(ctx context.Context, r *raw, sheet string, now present, out *judged) error {
	rows := r.Rows[sheet]
	held, err := now()
	if err != nil {
		return err
	}
	var there []query.HeldRow
	if held != nil {
		there = held.Rows[j.m.Field(sheet)]
	}
	named := slices.ContainsFunc(rows, func(sub rawRow) bool { return sub.ID != "" })
	list := make([]map[string]json.RawMessage, len(rows))
	ids := make([]string, len(rows))
	for i, sub := range rows {
		list[i] = map[string]json.RawMessage{}
		at := -1
		switch {
		case named:
			at = slices.IndexFunc(there, func(h query.HeldRow) bool { return h.ID == strings.ToLower(sub.ID) })
		case i < len(there):
			at = i
		}
		if at >= 0 {
			ids[i] = there[at].ID
			list[i][catalog.ID] = quoted(ids[i])
		}
		for _, c := range j.columns {
			if c.Sheet == nil || c.Sheet.Code != sheet {
				continue
			}
			in := sub.Cells[c.Field.Code]
			if in.empty() {
				if j.clear && at >= 0 { // a new row has what it begins with, as a new record has
					list[i][c.Field.Code] = json.RawMessage("null")
				}
				continue
			}
			v, wrong, err := j.value(ctx, c, &i, in, func() (any, error) {
				if at < 0 {
					return nil, nil
				}
				return there[at].Values[c.Field], nil
			})
			if err != nil {
				return err
			}
			if wrong != nil {
				out.errs = append(out.errs, *wrong)
				continue
			}
			if v != nil {
				list[i][c.Field.Code] = v
			}
		}
	}
	text, err := json.Marshal(list)
	out.set[sheet], out.ids[sheet] = text, ids
	return err
}

func quoted(s string) json.RawMessage { return property.AppendQuoted(nil, s) }

// value reads a cell as a property keeps it; nil leaves it as it is.
func (j *judge) value(ctx context.Context, c Column, row *int, in input, held func() (any, error)) (json.RawMessage, *Verdict, error) {
	no := func(code fault.Code, args ...any) (json.RawMessage, *Verdict, error) {
		v := refuse(c.Code(), row, code, args...)
		return nil, &v, nil
	}
	switch in.cell.Kind {
	case property.CellError:
		return no(fault.CellError, in.cell.Text)
	case property.CellUnknown:
		return no(fault.CellNoValue)
	}
	if kinds, record := refers(c.Field); record || kinds != nil {
		return j.reference(ctx, c, row, in, held)
	}
	if in.readOf == c.Field {
		return in.read, nil, nil
	}
	v, err := parse(c.Field, in)
	var refused *property.ValueError
	if stays, err := removed(c.Field, err, in, held); stays || err != nil {
		return nil, nil, err
	}
	switch {
	case errors.As(err, &refused):
		code := fault.Code(refused.Code)
		if code == fault.FieldOption && !multiple(c.Field) && len(words(in.text())) > 2 {
			code, refused.Args = fault.CellSingle, nil
		}
		if code == fault.FieldType {
			verdict := unread(c, row, in.text())
			return nil, &verdict, nil
		}
		verdict := refuse(c.Code(), row, code, refused.Args...)
		if code == fault.FieldOption || code == fault.CellAmbiguous {
			verdict.Suggestions = j.look.like(ctx, c.Field, in.text())
		}
		return nil, &verdict, nil
	case err != nil:
		verdict := unread(c, row, in.text())
		return nil, &verdict, nil
	}
	return stored(c.Field, v), nil, nil
}

// stored is a value as a save takes it.
func stored(f *catalog.Field, v any) json.RawMessage {
	return f.Property.AppendJSON(nil, v, everyone{})
}

// parse reads a cell, or what was chosen for it.
func parse(f *catalog.Field, in input) (any, error) {
	if len(in.chosen) > 0 { // options
		codes := make([]any, len(in.chosen))
		for i, e := range in.chosen {
			if codes[i] = e.ID; e.ID == "" {
				codes[i] = e.Name
			}
		}
		if !multiple(f) {
			return f.Property.Parse(codes[0])
		}
		return f.Property.Parse(codes)
	}
	if r, ok := f.Property.(property.CellReader); ok {
		return r.ReadCell(in.cell)
	}
	if in.cell.Kind == property.CellText {
		return f.Property.Parse(in.cell.Text)
	}
	return f.Property.Parse(in.text())
}

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
func (j *judge) reference(ctx context.Context, c Column, row *int, in input, held func() (any, error)) (json.RawMessage, *Verdict, error) {
	n := &naming{j: j, c: c, row: row}
	parts := in.parts()
	if len(parts) == 1 && parts[0].ID == "" { // a text
		parts = n.parts(ctx, parts[0].Name)
	}
	if len(parts) > 1 && !multiple(c.Field) {
		v := refuse(c.Code(), row, fault.CellSingle)
		return nil, &v, nil
	}
	if wrong, err := n.resolve(ctx, parts, held); err != nil || wrong != nil {
		return nil, wrong, err
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

// now makes the function that reads what a record holds, once.
func (j *judge) now(ctx context.Context, tx *store.Tx, id string) present {
	var held *query.Held
	var err error
	read := id == ""
	return func() (*query.Held, error) {
		if !read {
			read = true
			held, err = j.look.s.Reader.Holds(ctx, tx, j.look.view, j.m, id, j.fields())
		}
		return held, err
	}
}

// fields are those whose values may decide what a text means, and the sub-tables.
func (j *judge) fields() []*catalog.Field {
	var out []*catalog.Field
	for _, c := range j.columns {
		if c.Sheet != nil && !slices.Contains(out, c.Sheet) {
			out = append(out, c.Sheet)
		}
		_, options := c.Field.Property.(property.Chooser)
		if kinds, record := refers(c.Field); record || kinds != nil || options {
			out = append(out, c.Field)
		}
	}
	return out
}
