package store_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// packed is base with the contract in one pack and the lots, which refer to it, in another.
func packed(change ...func(*plan.Storage)) plan.Storage {
	s := base()
	for i := range s.Tables {
		s.Tables[i].Pack = map[bool]string{true: "legal", false: "works"}[s.Tables[i].Model == "contract"]
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

func withoutLots(s *plan.Storage) {
	s.Tables = slices.DeleteFunc(s.Tables, func(t plan.Table) bool { return t.Pack == "works" })
}

func renameContract(s *plan.Storage) {
	for i := range s.Tables {
		if t := &s.Tables[i]; t.Model == "contract" {
			t.Name, t.Model, t.RenamedFrom = "d_deal", "deal", names.Former{"d_contract"}
		}
		for j := range s.Tables[i].Columns {
			if c := &s.Tables[i].Columns[j]; c.References == "d_contract" || c.References == "contract" {
				c.References = "d_deal"
			}
		}
	}
}

func TestTablesOfAPackThatTakesPartNoMore(t *testing.T) {
	both, legal := store.PlanOptions{Packs: []string{"legal", "works"}}, store.PlanOptions{Packs: []string{"legal"}}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		to := func(want plan.Storage, o store.PlanOptions, yes store.ApplyOptions) *store.Plan {
			t.Helper()
			p, err := db.Plan(t.Context(), want, o)
			require.NoError(t, err)
			require.NoError(t, db.Apply(t.Context(), p, yes))
			return p
		}
		steps := func(p *store.Plan) (out []string) {
			for _, s := range p.Steps {
				out = append(out, string(s.Class)+" "+s.Text.In("en"))
			}
			return out
		}
		there := func() {
			t.Helper()
			require.Equal(t, "A1,A1,Beam 22", list(t, db, `SELECT part FROM d_lot ORDER BY part`))
			require.Equal(t, "first,second", list(t, db, `SELECT item FROM d_lot__items ORDER BY "sortKey"`))
			require.Equal(t, "x,y", list(t, db, `SELECT id FROM d_lot__methods ORDER BY ordinal`))
		}
		to(packed(), both, store.ApplyOptions{})
		fill(t, db)

		p := to(packed(withoutLots), legal, store.ApplyOptions{})
		require.Empty(t, steps(p))
		require.Equal(t, []store.Kept{{Pack: "works", Tables: []string{"d_lot"}, New: true, Records: 3}}, p.Kept)
		there()

		for _, o := range []store.PlanOptions{legal, {}} { // a start, and a change in the browser
			p = to(packed(withoutLots), o, store.ApplyOptions{})
			require.Empty(t, steps(p))
			require.Equal(t, p.Have, p.Want, "a start changes nothing")
			require.Equal(t, []store.Kept{{Pack: "works", Tables: []string{"d_lot"}}}, p.Kept)
		}
		require.Error(t, try(t, db, `DELETE FROM d_contract WHERE id = '@c1'`), "rows that are kept refer to it")

		p = to(packed(withoutLots, renameContract), legal, store.ApplyOptions{Yes: true})
		require.Equal(t, []string{"needs-confirmation rename table d_contract to d_deal, keeping its data"}, steps(p))
		require.Error(t, try(t, db, `DELETE FROM d_deal WHERE id = '@c1'`), "what they refer to is followed")
		there()

		p = to(packed(renameContract), both, store.ApplyOptions{})
		require.Empty(t, steps(p), "the pack is back, and finds all as it was")
		require.Empty(t, p.Kept)
		there()

		less := packed(renameContract)
		less.Tables = slices.DeleteFunc(less.Tables, func(t plan.Table) bool { return t.Model == "lot.items" })
		p, err := db.Plan(t.Context(), less, both)
		require.NoError(t, err)
		require.Equal(t, []string{"destructive drop the table of lot.items with its 2 records"}, steps(p), "a pack that takes part says itself what it has")

		to(packed(withoutLots, renameContract), legal, store.ApplyOptions{})
		p, err = db.Plan(t.Context(), packed(withoutLots, renameContract), store.PlanOptions{Packs: legal.Packs, Drop: []string{"works"}})
		require.NoError(t, err)
		require.Equal(t, []string{"destructive drop the table of lot with its 3 records"}, steps(p))
		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}), store.ErrDestructive)
		there()
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}))
		require.Error(t, try(t, db, `SELECT part FROM d_lot`))
		run(t, db, `DELETE FROM d_deal WHERE id = '@c1'`)
	})
}

// TestNamesOfAPackThatTookNoPartBefore: a database of a version without names begins its log with what its tables tell, kept ones too.
func TestNamesOfAPackThatTookNoPartBefore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		both, legal := store.PlanOptions{Packs: []string{"legal", "works"}}, store.PlanOptions{Packs: []string{"legal"}}
		to := func(want plan.Storage, o store.PlanOptions) {
			t.Helper()
			p, err := db.Plan(t.Context(), want, o)
			require.NoError(t, err)
			require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}))
		}
		to(packed(), both)
		to(packed(withoutLots), legal)
		run(t, db, `DELETE FROM sl_name_set`)
		to(packed(withoutLots), legal)
		require.Zero(t, db.NameLog().Epoch(), "nothing has gone")
		to(packed(withoutLots), store.PlanOptions{Packs: legal.Packs, Drop: []string{"works"}})
		_, there := db.NameLog().SinceBefore().Document(names.Model, "lot")
		require.False(t, there, "what is made later under its code is another model")
	})
}

func TestTablesThatNobodyKnowsThePackOf(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, base()) // as versions before did
		p, err := db.Plan(t.Context(), packed(withoutLots), store.PlanOptions{Packs: []string{"legal"}})
		require.NoError(t, err)
		require.Len(t, p.Steps, 1)
		require.Equal(t, store.Destructive, p.Steps[0].Class, "a person decides")
	})
}

// TestTablesRemovedFromAPack: a pack that takes part says itself what it has, also in the apply that gives it another code, and behind a time without it.
func TestTablesRemovedFromAPack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		plans := func(s plan.Storage, of ...names.Entry) (out []string) {
			t.Helper()
			s.Names = names.Set{names.Pack: of}
			var packs []string
			for _, p := range of {
				packs = append(packs, p.Code)
			}
			for _, t := range s.Tables {
				if t.Parent == "" {
					s.Names[names.Model] = append(s.Names[names.Model], names.Entry{Code: t.Model, Pack: t.Pack})
				}
			}
			p, err := db.Plan(t.Context(), s, store.PlanOptions{Packs: packs})
			require.NoError(t, err)
			for _, s := range p.Steps {
				out = append(out, string(s.Class)+" "+s.Text.In("en"))
			}
			require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}))
			return out
		}
		lotless := func(s *plan.Storage) {
			withoutLots(s)
			extra := table("crate", text("title"))
			extra.Pack = "depot"
			s.Tables = append(s.Tables, extra)
		}
		legal, works, depot := names.Entry{Code: "legal", Pack: "legal"}, names.Entry{Code: "works", Pack: "works"}, names.Entry{Code: "depot", Pack: "depot", Former: names.Former{"works"}}
		plans(packed(), legal, works)
		fill(t, db)
		require.Equal(t, []string{"safe create the table of crate", "destructive drop the table of lot with its 3 records", "safe rename pack works to depot"}, plans(packed(lotless), legal, depot))

		plans(packed(), legal, works)
		require.Empty(t, plans(packed(withoutLots), legal), "away")
		require.Equal(t, []string{"safe create the table of crate", "destructive drop the table of lot with its 0 records"}, plans(packed(lotless), legal, depot)[:2], "back, without them")
	})
}
