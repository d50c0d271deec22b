package record

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Kind of a write.
type Kind string

// The kinds of writes.
const (
	Created  Kind = "create"
	Updated  Kind = "update"
	Deleted  Kind = "delete"
	Restored Kind = "restore" // brought back from the recycle bin
	Derived  Kind = "derive"  // computed values, because records that they read have changed
)

func kindOf(create bool) Kind {
	if create {
		return Created
	}
	return Updated
}

// History is one write of one record. Changes holds JSON of Changes.
type History struct {
	ID      string    `gorm:"primaryKey;size:36"`
	Model   string    `gorm:"not null;index:sl_history_record,priority:1"`
	Record  string    `gorm:"not null;size:36;index:sl_history_record,priority:2"`
	Version int64     `gorm:"not null;index:sl_history_record,priority:3"`
	Kind    Kind      `gorm:"not null"`
	UserID  string    `gorm:"not null"` // "" = the system
	Name    string    `gorm:"not null"` // of the user then
	Dept    string    `gorm:"not null"` // main department then
	At      time.Time `gorm:"not null;index"`
	Changes string    `gorm:"not null"`
	Epoch   int64     `gorm:"not null;default:0"` // of the codes in Model and Changes: the log of names leads on from there
}

// TableName is the system table.
func (History) TableName() string { return "sl_history" }

// Changes is what a write changed.
type Changes struct {
	Fields []FieldChange `json:"fields,omitempty"`
	Rows   []RowChange   `json:"rows,omitempty"`
	Remark string        `json:"remark,omitempty"` // why, in the person's words
	Reason string        `json:"reason,omitempty"` // why code of a pack wrote it with a right of its own
}

// FieldChange is a property before and after. Both hold one value a column of the property, in the order of
// Property.Columns, as Columns reads them; null = empty.
type FieldChange struct {
	Code   string            `json:"code"`
	Before []json.RawMessage `json:"before,omitempty"`
	After  []json.RawMessage `json:"after,omitempty"`
}

// RowChange is a row of a sub-table. Was and Place are its places in the list, from 1, before and after; 0 = it was not there.
// Histories from before these were kept have none.
type RowChange struct {
	Sheet   string        `json:"sheet"`
	ID      string        `json:"id"`
	Kind    Kind          `json:"kind"`
	Was     int64         `json:"was,omitempty"`
	Place   int64         `json:"place,omitempty"`
	Changes []FieldChange `json:"changes,omitempty"`
}

func placeOf(row map[string]any) int64 {
	n, _ := row[catalog.SheetOrder].(int64)
	return n
}

// differences lists the authors' properties, and name and owner, that differ between two states of a row.
func differences(m *catalog.Model, old, row map[string]any) []FieldChange {
	var out []FieldChange
	for _, f := range m.Fields {
		if f.System && f.Code != catalog.Owner && f.Code != catalog.OwnerDept {
			continue
		}
		cols := f.Columns()
		if !slices.ContainsFunc(cols, func(c plan.Column) bool { return !equal(old[c.Name], row[c.Name]) }) {
			continue
		}
		out = append(out, FieldChange{Code: f.Code, Before: encode(cols, old), After: encode(cols, row)})
	}
	return out
}

// Side is one side of a FieldChange: the columns of a property in a row, by name; nil when all are empty.
func Side(cols []plan.Column, row map[string]any) []json.RawMessage { return encode(cols, row) }

func encode(cols []plan.Column, row map[string]any) []json.RawMessage {
	out := make([]json.RawMessage, len(cols))
	empty := true
	for i, c := range cols {
		v := row[c.Name]
		empty = empty && v == nil
		out[i] = appendValue(nil, v)
	}
	if empty {
		return nil
	}
	return out
}

// Columns reads one side of a FieldChange back into the Go forms of plan.Kind, for Property.Load. A value of another form,
// from before a change of the property's type, is converted where the property knows how, and otherwise empty.
func Columns(p property.Property, side []json.RawMessage) []any {
	cols := p.Columns()
	out := make([]any, len(cols))
	for i, c := range cols {
		if i < len(side) {
			out[i] = columnOf(p, i, c.Kind, side[i])
		}
	}
	return out
}

// columnOf reads the kept value of column i of a property, in its form of today or in one from before.
func columnOf(p property.Property, i int, k plan.Kind, raw json.RawMessage) any {
	v := column(k, raw)
	from, ok := p.(property.Converter)
	if v != nil || i > 0 || !ok {
		return v
	}
	for _, c := range from.Conversions() {
		if old := column(c.From, raw); old != nil {
			if v := c.Value(old, k); v != nil { // a text may be read as several forms
				return v
			}
		}
	}
	return nil
}

func column(k plan.Kind, raw json.RawMessage) any {
	var text string
	isText := json.Unmarshal(raw, &text) == nil && text != ""
	switch k {
	case plan.Number:
		if d, err := decimal.NewFromString(text); isText && err == nil && plan.NumberText.MatchString(text) { // "007" was written as a text
			return d
		}
	case plan.Date:
		if _, err := time.Parse(time.DateOnly, text); isText && err == nil {
			return text
		}
	case plan.Clock:
		if isText && len(text) == len(time.TimeOnly) && plan.ClockText.MatchString(text) {
			return text
		}
	case plan.Instant:
		if t, err := time.Parse(time.RFC3339Nano, text); isText && err == nil {
			return t
		}
	case plan.Bool:
		var b *bool
		if json.Unmarshal(raw, &b) == nil && b != nil {
			return *b
		}
	case plan.Int:
		var n *int64
		if json.Unmarshal(raw, &n) == nil && n != nil {
			return *n
		}
	case plan.Set:
		var set []string
		if json.Unmarshal(raw, &set) == nil && len(set) > 0 {
			return set
		}
	default:
		if isText {
			return text
		}
	}
	return nil
}

