package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

func from(old string, c plan.Column) plan.Column { c.RenamedFrom = names.Former{old}; return c }

// paired is base with a second one of most things, of the same kind.
func paired() plan.Storage {
	s := edit("d_lot", func(t *plan.Table) {
		t.Columns = append(t.Columns, with(text("place"), func(c *plan.Column) { c.Search = true }), text("c2"), text("c3"),
			plan.Column{Name: "ways", Property: "ways", Kind: plan.Set},
			plan.Column{Name: "second", Property: "second", Kind: plan.ID, References: "d_contract", OnDelete: "clear"})
		t.Indexes = append(t.Indexes, plan.Index{Columns: []string{"part", "id"}}, plan.Index{Columns: []string{"place", "id"}})
	})
	s.Tables = append(s.Tables, plan.Table{Name: "d_lot__notes", Model: "lot.notes", Parent: "d_lot", Columns: []plan.Column{text("note")}})
	return s
}

func fillPaired(t *testing.T, db *store.DB) {
	t.Helper()
	fill(t, db)
	for _, s := range []string{
		`UPDATE d_lot SET place = 'North', c2 = 'two', c3 = 'three', ways = 'w', second = '@c2' WHERE id = '@a'`,
		`INSERT INTO d_lot__ways (v, id, ordinal) VALUES ('@a', 'w', 0)`,
		`INSERT INTO d_lot__notes (id, "parentId", "sortKey", note) VALUES ('@n1', '@a', 1, 'noted')`,
	} {
		run(t, db, s)
	}
}

// swapped is paired with its names exchanged: the two models, two texts, two sets, two references and two sub-tables; c1 and c2
// take over from c2 and c3.
func swapped() plan.Storage {
	s := paired()
	lot, items, contract, notes := &s.Tables[0], &s.Tables[1], &s.Tables[2], &s.Tables[3]
	lot.Name, lot.Model, lot.RenamedFrom = "d_contract", "contract", names.Former{"d_lot"}
	contract.Name, contract.Model, contract.RenamedFrom = "d_lot", "lot", names.Former{"d_contract"}
	items.Name, items.Model, items.Parent, items.RenamedFrom = "d_contract__notes", "contract.notes", "d_contract", names.Former{"d_lot__items"}
	notes.Name, notes.Model, notes.Parent, notes.RenamedFrom = "d_contract__items", "contract.items", "d_contract", names.Former{"d_lot__notes"}
	for _, pair := range [][2]string{{"part", "place"}, {"methods", "ways"}, {"contract", "second"}} {
		a, b := column(lot, pair[0]), column(lot, pair[1])
		*a, *b = from(pair[1], *b), from(pair[0], *a)
		a.Name, a.Property, b.Name, b.Property = pair[0], pair[0], pair[1], pair[1]
	}
	*column(lot, "c2") = from("c2", text("c1"))
	*column(lot, "c3") = from("c3", text("c2"))
	column(lot, "contract").References, column(lot, "second").References = "d_lot", "d_lot"
	column(lot, "parent").References, column(lot, "drawings").References = "d_contract", "d_lot"
	lot.Unique = []plan.Index{{Columns: []string{"second", "place"}}}
	return s
}

// requireSwapped looks whether what fillPaired wrote is all there under its new names.
func requireSwapped(t *testing.T, db *store.DB) {
	t.Helper()
	for query, want := range map[string]string{
		`SELECT title FROM d_lot ORDER BY id`:                                "one,two",
		`SELECT place FROM d_contract ORDER BY id`:                           "A1,Beam 22,A1",
		`SELECT part FROM d_contract WHERE id = '@a'`:                        "North",
		`SELECT c1 FROM d_contract WHERE id = '@a'`:                          "two",
		`SELECT c2 FROM d_contract WHERE id = '@a'`:                          "three",
		`SELECT ways FROM d_contract WHERE id = '@a'`:                        "x;y",
		`SELECT id FROM d_contract__ways ORDER BY ordinal`:                   "x,y",
		`SELECT id FROM d_contract__methods`:                                 "w",
		`SELECT id FROM d_contract__drawings`:                                "c1",
		`SELECT second FROM d_contract WHERE id = '@a'`:                      "c1",
		`SELECT contract FROM d_contract WHERE id = '@a'`:                    "c2",
		`SELECT item FROM d_contract__notes ORDER BY "sortKey"`:              "first,second",
		`SELECT note FROM d_contract__items WHERE "parentId" = '@a'`:         "noted",
		`SELECT parent FROM d_contract WHERE id = '@k'`:                      "a",
		`SELECT name FROM sl_pending_index WHERE name LIKE '\_%' ESCAPE '\'`: "",
	} {
		require.Equal(t, want, list(t, db, query), query)
	}
}

