package workbook_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

func texts(values ...string) []property.Cell {
	cells := make([]property.Cell, len(values))
	for i, v := range values {
		if v != "" {
			cells[i] = textCell(v)
		}
	}
	return cells
}

func TestCSV(t *testing.T) {
	t.Parallel()
	gb, err := simplifiedchinese.GB18030.NewEncoder().String("名称,数量\r\n螺栓,5\r\n")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		file, name string
		want       map[int][]property.Cell
	}{
		"plain":         {file: "a,b\n1,2\n", want: map[int][]property.Cell{1: texts("a", "b"), 2: texts("1", "2")}},
		"mark":          {file: "\uFEFF名,b\r\n1,2", want: map[int][]property.Cell{1: texts("名", "b"), 2: texts("1", "2")}},
		"utf-16":        {file: utf16("名,b\r\n1,\"x\r\ny\""), want: map[int][]property.Cell{1: texts("名", "b"), 2: texts("1", "x\r\ny")}},
		"utf-16 bare":   {file: utf16("name,b\r\n1,2\r\n")[2:], want: map[int][]property.Cell{1: texts("name", "b"), 2: texts("1", "2")}},
		"gb18030":       {file: gb, want: map[int][]property.Cell{1: texts("名称", "数量"), 2: texts("螺栓", "5")}},
		"semicolons":    {file: "a;b;c\n1,5;2,5;\"x;y\"\n", want: map[int][]property.Cell{1: texts("a", "b", "c"), 2: texts("1,5", "2,5", "x;y")}},
		"tabs":          {file: "a\tb\n1, 2\t3\n", want: map[int][]property.Cell{1: texts("a", "b"), 2: texts("1, 2", "3")}},
		"told":          {file: "sep=;\r\na;b,c\r\n", want: map[int][]property.Cell{1: texts("a", "b,c")}},
		"quotes":        {file: "\"a \"\"b\"\"\",c\"d\"\n\"\",\"x\"y\n", want: map[int][]property.Cell{1: texts(`a "b"`, `c"d"`), 2: texts("", "xy")}},
		"old Macintosh": {file: "a,b\r1,2\r", want: map[int][]property.Cell{1: texts("a", "b"), 2: texts("1", "2")}},
		"blank rows":    {file: "a,b\n\n,,\n1,,\n\n", want: map[int][]property.Cell{1: texts("a", "b"), 4: texts("1")}},
		"one column":    {file: "name\nbolt\n", name: "a.txt", want: map[int][]property.Cell{1: texts("name"), 2: texts("bolt")}},
		"codes":         {file: "MZ-1,b\n", want: map[int][]property.Cell{1: texts("MZ-1", "b")}},
		"guarded":       {file: "'=1+1,''=x,'plain,'-5,-5\n", want: map[int][]property.Cell{1: texts("=1+1", "'=x", "'plain", "-5", "-5")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.name == "" {
				c.name = "a.CSV"
			}
			got, err := readAll(t, c.name, []byte(c.file), workbook.Limits{})
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

// TestCSVRoundTrip: what was guarded comes back as it was.
func TestCSVRoundTrip(t *testing.T) {
	t.Parallel()
	values := []string{"=1", "'=1", "''=1", "'", "''", "'a", "-", "-5", "+86 10", " @x", "\t=1", "\r\n=x", "＝1", "a\"b", "a,b\nc", "\u200B=1", "x"}
	var b bytes.Buffer
	w := workbook.NewCSV(&b)
	w.Sheet(workbook.SheetOptions{})
	row := make([]workbook.Out, len(values))
	for i, v := range values {
		row[i] = text(v)
	}
	require.NoError(t, w.Row(row, 0))
	require.NoError(t, w.Close())
	got, err := readAll(t, "a.csv", b.Bytes(), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, map[int][]property.Cell{1: texts(values...)}, got)
}

// coded writes a text in an encoding.
func coded(t *testing.T, e encoding.Encoding, s string) []byte {
	t.Helper()
	out, err := e.NewEncoder().String(s)
	require.NoError(t, err)
	return []byte(out)
}

// TestEncodings: a file is read in the encoding that it is in; what else it may be in is told. One that is named is taken.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in     encoding.Encoding
		text   string
		others bool
	}{
		"gb18030":      {simplifiedchinese.GB18030, "编号,名称,备注\nA-1,螺栓,已检验合格\nA-2,混凝土养护剂,第三标段\n", false},
		"big5":         {traditionalchinese.Big5, "編號,名稱,備註\nA-1,螺絲,檢驗合格\nA-2,混凝土養護劑,第三標段\n", false},
		"shift_jis":    {japanese.ShiftJIS, "番号,名称,備考\nA-1,ボルト,検査に合格しました\n", false},
		"euc-kr":       {korean.EUCKR, "번호,이름,비고\nA-1,볼트,검사에 합격했습니다\nA-2,콘크리트,셋째 구간\n", false},
		"windows-1252": {charmap.Windows1252, "Nummer;Größe;Gerät\nA-1;5 €;Prüfgerät für Hölzer\nA-2;6;Château – élevé\n", true},
		"windows-1251": {charmap.Windows1251, "Номер;Название\nА-1;Болт крепёжный\nА-2;Бетон\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := coded(t, c.in, c.text)
			b, err := openBook(t, "a.csv", file, workbook.Limits{})
			require.NoError(t, err)
			require.NotEmpty(t, b.Encodings())
			assert.Equal(t, name, b.Encodings()[0])
			assert.Equal(t, c.others, len(b.Encodings()) > 1, "%v", b.Encodings())
			want, err := readAll(t, "a.csv", []byte(c.text), workbook.Limits{})
			require.NoError(t, err)
			got, err := rowsOf(t, b, 0, 1)
			require.NoError(t, err)
			assert.Equal(t, want, got)

			for _, other := range []string{name, "windows-1250", "shift_jis"} {
				named, err := workbook.OpenAs(t.Context(), "a.csv", other, bytes.NewReader(file), int64(len(file)), workbook.Limits{})
				if err == nil {
					assert.Equal(t, other, named.Encodings()[0])
					continue
				}
				var r *workbook.Refusal
				require.ErrorAs(t, err, &r)
				assert.Equal(t, workbook.WrongEncoding, r.Why)
				assert.NotEqual(t, name, other)
			}
		})
	}
	_, err := workbook.OpenAs(t.Context(), "a.csv", "klingon", strings.NewReader("a"), 1, workbook.Limits{})
	require.Error(t, err)
	plain, err := openBook(t, "a.csv", []byte("a,名\n"), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []string{"utf-8"}, plain.Encodings())
}

