package print

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/layout"
	codes "github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// The types of elements.
const (
	columnType    = "column"
	sheetType     = "sheet"
	pictureType   = "picture"
	textType      = "text"
	lineType      = "line"
	rectangleType = "rectangle"
	barcodeType   = "barcode"
	qrCodeType    = "qrCode"
	logType       = "workflowLog"
	signatureType = "signature"
)

func (c *compiler) element(e *element) *catalog.PrintElement {
	out := &catalog.PrintElement{Type: e.Type, Left: layout.Millimeters(e.Left), Top: layout.Millimeters(e.Top), Width: layout.Millimeters(e.Width),
		Height: layout.Millimeters(e.Height), Overflow: overflows[e.TextArea]}
	if at := e.Node.Get("displayFormula"); at != nil && c.m != nil {
		out.When = c.condition(c.m, at)
	}
	if beyond := out.Left + out.Width - (c.out.Setup.Width - c.out.Setup.Left - c.out.Setup.Right); beyond > layout.Millimeter/10 {
		c.Report("PRINT001", e.Node, millimeters(beyond))
	}
	switch e.Type {
	case columnType:
		c.column(e, out)
	case sheetType:
		c.sheet(e, out)
	case pictureType:
		c.image(e, out)
	case textType:
		out.Text = c.text(e.Text, e.I18n, e.Node.Get("text"), e.Node.Get("text_i18n"))
		out.Style = styleOf(&e.style, layout.AlignCenter)
		out.Height = cmp.Or(out.Height, layout.Millimeters(elementLine))
	case lineType:
		out.Stroke = strokeOf(&e.style, "solid")
	case rectangleType:
		out.Stroke, out.Radius, out.Style.Fill = strokeOf(&e.style, "solid"), layout.Millimeters(e.Radius), colorOf(e.FillColor)
	case barcodeType:
		out.Path = c.single(e)
		out.Symbology, out.ShowText = cmp.Or(e.Symbology, "CODE128"), e.ShowText == nil || *e.ShowText
	case qrCodeType:
		c.qrCode(e, out)
	case logType:
		c.log(e, out)
	case signatureType:
		c.signature(e, out)
	}
	return out
}

var overflows = map[string]layout.Overflow{"": layout.Grow, "grow": layout.Grow, "cut": layout.Cut, "shrink": layout.Shrink}

// single is the property of an element that shows one value.
func (c *compiler) single(e *element) *catalog.Path {
	at := e.Node.Get("propertyCode")
	if at == nil || c.m == nil {
		return nil
	}
	p := c.path(c.m, at)
	if p != nil && (p.Sheet || p.Field.Sheet != nil && !keepsOpinions(p.Field)) {
		c.wrongUse(*p, at, "不在子表中的数据项，子表用 sheet 元素", "one outside of sub-tables; for a sub-table the element sheet")
		return nil
	}
	return p
}

func keepsOpinions(f *catalog.Field) bool {
	_, is := f.Property.(property.OpinionKeeper)
	return is
}

func (c *compiler) column(e *element, out *catalog.PrintElement) {
	out.Path = c.single(e)
	out.Format = c.format(out.Path, e.Format, e.Node.Get("displayFormat"))
	if out.AllOptions = e.AllOptions; e.AllOptions && out.Path != nil {
		if of, is := out.Path.Field.Property.(property.Chooser); !is || len(of.Choices()) == 0 {
			c.wrongUse(*out.Path, e.Node.Get("allOptions"), "有选项的数据项", "one with options")
		}
	}
	out.Height = cmp.Or(out.Height, layout.Millimeters(elementLine))
	out.Key = c.key(e.LeftKey, out.Width)
	value := e.RightValue
	if value == nil {
		value = &keyBox{}
	}
	out.Style = styleOf(&value.style, layout.AlignCenter)
	out.Style.Padding = layout.Millimeters(padding)
	if value.Width > 0 && out.Key != nil && (e.LeftKey == nil || e.LeftKey.Width == 0) {
		out.Key.Width = max(out.Width-layout.Millimeters(value.Width), 0)
	}
}

// key is the name beside a value; nil where the document says that there is none.
func (c *compiler) key(k *keyBox, width layout.Length) *catalog.PrintKey {
	if k == nil {
		k = &keyBox{}
	}
	if k.Text != nil && *k.Text == "" {
		return nil
	}
	out := &catalog.PrintKey{Width: layout.Millimeters(k.Width), Style: styleOf(&k.style, layout.AlignCenter)}
	out.Style.Padding = layout.Millimeters(padding)
	if out.Width == 0 {
		out.Width = width / 3
	}
	out.Width = min(out.Width, width)
	if k.Text != nil {
		out.Text = &plan.Label{Zh: *k.Text, I18n: k.I18n}
	}
	return out
}

