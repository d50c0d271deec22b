package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// changed is base after a year: names, types, columns, sub-tables and searches differ.
func changed() plan.Storage {
	s := base()
	lot := &s.Tables[0]
	lot.Name, lot.Model, lot.RenamedFrom = "d_batch", "batch", names.Former{"lot"}
	s.Tables[1].Name, s.Tables[1].Model, s.Tables[1].Parent = "d_batch__items", "batch.items", "d_batch"
	column(lot, "parent").References = "d_batch"
	*column(lot, "part") = with(text("place"), func(c *plan.Column) { c.Search, c.RenamedFrom = true, names.Former{"part"} })
	lot.Unique[0].Columns[1] = "place"
	*column(lot, "methods") = plan.Column{Name: "ways", Property: "ways", Kind: plan.Set, RenamedFrom: names.Former{"methods"}}
	amount := column(lot, "amount")
	amount.NotNull, amount.Default = true, "0.5"
	without(lot, "clock")
	contract, day := column(lot, "contract"), column(lot, "day")
	contract.Kind, contract.Conversions = plan.Set, []plan.Conversion{{From: plan.ID}}
	day.Kind, day.Conversions = plan.Instant, []plan.Conversion{{From: plan.Date}}
	lot.Columns = append(lot.Columns, text("code"))
	lot.Indexes = append(lot.Indexes, plan.Index{Columns: []string{"place", "id"}})
	column(&s.Tables[2], "title").Search = true
	s.Tables = append(s.Tables, table("extra", text("a")))
	return s
}

func fillDays(t *testing.T, db *store.DB) {
	t.Helper()
	fill(t, db)
	run(t, db, `UPDATE d_lot SET day = '2026-11-21' WHERE id = '@a'`)
}

// requireChanged looks whether what fill wrote is all there under its new names.
func requireChanged(t *testing.T, db *store.DB) {
	t.Helper()
	require.Equal(t, "A1,A1,Beam 22", list(t, db, `SELECT place FROM d_batch ORDER BY place`))
	require.Equal(t, "x,y", list(t, db, `SELECT id FROM d_batch__ways WHERE v = '@a' ORDER BY ordinal`))
	require.Equal(t, "c1", list(t, db, `SELECT id FROM d_batch__drawings WHERE v = '@a'`))
	require.Equal(t, "first,second", list(t, db, `SELECT item FROM d_batch__items WHERE "parentId" = '@a' ORDER BY "sortKey"`))
	require.Equal(t, "a", list(t, db, `SELECT parent FROM d_batch WHERE id = '@k'`))
	require.Equal(t, "a,b", list(t, db, `SELECT v FROM d_batch__contract ORDER BY v`))
	require.Equal(t, "c1,c1", list(t, db, `SELECT id FROM d_batch__contract ORDER BY v`))
	require.Equal(t, "2026-11-21T00:00:00.000Z", list(t, db, moments(db, "d_batch")))
	amount := `SELECT dec_text(amount) FROM d_batch ORDER BY amount`
	want := "0.5,0.5,12.345"
	if db.Dialect() == "postgres" {
		amount, want = `SELECT amount::text FROM d_batch ORDER BY amount`, "0.50000000,0.50000000,12.34500000"
	}
	require.Equal(t, want, list(t, db, amount))
}

func list(t *testing.T, db *store.DB, text string) string {
	t.Helper()
	var out []string
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw(spelled(db, text)).Scan(&out).Error
	}))
	for i := range out {
		out[i] = nameOf(out[i])
	}
	return strings.Join(out, ",")
}

// hits counts the records that a search through the gram index of a column finds.
func hits(t *testing.T, db *store.DB, table, column, word string) int64 {
	t.Helper()
	if db.Dialect() == "sqlite" {
		return ask[int64](t, db, fmt.Sprintf(`SELECT count(*) FROM %[1]s WHERE rid IN (SELECT rowid FROM %[2]s WHERE %[2]s MATCH '%[3]s')`,
			store.Ident(table), store.Ident(store.GramTable(table, column)), store.GramTokens(word)))
	}
	return ask[int64](t, db, fmt.Sprintf(`SELECT count(*) FROM %s WHERE %s @> ARRAY['%s']`, store.Ident(table),
		store.Ident(store.GramColumn(column)), strings.Join(store.Grams(word), "','")))
}

