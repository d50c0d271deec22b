package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// plain is a property of one column, without a type: the store knows kinds only.
type plain struct {
	property.Property
	column plan.Column
}

func (p plain) Kind() plan.Kind        { return p.column.Kind }
func (p plain) Columns() []plan.Column { return []plan.Column{p.column} }

// file is what photos refer to.
type file struct {
	ID   string `gorm:"primaryKey"`
	Name string
}

func (file) TableName() string { return "sl_file" }

// world is a catalog of every kind of column, with its records in memory for the evaluator.
type world struct {
	c     *catalog.Catalog
	rows  map[string][]map[string]any // model -> records
	byID  map[string]map[string]any
	files map[string]string
	joins map[string]plan.Expr
}

func newModel(code string, fields ...*catalog.Field) *catalog.Model {
	m := &catalog.Model{Code: code, Table: "d_" + strings.ReplaceAll(code, ".", "__"), Volume: 1000}
	for _, f := range fields {
		f.Model = m
		m.Fields = append(m.Fields, f)
	}
	return m
}

func newField(code string, k plan.Kind, change ...func(*catalog.Field)) *catalog.Field {
	f := &catalog.Field{Code: code, Property: plain{column: plan.Column{Name: code, Property: code, Kind: k}}}
	for _, c := range change {
		c(f)
	}
	return f
}

func to(m *catalog.Model) func(*catalog.Field) {
	return func(f *catalog.Field) {
		f.Target = m
		p := f.Property.(plain)
		p.column.References = m.Table
		f.Property, f.Multiple = p, p.column.Kind == plan.Set
	}
}

func withSearch(f *catalog.Field) {
	p := f.Property.(plain)
	p.column.Search = true
	f.Property = p
}

func newWorld() *world {
	department := newModel("department", newField("name", plan.Text))
	department.Fields = append(department.Fields, newField("parent", plan.ID, to(department)))
	user := newModel("user", newField("name", plan.Text), newField("departments", plan.Set, to(department)))
	project := newModel("project", newField("name", plan.Text), newField("secret", plan.Bool))
	contract := newModel("contract", newField("title", plan.Text), newField("amount", plan.Number), newField("project", plan.ID, to(project)))
	items := newModel("lot.items", newField("item", plan.Text), newField("value", plan.Number), newField("good", plan.Bool),
		newField("source", plan.ID, to(contract)), newField("tags", plan.Set))
	lot := newModel("lot", newField("part", plan.Text, withSearch), newField("remark", plan.Text), newField("amount", plan.Number),
		newField("price", plan.Number), newField("day", plan.Date), newField("at", plan.Instant), newField("clock", plan.Clock),
		newField("good", plan.Bool), newField("result", plan.Text), newField("methods", plan.Set), newField("inspector", plan.ID, to(user)),
		newField("team", plan.Set, to(user)), newField("informed", plan.Set), newField("unit", plan.ID, to(department)),
		newField("contract", plan.ID, to(contract)), newField("photos", plan.Set), newField("version", plan.Int))
	lot.Sheets, items.Parent = []*catalog.Model{items}, lot
	lot.Fields = append(lot.Fields, &catalog.Field{Code: "items", Sheet: items, Model: lot})
	c := &catalog.Catalog{Models: []*catalog.Model{department, user, project, contract, lot}}
	c.Storage = storageOf(c)
	c.Freeze()
	return &world{c: c, rows: map[string][]map[string]any{}, byID: map[string]map[string]any{}, files: map[string]string{}}
}

func storageOf(c *catalog.Catalog) plan.Storage {
	var s plan.Storage
	for _, m := range c.Models {
		for _, m := range append([]*catalog.Model{m}, m.Sheets...) {
			t := plan.Table{Name: m.Table, Model: m.Code}
			if m.Parent != nil {
				t.Parent = m.Parent.Table
			} else {
				t.Columns = append(t.Columns, plan.Column{Name: "name__pinyin", Kind: plan.Text})
			}
			for _, f := range m.Fields {
				if f.Property != nil {
					t.Columns = append(t.Columns, f.Property.Columns()...)
				}
			}
			s.Tables = append(s.Tables, t)
		}
	}
	return s
}

// words are texts that tell folding, byte order and patterns apart.
var words = []string{"A12", "a12", "混凝土浇筑", "混凝", "Straße", "STRASSE", "İstanbul", "istanbul", "ΣΊΣΥΦΟΣ", "σίσυφος", "100%", "a_b", "a\\b",
	"K", "k", "K", "ǅ", "ǆ", "é", "É", "𠮷野家", "it's", `say "x"`, "x;y", " ", "-- drop", "\U00010400", "\U00010428", "ſ", "s", "[ab]", "*?"}

var optionCodes = []string{"OK", "BAD", "中", "it's", `"q"`, "{x}", "a,b", "\\"}

func number(text string) decimal.Decimal { return decimal.RequireFromString(text) }

var numbers = []string{"0", "1", "-1", "0.1", "0.2", "0.3", "12.5", "-12.5", "9999999999999999.99999999", "-9999999999999999.99999999",
	"0.00000001", "-0.00000001", "100", "3", "7", "1234567.89"}

