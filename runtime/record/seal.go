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
	for _, code := range c.wanted {
		f := c.m.Field(code)
		if f == nil || f.System || slices.ContainsFunc(c.seal.Open, func(open string) bool { return strings.EqualFold(open, f.Code) }) || !c.changes(f) {
			continue
		}
		closed = append(closed, f.Label.In(c.view.Principal().Locale))
	}
	if len(closed) == 0 {
		return nil
	}
	return fault.New(fault.RecordSealed, strings.Join(closed, "、"))
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
