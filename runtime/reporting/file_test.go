package reporting_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
)

func (w *world) file(name, kind string, charts []string, filters ...query.Filter) *reporting.File {
	w.Helper()
	f, err := w.app.Reports().File(w.Context(), w.as(name), reporting.FileRequest{Report: "lots", Type: kind, Charts: charts, Filters: filters})
	require.NoError(w, err)
	return f
}

// sheets are the texts of the cells of a spreadsheet, as they are stored, by worksheet and row.
func (w *world) sheets(f *reporting.File) (names []string, rows map[string][][]string) {
	w.Helper()
	book, err := excelize.OpenReader(bytes.NewReader(f.Bytes))
	require.NoError(w, err)
	defer func() { require.NoError(w, book.Close()) }()
	rows = map[string][][]string{}
	for _, name := range book.GetSheetList() {
		rows[name], err = book.GetRows(name, excelize.Options{RawCellValue: true})
		require.NoError(w, err)
	}
	return book.GetSheetList(), rows
}

// leftOut asks for the largest groups of a data set that makes no row of the others: the answer and the file say of how many they are.
func (w *world) leftOut() {
	w.Helper()
	text := `{"name": "first", "dataSets": [{"code": "places", "schemaCode": "lot", "groups": ["result"], "measures": [{"code": "n", "sumType": "count"}]},
		{"code": "first", "schemaCode": "lot", "groups": ["result"], "measures": [{"code": "n", "sumType": "count"}], "orderBy": [{"code": "n", "direction": "descending"}], "top": 1},
		{"code": "rest", "schemaCode": "lot", "groups": ["result"], "measures": [{"code": "n", "sumType": "count"}], "orderBy": [{"code": "n", "direction": "descending"}], "top": 1, "others": true}],
		"charts": [{"code": "c", "chartType": "bar", "dataSet": "first", "category": "result", "series": ["n"]}]}`
	_, err := w.app.Publish(w.Context(), w.as("author"), app.Changeset{Files: []app.Change{{Pack: "demo", Path: "reports/first.json", Text: &text}}}, app.Confirmation{})
	require.NoError(w, err)
	got, err := w.app.Reports().Data(w.Context(), w.as("all"), reporting.Request{Report: "first", Sets: []string{"places", "first", "rest"}})
	require.NoError(w, err)
	all := len(got[0].Rows)
	require.Greater(w, all, 1)
	for i, d := range got {
		require.Equal(w, all, d.Groups, d.Code)
		require.Equal(w, i == 1, d.Hidden(), d.Code)
		require.False(w, d.Truncated)
	}
	file, err := w.app.Reports().File(w.Context(), w.as("all"), reporting.FileRequest{Report: "first", Type: reporting.XLSX})
	require.NoError(w, err)
	names, sheets := w.sheets(file)
	require.Contains(w, fmt.Sprint(sheets[names[0]]), fmt.Sprintf("共 %d 组，只显示前 1 组", all))
}

// paper is the text of a PDF without white space.
func (w *world) paper(f *reporting.File) string {
	w.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		return ""
	}
	name := filepath.Join(w.TempDir(), "report.pdf")
	require.NoError(w, os.WriteFile(name, f.Bytes, 0o600))
	out, err := exec.Command("pdftotext", "-layout", name, "-").Output()
	require.NoError(w, err)
	return strings.Join(strings.Fields(string(out)), "")
}

