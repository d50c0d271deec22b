package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Computed values that read other records are kept right in the transaction that changes what they read (ADR 20). A write finds
// the records whose formulas read it by the dependents of its model, recomputes them, and propagates the result; formulas
// form no circle, so it ends.
//
// On a database with several writers, a transaction that makes or moves a reference holds what it refers to: shared where it only
// reads, alone where its commit changes a folded value there. Who changes a record that others read finds them after that.

// derivations are records to recompute, in the order of their discovery.
type derivations struct {
	models []*catalog.Model
	ids    map[*catalog.Model]map[string]fields   // what they have to compute; nil = all formulas
	later  func(m *catalog.Model, id string) bool // records that are computed later anyway; nil = none
}

// add notes records to recompute because of some of their properties; nil = because of all.
func (d *derivations) add(m *catalog.Model, because fields, ids ...string) {
	if d.later != nil {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return d.later(m, id) })
	}
	if len(ids) == 0 || len(m.Computed) == 0 {
		return
	}
	if d.ids == nil {
		d.ids = map[*catalog.Model]map[string]fields{}
	}
	if d.ids[m] == nil {
		d.ids[m] = map[string]fields{}
		d.models = append(d.models, m)
	}
	for _, id := range ids {
		have, known := d.ids[m][id]
		switch {
		case because == nil, known && have == nil:
			d.ids[m][id] = nil
		case !known:
			d.ids[m][id] = maps.Clone(because)
		default:
			maps.Copy(have, because)
		}
	}
}

// next takes the records of one model.
func (d *derivations) next() (*catalog.Model, map[string]fields) {
	m := d.models[0]
	due := d.ids[m]
	d.models = d.models[1:]
	delete(d.ids, m)
	return m, due
}

// affected finds the records whose computed values may change with a record: old is nil for a new one, row for one that goes.
func (s *session) affected(due *derivations, m *catalog.Model, id string, old, row map[string]any) error {
	for _, feed := range m.Dependents {
		readers := fields{}
		for _, c := range feed.Columns {
			if old == nil || row == nil || !equal(old[c], row[c]) {
				readers.add(feed.Readers[c]...)
			}
		}
		if len(readers) == 0 {
			continue
		}
		if feed.Up != nil {
			due.add(feed.To, readers, targets(feed.Up, old, row)...)
			continue
		}
		if old == nil {
			continue // nobody refers to what has just been made
		}
		ids := []string{id}
		for _, step := range feed.Back {
			var err error
			if ids, err = s.referring(step, ids); err != nil {
				return err
			}
		}
		due.add(feed.To, readers, ids...)
	}
	return nil
}

