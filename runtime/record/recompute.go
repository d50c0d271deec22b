package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// atOnce is how many records one transaction of Recompute computes anew.
const atOnce = 200

// Recompute brings stored values to the formulas of a catalog: a formula that was added or changed since its records were computed
// is evaluated for all of them. It works in short transactions and notes how far it has come, so it may be stopped at any point,
// and several processes share the work. What does not fit into its property becomes empty, as nobody is there to be told.
func (w *Writer) Recompute(ctx context.Context, c *catalog.Catalog, rt *authz.Rights) error {
	for _, m := range c.Models {
		if len(m.Computed) == 0 {
			continue
		}
		for done := false; !done; {
			err := w.db.Write(ctx, func(tx *store.Tx) (err error) {
				done, err = w.session(ctx, tx, c, rt).recomputeSome(m)
				return err
			})
			if err != nil && !errors.Is(err, store.ErrConflict) {
				return fmt.Errorf("compute %s anew: %w", m.Code, err)
			}
		}
	}
	return nil
}

// OutOfDate marks the stored values of models as not computed: their records were changed below the write path.
func OutOfDate(tx *store.Tx, models ...*catalog.Model) error {
	for _, m := range models {
		if err := tx.System().Where("key = ?", formulasKey(m)).Delete(&Meta{}).Error; err != nil {
			return err
		}
	}
	return nil
}

// Computed marks the stored values of a model as computed: Compute has made them.
func Computed(tx *store.Tx, m *catalog.Model) error {
	return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&Meta{Key: formulasKey(m), Value: formulas(m)}).Error
}

// Local tells whether the formulas of a model read nothing beside the record and the rows of its sub-tables.
func Local(m *catalog.Model) bool {
	local := true
	for _, f := range m.Computed {
		plan.Walk(f.Compute, func(e plan.Expr) {
			switch x := e.(type) {
			case *plan.Field:
				local = local && len(x.Path) == 0 && !x.Old
			case *plan.Aggregate:
				local = local && x.Of == nil
			case *plan.Var:
				local = false
			}
		})
	}
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

func formulasKey(m *catalog.Model) string { return "formulas:" + m.Code }

// formulas tells the formulas of a model from others.
func formulas(m *catalog.Model) string {
	var parts []string
	for _, f := range m.Computed {
		columns, err := json.Marshal(f.Property.Columns())
		if err != nil { // plain data cannot fail
			columns = nil
		}
		parts = append(parts, f.Model.Code, f.Code, f.ComputeText, string(columns))
	}
	return hash(parts...)
}

// recomputeSome computes the next records of a model anew; true when all are done.
func (s *session) recomputeSome(m *catalog.Model) (bool, error) {
	if err := s.tx.Lock(s.ctx, formulasKey(m)); err != nil {
		return false, err
	}
	wanted, have := formulas(m), Meta{}
	if err := s.tx.System().Where("key = ?", formulasKey(m)).Take(&have).Error; err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return false, err
	}
	// "DIGEST" when all records are done, "DIGEST ID" when those up to an id are.
	digest, last, under := strings.Cut(have.Value, " ")
	if digest != wanted {
		last = ""
	} else if !under {
		return true, nil
	}
	ids, err := s.after(m, last)
	if err != nil {
		return false, err
	}
	now := Meta{Key: formulasKey(m), Value: wanted}
	if len(ids) > 0 {
		if err := s.recomputeAll(m, ids); err != nil {
			return false, err
		}
		now.Value += " " + ids[len(ids)-1]
	}
	return len(ids) == 0, s.tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&now).Error
}

// after lists the next records behind an id. Trees that add up are computed from their last records to the first: children come
// after their parents into the world, as a rule, and a record that stands above one which is computed after it is computed again.
func (s *session) after(m *catalog.Model, last string) (ids []string, err error) {
	q := &plan.Query{Model: m.Code, Where: plan.True, Select: []plan.Expr{idField}, Order: []plan.Order{{By: idField}}, Limit: atOnce}
	op := plan.GT
	if m.AddsUp {
		op, q.Order[0].Descending = plan.LT, true
	}
	if last != "" {
		q.Where = &plan.Compare{Op: op, A: idField, B: &plan.Const{K: plan.ID, Value: last}}
	}
	err = s.tx.Query(s.ctx, s.c, q, func(row []any) error {
		id, _ := row[0].(string)
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

func (s *session) recomputeAll(m *catalog.Model, ids []string) error {
	if m.Web != "" {
		if err := s.tx.Lock(s.ctx, webOf(m)); err != nil {
			return err
		}
	}
	s.lenient = true
	var due derivations
	if m.AddsUp {
		first := slices.Min(ids)
		due.later = func(of *catalog.Model, id string) bool { return of == m && id < first }
	}
	if err := s.recompute(m, ids, &due); err != nil {
		return err
	}
	if err := s.settle(&due); err != nil {
		return err
	}
	return s.flush()
}
