package record

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// decode reads the change set into typed values. Unknown, forbidden, system and computed fields are named alike.
func (c *change) decode(set map[string]json.RawMessage) {
	c.set, c.sheets = map[string]any{}, map[string]*sheetChange{}
	seen := map[string]bool{}
	for _, code := range inOrder(c.m, set) {
		f := c.m.Field(code)
		if f == nil || f.Code != code || !Settable(f) || seen[strings.ToLower(code)] || !c.inForm(f) || c.never(f) {
			c.errs = append(c.errs, c.unknown(c.m, "", code))
			continue
		}
		seen[strings.ToLower(code)] = true
		v, err := Value(set[code])
		if err != nil {
			c.refuse(code, fault.FieldType, f.Label)
			continue
		}
		parsed, err := parseOver(f, v, c.old)
		if err != nil {
			c.errs = append(c.errs, c.parseError(f, f.Code, "", err))
			continue
		}
		c.claim(f, f.Code, "", v)
		c.given = append(c.given, f)
		c.set[f.Code] = parsed
		if f.Sheet != nil {
			rows, _ := parsed.([]map[string]any)
			c.decodeSheet(f, rows, c.never)
			continue
		}
		put(c.row, f, parsed)
	}
}

// parseOver reads a value of a property. What the record or row, nil where it is new, holds already may stay.
func parseOver(f *catalog.Field, in any, old map[string]any) (any, error) {
	v, err := f.Property.Parse(in)
	if err == nil || old == nil {
		return v, err
	}
	if h, ok := f.Property.(property.Holder); ok {
		if stays, wrong := h.Holding(get(old, f)).Parse(in); wrong == nil {
			return stays, nil
		}
	}
	return v, err
}

// inOrder are the codes of values in the order of the properties of their model, which does not depend on what they are called; unknown ones come last.
func inOrder[V any](m *catalog.Model, values map[string]V) []string {
	out := make([]string, 0, len(values))
	for _, f := range m.Fields {
		if _, ok := values[f.Code]; ok {
			out = append(out, f.Code)
		}
	}
	for _, code := range sortedKeys(values) {
		if f := m.Field(code); f == nil || f.Code != code {
			out = append(out, code)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Settable reports whether changes can give a property a value: authors' own stored properties, and sub-tables whose rows records write.
func Settable(f *catalog.Field) bool {
	if f.System || f.Compute != nil {
		return false
	}
	if n, ok := f.Property.(property.Nester); ok {
		return n.Nested().Writable && f.Sheet != nil
	}
	return len(f.Property.Columns()) > 0
}

// inForm: what is not in the form, or only for other roles, is not written through it.
func (c *change) inForm(f *catalog.Field) bool {
	if c.form == nil {
		return true
	}
	item := c.item(f)
	return item != nil && c.mayWrite(item)
}

// never reports whether the principal sets a field on no row at all: it is refused in the same place and the same words as one that does not exist. A
// preview leaves it as it is instead.
func (c *change) never(f *catalog.Field) bool {
	return !c.supposed && plan.IsFalse(c.view.FieldRows(f, c.action()))
}

func (c *change) item(f *catalog.Field) *catalog.FormItem {
	for _, i := range c.form.Fields() {
		if i.Field == f {
			return i
		}
	}
	return nil
}

// mayWrite: what a form shows to other roles only is not theirs to write either, nor is what it shows for reading.
func (c *change) mayWrite(i *catalog.FormItem) bool {
	holds := func(roles *[]string) bool { return roles == nil || slices.ContainsFunc(*roles, c.view.Holds) }
	return holds(i.Read) && holds(i.Write) && !i.UI.ReadOnly
}

func (c *change) inFormSheet(sheet, f *catalog.Field) bool {
	if c.form == nil {
		return true
	}
	item := c.item(sheet)
	if item == nil || len(item.Children) == 0 {
		return item != nil
	}
	for i := range item.Children {
		if item.Children[i].Field == f {
			return c.mayWrite(&item.Children[i])
		}
	}
	return false
}

func (c *change) parseError(f *catalog.Field, code, row string, err error) fault.FieldError {
	out := fault.FieldError{PropertyCode: code, Row: row, Code: fault.FieldType, Args: []any{f.Label}}
	var v *property.ValueError
	if errors.As(err, &v) {
		out.Code, out.Args = fault.Code(v.Code), v.Args
	}
	return OptionNow(c.view.Catalog, f, out)
}

// OptionNow tells a value that was the code of an option of a property the code which that option has now.
func OptionNow(c *catalog.Catalog, f *catalog.Field, e fault.FieldError) fault.FieldError {
	if e.Code != fault.FieldOption || len(e.Args) != 1 {
		return e
	}
	was, _ := e.Args[0].(string)
	if now, ok := c.OptionRenamed(f, was); ok {
		e.Code, e.Args = fault.OptionRenamed, []any{was, now}
	}
	return e
}
