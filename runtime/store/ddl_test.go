package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

func text(name string) plan.Column {
	return plan.Column{Name: name, Property: name, Kind: plan.Text, MaxLength: 20}
}

func table(model string, columns ...plan.Column) plan.Table {
	return plan.Table{Name: "d_" + model, Model: model, Columns: columns}
}

func storage(tables ...plan.Table) plan.Storage { return plan.Storage{Tables: tables} }

func with[T any](v T, change func(*T)) T { change(&v); return v }

// base is a small storage with every kind of column, a reference, a tree, a set, a sub-table, a search and indexes.
func base() plan.Storage {
	contract := table("contract", text("title"))
	lot := table("lot",
		with(text("part"), func(c *plan.Column) { c.Search = true }),
		plan.Column{Name: "amount", Property: "amount", Kind: plan.Number, Scale: 2},
		plan.Column{Name: "day", Property: "day", Kind: plan.Date},
		plan.Column{Name: "at", Property: "at", Kind: plan.Instant},
		plan.Column{Name: "clock", Property: "clock", Kind: plan.Clock},
		plan.Column{Name: "ok", Property: "ok", Kind: plan.Bool},
		plan.Column{Name: "version", Kind: plan.Int, NotNull: true},
		plan.Column{Name: "contract", Property: "contract", Kind: plan.ID, References: "d_contract"},
		plan.Column{Name: "parent", Property: "parent", Kind: plan.ID, References: "d_lot", OnDelete: "clear"},
		plan.Column{Name: "methods", Property: "methods", Kind: plan.Set},
		plan.Column{Name: "drawings", Property: "drawings", Kind: plan.Set, References: "contract"},
	)
	lot.Unique = []plan.Index{{Columns: []string{"contract", "part"}}}
	lot.Indexes = []plan.Index{{Columns: []string{"day", "id"}, Desc: []bool{true, false}}}
	items := plan.Table{Name: "d_lot__items", Model: "lot.items", Parent: "d_lot", Columns: []plan.Column{text("item")}}
	return storage(lot, items, contract)
}

// edit returns base with one table changed.
func edit(name string, change func(*plan.Table)) plan.Storage {
	s := base()
	for i := range s.Tables {
		if s.Tables[i].Name == name {
			change(&s.Tables[i])
		}
	}
	return s
}

func column(t *plan.Table, name string) *plan.Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	panic(name)
}

func without(t *plan.Table, name string) {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			t.Columns = append(t.Columns[:i], t.Columns[i+1:]...)
			return
		}
	}
}

var all = store.ApplyOptions{Yes: true, AllowDestructive: true}

func apply(t *testing.T, db *store.DB, want plan.Storage) *store.Plan {
	t.Helper()
	p, err := db.Plan(t.Context(), want, store.PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, all))
	return p
}

func run(t *testing.T, db *store.DB, text string, args ...any) {
	t.Helper()
	require.NoError(t, try(t, db, text, args...))
}

func try(t *testing.T, db *store.DB, text string, args ...any) error {
	return db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Exec(spelled(db, text), args...).Error })
}

func ask[T any](t *testing.T, db *store.DB, text string, args ...any) (out T) {
	t.Helper()
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw(spelled(db, text), args...).Row().Scan(&out)
	}))
	return out
}

// fill writes two contracts and three lots.
func fill(t *testing.T, db *store.DB) {
	t.Helper()
	for _, s := range []string{
		`INSERT INTO d_contract (id, title) VALUES ('@c1', 'one'), ('@c2', 'two')`,
		`INSERT INTO d_lot (id, part, version, contract, methods, drawings) VALUES ('@a', 'A1', 1, '@c1', 'x;y', '@c1'), ('@b', 'Beam 22', 1, '@c1', NULL, NULL)`,
		`INSERT INTO d_lot (id, part, version, parent) VALUES ('@k', 'A1', 1, '@a')`,
		`INSERT INTO d_lot__methods (v, id, ordinal) VALUES ('@a', 'x', 0), ('@a', 'y', 1)`,
		`INSERT INTO d_lot__drawings (v, id, ordinal) VALUES ('@a', '@c1', 0)`,
		`INSERT INTO d_lot__items (id, "parentId", "sortKey", item) VALUES ('@i1', '@a', 1, 'first'), ('@i2', '@a', 2, 'second')`,
	} {
		run(t, db, s)
	}
	number := any("12.345")
	if db.Dialect() == "sqlite" {
		number = encoded(t, "12.345")
	}
	run(t, db, `UPDATE d_lot SET amount = ? WHERE id = '@a'`, number)
}

