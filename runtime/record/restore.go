package record

import (
	"context"
	"errors"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Restore brings a deleted record back under its id, with its sub-tables, in one transaction. It is refused when a value
// that must be unique has been given away since, or a record that it refers to is gone (RecordInvalid names the fields),
// unless the relation says that it is cleared then.
func (w *Writer) Restore(ctx context.Context, view *authz.View, model, id string) (Saved, error) {
	m, err := binned(view, model)
	if err != nil {
		return Saved{}, err
	}
	for range tries {
		ch := &change{m: m, id: id, create: true, act: "delete", set: map[string]any{}, sheets: map[string]*sheetChange{}}
		err = w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			ch.session, ch.errs = w.session(ctx, tx, view), nil
			if err := ch.restore(); err != nil {
				return err
			}
			return ch.flush()
		})
		switch {
		case err == nil:
			return Saved{ID: id, Version: ch.version}, nil
		case !errors.Is(err, store.ErrConflict):
			return Saved{}, ch.refused(err)
		}
	}
	return Saved{}, fault.Wrap(err, fault.RecordBusy)
}

func (c *change) restore() error {
	if c.m.LockGroup != "" { // references that come back are carried down
		if err := c.tx.Lock(c.ctx, lockName(c.m)); err != nil {
			return err
		}
	}
	st, _, err := c.takeOut(c.m, c.id)
	if err != nil {
		return err
	}
	there, err := c.one(c.m, c.id, plan.True)
	if err != nil {
		return err
	}
	if there != nil {
		return fault.New(fault.RestoreExists)
	}
	if c.version, err = c.nextVersion(c.m, c.id, st.Version()); err != nil {
		return err
	}
	c.take(st)
	if err := c.dropGone(); err != nil {
		return err
	}
	if err := c.refusal(); err != nil {
		return err
	}
	c.putSystem(catalog.Version, c.version)
	c.putSystem(catalog.Modifier, orNil(c.view.Principal().UserID))
	c.putSystem(catalog.ModifiedTime, c.now)
	return c.around(&hook.Record{Create: true, Restore: true, Set: c.settable()}, c.putBack)
}

// take makes the state the record under way.
func (c *change) take(st State) {
	c.cleared, c.row, c.sheets = st.cleared, clone(st.Row), map[string]*sheetChange{}
	for _, f := range c.m.Fields {
		if f.Sheet == nil {
			continue
		}
		s := &sheetChange{field: f, given: true}
		for i, row := range st.Sheets[f.Code] {
			id, _ := row[catalog.ID].(string)
			s.rows = append(s.rows, &rowChange{id: id, place: i + 1, row: clone(row)})
		}
		c.sheets[f.Code] = s
	}
}

// settable are the values that hooks may change.
func (c *change) settable() map[string]any {
	out := map[string]any{}
	for _, f := range c.m.Fields {
		if v := get(c.row, f); v != nil && !f.System && f.Compute == nil {
			out[f.Code] = v
		}
	}
	return out
}

// nextVersion goes on counting where the record's history ended.
func (s *session) nextVersion(m *catalog.Model, id string, version int64) (int64, error) {
	if err := s.storeWaiting(); err != nil {
		return 0, err
	}
	var last *int64
	err := s.tx.System().Model(&History{}).Where(s.tx.Called("model", names.Model, m.Code)).Where("record = ?", id).Select("max(version)").Scan(&last).Error
	if last != nil {
		version = max(version, *last)
	}
	return version + 1, err
}

