package printing

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// binder fills a template with records.
type binder struct {
	ctx        context.Context
	s          *Service
	tx         *store.Tx
	view       *authz.View
	t          *catalog.Print
	out        *Printout
	draft      bool
	sheets     bool   // for a spreadsheet
	base       string // at which browsers reach the system; "" = codes lead nowhere, and are left out
	locale     string
	font       *font.Font
	conditions map[*catalog.PrintElement]int                    // of elements that have one
	lists      map[*catalog.PrintTable]map[string][]query.Paper // rows that point to a record, by its id
	size       int                                              // of the pictures that have been drawn
	counted    map[string]bool                                  // those, by ref

	r      query.Paper // the record
	log    *workflow.PrintCourse
	logged bool // log has been read
}

// ink is a text as it is drawn. Spreadsheets have fonts of their own.
func (b *binder) ink(text string) string {
	if b.sheets {
		return text
	}
	return b.font.DrawnOr(text, b.out.miss)
}

// figure is the text of a property as it is drawn, whole where the property says so.
func (b *binder) figure(p property.Property, format, text string) string {
	text = b.ink(text)
	if b.sheets {
		return text
	}
	return unbroken(p, property.TextContext{Locale: b.locale, DisplayFormat: format}, text)
}

func unbroken(p property.Property, c property.TextContext, text string) string {
	if of, is := p.(property.Unbroken); is {
		if whole, spaces := of.Unbroken(c); whole {
			return layout.Whole(text, spaces)
		}
	}
	return text
}

func (b *binder) in(zh, en string) string {
	return plan.Label{Zh: zh, I18n: map[string]string{"en": en}}.In(b.locale)
}

// document is the template with a record in it.
func (b *binder) document(r query.Paper) (*layout.Document, error) {
	b.r, b.log, b.logged = r, nil, false
	setup, err := b.setup()
	if err != nil {
		return nil, err
	}
	out := &layout.Document{Setup: setup, NoRoom: b.out.noRoom}
	for _, page := range b.t.Pages {
		var flow layout.Flow
		for _, e := range page {
			if at, has := b.conditions[e]; has && !r.Holds(at) {
				continue
			}
			elements, err := b.element(e)
			if err != nil {
				return nil, err
			}
			flow.Elements = append(flow.Elements, elements...)
		}
		out.Flows = append(out.Flows, flow)
	}
	return out, nil
}

// element is a part of the template with its value; none where there is nothing to draw.
func (b *binder) element(e *catalog.PrintElement) ([]layout.Element, error) {
	at := func(c layout.Content) []layout.Element {
		return []layout.Element{{Left: e.Left, Top: e.Top, Width: e.Width, Height: e.Height, Content: c}}
	}
	switch e.Type {
	case "column":
		return b.column(e), nil
	case "text":
		return at(layout.Boxes{{Width: e.Width, Text: b.text(e.Text), Style: e.Style, Overflow: e.Overflow}}), nil
	case "line":
		return at(&layout.Line{Stroke: e.Stroke}), nil
	case "rectangle":
		return at(&layout.Rectangle{Stroke: e.Stroke, Fill: e.Style.Fill, Radius: e.Radius}), nil
	case "sheet":
		if table := b.sheet(e); table != nil {
			return at(table), nil
		}
		return nil, nil
	case "workflowLog":
		table, err := b.logTable(e)
		if table == nil || err != nil {
			return nil, err
		}
		return at(table), nil
	case "picture":
		return b.pictures(e)
	case "barcode":
		if m := b.barcode(e); m != nil {
			return at(m), nil
		}
		return nil, nil
	case "qrCode":
		m, err := b.qrCode(e)
		if m == nil || err != nil {
			return nil, err
		}
		return at(m), nil
	case "signature":
		return b.signature(e)
	}
	return nil, nil
}

// value is a property of the record in words. F0000020 of other systems is the state of the workflow, which is a property here.
func (b *binder) value(p *catalog.Path, format string) string {
	if p == nil {
		return ""
	}
	return b.figure(p.Field.Property, format, b.r.Text(p.Code, format))
}

func (b *binder) text(t catalog.PrintText) string {
	var out strings.Builder
	for _, p := range t.In(b.locale) {
		out.WriteString(b.ink(p.Text))
		out.WriteString(b.value(p.Path, ""))
	}
	return out.String()
}

// column is a name and a value. One that has neither a value nor a border has nothing to draw; nor has a property that the reader may not see.
func (b *binder) column(e *catalog.PrintElement) []layout.Element {
	field, v := b.r.Value(e.Path.Code)
	if field == nil || v == nil && e.Style.Border.Width == 0 && !e.AllOptions {
		return nil
	}
	var row layout.Boxes
	x := layout.Length(0)
	if e.Key != nil {
		row = append(row, layout.Box{Width: e.Key.Width, Text: b.name(e.Key, e.Path), Style: e.Key.Style, Overflow: e.Overflow})
		x = e.Key.Width
	}
	box := layout.Box{X: x, Width: e.Width - x, Text: b.value(e.Path, e.Format), Style: e.Style, Overflow: e.Overflow}
	if cell, is := b.r.Cell(e.Path.Code, e.Format); is {
		box.Value = cell
	}
	if of, is := field.Property.(property.Chooser); is && e.AllOptions {
		box.Text = b.options(of.Choices(), v)
	}
	row = append(row, box)
	return []layout.Element{{Left: e.Left, Top: e.Top, Width: e.Width, Height: e.Height, Content: row}}
}

