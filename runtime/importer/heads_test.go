package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// propose asks how a file would be read.
func (w *world) propose(user, file string, more ...func(*importer.HeadRequest)) importer.Proposal {
	w.Helper()
	req := importer.HeadRequest{FileName: file, SchemaCode: "bill", QueryCode: "bill"}
	for _, change := range more {
		change(&req)
	}
	out, err := w.app.Importer().Propose(w.Context(), w.view(user), req)
	require.NoError(w, err)
	return out
}

// columnsAs are the columns as "code", "?may|may" for those that are asked for, and "-" for those that are left out.
func columnsAs(p importer.Proposal) string {
	var out []string
	for _, c := range p.Columns {
		switch {
		case c.Code != "":
			out = append(out, c.Code)
		case len(c.May) > 0:
			out = append(out, "?"+strings.Join(c.May, "|"))
		default:
			out = append(out, "-")
		}
	}
	return strings.Join(out, " ")
}

// TestHeadings is how headings that people write are read, beside "编号", which names the record.
func TestHeadings(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, x := range []struct{ headings, read string }{
			{"金额", "amount"}, {"Amount", "amount"}, {"AMOUNT", "amount"}, {"amount", "amount"}, {" 金 额 ", "amount"},
			{"金额(元)", "amount"}, {"金额（元）", "amount"}, {"金额 ( 元 )", "amount"}, {"金额\n（元）", "amount"}, {"金额【元】", "amount"}, {"金额[元]", "amount"},
			{"金额：", "amount"}, {"金额:", "amount"}, {"金额 *", "amount"}, {"*金额", "amount"}, {"＊金额", "amount"}, {"金额（必填）", "amount"}, {"金额(元)*", "amount"},
			{"金额(元)(必填)", "amount"}, {"金额/元", "amount"}, {"金额，元", "amount"}, {"金额（单位：元）", "amount"}, {"4、金额", "amount"}, {"(4)金额", "amount"}, {"Amount (CNY)", "amount"},
			{"Amount (RMB) (required)", "amount"}, {"Amount, CNY", "amount"}, {"金额(amount)", "amount"}, {"金额（￥）", "amount"},
			// Amounts in other units than the property's are another number.
			{"金额（万元）", "?amount"}, {"金额(千元)", "?amount"}, {"Amount (thousand CNY)", "?amount"}, {"Amount (million)", "?amount"}, {"金额/万元", "?amount"},
			{"合价(万元)", "total"}, {"合价（万元）", "total"}, {"合价", "total"}, {"合价(元)", "?total"}, {"Total (10k CNY)", "total"}, {"Total", "total"},
			{"长度(m)", "size"}, {"长度（米）", "size"}, {"Length [m]", "size"}, {"Length (metre)", "size"}, {"长度(mm)", "?size"}, {"长度/cm", "?size"}, {"长度", "size"},
			// A note that nobody knows may be part of the name; so may a unit where no number is.
			{"金额(含税)", "?amount"}, {"备注(内部)", "?note"}, {"备注(m)", "?note"}, {"备注(例如：已完成)", "note"}, {"备注（选填）", "note"},
			{"计划开工日期(yyyy-mm-dd)", "planned"}, {"计划开工日期（格式：2026-01-02）", "planned"}, {"Planned start (YYYY/MM/DD)", "planned"},
			{"规格型号", "kind"}, {"Model/type", "kind"}, {"Model / Type", "kind"}, {"计量单位", "unit"}, {"单位", "-"}, {"开工日期", "-"},
			// Two properties of one name.
			{"名称", "?item|firm"}, {"名称(firm)", "firm"}, {"Firm name", "firm"}, {"名称\x00名称", "?item|firm ?item|firm"}, {"Item name\x00名称", "item ?firm"},
			{"金额\x00金额(元)", "?amount ?amount"}, {"备注\x00备注(内部)", "note -"},
			// Rows of sub-tables.
			{"明细.名称", "lines.title"}, {"明细-名称", "lines.title"}, {"明细/数量(个)", "lines.count"}, {"Lines: Quantity", "lines.count"}, {"lines.count", "lines.count"}, {"明细：数量（万个）", "?lines.count"},
		} {
			p := w.propose(w.boss, w.upload(w.boss, "h.xlsx", file(t, append([]string{"编号"}, strings.Split(x.headings, "\x00")...), []string{"B-1"})))
			assert.Equal(t, "number "+x.read, columnsAs(p), "%q", x.headings)
			require.Equal(t, strings.Contains(x.read, "?"), p.Unclear, "%q", x.headings)
			require.Equal(t, 1, p.HeadRow)
			require.Equal(t, []string{"B-1"}, p.Columns[0].Samples)
		}
	})
}

