package record

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// MaxAmendReason is how many characters the reason of an amendment has at most.
const MaxAmendReason = 500

// Seal is what a workflow that ended with agreement holds of its record.
type Seal struct {
	Instance string   // of the workflow
	Open     []string // codes of the properties that people change all the same
}

// Amended is a change of a sealed record.
type Amended struct {
	Model, Record string
	Was, Version  int64  // of the record, before and after
	Code          bool   // code of a pack wrote it, for the reason that its rights are for
	Reason        string // of the person, or the name of the pack's reason
}

// Seals keeps what workflows have approved as it was approved.
type Seals interface {
	// Hold returns the seal of a record, nil where no workflow holds it, or where a step of that workflow is what writes. Who is going to change what is
	// sealed waits for others who do.
	Hold(ctx context.Context, tx *store.Tx, view *authz.View, model, id string, changes bool) (*Seal, error)
	// Held finds those of a model's records that workflows hold, with the codes of what people change of them all the same.
	Held(ctx context.Context, tx *store.Tx, view *authz.View, model string, ids []string) (map[string][]string, error)
	// Amended writes into the course of the workflow that a sealed record was changed, and tells the people who approved it.
	Amended(ctx context.Context, tx *store.Tx, view *authz.View, s *Seal, what Amended) error
}

// SealedBy sets what keeps approved records, and what finds them. It is called before the first write.
func (w *Writer) SealedBy(s Seals, find Held) { w.seals, w.held = s, find }

// sealed finds the seal of a record that is to be changed. The product itself is not bound by it: it computes, moves and hands over. Who amends needs that
// right in place of the one to edit.
func (c *change) sealed(old map[string]any) error {
	p := c.view.Principal()
	if instance, _ := old[catalog.WorkflowInstance].(string); instance == "" || c.w.seals == nil || c.madeUp || p.System != "" {
		return nil
	}
	seal, err := c.w.seals.Hold(c.ctx, c.tx, c.view, c.m.Code, c.id, p.Reason != "" || c.amend != "")
	if err != nil || seal == nil {
		return err
	}
	c.seal = seal
	if p.Reason != "" || c.amend == "" {
		return nil
	}
	c.amend = strings.TrimSpace(c.amend)
	if n := utf8.RuneCountInString(c.amend); n == 0 || n > MaxAmendReason {
		return fault.New(fault.AmendReason, MaxAmendReason)
	}
	c.act = catalog.AmendAction
	return nil
}

// unseal refuses a change of what was approved, by a person who does not amend it. What code of the model's hooks and formulas make of a change that
// is allowed is part of it.
func (c *change) unseal() error {
	if c.seal == nil || c.view.Principal().Reason != "" || c.act == catalog.AmendAction {
		return nil
	}
	var closed []string
	for _, f := range c.m.Fields {
		if !f.System && opens(c.wanted, f.Code) && !opens(c.seal.Open, f.Code) && c.changes(f) {
			closed = append(closed, f.Label.In(c.view.Principal().Locale))
		}
	}
	if len(closed) == 0 {
		return nil
	}
	between := "、"
	if c.view.Principal().Locale == "en" {
		between = ", "
	}
	return fault.New(fault.RecordSealed, strings.Join(closed, between))
}

// opens reports whether a seal leaves a property to people.
func opens(open []string, code string) bool {
	return slices.ContainsFunc(open, func(one string) bool { return strings.EqualFold(one, code) })
}

// heldAtOnce is how many records are asked for their seals in one statement.
const heldAtOnce = 500

// heldRefs are those of some records in which a person must not change a relation, or one in a sub-table, since a workflow holds them as they were approved.
func (s *session) heldRefs(f *catalog.Field, ids []string) (held []string, err error) {
	if p := s.view.Principal(); s.w.seals == nil || p.System != "" || p.Reason != "" {
		return nil, nil
	}
	code := f.Code
	if f.Model.Parent != nil {
		code = sheetCode(f.Model)
	}
	for some := range slices.Chunk(ids, heldAtOnce) {
		open, err := s.w.seals.Held(s.ctx, s.tx, s.view, root(f.Model).Code, some)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			if of, ok := open[id]; ok && !opens(of, code) {
				held = append(held, id)
			}
		}
	}
	return held, nil
}

// tellCleared writes into the course of the workflow that holds a record that code of a pack has emptied a relation of it.
func (s *session) tellCleared(m *catalog.Model, id string, was int64) error {
	p := s.view.Principal()
	if s.w.seals == nil || p.System != "" || p.Reason == "" {
		return nil
	}
	seal, err := s.w.seals.Hold(s.ctx, s.tx, s.view, m.Code, id, true)
	if err != nil || seal == nil {
		return err
	}
	return s.w.seals.Amended(s.ctx, s.tx, s.view, seal, Amended{Model: m.Code, Record: id, Was: was, Version: was + 1, Code: true, Reason: p.Reason})
}

// changes reports whether a property is another one than before.
func (c *change) changes(f *catalog.Field) bool {
	if sheet := c.sheets[f.Code]; sheet != nil {
		return sheet.changed()
	}
	return slices.ContainsFunc(f.Columns(), func(of plan.Column) bool { return !equal(c.old[of.Name], c.row[of.Name]) })
}

// tellSeal tells the keeper of the seal what was changed under it.
func (c *change) tellSeal() error {
	if c.seal == nil {
		return nil
	}
	what := Amended{Model: c.m.Code, Record: c.id, Was: c.version - 1, Version: c.version, Reason: c.amend}
	if p := c.view.Principal(); p.Reason != "" {
		what.Code, what.Reason = true, p.Reason
	} else if c.act != catalog.AmendAction {
		return nil // what it leaves open
	}
	return c.w.seals.Amended(c.ctx, c.tx, c.view, c.seal, what)
}
