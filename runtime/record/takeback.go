package record

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TakeBack undoes the write that made a version of a record, in a transaction of the caller's, as SaveIn writes: a record that it made is
// deleted, what it changed gets the values from before, rows of sub-tables included. When somebody has changed the record since, it is
// ChangedSince; changes of computed values do not count.
func (w *Writer) TakeBack(ctx context.Context, tx *store.Tx, view *authz.View, model, id string, version int64) error {
	m := view.Model(model)
	if m == nil {
		return fault.New(fault.ModelNotFound, model)
	}
	s := w.session(ctx, tx, view)
	now, err := s.one(m, id, view.Rows(m))
	if err != nil || now == nil {
		return orFault(err, fault.RecordNotFound)
	}
	have, _ := now[catalog.Version].(int64)
	if have != version {
		if ok, err := (&change{session: s, m: m, id: id}).onlyDerived(version, have); err != nil || !ok {
			return orFault(err, fault.ChangedSince)
		}
	}
	var made History
	err = tx.System().Where("model = ? AND record = ? AND version = ?", m.Code, id, version).Take(&made).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return fault.New(fault.VersionNotFound)
	}
	if err != nil {
		return err
	}
	if made.Kind == Created {
		b := &Batch{s: s}
		if err := b.delete(model, id); err != nil {
			return err
		}
		return s.flush()
	}
	set, err := s.before(m, id, made)
	if err != nil {
		return err
	}
	_, err = w.SaveIn(ctx, tx, view, Change{Model: model, ID: id, Version: &have, Set: set, Undoes: true, Touching: true})
	return err
}

// before are the values that a write replaced, as a save takes them.
func (s *session) before(m *catalog.Model, id string, made History) (map[string]json.RawMessage, error) {
	st, err := s.stateOf(m, id)
	if err != nil || st == nil {
		return nil, orFault(err, fault.RecordNotFound)
	}
	there := map[string]bool{}
	for _, rows := range st.Sheets {
		for _, row := range rows {
			rowID, _ := row[catalog.ID].(string)
			there[rowID] = true
		}
	}
	ch, err := ChangesOf(s.tx, made)
	if err != nil {
		return nil, err
	}
	st.undo(ch)
	was := st.ordered()
	set := map[string]json.RawMessage{}
	for _, c := range ch.Fields {
		if f := m.Field(c.Code); f != nil && Settable(f) {
			set[f.Code] = wireOf(was.Row, f)
		}
	}
	touched := map[string][]FieldChange{} // of rows that are still there: only what changed goes back
	for _, c := range ch.Rows {
		touched[c.ID] = c.Changes
	}
	for _, c := range ch.Rows {
		f := m.Field(c.Sheet)
		if f == nil || f.Sheet == nil || !Settable(f) || set[f.Code] != nil {
			continue
		}
		rows := make([]map[string]json.RawMessage, len(was.Sheets[f.Code]))
		for i, row := range was.Sheets[f.Code] {
			rows[i] = map[string]json.RawMessage{}
			rowID, _ := row[catalog.ID].(string)
			if there[rowID] {
				rows[i][catalog.ID] = property.AppendQuoted(nil, rowID)
			}
			for _, g := range f.Sheet.Fields {
				changed := slices.ContainsFunc(touched[rowID], func(c FieldChange) bool { return c.Code == g.Code })
				if Settable(g) && (changed || !there[rowID]) {
					rows[i][g.Code] = wireOf(row, g)
				}
			}
		}
		if set[f.Code], err = json.Marshal(rows); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// wireOf is a value of a row as a save takes it. References need names to be written at all; which, nobody reads.
func wireOf(row map[string]any, f *catalog.Field) json.RawMessage {
	v := get(row, f)
	if v == nil {
		return json.RawMessage("null")
	}
	return f.Property.AppendJSON(nil, v, nameless{})
}

type nameless struct{}

// Name implements property.Names.
func (nameless) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "-"}, true }
