package record

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Recomputing is the kind of store.Work that recomputes a model's formulas.
const Recomputing = "formulas"

// Recompute brings stored values to the formulas of a catalog: a formula that was added or changed since its records were computed
// is evaluated for all of them. It works in short transactions and notes how far it has come, so it may be stopped at any point,
// and several processes share the work. What does not fit into its property becomes empty, as nobody is there to be told.
func (w *Writer) Recompute(ctx context.Context, view *authz.View) error {
	for _, m := range view.Models {
		if len(m.Computed) == 0 {
			continue
		}
		if err := w.recomputeModel(ctx, view, m); err != nil {
			return fmt.Errorf("compute %s anew: %w", m.Code, err)
		}
	}
	return nil
}

func (w *Writer) recomputeModel(ctx context.Context, view *authz.View, m *catalog.Model) error {
	ctx = store.Background(ctx)
	var left int64
	var have progress
	err := w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if have, err = computedTo(tx, view.Catalog, m); err != nil || have.done {
			return err
		}
		left, err = tx.Count(ctx, view.Catalog, &plan.Query{Model: m.Code, Where: behind(m, have.last)})
		return err
	})
	if err == nil && have.done && have.older {
		err = w.db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return Computed(tx, view.Catalog, m) })
	}
	if err != nil || have.done {
		return err
	}
	if left == 0 { // as a rule; who wrote meanwhile is found below
		n := 0
		err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			n, err = w.session(ctx, tx, view).recomputeSome(m, 1)
			return err
		})
		if err == nil && n == 0 || err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return w.db.Work(ctx, Recomputing, m.Code, left, func(ctx context.Context, work *store.Work) error {
		for done := false; !done; {
			n := 0
			err := work.Chunk(ctx, func(ctx context.Context, tx *store.Tx, rows int) (err error) {
				n, err = w.session(ctx, tx, view).recomputeSome(m, rows)
				return err
			})
			if err != nil && !errors.Is(err, store.ErrConflict) {
				return err
			}
			done = err == nil && n == 0
			if err == nil {
				work.Done(int64(n))
			}
		}
		return nil
	})
}

// OutOfDate marks the stored values of models as not computed: their records were changed below the write path. That they were computed by other
// formulas stays known.
func OutOfDate(tx *store.Tx, models ...*catalog.Model) error {
	for _, m := range models {
		have := Meta{}
		if err := tx.System().Where("key = ?", formulasKey(m)).Limit(1).Find(&have).Error; err != nil {
			return err
		}
		if have.Value == "" {
			continue
		}
		at := parseMark(have.Value)
		if at.under && !at.stale { // other formulas are being brought to the records, from the first one
			at.digest = ""
		}
		at.stale, at.last = at.digest != "", ""
		if err := tx.System().Model(&Meta{}).Where("key = ?", formulasKey(m)).Update("value", at.String()).Error; err != nil {
			return err
		}
	}
	return nil
}

// Computed marks the stored values of a model as computed: Compute has made them.
func Computed(tx *store.Tx, c *catalog.Catalog, m *catalog.Model) error {
	now := markOf(tx, c, m, "", progress{})
	return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&now).Error
}

// IsComputed reports whether the stored values of a model are marked as computed.
func IsComputed(tx *store.Tx, c *catalog.Catalog, m *catalog.Model) (bool, error) {
	have, err := computedTo(tx, c, m)
	return have.done, err
}

// Local reports whether the formulas of a model read nothing beside the record and the rows of its sub-tables.
func Local(m *catalog.Model) bool {
	return !slices.ContainsFunc(m.Computed, func(f *catalog.Field) bool { return !local(f.Compute) })
}

func local(formula plan.Expr) bool {
	local := true
	plan.Walk(formula, func(e plan.Expr) {
		switch x := e.(type) {
		case *plan.Field:
			local = local && len(x.Path) == 0 && !x.Old
		case *plan.Aggregate:
			local = local && x.Of == nil
		case *plan.Var:
			local = false
		}
	})
	return local
}

// Compute gives a record that is written below the write path, and the rows of its sub-tables, the values of their formulas, where
// these are Local. Rows are given by column. What does not fit into its property stays empty.
func Compute(m *catalog.Model, row map[string]any, sheets map[string][]map[string]any) {
	own := expression.Values{Columns: row, Sheets: sheets}
	record := func() {
		for _, f := range computed(m, m) {
			v, _ := evaluate(f, f.Compute, own)
			put(row, f, v)
		}
	}
	record()
	for code, rows := range sheets {
		for _, f := range computed(m, m.Field(code).Sheet) {
			for _, r := range rows {
				v, _ := evaluate(f, f.Compute, expression.Row(expression.Values{Columns: r}, own))
				put(r, f, v)
			}
		}
	}
	record()
}

// recomputeSome recomputes the next records of a model and returns how many; 0 when all are done.
func (s *session) recomputeSome(m *catalog.Model, most int) (int, error) {
	if err := s.tx.Lock(s.ctx, formulasKey(m)); err != nil {
		return 0, err
	}
	have, err := computedTo(s.tx, s.view.Catalog, m)
	if err != nil || have.done {
		return 0, err
	}
	ids, err := s.after(m, have.last, most)
	if err != nil {
		return 0, err
	}
	now := markOf(s.tx, s.view.Catalog, m, "", have)
	if len(ids) > 0 {
		s.other = have.run()
		if err := s.recomputeAll(m, ids); err != nil {
			return 0, err
		}
		now = markOf(s.tx, s.view.Catalog, m, ids[len(ids)-1], have)
	}
	return len(ids), s.tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&now).Error
}

// after lists the next records behind an id. Trees that add up are computed from their last records to the first: children come
// after their parents into the world, as a rule, and a record that is above one which is computed after it is computed again.
func (s *session) after(m *catalog.Model, last string, most int) (ids []string, err error) {
	q := &plan.Query{Model: m.Code, Where: behind(m, last), Select: []plan.Expr{idField}, Order: []plan.Order{{By: idField, Descending: m.AddsUp}}, Limit: most}
	err = s.tx.Query(s.ctx, s.view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// behind are the records of a model that are computed after one.
func behind(m *catalog.Model, last string) plan.Expr {
	op := plan.GT
	if m.AddsUp {
		op = plan.LT
	}
	if last == "" {
		return plan.True
	}
	return &plan.Compare{Op: op, A: idField, B: &plan.Const{K: plan.ID, Value: last}}
}

func (s *session) recomputeAll(m *catalog.Model, ids []string) error {
	if m.LockGroup != "" {
		if err := s.tx.Lock(s.ctx, lockName(m)); err != nil {
			return err
		}
	}
	s.lenient = true
	var due derivations
	if m.AddsUp {
		first := slices.Min(ids)
		due.later = func(of *catalog.Model, id string) bool { return of == m && id < first }
	}
	if err := s.recompute(m, ids, nil, &due); err != nil {
		return err
	}
	if err := s.settle(&due); err != nil {
		return err
	}
	return s.flush()
}