func short(p *store.Plan) []string {
	out := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		out[i] = strings.TrimSpace(fmt.Sprintf("%s %s %s.%s %d %s", s.Class, s.Action, s.Table, s.Column, s.Count, s.To))
	}
	return out
}

// Each change to base gives these steps on both databases, and applying it leaves nothing to do.
func TestPlanSteps(t *testing.T) {
	cases := []struct {
		name string
		want plan.Storage
		dev  bool
		out  []string
	}{
		{name: "nothing", want: base()},
		{name: "new model is one step", want: storage(append(base().Tables,
			with(table("new", text("a"), text("b"), plan.Column{Name: "c", Kind: plan.ID, References: "d_lot"}), func(t *plan.Table) { t.Indexes = []plan.Index{{Columns: []string{"a"}}} }),
			plan.Table{Name: "d_new__rows", Model: "new.rows", Parent: "d_new", Columns: []plan.Column{text("x")}})...),
			out: []string{"safe create-table d_new. 0"}},
		{name: "new sub-table", want: storage(append(base().Tables, plan.Table{Name: "d_contract__rows", Model: "contract.rows", Parent: "d_contract"})...),
			out: []string{"safe create-table d_contract__rows. 0"}},
		{name: "new column with its indexes", want: edit("d_lot", func(t *plan.Table) {
			t.Columns = append(t.Columns, with(text("code"), func(c *plan.Column) { c.Search = true }))
			t.Unique = append(t.Unique, plan.Index{Columns: []string{"code"}})
		}), out: []string{"safe add-column d_lot.code 0"}},
		{name: "new required column", want: edit("d_lot", func(t *plan.Table) {
			t.Columns = append(t.Columns, with(text("code"), func(c *plan.Column) { c.NotNull, c.Default = true, "it's" }))
		}), out: []string{"needs-confirmation add-column d_lot.code 3"}},
		{name: "rename column", want: edit("d_lot", func(t *plan.Table) {
			*column(t, "part") = with(text("place"), func(c *plan.Column) { c.Search, c.RenamedFrom = true, names.Former{"part"} })
			t.Unique[0].Columns[1] = "place"
		}), out: []string{"needs-confirmation rename-column d_lot.place 0 place"}},
		{name: "rename column in dev", dev: true, want: edit("d_contract", func(t *plan.Table) {
			*column(t, "title") = with(text("Title"), func(c *plan.Column) { c.RenamedFrom = names.Former{"title"} })
		}), out: []string{"safe rename-column d_contract.Title 0 Title"}},
		{name: "rename model with its sub-tables and sets", want: func() plan.Storage {
			s := base()
			s.Tables[0].Name, s.Tables[0].Model, s.Tables[0].RenamedFrom = "d_batch", "batch", names.Former{"lot"}
			column(&s.Tables[0], "parent").References = "d_batch"
			s.Tables[1].Name, s.Tables[1].Model, s.Tables[1].Parent = "d_batch__items", "batch.items", "d_batch"
			return s
		}(), out: []string{"needs-confirmation rename-table d_batch. 0 d_batch"}},
		{name: "stale renamedFrom", want: edit("d_lot", func(t *plan.Table) {
			t.RenamedFrom = names.Former{"contract"}
			column(t, "part").RenamedFrom = names.Former{"amount"}
		})},
		{name: "widen", want: edit("d_lot", func(t *plan.Table) { column(t, "part").MaxLength = 50; column(t, "amount").Scale = 3 }),
			out: []string{"safe widen d_lot.part 0 maxLength 50", "safe widen d_lot.amount 0 scale 3"}},
		{name: "narrow", want: edit("d_lot", func(t *plan.Table) { column(t, "part").MaxLength = 3; column(t, "amount").Scale = 1 }),
			out: []string{"needs-confirmation narrow d_lot.part 1 maxLength 3", "needs-confirmation narrow d_lot.amount 1 scale 1"}},
		{name: "required", want: edit("d_lot", func(t *plan.Table) {
			c := column(t, "amount")
			c.NotNull, c.Default = true, "0.5"
		}), out: []string{"needs-confirmation required d_lot.amount 2"}},
		{name: "optional", want: edit("d_lot", func(t *plan.Table) { column(t, "version").NotNull = false }), out: []string{"safe optional d_lot.version 0"}},
		{name: "retype", want: edit("d_lot", func(t *plan.Table) { *column(t, "amount") = text("amount") }),
			out: []string{"destructive retype d_lot.amount 1 text"}},
		{name: "retype a reference", want: edit("d_lot", func(t *plan.Table) { column(t, "contract").References = "d_lot" }),
			out: []string{"destructive retype d_lot.contract 2 id → d_lot"}},
		{name: "set to text", want: edit("d_lot", func(t *plan.Table) { *column(t, "methods") = text("methods") }),
			out: []string{"destructive retype d_lot.methods 1 text"}},
		{name: "drop columns", want: edit("d_lot", func(t *plan.Table) {
			without(t, "contract")
			without(t, "methods")
			without(t, "part")
			t.Unique = nil
		}), out: []string{"destructive drop-column d_lot.part 3", "destructive drop-column d_lot.contract 2", "destructive drop-column d_lot.methods 1"}},
		{name: "drop model", want: func() plan.Storage { s := base(); s.Tables = s.Tables[2:]; return s }(),
			out: []string{"destructive drop-table d_lot. 3"}},
		{name: "drop sub-table", want: func() plan.Storage { s := base(); s.Tables = append(s.Tables[:1], s.Tables[2]); return s }(),
			out: []string{"destructive drop-table d_lot__items. 2"}},
		{name: "unique with duplicates", want: edit("d_lot", func(t *plan.Table) { t.Unique = append(t.Unique, plan.Index{Columns: []string{"part"}}) }),
			out: []string{"impossible add-index d_lot.part 2 unique"}},
		{name: "indexes and search", want: edit("d_lot", func(t *plan.Table) {
			t.Indexes = []plan.Index{{Columns: []string{"part"}}}
			column(t, "part").Search = false
		}), out: []string{"safe add-index d_lot.part 0", "safe drop-index d_lot.day, id 0", "safe drop-index d_lot.part 0"}},
		{name: "search comes", want: edit("d_contract", func(t *plan.Table) { column(t, "title").Search = true }), out: []string{"safe add-index d_contract.title 0"}},
		{name: "on delete", want: edit("d_lot", func(t *plan.Table) { column(t, "contract").OnDelete, column(t, "drawings").OnDelete = "clear", "clear" }),
			out: []string{"safe reference d_lot.contract 0 SET NULL", "safe reference d_lot.drawings 0 CASCADE"}},
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				o := o
				if o.URL == "" {
					o.Dir = t.TempDir()
				} else {
					o.URL = storetest.Postgres(t)
				}
				db := storetest.Open(t, o)
				apply(t, db, base())
				fill(t, db)
				p, err := db.Plan(t.Context(), c.want, store.PlanOptions{Dev: c.dev})
				require.NoError(t, err)
				if c.out == nil {
					c.out = []string{}
				}
				require.Equal(t, c.out, short(p))
				if p.Class() == store.Destructive {
					require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}), store.ErrDestructive)
				}
				if c.name == "unique with duplicates" {
					require.Error(t, db.Apply(t.Context(), p, all))
					run(t, db, `UPDATE d_lot SET part = 'C' WHERE id = '@k'`)
					p, err = db.Plan(t.Context(), c.want, store.PlanOptions{})
					require.NoError(t, err)
				}
				require.NoError(t, db.Apply(t.Context(), p, all))
				require.NoError(t, db.EnsureIndexes(t.Context()))
				again, err := db.Plan(t.Context(), c.want, store.PlanOptions{})
				require.NoError(t, err)
				require.Empty(t, short(again))
				pending, err := db.Pending(t.Context())
				require.NoError(t, err)
				require.Empty(t, pending)
				require.NoError(t, try(t, db, `INSERT INTO d_contract (id) VALUES ('@z')`))
				apply(t, db, base()) // and back
				apply(t, db, storage())
			})
		}
	})
}
