package store_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// namedCatalog is a large model whose names, their sounds and whose numbers are searched.
func namedCatalog() *catalog.Catalog {
	m := newModel("named", newField("name", plan.Text, withSearch), newField("number", plan.Text, withSearch), newField("day", plan.Date))
	m.Volume = 50_000
	c := &catalog.Catalog{Models: []*catalog.Model{m}}
	t := plan.Table{Name: m.Table, Model: m.Code, Columns: []plan.Column{{Name: "name__pinyin", Kind: plan.Text, Search: true}},
		Indexes: []plan.Index{{Columns: []string{"day", "id"}}}}
	for _, f := range m.Fields {
		t.Columns = append(t.Columns, f.Property.Columns()...)
	}
	c.Storage.Tables = []plan.Table{t}
	c.Freeze()
	return c
}

// openWith is a database with the tables and indexes of a catalog.
func openWith(t *testing.T, o store.Options, c *catalog.Catalog) *store.DB {
	t.Helper()
	db := storetest.Open(t, o)
	p, err := db.Plan(t.Context(), c.Storage, store.PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
	require.NoError(t, db.EnsureIndexes(t.Context()))
	return db
}

// keywordIn looks for words in a name, in its sound and in a number, as the box of a list does.
func keywordIn(keyword string) *plan.Query {
	var all []plan.Expr
	for _, word := range strings.Fields(keyword) {
		var of []plan.Expr
		for _, column := range []string{"number", "name", "name__pinyin"} {
			of = append(of, &plan.Match{X: col(column, plan.Text), Pattern: val(plan.Text, word)})
		}
		all = append(all, &plan.Or{Of: of})
	}
	return &plan.Query{Model: "named", Select: []plan.Expr{col("id", plan.ID)}, Where: plan.AllOf(all...), Order: []plan.Order{{By: col("day", plan.Date)}}, Limit: 20}
}

// TestKeywordIsServed: a word of two characters or more is found through gram indexes in every text that it is looked for in,
// and no row of the table is read that does not hold it; the indexes follow what is written.
func TestKeywordIsServed(t *testing.T) {
	c := namedCatalog()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := openWith(t, o, c)
		named := func(i int, name, sound string) map[string]any {
			return map[string]any{"id": fakeID(i), "name": name, "name__pinyin": sound, "number": fmt.Sprintf("N-%05d", i), "day": "2026-11-21"}
		}
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for i := range 1200 {
				if err := tx.Insert(t.Context(), c.Models[0], named(i, "底板混凝土", "dibanhunningtu dbhnt")); err != nil {
					return err
				}
			}
			return tx.Insert(t.Context(), c.Models[0], named(1200, "闸墙护面", "zhaqianghumian zqhm"))
		}))
		find := func(word string) (text string, args []any, ids []string) {
			t.Helper()
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
				if text, args, err = store.Statement(t.Context(), tx, c, keywordIn(word)); err != nil {
					return err
				}
				ids, err = tx.Ids(t.Context(), c, keywordIn(word))
				return err
			}))
			return text, args, ids
		}
		text, args, ids := find("护面")
		require.Equal(t, []string{fakeID(1200)}, ids)
		golden(t, "keyword."+db.Dialect()+".golden", fmt.Sprintf("%s\n%q\n", text, args))
		for _, word := range []string{"护面", "zqhm", "N-01200", "xyzzy", "护面 N-01200", "N- 闸墙"} {
			text, args, _ := find(word)
			how := explainSearch(t, o, text, args)
			require.NotContains(t, how, "SCAN t\n", word)
			require.NotContains(t, how, "Seq Scan", word)
		}
		_, _, ids = find("n- 护面 zqhm")
		require.Equal(t, []string{fakeID(1200)}, ids)
		_, _, ids = find("底板 护面")
		require.Empty(t, ids)
		_, _, ids = find("zqhm")
		require.Equal(t, []string{fakeID(1200)}, ids)

		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.Update(t.Context(), c.Models[0], fakeID(1200), -1, plan.True, map[string]any{"name": "闸墙盖板", "name__pinyin": "zhaqianggaiban zqgb"})
			return err
		}))
		for word, want := range map[string][]string{"护面": nil, "zqhm": nil, "zqgb": {fakeID(1200)}, "盖板": {fakeID(1200)}} {
			_, _, ids := find(word)
			require.Equal(t, want, ids, word)
		}
	})
}

// TestKeywordWithinWrite: a transaction finds the words that it has written itself, those that it took back are not found, and
// a member of a group that fails takes nothing from the others that share its commit.
func TestKeywordWithinWrite(t *testing.T) {
	c := namedCatalog()
	refused := errors.New("refused")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := openWith(t, o, c)
		insert := func(tx *store.Tx, id, name string) error {
			return tx.Insert(t.Context(), c.Models[0], map[string]any{"id": id, "name": name, "number": "N-" + id, "day": "2026-11-22"})
		}
		find := func(tx *store.Tx, word string, want ...string) error {
			ids, err := tx.Ids(t.Context(), c, keywordIn(word))
			if err == nil && !slices.Equal(ids, want) {
				err = fmt.Errorf("%q is in %v, want %v", word, ids, want)
			}
			return err
		}
		begun, others, done := make(chan bool), make(chan bool), make(chan error, 3)
		go func() { // the others queue behind it and share its commit on SQLite
			done <- db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				close(begun)
				<-others
				if err := insert(tx, fakeID(1), "闸墙护面"); err != nil {
					return err
				}
				err := tx.Try(t.Context(), func() error {
					return errors.Join(insert(tx, fakeID(2), "闸墙盖板"), find(tx, "盖板", fakeID(2)), refused)
				})
				if !errors.Is(err, refused) {
					return err
				}
				return errors.Join(find(tx, "闸墙", fakeID(1)), insert(tx, fakeID(3), "边墩护面"))
			})
		}()
		<-begun
		go func() {
			err := db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return errors.Join(insert(tx, fakeID(4), "护面返工"), find(tx, "返工", fakeID(4)), refused)
			})
			if errors.Is(err, refused) {
				err = nil
			}
			done <- err
		}()
		go func() {
			done <- db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return insert(tx, fakeID(5), "护面验收") })
		}()
		time.Sleep(5 * time.Millisecond) // until both queue, so that all three are one group; any order is right
		close(others)
		for range 3 {
			require.NoError(t, <-done)
		}
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return errors.Join(find(tx, "护面", fakeID(1), fakeID(3), fakeID(5)), find(tx, "盖板"), find(tx, "返工"))
		}))
	})
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(want)), strings.TrimSpace(text))
}

// TestGramTokens: what SQLite's index holds of a text are its grams, each once.
func TestGramTokens(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	letters := []rune("ab闸室Ｅé 1\U0001F6A2\ufffd")
	for n := range 400 {
		text := make([]rune, n%90)
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		var want []string
		for _, g := range store.Grams(string(text)) {
			want = append(want, hex.EncodeToString([]byte(g)))
		}
		require.Equal(t, strings.Join(want, " "), store.GramTokens(string(text)), string(text))
		asked := strings.Fields(store.GramQuery(string(text)))
		require.Subset(t, want, asked, string(text))
		require.GreaterOrEqual(t, len(asked)*2, min(len(want), len(text)-1), string(text))
	}
}