func (w *world) files() {
	ok := filter("result", "Equal", "OK")
	period := filter("period", "Between", "2025-06-10;2026-02-20")
	shown := slices.DeleteFunc(slices.Clone(w.lots), func(l lot) bool { return l.result != "OK" || l.day < "2025-06-10" || l.day > "2026-02-20" })

	require.Equal(w, "检验统计 20261126-100000.xlsx", w.file("all", reporting.XLSX, nil).Name)
	require.Equal(w, "检验统计 按月与结论 20261126-100000.pdf", w.file("all", reporting.PDF, []string{"cross"}).Name)
	names, rows := w.sheets(w.file("all", reporting.XLSX, nil, ok, period))
	require.Equal(w, []string{"金额", "关键数字", "按月与结论", "按结论", "明细"}, names)
	for _, name := range names {
		require.Contains(w, rows[name][0][0], "检验统计")
		require.Equal(w, "导出时间：2026-11-26 10:00　导出人：all", rows[name][1][0])
	}
	require.Equal(w, "查询条件：期间：2025-06-10 至 2026-02-20；结论：合格", rows["金额"][2][0])

	keys, of := group(shown, func(l lot) string { return month(l.day) })
	want := [][]string{{"日期", "结论", "金额"}}
	for _, k := range keys {
		want = append(want, []string{k[:7], "合格", strings.Replace(figure(sum(of[k])), "-", "", 1)})
	}
	for i, row := range want {
		require.Equal(w, row[:2], rows["金额"][3+i][:2])
	}
	total := sum(shown)
	cross := rows["按月与结论"]
	last := cross[len(cross)-1]
	require.Equal(w, "合计", last[0])
	require.Contains(w, cross[3], "合计")
	require.Equal(w, []string{"金额", "金额"}, cross[4][1:3], "measures below the months")
	at := 1 + 2*len(keys)
	require.Equal(w, total.String(), last[at], "the total of all")
	for i, k := range keys {
		if s := sum(of[k]); s != nil {
			require.Equal(w, s.String(), last[1+2*i], k)
		}
	}
	var numbers []lot
	for _, l := range shown {
		if l.amount != nil {
			numbers = append(numbers, l)
		}
	}
	require.Len(w, last, at+2)
	average := total.DivRound(decimal.NewFromInt(int64(len(numbers))), 8)
	require.Equal(w, average.String(), last[at+1], "the average of all amounts, and none of averages")

	// Subtotals of rows of sub-tables.
	kinds := map[string]decimal.Decimal{}
	counts := map[string]int{}
	for _, l := range w.lots {
		for _, i := range l.items {
			if l.result == "OK" && l.day >= "2025-06-10" && l.day <= "2026-02-20" {
				kinds[i.kind] = kinds[i.kind].Add(decimal.NewFromInt(i.value))
				counts[i.kind]++
			}
		}
	}
	var subtotals, expected []string
	for _, row := range rows["明细"] {
		if len(row) == 4 && row[1] == "小计" {
			subtotals = append(subtotals, strings.Join([]string{row[0], row[2], row[3]}, "|"))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		expected = append(expected, fmt.Sprint(k, "|", counts[k], "|", kinds[k]))
	}
	require.Equal(w, expected, subtotals)

	if text := w.paper(w.file("all", reporting.PDF, nil, ok, period)); text != "" {
		for _, word := range []string{"检验统计", "导出人：all", "期间：2025-06-10至2026-02-20；结论：合格", "按月与结论", "（续）", "合计", "小计", "关键数字", "1/"} {
			require.Contains(w, text, word)
		}
		for _, k := range keys {
			require.Contains(w, text, k[:7])
		}
	}

	// Who sees less has less in the file, and charts that nobody asked for are not in it.
	names, rows = w.sheets(w.file("own", reporting.XLSX, []string{"across"}))
	require.Equal(w, []string{"按结论"}, names)
	require.Equal(w, "查询条件：无", rows["按结论"][2][0])
	export := func(name string, req reporting.FileRequest) fault.Code {
		_, err := w.app.Reports().File(w.Context(), w.as(name), req)
		return fault.Of(err)
	}
	require.Equal(w, fault.BadParameter, export("none", reporting.FileRequest{Report: "lots", Type: reporting.XLSX}))
	require.Equal(w, fault.BadParameter, export("own", reporting.FileRequest{Report: "lots", Type: reporting.XLSX, Charts: []string{"cross"}}), "a chart of amounts alone")
	require.Equal(w, fault.ReportNotFound, export("own", reporting.FileRequest{Report: "secret", Type: reporting.XLSX}))
	require.Equal(w, fault.Forbidden, export("all", reporting.FileRequest{Report: "secret", Type: reporting.PDF}))
	require.Equal(w, fault.BadParameter, export("all", reporting.FileRequest{Report: "lots", Type: "csv"}))
	require.Equal(w, fault.BadParameter, export("all", reporting.FileRequest{Report: "lots", Type: reporting.XLSX, Charts: []string{"bars", "gone"}}))
}