func TestApplyKeepsData(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, base())
		fillDays(t, db)
		apply(t, db, changed())
		requireChanged(t, db)
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.EqualValues(t, 1, hits(t, db, "d_contract", "title", "ONE"))
		// what keys and unique indexes promise still holds
		require.Error(t, try(t, db, `INSERT INTO d_batch (id, place, version, amount, contract) SELECT '@new', place, 1, amount, contract FROM d_batch WHERE id = '@a'`))
		require.Error(t, try(t, db, `DELETE FROM d_contract WHERE id = '@c1'`))
		require.Error(t, try(t, db, `INSERT INTO d_batch__drawings (v, id, ordinal) VALUES ('@a', '@none', 2)`))
		run(t, db, `DELETE FROM d_batch WHERE id = '@a'`)
		require.Equal(t, "", list(t, db, `SELECT id FROM d_batch__items`))
		require.Equal(t, "", list(t, db, `SELECT id FROM d_batch__ways`))
		require.EqualValues(t, 0, ask[int64](t, db, `SELECT count(parent) FROM d_batch`), "the reference to a deleted parent is cleared")
	})
}

func TestApplyRefusals(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, base())
		fill(t, db)
		rename := edit("d_contract", func(t *plan.Table) {
			*column(t, "title") = with(text("name"), func(c *plan.Column) { c.RenamedFrom = names.Former{"title"} })
		})
		p, err := db.Plan(t.Context(), rename, store.PlanOptions{})
		require.NoError(t, err)
		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{}), store.ErrConfirm)
		apply(t, db, edit("d_contract", func(t *plan.Table) { t.Columns = append(t.Columns, text("more")) }))
		require.ErrorIs(t, db.Apply(t.Context(), p, all), store.ErrMoved)

		required := edit("d_lot", func(t *plan.Table) {
			t.Columns = append(t.Columns, with(text("code"), func(c *plan.Column) { c.NotNull = true }))
		})
		p, err = db.Plan(t.Context(), required, store.PlanOptions{})
		require.NoError(t, err)
		require.ErrorIs(t, db.Apply(t.Context(), p, all), store.ErrNoValue)
		require.Equal(t, "one,two", list(t, db, `SELECT title FROM d_contract ORDER BY id`), "a refused apply changes nothing")
	})
}

func TestDroppedColumnIsGone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		apply(t, db, base())
		fill(t, db)
		apply(t, db, edit("d_lot", func(t *plan.Table) { without(t, "part"); without(t, "methods"); t.Unique = nil }))
		apply(t, db, base())
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.EqualValues(t, 0, ask[int64](t, db, `SELECT count(part) + count(methods) FROM d_lot`))
		require.EqualValues(t, 0, ask[int64](t, db, `SELECT count(*) FROM d_lot__methods`))
		require.EqualValues(t, 0, hits(t, db, "d_lot", "part", "beam"))
	})
}

