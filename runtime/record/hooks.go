package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// takeHooks puts what the before-hooks left in Set into the row and the sub-tables: what they changed is written, and judged like
// what came with the change; what they took out stays as it was.
func (c *change) takeHooks() error {
	for _, code := range sortedKeys(c.event.Set) {
		f, v := c.m.Field(code), c.event.Set[code]
		switch {
		case f == nil || f.System || f.Compute != nil:
			return fmt.Errorf("a hook set %s.%s, which cannot be written", c.m.Code, code)
		case f.Sheet == nil:
			put(c.row, f, v)
		case !c.w.set.BeforeWrite.Empty():
			if err := c.takeRows(f, v); err != nil {
				return err
			}
		}
	}
	for _, code := range c.wanted {
		if _, still := c.event.Set[code]; still {
			continue
		}
		f := c.m.Field(code)
		if f.Sheet != nil {
			delete(c.sheets, f.Code)
			continue
		}
		put(c.row, f, get(c.old, f))
	}
	c.set = c.event.Set
	return nil
}

// takeRows reads the rows of a sub-table as the before-hooks left them: wire values, or Go values that are written like them. A
// hook may set columns that the form of the change does not have.
func (c *change) takeRows(f *catalog.Field, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("a hook set %s.%s: %w", c.m.Code, f.Code, err)
	}
	in, err := Value(text)
	if err != nil {
		return fmt.Errorf("a hook set %s.%s: %w", c.m.Code, f.Code, err)
	}
	parsed, err := f.Property.Parse(in)
	if err != nil {
		c.errs = append(c.errs, parseError(f, f.Code, "", err))
		return nil
	}
	c.claims = slices.DeleteFunc(c.claims, func(w wantedRef) bool { return strings.HasPrefix(w.code, f.Code+".") })
	form := c.form
	c.form = nil
	defer func() { c.form = form }()
	rows, _ := parsed.([]map[string]any)
	c.decodeSheet(f, rows)
	return nil
}