func (c *compiler) image(e *element, out *catalog.PrintElement) {
	out.Fit = map[string]layout.Fit{"": layout.Contain, "contain": layout.Contain, "cover": layout.Cover, "fill": layout.Fill}[e.Fit]
	if e.PicURL != "" {
		out.Picture = c.picture(e.PicURL, e.Node.Get("picUrl"))
		return
	}
	at := e.Node.Get("propertyCode")
	if out.Path = c.single(e); out.Path == nil {
		return
	}
	if _, is := out.Path.Field.Property.(property.FileTaker); !is {
		c.wrongUse(*out.Path, at, "附件数据项", "an attachment property")
	}
	if e.PerPage > 0 {
		out.Sheet = c.photos(e)
	}
}

// captionSize is that of the letters below photos, in points.
const captionSize = 9

// photos are pictures that go on over pages.
func (c *compiler) photos(e *element) *catalog.PhotoSheet {
	out := &catalog.PhotoSheet{PerPage: e.PerPage, Across: min(cmp.Or(e.Across, min(e.PerPage, 2)), e.PerPage)}
	c.photo = true
	out.Caption = c.text(e.Caption, e.CaptionI18n, e.Node.Get("caption"), e.Node.Get("caption_i18n"))
	c.photo = false
	out.Style = layout.Style{Size: layout.Points(captionSize), Horizontal: layout.AlignCenter, Padding: layout.Millimeter}
	return out
}

func (c *compiler) qrCode(e *element, out *catalog.PrintElement) {
	out.Level = cmp.Or(e.Correction, "M")
	out.Height = cmp.Or(out.Height, out.Width)
	if e.PicURL != "" {
		out.Picture = c.picture(e.PicURL, e.Node.Get("picUrl"))
		if e.Correction == "" {
			out.Level = "H" // the logo covers a part of it
		}
	}
	switch {
	case e.PropertyCode != "":
		out.Path = c.single(e)
	case e.Text != "":
		out.Text = c.text(e.Text, e.I18n, e.Node.Get("text"), e.Node.Get("text_i18n"))
	default:
		out.Content = cmp.Or(e.Content, "record")
	}
}

func (c *compiler) signature(e *element, out *catalog.PrintElement) {
	out.Node = e.At
	if e.At != "" {
		c.node(e.Node.Get("node"))
	}
	out.ShowText = e.Date == nil || *e.Date
	out.Style = styleOf(&e.style, layout.AlignCenter)
	if out.Path = c.single(e); out.Path != nil && !keepsOpinions(out.Path.Field) && out.Path.Field.Target == nil {
		c.wrongUse(*out.Path, e.Node.Get("propertyCode"), "人员或审批意见数据项", "a person or an opinion")
	}
	if e.LeftKey != nil {
		out.Key = c.key(e.LeftKey, out.Width)
	}
}

// node reports a node that no workflow of the model has.
func (c *compiler) node(at *source.Node) {
	if c.m == nil {
		return
	}
	var ids []string
	for _, code := range c.Codes(catalog.KindWorkflow) {
		d, known := c.Find(catalog.KindWorkflow, code)
		if d == nil {
			if known {
				return // it could not be read: its nodes are not known
			}
			continue
		}
		n := d.Header().Node
		if !strings.EqualFold(n.Get("schemaCode").Text(), c.m.Code) {
			continue
		}
		for _, of := range n.Get("nodes").Items() {
			id := of.Get("id").Text()
			ids = append(ids, id)
			if id == at.Text() {
				c.Refers(codes.Node, codes.Join(d.Header().Code, id), source.In(at))
			}
		}
	}
	if !slices.Contains(ids, at.Text()) {
		c.Suggest("PRINT012", at, at.Text(), ids, c.m.Code)
	}
}