// Building indexes goes on where it was stopped: behind the records that are done, and over an index that CONCURRENTLY has
// left invalid.
func TestIndexesResume(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		apply(t, db, base())
		const n = 2500
		for i := 0; i < n; i += 500 {
			values := make([]string, 500)
			for k := range values {
				values[k] = fmt.Sprintf("('@r%05d', '施工 no %d')", i+k, (i+k)/2)
			}
			run(t, db, `INSERT INTO d_contract (id, title) VALUES `+strings.Join(values, ","))
		}
		apply(t, db, edit("d_contract", func(t *plan.Table) {
			column(t, "title").Search = true
			t.Indexes = []plan.Index{{Columns: []string{"title"}}}
		}))
		pending, err := db.Pending(t.Context())
		require.NoError(t, err)
		require.Equal(t, []store.PendingIndex{{Table: "d_contract", Columns: []string{"title"}, Grams: true}, {Table: "d_contract", Columns: []string{"title"}}}, pending)
		run(t, db, `UPDATE sl_pending_index SET "after" = ? WHERE name LIKE 'g%'`, named("r00999")) // stopped after 1,000 records
		if o.URL != "" {
			c, err := pgx.Connect(t.Context(), storetest.One(o.URL))
			require.NoError(t, err)
			defer c.Close(t.Context())
			_, err = c.Exec(t.Context(), `CREATE UNIQUE INDEX CONCURRENTLY i_d_contract__title ON d_contract (title)`)
			require.Error(t, err, "titles repeat")
		}
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, db.EnsureIndexes(stopped), context.Canceled)
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.EqualValues(t, n-1000, hits(t, db, "d_contract", "title", "施工"))
		if o.URL != "" {
			require.EqualValues(t, 0, ask[int64](t, db, `SELECT count(*) FROM pg_index WHERE NOT indisvalid`))
		}
		pending, err = db.Pending(t.Context())
		require.NoError(t, err)
		require.Empty(t, pending)
	})
}

// Another node must load its definitions again before it writes, and hears of changes to rows.
func TestNodesHearOfEachOther(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		one, two := storetest.Open(t, o), storetest.Open(t, o)
		p, err := two.Plan(t.Context(), base(), store.PlanOptions{})
		require.NoError(t, err)
		require.Len(t, p.Steps, 2)
		apply(t, one, base())
		require.ErrorIs(t, try(t, two, `INSERT INTO d_contract (id) VALUES ('@x')`), store.ErrSchemaMoved)
		require.ErrorIs(t, two.Apply(t.Context(), p, all), store.ErrMoved)
		require.Empty(t, apply(t, two, base()).Steps, "an empty plan lets the node write again")
		before := one.Versions("d_contract", "sl_schema")
		run(t, two, `INSERT INTO d_contract (id) VALUES ('@x')`)
		if two.Dialect() == "postgres" { // rows written by SQL text name no table
			run(t, two, `INSERT INTO sl_change (tbl) VALUES ('d_contract')`)
		}
		require.Eventually(t, func() bool { return one.Versions("d_contract") > before }, 2*time.Second, 5*time.Millisecond)
	})
}

const childEnv = "SLUICE_STORE_TEST_CHILD"

// childCase is a change that child processes apply.
type childCase struct {
	name         string
	before, want func() plan.Storage
	fill         func(*testing.T, *store.DB)
	old          string // a query that tells the old tables, and what it answers
	was          string
	require      func(*testing.T, *store.DB)
}

var childCases = []childCase{
	{"changed", base, changed, fillDays, `SELECT part FROM d_lot ORDER BY part`, "A1,A1,Beam 22", requireChanged},
	{"ids", nil, base, old, `SELECT length(id) FROM d_contract WHERE title = 'one'`, "36", func(t *testing.T, db *store.DB) {
		require.Equal(t, "c1", list(t, db, `SELECT contract FROM d_lot WHERE id = '@a'`))
	}},
	{"swapped", paired, swapped, fillPaired, `SELECT place FROM d_lot WHERE id = '@a'`, "North", requireSwapped},
}

// TestMain is also the program of the child processes: it applies a change and kills itself before statement n.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	if err := child(os.Getenv("CHILD_URL"), os.Getenv("CHILD_DIR"), os.Getenv("CHILD_CASE"), os.Getenv(childEnv)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func child(url, dir, name, kill string) error {
	n, err := strconv.Atoi(kill)
	if err != nil {
		return err
	}
	ctx := context.Background()
	db, err := store.Open(ctx, store.Options{URL: url, Dir: dir})
	if err != nil {
		return err
	}
	defer db.Close()
	c := childCases[slices.IndexFunc(childCases, func(c childCase) bool { return c.name == name })]
	p, err := db.Plan(ctx, c.want(), store.PlanOptions{})
	if err != nil {
		return err
	}
	o := all
	if n > 0 { // documents are published with the tables
		o.Publish = func(_ context.Context, tx *store.Tx, version int64) error {
			return tx.System().Exec("CREATE TABLE published AS SELECT " + strconv.FormatInt(version, 10) + " AS version").Error
		}
	}
	o.OnStatement = func(i int, text string) {
		if i == n {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			panic(fmt.Sprint("alive at ", text, err))
		}
	}
	if err := db.Apply(ctx, p, o); err != nil {
		return err
	}
	return db.EnsureIndexes(ctx)
}

