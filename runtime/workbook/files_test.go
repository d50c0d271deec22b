package workbook_test

import (
	"archive/zip"
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

const (
	mainNS    = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	typeBase  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	header    = `<?xml version="1.0" encoding="UTF-8"?>`
	typesPart = header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`
	rootPart = header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="` +
		typeBase + `officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookPart = header + `<workbook ` + mainNS + `><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`
	bookRels = header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="` + typeBase +
		`worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="` + typeBase + `sharedStrings" Target="sharedStrings.xml"/>` +
		`<Relationship Id="rId3" Type="` + typeBase + `styles" Target="/xl/styles.xml"/></Relationships>`
)

// parts are the parts of a file by name.
type parts map[string]string

// sheet is a file with one worksheet with these rows; more replaces parts, "" leaves one out.
func sheet(rows string, more parts) parts {
	p := parts{
		"[Content_Types].xml": typesPart, "_rels/.rels": rootPart, "xl/workbook.xml": bookPart, "xl/_rels/workbook.xml.rels": bookRels,
		"xl/worksheets/sheet1.xml": header + `<worksheet ` + mainNS + `><sheetData>` + rows + `</sheetData></worksheet>`,
	}
	for name, content := range more {
		p[name] = content
		if content == "" {
			delete(p, name)
		}
	}
	return p
}

// pack zips the parts.
func pack(t testing.TB, p parts) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	names := make([]string, 0, len(p))
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(p[name]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func openBook(t testing.TB, name string, file []byte, l workbook.Limits) (*workbook.Book, error) {
	t.Helper()
	b, err := workbook.Open(t.Context(), name, bytes.NewReader(file), int64(len(file)), l)
	if b != nil {
		t.Cleanup(func() { require.NoError(t, b.Close()) })
	}
	return b, err
}

// readAll returns the rows of the first worksheet by their numbers.
func readAll(t testing.TB, name string, file []byte, l workbook.Limits) (map[int][]property.Cell, error) {
	t.Helper()
	b, err := openBook(t, name, file, l)
	if err != nil {
		return nil, err
	}
	return rowsOf(t, b, 0, 1)
}

func rowsOf(t testing.TB, b *workbook.Book, sheet, from int) (map[int][]property.Cell, error) {
	t.Helper()
	rows, last := map[int][]property.Cell{}, 0
	err := b.Rows(t.Context(), sheet, from, func(r workbook.Row) bool {
		require.Greater(t, r.Number, last)
		last = r.Number
		rows[r.Number] = slices.Clone(r.Cells)
		return true
	})
	return rows, err
}
