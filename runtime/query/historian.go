package query

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// historian turns stored writes of some records into words, with the rights of one principal.
type historian struct {
	reader *Reader
	ctx    context.Context

	view    *authz.View
	m       *catalog.Model
	graph   *graph
	names   *names
	titles  map[string]*string // of the records that are seen, by id
	shown   map[*catalog.Field]map[string]bool
	plans   map[string]FieldPlan
	changes []record.Changes
	called  map[string]any // rows of sub-tables by id: the value of the field that names them
	own     bool           // the principal's own writes: they need no right to the history
}

func newHistorian(ctx context.Context, r *Reader, view *authz.View, m *catalog.Model) *historian {
	return &historian{reader: r, ctx: ctx, view: view, m: m, names: r.names(ctx, view), graph: newGraph(view, m), titles: map[string]*string{},
		shown: map[*catalog.Field]map[string]bool{}, plans: map[string]FieldPlan{}, called: map[string]any{}}
}

// seeing is the query for some of the records, with what makes their history readable.
func (h *historian) seeing(ids []string, guard plan.Expr) *plan.Query {
	may := plan.True
	if !h.own {
		may = h.view.EditRows(h.m, HistoryRight)
	}
	return &plan.Query{Model: h.m.Code, Joins: h.graph.joins, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}},
		Where: plan.AllOf(oneOf(catalog.ID, ids), rule(h.view.Rows(h.m)), rule(may), rule(guard))}
}

// see finds which of the records the principal sees, and their names.
func (h *historian) see(tx *store.Tx, ids []string) error {
	name, err := h.graph.resolve(catalog.Name)
	named := err == nil
	q := h.seeing(ids, plan.True)
	if named {
		q.Select = append(q.Select, name.columns()...)
	}
	return tx.Query(tx.Context(), h.view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		h.titles[id] = nil
		if named {
			if title, ok := row[1].(string); ok {
				h.titles[id] = &title
			}
		}
		return nil
	})
}

// read decodes the changes, finds which fields may be shown and resolves the names that they speak of.
func (h *historian) read(tx *store.Tx, rows []record.History) error {
	for _, row := range rows {
		ch, err := record.ChangesOf(tx, row)
		if err != nil {
			return err
		}
		h.changes = append(h.changes, ch)
		fields := []*catalog.Field{h.authorField(row), h.when(row)}
		for _, f := range ch.Fields {
			fields = append(fields, h.m.Field(f.Code))
		}
		for _, s := range ch.Rows {
			sheet := h.m.Field(s.Sheet)
			fields = append(fields, sheet)
			fields = append(fields, fieldsOfRow(sheet, s)...)
		}
		for _, f := range fields {
			if err := h.show(tx, f); err != nil {
				return err
			}
		}
		for _, f := range ch.Fields {
			if field := h.m.Field(f.Code); h.shows(field, row.Record) {
				h.names.collect(field, load(field, f.Before))
				h.names.collect(field, load(field, f.After))
			}
		}
	}
	if err := h.readRows(tx, rows); err != nil {
		return err
	}
	if err := h.names.resolve(tx.Context(), tx); err != nil {
		return err
	}
	return h.names.past(tx)
}