func startChild(t *testing.T, o store.Options, name string, kill int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+strconv.Itoa(kill), "CHILD_CASE="+name, "CHILD_URL="+o.URL, "CHILD_DIR="+o.Dir)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	return cmd
}

// A process that dies before any statement of an apply (each eighth in the required run) leaves the old tables with
// their data, and the next one finishes.
func TestKilledApply(t *testing.T) {
	for _, c := range childCases {
		t.Run(c.name, func(t *testing.T) {
			storetest.EachOptions(t, func(t *testing.T, o store.Options) { killedApply(t, o, c) })
		})
	}
}

func killedApply(t *testing.T, o store.Options, c childCase) {
	db := storetest.Open(t, o)
	if c.before != nil {
		apply(t, db, c.before())
	}
	c.fill(t, db)
	_, old, err := db.Schema(t.Context())
	require.NoError(t, err)
	n, step, kills := 1, 1, 0
	if !storetest.Everywhere() {
		step = 8
		n += rand.IntN(step)
	}
	for ; ; n += step {
		err := startChild(t, o, c.name, n).Wait()
		_, now, e := db.Schema(t.Context())
		require.NoError(t, e)
		if err == nil {
			break
		}
		kills++
		require.ErrorContains(t, err, "killed")
		require.Equal(t, old, now, "before statement %d", n)
		require.Equal(t, c.was, list(t, db, c.old), "before statement %d", n)
		require.Equal(t, "0", list(t, db, `SELECT max(version) FROM (SELECT version FROM sl_schema UNION ALL SELECT 0) AS v`), "before statement %d", n)
		require.Error(t, try(t, db, `INSERT INTO published (version) VALUES (9)`), "before statement %d", n)
	}
	require.Equal(t, "1 1", list(t, db, `SELECT s.version || ' ' || p.version FROM sl_schema s, published p WHERE s.id = 1`))
	c.require(t, db)
	pending, err := db.Pending(t.Context())
	require.NoError(t, err)
	require.Empty(t, pending)
	require.Greater(t, n, 10)
	t.Logf("killed before %d statements", kills)
}

// Of two processes that apply the same change at once one does it; the other finds it done or is told to plan again.
func TestTwoProcessesApply(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		apply(t, db, base())
		fillDays(t, db)
		children := []*exec.Cmd{startChild(t, o, "changed", 0), startChild(t, o, "changed", 0)}
		done := 0
		for _, c := range children {
			if c.Wait() == nil {
				done++
			}
		}
		require.GreaterOrEqual(t, done, 1)
		requireChanged(t, db)
		require.Empty(t, apply(t, db, changed()).Steps)
	})
}

// Writers go on while tables change: each either commits whole or is told that the schema moved.
func TestWritesDuringApply(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		one, two := storetest.Open(t, o), storetest.Open(t, o)
		apply(t, one, base())
		apply(t, two, base())
		var wg sync.WaitGroup
		moved := make(chan error, 4)
		for w := range 4 {
			wg.Go(func() {
				for i := 0; ; i++ {
					if err := try(t, two, fmt.Sprintf(`INSERT INTO d_contract (id) VALUES ('@w%d-%d')`, w, i)); err != nil {
						moved <- err
						return
					}
				}
			})
		}
		time.Sleep(50 * time.Millisecond)
		apply(t, one, changed())
		wg.Wait()
		close(moved)
		for err := range moved {
			require.ErrorIs(t, err, store.ErrSchemaMoved)
		}
	})
}
