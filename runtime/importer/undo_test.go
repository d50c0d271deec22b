package importer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// changes are the differences of a row of a dry run, as "property: before -> after".
func changes(t testing.TB, row importer.RowItem) (out []string) {
	var list []struct {
		PropertyCode            string
		BeforeValue, AfterValue *string
	}
	require.NoError(t, json.Unmarshal(row.Changes, &list))
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for _, c := range list {
		out = append(out, c.PropertyCode+": "+text(c.BeforeValue)+" -> "+text(c.AfterValue))
	}
	return out
}

// A dry run tells what would be added, changed and left, and changes nothing: no record, no number of a sequence, no history.
func TestDryRun(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "part", map[string]any{"number": "P-1", "title": "梁", "quantity": "1", "agent": w.clerk})
		w.save(w.boss, "part", map[string]any{"number": "P-2", "title": "板"})
		rows := [][]string{{"编号", "名称", "数量", "经办人"}, {"P-1", "大梁", "2", "boss"}, {"P-2", "板"}, {"P-3", "柱"}, {"P-3", "柱"}, {"P-4", "", "9999"}}
		before := w.list(w.boss, "part", "number", "title", "quantity")
		out := w.run(w.boss, importer.Request{QueryField: "number"}, true, rows...)
		require.Equal(t, []int64{1, 1, 1, 2}, []int64{out.Added, out.Changed, out.Same, out.Errors})
		require.False(t, out.Undoable)
		require.Equal(t, before, w.list(w.boss, "part", "number", "title", "quantity"))
		page, total, err := w.app.Importer().Rows(t.Context(), w.view(w.boss), out.ID, "changed", 0, 20)
		require.NoError(t, err)
		require.Equal(t, int64(1), total)
		require.Equal(t, []string{"title: 梁 -> 大梁", "quantity: 1.00 -> 2.00", "agent: clerk -> boss"}, changes(t, page[0]))
		require.Equal(t, int64(2), page[0].Number)
		page, _, err = w.app.Importer().Rows(t.Context(), w.view(w.boss), out.ID, "added", 0, 20)
		require.NoError(t, err)
		require.Contains(t, changes(t, page[0]), "number:  -> P-3")
		_, err = w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID})
		require.Equal(t, fault.ImportNotFound, fault.Of(err))

		// A check that is found by its job begins the import with what it answers.
		id, err := w.app.Importer().OfJob(t.Context(), w.boss, out.JobID)
		require.NoError(t, err)
		require.Equal(t, out.ID, id)
		_, err = w.app.Importer().OfJob(t.Context(), w.clerk, out.JobID)
		require.Equal(t, fault.ImportNotFound, fault.Of(err))
		require.NotNil(t, out.Request)
		id, err = w.app.Importer().Start(t.Context(), w.view(w.boss), *out.Request, false)
		require.NoError(t, err)
		out = w.ended(w.boss, id)
		require.Nil(t, out.Request)
		require.Equal(t, []int64{1, 1, 1, 2}, []int64{out.Added, out.Changed, out.Same, out.Errors})
	})
}

