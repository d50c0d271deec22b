package store_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// named is the id that represents a short name in tests: its letters are the bytes, so that ids sort as their names do.
func named(name string) string {
	b := [16]byte{}
	copy(b[:], name)
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

var mark = regexp.MustCompile(`'@([a-zA-Z0-9-]+)'`)

// spelled writes '@name' in a statement as the id that represents the name, in the form that the database keeps.
func spelled(db *store.DB, text string) string {
	return mark.ReplaceAllStringFunc(text, func(s string) string {
		id := named(s[2 : len(s)-1])
		if db.Dialect() == "sqlite" {
			return "x'" + strings.ReplaceAll(id, "-", "") + "'"
		}
		return "'" + id + "'"
	})
}

// nameOf is spelled the other way round, for what a statement answers.
func nameOf(s string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	if len(s) == 16 {
		b, err = []byte(s), nil
	}
	if err == nil && len(b) == 16 && b[15] == 0 {
		return string(bytes.TrimRight(b, "\x00"))
	}
	return s
}

// old makes the tables of base as they were when ids were texts, with the rows that fill writes.
func old(t *testing.T, db *store.DB) {
	t.Helper()
	number := any("12.345")
	if db.Dialect() == "sqlite" {
		number = encoded(t, "12.345")
	}
	for _, file := range []string{db.Dialect(), "rows", "schema"} {
		for _, s := range strings.Split(content(t, "testdata/format0."+file+".sql"), ";\n") {
			if strings.TrimSpace(s) == "" {
				continue
			}
			run(t, db, mark.ReplaceAllStringFunc(s, func(m string) string { return "'" + named(m[2:len(m)-1]) + "'" }))
		}
		if file == "rows" {
			run(t, db, `UPDATE d_lot SET amount = ?, day = '2026-11-21' WHERE part = 'A1' AND parent IS NULL`, number)
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// A database with ids as texts is brought to bytes by an apply, which says so, and everything is found in it afterwards: also when
// the same apply changes definitions.
func TestIDsBecomeBytes(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		old(t, db)
		require.NoError(t, db.Close())
		db = storetest.Open(t, o)
		_, err := db.Adopt(t.Context())
		require.ErrorIs(t, err, store.ErrFormat, "nobody writes into it before")

		p, err := db.Plan(t.Context(), base(), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, []string{"safe repack . 0"}, short(p))
		require.Equal(t, "keep all ids in 16 bytes instead of 36 characters: every table is written anew, no data changes", p.Steps[0].Text.In("en"))
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
		again, err := db.Plan(t.Context(), base(), store.PlanOptions{})
		require.NoError(t, err)
		require.Empty(t, short(again))

		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.Equal(t, "a,b,k", list(t, db, `SELECT id FROM d_lot ORDER BY id`))
		require.Equal(t, "c1", list(t, db, `SELECT contract FROM d_lot WHERE id = '@a'`))
		require.Error(t, try(t, db, `DELETE FROM d_contract WHERE id = '@c1'`), "references hold")
		require.Error(t, try(t, db, `INSERT INTO d_lot (id, part, version, contract) VALUES ('@new', 'A1', 1, '@c1')`), "unique indexes hold")
		if db.Dialect() == "sqlite" {
			require.Equal(t, "blob", ask[string](t, db, `SELECT group_concat(DISTINCT typeof(x)) FROM (SELECT id AS x FROM d_lot UNION SELECT contract FROM d_lot WHERE contract IS NOT NULL
				UNION SELECT parent FROM d_lot WHERE parent IS NOT NULL UNION SELECT drawings FROM d_lot WHERE drawings IS NOT NULL UNION SELECT v FROM d_lot__drawings
				UNION SELECT id FROM d_lot__drawings UNION SELECT v FROM d_lot__methods UNION SELECT "parentId" FROM d_lot__items UNION SELECT id FROM d_lot__items)`))
			require.Equal(t, "text", ask[string](t, db, `SELECT typeof(methods) FROM d_lot WHERE methods IS NOT NULL`), "codes stay")
		}
		apply(t, db, changed())
		require.NoError(t, db.EnsureIndexes(t.Context()))
		requireChanged(t, db)
	})
}

func TestIDsBecomeBytesWithOtherChanges(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		old(t, db)
		p, err := db.Plan(t.Context(), changed(), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, "safe repack . 0", short(p)[0])
		require.NoError(t, db.Apply(t.Context(), p, all))
		require.NoError(t, db.EnsureIndexes(t.Context()))
		requireChanged(t, db)
	})
}

// An id that is not a lower-case UUID is the id of no record, on both databases, and is not stored.
func TestIDsAreUUIDs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld()
		w.many("department", 10, func(int) map[string]any { return map[string]any{"name": "x"} })
		w.save(t, db)
		id := fakeID(10)
		ask := func(e plan.Expr) (n int64) {
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
				n, err = tx.Count(t.Context(), w.c, &plan.Query{Model: "department", Where: e, Select: []plan.Expr{col("id", plan.ID)}})
				return err
			}))
			return n
		}
		require.EqualValues(t, 1, ask(&plan.Match{X: col("id", plan.ID), Pattern: val(plan.Text, id[10:])}), "found by a part of its text")
		for given, want := range map[string]int64{id: 1, strings.ToUpper(id): 0, "1": 0, strings.ReplaceAll(id, "-", ""): 0, "{" + id[1:35] + "}": 0} {
			require.Equal(t, want, ask(eq(col("id", plan.ID), given)), given)
			require.Equal(t, 10-want, ask(plan.Negate(eq(col("id", plan.ID), given))), given)
			require.Equal(t, want, ask(&plan.InSet{Op: plan.SetWithin, F: col("id", plan.ID), G: val(plan.Set, []string{given, "none"})}), given)
		}
		require.ErrorIs(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.Insert(t.Context(), w.c.Model("department"), map[string]any{"id": "d1", "name": "y"})
		}), store.ErrValue)
	})
}

// A set that begins to refer to records, or ends to, keeps its members.
func TestSetsChangeWhatTheyHold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		set := func(references string) plan.Storage {
			return storage(table("target"), table("holder", with(plan.Column{Name: "of", Property: "of", Kind: plan.Set}, func(c *plan.Column) { c.References = references })))
		}
		apply(t, db, set(""))
		run(t, db, `INSERT INTO d_target (id) VALUES ('@t')`)
		run(t, db, `INSERT INTO d_holder (id) VALUES ('@h')`)
		member := "'" + named("t") + "'"
		if db.Dialect() == "sqlite" {
			member = "'@t'"
		}
		run(t, db, `INSERT INTO d_holder__of (v, id, ordinal) VALUES ('@h', `+member+`, 0)`)
		for _, references := range []string{"target", "", "target"} {
			apply(t, db, set(references))
			require.Equal(t, "t", list(t, db, `SELECT id FROM d_holder__of WHERE v = '@h'`), references)
			if db.Dialect() == "postgres" {
				kind := map[string]string{"": "text", "target": "uuid"}[references]
				require.Equal(t, kind, ask[string](t, db, `SELECT data_type FROM information_schema.columns WHERE table_name = 'd_holder__of' AND column_name = 'id'`))
			}
		}
	})
}
