package record

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Moment names an earlier state of a record: by its version, or by a time.
type Moment struct {
	Version *int64
	At      *time.Time
}

// AsOf goes back from a record as it is, write by write, to what it was: the state, and the write that made it. A moment at
// which there was no such record is VersionNotFound. What of it the view may see is decided by the caller.
func AsOf(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, id string, moment Moment) (State, History, error) {
	s := newSession(ctx, tx, view)
	st, err := s.stateOf(m, id)
	if err != nil || st == nil {
		return State{}, History{}, orFault(err, fault.RecordNotFound)
	}
	of := func() *gorm.DB {
		return tx.System().Where(tx.Called("model", names.Model, m.Code)).Where("record = ?", id).Order("version DESC, at DESC, id DESC")
	}
	at := of()
	if moment.Version != nil {
		at = at.Where("version = ?", *moment.Version)
	} else if moment.At != nil {
		at = at.Where("at <= ?", moment.At.UTC())
	}
	var made []History
	if err := at.Limit(1).Find(&made).Error; err != nil {
		return State{}, History{}, err
	}
	if len(made) == 0 || made[0].Kind == Deleted {
		return State{}, History{}, fault.New(fault.VersionNotFound)
	}
	var since []History
	if err := of().Where("version > ?", made[0].Version).Find(&since).Error; err != nil {
		return State{}, History{}, err
	}
	for _, h := range since {
		ch, err := ChangesOf(tx, h)
		if err != nil {
			return State{}, History{}, err
		}
		st.undo(ch)
	}
	if len(since) > 0 {
		st.Row[catalog.Version] = made[0].Version
		if err := st.modified(of().Where("version <= ? AND kind <> ?", made[0].Version, Derived)); err != nil {
			return State{}, History{}, err
		}
	}
	return st.ordered(), made[0], nil
}

// modified fills in who changed the record last, of some writes: what is only recomputed is nobody's change.
func (st *State) modified(writes *gorm.DB) error {
	var last []History
	if err := writes.Limit(1).Find(&last).Error; err != nil || len(last) == 0 {
		return err
	}
	st.Row[catalog.ModifiedTime] = last[0].At.UTC()
	delete(st.Row, catalog.Modifier)
	if last[0].UserID != "" {
		st.Row[catalog.Modifier] = last[0].UserID
	}
	return nil
}

// undo takes one write back. What the definitions no longer know is passed over.
func (st *State) undo(ch Changes) {
	for _, f := range ch.Fields {
		before(st.Model, st.Row, f)
	}
	for _, r := range ch.Rows {
		f := st.Model.Field(r.Sheet)
		if f == nil || f.Sheet == nil {
			continue
		}
		st.Sheets[f.Code] = undoRow(f.Sheet, st.ID, st.Sheets[f.Code], r)
	}
}

// unplaced is where rows stand whose place no history tells: behind the others.
const unplaced = math.MaxInt32

func undoRow(m *catalog.Model, parent string, rows []map[string]any, r RowChange) []map[string]any {
	at := -1
	for i, row := range rows {
		if row[catalog.ID] == r.ID {
			at = i
		}
	}
	switch {
	case at < 0 && r.Kind == Deleted:
		row := map[string]any{catalog.ID: r.ID, catalog.SheetParent: parent, catalog.SheetOrder: int64(unplaced)}
		rows, at = append(rows, row), len(rows)
	case at < 0: // no history tells how it went
		return rows
	case r.Kind == Created:
		return append(rows[:at:at], rows[at+1:]...)
	}
	for _, f := range r.Changes {
		before(m, rows[at], f)
	}
	if r.Was > 0 {
		rows[at][catalog.SheetOrder] = r.Was
	}
	return rows
}

// before gives a row the value that a field had before a change.
func before(m *catalog.Model, row map[string]any, ch FieldChange) {
	f := m.Field(ch.Code)
	if f == nil {
		return
	}
	cols := f.Property.Columns()
	for i, v := range Columns(f.Property, ch.Before) {
		if v == nil {
			delete(row, cols[i].Name)
		} else {
			row[cols[i].Name] = v
		}
	}
}

// ValueOf is a property's value in a row of a state.
func ValueOf(row map[string]any, f *catalog.Field) any {
	cols := f.Property.Columns()
	in := make([]any, len(cols))
	for i, c := range cols {
		in[i] = row[c.Name]
	}
	return f.Property.Load(in)
}

// heldBefore reports whether a field of the record held a file at some time: it may take it again, no matter who uploaded it.
func (s *session) heldBefore(m *catalog.Model, record, code, file string) (bool, error) {
	var rows []History
	err := s.tx.System().Where(s.tx.Called("model", names.Model, m.Code)).Where("record = ? AND changes LIKE ?", record, "%"+file+"%").Find(&rows).Error
	if err != nil {
		return false, err
	}
	for _, h := range rows {
		ch, err := ChangesOf(s.tx, h)
		if err != nil {
			continue
		}
		if namesFile(m, ch.Fields, "", code, file) {
			return true, nil
		}
		for _, r := range ch.Rows {
			if f := m.Field(r.Sheet); f != nil && f.Sheet != nil && namesFile(f.Sheet, r.Changes, f.Code+".", code, file) {
				return true, nil
			}
		}
	}
	return false, nil
}

func namesFile(m *catalog.Model, changes []FieldChange, prefix, code, file string) bool {
	for _, ch := range changes {
		f := m.Field(ch.Code)
		if f == nil || prefix+f.Code != code {
			continue
		}
		for _, side := range [][]json.RawMessage{ch.Before, ch.After} {
			for i, v := range Columns(f.Property, side) {
				set, _ := v.([]string)
				if f.Property.Columns()[i].Kind == plan.Set && slices.Contains(set, file) {
					return true
				}
			}
		}
	}
	return false
}
