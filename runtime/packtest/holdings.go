package packtest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// holdings are what the records of a model hold: by id, the JSON of what people give them.
type holdings map[string]map[lineKey]string

// lineKey names a value of a record: of its own, or of a row of a sub-table.
type lineKey struct{ sheet, line, code string }

// lineItself is the code under which the holdings have that a row of a sub-table is there.
const lineItself = ""

// anyName is in place of names, which the holdings leave out: ids tell who and what is meant.
type anyName struct{}

func (anyName) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "-"}, true }

// held reads all records of a model that somebody sees.
func (s *System) held(t testing.TB, who principal.Principal, m *catalog.Model) holdings {
	t.Helper()
	view := s.View(who)
	var fields []*catalog.Field
	for _, f := range m.Fields {
		if !record.Settable(f) {
			continue
		}
		fields = append(fields, f)
		if f.Sheet != nil {
			for _, g := range f.Sheet.Fields {
				if record.Settable(g) && g.Sheet == nil {
					fields = append(fields, g)
				}
			}
		}
	}
	out := holdings{}
	err := s.Store().Read(context.Background(), func(ctx context.Context, tx *store.Tx) error {
		var ids []string
		key := &plan.Field{Column: catalog.ID, K: plan.ID}
		q := &plan.Query{Model: m.Code, Where: plan.True, Select: []plan.Expr{key}, Order: []plan.Order{{By: key}}}
		if err := tx.Query(ctx, view.Catalog, q, func(row []any) error { ids = append(ids, row[0].(string)); return nil }); err != nil {
			return err
		}
		all, err := s.Reader().Holds(ctx, tx, view, m, ids, fields)
		for id, h := range all {
			out[id] = map[lineKey]string{}
			for f, v := range h.Values {
				out[id][lineKey{code: f.Code}] = string(f.Property.AppendJSON(nil, v, anyName{}))
			}
			for sheet, rows := range h.Rows {
				for i, row := range rows {
					out[id][lineKey{sheet.Code, row.ID, lineItself}] = fmt.Sprint(i)
					for f, v := range row.Values {
						out[id][lineKey{sheet.Code, row.ID, f.Code}] = string(f.Property.AppendJSON(nil, v, anyName{}))
					}
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (h holdings) clone() holdings {
	out := make(holdings, len(h))
	for id, values := range h {
		out[id] = maps.Clone(values)
	}
	return out
}

func (h holdings) ids() []string { return slices.Sorted(maps.Keys(h)) }

// forget takes a row of a sub-table out, and moves those behind it up.
func (h holdings) forget(id, sheet, line string) {
	maps.DeleteFunc(h[id], func(k lineKey, _ string) bool { return k.sheet == sheet && k.line == line })
	var left []lineKey
	for k := range h[id] {
		if k.sheet == sheet && k.code == lineItself {
			left = append(left, k)
		}
	}
	slices.SortFunc(left, func(a, b lineKey) int {
		return cmp.Or(cmp.Compare(len(h[id][a]), len(h[id][b])), cmp.Compare(h[id][a], h[id][b]))
	})
	for i, k := range left {
		h[id][k] = fmt.Sprint(i)
	}
}

// differing are the records that hold something else.
func (h holdings) differing(than holdings) (ids []string) {
	for _, id := range h.ids() {
		if !maps.Equal(h[id], than[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// compare tells what records hold that they should not.
func (a *arrangement) compare(want, got holdings) (wrong []string) {
	for _, id := range want.ids() {
		for k, v := range want[id] {
			if is, there := got[id][k]; is != v || !there {
				wrong = append(wrong, fmt.Sprintf("%s %s %s %s: %q instead of %q", id, k.sheet, k.line, k.code, is, v))
			}
		}
		for k, v := range got[id] {
			if _, there := want[id][k]; !there {
				wrong = append(wrong, fmt.Sprintf("%s %s %s %s: %q, and should not be there", id, k.sheet, k.line, k.code, v))
			}
		}
	}
	for _, id := range got.ids() {
		if want[id] == nil && !a.hooked {
			wrong = append(wrong, id+": a new record")
		}
	}
	slices.Sort(wrong)
	return wrong
}
