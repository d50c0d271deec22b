package query

import (
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// codeOf is how a field is named in the answer: "price", or "items.rate" within a sub-table.
func (h *historian) codeOf(f *catalog.Field) string {
	if sheet := sheetOf(h.m, f.Model); f.Model.Parent != nil && sheet != nil {
		return sheet.Code + "." + f.Code
	}
	return f.Code
}

// fieldsOfRow are the fields that the change of a row speaks of, and the one that names it.
func fieldsOfRow(sheet *catalog.Field, ch record.RowChange) []*catalog.Field {
	if sheet == nil || sheet.Sheet == nil {
		return nil
	}
	var out []*catalog.Field
	if label := labelOf(sheet.Sheet); label != nil {
		out = append(out, label)
	}
	for _, c := range ch.Changes {
		out = append(out, sheet.Sheet.Field(c.Code))
	}
	return out
}

// labelOf is the field that people know a row by: the first that they fill in.
func labelOf(sheet *catalog.Model) *catalog.Field {
	for _, f := range sheet.Fields {
		if !f.System && f.Compute == nil && len(f.Property.Columns()) > 0 {
			return f
		}
	}
	return nil
}

// readRows notes the names that changes of rows speak of, and reads how the rows that still stand are called.
func (h *historian) readRows(tx *store.Tx, rows []record.History) error {
	standing := map[*catalog.Field][]string{}
	for i, row := range rows {
		for _, ch := range h.changes[i].Rows {
			sheet := h.m.Field(ch.Sheet)
			if !h.shows(sheet, row.Record) || sheet.Sheet == nil {
				continue
			}
			for _, c := range ch.Changes {
				if f := sheet.Sheet.Field(c.Code); h.shows(f, row.Record) {
					h.names.collect(f, load(f, c.Before))
					h.names.collect(f, load(f, c.After))
				}
			}
			if label := labelOf(sheet.Sheet); h.shows(label, row.Record) {
				standing[label] = append(standing[label], ch.ID)
			}
		}
	}
	for label, ids := range standing {
		key := &plan.Field{Column: catalog.ID, K: plan.ID}
		q := &plan.Query{Model: label.Model.Code, Where: oneOf(catalog.ID, ids), Order: []plan.Order{{By: key}}, Select: []plan.Expr{key}}
		for _, c := range label.Property.Columns() {
			q.Select = append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
		}
		err := tx.Query(tx.Context(), h.view.Catalog, q, func(row []any) error {
			id, _ := row[0].(string)
			v := label.Property.Load(row[1:])
			h.names.collect(label, v)
			h.called[id] = v
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sheetChange says what happened to the rows of a sub-table; false when nothing that the principal may know of.
func (h *historian) sheetChange(sheet *catalog.Field, of string, ch record.Changes) (HistoryChange, bool) {
	out := HistoryChange{PropertyCode: sheet.Code, Name: sheet.Label.Zh, NameI18n: i18n(sheet.Label), Type: sheet.Type.Wire()}
	moved := false
	for _, r := range ch.Rows {
		if h.m.Field(r.Sheet) != sheet {
			continue
		}
		row := HistoryRow{ID: r.ID, Kind: r.Kind, Was: number(r.Was), Place: number(r.Place), Changes: []HistoryChange{}}
		label := labelOf(sheet.Sheet)
		value := h.called[r.ID]
		for _, c := range r.Changes {
			f := sheet.Sheet.Field(c.Code)
			if !h.shows(f, of) {
				continue
			}
			before, after := load(f, c.Before), load(f, c.After)
			row.Changes = append(row.Changes, h.change(f, before, after))
			if f == label {
				if value = after; r.Kind == record.Deleted {
					value = before
				}
			}
		}
		if r.Kind == record.Updated && len(row.Changes) == 0 {
			moved = moved || r.Was != r.Place
			continue
		}
		if value != nil && h.shows(label, of) {
			row.Label = orNull(label.Property.Text(value, property.TextContext{Locale: h.view.Principal().Locale, Zone: h.reader.zone, Names: h.names.of(label)}))
		}
		out.Rows = append(out.Rows, row)
	}
	words := h.counted(len(out.Rows))
	out.AfterText = &words
	return out, moved || len(out.Rows) > 0
}

func number(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func (h *historian) counted(n int) string {
	en := h.view.Principal().Locale == "en"
	switch {
	case n == 0 && en:
		return "rows in another order"
	case n == 0:
		return "调整了行的顺序"
	case en:
		return diag.Fill("{0} {0|row|rows} changed", []any{n}, "en")
	}
	return strconv.Itoa(n) + " 行有变动"
}
