package print

import (
	"bytes"
	"cmp"
	"image"
	_ "image/jpeg" // formats of pictures
	_ "image/png"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// What a template has where its document says nothing, in millimeters.
const (
	marginAcross = 17.0
	marginAlong  = 20.0
	bandEdge     = 10.0
	headHeight   = 8.0
	bodyHeight   = 7.0
	elementLine  = 7.0 // the height of a column or text
	padding      = 1.0
	borderPoints = 0.5
)

// Limits of a picture: bytes of its file, and pixels.
const (
	maxPicture = 1 << 20
	maxPixels  = 20_000_000
)

// papers are the sizes of paper, upright.
var papers = map[string][2]float64{"A3": {297, 420}, "A4": {210, 297}, "A5": {148, 210}, "B4": {250, 353}, "B5": {176, 250}, "Letter": {215.9, 279.4}}

// compiler is the state of one document.
type compiler struct {
	kind.Linker
	d      *document
	m      *catalog.Model // nil: it is unknown, which has been told
	out    *catalog.Print
	faulty bool
	photo  bool // a text below photos is read: it may say something of its photo
}

func compile(l kind.Linker, doc def.Document) any {
	d := doc.(*document)
	c := &compiler{Linker: l, d: d}
	if at := d.Node.Get("schemaCode"); at != nil {
		c.m = l.Model(at)
	}
	c.out = &catalog.Print{Code: d.Code, Pack: d.Pack, Label: d.Label(plan.Label{Zh: d.Code}), Model: c.m, Pictures: map[string][]byte{}, Document: d.Node.Raw()}
	c.form()
	if at := d.Node.Get("condition"); at != nil {
		c.out.When = c.condition(c.m, at)
	}
	if d.PrintJSON != nil {
		c.out.External = d.PrintJSON.Raw
	}
	c.setup()
	for _, p := range d.Pages {
		elements := []*catalog.PrintElement{}
		for i := range p.Elements {
			elements = append(elements, c.element(&p.Elements[i]))
		}
		c.out.Pages = append(c.out.Pages, elements)
	}
	if c.m == nil || c.faulty {
		return nil
	}
	return c.out
}

// Suggest implements kind.Linker and notes errors.
func (c *compiler) Suggest(code string, at *source.Node, word string, candidates []string, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Suggest(code, at, word, candidates, args...)
}

// Report implements kind.Linker and notes errors.
func (c *compiler) Report(code string, at *source.Node, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Report(code, at, args...)
}

func (c *compiler) form() {
	at := c.d.Node.Get("sheetCode")
	if at == nil {
		return
	}
	f := c.Form(at)
	switch {
	case f == nil:
		c.faulty = true
	case c.m != nil && f.Model != c.m:
		c.Report("PRINT009", at, f.Code, c.m.Code)
	default:
		c.out.Form = f.Code
	}
}

// ReportIn implements kind.Linker and notes errors.
func (c *compiler) ReportIn(code string, at *source.Node, offset int, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.ReportIn(code, at, offset, args...)
}

func (c *compiler) condition(m *catalog.Model, at *source.Node) plan.Expr {
	if f := readFormula(m, at.Text()); f != nil {
		return c.formula(m, at, f)
	}
	e := c.Condition(m, at)
	c.faulty = c.faulty || e == nil && at.Text() != ""
	return e
}

// path resolves the property that a node names.
func (c *compiler) path(m *catalog.Model, at *source.Node) *catalog.Path {
	if at == nil {
		return nil
	}
	p, ok := c.Path(m, at)
	if !ok {
		c.faulty = true
		return nil
	}
	return &p
}

func or(p *float64, otherwise float64) layout.Length {
	if p == nil {
		return layout.Millimeters(otherwise)
	}
	return layout.Millimeters(*p)
}

func (c *compiler) setup() {
	s := c.d.Setup
	size := papers[cmp.Or(s.Size, "A4")]
	if s.Size == "custom" {
		size = [2]float64{s.Width, s.Height}
	}
	if s.Direction == "landscape" && s.Size != "custom" {
		size[0], size[1] = size[1], size[0]
	}
	out := &c.out.Setup
	*out = layout.Setup{Width: layout.Millimeters(size[0]), Height: layout.Millimeters(size[1]), Top: or(s.Top, marginAlong), Bottom: or(s.Bottom, marginAlong),
		Left: or(s.Left, marginAcross), Right: or(s.Right, marginAcross)}
	if out.Width == 0 || out.Height == 0 { // the schema has said so
		return
	}
	if out.Usable() < 10*layout.Millimeter || out.Width-out.Left-out.Right < 10*layout.Millimeter {
		at := s.Node
		if at == nil {
			at = c.d.Node
		}
		c.Report("PRINT008", at)
	}
	c.out.Header, c.out.Footer = c.band(s.Header), c.band(s.Footer)
	c.out.NextHeader, c.out.NextFooter = c.band(s.NextHeader), c.band(s.NextFooter)
	if s.Background != nil {
		c.out.Background = c.picture(s.Background.PicURL, s.Background.Node.Get("picUrl"))
		c.out.Background.Printed = s.Background.Printed
	}
}

func (c *compiler) band(b *band) *catalog.PrintBand {
	if b == nil {
		return nil
	}
	out := &catalog.PrintBand{Edge: or(b.Top, bandEdge), Size: layout.Points(b.FontSize), Align: layout.AlignCenter, First: b.Pages == "first"}
	switch b.Align {
	case "left":
		out.Align = layout.AlignStart
	case "right":
		out.Align = layout.AlignEnd
	case "between":
		out.Align = layout.AlignBetween
	}
	for _, i := range b.Items {
		one := catalog.PrintItem{Key: i.Key, Text: plan.Label{Zh: i.Text, I18n: i.I18n}}
		if i.Key == "Text" {
			one.Parts = c.text(i.Text, i.I18n, i.Node.Get("value"), i.Node.Get("value_i18n"))
		}
		out.Items = append(out.Items, one)
	}
	return out
}

// picture names a file beside the template, which is read when the pack is, or an upload.
func (c *compiler) picture(name string, at *source.Node) *catalog.PrintPicture {
	i := slices.Index(c.d.pictures, name)
	if i < 0 || c.d.found[i] == nil {
		return &catalog.PrintPicture{Ref: name}
	}
	f := c.d.found[i]
	if f.Err == nil { // else it has been reported
		config, _, err := image.DecodeConfig(bytes.NewReader([]byte(f.Text)))
		if err != nil || config.Width*config.Height > maxPixels {
			c.Report("PRINT004", at, name)
		}
		c.out.Pictures[name] = []byte(f.Text)
	}
	return &catalog.PrintPicture{Ref: name}
}

// files are the pictures of a document that are beside it.
func files(doc def.Document) []kind.File {
	d := doc.(*document)
	d.pictures = nil
	var out []kind.File
	add := func(name string, at *source.Node) {
		switch path.Ext(name) {
		case ".png", ".jpg", ".jpeg":
			if !slices.Contains(d.pictures, name) {
				d.pictures = append(d.pictures, name)
				out = append(out, kind.File{Name: name, At: at, Ext: path.Ext(name), Limit: maxPicture})
			}
		}
	}
	if b := d.Setup.Background; b != nil {
		add(b.PicURL, b.Node.Get("picUrl"))
	}
	for _, p := range d.Pages {
		for _, e := range p.Elements {
			add(e.PicURL, e.Node.Get("picUrl"))
		}
	}
	if len(d.found) != len(out) { // it is asked for twice: to read them, and to report what could not be read
		d.found = make([]*def.File, len(out))
	}
	for i := range out {
		out[i].To = &d.found[i]
	}
	return out
}

// photoPrefix begins what captions say of their photo: photoFacts.
const photoPrefix = "photo:"

var photoFacts = []string{"number", "name", "time", "place"}

// text parses a text with properties in braces.
func (c *compiler) text(zh string, i18n map[string]string, at, atI18n *source.Node) catalog.PrintText {
	out := catalog.PrintText{Zh: c.parts(zh, at)}
	for locale, text := range i18n {
		if out.I18n == nil {
			out.I18n = map[string][]catalog.PrintPart{}
		}
		n := at
		if atI18n != nil {
			n = atI18n.Get(locale)
		}
		out.I18n[locale] = c.parts(text, n)
	}
	return out
}

func (c *compiler) parts(text string, at *source.Node) []catalog.PrintPart {
	var out []catalog.PrintPart
	whole := text
	for text != "" {
		before, rest, open := strings.Cut(text, "{")
		if strings.Contains(before, "}") {
			c.Report("PRINT002", at, text)
			return out
		}
		if !open {
			return append(out, catalog.PrintPart{Text: before})
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || strings.Contains(name, "{") {
			c.Report("PRINT002", at, text)
			return out
		}
		part := catalog.PrintPart{Text: before}
		if fact, is := strings.CutPrefix(strings.TrimSpace(name), photoPrefix); is && c.photo {
			if part.Photo = fact; !slices.Contains(photoFacts, fact) {
				c.Suggest("PRINT017", at, fact, photoFacts)
			}
		} else if c.m != nil {
			spaces := len(name) - len(strings.TrimLeft(name, " \t\r\n"))
			begins := source.Place{Node: at, Offset: len(whole) - len(rest) + spaces}
			p, ok := c.PathOf(c.m, strings.TrimSpace(name), begins, "KIND004")
			if c.faulty = c.faulty || !ok; ok && p.Sheet {
				c.wrongUse(p, at, "不在子表中的数据项", "one outside of sub-tables")
			} else if ok {
				part.Path = &p
			}
		}
		out = append(out, part)
		text = after
	}
	return out
}

func (c *compiler) wrongUse(p catalog.Path, at *source.Node, zh, en string) {
	c.Report("PRINT007", at, p.Code, p.Field.Type.Name(), plan.Label{Zh: zh, I18n: map[string]string{"en": en}})
}

// format checks a displayFormat.
func (c *compiler) format(p *catalog.Path, format string, at *source.Node) string {
	if format == "" || p == nil {
		return ""
	}
	var legal []string
	if f, ok := p.Field.Property.(property.Formatter); ok {
		legal = f.Formats()
	}
	if slices.Contains(legal, format) {
		return format
	}
	none := plan.Label{Zh: "无", I18n: map[string]string{"en": "none"}}
	var list any = strings.Join(legal, ", ")
	if len(legal) == 0 {
		list = none
	}
	c.Report("PRINT003", at, p.Code, p.Field.Type.Name(), format, list)
	return ""
}

func (c *compiler) sum(p *catalog.Path, sum string, at *source.Node) plan.Sum {
	if sum == "" || p == nil {
		return ""
	}
	if a, ok := p.Field.Property.(property.Aggregator); ok && slices.Contains(a.Aggregates(), plan.Sum(sum)) {
		return plan.Sum(sum)
	}
	c.Report("PRINT005", at, p.Code, p.Field.Type.Name(), sum)
	return ""
}

func millimeters(l layout.Length) string { return strconv.FormatFloat(l.MM(), 'f', -1, 64) }
