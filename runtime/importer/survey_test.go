package importer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// sheetOf makes a workbook of the XML of rows and of what follows them.
func sheetOf(t testing.TB, rows, behind string) []byte {
	const main, office = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	const rel = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="` + office + `/%s" Target="%s"/></Relationships>`
	return zipped(t, "_rels/.rels", fmt.Sprintf(rel, "officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns="`+main+`" xmlns:r="`+office+`"><sheets><sheet name="S" sheetId="1" r:id="r"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", fmt.Sprintf(rel, "worksheet", "s.xml"),
		"xl/s.xml", `<worksheet xmlns="`+main+`"><sheetData>`+rows+`</sheetData>`+behind+`</worksheet>`)
}

// xmlRow is a row of cells; "#" begins a number, "=" a formula without a value, "" is an empty place.
func xmlRow(number int, attributes string, cells ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%d"%s>`, number, attributes)
	for i, c := range cells {
		switch ref := fmt.Sprintf("%c%d", 'A'+i, number); {
		case c == "":
		case c[0] == '#':
			fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, ref, c[1:])
		case c[0] == '=':
			fmt.Fprintf(&b, `<c r="%s"><f>%s</f></c>`, ref, c[1:])
		default:
			fmt.Fprintf(&b, `<c r="%s" t="str"><v>%s</v></c>`, ref, c)
		}
	}
	return b.String() + `</row>`
}

// Values of merged cells are those of all their rows, hidden rows are counted, and both are said in the check and in the result.
func TestMergedAndHidden(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := xmlRow(1, "", "编号", "名称", "数量", "测点.位置", "测点.数值") + xmlRow(2, "", "M-1", "梁", "#5", "a", "#1") + xmlRow(3, ` hidden="1"`, "M-2", "", "", "a", "#2") +
			xmlRow(4, "", "M-3", "", "#7", "b") + xmlRow(5, "", "", "", "", "c", "#3") + xmlRow(6, "", "M-4", "板", "#1", "d", "#9") + xmlRow(7, ` hidden="true"`, "", "", "", "", "#8")
		// B2:B4 is the name of three records, C2:C3 a quantity of two; A4:A5 and B6:B7 are records of two lines, D6:D7 is the place of two lines.
		merged := `<mergeCells count="5"><mergeCell ref="B2:B4"/><mergeCell ref="C2:C3"/><mergeCell ref="A4:A5"/><mergeCell ref="B6:B7"/><mergeCell ref="D6:D7"/></mergeCells>`
		file := w.upload(w.boss, "m.xlsx", sheetOf(t, rows, merged))
		checked := w.run(w.boss, importer.Request{FileName: file}, true)
		for _, out := range []importer.Result{checked, w.run(w.boss, importer.Request{FileName: file}, false)} {
			require.Equal(t, []int64{4, 0}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))
			require.Equal(t, []int{2, 3}, []int{out.Hidden, out.Merged})
			require.Empty(t, out.Totals)
		}
		require.Equal(t, []string{"M-1 梁 5", "M-2 梁 5", "M-3 梁 7", "M-4 板 1"}, w.list(w.boss, "part", "number", "title", "quantity"))
		require.Equal(t, []string{"b ", "c 3"}, w.points("M-3"))
		require.Equal(t, []string{"d 9", "d 8"}, w.points("M-4"))
	})
}

// Rows of totals at the end are left out, with their numbers; what only looks like one is a record.
func TestTotals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		data := [][]string{{"编号", "名称", "数量", "单价"}, {"T-1", "a", "#1.1", "#2"}, {"T-2", "b", "#2.2", "#3"}}
		for name, x := range map[string]struct {
			more  [][]string
			added int64
			left  []int
		}{
			"sums":          {[][]string{{"合 计：", "", "#3.3", "#5"}}, 2, []int{4}},
			"floats":        {[][]string{{"Total", "", "#3.3000000000000003"}}, 2, []int{4}},
			"alone":         {[][]string{{"", "总计"}}, 2, []int{4}},
			"not sums":      {[][]string{{"合计", "", "#4", "#5"}}, 3, nil},
			"a record":      {[][]string{{"合计", "x", "#3.3"}}, 3, nil},
			"within":        {[][]string{{"小计", "", "#3.3"}, {"T-3", "", "#4"}, {"小计", "", "#4"}}, 4, []int{6}},
			"both":          {[][]string{{"小计", "", "#3.3"}, {"总计", "", "#3.3"}}, 2, []int{4, 5}},
			"signed":        {[][]string{{"合计", "", "#3.3"}, {"制表人：张三", "", "", "审核：李四"}, {"日期: 2026-03-05"}, {"第 1 页 共 2 页"}}, 2, []int{4, 5, 6, 7}},
			"in English":    {[][]string{{"Total", "", "#3.3"}, {"Prepared by: Li", "Date: 2026-03-05"}}, 2, []int{4, 5}},
			"signed alone":  {[][]string{{"制表人：张三"}}, 3, nil},
			"signed sums":   {[][]string{{"合计", "", "#3.3"}, {"备注：x", "", "#4"}}, 4, nil},
			"a note within": {[][]string{{"合计", "", "#3.3"}, {"备注：x"}, {"T-3", "", "#4"}}, 5, nil},
			"a word alone":  {[][]string{{"合计", "", "#3.3"}, {"备注"}}, 4, nil},
			"longer than":   {[][]string{{"合计单", "", "#3.3"}}, 3, nil},
			"not the first": {[][]string{{"T-3", "合计", "#3.3"}}, 3, nil},
		} {
			out := w.run(w.boss, importer.Request{}, true, append(data[:3:3], x.more...)...)
			require.Equal(t, []int64{x.added, int64(len(x.left))}, []int64{out.Added + out.Errors, int64(len(out.Totals))}, "%s %v", name, refusedAs(out))
			require.ElementsMatch(t, x.left, out.Totals, name)
		}
		rows := xmlRow(1, "", "编号", "数量") + xmlRow(2, "", "T-1", "#1") + xmlRow(3, "", "合计", "=SUM(B2:B2)")
		out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "f.xlsx", sheetOf(t, rows, ""))}, false)
		require.Equal(t, []int64{1, 0}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []int{3}, out.Totals)
		out = w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "f.csv", []byte("编号,数量\nT-2,\"1,000\"\nT-3,0.5\n合计,\"1,000.50\"\n"))}, false)
		require.Equal(t, []any{int64(2), []int{4}}, []any{out.Added, out.Totals}, "%v", refusedAs(out))
	})
}

