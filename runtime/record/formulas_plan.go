package record

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Limits of a look at what formulas would change: records of a model, and the time that a model may take.
const (
	lookRecords = 2000
	lookTime    = 2 * time.Second
)

// FormulaChange is what computing the records of a model again would change, by the code that computes them.
type FormulaChange struct {
	Model    *catalog.Model
	Records  int64 // of the model
	Checked  int64 // records that were looked at, the first ones
	Changed  int64 // of these, records with a value that becomes another one
	Approved int64 // of the changed ones, records that a workflow has completed and doesn't hold
	Sealed   int64 // records of which a workflow holds values that the formulas of now would make others
	Fields   []string
}

// OtherFormulas is a model whose stored values were computed by other formulas.
type OtherFormulas struct {
	Model *catalog.Model
	run   *formulaRun
}

// FindOtherFormulas lists the models of a catalog whose stored values were computed by other formulas. log leads to the names of the catalog.
// Models that nothing was computed for are left out: their values are new.
func FindOtherFormulas(ctx context.Context, db *store.DB, c *catalog.Catalog, log *names.Log) (out []OtherFormulas, err error) {
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		for _, m := range c.Models {
			if len(m.Computed) == 0 {
				continue
			}
			was, ok := log.Since(tx.Epoch(), time.Time{}).ModelWas(m.Code)
			if !ok {
				continue
			}
			have, err := computedBy(tx, c, m, was, log)
			if err != nil {
				return err
			}
			if have.known && !have.same {
				out = append(out, OtherFormulas{m, have.run()})
			}
		}
		return nil
	})
	return out, err
}

// LookAtFormulas tells what computing the first records of a model again would change. It writes nothing. The view is that of Recompute,
// and its tables are as the catalog wants them.
func (w *Writer) LookAtFormulas(ctx context.Context, view *authz.View, of OtherFormulas) (*FormulaChange, error) {
	m := of.Model
	out := &FormulaChange{Model: m}
	fields := map[string]bool{}
	until := time.Now().Add(lookTime)
	err := w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		s := w.session(ctx, tx, view)
		s.lenient, s.other = true, of.run
		if out.Records, err = tx.Count(ctx, view.Catalog, &plan.Query{Model: m.Code, Where: plan.True}); err != nil {
			return err
		}
		last := ""
		for out.Checked < lookRecords && time.Now().Before(until) {
			ids, err := s.after(m, last, 100)
			if err != nil || len(ids) == 0 {
				return err
			}
			last = ids[len(ids)-1]
			rows, err := s.load(m, idIn(ids))
			if err != nil {
				return err
			}
			if err := s.findSealed(m, rows); err != nil {
				return err
			}
			for _, row := range rows {
				if err := s.lookAt(m, row, out, fields); err != nil {
					return err
				}
			}
		}
		return nil
	})
	out.Fields = slices.Sorted(maps.Keys(fields))
	return out, err
}

// lookAt computes one record as recompute does, and stores nothing.
func (s *session) lookAt(m *catalog.Model, row map[string]any, out *FormulaChange, fields map[string]bool) error {
	c := s.derivation(m, row)
	if err := c.derived(); err != nil {
		return err
	}
	out.Checked++
	if c.keeps != nil {
		held, err := s.holdsBack(c)
		if err != nil {
			return err
		}
		if held {
			out.Sealed++
		}
	}
	if c.unchanged() {
		return nil
	}
	out.Changed++
	if status, _ := row[catalog.SequenceStatus].(string); c.keeps == nil && status == StatusCompleted && row[catalog.WorkflowInstance] != nil {
		out.Approved++
	}
	for column := range changed(c.old, c.row) {
		if f := fieldOfColumn(m, column); f != nil && f.Compute != nil {
			fields[f.Code] = true
		}
	}
	for code, sheet := range c.sheets {
		if sheet.changed() {
			fields[code] = true
		}
	}
	return nil
}

// holdsBack reports whether a record that a workflow holds, as it is computed, has other values than the formulas of now make, in itself or its rows.
func (s *session) holdsBack(c *change) (bool, error) {
	run := s.other
	s.other = nil
	defer func() { s.other = run }()
	free := s.derivation(c.m, c.old)
	if err := free.derived(); err != nil {
		return false, err
	}
	for code, sheet := range free.sheets {
		for i, r := range sheet.rows {
			if len(changed(c.sheets[code].rows[i].row, r.row)) > 0 {
				return true, nil
			}
		}
	}
	return len(changed(c.row, free.row)) > 0, nil
}
