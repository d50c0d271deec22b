package portal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/registry"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/widget"
)

// compiler is the state of one document.
type compiler struct {
	kind.Linker
	types  *registry.Registry[widget.Type]
	d      *document
	out    *catalog.Portal
	codes  map[string]bool
	faulty bool
}

func compile(l kind.Linker, d *document, types *registry.Registry[widget.Type]) any {
	c := &compiler{Linker: l, d: d, types: types, codes: map[string]bool{}}
	c.out = &catalog.Portal{Code: d.Code, Pack: d.Pack, Label: d.Label(plan.Label{Zh: d.Code}), App: d.App, Published: d.Published == nil || *d.Published == 1,
		Public: d.Public, PublicRole: d.PublicRole, Write: d.Write, Personal: d.Personal}
	if at := d.Node.Get("appCode"); at != nil {
		c.exists(def.KindApp, at)
	}
	if at := d.Node.Get("publicRole"); at != nil {
		c.exists(def.KindAccess, at)
	}
	c.roles(d.Node.Get("write"))
	if d.ScriptText != "" && d.Script != "" {
		c.Report("PORTAL017", d.Node.Get("scriptText"))
	}
	c.out.Script = c.Script(d.scriptOf(), script.Portal)
	c.faulty = c.faulty || c.out.Script == nil && d.scriptOf() != nil
	c.images()
	c.page()
	c.out.Widgets = c.widgets(d.Widgets, "", nil, "")
	if c.faulty {
		return nil
	}
	return c.out
}

// ScriptIn is what the name of a page's own file is followed by where positions are those of the script in it.
const ScriptIn = "#scriptText"

// scriptOf is the script of the page: the one that it holds, or else the file beside it; nil = none.
func (d *document) scriptOf() *def.File {
	if d.ScriptText != "" {
		return &def.File{Name: d.Node.File() + ScriptIn, Text: d.ScriptText}
	}
	return d.scriptFile
}

// Report implements kind.Linker and notes errors.
func (c *compiler) Report(code string, at *source.Node, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Report(code, at, args...)
}

// Suggest implements kind.Linker and notes errors.
func (c *compiler) Suggest(code string, at *source.Node, word string, candidates []string, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Suggest(code, at, word, candidates, args...)
}

// Exists implements kind.Linker and notes errors.
func (c *compiler) Exists(k def.Kind, at *source.Node) bool {
	ok := c.Linker.Exists(k, at)
	c.faulty = c.faulty || !ok
	return ok
}

func (c *compiler) exists(k def.Kind, at *source.Node) { c.Exists(k, at) }

// roles links the roles in a key of the page or of a widget.
func (c *compiler) roles(list *source.Node) {
	for _, role := range list.Items() {
		c.exists(def.KindAccess, role)
	}
}

// visible compiles the condition under which the reader sees a page or a widget.
func (c *compiler) visible(of *source.Node) plan.Expr {
	at := of.Get("visible")
	if at == nil {
		return nil
	}
	e := c.OfPerson(at)
	c.faulty = c.faulty || e == nil
	return e
}

func (c *compiler) page() {
	if c.d.Page == nil {
		return
	}
	at := c.d.Page.Node
	c.out.Visible = c.visible(at)
	c.out.Page, _ = at.Any().(map[string]any)
	for _, key := range []string{"visible", "description"} {
		delete(c.out.Page, key)
	}
	var hooks []string
	if f := c.d.scriptOf(); f != nil {
		hooks = script.Hooks(f.Name, f.Text)
	}
	for _, key := range []string{"onEnter", "onLeave"} {
		if name := at.Get(key); name != nil && !slices.Contains(hooks, name.Text()) {
			c.Suggest("PORTAL013", name, name.Text(), hooks)
		}
	}
}

// own are the keys that all widgets have; the others are the options of their type.
var own = []string{"type", "code", "description", "x", "y", "width", "height", "visible", "read", "style", "widgets"}

