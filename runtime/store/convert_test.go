package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// single is a storage of values that multiple keeps in another form.
func single() plan.Storage {
	return edit("d_lot", func(t *plan.Table) {
		t.Columns = append(t.Columns,
			plan.Column{Name: "pick", Property: "pick", Kind: plan.Text, Choices: []string{"it's", "x"}},
			plan.Column{Name: "number", Property: "number", Kind: plan.Number})
		t.Unique = append(t.Unique, plan.Index{Columns: []string{"number"}})
	})
}

// multiple: a choice, a reference and a reference to the own model become sets, numbers texts that are unique and searched, and
// days moments in a zone where some days have no midnight and some two. One column gets another name with its form.
func multiple() plan.Storage {
	s := single()
	lot := &s.Tables[0]
	*column(lot, "pick") = plan.Column{Name: "picks", Property: "picks", RenamedFrom: names.Former{"pick"}, Kind: plan.Set, Choices: []string{"it's", "x"}, Conversions: []plan.Conversion{{From: plan.Text, Options: true}}}
	contract, parent := column(lot, "contract"), column(lot, "parent")
	contract.Kind, contract.Conversions = plan.Set, []plan.Conversion{{From: plan.ID}}
	parent.Kind, parent.Conversions = plan.Set, []plan.Conversion{{From: plan.ID}}
	*column(lot, "number") = plan.Column{Name: "number", Property: "number", Kind: plan.Text, MaxLength: 200, Search: true, Conversions: []plan.Conversion{{From: plan.Number}}}
	day := column(lot, "day")
	day.Kind, day.Conversions = plan.Instant, []plan.Conversion{{From: plan.Date, Zone: "America/Havana"}}
	lot.Unique[0].Columns = []string{"part", "day"}
	return s
}

func fillSingle(t *testing.T, db *store.DB) {
	t.Helper()
	fill(t, db)
	for id, v := range map[string][3]any{"a": {"x", "-0.50", "2026-03-08"}, "b": {"it's", "9999999999999999.99999999", "2026-11-01"}, "k": {nil, "100", "2026-11-21"}} {
		number := v[1]
		if db.Dialect() == "sqlite" {
			number = encoded(t, v[1].(string))
		}
		run(t, db, `UPDATE d_lot SET pick = ?, number = ?, day = ? WHERE id = '@`+id+`'`, v[0], number, v[2])
	}
}

// moments reads the column day of a table.
func moments(db *store.DB, table string) string {
	if db.Dialect() == "postgres" {
		return `SELECT to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM ` + table + ` WHERE day IS NOT NULL ORDER BY day`
	}
	return `SELECT day FROM ` + table + ` WHERE day IS NOT NULL ORDER BY day`
}

func requireMultiple(t *testing.T, db *store.DB) {
	t.Helper()
	require.Equal(t, "a,b", list(t, db, `SELECT v FROM d_lot__picks ORDER BY v`))
	require.Equal(t, "x 0,it's 0", list(t, db, `SELECT id || ' ' || ordinal FROM d_lot__picks ORDER BY v`))
	require.Equal(t, "a,b", list(t, db, `SELECT id FROM d_lot WHERE picks IS NOT NULL ORDER BY id`))
	require.Equal(t, "x,it's", list(t, db, `SELECT picks FROM d_lot WHERE picks IS NOT NULL ORDER BY id`))
	require.Equal(t, "a,b", list(t, db, `SELECT v FROM d_lot__contract ORDER BY v`))
	require.Equal(t, "c1,c1", list(t, db, `SELECT id FROM d_lot__contract ORDER BY v`))
	require.Equal(t, "c1,c1", list(t, db, `SELECT contract FROM d_lot WHERE contract IS NOT NULL ORDER BY id`), "the set beside its members")
	require.Equal(t, "k", list(t, db, `SELECT v FROM d_lot__parent`))
	require.Equal(t, "a", list(t, db, `SELECT id FROM d_lot__parent`))
	require.Equal(t, "-0.5,100,9999999999999999.99999999", list(t, db, `SELECT number FROM d_lot ORDER BY number`))
	require.Equal(t, "2026-03-08T05:00:00.000Z,2026-11-01T04:00:00.000Z,2026-11-21T05:00:00.000Z", list(t, db, moments(db, "d_lot")))
	// keys, uniqueness, searches and the rows beside them hold
	require.EqualValues(t, 1, hits(t, db, "d_lot", "number", "9999"))
	require.Error(t, try(t, db, `INSERT INTO d_lot (id, version, number) VALUES ('@n', 1, '100')`))
	require.Error(t, try(t, db, `INSERT INTO d_lot__contract (v, id, ordinal) VALUES ('@a', '@none', 1)`))
	require.Error(t, try(t, db, `DELETE FROM d_contract WHERE id = '@c1'`))
	require.Equal(t, "first,second", list(t, db, `SELECT item FROM d_lot__items WHERE "parentId" = '@a' ORDER BY "sortKey"`))
	run(t, db, `DELETE FROM d_lot WHERE id = '@a'`)
	require.Equal(t, "b", list(t, db, `SELECT v FROM d_lot__contract`))
	require.Equal(t, "", list(t, db, `SELECT v FROM d_lot__parent`), "a reference that clears leaves the set")
}

