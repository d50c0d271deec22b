package importer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// months is a workbook with a worksheet of instructions and three that can be imported together: their columns stand in other orders, below other rows.
func months(t testing.TB) []byte {
	return sheetsOf(t,
		"说明", [][]string{{"每月一张"}},
		"Jan", [][]string{{"编号", "名称", "数量"}, {"J-1", "梁", "1"}, {"J-2", "板", "x"}},
		"Feb", [][]string{{"二月份构件"}, {"名称", "编号（必填）", "数量"}, {"柱", "F-1", "2"}, {"梁", "J-1", "3"}, {"墙", "F-2", "y"}, {"合计", "", "5"}},
		"Mar", [][]string{{"title", "Number", "Quantity"}},
		"Apr", [][]string{{"编号", "数量"}, {"A-1", "4"}},
		"May", [][]string{{"编号", "名称", "数量", "单价"}, {"M-1", "梁", "5", "6"}},
		"Jun", [][]string{})
}

// toldRows are rows with the worksheet and the line in which people find them.
func toldRows(rows []importer.RowItem) (out []string) {
	for _, r := range rows {
		for _, v := range r.Errors {
			out = append(out, fmt.Sprint(r.Sheet, "!", r.Number, " ", v.PropertyCode, " ", v.Code, " ", v.Args))
		}
	}
	return out
}

// TestSheets: several worksheets of a file are one import, whose rows are told with their worksheets; what was refused goes back in the same worksheets.
func TestSheets(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		req := importer.Request{QueryField: "number", Sheet: importer.Sheets{1, 2, 3}}
		up := func() importer.Request {
			again := req
			again.FileName = w.upload(w.boss, "months.xlsx", months(t))
			return again
		}
		check := w.run(w.boss, up(), true)
		out := w.run(w.boss, up(), false)
		for _, one := range []importer.Result{check, out} {
			require.Equal(t, []importer.SheetResult{
				{Name: "Jan", Success: 1, Errors: 1, Added: 1, Totals: []int{}},
				{Name: "Feb", Success: 1, Errors: 2, Added: 1, Totals: []int{6}},
				{Name: "Mar", Totals: []int{}},
			}, one.Sheets)
			require.Equal(t, []int64{2, 3, 6}, []int64{one.Added, one.Errors, one.ImportSize}, "%+v", one)
			require.Empty(t, one.Totals)
			require.Equal(t, []string{
				"Jan!3 quantity 305040 [x]", "Feb!4 number 305036 [Jan!2]", "Feb!5 quantity 305040 [y]",
			}, toldRows(one.Rows))
		}
		require.Equal(t, importer.Sheets{1, 2, 3}, check.Request.Sheet, "a check says how the import is begun")

		var to bytes.Buffer
		name, err := w.app.Importer().ErrorFile(t.Context(), w.view(w.boss), out.ID, func(v importer.Verdict, _ string) string { return v.Kind }, &to)
		require.NoError(t, err)
		book, err := workbook.Open(t.Context(), name, bytes.NewReader(to.Bytes()), int64(to.Len()), workbook.Usual)
		require.NoError(t, err)
		require.Equal(t, []workbook.Sheet{{Name: "Jan"}, {Name: "Feb"}}, book.Sheets())
		again := w.run(w.boss, importer.Request{QueryField: "number", Sheet: importer.Sheets{0, 1}, FileName: w.upload(w.boss, name, to.Bytes())}, true)
		require.Equal(t, []string{"Jan!3 quantity 305040 [x]", "Feb!4 quantity 305040 [y]"}, toldRows(again.Rows))
		require.Equal(t, []int64{0, 1}, []int64{again.Added, again.Changed}, "J-1 is there, and the file of refused rows has it once")

		cells, err := w.app.Importer().Replace(t.Context(), w.view(w.boss), importer.Replacement{ID: out.ID, All: true, PropertyCode: "quantity",
			Value: json.RawMessage(`"7"`), Preview: true, Search: "y"})
		require.NoError(t, err)
		require.Equal(t, []importer.ReplacedCell{{Sheet: "Feb", Number: 5, Before: "y", After: "7"}}, cells.Changes)
		_, err = w.app.Importer().Edit(t.Context(), w.view(w.boss), out.ID, []importer.Edit{{ID: out.Rows[2].ID, Data: map[string]json.RawMessage{"quantity": json.RawMessage(`"7"`)}}})
		require.NoError(t, err)
		require.NoError(t, w.app.Importer().Skip(t.Context(), w.view(w.boss), out.ID, []string{out.Rows[0].ID}, false, false))
		_, err = w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID, Only: []string{out.Rows[2].ID}})
		require.Equal(t, fault.ImportAgain, fault.Of(err), "a row is refused still")
		out = w.ended(w.boss, out.ID)
		require.Equal(t, []importer.SheetResult{
			{Name: "Jan", Success: 1, Skipped: 1, Added: 1, Totals: []int{}},
			{Name: "Feb", Success: 2, Errors: 1, Added: 2, Totals: []int{6}},
			{Name: "Mar", Totals: []int{}},
		}, out.Sheets)
		require.Equal(t, []string{"F-1 2", "F-2 7", "J-1 1"}, w.list(w.boss, "part", "number", "quantity"))

		id, _ := w.recordOf("F-2")
		from, err := w.app.Importer().Sources(t.Context(), w.view(w.boss), "part", id)
		require.NoError(t, err)
		require.Equal(t, []any{"Feb", int64(5)}, []any{from[0].Sheet, from[0].Row})
		w.change(w.boss, "part", id, map[string]any{"title": "新"})
		require.NoError(t, w.app.Importer().Undo(t.Context(), w.view(w.boss), out.ID))
		require.Equal(t, int64(2), w.ended(w.boss, out.ID).Undone)
		kept, _, err := w.app.Importer().Rows(t.Context(), w.view(w.boss), out.ID, "kept", 0, 10)
		require.NoError(t, err)
		require.Equal(t, []any{"Feb", int64(5)}, []any{kept[0].Sheet, kept[0].Number})
	})
}

