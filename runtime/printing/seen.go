package printing

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// seen is a template without what names properties that the caller may not read: its elements, columns of its tables, and places in texts. What is
// described of a template and what is drawn is made of this.
func seen(view *authz.View, t *catalog.Print) (*catalog.Print, error) {
	doc, err := edit.Parse(string(t.Document))
	if err != nil {
		return nil, err
	}
	s := &sight{view: view, t: t}
	out := *t
	out.Pages = nil
	pages := doc.Get("pages").Items()
	for i, page := range t.Pages {
		var elements []*catalog.PrintElement
		gone := map[*edit.Node]bool{}
		for j, e := range page {
			var node *edit.Node
			if i < len(pages) && j < len(pages[i].Get("elements").Items()) {
				node = pages[i].Get("elements").Items()[j]
			}
			if one := s.element(e, node); one != nil {
				elements = append(elements, one)
			} else {
				gone[node] = true
			}
		}
		out.Pages = append(out.Pages, elements)
		if i < len(pages) {
			pages[i].Get("elements").Remove(func(n *edit.Node) bool { return gone[n] })
		}
		s.changed = s.changed || len(gone) > 0
	}
	out.Header, out.Footer = s.band(t.Header, doc, "header"), s.band(t.Footer, doc, "footer")
	out.NextHeader, out.NextFooter = s.band(t.NextHeader, doc, "nextHeader"), s.band(t.NextFooter, doc, "nextFooter")
	if !s.changed {
		return t, nil
	}
	text, err := doc.JSON(anyLayout{})
	out.Document = json.RawMessage(text)
	return &out, err
}

type sight struct {
	view    *authz.View
	t       *catalog.Print
	changed bool
}

// element is an element as the caller sees it, and the same of its part of the document; nil = it is left out.
func (s *sight) element(e *catalog.PrintElement, node *edit.Node) *catalog.PrintElement {
	if !query.ShowsIn(s.view, s.t.Model, "", e.Path) {
		return nil
	}
	out := *e
	if node != nil && !query.ShowsAll(s.view, s.t.Model, e.When, "") {
		s.changed = true
		node.Set("displayFormula", nil)
	}
	out.Text = s.text(e.Text, node, "text")
	if e.Sheet != nil {
		sheet := *e.Sheet
		sheet.Caption = s.text(sheet.Caption, node, "caption")
		out.Sheet = &sheet
	}
	if e.Table != nil {
		table := s.table(e.Table, node)
		if table == nil {
			return nil
		}
		out.Table = table
	}
	return &out
}

func (s *sight) table(t *catalog.PrintTable, node *edit.Node) *catalog.PrintTable {
	m, sheet := s.t.Model, ""
	switch {
	case t.Sheet != nil:
		if sheet = t.Sheet.Code; !query.Shows(s.view, m, sheet) {
			return nil
		}
	case t.List != nil:
		if m = t.List.Model; !s.view.Can(m, "view") || !query.Shows(s.view, m, t.Relation.Code) {
			return nil
		}
	default:
		return t // the log of a workflow
	}
	out := *t
	out.Columns = nil
	columns, gone := node.Get("columns").Items(), map[*edit.Node]bool{}
	for i, c := range t.Columns {
		if query.ShowsIn(s.view, m, sheet, c.Path) {
			out.Columns = append(out.Columns, c)
		} else if i < len(columns) {
			gone[columns[i]] = true
		}
	}
	if len(out.Columns) == 0 {
		return nil
	}
	s.changed = s.changed || len(out.Columns) < len(t.Columns)
	node.Get("columns").Remove(func(n *edit.Node) bool { return gone[n] })
	if !query.ShowsIn(s.view, m, sheet, t.Group) {
		out.Group, s.changed = nil, true
		node.Set("groupBy", nil)
	}
	if !query.ShowsAll(s.view, m, t.When, sheet) {
		s.changed = true
		node.Set("condition", nil)
	}
	return &out
}

// text leaves out the places of a text that the caller may not read.
func (s *sight) text(t catalog.PrintText, node *edit.Node, key string) catalog.PrintText {
	var hidden []string
	parts := func(in []catalog.PrintPart) []catalog.PrintPart {
		out := slices.Clone(in)
		for i, p := range out {
			if !query.ShowsIn(s.view, s.t.Model, "", p.Path) {
				hidden, out[i].Path = append(hidden, "{"+p.Path.Code+"}"), nil
			}
		}
		return out
	}
	out := catalog.PrintText{Zh: parts(t.Zh), I18n: maps.Clone(t.I18n)}
	for locale, in := range t.I18n {
		out.I18n[locale] = parts(in)
	}
	if len(hidden) == 0 {
		return t
	}
	s.changed = true
	without(node, key, hidden)
	return out
}

// without takes places out of a text of a document, in all of its languages.
func without(node *edit.Node, key string, places []string) {
	if node == nil {
		return
	}
	clean := func(text string) string {
		for _, p := range places {
			for {
				i := strings.Index(strings.ToLower(text), strings.ToLower(p))
				if i < 0 {
					break
				}
				text = text[:i] + text[i+len(p):]
			}
		}
		return text
	}
	if at := node.Get(key); at != nil {
		node.Set(key, edit.Value(clean(at.Text())))
	}
	if of := node.Get(key + "_i18n"); of != nil {
		texts := map[string]string{}
		for _, m := range of.Members {
			texts[m.Key] = clean(m.Text())
		}
		node.Set(key+"_i18n", edit.Value(texts))
	}
}

// band is a header or footer with the texts of its entries.
func (s *sight) band(b *catalog.PrintBand, doc *edit.Node, key string) *catalog.PrintBand {
	if b == nil {
		return nil
	}
	out := *b
	out.Items = slices.Clone(b.Items)
	before := s.changed
	for i := range out.Items {
		s.changed = false
		out.Items[i].Parts = s.text(b.Items[i].Parts, nil, "")
		if s.changed { // a band names what it shows in several ways: one with something hidden is described without its entries
			before = true
			if settings := doc.Get("pageSettings"); settings != nil && settings.Get(key) != nil {
				settings.Set(key, nil)
			}
		}
	}
	s.changed = before
	return &out
}

// anyLayout is the layout of a document that nobody edits.
type anyLayout struct{}

func (anyLayout) Keys(*source.Node) []string { return nil }
func (anyLayout) Short(*source.Node) string  { return "" }
