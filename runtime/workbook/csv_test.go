package workbook_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"

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
