package importer_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Rows that name records of their own model mean those that were called so when the file was made, also behind rows that rename them: here
// two sites swap their names, and a third gets a new one.
func TestRenamedInTheFile(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		left := w.save(w.boss, "site", map[string]any{"title": "左岸", "code": "L"})
		right := w.save(w.boss, "site", map[string]any{"title": "右岸", "code": "R"})
		middle := w.save(w.boss, "site", map[string]any{"title": "江心", "code": "M"})
		above := []string{left, right, middle}
		names := []string{"左岸", "右岸", "江心"}
		rows := [][]string{{"id", "title", "code", "above"}, {"ID", "名称", "编码", "上级"}, {left, "右岸", "L", ""}, {right, "左岸", "R", ""}, {middle, "沙洲", "M", ""}}
		for i := range 40 { // more than the first transaction takes
			title, code := fmt.Sprint("测点", i), fmt.Sprint("P-", i)
			id := w.save(w.boss, "site", map[string]any{"title": title, "code": code, "above": above[i%3]})
			rows = append(rows, []string{id, title, code, names[i%3]})
		}
		rows[len(rows)-2][3] = "沙洲" // who writes the new name means the same
		rows[len(rows)-1][3] = "右岸（R）"
		for _, dry := range []bool{true, false} {
			out := w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.Update}, dry, rows...)
			require.Equal(t, []int64{0, 4, 39, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "dry %v %v", dry, refusedAs(out))
		}
	})
}

// swapped are the rows of a file that swaps the names of two sites; the others, which call them what they were called, follow: one of three
// is on
// the right. As many on both sides would be as many when they are exchanged.
func (w *world) swapped(more int) (rows [][]string) {
	left := w.save(w.boss, "site", map[string]any{"title": "左岸", "code": "L"})
	right := w.save(w.boss, "site", map[string]any{"title": "右岸", "code": "R"})
	rows = [][]string{{"id", "title", "code", "above"}, {"ID", "名称", "编码", "上级"}, {left, "右岸", "L", ""}, {right, "左岸", "R", ""}}
	for i := range more {
		rows = append(rows, []string{"", fmt.Sprint("测点", i), fmt.Sprint("P-", i), []string{"右岸", "左岸", "左岸"}[i%3]})
	}
	return rows
}

// under is how many sites are below the two, by their codes.
func (w *world) under() (left, right int64) {
	const of = "SELECT count(*) FROM d_site s JOIN d_site a ON a.id = s.above WHERE a.code = ?"
	return w.count(of, "L"), w.count(of, "R")
}

// What the file calls records it still calls them when the process has died behind the rows that rename them.
func TestRenamedBeforeAKill(t *testing.T) {
	demo.Each(t, func(t *testing.T, o store.Options) {
		a, err := open(o, 0)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()); _ = os.RemoveAll(filesOf(o)) })
		w := people(t, a)
		const more = 600
		id, err := w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{SchemaCode: "site", Mode: importer.AddOrUpdate,
			FileName: w.upload(w.boss, "a.xlsx", file(t, w.swapped(more)...))}, false)
		require.NoError(t, err)
		kill := process(t, o)
		for w.done(id) < 2 {
			time.Sleep(time.Millisecond)
		}
		kill()
		done := w.done(id)
		require.Less(t, done, int64(more), "too late")
		kill = process(t, o)
		out := w.ended(w.boss, id)
		kill()
		require.Equal(t, []int64{more, 2, 0}, []int64{out.Added, out.Changed, out.Errors}, "killed at %d: %v", done, refusedAs(out))
		left, right := w.under()
		require.Equal(t, []int64{more / 3 * 2, more / 3}, []int64{left, right}, "killed at %d", done)
	})
}

// A row that was refused calls records what the file calls them, also when it is corrected after they were renamed.
func TestRenamedBeforeACorrection(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := w.swapped(3)
		rows[4][1], rows[5][1], rows[6][1] = "", "", "" // required
		out := w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.AddOrUpdate}, false, rows...)
		require.Equal(t, []int64{0, 2, 3}, []int64{out.Added, out.Changed, out.Errors}, refusedAs(out))
		var edits []importer.Edit
		for i, r := range out.Rows {
			edits = append(edits, importer.Edit{ID: r.ID, Data: map[string]json.RawMessage{"title": json.RawMessage(fmt.Sprintf(`"测点%d"`, i))}})
		}
		judged, err := w.app.Importer().Edit(t.Context(), w.view(w.boss), out.ID, edits)
		require.NoError(t, err)
		require.Empty(t, judged[0].Errors)
		again, err := w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID})
		require.NoError(t, err)
		require.Equal(t, []int64{3, 0}, []int64{again.Added, again.Errors}, refusedAs(again))
		left, right := w.under()
		require.Equal(t, []int64{2, 1}, []int64{left, right})
	})
}