// TestSheetsThatDiffer: a worksheet that is not like the first one is refused with the file, by its name and with the reason; the dialog is told before.
func TestSheetsThatDiffer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		up := w.upload(w.boss, "months.xlsx", months(t))
		for _, x := range []struct {
			sheets importer.Sheets
			code   fault.Code
			args   []any
		}{
			{importer.Sheets{1, 0}, fault.ImportSheetHead, []any{"说明", "Jan"}},
			{importer.Sheets{1, 4}, fault.ImportSheetLacks, []any{"Apr", "Jan", "名称"}},
			{importer.Sheets{4, 1}, fault.ImportSheetMore, []any{"Jan", "Apr", "名称"}},
			{importer.Sheets{1, 2, 5}, fault.ImportSheetMore, []any{"May", "Jan", "单价"}},
			{importer.Sheets{1, 6}, fault.ImportSheetEmpty, []any{"Jun"}},
			{importer.Sheets{1, 7}, fault.WorkbookNoSheet, nil},
		} {
			out := w.run(w.boss, importer.Request{FileName: up, QueryField: "number", Sheet: x.sheets}, false)
			require.Equal(t, []any{x.code, x.args}, []any{out.ErrorCode, out.ErrorArgs}, "%v", x.sheets)
		}
		require.Empty(t, w.list(w.boss, "part", "number"))
		for _, wrong := range []importer.Sheets{{}, {1, 1}, {-1}} {
			_, err := w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{FileName: up, SchemaCode: "part", Mode: importer.Add, Sheet: wrong}, true)
			require.Equal(t, fault.BadParameter, fault.Of(err), "%v", wrong)
		}
		jan := 1
		p := w.propose(w.boss, up, func(r *importer.HeadRequest) { r.SchemaCode, r.QueryCode, r.Sheet = "part", "part", &jan })
		var told []string
		for _, one := range p.Sheets {
			told = append(told, fmt.Sprint(one.Name, " ", one.Alike, " ", one.Code))
		}
		require.Equal(t, []string{"说明 false 305023", "Jan true 0", "Feb true 0", "Mar true 0", "Apr false 305024", "May false 305025", "Jun false 305022"}, told)
	})
}

// TestSheetsAsSaid: what somebody says of the columns of the first worksheet is so in the others, wherever the columns stand there.
func TestSheetsAsSaid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		up := w.upload(w.boss, "said.xlsx", sheetsOf(t,
			"东", [][]string{{"代号", "叫法", "名称"}, {"E-1", "一", "x"}},
			"西", [][]string{{"", ""}, {"西区"}, {"名称", "叫法", "代号"}, {"y", "二", "W-1"}},
			"南", [][]string{{"代号", "名称"}, {"S-1", "z"}}))
		req := importer.Request{FileName: up, HeadRow: 1, Columns: []importer.Assigned{{Column: 0, Code: "number"}, {Column: 1, Code: "title"}}}
		p := w.propose(w.boss, up, func(r *importer.HeadRequest) { first := 0; r.SchemaCode, r.QueryCode, r.Sheet = "part", "part", &first })
		require.Equal(t, []bool{true, true, true}, []bool{p.Sheets[0].Alike, p.Sheets[1].Alike, p.Sheets[2].Alike}, "what is left out of all is no difference")
		req.Sheet = importer.Sheets{0, 2}
		out := w.run(w.boss, req, false)
		require.Equal(t, []any{fault.ImportSheetLacks, []any{"南", "东", "叫法"}}, []any{out.ErrorCode, out.ErrorArgs})
		req.Sheet = importer.Sheets{1, 0}
		req.HeadRow, req.Columns = 3, []importer.Assigned{{Column: 2, Code: "number"}, {Column: 1, Code: "title"}}
		out = w.run(w.boss, req, false)
		require.Equal(t, []int64{2, 0}, []int64{out.Added, out.Errors}, "%+v", refusedAs(out))
		require.Equal(t, []string{"E-1 一", "W-1 二"}, w.list(w.boss, "part", "number", "title"))
	})
}
