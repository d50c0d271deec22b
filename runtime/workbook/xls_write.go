package workbook

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
)

// rewriteXLS writes the visible worksheets of a file of Excel 97 to 2003 as xlsx, with values, number formats, merged cells and what is hidden.
func rewriteXLS(in, out string, most int64) error {
	file, err := os.Open(in)
	if err != nil {
		return err
	}
	defer file.Close()
	x, err := readXLS(file, most)
	if err != nil {
		return err
	}
	to, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(x.write(to), to.Close())
}

func (x *xlsBook) write(to io.Writer) error {
	z := zip.NewWriter(to)
	names, rels := make([]string, len(x.sheets)), []byte(xmlHeader+`<Relationships xmlns="`+relsSpace+`">`)
	for i, s := range x.sheets {
		names[i] = s.name
		rels = fmt.Appendf(rels, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, officeSpace, i+1)
	}
	rels = append(rels, `<Relationship Id="rIdS" Type="`+officeSpace+`/styles" Target="styles.xml"/></Relationships>`...)
	part := func(name string, content []byte) error {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	}
	book := []byte(xmlHeader + `<workbook xmlns="` + mainSpace + `" xmlns:r="` + officeSpace + `"><workbookPr date1904="` + strconv.FormatBool(x.is1904) + `"/><sheets>`)
	for i, name := range names {
		book = fmt.Appendf(appendXML(append(book, `<sheet name="`...), name), `" sheetId="%d" r:id="rId%d"/>`, i+1, i+1)
	}
	book = append(book, `</sheets></workbook>`...)
	err := errors.Join(part("_rels/.rels", rootRels), part("xl/workbook.xml", book), part("xl/_rels/workbook.xml.rels", rels), part("xl/styles.xml", x.stylesPart()))
	for i, s := range x.sheets {
		if err != nil {
			return err
		}
		err = x.sheetPart(z, sheetPath(i+1), s)
	}
	return errors.Join(err, z.Close())
}

// stylesPart has the styles of cells in the order of the file, as far as their number formats go.
func (x *xlsBook) stylesPart() []byte {
	b := []byte(xmlHeader + `<styleSheet xmlns="` + mainSpace + `"><numFmts>`)
	for _, f := range x.formats {
		b = append(appendXML(fmt.Appendf(b, `<numFmt numFmtId="%d" formatCode="`, f.number), f.code), `"/>`...)
	}
	b = append(b, `</numFmts><cellXfs>`...)
	for _, number := range x.looks {
		b = fmt.Appendf(b, `<xf numFmtId="%d"/>`, number)
	}
	return append(b, `</cellXfs></styleSheet>`...)
}

func (x *xlsBook) sheetPart(z *zip.Writer, name string, s xlsSheet) error {
	rows, err := x.rows(s)
	if err != nil {
		return err
	}
	part, err := z.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(part, readChunk)
	numbers := slices.Sorted(maps.Keys(rows.cells))
	last := 1
	if len(numbers) > 0 {
		last = numbers[len(numbers)-1] + 1
	}
	fmt.Fprintf(w, `%s<worksheet xmlns="%s"><dimension ref="A1:A%d"/><sheetData>`, xmlHeader, mainSpace, last)
	var line []byte
	for _, n := range numbers {
		line = fmt.Appendf(line[:0], `<row r="%d"`, n+1)
		if rows.hidden[n] {
			line = append(line, ` hidden="1"`...)
		}
		line = append(line, '>')
		for _, c := range rows.cells[n] {
			if line, err = x.appendCell(line, n+1, c); err != nil {
				return err
			}
		}
		if _, err := w.Write(append(line, `</row>`...)); err != nil {
			return err
		}
	}
	fmt.Fprint(w, `</sheetData>`)
	if len(rows.merged) > 0 {
		fmt.Fprint(w, `<mergeCells>`)
		for _, r := range rows.merged {
			fmt.Fprintf(w, `<mergeCell ref="%s:%s"/>`, Ref(r.Row, r.Column), Ref(r.Row+r.Rows-1, r.Column+r.Columns-1))
		}
		fmt.Fprint(w, `</mergeCells>`)
	}
	fmt.Fprint(w, `</worksheet>`)
	return w.Flush()
}

// appendCell writes a cell. Shared texts become its own: a file of this kind has at most 65,536 rows.
func (x *xlsBook) appendCell(b []byte, row int, c xlsCell) ([]byte, error) {
	kind, value := c.kind, c.text
	switch c.kind {
	case "s":
		if c.number >= float64(len(x.texts)) {
			return nil, errXLS
		}
		kind, value = "str", x.texts[int(c.number)]
	case "n", "b":
		if math.IsNaN(c.number) || math.IsInf(c.number, 0) {
			return b, nil
		}
		value = xlsNumberText(c.number)
	}
	if value == "" || c.column >= MaxColumns {
		return b, nil
	}
	b = fmt.Appendf(b, `<c r="%s" s="%d" t="%s"><v>`, Ref(row, c.column), c.look, kind)
	return append(appendXML(b, value), `</v></c>`...), nil
}

// xlsNumberText is a number as xlsx has it: with an exponent only where it would be long.
func xlsNumberText(n float64) string {
	if size := math.Abs(n); size != 0 && (size < 1e-9 || size >= 1e15) {
		return strconv.FormatFloat(n, 'E', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
