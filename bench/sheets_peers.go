package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/flate"
	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/property"
)

// The parts of a bare file besides its worksheet.
const (
	bareMain  = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	bareRels  = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	bareType  = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	bareTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`
)

var bareParts = [][2]string{
	{"[Content_Types].xml", bareTypes},
	{"_rels/.rels", bareRels + `<Relationship Id="rId1" Type="` + bareType + `officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook ` + bareMain + ` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", bareRels + `<Relationship Id="rId1" Type="` + bareType + `worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="` + bareType +
		`styles" Target="styles.xml"/><Relationship Id="rId3" Type="` + bareType + `sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
	{"xl/styles.xml", `<styleSheet ` + bareMain + `><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`},
}

// writeBare is the floor of writing: a zip and appended XML.
func writeBare(path string, rows int) error { return writeXML(path, rows, nil) }

// sharedTable are the texts of a file as spreadsheet programs save it.
type sharedTable struct {
	index map[string]int
	xml   []byte
}

// writeShared makes a file as spreadsheet programs save it: texts in a table.
func writeShared(path string, rows int) error {
	return writeXML(path, rows, &sharedTable{index: map[string]int{}, xml: []byte(`<sst ` + bareMain + `>`)})
}

func writeXML(path string, rows int, shared *sharedTable) error {
	return toFile(path, func(out io.Writer) error {
		z := zip.NewWriter(out)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 1) })
		for _, p := range bareParts {
			w, err := z.Create(p[0])
			if err == nil {
				_, err = io.WriteString(w, p[1])
			}
			if err != nil {
				return err
			}
		}
		w, err := z.Create("xl/worksheets/sheet1.xml")
		if err != nil {
			return err
		}
		b, text := []byte(`<worksheet `+bareMain+`><sheetData>`), []byte(nil)
		for i := range rows {
			b = append(b, `<row>`...)
			for c := range sheetColumns {
				var kind property.CellKind
				text, kind = sheetValue(text[:0], i, c)
				b = appendBare(b, text, kind, i, c, shared)
			}
			if b = append(b, `</row>`...); len(b) > 64<<10 {
				if _, err := w.Write(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
		if _, err := w.Write(append(b, `</sheetData></worksheet>`...)); err != nil {
			return err
		}
		if shared != nil {
			if w, err = z.Create("xl/sharedStrings.xml"); err != nil {
				return err
			}
			if _, err := w.Write(append(shared.xml, `</sst>`...)); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

func appendBare(b, text []byte, kind property.CellKind, row, column int, shared *sharedTable) []byte {
	b = strconv.AppendInt(append(append(b, `<c r="`...), 'A'+byte(column)), int64(row+1), 10)
	b = append(b, '"')
	switch {
	case kind == property.CellTime:
		b = append(append(append(b, ` s="1"><v>`...), text...), `</v>`...)
	case kind == property.CellNumber:
		b = append(append(append(b, `><v>`...), text...), `</v>`...)
	case shared != nil:
		n, known := shared.index[string(text)]
		if !known {
			n = len(shared.index)
			shared.index[string(text)] = n
			shared.xml = append(appendEscaped(append(shared.xml, `<si><t>`...), text), `</t></si>`...)
		}
		b = append(strconv.AppendInt(append(b, ` t="s"><v>`...), int64(n), 10), `</v>`...)
	default:
		b = append(appendEscaped(append(b, ` t="inlineStr"><is><t>`...), text), `</t></is>`...)
	}
	return append(b, `</c>`...)
}

// readBare is the floor of reading: the worksheet as one stream, values between ">" and "</", texts of the table in a slice. It knows no styles,
// no entities, no sparse rows.
func readBare(path string, rows int) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return flate.NewReader(r) })
	var table []string
	if f, err := z.Open("xl/sharedStrings.xml"); err == nil {
		if err := values(f, "<t>", func(_, value []byte) { table = append(table, string(value)) }); err != nil {
			return err
		}
	}
	f, err := z.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	cells := 0
	row := make([]string, 0, sheetColumns)
	err = values(f, "<c", func(tag, value []byte) {
		if len(row) == sheetColumns {
			cells += len(row)
			row = row[:0]
		}
		if bytes.Contains(tag, []byte(`t="s"`)) {
			n, _ := strconv.Atoi(string(value))
			row = append(row, table[n])
			return
		}
		row = append(row, string(value))
	})
	return errors.Join(err, counted(cells+len(row), rows), z.Close())
}

// values finds what is between the tags after a mark: the first text behind it.
func values(in io.Reader, mark string, each func(tag, value []byte)) error {
	buf, start := make([]byte, 256<<10), 0
	for {
		n, err := in.Read(buf[start:])
		data := buf[:start+n]
		for {
			at := bytes.Index(data, []byte(mark))
			if at < 0 {
				break
			}
			end := at + bytes.IndexByte(data[at:], '>')
			from := end + 1
			for from > at && from < len(data) && data[from] == '<' && data[from+min(1, len(data)-from-1)] != '/' {
				next := bytes.IndexByte(data[from:], '>')
				if next < 0 {
					from = len(data)
					break
				}
				from += next + 1
			}
			if end < at || from >= len(data) {
				data = data[at:]
				break
			}
			stop := bytes.IndexByte(data[from:], '<')
			if stop < 0 {
				data = data[at:]
				break
			}
			each(data[at:end], data[from:from+stop])
			data = data[from+stop:]
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if at := bytes.Index(data, []byte(mark)); at < 0 {
			data = data[max(0, len(data)-len(mark)):]
		}
		if len(data) == len(buf) {
			return fmt.Errorf("a value of more than %d bytes", len(buf))
		}
		start = copy(buf, data)
	}
}

func writeExcelize(path string, rows int) error {
	f := excelize.NewFile()
	w, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	format := "yyyy-mm-dd"
	style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
	if err != nil {
		return err
	}
	row := make([]any, sheetColumns)
	var b []byte
	for i := range rows {
		for c := range row {
			var kind property.CellKind
			b, kind = sheetValue(b[:0], i, c)
			switch kind {
			case property.CellNumber:
				row[c], _ = strconv.ParseFloat(string(b), 64)
			case property.CellTime:
				n, _ := strconv.Atoi(string(b))
				row[c] = excelize.Cell{StyleID: style, Value: n}
			default:
				row[c] = string(b)
			}
		}
		if err := w.SetRow("A"+strconv.Itoa(i+1), row); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), f.SaveAs(path), f.Close())
}

// readExcelize asks for values as the file has them: with the texts that formats make of them it takes several times longer.
func readExcelize(path string, rows int) error {
	f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	if err != nil {
		return err
	}
	r, err := f.Rows(f.GetSheetList()[0])
	if err != nil {
		return err
	}
	cells := 0
	for r.Next() {
		values, err := r.Columns()
		if err != nil {
			return err
		}
		cells += len(values)
	}
	return errors.Join(counted(cells, rows), r.Close(), f.Close())
}