// Names change places, in pairs and in chains, and the data goes with them: a line of the plan for each.
func TestRenamesExchangeNames(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		unsearched := paired()
		column(&unsearched.Tables[0], "part").Search, column(&unsearched.Tables[0], "place").Search = false, false
		apply(t, db, unsearched)
		fillPaired(t, db)
		apply(t, db, paired())
		require.NoError(t, db.EnsureIndexes(t.Context())) // which fills the searches
		p, err := db.Plan(t.Context(), swapped(), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, []string{
			"needs-confirmation rename-table d_contract. 0 d_contract",
			"needs-confirmation rename-column d_contract.part 0 part", "needs-confirmation rename-column d_contract.contract 0 contract",
			"needs-confirmation rename-column d_contract.methods 0 methods", "needs-confirmation rename-column d_contract.place 0 place",
			"needs-confirmation rename-column d_contract.c1 0 c1", "needs-confirmation rename-column d_contract.c2 0 c2",
			"needs-confirmation rename-column d_contract.ways 0 ways", "needs-confirmation rename-column d_contract.second 0 second",
			"needs-confirmation rename-table d_contract__notes. 0 d_contract__notes",
			"needs-confirmation rename-table d_lot. 0 d_lot",
			"needs-confirmation rename-table d_contract__items. 0 d_contract__items",
		}, short(p))
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
		requireSwapped(t, db)
		require.NoError(t, db.EnsureIndexes(t.Context()))
		requireSwapped(t, db)

		// What has been carried out asks for nothing any more, with renamedFrom still there or without.
		require.Empty(t, apply(t, db, swapped()).Steps)
		requireSwapped(t, db)
		requireKept(t, db)
		plain := swapped()
		for i := range plain.Tables {
			plain.Tables[i].RenamedFrom = nil
			for j := range plain.Tables[i].Columns {
				plain.Tables[i].Columns[j].RenamedFrom = nil
			}
		}
		require.Empty(t, apply(t, db, plain).Steps)
		requireSwapped(t, db)
	})
}

// Two names may change places again once the first renamedFrom has been taken out of the definitions.
func TestRenamesExchangeNamesAgain(t *testing.T) {
	plain := storage(table("pair", text("a"), text("b")))
	exchange := storage(table("pair", from("b", text("a")), from("a", text("b"))))
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, plain)
		run(t, db, `INSERT INTO d_pair (id, a, b) VALUES ('@1', 'first', 'second')`)
		for _, x := range []struct {
			want  plan.Storage
			steps int
			a     string
		}{{exchange, 2, "second"}, {exchange, 0, "second"}, {plain, 0, "second"}, {exchange, 2, "first"}, {plain, 0, "first"}} {
			require.Len(t, apply(t, db, x.want).Steps, x.steps)
			require.Equal(t, x.a, list(t, db, `SELECT a FROM d_pair`))
		}
	})
}

