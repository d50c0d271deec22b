package record

import (
	"cmp"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// referrers are the stored fields of all models and sub-tables that refer to a model.
func referrers(c *catalog.Catalog, to *catalog.Model) []*catalog.Field {
	var out []*catalog.Field
	for _, m := range c.Models {
		for _, at := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range at.Fields {
				if f.Target != to || len(f.Columns()) == 0 {
					continue
				}
				own := *f // system fields are shared by all models
				own.Model = at
				out = append(out, &own)
			}
		}
	}
	return out
}

func refersTo(f *catalog.Field, id string) plan.Expr {
	col := f.Column()
	if col.K == plan.Set {
		return &plan.InSet{Op: plan.SetIntersects, F: col, G: &plan.Const{K: plan.Set, Value: []string{id}}}
	}
	return &plan.Compare{Op: plan.EQ, A: col, B: &plan.Const{K: plan.ID, Value: id}}
}

// clear empties the references to a record that shall go, where the definitions say so; each record so changed gets a
// version and history of its own.
func (s *session) clear(m *catalog.Model, id string) (cleared []clearedRef, err error) {
	for _, f := range referrers(s.view.Catalog, m) {
		if f.OnDelete != "clear" {
			continue
		}
		rows, err := s.load(f.Model, refersTo(f, id))
		if err != nil {
			return nil, err
		}
		// What refers to itself goes as a whole.
		rows = slices.DeleteFunc(rows, func(old map[string]any) bool {
			owner, _ := ownerOf(f.Model, old)
			return s.going[root(m).Code+" "+owner] && root(f.Model) == m
		})
		owners := make([]string, len(rows))
		for i, old := range rows {
			owners[i], _ = ownerOf(f.Model, old)
		}
		if held, err := s.heldRefs(f, owners); err != nil || len(held) > 0 {
			return nil, cmp.Or(err, store.ErrConflict) // approved since it was judged
		}
		for _, old := range rows {
			ref, rest := refOf(f, old, id)
			cleared = append(cleared, ref)
			if err := s.refer(f, old, rest); err != nil {
				return nil, err
			}
		}
	}
	return cleared, nil
}

// refOf is the reference of a row to a record, and what replaces it.
func refOf(f *catalog.Field, old map[string]any, id string) (clearedRef, any) {
	own := f.Property.Columns()[0].Name
	rowID, _ := old[catalog.ID].(string)
	ref := clearedRef{Model: f.Model.Code, Column: own, ID: rowID}
	set, ok := old[own].([]string)
	if !ok {
		return ref, nil
	}
	ref.At = slices.Index(set, id)
	if rest := slices.DeleteFunc(slices.Clone(set), func(s string) bool { return s == id }); len(rest) > 0 {
		return ref, rest
	}
	return ref, nil
}

// ownerOf is the id of the record that a row is, or belongs to, and whether it is a row of a sub-table.
func ownerOf(m *catalog.Model, row map[string]any) (id string, inSheet bool) {
	column := catalog.ID
	if m.Parent != nil {
		column = catalog.SheetParent
	}
	id, _ = row[column].(string)
	return id, m.Parent != nil
}

// update changes a row that was read in this transaction; ErrConflict when somebody else has changed it since.
func (s *session) update(m *catalog.Model, id string, version int64, set map[string]any) error {
	n, err := s.tx.Update(s.ctx, m, id, version, plan.True, set)
	if err == nil && n == 0 {
		err = store.ErrConflict
	}
	return err
}