// TestEncodingOfLongFiles: what tells is anywhere, and no character is cut where the file is read in pieces.
func TestEncodingOfLongFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   encoding.Encoding
		text string
	}{
		"gb18030":      {simplifiedchinese.GB18030, strings.Repeat("a,b\n", 100_000) + "螺栓检验合格,b\n"},
		"big5":         {traditionalchinese.Big5, strings.Repeat("養護劑,", 20) + strings.Repeat("\n檢驗合格", 60_000) + "\n"},
		"utf-8":        {unicode.UTF8, strings.Repeat("养护", 60_000) + "\n"},
		"windows-1252": {charmap.Windows1252, strings.Repeat("Größe für alles\r", 20_000)},
	} {
		b, err := openBook(t, "a.csv", coded(t, c.in, c.text), workbook.Limits{CellBytes: 1 << 20})
		require.NoError(t, err)
		assert.Equal(t, name, b.Encodings()[0])
		rows, err := rowsOf(t, b, 0, 1)
		require.NoError(t, err)
		assert.NotEmpty(t, rows)
	}
}

// TestDamagedText: a text of UTF-8 that lost a byte is not taken for another encoding.
func TestDamagedText(t *testing.T) {
	t.Parallel()
	b, err := openBook(t, "a.csv", []byte("编号,名称\n一,螺栓\n二,螺\xE6\x96,x\n三,螺母\n"), workbook.Limits{})
	require.NoError(t, err)
	_, err = rowsOf(t, b, 0, 1)
	var r *workbook.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, workbook.Broken, r.Why)
	assert.Equal(t, []any{"row 3"}, r.Args)
}
