package workbook_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

func makeTemplate(t *testing.T) []byte {
	t.Helper()
	var many []string
	for i := range 300 {
		many = append(many, "选项, "+strconv.Itoa(i))
	}
	var b bytes.Buffer
	require.NoError(t, workbook.WriteTemplate(&b, workbook.Template{
		Sheet: "检验批", Title: "检验批导入模板", Locale: "zh-CN", Guide: []string{"第一行", "=1+1"}, Groups: []workbook.TemplateGroup{{Key: "items", Heading: "检验项"}},
		Columns: []workbook.TemplateColumn{
			{Key: "id", Heading: "ID", Hidden: true},
			{Key: "name", Heading: "名称", Required: true, Note: "不超过 20 个字", Example: property.Cell{Kind: property.CellText, Text: "螺栓"}},
			{Key: "amount", Heading: "数量", Format: "#,##0.00", Example: property.Cell{Kind: property.CellNumber, Text: "1200.5"}},
			{Key: "day", Heading: "日期", Format: "yyyy-mm-dd", Example: property.Cell{Kind: property.CellTime, Time: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)}},
			{Key: "items.state", Group: "items", Heading: "状态", Options: []string{"合格", "不合格"}, Example: property.Cell{Kind: property.CellText, Text: "合格"}},
			{Key: "items.kind", Group: "items", Heading: "类别", Options: many},
		},
	}))
	wellFormed(t, b.Bytes())
	return b.Bytes()
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	file := makeTemplate(t)
	b, err := openBook(t, "t.xlsx", file, workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []workbook.Sheet{{Name: "检验批"}, {Name: "填写说明"}}, b.Sheets())
	rows, err := rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	keys, ok := workbook.TemplateKeys(workbook.Row{Number: 1, Cells: rows[1]})
	require.True(t, ok)
	assert.Equal(t, []string{"id", "name", "amount", "day", "items.state", "items.kind"}, keys)
	_, ok = workbook.TemplateKeys(workbook.Row{Number: 3, Cells: rows[3]})
	assert.False(t, ok)
	assert.Equal(t, texts("", "", "", "", "检验项"), rows[2])
	assert.Equal(t, texts("ID", "名称 *", "数量", "日期", "状态", "类别"), rows[3])
	assert.Equal(t, "名称", workbook.Heading("名称 *"))
	assert.True(t, workbook.IsExample(workbook.Row{Cells: rows[4]}))
	assert.False(t, workbook.IsExample(workbook.Row{Cells: rows[3]}))
	assert.Equal(t, []property.Cell{empty, textCell("示例 ▸ 螺栓"), numCell("1200.5", "#,##0.00"), timeCell("2026-03-05 00:00:00", "yyyy-mm-dd"), textCell("合格")}, rows[4])
	merged, err := b.Merged(t.Context(), 0)
	require.NoError(t, err)
	assert.Equal(t, []workbook.Range{{Row: 2, Column: 4, Rows: 1, Columns: 2}}, merged)
	guide, err := rowsOf(t, b, 1, 1)
	require.NoError(t, err)
	assert.Equal(t, map[int][]property.Cell{1: texts("第一行"), 2: texts("=1+1")}, guide)

	f := open(t, file)
	rules, err := f.GetDataValidations("检验批")
	require.NoError(t, err)
	require.Len(t, rules, 4)
	for i, want := range []struct{ kind, sqref, formula string }{
		{"decimal", "C4:C1048576", "-999999999999999"}, {"date", "D4:D1048576", "0"}, {"list", "E4:E1048576", `"合格,不合格"`}, {"list", "F4:F1048576", "options_1"},
	} {
		assert.Equal(t, want.kind, rules[i].Type)
		assert.Equal(t, want.sqref, rules[i].Sqref)
		assert.Equal(t, want.formula, rules[i].Formula1)
		assert.Equal(t, "warning", *rules[i].ErrorStyle)
	}
	visible, err := f.GetSheetVisible("_options")
	require.NoError(t, err)
	assert.False(t, visible)
	last, err := f.GetCellValue("_options", "A300")
	require.NoError(t, err)
	assert.Equal(t, "选项, 299", last)
	shown, err := f.GetRowVisible("检验批", 1)
	require.NoError(t, err)
	assert.False(t, shown)
	shown, err = f.GetColVisible("检验批", "A")
	require.NoError(t, err)
	assert.False(t, shown)
	notes, err := f.GetComments("检验批")
	require.NoError(t, err)
	require.Len(t, notes, 1)
	assert.Equal(t, "B3", notes[0].Cell)
	panes, err := f.GetPanes("检验批")
	require.NoError(t, err)
	assert.Equal(t, 3, panes.YSplit)
}