// An import is undone as a whole: what it added is deleted, what it changed gets its values from before, sub-tables too; what somebody has
// changed since stays.
func TestUndo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.clerk, "part", map[string]any{"number": "P-1", "title": "梁", "points": []any{map[string]any{"place": "左", "value": "1"}, map[string]any{"place": "右"}}})
		w.save(w.clerk, "part", map[string]any{"number": "P-2", "title": "板"})
		show := func() []string { return w.list(w.boss, "part", "number", "title") }
		before := show()
		out := w.run(w.clerk, importer.Request{QueryField: "number", ReplaceLines: true}, false,
			[]string{"编号", "名称", "测点", ""}, []string{"", "", "位置", "数值"},
			[]string{"P-1", "大梁", "左", "7"}, []string{"", "", "中", "8"}, []string{"", "", "后", "9"}, []string{"P-2", "大板"}, []string{"P-3", "柱"}, []string{"P-4", "墙"})
		require.Equal(t, []int64{2, 2, 0, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"左 7", "中 8", "后 9"}, w.points("P-1"))
		require.True(t, out.Undoable)

		id, version := w.recordOf("P-4")
		text, err := json.Marshal("changed since")
		require.NoError(t, err)
		_, err = w.app.Writer().Save(t.Context(), w.view(w.boss), record.Change{Model: "part", ID: id, Version: &version, Set: map[string]json.RawMessage{"title": text}})
		require.NoError(t, err)
		sources, err := w.app.Importer().Sources(t.Context(), w.view(w.clerk), "part", id)
		require.NoError(t, err)
		require.Len(t, sources, 1)
		require.Equal(t, "parts.xlsx", sources[0].FileName)
		require.Equal(t, int64(8), sources[0].Row)

		require.NoError(t, w.app.Importer().Undo(t.Context(), w.view(w.clerk), out.ID))
		log, err := w.app.Audit().Page(t.Context(), audit.Query{Kinds: []audit.Kind{audit.Imported, audit.ImportUndone}, Person: w.clerk, Size: 1})
		require.NoError(t, err)
		require.Equal(t, audit.ImportUndone, log.Entries[0].Kind)
		require.Equal(t, map[string]string{"file": "parts.xlsx"}, log.Entries[0].Detail)
		out = w.ended(w.clerk, out.ID)
		require.Equal(t, []int64{3, 1}, []int64{out.Undone, out.Kept})
		require.Equal(t, append(before, "P-4 changed since"), show())
		require.Equal(t, []string{"左 1", "右 "}, w.points("P-1"))
		kept, _, err := w.app.Importer().Rows(t.Context(), w.view(w.clerk), out.ID, "kept", 0, 20)
		require.NoError(t, err)
		require.Len(t, kept, 1)
		require.Equal(t, int64(8), kept[0].Number)
		require.Equal(t, fault.ChangedSince, kept[0].Errors[0].Code)
	})
}

// Rows of sub-tables that the file has no ids for change those that are there, in their order; a second import of the same file changes nothing.
func TestSheetsAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := [][]string{{"编号", "测点.位置", "测点.数值"}, {"P-1", "左", "1"}, {"P-1", "右", "2"}, {"P-2", "左", ""}, {"", "右", "3"}, {"P-3"}}
		out := w.run(w.boss, importer.Request{QueryField: "number"}, false, rows...)
		require.Equal(t, []int64{3, 0, 0, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"左 1", "右 2"}, w.points("P-1"))
		require.Equal(t, []string{"左 ", "右 3"}, w.points("P-2"))
		out = w.run(w.boss, importer.Request{QueryField: "number"}, false, rows...)
		require.Equal(t, []int64{0, 0, 3, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "%v", refusedAs(out))
	})
}

// A row may refer to one before it in the file.
func TestTree(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{SchemaCode: "site", QueryField: "code"}, false,
			[]string{"编码", "名称", "上级"}, []string{"1", "船闸"}, []string{"1.1", "闸室", "1"}, []string{"1.1.1", "底板", "闸室"}, []string{"2", "x", "missing"})
		require.Equal(t, []int64{3, 1}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))

		// In a dry run the rows before were taken back, in chunks; they can be referred to by name and by code all the same.
		rows := [][]string{{"编码", "名称", "上级"}, {"T", "top", ""}}
		for i := range 120 {
			rows = append(rows, []string{fmt.Sprintf("T%d", i), fmt.Sprintf("row %d", i), []string{"T", "top", "row 0"}[min(i, 2)]})
		}
		out = w.run(w.boss, importer.Request{SchemaCode: "site", QueryField: "code"}, true, append(rows, []string{"Z", "z", "missing"})...)
		require.Equal(t, []int64{121, 1}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))
	})
}