// show finds out on which of the records a field may be read.
func (h *historian) show(tx *store.Tx, f *catalog.Field) error {
	if _, known := h.shown[f]; f == nil || known {
		return nil
	}
	on := map[string]bool{}
	h.shown[f] = on
	n, err := h.graph.resolve(h.codeOf(f))
	if err != nil {
		return nil //nolint:nilerr // not readable: not shown
	}
	h.plans[h.codeOf(f)] = fieldPlan(n, h.codeOf(f), f.Label, "")
	_, guard := h.view.Field(f) // of a sub-table's field too it speaks of the record
	if plan.IsTrue(guard) {
		for id := range h.titles {
			on[id] = true
		}
		return nil
	}
	ids := make([]string, 0, len(h.titles))
	for id := range h.titles {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return tx.Query(tx.Context(), h.view.Catalog, h.seeing(ids, guard), func(row []any) error {
		id, _ := row[0].(string)
		on[id] = true
		return nil
	})
}

func (h *historian) shows(f *catalog.Field, record string) bool {
	return f != nil && h.shown[f][record]
}

func load(f *catalog.Field, side []json.RawMessage) any {
	if len(side) == 0 {
		return nil
	}
	return f.Property.Load(record.Columns(f.Property, side))
}

// reason is what readers are told of a reason; its code when no pack declares it any more.
func (h *historian) reason(code string) string {
	if r := h.view.Reason(code); r != nil {
		return r.Label.In(h.view.Principal().Locale)
	}
	return code
}

// authorField is the field that says of the record what a write says of its author.
func (h *historian) authorField(row record.History) *catalog.Field {
	if row.Kind == record.Created {
		return h.m.Field(catalog.Creator)
	}
	return h.m.Field(catalog.Modifier)
}

// when is the field that says of the record when a write was.
func (h *historian) when(row record.History) *catalog.Field {
	if row.Kind == record.Created {
		return h.m.Field(catalog.CreatedTime)
	}
	return h.m.Field(catalog.ModifiedTime)
}

func (h *historian) entry(row record.History, ch record.Changes) HistoryEntry {
	e := HistoryEntry{ID: row.ID, Record: row.Record, Title: h.titles[row.Record], Kind: row.Kind, Version: row.Version, Remark: orNull(ch.Remark), Changes: []HistoryChange{}}
	if ch.Remark == "" && ch.Reason != "" {
		e.Remark = orNull(h.reason(ch.Reason))
	}
	if h.shows(h.when(row), row.Record) {
		at := row.At.UTC().Format(time.RFC3339)
		e.Time = &at
	}
	if h.shows(h.authorField(row), row.Record) {
		e.Creator = &row.Name
		if d, ok := h.reader.people.Department(h.ctx, row.Dept); ok {
			e.Department = &d.Name
		}
	}
	for _, f := range ch.Fields {
		if field := h.m.Field(f.Code); h.shows(field, row.Record) {
			e.Changes = append(e.Changes, h.change(field, load(field, f.Before), load(field, f.After)))
		}
	}
	for _, sheet := range h.m.Sheets {
		if field := sheetOf(h.m, sheet); h.shows(field, row.Record) {
			if change, ok := h.sheetChange(field, row.Record, ch); ok {
				e.Changes = append(e.Changes, change)
			}
		}
	}
	return e
}

func (h *historian) change(f *catalog.Field, before, after any) HistoryChange {
	was, is := h.words(f, before, after)
	wire := func(v any) json.RawMessage {
		if v == nil {
			return nil
		}
		return f.Property.AppendJSON(nil, v, h.names.of(f))
	}
	return HistoryChange{PropertyCode: h.codeOf(f), Name: f.Label.Zh, NameI18n: i18n(f.Label), Type: f.Type.Wire(), BeforeText: orNull(was), AfterText: orNull(is),
		Before: wire(before), After: wire(after), Trend: trend(before, after)}
}

// words are a value before and after; "" is empty. Where what tells them apart is asked for, names are followed by it, and options and values that
// read alike are as files write them.
func (h *historian) words(f *catalog.Field, before, after any) (was, is string) {
	context := property.TextContext{Locale: h.view.Principal().Locale, Zone: h.reader.zone, Names: h.names.of(f)}
	if h.names.told != nil {
		context.Names = written{context.Names}
	}
	both := func(text func(any, property.TextContext) string) {
		was, is = "", ""
		if before != nil {
			was = text(before, context)
		}
		if after != nil {
			is = text(after, context)
		}
	}
	both(f.Property.Text)
	_, options := f.Property.(property.Chooser)
	if files, ok := f.Property.(property.SheetWriter); ok && h.names.told != nil && (options || was == is) {
		both(files.SheetText)
	}
	a, number := before.(decimal.Decimal)
	if b, both := after.(decimal.Decimal); number && both && was == is && h.names.told != nil && !a.Equal(b) {
		return a.String(), b.String()
	}
	return was, is
}

// written calls everything as files do.
type written struct{ property.Names }

// Name implements property.Names.
func (w written) Name(ref plan.Ref) (property.Named, bool) {
	named, ok := w.Names.Name(ref)
	named.Name = named.ForFile()
	return named, ok
}

// trend reports whether a number grew.
func trend(before, after any) *string {
	was, ok := before.(decimal.Decimal)
	is, number := after.(decimal.Decimal)
	if !ok || !number || was.Equal(is) {
		return nil
	}
	way := "down"
	if is.GreaterThan(was) {
		way = "up"
	}
	return &way
}