// Rows that are out of order in the file are imported in their order, with their numbers.
func TestUnsortedRows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		rows := xmlRow(1, "", "编号", "数量") + xmlRow(4, "", "U-4", "x") + xmlRow(2, "", "U-2", "#1") + xmlRow(3, "", "U-3", "#1")
		out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "u.xlsx", sheetOf(t, rows, ""))}, false)
		require.Equal(t, []int64{2, 1}, []int64{out.Added, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, int64(4), out.Rows[0].Number)
		rows += xmlRow(3, "", "U-5", "#1")
		out = w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "u.xlsx", sheetOf(t, rows, ""))}, false)
		require.Equal(t, fault.WorkbookBroken, out.ErrorCode, "two rows of one number")
	})
}

// A file with more rows than an import can have is refused before anything is written, with how many it has, also where it does not say so itself.
func TestTooManyRows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		var rows strings.Builder
		rows.WriteString(xmlRow(1, "", "编号"))
		for i := range 500_001 {
			fmt.Fprintf(&rows, `<row><c t="str"><v>N-%d</v></c></row>`, i*7919%1_000_003)
		}
		out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "n.xlsx", sheetOf(t, rows.String(), ""))}, false)
		require.Equal(t, []any{fault.ImportTooManyRows, importer.ErrorSize, int64(500_001)}, []any{out.ErrorCode, *out.ErrorType, out.ImportSize})
		require.Equal(t, "[500000 500001]", fmt.Sprint(out.ErrorArgs))
		require.Empty(t, w.list(w.boss, "part", "number"))
	})
}

// Code of packs gets the rows of a worksheet as an import reads them.
func TestPackRows(t *testing.T) {
	t.Parallel()
	merged := `<mergeCells count="3"><mergeCell ref="A2:A4"/><mergeCell ref="A1:A1"/><mergeCell ref="C3:C4"/></mergeCells>`
	for name, x := range map[string]struct {
		name string
		file []byte
		want []string
	}{
		"merged": {"a.xlsx", sheetOf(t, xmlRow(1, "", "部位", "项目 *", "#7")+xmlRow(2, "", "底板", "a", "#1")+xmlRow(3, ` hidden="1"`, "", "b", "#2")+xmlRow(4, "", "", "c")+xmlRow(5, "", "", "d"), merged),
			[]string{"1 部位|项目|7", "2 底板|a|1", "3 底板|b|2", "4 底板|c|2", "5 |d"}},
		"totals":   {"a.xlsx", sheetOf(t, xmlRow(2, "", "项目", "数量")+xmlRow(3, "", "a", "#1")+xmlRow(5, "", "b", "#2")+xmlRow(6, "", "合计", "#3"), ""), []string{"2 项目|数量", "3 a|1", "5 b|2"}},
		"unsorted": {"a.xlsx", sheetOf(t, xmlRow(1, "", "项目")+xmlRow(3, "", "b")+xmlRow(2, "", "a"), ""), []string{"1 项目", "2 a", "3 b"}},
		"text":     {"a.csv", []byte("项目,数量\n\na,1\n合计,1\n"), []string{"1 项目|数量", "3 a|1"}},
		"keys":     {"a.xlsx", file(t, []string{"项目", "数量"}, []string{"合计", "#1"}), []string{"1 项目|数量", "2 合计|1"}},
		"nothing":  {"a.csv", []byte("\n\n"), nil},
	} {
		var got []string
		err := importer.ReadRows(t.Context(), x.name, bytes.NewReader(x.file), func(number int, cells []string) bool {
			got = append(got, fmt.Sprint(number, " ", strings.Join(cells, "|")))
			return true
		})
		require.NoError(t, err, name)
		require.Equal(t, x.want, got, name)
	}
	n := 0
	require.NoError(t, importer.ReadRows(t.Context(), "a.csv", strings.NewReader("a\nb\nc\n"), func(int, []string) bool { n++; return n < 2 }))
	require.Equal(t, 2, n)
	err := importer.ReadRows(t.Context(), "a.csv", strings.NewReader(strings.Repeat("x\n", 50_002)), func(int, []string) bool { return true })
	require.Equal(t, fault.ImportTooManyRows, fault.Of(err))
}