// dropGone empties references whose records are gone where definitions say so, and refuses the others.
func (c *change) dropGone() error {
	drop := func(f *catalog.Field, code, name string, row map[string]any) error {
		r, ok := f.Property.(property.Referrer)
		if !ok || f.Sheet != nil || len(f.Property.Columns()) == 0 {
			return nil
		}
		gone, err := c.missingTargets(r.Refs(get(row, f)))
		if err != nil || len(gone) == 0 {
			return err
		}
		_, files := f.Property.(property.FileTaker)
		if !files && !f.System && f.OnDelete != "clear" && f.Compute == nil {
			c.errs = append(c.errs, fault.FieldError{PropertyCode: code, Row: name, Code: fault.FieldReference, Args: []any{f.Label}})
			return nil
		}
		for _, col := range f.Property.Columns() {
			switch v := row[col.Name].(type) {
			case string:
				if slices.Contains(gone, v) {
					delete(row, col.Name)
				}
			case []string:
				rest := slices.DeleteFunc(slices.Clone(v), func(id string) bool { return slices.Contains(gone, id) })
				if row[col.Name] = rest; len(rest) == 0 {
					delete(row, col.Name)
				}
			}
		}
		return nil
	}
	for _, f := range c.m.Fields {
		if err := drop(f, f.Code, "", c.row); err != nil {
			return err
		}
		if f.Sheet == nil {
			continue
		}
		for _, r := range c.sheets[f.Code].rows {
			for _, g := range f.Sheet.Fields {
				if err := drop(g, f.Code+"."+g.Code, r.name(), r.row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// missingTargets are the ids of references that lead to nothing, no matter who asks. A record may refer to itself.
func (c *change) missingTargets(refs []plan.Ref) (out []string, err error) {
	found := map[string]bool{}
	byModel := map[string][]string{}
	for _, ref := range refs {
		byModel[ref.Model] = append(byModel[ref.Model], ref.ID)
	}
	for code, ids := range byModel {
		have := []string{}
		if code == "" {
			err = c.tx.System().Table("sl_file").Where("id IN ?", ids).Pluck("id", &have).Error
		} else if m := c.view.Model(code); m != nil {
			err = c.tx.Query(c.ctx, c.view.Catalog, &plan.Query{Model: code, Where: idIn(ids), Select: []plan.Expr{idField}}, func(row []any) error {
				id, _ := row[0].(string)
				have = append(have, id)
				return nil
			})
		}
		if err != nil {
			return nil, err
		}
		for _, id := range have {
			found[id] = true
		}
	}
	for _, ref := range refs { // the same id may stand for a person or a department
		if !found[ref.ID] && ref.ID != c.id && !slices.Contains(out, ref.ID) {
			out = append(out, ref.ID)
		}
	}
	return out, nil
}

// putBack writes the record between the hooks.
func (c *change) putBack() error {
	if err := c.takeHooks(); err != nil {
		return err
	}
	if err := c.computeHeld(); err != nil {
		return err
	}
	if c.m.Code == userModel {
		if err := c.signInName(); err != nil {
			return err
		}
	}
	if err := c.refusal(); err != nil {
		return err
	}
	row := clone(c.row)
	row[catalog.ID] = c.id
	if err := c.tx.Insert(c.ctx, c.m, row); err != nil {
		return err
	}
	var rows []RowChange
	for _, f := range c.m.Fields {
		if f.Sheet == nil {
			continue
		}
		for _, r := range c.sheets[f.Code].rows {
			row := clone(r.row)
			row[catalog.ID], row[catalog.SheetParent] = r.id, c.id
			if err := c.tx.Insert(c.ctx, f.Sheet, row); err != nil {
				return err
			}
			if len(f.Sheet.Own) > 0 {
				continue
			}
			rows = append(rows, RowChange{Sheet: f.Code, ID: r.id, Kind: Created, Place: placeOf(r.row), Changes: differences(f.Sheet, nil, r.row)})
		}
	}
	c.record(c.m, c.id, c.version, Restored, differences(c.m, nil, c.row), rows)
	c.forget(c.m, c.id)
	var due derivations
	if err := c.affected(&due, c.m, c.id, nil, c.row); err != nil {
		return err
	}
	if c.meetsItself() {
		due.add(c.m, c.toItself(), c.id)
	}
	if err := c.settle(&due); err != nil {
		return err
	}
	return c.restoreReferences()
}

// meetsItself reports whether the record, or one of its rows, refers to the record: what is computed from there could not be read before the
// record was back.
func (c *change) meetsItself() bool {
	itself := func(m *catalog.Model, row map[string]any) bool {
		return slices.ContainsFunc(m.Fields, func(f *catalog.Field) bool {
			return f.Target == c.m && len(f.Property.Columns()) > 0 && slices.Contains(targets(f.Column(), row), c.id)
		})
	}
	if itself(c.m, c.row) {
		return true
	}
	for _, s := range c.sheets {
		if slices.ContainsFunc(s.rows, func(r *rowChange) bool { return itself(s.field.Sheet, r.row) }) {
			return true
		}
	}
	return false
}

// restoreReferences fills in the references that were emptied with the record, where nothing else has taken their place.
func (c *change) restoreReferences() error {
	for _, f := range referrers(c.view.Catalog, c.m) {
		for _, ref := range c.cleared {
			if f.Model.Code != ref.Model || f.Property.Columns()[0].Name != ref.Column || f.OnDelete != "clear" {
				continue
			}
			row, err := c.one(f.Model, ref.ID, plan.True)
			if err != nil {
				return err
			}
			value, missing := withRef(f, row, c.id, ref.At)
			if row == nil || !missing {
				continue
			}
			owner, _ := ownerOf(f.Model, row)
			if held, err := c.heldRefs(f, []string{owner}); err != nil || len(held) > 0 {
				if err != nil {
					return err
				}
				continue // it was approved without the reference
			}
			if c.m.Tree != nil && f.Model == c.m && f.Code == c.m.Tree.Code { // the record may stand below its former child by now
				if ring, err := c.rings(c.m, ref.ID, c.id); err != nil || ring {
					if err != nil {
						return err
					}
					continue
				}
			}
			if err := c.refer(f, row, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// withRef is the value of a relation with a reference back in its place; false when there is no place for it.
func withRef(f *catalog.Field, row map[string]any, id string, at int) (any, bool) {
	col := f.Property.Columns()[0]
	if col.Kind != plan.Set {
		return id, row[col.Name] == nil
	}
	set, _ := row[col.Name].([]string)
	return slices.Insert(slices.Clone(set), min(max(at, 0), len(set)), id), !slices.Contains(set, id)
}

// toItself are the properties of the record and its rows that may refer to the record.
func (c *change) toItself() fields {
	out := fields{}
	for _, m := range append([]*catalog.Model{c.m}, c.m.Sheets...) {
		for _, f := range m.Fields {
			if f.Target == c.m {
				out.add(f)
			}
		}
	}
	return out
}
