package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// pairs are values of each kind, as they are inserted and as plan.Conversion knows them.
var pairs = map[plan.Kind][]struct {
	stored string
	value  any
}{
	plan.Text: {{"12.5", "12.5"}, {"2026-11-21", "2026-11-21"}, {"2026-02-30", "2026-02-30"}, {"07:30", "07:30"}, {"23:59:59", "23:59:59"}, {"24:00", "24:00"}, {"是", "是"}, {"no", "no"}, {"No", "No"},
		{"2026-03-08T05:00:00.000Z", "2026-03-08T05:00:00.000Z"}, {"2026-02-30T05:00:00.000Z", "2026-02-30T05:00:00.000Z"}, {"2026-03-08T05:00:00Z", "2026-03-08T05:00:00Z"}, {"it's", "it's"}},
	plan.Number:  {{"0", decimal.New(0, 0)}, {"-12.5", decimal.New(-125, -1)}},
	plan.Date:    {{"2026-03-08", "2026-03-08"}, {"2026-11-01", "2026-11-01"}},
	plan.Instant: {{"2026-03-08T05:00:00.000Z", time.Date(2026, 3, 8, 5, 0, 0, 0, time.UTC)}, {"2026-03-08T04:59:59.999Z", time.Date(2026, 3, 8, 4, 59, 59, 999e6, time.UTC)}},
	plan.Clock:   {{"07:30:00", "07:30:00"}},
	plan.Bool:    {{"true", true}, {"false", false}},
}

// Each pair of kinds is kept, tried or lost, by one rule: of a history, of a plan, and of both databases.
func TestPairsOfKinds(t *testing.T) {
	const zone = "America/Havana"
	kinds := []plan.Kind{plan.Text, plan.Number, plan.Date, plan.Instant, plan.Clock, plan.Bool}
	kept := map[string]string{
		"text number": "12.5", "text date": "2026-11-21", "text instant": "2026-03-08T05:00:00.000Z", "text clock": "07:30:00 23:59:59", "text bool": "true false",
		"number text": "0 -12.5", "date text": "2026-03-08 2026-11-01", "date instant": "2026-03-08T05:00:00.000Z 2026-11-01T04:00:00.000Z",
		"instant text": "2026-03-08T05:00:00.000Z 2026-03-08T04:59:59.999Z", "instant date": "2026-03-08", "clock text": "07:30:00", "bool text": "是 否",
	}
	of := func(k plan.Kind, cs []plan.Conversion) plan.Storage {
		return edit("d_lot", func(t *plan.Table) {
			*column(t, "part") = plan.Column{Name: "part", Property: "part", Kind: k, Scale: 8, Conversions: cs}
		})
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, from := range kinds {
			for _, to := range kinds {
				if from == to {
					continue
				}
				name := from.String() + " " + to.String()
				conversions := plan.Takes(to, zone)
				apply(t, db, of(from, nil))
				run(t, db, `DELETE FROM d_lot`)
				var rule []string
				lost := 0
				for i, x := range pairs[from] {
					var stored any = x.stored
					if from == plan.Number && db.Dialect() == "sqlite" {
						stored = encoded(t, x.stored)
					}
					if from == plan.Bool && db.Dialect() == "sqlite" {
						stored = x.value
					}
					run(t, db, fmt.Sprintf(`INSERT INTO d_lot (id, version, part) VALUES ('@%c%d', 1, ?)`, 'a'+i/10, i%10), stored)
					var v any
					for _, c := range conversions {
						if c.From == from {
							v = c.Value(x.value, to)
						}
					}
					switch y := v.(type) {
					case nil:
						lost++
					case time.Time:
						rule = append(rule, y.Format("2006-01-02T15:04:05.000Z"))
					default:
						rule = append(rule, fmt.Sprint(y))
					}
				}
				require.Equal(t, kept[name], strings.Join(rule, " "), name)
				p, err := db.Plan(t.Context(), of(to, conversions), store.PlanOptions{})
				require.NoError(t, err, name)
				step := p.Steps[0]
				if _, takes := kept[name]; takes {
					require.Equal(t, store.Convert, step.Action, name)
					require.EqualValues(t, lost, step.Lost, name)
				} else {
					require.Equal(t, store.Retype, step.Action, name)
					require.Equal(t, store.Destructive, p.Class(), name)
				}
				if lost > 0 {
					require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}), store.ErrDestructive, name)
				}
				require.NoError(t, db.Apply(t.Context(), p, all), name)
				require.NoError(t, db.EnsureIndexes(t.Context()))
				require.Equal(t, strings.ReplaceAll(kept[name], " ", ","), list(t, db, shownAs(db, to)), name)
				require.Empty(t, apply(t, db, of(to, conversions)).Steps, name)
			}
		}
	})
}

