package workbook

import (
	"fmt"
	"strconv"
	"time"
)

// Names of the format.
const (
	xmlHeader    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	officeSpace  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace = "http://schemas.openxmlformats.org/package/2006"
	relsSpace    = packageSpace + "/relationships"
	mainType     = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

var rootRels = []byte(xmlHeader + `<Relationships xmlns="` + relsSpace + `">` +
	`<Relationship Id="rId1" Type="` + officeSpace + `/officeDocument" Target="xl/workbook.xml"/>` +
	`<Relationship Id="rId2" Type="` + relsSpace + `/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`)

func sheetPath(n int) string     { return "xl/worksheets/sheet" + strconv.Itoa(n) + ".xml" }
func sheetRelsPath(n int) string { return "xl/worksheets/_rels/sheet" + strconv.Itoa(n) + ".xml.rels" }
func commentsPath(n int) string  { return "xl/comments" + strconv.Itoa(n) + ".xml" }
func drawingPath(n int) string   { return "xl/drawings/vmlDrawing" + strconv.Itoa(n) + ".vml" }

func coreProperties(o Options) []byte {
	b := append([]byte(xmlHeader), `<cp:coreProperties xmlns:cp="`+packageSpace+`/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"`+
		` xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`...)
	for _, p := range []struct{ name, text string }{{"title", o.Title}, {"creator", o.Creator}, {"language", o.Locale}} {
		if p.text != "" {
			b = append(appendXML(append(b, "<dc:"+p.name+">"...), p.text), "</dc:"+p.name+">"...)
		}
	}
	if !o.Created.IsZero() {
		b = append(b, `<dcterms:created xsi:type="dcterms:W3CDTF">`+o.Created.UTC().Format(time.RFC3339)+`</dcterms:created>`...)
	}
	return append(b, `</cp:coreProperties>`...)
}

func workbookPart(names, areas []string) []byte {
	b := append([]byte(xmlHeader), `<workbook xmlns="`+mainSpace+`" xmlns:r="`+officeSpace+`"><bookViews><workbookView/></bookViews><sheets>`...)
	for i, name := range names {
		b = fmt.Appendf(appendXML(append(b, `<sheet name="`...), name), `" sheetId="%d" r:id="rId%d"/>`, i+1, i+1)
	}
	b = append(b, `</sheets>`...)
	filtered := false
	for i, area := range areas {
		if area == "" {
			continue
		}
		if !filtered {
			b = append(b, `<definedNames>`...)
			filtered = true
		}
		b = fmt.Appendf(b, `<definedName name="_xlnm._FilterDatabase" localSheetId="%d" hidden="1">`, i)
		b = append(append(appendXML(b, quoteSheet(names[i])), '!'), absolute(area)+`</definedName>`...)
	}
	if filtered {
		b = append(b, `</definedNames>`...)
	}
	return append(b, `<calcPr calcId="191029"/></workbook>`...)
}

// absolute is "$A$1:$C$3" for "A1:C3".
func absolute(area string) string {
	var b []byte
	letters := false
	for i := range len(area) {
		c := area[i]
		letter := c >= 'A' && c <= 'Z'
		if c != ':' && (letter && !letters || !letter && letters) {
			b = append(b, '$')
		}
		letters = letter
		b = append(b, c)
	}
	return string(b)
}

func workbookRels(sheets int) []byte {
	b := append([]byte(xmlHeader), `<Relationships xmlns="`+relsSpace+`">`...)
	for i := range sheets {
		b = fmt.Appendf(b, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, officeSpace, i+1)
	}
	return fmt.Appendf(b, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/></Relationships>`, sheets+1, officeSpace)
}

func contentTypes(sheets int, noted []int) []byte {
	b := append([]byte(xmlHeader), `<Types xmlns="`+packageSpace+`/content-types">`+
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`+
		`<Default Extension="xml" ContentType="application/xml"/>`+
		`<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>`...)
	override := func(path, kind string) {
		b = fmt.Appendf(b, `<Override PartName="/%s" ContentType="%s"/>`, path, kind)
	}
	override("xl/workbook.xml", mainType+"sheet.main+xml")
	override("xl/styles.xml", mainType+"styles+xml")
	override("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml")
	for i := range sheets {
		override(sheetPath(i+1), mainType+"worksheet+xml")
	}
	for _, n := range noted {
		override(commentsPath(n), mainType+"comments+xml")
	}
	return append(b, `</Types>`...)
}

// appendSheetStart appends a worksheet up to its rows.
func appendSheetStart(b []byte, o SheetOptions, selected bool) []byte {
	b = append(append(b, xmlHeader...), `<worksheet xmlns="`+mainSpace+`" xmlns:r="`+officeSpace+`">`...)
	if o.Rows > 0 {
		area := Range{1, 0, min(o.Rows+len(o.Head), MaxRows), max(len(o.Columns), 1)}.ref()
		b = append(append(append(b, `<dimension ref="`...), area...), `"/>`...)
	}
	b = append(b, `<sheetViews><sheetView workbookViewId="0"`...)
	if selected {
		b = append(b, ` tabSelected="1"`...)
	}
	if o.FreezeRows > 0 || o.FreezeColumns > 0 {
		b = append(b, `><pane`...)
		pane := "bottomRight"
		if o.FreezeColumns > 0 {
			b = fmt.Appendf(b, ` xSplit="%d"`, o.FreezeColumns)
		} else {
			pane = "bottomLeft"
		}
		if o.FreezeRows > 0 {
			b = fmt.Appendf(b, ` ySplit="%d"`, o.FreezeRows)
		} else {
			pane = "topRight"
		}
		b = fmt.Appendf(b, ` topLeftCell="%s" activePane="%s" state="frozen"/><selection pane="%s"/></sheetView>`, Ref(o.FreezeRows+1, o.FreezeColumns), pane, pane)
	} else {
		b = append(b, `/>`...)
	}
	b = append(b, `</sheetViews><sheetFormatPr defaultRowHeight="15"/>`...)
	cols := false
	for i, c := range o.Columns[:min(len(o.Columns), MaxColumns)] {
		if c.Width <= 0 && !c.Hidden {
			continue
		}
		if !cols {
			b = append(b, `<cols>`...)
			cols = true
		}
		width := c.Width
		if width <= 0 {
			width = 8.43
		}
		b = fmt.Appendf(b, `<col min="%d" max="%d" width="%g" customWidth="1"`, i+1, i+1, min(width, 255))
		if c.Hidden {
			b = append(b, ` hidden="1"`...)
		}
		b = append(b, `/>`...)
	}
	if cols {
		b = append(b, `</cols>`...)
	}
	return append(b, `<sheetData>`...)
}

// appendSheetEnd appends what follows the rows and the filter.
func appendSheetEnd(b []byte, s *sheetWriter) []byte {
	if len(s.merges) > 0 {
		b = fmt.Appendf(b, `<mergeCells count="%d">`, len(s.merges))
		for _, m := range s.merges {
			b = append(append(append(b, `<mergeCell ref="`...), m.ref()...), `"/>`...)
		}
		b = append(b, `</mergeCells>`...)
	}
	if len(s.links) > 0 {
		b = append(b, `<hyperlinks>`...)
		for i, l := range s.links {
			b = append(append(append(b, `<hyperlink ref="`...), l.ref...), `" r:id="rId`...)
			b = append(strconv.AppendInt(b, int64(i+1), 10), `"/>`...)
		}
		b = append(b, `</hyperlinks>`...)
	}
	if len(s.notes) > 0 {
		b = append(b, `<legacyDrawing r:id="rIdNotes"/>`...)
	}
	return append(b, `</worksheet>`...)
}

func sheetRels(n int, s *sheetWriter) []byte {
	b := append([]byte(xmlHeader), `<Relationships xmlns="`+relsSpace+`">`...)
	for i, l := range s.links {
		b = fmt.Appendf(b, `<Relationship Id="rId%d" Type="%s/hyperlink" TargetMode="External" Target="`, i+1, officeSpace)
		b = append(appendXML(b, l.address), `"/>`...)
	}
	if len(s.notes) > 0 {
		b = fmt.Appendf(b, `<Relationship Id="rIdNotes" Type="%s/vmlDrawing" Target="../drawings/vmlDrawing%d.vml"/>`, officeSpace, n)
		b = fmt.Appendf(b, `<Relationship Id="rIdComments" Type="%s/comments" Target="../comments%d.xml"/>`, officeSpace, n)
	}
	return append(b, `</Relationships>`...)
}

// comments are the texts of a worksheet's notes.
func comments(notes []note, author string) []byte {
	b := append([]byte(xmlHeader), `<comments xmlns="`+mainSpace+`"><authors><author>`...)
	b = append(appendXML(b, author), `</author></authors><commentList>`...)
	for _, n := range notes {
		b = fmt.Appendf(b, `<comment ref="%s" authorId="0"><text><r><rPr><sz val="9"/><name val="Calibri"/><family val="2"/></rPr><t xml:space="preserve">`, Ref(n.row, n.column))
		b = append(appendXML(b, cutText(n.text, MaxText)), `</t></r></text></comment>`...)
	}
	return append(b, `</commentList></comments>`...)
}

// noteDrawing are the boxes of a worksheet's notes, which spreadsheets show when the pointer rests on the cell.
func noteDrawing(notes []note) []byte {
	b := []byte(`<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">` +
		`<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>` +
		`<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/>` +
		`<v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`)
	for i, n := range notes {
		lines := min(2+len(n.text)/30, 12)
		b = fmt.Appendf(b, `<v:shape id="_x0000_s%d" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#fffbe6" o:insetmode="auto">`+
			`<v:fill color2="#fffbe6"/><v:path o:connecttype="none"/><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>`+
			`<x:Anchor>%d,15,%d,2,%d,54,%d,4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>%d</x:Row><x:Column>%d</x:Column></x:ClientData></v:shape>`,
			1025+i, n.column+1, max(n.row-2, 0), n.column+4, max(n.row-2, 0)+lines, n.row-1, n.column)
	}
	return append(b, `</xml>`...)
}
