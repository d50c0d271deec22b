package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
)

// maxDepth is how far hooks may write records whose hooks write records.
const maxDepth = 8

var (
	// errSwallowed: a handler must refuse with an error; success without a write would be a lie.
	errSwallowed = errors.New("a before-hook neither refused nor went on")
	errDepth     = fmt.Errorf("hooks write records whose hooks write records, more than %d deep", maxDepth)
)

// around makes a write between its hooks and the outboxes.
func (c *change) around(e *hook.Record, write func() error) error {
	s := c.session
	if s.nested.depth++; s.nested.depth > maxDepth {
		return errDepth
	}
	defer func() { s.nested.depth-- }()
	before, after := s.w.set.Hooks(c.m.Code)
	c.event, c.unhooked = e, before.Empty()
	e.Principal, e.Model, e.ID = s.view.Principal(), c.m.Code, c.id
	if !before.Empty() || !after.Empty() {
		e.World, e.Stored = s.world(), c.stored
	}
	written := false
	if err := before.Run(s.ctx, e, func() error { written = true; return write() }); err != nil {
		return err
	}
	switch {
	case s.nested.refused != nil: // and the hook has passed over it
		return s.nested.refused
	case !written:
		return errSwallowed
	}
	for _, o := range s.w.outbox {
		if err := o(s.ctx, s.tx, e); err != nil {
			return fmt.Errorf("outbox: %w", err)
		}
	}
	if err := after.Run(s.ctx, e, func() error { return nil }); err != nil {
		return err
	}
	return s.nested.refused
}

// stored reads the rows of a sub-table for hooks.
func (c *change) stored(sheet string) ([]map[string]any, error) {
	f := c.m.Field(sheet)
	if f == nil || f.Sheet == nil {
		return nil, fmt.Errorf("model %s has no sub-table %s", c.m.Code, sheet)
	}
	parent := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.SheetParent, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: c.id}}
	rows, err := c.load(f.Sheet, parent, plan.Order{By: &plan.Field{Column: catalog.SheetOrder, K: plan.Int}})
	if err != nil {
		return nil, err
	}
	out := make([]map[string]any, len(rows))
	for i, row := range rows {
		out[i] = valuesOf(f.Sheet, row)
		out[i][catalog.ID] = row[catalog.ID]
	}
	return out, nil
}

// Worlds tells the writer how the World of hooks and rules is made: f gets the batch that writes in the same transaction with the same
// rights; reads is set for the person who may only read.
func (w *Writer) Worlds(f func(b *Batch, reads bool) world.World) { w.worlds = f }

// world is what hooks can do; nil in a writer without Worlds.
func (s *session) world() world.World {
	if s.w.worlds == nil {
		return nil
	}
	return s.w.worlds(&Batch{s: s}, false)
}

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
		case !c.unhooked:
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
		c.errs = append(c.errs, c.parseError(f, f.Code, "", err))
		return nil
	}
	c.claims = slices.DeleteFunc(c.claims, func(w wantedRef) bool { return strings.HasPrefix(w.code, f.Code+".") })
	form := c.form
	c.form = nil
	defer func() { c.form = form }()
	rows, _ := parsed.([]map[string]any)
	c.decodeSheet(f, rows, func(*catalog.Field) bool { return false }) // code of packs sets what its principal may not
	return nil
}