// options are the options of a choice with the chosen ones ticked. One that is no longer offered is there only where it is chosen, and lines do not
// end between a box and its option.
func (b *binder) options(all []property.Option, v any) string {
	chosen := map[string]bool{}
	switch v := v.(type) {
	case string:
		chosen[v] = true
	case []string:
		for _, one := range v {
			chosen[one] = true
		}
	}
	var out []string
	for _, o := range all {
		switch text := b.ink(o.Label.In(b.locale)); {
		case chosen[o.Code]:
			out = append(out, b.ticked("☑", text))
		case !o.Disabled:
			out = append(out, b.ticked("☐", text))
		}
	}
	return strings.Join(out, "  ")
}

func (b *binder) ticked(box, text string) string {
	if b.sheets {
		return box + " " + text
	}
	return layout.Whole(box+" "+text, false)
}

func (b *binder) name(k *catalog.PrintKey, p *catalog.Path) string {
	if k.Text != nil {
		return b.ink(k.Text.In(b.locale))
	}
	if p == nil {
		return ""
	}
	return b.ink(p.Field.Label.In(b.locale))
}

// address is where browsers open a record; "" = the installation does not know its own address.
func address(base, schemaCode, id string) string {
	if base == "" {
		return ""
	}
	q := url.Values{"schemaCode": {schemaCode}, "objectId": {id}}
	return base + "/form/detail?" + q.Encode()
}

// history reads the workflow of the record once.
func (b *binder) history() (*workflow.PrintCourse, error) {
	if b.logged {
		return b.log, nil
	}
	c, err := b.course(b.r)
	b.log, b.logged = c, true
	return c, err
}

// signature is the last signature at a node, or the person or opinion that a property holds, with the day.
func (b *binder) signature(e *catalog.PrintElement) ([]layout.Element, error) {
	key := layout.Length(0)
	var out []layout.Element
	if e.Key != nil {
		key = e.Key.Width
		out = append(out, layout.Element{Left: e.Left, Top: e.Top, Width: key, Height: e.Height, Content: layout.Boxes{{Width: key, Text: b.name(e.Key, e.Path), Style: e.Key.Style, Overflow: layout.Shrink}}})
	}
	box := func(left, top, width, height layout.Length, c layout.Content) {
		out = append(out, layout.Element{Left: left, Top: top, Width: width, Height: height, Content: c})
	}
	plain := e.Style
	plain.Border, plain.Fill = layout.Stroke{}, nil
	words := func(text string) layout.Boxes {
		return layout.Boxes{{Width: e.Width - key, Text: b.ink(text), Style: plain, Overflow: layout.Shrink}}
	}
	box(e.Left+key, e.Top, e.Width-key, e.Height, layout.Boxes{{Width: e.Width - key, Style: e.Style, Overflow: layout.Cut}})
	if e.Path != nil {
		if text := b.value(e.Path, ""); text != "" {
			box(e.Left+key, e.Top, e.Width-key, e.Height, words(text))
		}
		return out, nil
	}
	c, err := b.history()
	if err != nil || c == nil {
		return out, err
	}
	i := -1
	for k, row := range c.Log {
		if row.Node == e.Node && (row.Signature != nil || row.Received != nil) {
			i = k
		}
	}
	if i < 0 {
		return out, nil
	}
	row, day := c.Log[i], layout.Length(0)
	if e.ShowText {
		day = min(5*layout.Millimeter, e.Height/3)
		style := plain
		style.Size = layout.Points(8)
		box(e.Left+key, e.Top+e.Height-day, e.Width-key, day, layout.Boxes{{Width: e.Width - key, Text: strings.SplitN(row.Texts.Finished, " ", 2)[0], Style: style, Overflow: layout.Shrink}})
	}
	if row.Signature != nil {
		p, err := b.picture(*row.Signature, false)
		if err != nil {
			return nil, err
		}
		if p.Ref != "" {
			box(e.Left+key, e.Top, e.Width-key, e.Height-day, &p.Picture)
			return out, nil
		}
	}
	box(e.Left+key, e.Top, e.Width-key, e.Height-day, words(row.Name))
	return out, nil
}

// pointing reads the rows of lists that point to the records, all at once.
func (b *binder) pointing(records []query.Paper) error {
	b.lists = map[*catalog.PrintTable]map[string][]query.Paper{}
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	for i, page := range b.t.Pages {
		for k, e := range page {
			if e.Table == nil || e.Table.List == nil {
				continue
			}
			var columns []string
			for _, c := range e.Table.Columns {
				columns = append(columns, c.Path.Code)
			}
			if g := e.Table.Group; g != nil && !slices.Contains(columns, g.Code) {
				columns = append(columns, g.Code)
			}
			rows, err := b.s.Reader.Pointing(b.ctx, b.tx, b.view, e.Table.List, e.Table.Relation, ids, columns, e.Table.When, b.t.Code+"."+string(rune('a'+i))+string(rune('a'+k)))
			if err != nil {
				return err
			}
			b.lists[e.Table] = rows
		}
	}
	return nil
}
