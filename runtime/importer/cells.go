package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// read is what a cell says.
type read struct {
	value   json.RawMessage // as a save takes it
	rounded bool            // a number counts as the sheet shows it, with less than it has
	kept    bool            // the property stays as it is: an export has cut its text or shows less than the value, or it holds options that were removed
}

// less is 1 for a number of which the property has less than the file.
func (r read) less() int {
	if r.rounded {
		return 1
	}
	return 0
}

// value reads a cell as a property keeps it; held is what the property has now.
func (j *judge) value(ctx context.Context, c Column, row *int, in input, held any) (read, *Verdict, error) {
	no := func(code fault.Code, args ...any) (read, *Verdict, error) {
		v := refuse(c.Code(), row, code, args...)
		return read{}, &v, nil
	}
	switch in.cell.Kind {
	case property.CellError:
		return no(fault.CellError, in.cell.Text)
	case property.CellUnknown:
		return no(fault.CellNoValue)
	}
	if kinds, record := refers(c.Field); record || kinds != nil {
		v, wrong, err := j.reference(ctx, c, row, in, held)
		return read{value: v}, wrong, err
	}
	if j.displayed(c.Field, in, held) {
		return read{kept: true}, nil, nil
	}
	if in.readOf == c.Field {
		return in.read, nil, nil
	}
	if in.chosen == nil && workbook.IsCut(in.cell.Text) {
		if whole := c.Field.Property.Text(held, property.TextContext{}); held != nil && workbook.Cut(whole) == in.cell.Text {
			return read{kept: true}, nil, nil
		}
		return no(fault.CellCut)
	}
	v, rounded, err := parse(c.Field, in)
	if err == nil {
		return read{value: stored(c.Field, v), rounded: rounded}, nil, nil
	}
	if over := holding(c.Field, held); over != nil {
		if v, rounded, wrong := parse(over, in); wrong == nil {
			value := stored(over, v)
			return read{value: value, rounded: rounded, kept: bytes.Equal(value, stored(over, held))}, nil, nil
		}
	}
	wrong := j.wrong(ctx, c, row, in, err)
	return read{}, &wrong, nil
}

// displayed reports whether a cell says what is displayed of the value that the property holds. Exports write no more of types that have no cells of
// their own, and what is displayed may be less than the value: read again it would be another one.
func (j *judge) displayed(f *catalog.Field, in input, held any) bool {
	if held == nil || in.chosen != nil || in.cell.Kind != property.CellText || f.Property.Kind() == plan.Text {
		return false
	}
	_, cells := f.Property.(property.CellWriter)
	_, whole := f.Property.(property.SheetWriter)
	if cells || whole {
		return false
	}
	for _, locale := range []string{"zh", "en"} {
		if f.Property.Text(held, property.TextContext{Locale: locale, Zone: j.look.s.Zone}) == in.text() {
			return true
		}
	}
	return false
}

// wrong says why a cell cannot be read.
func (j *judge) wrong(ctx context.Context, c Column, row *int, in input, err error) Verdict {
	var refused *property.ValueError
	if !errors.As(err, &refused) {
		return unread(c, row, in.text())
	}
	code := fault.Code(refused.Code)
	if code == fault.FieldOption && !multiple(c.Field) && len(words(in.text())) > 2 {
		code, refused.Args = fault.CellSingle, nil
	}
	if code == fault.FieldType || code == fault.FieldNumber {
		return unread(c, row, in.text())
	}
	out := refuse(c.Code(), row, code, refused.Args...)
	if code == fault.FieldOption || code == fault.CellAmbiguous {
		out.Suggestions = j.look.like(ctx, c.Field, in.text())
	}
	return out
}

// stored is a value as a save takes it.
func stored(f *catalog.Field, v any) json.RawMessage {
	return f.Property.AppendJSON(nil, v, everyone{})
}

// parse reads a cell, or what was chosen for it. The property decides what of a number counts: all of it where the property takes it, otherwise
// what the sheet shows where it takes that, which rounded tells.
func parse(f *catalog.Field, in input) (v any, rounded bool, err error) {
	if len(in.chosen) > 0 { // options
		codes := make([]any, len(in.chosen))
		for i, e := range in.chosen {
			if codes[i] = e.ID; e.ID == "" {
				codes[i] = e.Name
			}
		}
		if !multiple(f) {
			v, err = f.Property.Parse(codes[0])
			return v, false, err
		}
		v, err = f.Property.Parse(codes)
		return v, false, err
	}
	r, typed := f.Property.(property.CellReader)
	if !typed {
		v, err = f.Property.Parse(in.shown())
		return v, false, err
	}
	if _, options := f.Property.(property.Chooser); options && in.cell.Kind == property.CellNumber { // a code may be a number in a format: 007
		if v, err = r.ReadCell(property.Cell{Kind: property.CellText, Text: in.shown()}); err == nil {
			return v, false, nil
		}
	}
	if v, err = r.ReadCell(in.cell); err == nil || in.cell.Kind != property.CellNumber || f.Property.Kind() != plan.Number {
		return v, false, err
	}
	shown, ok := in.cell.Rounded()
	if !ok {
		return v, false, err
	}
	less, wrong := r.ReadCell(shown)
	if wrong != nil {
		return v, false, err
	}
	return less, true, nil
}

// shown is what a text property takes of a cell: what the sheet shows.
func (in input) shown() string {
	if in.chosen != nil || in.cell.Kind == property.CellText {
		return cellText(in.cell)
	}
	return workbook.Shown(in.cell)
}