// Refused rows take no running number: those of the others follow each other, over all chunks, and the next record goes on.
func TestNumbers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := [][]string{{"编号", "数量"}}
		for i := range 60 {
			quantity := "1"
			if i%7 == 3 {
				quantity = "5000" // refused by a rule, when the number has been given
			}
			rows = append(rows, []string{fmt.Sprintf("P-%02d", i), quantity})
		}
		out := w.run(w.boss, importer.Request{QueryField: "number"}, false, rows...)
		w.save(w.boss, "part", map[string]any{"number": "P-99"})
		numbers := map[string]bool{}
		least, most := 1<<30, 0
		for _, no := range w.list(w.boss, "part", "sequenceNo") {
			n, err := strconv.Atoi(no[len(no)-4:])
			require.NoError(t, err)
			require.False(t, numbers[no], no)
			numbers[no] = true
			least, most = min(least, n), max(most, n)
		}
		require.Equal(t, int(out.Added)+1, most-least+1)
	})
}

// A record that only the database can refuse, after others have been written with it, takes none of them along: not their numbers, not their
// history, not their rows of sub-tables.
func TestRefusedByTheDatabase(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "part", map[string]any{"number": "P-05"})
		rows := [][]string{{"编号", "数量", "标签"}}
		var want, wrong []string
		for i := range 90 {
			number := fmt.Sprintf("P-%02d", i)
			switch {
			case i == 5:
				wrong = append(wrong, fmt.Sprintf("%d number REPEAT %d", i+2, fault.FieldDuplicate))
			case i%30 == 20: // of the row before
				number = fmt.Sprintf("P-%02d", i-1)
				wrong = append(wrong, fmt.Sprintf("%d number REPEAT %d", i+2, fault.FieldDuplicate))
			default:
				want = append(want, number+" 2")
			}
			rows = append(rows, []string{number, "2", "A;B"})
		}
		check := w.run(w.boss, importer.Request{}, true, rows...)
		require.Equal(t, []int64{86, 4}, []int64{check.Added, check.Errors})
		out := w.run(w.boss, importer.Request{}, false, rows...)
		require.Equal(t, wrong, refusedAs(out))
		want = slices.Insert(want, 5, "P-05 null")
		require.Equal(t, want, w.list(w.boss, "part", "number", "quantity"))
		require.Equal(t, int64(87), w.count(`SELECT count(*) FROM "sl_history" WHERE model = 'part'`))
		numbers := w.list(w.boss, "part", "sequenceNo")
		slices.Sort(numbers)
		require.Equal(t, fmt.Sprintf("%04d", 87), numbers[86][len(numbers[86])-4:])

		rows = [][]string{{"编号", "数量"}, {"C-1", "1"}, {"C-2", "13"}, {"C-3", "3"}} // a row of its own that the clerk may not have
		out = w.run(w.clerk, importer.Request{}, false, rows...)
		require.Equal(t, []string{fmt.Sprintf("3  FORBIDDEN %d", fault.NoAddPermission)}, refusedAs(out))
		require.Equal(t, int64(2), out.Added)
		require.Equal(t, []string{"C-1 1", "C-3 3"}, w.list(w.boss, "part", "number", "quantity")[:2])
	})
}

// What an import keeps goes with time: dry runs after a day, rows that nobody corrects after a month. What it wrote can be undone still.
func TestSweep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := [][]string{{"编号", "数量"}, {"P-1", "1"}, {"P-2", "x"}}
		dry := w.run(w.boss, importer.Request{}, true, rows...)
		done := w.run(w.boss, importer.Request{}, false, rows...)
		gone, err := w.app.Importer().Sweep(t.Context())
		require.NoError(t, err)
		require.Zero(t, gone)
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_import SET at = ?", time.Now().UTC().AddDate(0, 0, -31)).Error
		}))
		gone, err = w.app.Importer().Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(2), gone)
		_, err = w.app.Importer().Result(t.Context(), w.view(w.boss), dry.ID)
		require.Equal(t, fault.ImportNotFound, fault.Of(err))
		out, err := w.app.Importer().Result(t.Context(), w.view(w.boss), done.ID)
		require.NoError(t, err)
		require.Zero(t, out.Errors)
		require.True(t, out.Undoable)
		require.Zero(t, w.count("SELECT count(*) FROM sl_import_row"))
		gone, err = w.app.Importer().Sweep(t.Context())
		require.NoError(t, err)
		require.Zero(t, gone)
	})
}