// widgets links the widgets of a page, or of a container.
func (c *compiler) widgets(in []widgetOf, place string, within *widget.Type, inside string) []*catalog.Widget {
	var out []*catalog.Widget
	grid := grid{}
	for i := range in {
		d := &in[i]
		w := &catalog.Widget{ID: place + strconv.Itoa(i), Code: d.Code, Type: d.Type, Read: d.Read}
		if d.Code != "" {
			if w.ID = d.Code; c.codes[strings.ToLower(d.Code)] {
				c.Report("PORTAL003", d.Node.Get("code"), d.Code)
			}
			c.codes[strings.ToLower(d.Code)] = true
		}
		c.roles(d.Node.Get("read"))
		w.Visible = c.visible(d.Node)
		w.Style, _ = d.Node.Get("style").Any().(map[string]any)
		delete(w.Style, "description")
		w.Options, _ = d.Node.Any().(map[string]any)
		for _, key := range own {
			delete(w.Options, key)
		}
		t, known := c.types.Get(d.Type)
		if !known {
			if names := c.types.Names(); d.Type != "" { // which the schema tells
				c.Suggest("PORTAL001", d.Node.Get("type"), d.Type, names, diag.Few(names))
			}
			w.Problem, t.Width, t.Height = catalog.WidgetUnknown, 6, 27
		} else {
			c.allowed(d, t, within, inside)
			if t.Compile != nil {
				t.Compile(&linking{compiler: c, at: d.Node, w: w, t: t}, d.Node)
			}
			if lists := len(w.Rows) > 0; c.d.Public && !t.Public && (!lists || c.d.PublicRole == "") {
				c.Report("PORTAL012", d.Node.Get("type"), d.Type)
			}
			if w.Container = t.Container; t.Container {
				w.Widgets = c.widgets(d.Inner, place+strconv.Itoa(i)+".", &t, d.Type)
			}
		}
		c.place(&grid, d, w, t, within == nil)
		out = append(out, w)
	}
	return out
}

// allowed reports a widget that can't be where it is.
func (c *compiler) allowed(d *widgetOf, t widget.Type, within *widget.Type, inside string) {
	fits := func(t widget.Type) bool {
		switch {
		case within == nil:
			return len(t.Within) == 0
		case len(within.Holds) > 0:
			return slices.Contains(within.Holds, t.Code)
		}
		return len(t.Within) == 0 || slices.Contains(t.Within, inside)
	}
	if !fits(t) {
		var legal []string
		for _, name := range c.types.Names() {
			if other, _ := c.types.Get(name); fits(other) {
				legal = append(legal, name)
			}
		}
		c.Report("PORTAL002", d.Node.Get("type"), d.Type, diag.Few(legal))
	}
	if lo, hi := d.Node.Get("min"), d.Node.Get("max"); lo != nil && hi != nil && lo.Kind == source.Number && hi.Kind == source.Number {
		a, _ := strconv.Atoi(lo.Text())
		if b, _ := strconv.Atoi(hi.Text()); a > b {
			c.Report("PORTAL015", lo, a, b)
		}
	}
}

// grid places widgets that do not say where they stand: beside the one before, or below all.
type grid struct{ x, y, row, bottom int }

func (c *compiler) place(g *grid, d *widgetOf, w *catalog.Widget, t widget.Type, onPage bool) {
	w.Width, w.Height = d.Width, d.Height
	if w.Width == 0 {
		w.Width = t.Width
	}
	if w.Height == 0 {
		w.Height = t.Height
	}
	if d.X != nil || d.Y != nil {
		if d.X != nil {
			w.X = *d.X
		}
		if w.Y = g.bottom; d.Y != nil {
			w.Y = *d.Y
		}
		if onPage && w.X+w.Width > catalog.PortalColumns {
			if d.Width == 0 { // what its type takes is not what the author wrote
				w.Width = catalog.PortalColumns - w.X
			} else {
				c.Report("PORTAL011", d.Node.Get("width"))
			}
		}
	} else {
		if g.x+w.Width > catalog.PortalColumns {
			g.x, g.y, g.row = 0, g.y+g.row, 0
		}
		w.X, w.Y = g.x, g.y
	}
	g.x, g.y = w.X+w.Width, w.Y
	g.row = max(g.row, w.Height)
	g.bottom = max(g.bottom, w.Y+w.Height)
	if d.X != nil || d.Y != nil {
		g.row = g.bottom - w.Y
	}
}
