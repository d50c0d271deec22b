package query

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// HistoryRequest asks for the writes of one record, newest first.
type HistoryRequest struct {
	SchemaCode  string `json:"schemaCode"`
	BizObjectID string `json:"bizObjectId"`
	Page        int    `json:"page"`
	Size        *int   `json:"size"`
}

// HistoryPage is a page of writes (api.yaml HistoryPage).
type HistoryPage struct {
	Content []HistoryEntry `json:"content"`
	Total   int64          `json:"totalElements"`
}

// HistoryEntry is one write of a record.
type HistoryEntry struct {
	ID         string          `json:"id"`
	Time       string          `json:"modifiedTime"`
	Creator    *string         `json:"creatorName"` // null when the principal may not read who wrote
	Department *string         `json:"departmentName"`
	Kind       record.Kind     `json:"kind"`
	Remark     *string         `json:"remark"`
	Changes    []HistoryChange `json:"changes"`
}

// HistoryChange is a field before and after, in words.
type HistoryChange struct {
	PropertyCode string            `json:"propertyCode"`
	Name         string            `json:"name"`
	NameI18n     map[string]string `json:"name_i18n"`
	Type         int               `json:"type"`
	Before       *string           `json:"beforeValue"`
	After        *string           `json:"afterValue"`
}

const maxHistoryPage = 100

// History answers the history of a record that the principal sees; fields that he may not read are left out.
func (r *Reader) History(ctx context.Context, c *catalog.Catalog, rt *authz.Rights, req HistoryRequest) (*HistoryPage, error) {
	m, err := model(c, rt, req.SchemaCode)
	if err != nil {
		return nil, err
	}
	size := 10
	if req.Size != nil {
		size = *req.Size
	}
	if req.Page < 0 || req.Page > math.MaxInt32 || size < 1 || size > maxHistoryPage {
		return nil, fault.New(fault.PageOutOfRange)
	}
	h := &historian{reader: r, ctx: ctx, c: c, rt: rt, m: m, names: r.names(ctx, c, rt), graph: newGraph(rt, m), shown: map[*catalog.Field]bool{}}
	out := &HistoryPage{Content: []HistoryEntry{}}
	err = r.read(ctx, func(tx *store.Tx) error {
		if seen, err := r.sees(ctx, tx, c, rt, m, req.BizObjectID, plan.True); err != nil || !seen {
			return orNotFound(err)
		}
		rows, total, err := record.HistoryOf(tx, m.Code, req.BizObjectID, req.Page*size, size)
		if err != nil {
			return err
		}
		out.Total = total
		if err := h.read(tx, req.BizObjectID, rows); err != nil {
			return err
		}
		for i, row := range rows {
			out.Content = append(out.Content, h.entry(row, h.changes[i]))
		}
		return nil
	})
	return out, err
}

// historian turns stored writes into words.
type historian struct {
	reader  *Reader
	ctx     context.Context
	c       *catalog.Catalog
	rt      *authz.Rights
	m       *catalog.Model
	graph   *graph
	names   *names
	shown   map[*catalog.Field]bool
	changes []record.Changes
}

// read decodes the changes, finds which fields may be shown and resolves the names that they speak of.
func (h *historian) read(tx *store.Tx, id string, rows []record.History) error {
	for _, row := range rows {
		var ch record.Changes
		if err := json.Unmarshal([]byte(row.Changes), &ch); err != nil {
			return err
		}
		h.changes = append(h.changes, ch)
		for _, f := range ch.Fields {
			field := h.m.Field(f.Code)
			if err := h.show(tx, id, field); err != nil {
				return err
			}
			if h.shown[field] {
				h.names.collect(field, load(field, f.Before))
				h.names.collect(field, load(field, f.After))
			}
		}
		for _, s := range ch.Rows {
			if err := h.show(tx, id, h.m.Field(s.Sheet)); err != nil {
				return err
			}
		}
		if err := h.show(tx, id, h.who(row)); err != nil {
			return err
		}
	}
	return h.names.resolve(tx)
}

func (h *historian) show(tx *store.Tx, id string, f *catalog.Field) error {
	if _, known := h.shown[f]; f == nil || known {
		return nil
	}
	n, err := h.graph.resolve(f.Code)
	if err != nil {
		h.shown[f] = false
		return nil //nolint:nilerr // not readable: not shown
	}
	if h.shown[f], err = true, nil; !plan.IsTrue(n.guard) {
		h.shown[f], err = h.reader.sees(h.ctx, tx, h.c, h.rt, h.m, id, n.guard)
	}
	return err
}

func load(f *catalog.Field, side []json.RawMessage) any {
	if len(side) == 0 {
		return nil
	}
	return f.Property.Load(record.Columns(f.Property.Columns(), side))
}

// who is the field that says of the record what a write says of its author.
func (h *historian) who(row record.History) *catalog.Field {
	if row.Kind == record.Created {
		return h.m.Field(catalog.Creator)
	}
	return h.m.Field(catalog.Modifier)
}

func (h *historian) entry(row record.History, ch record.Changes) HistoryEntry {
	e := HistoryEntry{ID: row.ID, Time: row.At.UTC().Format(time.RFC3339), Kind: row.Kind, Remark: orNull(ch.Remark), Changes: []HistoryChange{}}
	if h.shown[h.who(row)] {
		e.Creator = &row.Name
		if d, ok := h.reader.people.Department(h.ctx, row.Dept); ok {
			e.Department = &d.Name
		}
	}
	for _, f := range ch.Fields {
		if field := h.m.Field(f.Code); h.shown[field] {
			e.Changes = append(e.Changes, h.change(field, load(field, f.Before), load(field, f.After)))
		}
	}
	counted := map[string]int{}
	for _, s := range ch.Rows {
		if field := h.m.Field(s.Sheet); h.shown[field] {
			counted[s.Sheet]++
		}
	}
	for _, sheet := range h.m.Sheets {
		field := h.sheetField(sheet)
		if n := counted[field.Code]; n > 0 {
			after := h.rows(n)
			e.Changes = append(e.Changes, HistoryChange{PropertyCode: field.Code, Name: field.Label.Zh, NameI18n: i18n(field.Label), Type: field.Type.Wire(), After: &after})
		}
	}
	return e
}

func (h *historian) sheetField(sheet *catalog.Model) *catalog.Field {
	for _, f := range h.m.Fields {
		if f.Sheet == sheet {
			return f
		}
	}
	return nil
}

func (h *historian) rows(n int) string {
	if h.rt.Principal().Locale == "en" {
		return diag.Fill("{0} {0|row|rows} changed", []any{n}, "en")
	}
	return strconv.Itoa(n) + " 行有变动"
}

func (h *historian) change(f *catalog.Field, before, after any) HistoryChange {
	context := property.TextContext{Locale: h.rt.Principal().Locale, Zone: h.reader.zone, Names: h.names.of(f)}
	words := func(v any) *string {
		if v == nil {
			return nil
		}
		return orNull(f.Property.Text(v, context))
	}
	return HistoryChange{PropertyCode: f.Code, Name: f.Label.Zh, NameI18n: i18n(f.Label), Type: f.Type.Wire(), Before: words(before), After: words(after)}
}