// A change of form that loses nothing is safe: the values are there after it, and the applied storage asks for nothing more.
func TestConversionsKeepValues(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, single())
		fillSingle(t, db)
		p, err := db.Plan(t.Context(), multiple(), store.PlanOptions{Dev: true})
		require.NoError(t, err)
		require.Equal(t, store.Safe, p.Class(), "%v", p.Steps)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
		require.NoError(t, db.EnsureIndexes(t.Context()))
		requireMultiple(t, db)
		require.Empty(t, apply(t, db, multiple()).Steps)
	})
}

// Storage that was applied before it told what is computed is not taken for typed by people.
func TestOldStorageKnowsNothingOfFormulas(t *testing.T) {
	computed := func(marks bool) plan.Storage {
		s := edit("d_lot", func(t *plan.Table) { column(t, "part").Computed = true })
		s.Marks = marks
		return s
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, base())
		fill(t, db)
		p, err := db.Plan(t.Context(), computed(true), store.PlanOptions{})
		require.NoError(t, err)
		require.Empty(t, p.Steps)
		typed := base()
		typed.Marks = true
		require.Empty(t, apply(t, db, typed).Steps)
		p, err = db.Plan(t.Context(), computed(true), store.PlanOptions{Dev: true})
		require.NoError(t, err)
		require.Len(t, p.Steps, 1)
		require.Equal(t, store.Compute, p.Steps[0].Action)
		require.EqualValues(t, 3, p.Steps[0].Count)
		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{}), store.ErrConfirm)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
		p, err = db.Plan(t.Context(), typed, store.PlanOptions{})
		require.NoError(t, err)
		require.Empty(t, p.Steps, "what was computed may be typed")
	})
}

// A text that becomes several options holds those that it names, by code or by what people call them. Others stay and are counted, as with
// one option, and what was written before is read in the same way.
func TestTextsBecomeOptions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		methods := func(c plan.Column, e names.Entry) plan.Storage {
			s := edit("d_lot", func(t *plan.Table) { *column(t, "part") = c })
			s.Names = names.Set{names.Model: {{Code: "lot", Parts: names.Set{names.Property: {e}}}}}
			return s
		}
		have := methods(plan.Column{Name: "part", Property: "part", Kind: plan.Text, MaxLength: 100}, names.Entry{Code: "part", Form: names.FormText})
		apply(t, db, have)
		fill(t, db)
		for id, text := range map[string]any{"a": "防水, tap；eye\neye", "b": "防水、保温", "k": " ，"} {
			run(t, db, `UPDATE d_lot SET part = ? WHERE id = '@`+id+`'`, text)
		}
		p, err := db.Plan(t.Context(), have, store.PlanOptions{})
		require.NoError(t, err)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
		before := db.NameLog().Epoch()

		choices := []string{"water", "both", "eye"}
		e := names.Entry{Code: "part", Form: names.FormOptions, Parts: names.Set{names.Option: {{Code: "water", Words: []string{"防水"}}, {Code: "both", Words: []string{"防水、保温"}}, {Code: "eye"}}}}
		want := methods(plan.Column{Name: "part", Property: "part", Kind: plan.Set, Choices: choices, Conversions: plan.TakesOptions(plan.Set)}, e)
		p, err = db.Plan(t.Context(), want, store.PlanOptions{})
		require.NoError(t, err)
		var steps []string
		for _, s := range p.Steps {
			steps = append(steps, fmt.Sprint(s.Action, " ", s.Class, " ", s.Count))
		}
		require.Equal(t, []string{"convert safe 3", "narrow needs-confirmation 1"}, steps)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.Equal(t, "water;tap;eye,both", list(t, db, `SELECT part FROM d_lot WHERE part IS NOT NULL ORDER BY id`))
		require.Equal(t, "water 0,tap 1,eye 2,both 0", list(t, db, `SELECT id || ' ' || ordinal FROM d_lot__part ORDER BY v, ordinal`))
		require.Equal(t, "a,a,a,b", list(t, db, `SELECT v FROM d_lot__part ORDER BY v`))
		require.Empty(t, apply(t, db, want).Steps)
		read := db.NameLog().SinceEpoch(before)
		require.JSONEq(t, `["water","x"]`, string(read.Value("lot", "part", []byte(`"防水 ;x"`))))
	})
}
