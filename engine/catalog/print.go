package catalog

import (
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
)

// KindPrint is the kind of documents whose Value is a *Print.
const KindPrint = "print"

// Print is a compiled print template (docs/authoring.md, Print).
type Print struct {
	Code, Pack string
	Label      plan.Label
	Model      *Model
	Form       string          // the form that it is for; "" = all of the model
	When       plan.Expr       // the records that it is for; nil = all
	External   json.RawMessage // a template for another program; nil = Pages are laid out here
	Setup      layout.Setup    // without its bands and background
	Header     *PrintBand
	Footer     *PrintBand
	NextHeader *PrintBand // of pages after the first, in place of Header; nil = that one, unless it is on the first alone
	NextFooter *PrintBand
	Background *PrintPicture
	Pages      [][]*PrintElement
	Pictures   map[string][]byte // the files that it names
	Document   json.RawMessage   // the definition in its canonical form
}

// PictureRefs are the pictures that the template names, each once: files beside it, and uploads.
func (p *Print) PictureRefs() (out []string) {
	add := func(of *PrintPicture) {
		if of != nil && of.Ref != "" && !slices.Contains(out, of.Ref) {
			out = append(out, of.Ref)
		}
	}
	add(p.Background)
	for _, page := range p.Pages {
		for _, e := range page {
			add(e.Picture)
		}
	}
	return out
}

// PrintBand is a header or footer.
type PrintBand struct {
	Edge  layout.Length
	Align layout.Align
	Size  layout.Length
	Items []PrintItem
	First bool // of the first page alone
}

// Bands are the headers and footers that the template has.
func (p *Print) Bands() (out []*PrintBand) {
	for _, b := range []*PrintBand{p.Header, p.Footer, p.NextHeader, p.NextFooter} {
		if b != nil {
			out = append(out, b)
		}
	}
	return out
}

// PrintItem is a part of a band: PageNum, Total, Date, Time or Text. {value} in Text is replaced with the number, day or time.
type PrintItem struct {
	Key   string
	Text  plan.Label // of entries with a number or time: {value} stands for it
	Parts PrintText  // of the key Text
}

// PrintPicture is a picture of a template: a file of the pack, or an upload.
type PrintPicture struct {
	Ref     string
	Printed bool // of a background: on paper too, not only in the designer
}

// PrintElement is an element of a template. What it has beyond its place depends on its type.
type PrintElement struct {
	Type                     string
	Left, Top, Width, Height layout.Length
	When                     plan.Expr // drawn where it holds; nil = always

	Path   *Path  // what it shows
	Format string // displayFormat; "" = the property's
	// AllOptions shows each option of a column's property, with the chosen ones ticked.
	AllOptions bool
	Overflow   layout.Overflow
	Key        *PrintKey // column, signature; nil = no name
	Style      layout.Style
	Text       PrintText // text, qrCode

	Table *PrintTable // sheet, workflowLog

	Picture *PrintPicture // picture, and the logo of a qrCode
	Fit     layout.Fit
	Sheet   *PhotoSheet // picture: its pictures go on over pages; nil = they share the box

	Stroke layout.Stroke // line, rectangle
	Radius layout.Length

	Symbology string // barcode
	ShowText  bool   // barcode, and the date of a signature
	Content   string // qrCode: "record", "verification", "" = Path or Text
	Level     string // qrCode: L, M, Q, H

	Workflow string // workflowLog: "" = any
	Node     string // signature: of a workflow; "" = Path
}

// PhotoSheet is how the pictures of an attachment property are spread over pages.
type PhotoSheet struct {
	PerPage, Across int       // pictures on a page, and in a row of it
	Caption         PrintText // below each
	Style           layout.Style
}

// PrintKey is the name beside a value. A nil Text is the label of the property.
type PrintKey struct {
	Text  *plan.Label
	Width layout.Length
	Style layout.Style
}

// PrintTable is a table of rows: of a sub-table, of a list whose records point here, or of the log of a workflow.
type PrintTable struct {
	HeadHeight, BodyHeight layout.Length
	Every                  bool
	Widow                  int
	Below                  layout.Length
	Head, Body             layout.Style

	Sheet    *Field    // the sub-table; nil = List, or the log
	List     *List     // records of it whose Relation is this record
	Relation *Field    // of List's model
	When     plan.Expr // only rows where it holds; nil = all
	Ordinal  bool
	MinRows  int
	PerPage  int // rows on each page, the last one filled up; 0 = as many as it has room for
	Columns  []PrintColumn
	Group    *Path
	Carried  bool
}

// PrintColumn is a column of a table.
type PrintColumn struct {
	Path   *Path      // nil = Log
	Log    string     // of a workflow's log
	Label  plan.Label // "" = the property's
	Group  plan.Label // over the names of neighbors with the same; "" = none
	Width  layout.Length
	Format string
	Align  *layout.Align // nil = figures right, others left
	Sum    plan.Sum
}

// PrintText is a text with properties in it, by locale.
type PrintText struct {
	Zh   []PrintPart
	I18n map[string][]PrintPart
}

// PrintPart is a text, and the property that comes after it; nil = none. In captions of photos it may be something of the photo instead.
type PrintPart struct {
	Text  string
	Path  *Path
	Photo string // "number", "name", "time", "place"; "" = none
}

// Empty reports whether it says nothing in any language.
func (t PrintText) Empty() bool { return len(t.Zh) == 0 && len(t.I18n) == 0 }

// Tells reports whether it says one of some facts of a photo, in any language.
func (t PrintText) Tells(facts ...string) bool {
	tells := func(parts []PrintPart) bool {
		return slices.ContainsFunc(parts, func(p PrintPart) bool { return slices.Contains(facts, p.Photo) })
	}
	for _, parts := range t.I18n {
		if tells(parts) {
			return true
		}
	}
	return tells(t.Zh)
}

// In is the text of a locale.
func (t PrintText) In(locale string) []PrintPart {
	if parts, ok := t.I18n[locale]; ok {
		return parts
	}
	return t.Zh
}

// Print returns the template of that code, without case; nil when there is none.
func (c *Catalog) Print(code string) *Print {
	d := c.Document(KindPrint, code)
	if d == nil {
		return nil
	}
	p, _ := d.Value.(*Print)
	return p
}

// Prints are the templates, in the order of their documents.
func (c *Catalog) Prints() (out []*Print) {
	for _, d := range c.Documents {
		if p, ok := d.Value.(*Print); ok && d.Kind == KindPrint {
			out = append(out, p)
		}
	}
	return out
}

// PrintsOf are the templates of a model, in the order of their documents: those of a form, and those for all forms. form "" = all.
func (c *Catalog) PrintsOf(m *Model, form string) (out []*Print) {
	for _, d := range c.Documents {
		p, ok := d.Value.(*Print)
		if ok && d.Kind == KindPrint && p.Model == m && (form == "" || p.Form == "" || p.Form == form) {
			out = append(out, p)
		}
	}
	return out
}
