package workbook_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

const oneRow = `<row r="1"><c r="A1"><v>1</v></c></row>`

// ole is the start of an OLE container with an entry of this name.
func ole(name string) []byte {
	b := append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), make([]byte, 4096)...)
	for _, c := range []byte(name) {
		b = append(b, c, 0)
	}
	return append(b, make([]byte, 512)...)
}

// forge changes a field of every entry in the directory of a zip.
func forge(file []byte, change func(entry []byte)) []byte {
	file = bytes.Clone(file)
	for i := 0; ; {
		n := bytes.Index(file[i:], []byte("PK\x01\x02"))
		if n < 0 {
			return file
		}
		i += n
		change(file[i:])
		i += 4
	}
}

// forgeSheet changes the worksheet's entry only.
func forgeSheet(file []byte, change func(entry []byte)) []byte {
	return forge(file, func(e []byte) {
		if bytes.HasPrefix(e[46:], []byte("xl/worksheets/sheet1.xml")) {
			change(e)
		}
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	good := pack(t, sheet(oneRow, nil))
	part := func(name, content string) []byte { return pack(t, sheet(oneRow, parts{name: content})) }
	rows := func(rows string) []byte { return pack(t, sheet(rows, nil)) }
	le := binary.LittleEndian
	for name, c := range map[string]struct {
		name   string
		file   []byte
		limits workbook.Limits
		why    workbook.Why
		args   []any
	}{
		"password":          {name: "a.xlsx", file: ole("EncryptedPackage"), why: workbook.Encrypted},
		"xls, cut":          {name: "a.xls", file: ole("Workbook"), why: workbook.Broken},
		"xls of 1995":       {name: "a.xls", file: ole("Book\x00"), why: workbook.OldFormat},
		"xls of 1995, both": {name: "a.xls", file: bytes.Replace(testdata(t, "book.xls"), []byte("\x09\x08\x10\x00\x00\x06\x05\x00"), []byte("\x09\x08\x10\x00\x00\x05\x05\x00"), 1), why: workbook.OldFormat},
		"xls of 1992":       {name: "a.xls", file: []byte("\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00"), why: workbook.OldFormat},
		"xls, password":     {name: "a.xls", file: bytes.Replace(testdata(t, "book.xls"), []byte("\x5C\x00\x70\x00"), []byte("\x2F\x00\x70\x00"), 1), why: workbook.Encrypted},
		"xls as xlsx":       {name: "a.xlsx", file: testdata(t, "formulas.xls"), why: workbook.WrongExtension, args: []any{"xls"}},
		"wps":               {name: "a.ET", file: testdata(t, "formulas.xls"), why: workbook.Foreign, args: []any{".et"}},
		"old doc":           {name: "a.xlsx", file: ole("WordDocument"), why: workbook.NotASpreadsheet, args: []any{"ole"}},
		"zip with password": {name: "a.xlsx", file: forge(good, func(e []byte) { e[8] |= 1 }), why: workbook.Encrypted},
		"empty":             {name: "a.xlsx", why: workbook.NotASpreadsheet, args: []any{"empty"}},
		"pdf":               {name: "a.xlsx", file: []byte("%PDF-1.7 ..."), why: workbook.NotASpreadsheet, args: []any{"pdf"}},
		"html as xls":       {name: "a.xls", file: []byte("\r\n<html><table><tr><td>1</td></tr></table></html>"), why: workbook.NotASpreadsheet, args: []any{"html"}},
		"xml spreadsheet":   {name: "a.xls", file: []byte(`<?xml version="1.0"?><Workbook/>`), why: workbook.NotASpreadsheet, args: []any{"xml"}},
		"binary as csv":     {name: "a.csv", file: []byte("a\x00\x01\x02\x00\x00\x00b,c"), why: workbook.NotASpreadsheet, args: []any{""}},
		"csv as xlsx":       {name: "a.xlsx", file: []byte("a,b\n1,2\n"), why: workbook.WrongExtension, args: []any{"csv"}},
		"xlsx as csv":       {name: "a.csv", file: good, why: workbook.WrongExtension, args: []any{"xlsx"}},
		"xlsx as xls":       {name: "a.xls", file: good, why: workbook.WrongExtension, args: []any{"xlsx"}},
		"word":              {name: "a.xlsx", file: pack(t, parts{"[Content_Types].xml": typesPart, "word/document.xml": "<a/>"}), why: workbook.NotASpreadsheet, args: []any{"docx"}},
		"binary workbook":   {name: "a.xlsx", file: pack(t, parts{"[Content_Types].xml": typesPart, "xl/workbook.bin": "x"}), why: workbook.Foreign, args: []any{".xlsb"}},
		"open document":     {name: "a.xlsx", file: pack(t, parts{"content.xml": "<a/>"}), why: workbook.Foreign, args: []any{".ods"}},
		"any zip":           {name: "a.xlsx", file: pack(t, parts{"a.txt": "a"}), why: workbook.NotASpreadsheet, args: []any{"zip"}},
		"no workbook":       {name: "a.xlsx", file: part("xl/workbook.xml", ""), why: workbook.Broken, args: []any{"xl/workbook.xml"}},
		"no worksheet":      {name: "a.xlsx", file: part("xl/worksheets/sheet1.xml", ""), why: workbook.Broken, args: []any{"xl/worksheets/sheet1.xml"}},
		"hidden only":       {name: "a.xlsx", file: part("xl/workbook.xml", strings.Replace(bookPart, `name="S"`, `name="S" state="hidden"`, 1)), why: workbook.NoSheet},
		"cut zip":           {name: "a.xlsx", file: good[:len(good)-30], why: workbook.Broken, args: []any{"zip"}},
		"cut start":         {name: "a.xlsx", file: append([]byte("PK\x03\x04"), good[400:]...), why: workbook.Broken},
		"twice":             {name: "a.xlsx", file: part("XL/workbook.xml", bookPart), why: workbook.Broken},
		"too large":         {name: "a.xlsx", file: good, limits: workbook.Limits{Packed: 100}, why: workbook.TooLarge, args: []any{int64(100)}},
		"too many entries":  {name: "a.xlsx", file: good, limits: workbook.Limits{Entries: 3}, why: workbook.TooLarge, args: []any{3}},
		"unpacks to much":   {name: "a.xlsx", file: good, limits: workbook.Limits{Unpacked: 100}, why: workbook.TooLarge, args: []any{int64(100)}},
		"ratio":             {name: "a.xlsx", file: part("xl/media/a.bin", strings.Repeat("a", 32<<20)), limits: workbook.Limits{Ratio: 100}, why: workbook.TooLarge, args: []any{100}},
		"says more":         {name: "a.xlsx", file: forgeSheet(good, func(e []byte) { le.PutUint32(e[24:], le.Uint32(e[24:])+1) }), why: workbook.Broken},
		"says less":         {name: "a.xlsx", file: forgeSheet(good, func(e []byte) { le.PutUint32(e[24:], 40) }), why: workbook.Broken},
		"offset outside":    {name: "a.xlsx", file: forge(good, func(e []byte) { le.PutUint32(e[42:], 1<<30) }), why: workbook.Broken, args: []any{"zip"}},
		"overlapping":       {name: "a.xlsx", file: forge(good, func(e []byte) { le.PutUint32(e[42:], 0) }), why: workbook.Broken, args: []any{"zip"}},
		"other method":      {name: "a.xlsx", file: forgeSheet(good, func(e []byte) { e[10] = 14 }), why: workbook.Broken},
		"dtd":               {name: "a.xlsx", file: part("xl/workbook.xml", `<!DOCTYPE a [<!ENTITY b "c">]>`+bookPart[len(header):]), why: workbook.DTD},
		"dtd in worksheet":  {name: "a.xlsx", file: part("xl/worksheets/sheet1.xml", header+`<!doctype worksheet SYSTEM "file:///etc/passwd"><worksheet/>`), why: workbook.DTD},
		"unknown entity":    {name: "a.xlsx", file: rows(`<row r="1"><c r="A1" t="str"><v>&lol;</v></c></row>`), why: workbook.Broken, args: []any{"A1"}},
		"no text":           {name: "a.xlsx", file: rows("<row r=\"1\"><c r=\"A1\" t=\"str\"><v>\xFF\xFE\xFF</v></c></row>"), why: workbook.Broken, args: []any{"row 1"}},
		"row too far":       {name: "a.xlsx", file: rows(`<row r="1048577"><c><v>1</v></c></row>`), why: workbook.Broken},
		"row 0":             {name: "a.xlsx", file: rows(`<row r="0"><c><v>1</v></c></row>`), why: workbook.Broken},
		"rows backwards":    {name: "a.xlsx", file: rows(`<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>`), why: workbook.Broken},
		"row past the last": {name: "a.xlsx", file: rows(`<row r="1048576"><c><v>1</v></c></row><row/>`), why: workbook.Broken},
		"column too far":    {name: "a.xlsx", file: rows(`<row r="1"><c r="XFE1"><v>1</v></c></row>`), why: workbook.Broken, args: []any{"XFE1"}},
		"cell of other row": {name: "a.xlsx", file: rows(`<row r="1"><c r="A2"><v>1</v></c></row>`), why: workbook.Broken, args: []any{"A2"}},
		"no such text":      {name: "a.xlsx", file: rows(`<row r="1"><c r="A1" t="s"><v>3</v></c></row>`), why: workbook.Broken, args: []any{"A1"}},
		"too many rows":     {name: "a.xlsx", file: rows(oneRow + `<row><c><v>1</v></c></row>`), limits: workbook.Limits{Rows: 1}, why: workbook.TooManyRows, args: []any{1}},
		"too many columns":  {name: "a.xlsx", file: rows(`<row r="1"><c r="C1"><v>1</v></c></row>`), limits: workbook.Limits{Columns: 2}, why: workbook.TooManyColumns, args: []any{2}},
		"long text":         {name: "a.xlsx", file: rows(`<row r="1"><c r="A1"/><c r="B1" t="str"><v>` + strings.Repeat("a", 101) + `</v></c></row>`), limits: workbook.Limits{CellBytes: 100}, why: workbook.CellTooLong, args: []any{"B1"}},
		"endless text":      {name: "a.xlsx", file: rows(`<row r="1"><c r="A1" t="str"><v>` + strings.Repeat("a", 2<<20) + `</v></c></row>`), why: workbook.CellTooLong, args: []any{"A1"}},
		"endless tag":       {name: "a.xlsx", file: rows(`<row r="1" ` + strings.Repeat("a", 2<<20) + `="">`), why: workbook.CellTooLong},
		"nested":            {name: "a.xlsx", file: rows(`<row r="1"><c r="A1"><extLst>` + strings.Repeat("<a>", 1000) + strings.Repeat("</a>", 1000) + `</extLst></c></row>`), why: workbook.Broken},
		"nested shared":     {name: "a.xlsx", file: pack(t, sheet(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`, parts{"xl/sharedStrings.xml": "<sst><si>" + strings.Repeat("<r>", 1000) + strings.Repeat("</r>", 1000) + "</si></sst>"})), why: workbook.Broken},
		"cut worksheet":     {name: "a.xlsx", file: part("xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+oneRow), why: workbook.Broken},
		"no xml":            {name: "a.xlsx", file: part("xl/worksheets/sheet1.xml", "hello"), why: workbook.Broken},
		"other root":        {name: "a.xlsx", file: part("xl/worksheets/sheet1.xml", "<html/>"), why: workbook.Broken},
		"csv: open quote":   {name: "a.csv", file: []byte("a,b\n1,\"2\n3,4\n"), why: workbook.Broken, args: []any{"row 2"}},
		"csv: many rows":    {name: "a.csv", file: []byte("a\nb\n"), limits: workbook.Limits{Rows: 1}, why: workbook.TooManyRows, args: []any{1}},
		"csv: many columns": {name: "a.csv", file: []byte("a,b,c\n"), limits: workbook.Limits{Columns: 2}, why: workbook.TooManyColumns, args: []any{2}},
		"csv: long text":    {name: "a.csv", file: []byte("a," + strings.Repeat("b", 101)), limits: workbook.Limits{CellBytes: 100}, why: workbook.CellTooLong, args: []any{"B1"}},
		"csv: no charset":   {name: "a.csv", file: []byte("caf\xFF\xFF\x81,b\n"), why: workbook.Broken, args: []any{"row 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readAll(t, c.name, c.file, c.limits)
			var r *workbook.Refusal
			require.ErrorAs(t, err, &r)
			assert.Equal(t, c.why, r.Why, err)
			if c.args != nil {
				assert.Equal(t, c.args, r.Args)
			}
		})
	}
}

// zip64 is a zip whose directory says in 64 bits what its one entry unpacks to.
func zip64(t *testing.T, says uint64) []byte {
	t.Helper()
	p := sheet(oneRow, nil)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range p {
		h := &zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE([]byte(content)), CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content))}
		if name == "xl/worksheets/sheet1.xml" {
			h.Extra = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, 1), 8), says)
		}
		w, err := z.CreateRaw(h)
		require.NoError(t, err)
		_, err = io.WriteString(w, content)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return forgeSheet(b.Bytes(), func(e []byte) { binary.LittleEndian.PutUint32(e[24:], 0xFFFFFFFF) })
}

func TestZip64(t *testing.T) {
	t.Parallel()
	size := uint64(len(sheet(oneRow, nil)["xl/worksheets/sheet1.xml"]))
	rows, err := readAll(t, "a.xlsx", zip64(t, size), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, map[int][]property.Cell{1: {numCell("1", "")}}, rows)
	for _, says := range []uint64{size - 1, 1 << 40, 1 << 63} {
		_, err = readAll(t, "a.xlsx", zip64(t, says), workbook.Limits{})
		var r *workbook.Refusal
		require.ErrorAs(t, err, &r, says)
	}
}

// TestBombInWorksheet: a worksheet that never ends costs time up to the limit.
func TestBombInWorksheet(t *testing.T) {
	t.Parallel()
	file := pack(t, sheet(strings.Repeat(`<row><c s="1"/></row>`, 1_000_000), nil))
	_, err := readAll(t, "a.xlsx", file, workbook.Limits{Time: time.Millisecond, Ratio: 2000})
	var r *workbook.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, workbook.TooSlow, r.Why)
	rows, err := readAll(t, "a.xlsx", file, workbook.Limits{Ratio: 2000})
	require.NoError(t, err)
	assert.Empty(t, rows)
}

func TestCancel(t *testing.T) {
	t.Parallel()
	file := pack(t, sheet(strings.Repeat(`<row><c s="1"/></row>`, 1_000_000)+oneRow, nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b, err := openBook(t, "a.xlsx", file, workbook.Limits{Ratio: 2000})
	require.NoError(t, err)
	require.ErrorIs(t, b.Rows(ctx, 0, 1, func(workbook.Row) bool { return true }), context.Canceled)
	_, err = workbook.Open(ctx, "a.xlsx", bytes.NewReader(file), int64(len(file)), workbook.Limits{Ratio: 2000})
	require.ErrorIs(t, err, context.Canceled)
	_, err = workbook.Open(ctx, "a.csv", strings.NewReader("a,b"), 3, workbook.Limits{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = b.Merged(ctx, 0)
	require.ErrorIs(t, err, context.Canceled)
}

func TestStop(t *testing.T) {
	t.Parallel()
	b, err := openBook(t, "a.xlsx", pack(t, sheet(`<row><c><v>1</v></c></row><row><c><v>2</v></c></row><bad/>`, nil)), workbook.Limits{})
	require.NoError(t, err)
	n := 0
	require.NoError(t, b.Rows(t.Context(), 0, 2, func(r workbook.Row) bool { n = r.Number; return false }))
	assert.Equal(t, 2, n)
}