func (c *compiler) table(e *element) *catalog.PrintTable {
	t := &catalog.PrintTable{HeadHeight: or(e.HeadHeight, headHeight), BodyHeight: or(e.BodyHeight, bodyHeight), Every: e.Paging != "first", Widow: e.Widow, Below: layout.Millimeters(e.Below)}
	head, body := e.Head, e.Body
	if head == nil {
		head = &style{Bold: true, Horizontal: "center"}
	}
	if body == nil {
		body = &style{}
	}
	for s, to := range map[*style]*layout.Style{head: &t.Head, body: &t.Body} {
		if s.BorderType == "" {
			s.BorderType = "solid"
		}
		*to = styleOf(s, layout.AlignCenter)
		to.Padding = layout.Millimeters(padding)
	}
	if e.Head != nil && e.Head.Horizontal == "" {
		t.Head.Horizontal = layout.AlignCenter
	}
	return t
}

func (c *compiler) sheet(e *element, out *catalog.PrintElement) {
	t := c.table(e)
	out.Table = t
	t.Ordinal, t.MinRows, t.PerPage, t.Carried = e.Ordinal, e.MinRows, e.PerSheet, e.Carried
	if c.m == nil {
		return
	}
	prefix, m := c.rows(e, t)
	if m == nil {
		c.faulty = true
		return
	}
	var wide layout.Length
	sums := false
	for i := range e.Columns {
		d := &e.Columns[i]
		at := d.Node
		if n := d.Node.Get("propertyCode"); n != nil {
			at = n
		}
		p, ok := c.PathOf(m, prefix+d.PropertyCode, source.Place{Node: at, Offset: -len(prefix)}, "KIND004")
		if !ok {
			c.faulty = true
			continue
		}
		if p.Field.Sheet != nil || p.Sheet != (prefix != "") {
			c.wrongUse(p, at, "单个值的数据项", "a property with one value")
			continue
		}
		column := catalog.PrintColumn{Path: &p, Label: d.Label(plan.Label{}), Group: plan.Label{Zh: d.Group, I18n: d.GroupI18n}, Width: layout.Millimeters(d.Width), Format: c.format(&p, d.Format, d.Node.Get("displayFormat")),
			Sum: c.sum(&p, d.Sum, d.Node.Get("sumType"))}
		if d.Horizontal != "" {
			a := alignOf(d.Horizontal)
			column.Align = &a
		}
		wide += column.Width
		sums = sums || column.Sum != ""
		t.Columns = append(t.Columns, column)
	}
	if wide > out.Width+layout.Millimeter/10 {
		c.Report("PRINT011", e.Node.Get("columns"), millimeters(wide), millimeters(out.Width))
	}
	if t.Carried && !sums {
		c.Report("PRINT010", e.Node.Get("carried"))
	}
	c.fixed(e, out, sums)
	if at := e.Node.Get("groupBy"); at != nil {
		if p, ok := c.PathOf(m, prefix+e.GroupBy, source.Place{Node: at, Offset: -len(prefix)}, "KIND004"); ok {
			t.Group = &p
		} else {
			c.faulty = true
		}
	}
	if at := e.Node.Get("condition"); at != nil {
		of := m
		if t.Sheet != nil {
			of = t.Sheet.Sheet
		}
		t.When = c.condition(of, at)
	}
}

// fixed reports rows a page that the first page has no room for.
func (c *compiler) fixed(e *element, out *catalog.PrintElement, total bool) {
	t := out.Table
	room := c.out.Setup.Usable() - out.Top - t.HeadHeight - t.Below
	if total {
		room -= t.BodyHeight
	}
	if t.PerPage > 0 && t.BodyHeight > 0 && room < layout.Length(t.PerPage)*t.BodyHeight {
		c.Report("PRINT030", e.Node.Get("rowsPerPage"), t.PerPage, max(int(room/t.BodyHeight), 0))
	}
}

// rows finds what the rows of a table are: the model whose paths its columns are, and the prefix of their paths.
func (c *compiler) rows(e *element, t *catalog.PrintTable) (prefix string, m *catalog.Model) {
	at := e.Node.Get("propertyCode")
	if e.QueryCode == "" {
		p := c.path(c.m, at)
		if p == nil {
			return "", nil
		}
		if p.Field.Sheet == nil || len(p.Steps) > 0 || keepsOpinions(p.Field) {
			c.wrongUse(*p, at, "子表", "a sub-table")
			return "", nil
		}
		t.Sheet = p.Field
		return p.Code + ".", c.m
	}
	if t.List = c.List(e.Node.Get("queryCode")); t.List == nil {
		return "", nil
	}
	p := c.path(t.List.Model, at)
	if p == nil {
		return "", nil
	}
	if len(p.Steps) > 0 || p.Field.Target != c.m || p.Field.Multiple {
		c.Report("PRINT006", at, p.Code, c.m.Code, t.List.Code)
		return "", nil
	}
	t.Relation = p.Field
	return "", t.List.Model
}