// requireKept: searches, references and unique indexes hold under the new names, and a refusal names the right property.
func requireKept(t *testing.T, db *store.DB) {
	t.Helper()
	require.EqualValues(t, 1, hits(t, db, "d_contract", "part", "north"))
	require.EqualValues(t, 1, hits(t, db, "d_contract", "place", "beam"))
	require.EqualValues(t, 0, hits(t, db, "d_contract", "place", "north"))
	var dup *store.Duplicate
	err := try(t, db, `INSERT INTO d_contract (id, place, version, second) SELECT '@new', place, 1, second FROM d_contract WHERE id = '@a'`)
	require.ErrorAs(t, err, &dup)
	require.Equal(t, []string{"second", "place"}, dup.Columns)
	require.Error(t, try(t, db, `DELETE FROM d_lot WHERE id = '@c1'`), "second refuses")
	if db.Dialect() == "postgres" {
		var ref *store.Referenced
		require.ErrorAs(t, try(t, db, `DELETE FROM d_lot WHERE id = '@c1'`), &ref)
		require.Contains(t, []string{"second", "drawings"}, ref.Column)
	}
}

// A name may also come free because what had it goes, or be taken by something new.
func TestRenamesMeetOtherChanges(t *testing.T) {
	cases := []struct {
		name  string
		want  plan.Storage
		steps []string
		query string
		out   string
	}{
		{"into the place of a dropped column", edit("d_lot", func(t *plan.Table) {
			without(t, "parent")
			*column(t, "contract") = from("contract", with(*column(t, "contract"), func(c *plan.Column) { c.Name, c.Property = "parent", "parent" }))
			t.Unique = nil
		}), []string{"needs-confirmation rename-column d_lot.parent 0 parent", "destructive drop-column d_lot.parent 1", "safe drop-index d_lot.contract, part 0"},
			`SELECT parent FROM d_lot WHERE id = '@a'`, "c1"},
		{"into the place of a dropped text", edit("d_lot", func(t *plan.Table) {
			without(t, "clock")
			*column(t, "day") = plan.Column{Name: "clock", Property: "clock", Kind: plan.Date, RenamedFrom: names.Former{"day"}}
			t.Indexes = nil
		}), []string{"needs-confirmation rename-column d_lot.clock 0 clock", "safe drop-index d_lot.day, id 0", "destructive drop-column d_lot.clock 0"}, `SELECT count(clock) FROM d_lot`, "0"},
		{"into the place of a dropped model", func() plan.Storage {
			s := storage(with(table("lot", text("title")), func(t *plan.Table) { t.RenamedFrom = names.Former{"contract"} }))
			return s
		}(), []string{"needs-confirmation rename-table d_lot. 0 d_lot", "destructive drop-table d_lot. 3"}, `SELECT title FROM d_lot ORDER BY id`, "one,two"},
		{"case only", edit("d_contract", func(t *plan.Table) { *column(t, "title") = from("title", text("Title")) }),
			[]string{"needs-confirmation rename-column d_contract.Title 0 Title"}, `SELECT "Title" FROM d_contract ORDER BY id`, "one,two"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				apply(t, db, base())
				fill(t, db)
				p := apply(t, db, c.want)
				require.ElementsMatch(t, c.steps, short(p))
				require.Equal(t, c.out, list(t, db, c.query))
				require.NoError(t, db.EnsureIndexes(t.Context()))
				require.Empty(t, apply(t, db, c.want).Steps)
			})
		})
	}
}

// TestTypesWithTablesOfTheirOwn: a type of property whose values are rows gets a further column with a version of the program. What is there stays, also
// where the property has the code of one of these columns.
func TestTypesWithTablesOfTheirOwn(t *testing.T) {
	of := func(columns ...string) plan.Storage {
		t := table("review")
		for _, name := range columns {
			t.Columns = append(t.Columns, plan.Column{Name: name, Property: "opinion", Kind: plan.Text})
		}
		return storage(t)
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, of("node", "opinion"))
		run(t, db, `INSERT INTO d_review (id, node, opinion) VALUES ('@a0', 'check', 'agreed')`)
		p, err := db.Plan(t.Context(), of("node", "opinion", "rule"), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, []string{"safe add-column d_review.rule 0"}, short(p))
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
		require.Equal(t, "agreed", list(t, db, `SELECT opinion FROM d_review`))
	})
}
