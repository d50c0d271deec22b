package workbook_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

func textCell(s string) property.Cell { return property.Cell{Kind: property.CellText, Text: s} }
func numCell(s, format string) property.Cell {
	return property.Cell{Kind: property.CellNumber, Text: s, Format: format}
}

func timeCell(s, format string) property.Cell {
	t, err := time.Parse("2006-01-02 15:04:05.999", s)
	if err != nil {
		panic(err)
	}
	return property.Cell{Kind: property.CellTime, Time: t, Format: format}
}

var empty = property.Cell{}

// styled has styles for numbers (1), dates (2 built in, 3 own), times (4), elapsed (5), a text format with letters of dates in quotes (6) and General (0).
const styled = header + `<styleSheet ` + mainNS + `><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/>` +
	`<numFmt numFmtId="165" formatCode="[$-804]h:mm;@"/><numFmt numFmtId="166" formatCode="0.00&quot; days&quot;"/></numFmts>` +
	`<cellStyleXfs><xf numFmtId="14"/><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="4"/><xf numFmtId="14"/><xf numFmtId="164"/>` +
	`<xf numFmtId="165"/><xf numFmtId="46"/><xf numFmtId="166"/></cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="0"/></dxf></dxfs></styleSheet>`

func TestReader(t *testing.T) {
	t.Parallel()
	strict := strings.NewReplacer("http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main",
		"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships")
	for name, c := range map[string]struct {
		rows string
		more parts
		want map[int][]property.Cell
	}{
		"numbers": {rows: `<row r="1"><c r="A1"><v>1200.5</v></c><c r="B1" t="n" s="1"><v>1.2E+05</v></c><c r="C1" s="99"><v>-3</v></c></row>`,
			want: map[int][]property.Cell{1: {numCell("1200.5", ""), numCell("1.2E+05", "#,##0.00"), numCell("-3", "")}}},
		"dates": {rows: `<row r="1"><c r="A1" s="2"><v>46086</v></c><c r="B1" s="3"><v>46086.75</v></c><c r="C1" s="4"><v>0.35416666666666669</v></c>` +
			`<c r="D1" s="5"><v>1.5</v></c><c r="E1" s="6"><v>2</v></c><c r="F1" s="2"><v>-1</v></c><c r="G1" s="2"><v>1</v></c><c r="H1" s="2"><v>59</v></c>` +
			`<c r="I1" s="2"><v>61</v></c><c r="J1" s="2" t="s"><v>0</v></c><c r="K1" s="2"><v>46085.999999999</v></c><c r="L1" s="5"><v>0.5</v></c></row>`,
			more: parts{"xl/sharedStrings.xml": header + `<sst ` + mainNS + `><si><t>2026-03-05</t></si></sst>`},
			want: map[int][]property.Cell{1: {timeCell("2026-03-05 00:00:00", "yyyy-mm-dd"), timeCell("2026-03-05 18:00:00", `yyyy"年"m"月"d"日"`),
				timeCell("1899-12-31 08:30:00", "[$-804]h:mm;@"), numCell("1.5", "[h]:mm:ss"), numCell("2", `0.00" days"`), numCell("-1", "yyyy-mm-dd"),
				timeCell("1900-01-01 00:00:00", "yyyy-mm-dd"), timeCell("1900-02-28 00:00:00", "yyyy-mm-dd"), timeCell("1900-03-01 00:00:00", "yyyy-mm-dd"),
				textCell("2026-03-05"), timeCell("2026-03-05 00:00:00", "yyyy-mm-dd"), timeCell("1899-12-31 12:00:00", "[h]:mm:ss")}}},
		"1904": {rows: `<row r="1"><c r="A1" s="2"><v>44624</v></c><c r="B1" s="4"><v>0.5</v></c><c r="C1" s="2"><v>0</v></c></row>`,
			more: parts{"xl/workbook.xml": strings.Replace(bookPart, "<sheets>", `<workbookPr date1904="1"/><sheets>`, 1)},
			want: map[int][]property.Cell{1: {timeCell("2026-03-05 00:00:00", "yyyy-mm-dd"), timeCell("1899-12-31 12:00:00", "[$-804]h:mm;@"), timeCell("1904-01-01 00:00:00", "yyyy-mm-dd")}}},
		"iso dates": {rows: `<row r="1"><c r="A1" t="d" s="2"><v>2026-03-05T08:30:00</v></c><c r="B1" t="d"><v>08:30:00</v></c><c r="C1" t="d"><v>soon</v></c></row>`,
			want: map[int][]property.Cell{1: {timeCell("2026-03-05 08:30:00", "yyyy-mm-dd"), timeCell("1899-12-31 08:30:00", ""), textCell("soon")}}},
		"shared texts": {rows: `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2" t="s"><v>3</v></c></row>`,
			more: parts{"xl/sharedStrings.xml": header + `<sst ` + mainNS + ` count="9" uniqueCount="9"><si><t xml:space="preserve"> 甲 &amp; &#x4E59;&#10;</t></si>` +
				`<si><r><rPr><b/><t/></rPr><t>rich </t></r><r><t>text</t></r><rPh sb="0" eb="1"><t>かな</t></rPh><phoneticPr fontId="1"/></si>` +
				`<si><t>a_x000D_b_x005F_x0041_ _x41_ _xD83D__xDE00_</t></si><si><t><![CDATA[<&_x0041_>]]>x</t></si></sst>`},
			want: map[int][]property.Cell{2: {textCell(" 甲 & 乙\n"), textCell("rich text"), textCell("a\rb_x0041_ _x41_ 😀"), textCell("<&A>x")}}},
		"inline texts": {rows: `<row><c t="inlineStr"><is><t>one</t></is></c><c t="inlineStr"><is><t xml:space="preserve"> two </t></is></c>` +
			`<c t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r></is></c><c/><c t="inlineStr"><is><t>=1+1</t></is></c><c t="inlineStr"><is><t></t></is></c></row><row/><row><c><v>3</v></c></row>`,
			want: map[int][]property.Cell{1: {textCell("one"), textCell(" two "), textCell("rich"), empty, textCell("=1+1")}, 3: {numCell("3", "")}}},
		"sparse": {rows: `<row r="3"><c r="C3"><v>1</v></c><c><v>2</v></c><c r="B3"><v>0</v></c><c r="Z3" s="1"/></row><row r="10"><c r="A10" s="1"/></row><row><c r="B11"><v>9</v></c></row>` +
			`<row r="1048576"><c r="A1048576" s="1"/></row>`,
			want: map[int][]property.Cell{3: {empty, numCell("0", ""), numCell("1", ""), numCell("2", "")}, 11: {empty, numCell("9", "")}}},
		"booleans and errors": {rows: `<row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c><c r="C1" t="e"><v>#REF!</v></c></row>`,
			want: map[int][]property.Cell{1: {{Kind: property.CellBool, Bool: true}, {Kind: property.CellBool}, {Kind: property.CellError, Text: "#REF!"}}}},
		"formulas": {rows: `<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>a&lt;b</v></c><c r="C1" t="b"><f>TRUE()</f><v>1</v></c>` +
			`<c r="D1" t="e"><f>#REF!+1</f><v>#REF!</v></c><c r="E1"><f>SUM(A1:A9)&amp;""</f></c><c r="F1"><f t="shared" ref="F1:F2" si="0">A1*2</f><v/></c>` +
			`<c r="G1"><f t="shared" si="0"/></c><c r="H1" t="str"><f>""</f><v></v></c><c r="I1" s="2"><f>TODAY()</f><v>46086</v></c></row>`,
			want: map[int][]property.Cell{1: {numCell("2", ""), textCell("a<b"), {Kind: property.CellBool, Bool: true}, {Kind: property.CellError, Text: "#REF!"},
				{Kind: property.CellUnknown, Text: `SUM(A1:A9)&""`}, {Kind: property.CellUnknown, Text: "A1*2"}, {Kind: property.CellUnknown}, empty, timeCell("2026-03-05 00:00:00", "yyyy-mm-dd")}}},
		"spread over lines": {rows: "\n <!-- rows --> <row r='1' spans=\"1:2\"\n>\n  <c r='A1'\n t=\"str\" >\n <v>a</v>\n </c >\n <c r=\"B1\" x:t=\"a>b\"><v>5</v><extLst><ext><v>9</v></ext></extLst></c><extLst/></row>\n<?pi a?>",
			want: map[int][]property.Cell{1: {textCell("a"), numCell("5", "")}}},
		"prefixed": {more: parts{"xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr">` +
			`<x:is><x:t>p</x:t></x:is></x:c><x:c r="B1"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`},
			want: map[int][]property.Cell{1: {textCell("p"), numCell("1", "")}}},
		"strict": {more: parts{"xl/workbook.xml": strict.Replace(bookPart), "xl/_rels/workbook.xml.rels": strict.Replace(bookRels), "_rels/.rels": strict.Replace(rootPart),
			"xl/worksheets/sheet1.xml": strict.Replace(sheet(`<row r="1"><c r="A1" t="d"><v>2026-03-05</v></c></row>`, nil)["xl/worksheets/sheet1.xml"])},
			want: map[int][]property.Cell{1: {timeCell("2026-03-05 00:00:00", "")}}},
		"utf-16": {more: parts{"xl/worksheets/sheet1.xml": utf16(`<?xml version="1.0" encoding="UTF-16"?><worksheet ` + mainNS + `><sheetData><row r="1"><c r="A1" t="str"><v>语</v></c></row></sheetData></worksheet>`)},
			want: map[int][]property.Cell{1: {textCell("语")}}},
		"no rows": {more: parts{"xl/worksheets/sheet1.xml": `<worksheet ` + mainNS + `><sheetData/></worksheet>`}, want: map[int][]property.Cell{}},
		"parts elsewhere": {more: parts{"_rels/.rels": strings.Replace(rootPart, "xl/workbook.xml", "book/main.xml", 1), "xl/workbook.xml": "", "book/main.xml": bookPart,
			"xl/_rels/workbook.xml.rels": "", "book/_rels/main.xml.rels": strings.ReplaceAll(bookRels, "worksheets/sheet1.xml", "/tables/one.xml"), "xl/worksheets/sheet1.xml": "",
			"tables/one.xml": sheet(`<row r="1"><c r="A1"><v>1</v></c></row>`, nil)["xl/worksheets/sheet1.xml"]},
			want: map[int][]property.Cell{1: {numCell("1", "")}}},
		"part names of other programs": {more: parts{"xl/worksheets/sheet1.xml": "", `XL\Worksheets\Sheet1.xml`: sheet(`<row r="1"><c r="A1"><v>1</v></c></row>`, nil)["xl/worksheets/sheet1.xml"]},
			want: map[int][]property.Cell{1: {numCell("1", "")}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sheet(c.rows, parts{"xl/styles.xml": styled})
			for part, content := range c.more {
				p[part] = content
				if content == "" {
					delete(p, part)
				}
			}
			got, err := readAll(t, "a.xlsx", pack(t, p), workbook.Limits{})
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func utf16(s string) string {
	b := []byte("\xFF\xFE")
	for _, r := range s {
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	cells := []workbook.Out{text("=1+1"), text(" a\x01\r\n\tb_x0041_ "), text("-5"), text("'=x"), num("-1200.50", "#,##0.00"), num("123456789012345678", ""), at(day, "yyyy-mm-dd"),
		at(day.Add(12*time.Hour+34*time.Minute+56*time.Second+789*time.Millisecond), "yyyy-mm-dd hh:mm:ss.000"), at(time.Date(1899, 12, 31, 23, 59, 59, 0, time.UTC), "h:mm:ss"),
		{Cell: property.Cell{Kind: property.CellBool, Bool: true}}, {}, text("末")}
	file := write(t, workbook.Options{}, func(w *workbook.Writer) {
		w.Sheet(workbook.SheetOptions{Name: "R", Rows: 1, Head: []workbook.HeadRow{{Cells: []workbook.Out{text("h")}}}, HeadMerges: []workbook.Range{{Row: 1, Rows: 1, Columns: 3}}})
		require.NoError(t, w.Row(cells, 0))
	})
	b, err := openBook(t, "r.xlsx", file, workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []workbook.Sheet{{Name: "R"}}, b.Sheets())
	assert.Equal(t, 2, b.Extent(0))
	rows, err := rowsOf(t, b, 0, 2)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	for i, c := range cells {
		want := c.Cell
		if i == 5 {
			want = textCell(want.Text)
		}
		assert.Equal(t, want, rows[2][i], i)
	}
	merged, err := b.Merged(t.Context(), 0)
	require.NoError(t, err)
	assert.Equal(t, []workbook.Range{{Row: 1, Column: 0, Rows: 1, Columns: 3}}, merged)
}

func TestSheetsThatCount(t *testing.T) {
	t.Parallel()
	p := sheet(`<row r="1"><c r="A1"><v>1</v></c></row>`, parts{
		"xl/workbook.xml": header + `<workbook ` + mainNS + `><sheets><sheet name="Chart" sheetId="4" r:id="rIdC"/><sheet name="H" sheetId="2" state="hidden" r:id="rId1"/>` +
			`<sheet name="V" sheetId="3" state="veryHidden" r:id="rId1"/><sheet name="A &amp; B" sheetId="1" r:id="rId1"/><sheet name="Far" sheetId="9" r:id="rIdE"/></sheets>` +
			`<externalReferences><externalReference r:id="rIdX"/></externalReferences></workbook>`,
		"xl/_rels/workbook.xml.rels": strings.Replace(bookRels, "</Relationships>", `<Relationship Id="rIdC" Type="`+typeBase+`chartsheet" Target="chartsheets/sheet1.xml"/>`+
			`<Relationship Id="rIdE" Type="`+typeBase+`worksheet" TargetMode="External" Target="https://example.org/s.xml"/>`+
			`<Relationship Id="rIdV" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>`+
			`<Relationship Id="rIdX" Type="`+typeBase+`externalLink" Target="externalLinks/externalLink1.xml"/></Relationships>`, 1),
		"xl/vbaProject.bin": "macros",
	})
	b, err := openBook(t, "macros.xlsm", pack(t, p), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []workbook.Sheet{{Name: "A & B"}}, b.Sheets())
	rows, err := rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	assert.Len(t, rows, 1)
}
