package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Records that share values which shall be unique stop the plan, with the values; empty ones share nothing. No option passes it.
func TestUniqueOverDuplicates(t *testing.T) {
	whole := ticket + "\n]} -> \n], \"unique\": [[\"site\", \"day\"], [\"state\", \"amount\"]]}"
	rows := ticket + `"name": "品名" -> "name": "品名", "unique": true`
	number := site + `"name": "编号", "unique": true -> "name": "编号"`
	eachDesk(t, func(d *planDesk) {
		refused := func(line string, edits ...string) {
			p := d.plan(edits...)
			require.Equal(d.t, store.Impossible, p.Class())
			require.Contains(d.t, strings.Join(d.lines(p, "en"), "\n"), line)
			err := d.db.Apply(d.t.Context(), p, store.ApplyOptions{Yes: true, AllowDestructive: true})
			require.ErrorIs(d.t, err, store.ErrDuplicates)
			require.NotEmpty(d.t, d.plan(edits...).Steps, "nothing was applied")
		}
		d.sql(`UPDATE d_site SET name = 'one' WHERE id = '@s1'`)
		d.sql(`UPDATE d_ticket SET site = '@s1' WHERE id = '@t2'`)
		refused("impossible  models/ticket.json:12:15  make site, day of ticket unique; 2 records have duplicates: “one” / “2026-11-21” (2)", whole)
		d.sql(`UPDATE d_ticket SET state = 'OPEN', amount = ? WHERE id <> '@t3'`, d.number("1.50"))
		refused("make state, amount of ticket unique; 2 records have duplicates: “OPEN” / “1.5” (2)", whole)
		d.sql(`INSERT INTO d_ticket__lines (id, "parentId", "sortKey", item) VALUES ('@l4', '@t2', 2, 'nail'), ('@l5', '@t2', 3, 'nut'), ('@l6', '@t2', 4, 'nut'), ('@l7', '@t2', 5, 'nut')`)
		refused("impossible  models/ticket.json:11:14  make item of ticket.lines unique; 5 records have duplicates: “nut” (3), “nail” (2)", rows)

		// Between a plan and its apply records come.
		d.sql(`UPDATE d_ticket__lines SET item = 'nut' WHERE id = '@l1'`)
		d.sql(`DELETE FROM d_ticket__lines WHERE id IN ('@l5', '@l6', '@l7', '@l1')`)
		p := d.plan(rows)
		require.Equal(d.t, store.Safe, p.Class())
		d.sql(`UPDATE d_ticket__lines SET item = 'nail' WHERE id = '@l2'`)
		err := d.db.Apply(d.t.Context(), p, store.ApplyOptions{})
		require.ErrorIs(d.t, err, store.ErrDuplicates)
		require.ErrorContains(d.t, err, "make item of ticket.lines unique; 2 records have duplicates: “nail” (2)")
		require.NotEmpty(d.t, d.plan(rows).Steps)
		d.sql(`DELETE FROM d_ticket__lines WHERE id = '@l2'`)
		d.apply(p, store.ApplyOptions{})

		d.apply(d.plan(number), store.ApplyOptions{})
		d.sql(`UPDATE d_site SET number = '2'`)
		p = d.plan()
		require.Equal(d.t, []store.Example{{Values: []string{"2"}, Count: 2}}, p.Steps[len(p.Steps)-1].Examples)
		bare := p.Steps[len(p.Steps)-1].WithoutExamples()
		require.Equal(d.t, "make number of site unique; 2 records have duplicates", bare.Text.In("en"))
		require.Empty(d.t, bare.Examples)
		require.Contains(d.t, strings.Join(d.lines(p, "zh"), "\n"), "site 的 number 改为唯一，2 条记录有重复：“2”（2）")
	})
}

// At most five values are named, those of most records first, and long ones in part.
func TestUniqueNamesFewValues(t *testing.T) {
	eachDesk(t, func(d *planDesk) {
		d.apply(d.plan(site+`"name": "编号", "unique": true -> "name": "编号"`), store.ApplyOptions{})
		d.sql(`UPDATE d_site SET number = ?`, strings.Repeat("长", 70))
		for i, n := range []int{2, 2, 2, 2, 3, 2} {
			for j := range n {
				d.sql(`INSERT INTO d_site (id, version, title, number) VALUES ('@`+string("abcdef"[i])+string("123"[j])+`', 1, 'x', ?)`, string("ABCDEF"[i]))
			}
		}
		p := d.plan()
		s := p.Steps[len(p.Steps)-1]
		require.EqualValues(d.t, 15, s.Count)
		require.Len(d.t, s.Examples, 5)
		require.Equal(d.t, store.Example{Values: []string{"E"}, Count: 3}, s.Examples[0])
		require.NotContains(d.t, s.Text.In("en"), strings.Repeat("长", 61))
	})
}

// The check before a publication and the publication say the same, whatever is confirmed.
func TestUniqueOverDuplicatesIsNotPublished(t *testing.T) {
	publishing.Each(t, func(t *testing.T, o store.Options) {
		cfg := config(t, o, deskDir)
		a, err := app.Open(t.Context(), cfg)
		require.NoError(t, err)
		defer a.Close()
		d := desks{a, t}
		for range 2 {
			_, err = a.Writer().Save(t.Context(), rightsOf(a, "administrator"), record.Change{Model: "ticket", Set: map[string]json.RawMessage{"name": json.RawMessage(`"one"`)}})
			require.NoError(t, err)
		}
		unique := d.change("models/ticket.json", `"code": "name", `, `"code": "name", "unique": true, `)
		look, err := d.Look(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: []app.Change{unique}})
		require.NoError(t, err)
		require.Equal(t, store.Impossible, look.Class)
		p := d.refused(fault.PublishImpossible, app.Confirmation{Steps: look.Digest, AllowDestructive: true}, unique)
		require.Equal(t, look.Steps, p.Steps)
		require.Contains(t, p.Steps[0].Text.In("en"), "“one” (2)")
		require.Empty(t, a.State().Catalog.Version, "nothing was published")
	})
}