// Heads of several rows, titles above them and rows of units below are found; a row of codes says it before any heading.
func TestHeadRows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		row := func(n int, cells ...string) string { return xmlRow(n, "", cells...) }
		hidden := func(n int, cells ...string) string { return xmlRow(n, ` hidden="1"`, cells...) }
		merge := func(refs ...string) string {
			out := fmt.Sprintf(`<mergeCells count="%d">`, len(refs))
			for _, ref := range refs {
				out += `<mergeCell ref="` + ref + `"/>`
			}
			return out + `</mergeCells>`
		}
		for name, x := range map[string]struct {
			rows, merged string
			at           int
			read         string
		}{
			"titles":         {row(1, "工程量清单") + row(2, "编制单位：某某公司", "", "日期") + row(4, "编号", "金额(元)") + row(5, "B-1", "#1"), merge("A1:B1"), 4, "number amount"},
			"groups":         {row(1, "编号", "开工", "", "备注") + row(2, "", "计划开工日期", "实际开工日期") + row(3, "B-1"), merge("A1:A2", "B1:C1", "D1:D2"), 2, "number planned started note"},
			"groups joined":  {row(1, "编号", "计划", "实际", "备注") + row(2, "", "开工日期", "开工日期") + row(3, "B-1"), merge("A1:A2", "D1:D2"), 2, "number planned started note"},
			"sub-table":      {row(1, "编号", "明细", "", "备注") + row(2, "", "名称", "数量") + row(3, "B-1"), merge("A1:A2", "B1:C1", "D1:D2"), 2, "number lines.title lines.count note"},
			"beside a group": {row(1, "编号", "明细", "", "") + row(2, "", "名称", "数量", "备注") + row(3, "B-1"), merge("A1:A2", "B1:C1"), 2, "number lines.title lines.count note"},
			"units below":    {row(1, "编号", "金额", "长度") + row(2, "", "元", "(mm)") + row(3, "B-1", "#1"), "", 2, "number amount ?size"},
			"a unit is data": {row(1, "计量单位", "编号") + row(2, "个") + row(3, "t", "B-1"), "", 1, "unit number"},
			"data alike":     {row(1, "编号", "备注") + row(2, "金额", "名称") + row(3, "B-1"), "", 1, "number note"},
			"codes":          {hidden(1, "number", "item", "firm") + row(2, "编号", "名称", "名称") + row(3, "B-1"), "", 2, "number item firm"},
			"renamed since":  {hidden(1, "number", "item", "amount") + row(2, "代号", "品名", "价款") + row(3, "B-1"), "", 2, "number item amount"},
			"renamed groups": {hidden(1, "number", "lines.title", "lines.count") + row(2, "代号", "行", "") + row(3, "", "品名", "件数") + row(4, "B-1"), merge("A2:A3", "B2:C2"), 3, "number lines.title lines.count"},
			"added beside":   {hidden(1, "number", "item") + row(2, "编号", "名称", "备注") + row(3, "B-1"), "", 2, "number item note"},
			"unknown":        {row(1, "甲") + row(2, "甲", "乙", "丙") + row(3, "x", "#1", "#2"), "", 2, "- - -"},
		} {
			p := w.propose(w.boss, w.upload(w.boss, "h.xlsx", sheetOf(t, x.rows, x.merged)))
			assert.Equal(t, x.read, columnsAs(p), name)
			assert.Equal(t, x.at, p.HeadRow, name)
		}
	})
}

