package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// choice are options whose codes try the forms in which lists reach a database.
const choice = `{"options": ["OK", "中", "it's", "{x}", "a,b", "\\", "\"q\""]}`

// typed are the definitions of the corpus; types that are not named have no options.
var typed = map[string][]string{
	"Radio": {choice}, "Checkbox": {choice}, "Dropdown": {choice}, "DropdownMulti": {choice},
	"ShortText": {`{}`, `{"search": true}`}, "LongText": {`{}`, `{"search": true}`}, "Number": {`{}`, `{"scale": 2}`},
	"Date":          {`{}`, `{"displayFormat": "yyyy-MM-dd HH:mm"}`},
	"RelevanceForm": {`{"relativeCode": "user"}`}, "RelevanceFormEx": {`{"relativeCode": "user"}`},
}

// subject is one compiled property with a model of its own.
type subject struct {
	name  string
	model *catalog.Model
	p     property.Property
}

// subjects compiles every registered type.
func subjects(t *testing.T) []subject {
	var set pack.Set
	require.NoError(t, plugintest.Register(&set))
	scope := propertytest.Scope{Models: map[string]property.ModelInfo{"user": {Properties: map[string]string{"name": "ShortText"}},
		"department": {Properties: map[string]string{"name": "ShortText"}}}}
	var out []subject
	for i, name := range set.Properties.Names() {
		typ, _ := set.Properties.Get(name)
		options := typed[name]
		if options == nil {
			options = []string{`{}`}
		}
		for k, o := range options {
			p, problems := typ.Compile(propertytest.Define(typ, o), scope)
			if len(p.Columns()) == 0 {
				continue // rows of a sub-table: TestRandomConditions
			}
			require.Empty(t, problems, name)
			m := newModel(fmt.Sprintf("m%d_%d", i, k), &catalog.Field{Code: "f", Type: typ, Property: p})
			out = append(out, subject{name + " " + o, m, p})
		}
	}
	require.Greater(t, len(out), 20)
	return out
}

// TestEveryOperatorOfEveryType: type x operator x operand selects the same rows in memory, on SQLite and on PostgreSQL,
// and the negative operator selects exactly the others.
func TestEveryOperatorOfEveryType(t *testing.T) {
	all := subjects(t)
	w := newWorld()
	for i := range 12 {
		id := propertytest.ID(i)
		w.files[id] = words[i]
		if i >= 6 {
			row := map[string]any{"id": id, "name": words[i]}
			w.rows["department"], w.byID[id] = append(w.rows["department"], row), row
		}
	}
	for i := range 6 {
		id := propertytest.ID(i)
		row := map[string]any{"id": id, "name": words[i], "departments": []string{propertytest.ID(6 + i), propertytest.ID(6 + (i+1)%6)}}
		w.rows["user"], w.byID[id] = append(w.rows["user"], row), row
	}
	for n, s := range all {
		w.c.Models = append(w.c.Models, s.model)
		g := propertytest.NewGenerator(s.p, uint64(n), poolOf(s.p)...)
		w.many(s.model.Code, 50, func(i int) map[string]any {
			row := map[string]any{}
			if i > 0 {
				for k, v := range s.p.Store(g.Value()) {
					row[s.p.Columns()[k].Name] = v
				}
			}
			return row
		})
	}
	w.c.Storage = storageOf(w.c)
	for i := range w.c.Storage.Tables { // what is referred to need not exist
		for k := range w.c.Storage.Tables[i].Columns {
			if c := &w.c.Storage.Tables[i].Columns[k]; c.References != "" {
				c.References = "elsewhere"
			}
		}
	}
	w.c.Freeze()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		for n, s := range all {
			t.Run(s.name, func(t *testing.T) { operators(t, db, w, s, uint64(n)) })
		}
	}, &file{})
}

func poolOf(p property.Property) []any {
	if len(p.Columns()) > 1 { // addresses
		return []any{"42", map[string]any{"code": "420502", "detail": "三江路1号"}, map[string]any{"detail": "Bb%"}}
	}
	return nil
}

func operators(t *testing.T, db *store.DB, w *world, s subject, seed uint64) {
	f, ok := s.p.(property.Filterer)
	if !ok {
		return
	}
	at := property.FilterContext{Zone: propertytest.Shanghai, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, propertytest.Shanghai)}
	g := propertytest.NewGenerator(s.p, seed+1000)
	for _, op := range f.Operators() {
		if _, negative := op.Positive(); negative {
			continue
		}
		given := []any{nil}
		if op != plan.OpIsNull {
			given = []any{propertytest.ID(7), "42", "a", "中", "检验", "9999999999999999", "true"}
			given = append(given, words[0], words[1], words[2]+";"+words[3])
			for range 12 {
				given = append(given, g.Operand(op))
			}
		}
		accepted := 0
		for _, v := range given {
			e, err := f.Filter(op, v, propertytest.Fields(s.p), at)
			if err != nil {
				continue
			}
			accepted++
			want, ok := w.holds(s.model.Code, e)
			require.True(t, ok, "%s %v", op, v)
			got := found(t, db, w, s.model.Code, e)
			slices.Sort(want)
			require.Equal(t, want, got, "%s %v", op, v)
			rest := found(t, db, w, s.model.Code, plan.Negate(e))
			require.Equal(t, len(w.rows[s.model.Code]), len(got)+len(rest), "complement of %s %v", op, v)
		}
		require.NotZero(t, accepted, op)
	}
}