// logColumns are the columns of a workflow's log with their names.
var logColumns = []struct {
	code  string
	label plan.Label
	share int // of the width, in hundredths
}{
	{"activityName", plan.Label{Zh: "节点", I18n: map[string]string{"en": "Step"}}, 14},
	{"receiveTime", plan.Label{Zh: "收到时间", I18n: map[string]string{"en": "Received"}}, 13},
	{"finishTime", plan.Label{Zh: "完成时间", I18n: map[string]string{"en": "Finished"}}, 13},
	{"usedTime", plan.Label{Zh: "用时", I18n: map[string]string{"en": "Time taken"}}, 10},
	{"name", plan.Label{Zh: "处理人", I18n: map[string]string{"en": "Person"}}, 11},
	{"operating", plan.Label{Zh: "操作", I18n: map[string]string{"en": "Action"}}, 9},
	{"comment", plan.Label{Zh: "意见", I18n: map[string]string{"en": "Opinion"}}, 18},
	{"signature", plan.Label{Zh: "签名", I18n: map[string]string{"en": "Signature"}}, 12},
}

func (c *compiler) log(e *element, out *catalog.PrintElement) {
	t := c.table(e)
	out.Table, out.Workflow = t, e.Workflow
	if at := e.Node.Get("workflowCode"); at != nil && !c.Exists(catalog.KindWorkflow, at) {
		c.faulty = true
	}
	if len(e.Columns) == 0 {
		for _, l := range logColumns {
			t.Columns = append(t.Columns, catalog.PrintColumn{Log: l.code, Label: l.label, Width: out.Width * layout.Length(l.share) / 100})
		}
		return
	}
	for _, d := range e.Columns {
		for _, l := range logColumns {
			if l.code == d.Log {
				t.Columns = append(t.Columns, catalog.PrintColumn{Log: l.code, Label: d.Label(l.label), Width: layout.Millimeters(d.Width)})
			}
		}
	}
}

func alignOf(word string) layout.Align {
	switch word {
	case "center", "middle":
		return layout.AlignCenter
	case "right", "bottom":
		return layout.AlignEnd
	}
	return layout.AlignStart
}

func styleOf(s *style, vertical layout.Align) layout.Style {
	out := layout.Style{Size: layout.Points(s.FontSize), Bold: s.Bold, Italic: s.Italic, Underline: s.Underline, Horizontal: alignOf(s.Horizontal), Vertical: vertical,
		Border: strokeOf(s, "none"), Fill: colorOf(s.FillColor)}
	if s.Vertical != "" {
		out.Vertical = alignOf(s.Vertical)
	}
	if of := colorOf(s.FontColor); of != nil {
		out.Color = *of
	}
	if out.Border.Width > 0 || out.Fill != nil {
		out.Padding = layout.Millimeters(padding)
	}
	return out
}

func strokeOf(s *style, otherwise string) layout.Stroke {
	kind := cmp.Or(s.BorderType, otherwise)
	if kind == "none" {
		return layout.Stroke{}
	}
	points := borderPoints
	if s.BorderWidth != nil {
		points = *s.BorderWidth
	}
	out := layout.Stroke{Width: layout.Points(points), Kind: map[string]layout.StrokeKind{"solid": layout.Solid, "dashed": layout.Dashed, "dotted": layout.Dotted}[kind]}
	if of := colorOf(s.BorderColor); of != nil {
		out.Color = *of
	}
	return out
}

// names are the colors that have a name here; others are black.
var names = map[string]layout.Color{"black": 0, "white": 0xffffff, "red": 0xff0000, "green": 0x008000, "blue": 0x0000ff, "gray": 0x808080, "grey": 0x808080, "silver": 0xc0c0c0,
	"yellow": 0xffff00, "orange": 0xffa500, "purple": 0x800080, "navy": 0x000080, "maroon": 0x800000, "teal": 0x008080, "brown": 0xa52a2a, "pink": 0xffc0cb}

// colorOf reads #rgb, #rrggbb or a name; nil for "".
func colorOf(text string) *layout.Color {
	if text == "" {
		return nil
	}
	if c, known := names[text]; known {
		return &c
	}
	hex := text[1:]
	if text[0] != '#' {
		hex = "000000"
	}
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		v = 0
	}
	c := layout.Color(v)
	return &c
}