// targets are the records that a relation refers to in some rows.
func targets(relation *plan.Field, rows ...map[string]any) []string {
	var out []string
	for _, row := range rows {
		switch v := row[relation.Column].(type) {
		case string:
			out = append(out, v)
		case []string:
			out = append(out, v...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// many is how many records one statement names.
const many = 500

// referring lists the records that refer to some by a relation; for one of a sub-table, the records above the rows.
func (s *session) referring(step catalog.Step, ids []string) ([]string, error) {
	of := idField
	if step.Model.Parent != nil {
		of = &plan.Field{Column: catalog.SheetParent, K: plan.ID}
	}
	op := plan.SetWithin
	if step.Column.K == plan.Set {
		op = plan.SetIntersects
	}
	var out []string
	for chunk := range slices.Chunk(ids, many) {
		where := &plan.InSet{Op: op, F: step.Column, G: &plan.Const{K: plan.Set, Value: chunk}}
		q := &plan.Query{Model: step.Model.Code, Where: where, Select: []plan.Expr{of}, Order: []plan.Order{{By: idField}}}
		err := s.tx.Query(s.ctx, s.view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			out = append(out, id)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// derive brings the computed values right that read a record which has changed.
func (s *session) derive(m *catalog.Model, id string, old, row map[string]any) error {
	var due derivations
	if err := s.affected(&due, m, id, old, row); err != nil {
		return err
	}
	return s.settle(&due)
}

// settle recomputes records until nothing changes any more.
func (s *session) settle(due *derivations) error {
	for len(due.models) > 0 {
		m, because := due.next()
		ids := slices.Sorted(maps.Keys(because))
		if m.AddsUp {
			deepest, others, err := s.deepest(m, ids)
			if err != nil {
				return err
			}
			for _, id := range others {
				due.add(m, because[id], id)
			}
			ids = deepest
		}
		for chunk := range slices.Chunk(ids, many) {
			if err := s.recompute(m, chunk, because, due); err != nil {
				return err
			}
		}
	}
	return nil
}

// recompute recomputes records, whatever the principal may see of them, and notes whom that concerns. because has what each of them has to
// compute; nil = all formulas.
func (s *session) recompute(m *catalog.Model, ids []string, because map[string]fields, due *derivations) error {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.going[m.Code+" "+id] })
	if len(ids) == 0 {
		return nil
	}
	if err := s.tx.Hold(s.ctx, m, ids, store.Alone); err != nil {
		return err
	}
	rows, err := s.load(m, idIn(ids))
	if err != nil {
		return err
	}
	if m.AddsUp {
		slices.Reverse(rows) // what was made later stands below, as a rule
	}
	if err := s.findSealed(m, rows); err != nil {
		return err
	}
	for _, old := range rows {
		c := s.derivation(m, old)
		id := c.id
		c.because = because[id]
		if err := c.recompute(); err != nil {
			return err
		}
		if err := s.affected(due, m, id, old, c.row); err != nil {
			return err
		}
	}
	return nil
}

// derivation is a change of a record's computed values.
func (s *session) derivation(m *catalog.Model, old map[string]any) *change {
	id, _ := old[catalog.ID].(string)
	return &change{session: s, m: m, id: id, old: old, row: clone(old), sheets: map[string]*sheetChange{}, derives: true}
}

// derived computes a record and the rows of its sub-tables, and stores nothing.
func (c *change) derived() error {
	c.version, _ = c.old[catalog.Version].(int64)
	for _, f := range c.m.Fields { // rows are read when their formulas may have changed, or what these read of other records
		if f.Sheet != nil && slices.ContainsFunc(computed(c.m, f.Sheet), func(g *catalog.Field) bool { return c.lenient || !local(g.Compute) }) {
			c.sheets[f.Code] = &sheetChange{field: f}
		}
	}
	if err := c.loadSheets(); err != nil {
		return err
	}
	return c.compute()
}

func (c *change) recompute() error {
	if err := c.derived(); err != nil {
		return err
	}
	if len(c.errs) > 0 && !c.lenient {
		return c.outOfRange()
	}
	if c.unchanged() {
		return nil
	}
	set := changed(c.old, c.row)
	if words, ok := c.row[namePinyin]; ok {
		set[namePinyin] = words
	}
	set[catalog.Version] = c.version + 1
	n, err := c.tx.Update(c.ctx, c.m, c.id, c.version, plan.True, set)
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrConflict
	}
	c.version++
	c.putSystem(catalog.Version, c.version)
	rows, err := c.storeSheets()
	if err != nil {
		return err
	}
	c.forget(c.m, c.id)
	c.note(c.m, c.id, c.version, Derived, Changes{Fields: differences(c.m, c.old, c.row), Rows: rows})
	return nil
}

// outOfRange refuses a write after which a value of another record would not fit. Who may not know of the value hears that it is
// one.
func (c *change) outOfRange() error {
	model, label := c.m.Label, any(plan.Label{Zh: "计算值", I18n: map[string]string{"en": "a computed value"}})
	code, _, _ := strings.Cut(c.errs[0].PropertyCode, ".")
	if f := c.m.Field(code); f != nil && c.view.Can(c.m, "view") && c.mayRead(f) {
		label = c.errs[0].Args[0]
	} else {
		model = plan.Label{Zh: "其他数据", I18n: map[string]string{"en": "other records"}}
	}
	return &fault.Error{Code: fault.RelatedRange, Args: []any{model, label}, Err: fmt.Errorf("%s %s: %s", c.m.Code, c.id, c.errs[0].PropertyCode)}
}

func (c *change) mayRead(f *catalog.Field) bool {
	right, _ := c.view.Field(f)
	return right != catalog.Hidden
}

// forget drops what was read of a record before it changed.
func (s *session) forget(m *catalog.Model, id string) { delete(s.rows, m.Code+" "+id) }

// enter takes a record's place among the writes of its web of models, before the record is read: writes that are carried up, from
// records to what they refer to, go side by side, in one order; one that is carried down goes alone. given tells which
// properties the change brings; nil means all.
func (c *change) enter(given func(code string) bool) error {
	if c.m.LockGroup == "" {
		return nil
	}
	down := func(f *catalog.Dependent) bool { return f.Up == nil && c.concerns(f, given) }
	lock := c.tx.LockShared
	if !c.create && (slices.ContainsFunc(c.m.Dependents, down) || c.moves(given)) {
		lock = c.tx.Lock
	}
	if err := lock(c.ctx, lockName(c.m)); err != nil || c.create {
		return err
	}
	return c.share(c.m, []string{c.id}, store.Alone)
}

// moves reports whether a change may take a record, or its children, to another place of a tree that adds up: it concerns several ways up, and two such
// writes, or one beside a write below, would hold the records of these in different orders.
func (c *change) moves(given func(code string) bool) bool {
	return c.m.AddsUp && (given == nil || given(c.m.Tree.Code))
}

// lockName is the name of the lock of a model's web.
func lockName(m *catalog.Model) string { return "web " + m.LockGroup }

// concerns reports whether a change may alter what a dependent reads.
func (c *change) concerns(feed *catalog.Dependent, given func(code string) bool) bool {
	return given == nil || slices.ContainsFunc(feed.Columns, func(column string) bool {
		f := fieldOfColumn(c.m, column)
		return f == nil || f.Compute != nil || f.Code == catalog.Name || given(f.Code)
	})
}

// lockDependents keeps the records whose folded values a change concerns, up to the last, as they are until the end of the transaction.
// They are held before formulas read them: two that both held them shared first would wait for each other to change them.
func (c *change) lockDependents() error {
	for _, feed := range c.m.Dependents {
		moved := func(code string) bool {
			return slices.ContainsFunc(c.m.Field(code).Property.Columns(), func(p plan.Column) bool { return !equal(c.old[p.Name], c.row[p.Name]) })
		}
		if feed.Up == nil || c.old != nil && c.row != nil && !c.concerns(feed, moved) {
			continue
		}
		if err := c.holdUp(feed.To, targets(feed.Up, c.old, c.row)); err != nil {
			return err
		}
	}
	return nil
}

// holdUp holds records that will be recomputed, and those that fold them.
func (s *session) holdUp(m *catalog.Model, ids []string) error {
	ids = slices.DeleteFunc(ids, func(id string) bool { return s.held[m.Code+" "+id] || s.going[m.Code+" "+id] })
	if len(ids) == 0 {
		return nil
	}
	if err := s.share(m, ids, store.Alone); err != nil {
		return err
	}
	for _, feed := range m.Dependents {
		if feed.Up == nil {
			continue
		}
		var rows []map[string]any
		for chunk := range slices.Chunk(ids, many) {
			q := &plan.Query{Model: m.Code, Where: idIn(chunk), Select: []plan.Expr{feed.Up}, Order: []plan.Order{{By: idField}}}
			err := s.tx.Query(s.ctx, s.view.Catalog, q, func(row []any) error {
				rows = append(rows, map[string]any{feed.Up.Column: kept(row[0])})
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := s.holdUp(feed.To, targets(feed.Up, rows...)); err != nil {
			return err
		}
	}
	return nil
}

// share holds records that were not held yet, and forgets what was read of them before.
func (s *session) share(m *catalog.Model, ids []string, how store.Holding) error {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.held[m.Code+" "+id] })
	for chunk := range slices.Chunk(ids, many) {
		if err := s.tx.Hold(s.ctx, m, chunk, how); err != nil {
			return err
		}
	}
	for _, id := range ids {
		s.held[m.Code+" "+id] = true
		s.forget(m, id)
	}
	return nil
}
