package store_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// texts are what people write into a text that becomes a number or a day, with what is kept of it; "" = nothing.
var texts = []struct{ text, number, day string }{
	{"0", "0", ""}, {"12", "12", ""}, {"-0.5", "-0.5", ""}, {"1.50", "1.5", ""}, {"9999999999999999.99999999", "9999999999999999.99999999", ""},
	{"-9999999999999999", "-9999999999999999", ""}, {"10000000000000000", "", ""}, {"0.123456789", "", ""}, {"007", "", ""}, {"+1", "", ""}, {" 1", "", ""},
	{"1\n", "", ""}, {"1e3", "", ""}, {"1,000", "", ""}, {".5", "", ""}, {"5.", "", ""}, {"-", "", ""}, {"-0", "", ""}, {"１", "", ""}, {"NaN", "", ""}, {"0x1", "", ""}, {"it's", "", ""},
	{"2026-02-28", "", "2026-02-28"}, {"2024-02-29", "", "2024-02-29"}, {"2026-02-29", "", ""}, {"2026-04-31", "", ""}, {"2026-13-01", "", ""}, {"2026-00-10", "", ""},
	{"2026-1-1", "", ""}, {"0000-01-01", "", ""}, {"0001-01-01", "", "0001-01-01"}, {"9999-12-31", "", "9999-12-31"}, {"2026-02-28\n", "", ""}, {"2026-02-28T00:00", "", ""}, {"20260228", "20260228", ""},
}

// tried is a storage whose column part has another kind.
func tried(k plan.Kind) plan.Storage {
	return edit("d_lot", func(t *plan.Table) {
		c := column(t, "part")
		*c = plan.Column{Name: "part", Property: "part", Kind: k, Scale: 8, Conversions: []plan.Conversion{{From: plan.Text, Trial: true}}}
	})
}

// What a text becomes is one rule: in a history, in a plan and in both databases.
func TestTrialsKeepWhatFits(t *testing.T) {
	cv := plan.Conversion{From: plan.Text, Trial: true}
	for _, x := range texts {
		for k, want := range map[plan.Kind]string{plan.Number: x.number, plan.Date: x.day} {
			switch v := cv.Value(x.text, k).(type) {
			case nil:
				require.Empty(t, want, "%q", x.text)
			case decimal.Decimal:
				require.Equal(t, want, v.String())
			default:
				require.Equal(t, want, v)
			}
		}
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for k, of := range map[plan.Kind]func(int) string{plan.Number: func(i int) string { return texts[i].number }, plan.Date: func(i int) string { return texts[i].day }} {
			apply(t, db, base())
			run(t, db, `DELETE FROM d_lot`)
			var kept []string
			lost := 0
			for i, x := range texts {
				id := "@" + string(rune('a'+i/10)) + string(rune('0'+i%10))
				run(t, db, `INSERT INTO d_lot (id, version, part) VALUES ('`+id+`', 1, ?)`, x.text)
				if of(i) == "" {
					lost++
				} else {
					kept = append(kept, of(i))
				}
			}
			p, err := db.Plan(t.Context(), tried(k), store.PlanOptions{})
			require.NoError(t, err)
			require.Equal(t, store.Destructive, p.Class())
			require.Equal(t, store.Convert, p.Steps[0].Action)
			require.EqualValues(t, len(texts), p.Steps[0].Count)
			require.EqualValues(t, lost, p.Steps[0].Lost)
			require.Len(t, p.Steps[0].Examples, 5)
			require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}), store.ErrDestructive)
			require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}))
			require.NoError(t, db.EnsureIndexes(t.Context()))
			got := list(t, db, shownParts(db, k))
			require.Equal(t, strings.Join(kept, ","), got)
			require.Empty(t, apply(t, db, tried(k)).Steps)
			run(t, db, `DELETE FROM d_lot`)
		}
	})
}

// shownParts reads the column part as texts.
func shownParts(db *store.DB, k plan.Kind) string {
	text := "part"
	switch {
	case k == plan.Number && db.Dialect() == "postgres":
		text = "trim_scale(part)::text"
	case k == plan.Number:
		text = "dec_text(part)"
	case db.Dialect() == "postgres":
		text = "part::text"
	}
	return `SELECT ` + text + ` FROM d_lot WHERE part IS NOT NULL ORDER BY id`
}

// Every value fits when the plan is made and one does not when it is applied: nobody was asked about that one.
func TestTrialsLookAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, base())
		fill(t, db)
		for id, text := range map[string]string{"a": "10", "b": "20", "k": "30"} {
			run(t, db, `UPDATE d_lot SET part = ? WHERE id = '@`+id+`'`, text)
		}
		p, err := db.Plan(t.Context(), tried(plan.Number), store.PlanOptions{Dev: true})
		require.NoError(t, err)
		require.Equal(t, store.Confirm, p.Class())
		run(t, db, `UPDATE d_lot SET part = 'ten' WHERE id = '@a'`)
		err = db.Apply(t.Context(), p, store.ApplyOptions{Yes: true, AllowDestructive: true})
		require.ErrorIs(t, err, store.ErrMoved)
		require.ErrorContains(t, err, "1 value doesn't fit any more in part of lot")
		require.Equal(t, "20,30,ten", list(t, db, `SELECT part FROM d_lot ORDER BY part`))
		run(t, db, `UPDATE d_lot SET part = '11' WHERE id = '@a'`)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
	})
}

// Two texts that are one number cannot be unique as numbers.
func TestTrialsMeetUniqueness(t *testing.T) {
	unique := func(s plan.Storage) plan.Storage {
		s.Tables[0].Unique = append(s.Tables[0].Unique, plan.Index{Columns: []string{"part"}})
		return s
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, unique(base()))
		for id, text := range map[string]string{"a": "1.5", "b": "1.50", "k": "2"} {
			run(t, db, `INSERT INTO d_lot (id, version, part) VALUES ('@`+id+`', 1, ?)`, text)
		}
		p, err := db.Plan(t.Context(), unique(tried(plan.Number)), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, store.Impossible, p.Class())
		require.ErrorIs(t, db.Apply(t.Context(), p, all), store.ErrDuplicates)
		run(t, db, `UPDATE d_lot SET part = '3' WHERE id = '@b'`)
		p, err = db.Plan(t.Context(), unique(tried(plan.Number)), store.PlanOptions{})
		require.NoError(t, err)
		require.Len(t, p.Steps, 1, "the index is part of the conversion: %v", p.Steps)
		require.NoError(t, db.Apply(t.Context(), p, all))
	})
}