// record notes a write; flush stores the notes.
func (s *session) record(m *catalog.Model, id string, version int64, kind Kind, fields []FieldChange, rows []RowChange) {
	s.note(m, id, version, kind, Changes{Fields: fields, Rows: rows})
}

func (s *session) note(m *catalog.Model, id string, version int64, kind Kind, ch Changes) {
	ch.Reason = s.view.Principal().Reason
	p := s.view.Principal()
	s.history = append(s.history, History{ID: newID(), Model: m.Code, Record: id, Version: version, Kind: kind,
		UserID: p.UserID, Name: p.Name, Dept: p.MainDepartment, At: s.now, Changes: string(ch.appendJSON(nil)), Epoch: s.tx.Epoch()})
}

// historyColumns are those of History, in the order of its values.
var historyColumns = []string{"id", "model", "record", "version", "kind", "user_id", "name", "dept", "at", "changes", "epoch"}

func (h *History) values() []any {
	return []any{h.ID, h.Model, h.Record, h.Version, string(h.Kind), h.UserID, h.Name, h.Dept, h.At, h.Changes, h.Epoch}
}

// flush stores the history of what the session wrote, or lets it wait for that of the transaction's other writes.
func (s *session) flush() error {
	waiting := s.history
	s.history = nil
	if s.nested.gathers {
		if s.nested.history = append(s.nested.history, waiting...); len(s.nested.history) >= mostWaiting {
			return s.storeWaiting()
		}
		return nil
	}
	return s.storeHistory(waiting)
}

// mostWaiting is how much history waits in memory.
const mostWaiting = 500

// storeWaiting stores the history that waits: before somebody reads it, and at the end of the transaction.
func (s *session) storeWaiting() error {
	waiting := s.nested.history
	s.nested.history = nil
	return s.storeHistory(waiting)
}

func (s *session) storeHistory(history []History) error {
	if len(history) == 0 {
		return nil
	}
	rows := make([][]any, len(history))
	for i := range history {
		rows[i] = history[i].values()
	}
	return s.tx.Note(s.ctx, History{}.TableName(), historyColumns, rows...)
}

// changedSince lists the properties that writes changed after a version.
func (s *session) changedSince(m *catalog.Model, id string, version int64) ([]string, error) {
	if err := s.storeWaiting(); err != nil {
		return nil, err
	}
	var rows []History
	err := s.tx.System().Where(s.tx.Called("model", names.Model, m.Code)).Where("record = ? AND version > ?", id, version).Order("version").Limit(1000).Find(&rows).Error
	if err != nil {
		return nil, err
	}
	out := []string{}
	add := func(code string) {
		if !slices.Contains(out, code) {
			out = append(out, code)
		}
	}
	for _, h := range rows {
		ch, err := ChangesOf(s.tx, h)
		if err != nil {
			continue
		}
		for _, f := range ch.Fields {
			add(f.Code)
		}
		for _, r := range ch.Rows {
			add(r.Sheet)
		}
	}
	return out, nil
}

// HistoryOf reads the writes of some records of a model, newest first, and their number.
func HistoryOf(tx *store.Tx, model string, ids []string, skip, limit int) ([]History, int64, error) {
	var rows []History
	var total int64
	of := func() *gorm.DB {
		return tx.System().Model(&History{}).Where(tx.Called("model", names.Model, model)).Where("record IN ?", ids)
	}
	if err := of().Count(&total).Error; err != nil {
		return nil, 0, err
	}
	err := of().Order("at DESC, record, version DESC, id DESC").Offset(skip).Limit(limit).Find(&rows).Error
	return rows, total, err
}

// mostBetween bounds the writes of HistoryBetween.
const mostBetween = 100

// HistoryBetween reads the writes of a record that made the versions after one up to another, the oldest first.
func HistoryBetween(tx *store.Tx, model, id string, after, until int64) (rows []History, err error) {
	err = tx.System().Where(tx.Called("model", names.Model, model)).Where("record = ? AND version > ? AND version <= ?", id, after, until).Order("version, id").Limit(mostBetween).Find(&rows).Error
	return rows, err
}

// TakenOut notes in histories that a member was taken out of the sets of records, by nobody in particular.
func TakenOut(ctx context.Context, tx *store.Tx, model, property string, of []store.Membership, at time.Time) error {
	rows := make([][]any, len(of))
	for i, one := range of {
		ch := Changes{Fields: []FieldChange{{Code: property, Before: sideOf(one.Before), After: sideOf(one.After)}}}
		h := History{ID: newID(), Model: model, Record: one.ID, Version: one.Version + 1, Kind: Updated, At: at, Changes: string(ch.appendJSON(nil)), Epoch: tx.Epoch()}
		rows[i] = h.values()
	}
	return tx.Note(ctx, History{}.TableName(), historyColumns, rows...)
}

// sideOf is a set as a side of a FieldChange.
func sideOf(set []string) []json.RawMessage {
	if len(set) == 0 {
		return []json.RawMessage{json.RawMessage("null")}
	}
	b, err := json.Marshal(set)
	if err != nil { // texts cannot fail
		return nil
	}
	return []json.RawMessage{b}
}
