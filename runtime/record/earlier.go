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
	rows := ch.Rows
	ch.Fields, ch.Rows = changesNow(then, h.Model, ch.Fields), nil
	for _, r := range rows {
		sheet, ok := then.Property(h.Model, r.Sheet)
		if !ok {
			continue
		}
		r.Changes = changesNow(then, names.Join(h.Model, r.Sheet), r.Changes)
		r.Sheet = sheet
		ch.Rows = append(ch.Rows, r)
	}
	return ch, nil
}

func changesNow(then names.Reading, model string, in []FieldChange) (out []FieldChange) {
	for _, f := range in {
		if code, ok := then.Property(model, f.Code); ok {
			f.Before, f.After = sideNow(then, model, f.Code, f.Before), sideNow(then, model, f.Code, f.After)
			f.Code = code
			out = append(out, f)
		}
	}
	return out
}

// sideNow gives the options of one side of a change the codes of now.
func sideNow(then names.Reading, model, property string, side []json.RawMessage) []json.RawMessage {
	for i, v := range side {
		side[i] = then.Value(model, property, v)
	}
	return side
}

// now gives a kept state the codes of now.
func (k keptState) now(then names.Reading, model string, m *catalog.Model) keptState {
	if then.Now() {
		return k
	}
	out := keptState{Row: rowNow(then, model, m, k.Row), Sheets: map[string][]map[string]json.RawMessage{}, Refs: k.Refs}
	for code, rows := range k.Sheets {
		sheet, ok := then.Property(model, code)
		f := m.Field(sheet)
		if !ok || f == nil || f.Sheet == nil {
			continue
		}
		for _, row := range rows {
			out.Sheets[sheet] = append(out.Sheets[sheet], rowNow(then, names.Join(model, code), f.Sheet, row))
		}
	}
	return out
}

// rowNow gives the columns of a row the names that they have now. A further column of a property (place__detail) follows it.
func rowNow(then names.Reading, model string, m *catalog.Model, in map[string]json.RawMessage) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(in))
	for column, v := range in {
		code, part, further := strings.Cut(column, "__")
		now, ok := then.Property(model, code)
		if further {
			now += "__" + part
		}
		if ok {
			out[now] = then.Value(model, code, v)
		}
	}
	return out
}