// refer gives a relation of a row another value; its record gets a version and an entry of its history, and is recomputed.
func (s *session) refer(f *catalog.Field, old map[string]any, value any) error {
	m, own := f.Model, f.Property.Columns()[0].Name
	row := clone(old)
	row[own] = value
	rowID, _ := old[catalog.ID].(string)
	changes := differences(m, old, row)
	if m.Parent == nil {
		version, _ := old[catalog.Version].(int64)
		set := map[string]any{own: row[own], catalog.Version: version + 1, catalog.ModifiedTime: s.now, catalog.Modifier: orNil(s.view.Principal().UserID)}
		if err := s.update(m, rowID, version, set); err != nil {
			return err
		}
		s.forget(m, rowID)
		s.record(m, rowID, version+1, Updated, changes, nil)
		if err := s.tellCleared(m, rowID, version); err != nil {
			return err
		}
		due := derivations{}
		due.add(m, fields{f: true}, rowID)
		if err := s.affected(&due, m, rowID, old, row); err != nil {
			return err
		}
		return s.settle(&due)
	}
	if err := s.update(m, rowID, -1, map[string]any{own: row[own]}); err != nil {
		return err
	}
	parentID, _ := old[catalog.SheetParent].(string)
	parent, err := s.one(m.Parent, parentID, plan.True)
	if err != nil || parent == nil {
		return err
	}
	version, _ := parent[catalog.Version].(int64)
	set := map[string]any{catalog.Version: version + 1, catalog.ModifiedTime: s.now, catalog.Modifier: orNil(s.view.Principal().UserID)}
	if err := s.update(m.Parent, parentID, version, set); err != nil {
		return err
	}
	s.forget(m.Parent, parentID)
	s.record(m.Parent, parentID, version+1, Updated, nil, []RowChange{{Sheet: sheetCode(m), ID: rowID, Kind: Updated, Was: placeOf(old), Place: placeOf(old), Changes: changes}})
	if err := s.tellCleared(m.Parent, parentID, version); err != nil {
		return err
	}
	due := derivations{}
	due.add(m.Parent, fields{f: true}, parentID)
	return s.settle(&due)
}

// directory reports whether the organisation in memory has a person or a department, whom everybody may refer to. It may be a moment
// old. A relation has a key in the database, which refuses who is gone; a field of people or departments has none, and may name somebody
// who was deleted within that moment.
func (s *session) directory(model, id string) (known bool) {
	switch model {
	case userModel:
		_, known = s.w.people.Person(s.ctx, id)
	case departmentModel:
		_, known = s.w.people.Department(s.ctx, id)
	}
	return known
}

// made reports whether a record was created in this transaction, for a principal who sees all of its model.
func (s *session) made(model, id string) bool {
	m := s.view.Model(model)
	return s.nested.made[model+" "+id] && !s.going[model+" "+id] && m != nil && plan.IsTrue(s.view.Rows(m))
}

// learn asks the database for ids not known yet, in one query a model, and with it whether the fields offer them.
func (c *change) learn(wanted []wantedRef) error {
	ask, offers := map[string][]string{}, map[string][]wantedRef{}
	for _, w := range wanted {
		for id, models := range w.ids {
			for _, m := range models {
				if w.field.Target != nil && c.directory(m, id) || w.offer == nil && c.made(m, id) {
					c.know(m, id)
				}
				if !c.known[m][id] && !slices.Contains(ask[m], id) {
					ask[m] = append(ask[m], id)
				}
			}
		}
		if w.offer != nil {
			offers[w.field.Target.Code] = append(offers[w.field.Target.Code], w)
		}
	}
	for code, ids := range ask {
		found, err := c.existing(code, ids, offers[code])
		if err != nil {
			return err
		}
		c.know(code, found...)
	}
	return nil
}

func (s *session) know(model string, ids ...string) {
	if s.known[model] == nil {
		s.known[model] = map[string]bool{}
	}
	for _, id := range ids {
		s.known[model][id] = true
	}
}

// existing returns those ids that exist and that the principal may refer to. Model "" are files: those that
// the principal has brought itself.
func (c *change) existing(code string, ids []string, offers []wantedRef) ([]string, error) {
	var out []string
	if code == "" {
		files := c.tx.System().Table("sl_file").Where("id IN ?", ids)
		if p := c.view.Principal(); p.System == "" {
			files = files.Where("created_by = ?", p.UserID)
		}
		return out, files.Pluck("id", &out).Error
	}
	m := c.view.Model(code)
	if m == nil {
		return nil, nil
	}
	where := plan.AllOf(idIn(ids), c.rowsOf(m))
	if plan.IsFalse(where) {
		return nil, nil
	}
	q := &plan.Query{Model: m.Code, Where: where, Select: []plan.Expr{idField}}
	for _, w := range offers {
		q.Select = append(q.Select, &plan.Guarded{Cond: w.offer, X: idField})
	}
	err := c.tx.Query(c.ctx, c.view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		out = append(out, id)
		for i, w := range offers {
			if c.offers == nil {
				c.offers = offering{}
			}
			c.offers.learn(w.field, id, row[i+1] != nil)
		}
		return nil
	})
	return out, err
}
