package record

import (
	"encoding/json"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ChangesOf reads what a write changed, by the codes that its properties have now. Of those that have gone since nothing is told: a property
// that was made later under the code of one is another.
func ChangesOf(tx *store.Tx, h History) (ch Changes, err error) {
	if err := json.Unmarshal([]byte(h.Changes), &ch); err != nil {
		return ch, err
	}
	then := tx.NameLog().Since(h.Epoch, h.At)
	if then.Now() {
		return ch, nil
	}
	r := earlier{tx, then}
	rows := ch.Rows
	ch.Rows = nil
	if ch.Fields, err = r.changes(h.Model, ch.Fields); err != nil {
		return ch, err
	}
	for _, row := range rows {
		sheet, ok := then.Property(h.Model, row.Sheet)
		if !ok {
			continue
		}
		if row.Changes, err = r.changes(names.Join(h.Model, row.Sheet), row.Changes); err != nil {
			return ch, err
		}
		row.Sheet = sheet
		ch.Rows = append(ch.Rows, row)
	}
	return ch, nil
}

// earlier reads what was written some time ago. Models and properties are called as they were then.
type earlier struct {
	tx   *store.Tx
	then names.Reading
}

func (r earlier) changes(model string, in []FieldChange) (out []FieldChange, err error) {
	for _, f := range in {
		code, ok := r.then.Property(model, f.Code)
		if !ok {
			continue
		}
		for _, side := range [][]json.RawMessage{f.Before, f.After} {
			for i, v := range side {
				if side[i], err = r.tx.ValueNow(r.then, model, f.Code, v); err != nil {
					return nil, err
				}
			}
		}
		f.Code = code
		out = append(out, f)
	}
	return out, nil
}

// state gives a kept state of a model of now the codes of now.
func (r earlier) state(m *catalog.Model, k keptState) (out keptState, err error) {
	if r.then.Now() {
		return k, nil
	}
	model := r.then.Then(names.Model, m.Code)
	out = keptState{Sheets: map[string][]map[string]json.RawMessage{}, Refs: k.Refs}
	if out.Row, err = r.row(model, k.Row); err != nil {
		return out, err
	}
	for code, rows := range k.Sheets {
		sheet, ok := r.then.Property(model, code)
		f := m.Field(sheet)
		if !ok || f == nil || f.Sheet == nil {
			continue
		}
		for _, row := range rows {
			now, err := r.row(names.Join(model, code), row)
			if err != nil {
				return out, err
			}
			out.Sheets[sheet] = append(out.Sheets[sheet], now)
		}
	}
	return out, nil
}

// row gives the columns of a row the names that they have now. A further column of a property (place__detail) follows it.
func (r earlier) row(model string, in map[string]json.RawMessage) (out map[string]json.RawMessage, err error) {
	out = make(map[string]json.RawMessage, len(in))
	for column, v := range in {
		code, part, further := strings.Cut(column, "__")
		now, ok := r.then.Property(model, code)
		if further {
			now += "__" + part
		}
		if !ok {
			continue
		}
		if out[now], err = r.tx.ValueNow(r.then, model, code, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