// shownAs reads the column part of a kind as texts.
func shownAs(db *store.DB, k plan.Kind) string {
	text := "part"
	switch {
	case k == plan.Instant && db.Dialect() == "postgres":
		text = `to_char(part AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
	case k == plan.Bool && db.Dialect() == "sqlite":
		text = "CASE WHEN part THEN 'true' ELSE 'false' END"
	default:
		return shownParts(db, k)
	}
	return `SELECT ` + text + ` FROM d_lot WHERE part IS NOT NULL ORDER BY id`
}

// A set of one becomes its member, of options and of records, and one of several is lost; the other way nothing is.
func TestSetsOfOne(t *testing.T) {
	back := func() plan.Storage {
		s := single()
		lot := &s.Tables[0]
		column(lot, "pick").Conversions = plan.TakesOptions(plan.Text)
		column(lot, "pick").RenamedFrom = []string{"picks"}
		column(lot, "contract").Conversions = plan.Takes(plan.ID, "")
		column(lot, "parent").Conversions = plan.Takes(plan.ID, "")
		return s
	}
	several := func() plan.Storage {
		s := multiple()
		*column(&s.Tables[0], "number") = *column(&single().Tables[0], "number")
		*column(&s.Tables[0], "day") = *column(&single().Tables[0], "day")
		s.Tables[0].Unique = single().Tables[0].Unique
		return s
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, single())
		fillSingle(t, db)
		before := list(t, db, `SELECT pick FROM d_lot WHERE pick IS NOT NULL ORDER BY id`)
		contracts, parents := list(t, db, `SELECT contract FROM d_lot WHERE contract IS NOT NULL ORDER BY id`), list(t, db, `SELECT parent FROM d_lot WHERE parent IS NOT NULL ORDER BY id`)
		apply(t, db, several())
		p, err := db.Plan(t.Context(), back(), store.PlanOptions{Dev: true})
		require.NoError(t, err)
		require.Equal(t, store.Confirm, p.Class(), "%v", p.Steps)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.Equal(t, before, list(t, db, `SELECT pick FROM d_lot WHERE pick IS NOT NULL ORDER BY id`))
		require.Equal(t, contracts, list(t, db, `SELECT contract FROM d_lot WHERE contract IS NOT NULL ORDER BY id`))
		require.Equal(t, parents, list(t, db, `SELECT parent FROM d_lot WHERE parent IS NOT NULL ORDER BY id`))
		require.Error(t, try(t, db, `DELETE FROM d_contract WHERE id = '@c1'`), "the key is there again")
		require.Error(t, try(t, db, `SELECT v FROM d_lot__contract`), "and the links are gone")

		apply(t, db, several())
		run(t, db, `UPDATE d_lot SET picks = 'x;it''s' WHERE id = '@a'`)
		run(t, db, `INSERT INTO d_lot__picks (v, id, ordinal) VALUES ('@a', 'it''s', 1)`)
		p, err = db.Plan(t.Context(), back(), store.PlanOptions{Dev: true})
		require.NoError(t, err)
		require.Equal(t, store.Destructive, p.Class(), "%v", p.Steps)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true, AllowDestructive: true}))
		require.Equal(t, "it's", list(t, db, `SELECT pick FROM d_lot WHERE pick IS NOT NULL ORDER BY id`))
	})
}
