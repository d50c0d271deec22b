package query

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// PrintRight and LabelRight are the actions of a model that let people put its records on paper, and print labels with their codes.
const (
	PrintRight = "print"
	LabelRight = "qr_code"
)

// MaxPrinted is how many records are read for paper at once.
const MaxPrinted = 100

// PrintRequest names records of a list; QueryCode "" = the model's first list.
type PrintRequest struct {
	SchemaCode string
	QueryCode  string
	ObjectIDs  []string
	Seen       bool // of Print: whether the records may be printed does not matter
	Unlisted   bool // of Print: nor does the condition of the list
}

// Printed is a record for paper (api.yaml PrintRecord): its values with names in place of ids, and the same in words. Sub-tables have all
// their rows in both.
type Printed struct {
	ID       string
	Data     json.RawMessage
	Texts    map[string]any // a text a property; of a sub-table a []map[string]string
	Workflow string         // the instance that it runs in, or last ran in; "" = none
}

// Print reads records for paper, in the order of the request: those that the principal sees in the list and may print. Within one
// transaction with them is called, with every property that the principal may read in the words of their language.
func (r *Reader) Print(ctx context.Context, view *authz.View, req PrintRequest, with func(tx *store.Tx, records []Printed) error) error {
	right := PrintRight
	if req.Seen {
		right = "view"
	}
	l, err := r.printed(view, req, right)
	if err != nil {
		return err
	}
	size := MaxPrinted
	rows := ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code, ObjectIDs: req.ObjectIDs, Size: &size, action: right, free: true, whole: true, unlisted: req.Unlisted,
		Options: &ListOptions{QueryDisplayType: 1, CustomDisplayColumns: printable(view, l)}}
	return r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		found := []Printed{}
		err := r.Stream(ctx, tx, view, rows, func(p *Rows) bool {
			for i := range p.Len() {
				found = append(found, p.printed(i))
			}
			return true
		})
		if err != nil {
			return err
		}
		slices.SortStableFunc(found, func(a, b Printed) int {
			return slices.Index(req.ObjectIDs, a.ID) - slices.Index(req.ObjectIDs, b.ID)
		})
		if err := withWorkflows(ctx, tx, view, l.Model, found); err != nil {
			return err
		}
		return with(tx, found)
	})
}

// printable are the properties of a list's model that the principal may read, and what the list shows of related records.
func printable(view *authz.View, l *catalog.List) []string {
	var out []string
	g := newGraph(view, l.Model)
	add := func(code string) {
		n, err := g.resolve(code)
		if err != nil || slices.Contains(out, code) {
			return
		}
		if !n.field.IsTable() {
			out = append(out, code)
			return
		}
		for _, child := range g.sheetColumns(n.field) {
			out = append(out, code+"."+child.field.Code)
		}
	}
	for _, f := range l.Model.Fields {
		if !f.System || !slices.Contains(technical, f.Code) {
			add(f.Code)
		}
	}
	for _, c := range l.Columns {
		if len(c.Path.Steps) > 0 {
			add(c.Path.Code)
		}
	}
	return out
}

// printed is a row in both forms.
func (p *Rows) printed(row int) Printed {
	out := Printed{ID: p.ID(row), Texts: map[string]any{}}
	dst := []byte{'{'}
	member := func(code string) {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, quotedKey(code)...)
	}
	for i, c := range p.columns {
		member(c.Code)
		dst = c.Field.Property.AppendJSON(dst, p.Value(row, i), p.page.seen[i])
		out.Texts[c.Code] = p.Text(row, i)
	}
	for k, s := range p.sheets {
		member(s.Code)
		texts := []map[string]string{}
		cell := p.inner(row, k)
		if cell == nil {
			dst, out.Texts[s.Code] = append(dst, "[]"...), texts
			continue
		}
		dst = cell.encodeRows(dst, p.page.names)
		for _, values := range cell.values {
			one := map[string]string{}
			for c, column := range s.Columns {
				if one[column.Code] = ""; values[c] != nil {
					one[column.Code] = column.Field.Property.Text(values[c], p.within[k][c])
				}
			}
			texts = append(texts, one)
		}
		out.Texts[s.Code] = texts
	}
	out.Data = append(dst, '}')
	return out
}

// withWorkflows fills in the instances of records.
func withWorkflows(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, records []Printed) error {
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}}
	at := flowPlace(q)
	if len(records) == 0 {
		return nil
	}
	var ids []string
	for _, p := range records {
		ids = append(ids, p.ID)
	}
	q.Where = idsIn(ids)
	return tx.Query(ctx, view.Catalog, q, func(row []any) error {
		if instance := instanceAt(row, at); instance != nil {
			i := slices.IndexFunc(records, func(p Printed) bool { return p.ID == row[0] })
			records[i].Workflow = *instance
		}
		return nil
	})
}