// fill makes n lots and what they refer to.
func (w *world) fill(r *rand.Rand, n int) {
	pick := func(from []string) any { return from[r.IntN(len(from))] }
	some := func(v any) any {
		if r.IntN(4) == 0 {
			return nil
		}
		return v
	}
	set := func(from []string) any {
		var out []string
		for range r.IntN(4) {
			if v := from[r.IntN(len(from))]; !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		if out == nil {
			return nil
		}
		return out
	}
	dec := func() any { return some(number(pick(numbers).(string))) }
	day := func() any { return some(fmt.Sprintf("20%02d-%02d-%02d", 20+r.IntN(3), 1+r.IntN(12), 1+r.IntN(28))) }
	departments := w.many("department", 6, func(i int) map[string]any { return map[string]any{"name": fmt.Sprint("部门", i)} })
	users := w.many("user", 8, func(i int) map[string]any {
		return map[string]any{"name": pick(words), "departments": set(departments)}
	})
	projects := w.many("project", 3, func(i int) map[string]any {
		return map[string]any{"name": some(pick(words)), "secret": some(i%2 == 0)}
	})
	contracts := w.many("contract", 6, func(i int) map[string]any {
		return map[string]any{"title": some(pick(words)), "amount": dec(), "project": some(pick(projects))}
	})
	var photos []string
	for i := range 5 {
		id := fakeID(900 + i)
		w.files[id] = words[i*3]
		photos = append(photos, id)
	}
	lots := w.many("lot", n, func(i int) map[string]any {
		return map[string]any{
			"part": some(pick(words)), "remark": some(pick(words).(string) + pick(words).(string)), "amount": dec(), "price": dec(), "day": day(),
			"at":    some(time.UnixMilli(1_600_000_000_000 + r.Int64N(5)*86_400_123).UTC()),
			"clock": some(fmt.Sprintf("%02d:30:00", r.IntN(24))), "good": some(r.IntN(2) == 0), "result": some(pick(optionCodes)),
			"methods": set(optionCodes), "inspector": some(pick(users)), "team": set(users), "informed": set(append(users[:3:3], departments[:3]...)),
			"unit": some(pick(departments)), "contract": some(pick(contracts)), "photos": set(photos), "version": int64(1),
		}
	})
	w.many("lot.items", 2*n, func(i int) map[string]any {
		return map[string]any{"parentId": pick(lots), "sortKey": int64(i), "item": some(pick(words)), "value": dec(),
			"good": some(r.IntN(2) == 0), "source": some(pick(contracts)), "tags": set(optionCodes)}
	})
}

func fakeID(n int) string { return fmt.Sprintf("00000000-0000-7000-8000-%012x", n) }

func (w *world) many(model string, n int, row func(i int) map[string]any) (ids []string) {
	for i := range n {
		v := row(i)
		id := fakeID(len(w.byID) + 1)
		v["id"] = id
		w.rows[model], w.byID[id] = append(w.rows[model], v), v
		ids = append(ids, id)
	}
	return ids
}

// save makes the tables and writes all records.
func (w *world) save(t testing.TB, db *store.DB) {
	t.Helper()
	p, err := db.Plan(t.Context(), w.c.Storage, store.PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		for id, name := range w.files {
			if err := tx.System().Create(&file{ID: id, Name: name}).Error; err != nil {
				return err
			}
		}
		for _, m := range w.c.Models {
			for _, m := range append([]*catalog.Model{m}, m.Sheets...) {
				for _, row := range w.rows[m.Code] {
					if err := tx.Insert(t.Context(), m, row); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}))
}

// memory is a record as the evaluator sees it.
type memory struct {
	w    *world
	m    *catalog.Model
	row  map[string]any
	path string
}

func (s memory) Column(f *plan.Field) any {
	m, row, key := s.m, s.row, s.path
	for i, step := range f.Path {
		id, _ := row[step].(string)
		if row = s.w.byID[id]; row == nil {
			return nil
		}
		m = m.Field(step).Target
		if i > 0 {
			key += "."
		}
		key += step
		if e := s.w.joins[key]; e != nil {
			if ok, err := expression.Holds(e, memory{s.w, m, row, "\x00"}); err != nil || !ok {
				return nil
			}
		}
	}
	return row[f.Column]
}

func (s memory) Var(string) any { return nil }

func (s memory) Rows(sheet string) (out []expression.Scope) {
	m := s.w.c.Model(sheet)
	if m == nil {
		m = s.w.c.Model(s.m.Code + "." + sheet)
	}
	for _, row := range s.w.rows[m.Code] {
		if row["parentId"] == s.row["id"] {
			out = append(out, memory{s.w, m, row, s.path + sheet[strings.LastIndexByte(sheet, '.')+1:] + "."})
		}
	}
	return out
}

func (s memory) Records(*plan.Records) []expression.Scope { return nil }

func (s memory) Belongs(ids, departments []string) bool {
	for _, id := range ids {
		own, _ := s.w.byID[id]["departments"].([]string)
		for _, d := range append([]string{id}, own...) {
			if slices.Contains(departments, d) {
				return true
			}
		}
	}
	return false
}

func (s memory) LinkTexts(_, _ string, ids []string) (out []string) {
	for _, id := range ids {
		out = append(out, s.w.files[id])
	}
	return out
}

// holds lists the ids of a model's records that satisfy a condition; ok is false when the evaluator refuses to compute one.
func (w *world) holds(model string, e plan.Expr) (ids []string, ok bool) {
	for _, row := range w.rows[model] {
		yes, err := expression.Holds(e, memory{w, w.c.Model(model), row, ""})
		if err != nil {
			return nil, false
		}
		if yes {
			ids = append(ids, row["id"].(string))
		}
	}
	return ids, true
}