// What is unclear is asked for and never guessed; what somebody says is read, whatever the headings say.
func TestAssigned(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		up := w.upload(w.boss, "a.xlsx", file(t, []string{"某工程"}, []string{"代号", "名称", "名称", "金额（万元）", "内部"}, []string{"B-1", "pump", "Acme", "#3", "secret"}))
		req := importer.Request{FileName: up, SchemaCode: "bill", QueryCode: "bill", Mode: importer.Add}
		require.Equal(t, fault.ImportColumnUnclear, w.run(w.boss, req, true).ErrorCode)
		p := w.propose(w.boss, up)
		require.Equal(t, "- ?item|firm ?item|firm ?amount -", columnsAs(p))
		require.Equal(t, []string{"number"}, p.Missing)
		require.False(t, p.Kept)

		req.HeadRow, req.Columns = 2, []importer.Assigned{{0, "number"}, {1, "firm"}, {2, "Item"}, {3, ""}, {4, "note"}}
		checked := w.run(w.boss, req, true)
		require.Equal(t, []int64{1, 0}, []int64{checked.Added, checked.Errors}, "%v", refusedAs(checked))
		require.Equal(t, []string{"金额（万元）"}, checked.Ignored)
		require.Equal(t, 2, checked.Request.HeadRow)
		require.Equal(t, importer.Assigned{Column: 2, Code: "item"}, checked.Request.Columns[2])
		require.False(t, w.propose(w.boss, up).Kept, "a check leaves nothing behind")
		require.EqualValues(t, 1, w.run(w.boss, req, false).Added)
		require.Equal(t, []string{"B-1 pump Acme null secret"}, w.list(w.boss, "bill", "number", "firm", "item", "amount", "note"))

		// The next file of the person has that proposed, and nobody else's.
		next := w.upload(w.boss, "b.xlsx", file(t, []string{"金额（万元）", "代号", "内部", "备注"}, []string{"#1", "B-2", "x", "y"}))
		p = w.propose(w.boss, next)
		require.True(t, p.Kept)
		require.Equal(t, "- number ?note ?note", columnsAs(p), "two columns for one property are asked for")
		require.Empty(t, p.Missing)
		clerk := w.upload(w.clerk, "b.xlsx", file(t, []string{"代号", "编号"}, []string{"x", "B-2"}))
		_, err := w.app.Importer().Propose(t.Context(), w.view(w.clerk), importer.HeadRequest{FileName: clerk, SchemaCode: "bill", QueryCode: "bill"})
		require.Error(t, err)
		// A call without columns reads the headings alone, and what is said otherwise later is forgotten.
		require.Equal(t, fault.ImportColumnMissing, w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "c.xlsx", file(t, []string{"代号", "备注"}, []string{"B-3", "y"})), SchemaCode: "bill", Mode: importer.Add}, true).ErrorCode)
		again := importer.Request{FileName: next, SchemaCode: "bill", QueryCode: "bill", Mode: importer.Add, HeadRow: 1, Columns: []importer.Assigned{{1, "number"}, {3, "note"}}}
		require.EqualValues(t, 1, w.run(w.boss, again, false).Added)
		p = w.propose(w.boss, w.upload(w.boss, "d.xlsx", file(t, []string{"代号", "内部", "备注", "金额（万元）"}, []string{"B-4"})))
		require.Equal(t, "number - note -", columnsAs(p))

		for wrong, change := range map[string]func(*importer.Request){
			"columns": func(r *importer.Request) { r.Columns = []importer.Assigned{{0, "number"}, {1, "NUMBER"}} }, "columns ": func(r *importer.Request) { r.Columns = []importer.Assigned{{0, "creator"}} },
			"columns  ": func(r *importer.Request) { r.Columns = []importer.Assigned{{-1, "number"}} }, "columns   ": func(r *importer.Request) { r.Columns = []importer.Assigned{{0, "number"}, {0, "note"}} },
			"headRow": func(r *importer.Request) { r.HeadRow = 0 }, "headRow ": func(r *importer.Request) { r.HeadRow = 101 },
		} {
			bad := importer.Request{FileName: clerk, SchemaCode: "bill", QueryCode: "bill", Mode: importer.Add, HeadRow: 1, Columns: []importer.Assigned{{0, "number"}}}
			bad.FileName = w.upload(w.boss, "e.xlsx", file(t, []string{"编号"}, []string{"1"}))
			change(&bad)
			_, err := w.app.Importer().Start(t.Context(), w.view(w.boss), bad, true)
			var f *fault.Error
			require.ErrorAs(t, err, &f, wrong)
			require.Equal(t, []any{fault.BadParameter, strings.TrimSpace(wrong)}, []any{f.Code, f.Args[0]}, wrong)
		}
	})
}

// The worksheet whose head fits best is offered, and another one can be chosen.
func TestSheetThatFits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		up := w.upload(w.boss, "s.xlsx", sheetsOf(t, "说明", [][]string{{"请填写清单"}, {"编号", "必填"}}, "清单", [][]string{{"编号", "备注"}, {"B-1", "x"}}))
		p := w.propose(w.boss, up)
		require.Equal(t, []importer.SheetFit{{Name: "说明", Fits: 1, Code: fault.ImportSheetLacks, Args: []any{"说明", "清单", "备注"}}, {Name: "清单", Fits: 2, Alike: true}}, p.Sheets)
		require.Equal(t, []any{1, 1}, []any{p.Sheet, p.HeadRow})
		first := 0
		p = w.propose(w.boss, up, func(r *importer.HeadRequest) { r.Sheet = &first })
		require.Equal(t, []any{0, 2}, []any{p.Sheet, p.HeadRow})
		p = w.propose(w.boss, up, func(r *importer.HeadRequest) { r.Sheet, r.HeadRow = &first, 1 })
		require.Equal(t, "- -", columnsAs(p))
		require.Len(t, p.Preview, 2)
	})
}

// Headings that people wrote are labels, also where they happen to be codes: "Name" is the property that is called so in English, and not what
// the system calls each record.
func TestLabelsThatAreCodes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		id := w.save(w.boss, "site", map[string]any{"title": "左岸", "code": "L"})
		for i, head := range [][]string{{"ID", "Name", "Code"}, {"Code", "Name", "ID"}, {"Id", "NAME", "CODE"}, {"id", "title", "code"}, {"ID", "name*", "code"}} {
			row := []string{id, fmt.Sprint("岸", i), "L"}
			if head[0] == "Code" {
				row[0], row[2] = row[2], row[0]
			}
			out := w.run(w.boss, importer.Request{SchemaCode: "site", Mode: importer.Update}, false, head, row)
			require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v: ignored %v", head, out.Ignored)
			require.Equal(t, []string{fmt.Sprintf("岸%d L", i)}, w.list(w.boss, "site", "title", "code"), "%v", head)
		}
	})
}
