// Package catalog is what all definitions compile to: models, lists, forms, applications and roles with their references
// resolved and their expressions compiled. A Catalog is frozen and replaced whole; a request keeps the one it began with.
//
// It is a package of its own, and not part of engine/plan, because compiled fields hold property.Property and plan is
// below property (docs/adr/0002). engine/compile makes it; runtime packages read it.
package catalog

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Catalog is everything that is loaded. Maps are keyed by code as written; use the methods for look-ups without case.
type Catalog struct {
	Digest       string // of all documents
	Version      int64  // of the published documents among them; 0 = none
	Packs        []*Pack
	Apps         []*App
	Models       []*Model
	Lists        []*List
	Forms        []*Form
	Roles        []*Role
	Dictionaries []*Dictionary
	Routes       []*Route
	Queries      []*Query // of code of packs
	Reasons      []*Reason
	Words        map[string]action.Word // of buttons and rights, by code
	Documents    []*Document            // of the kinds that are registered
	Storage      plan.Storage
	// Earlier links a document of a kind that has versions, as it was, against this catalog (kind.Kind.Earlier). The value is nil, with what was
	// found, where nothing can be made of the text. It is safe for concurrent use.
	Earlier func(k def.Kind, pack, code string, text []byte, then names.Reading) (value any, found diag.List)
	// Meaning is a document of such a kind with what its names mean in place of the names, and without what they were before: two texts that have
	// one meaning are the same document, whenever they were written. It is safe for concurrent use.
	Meaning      func(k def.Kind, pack, code string, text []byte, then names.Reading) string
	models       map[string]*Model
	lists        map[string]*List
	forms        map[string]*Form
	roles        map[string]*Role
	apps         map[string]*App
	dictionaries map[string]*Dictionary
	documents    map[[2]string]*Document
	queries      map[string]*Query
	log          *atomic.Pointer[names.Log]
}

// Freeze fills the look-ups; compile calls it last.
func (c *Catalog) Freeze() {
	c.log = &atomic.Pointer[names.Log]{}
	c.models, c.lists, c.forms = map[string]*Model{}, map[string]*List{}, map[string]*Form{}
	c.roles, c.apps, c.dictionaries = map[string]*Role{}, map[string]*App{}, map[string]*Dictionary{}
	for _, m := range c.Models {
		c.models[strings.ToLower(m.Code)] = m
		m.Freeze()
		for _, s := range m.Sheets {
			c.models[strings.ToLower(s.Code)] = s
			s.Freeze()
		}
	}
	for _, l := range c.Lists {
		c.lists[strings.ToLower(l.Code)] = l
	}
	for _, f := range c.Forms {
		c.forms[strings.ToLower(f.Code)] = f
	}
	for _, r := range c.Roles {
		c.roles[strings.ToLower(r.Code)] = r
	}
	for _, a := range c.Apps {
		c.apps[strings.ToLower(a.Code)] = a
	}
	for _, d := range c.Dictionaries {
		c.dictionaries[strings.ToLower(d.Code)] = d
	}
	c.queries = map[string]*Query{}
	for _, q := range c.Queries {
		c.queries[q.Code] = q
	}
	c.documents = map[[2]string]*Document{}
	for _, d := range c.Documents {
		c.documents[[2]string{d.Kind, strings.ToLower(d.Code)}] = d
	}
}

// WithRoles is the catalog with other roles; everything else is shared with it.
func (c *Catalog) WithRoles(roles []*Role) *Catalog {
	out := *c
	out.Roles, out.roles = roles, make(map[string]*Role, len(roles))
	for _, r := range roles {
		out.roles[strings.ToLower(r.Code)] = r
	}
	return &out
}

// Lead makes codes that documents had before lead to them, where nothing else has the code now: addresses, links and bookmarks hold them for
// ever. Roles are not found so: what a code grants is what its role of now says. It is safe beside readers.
func (c *Catalog) Lead(log *names.Log) { c.log.Store(log) }

// Since reads the names of what was stored at an epoch, with the log of this catalog.
func (c *Catalog) Since(epoch int64, stored time.Time) names.Reading {
	return c.log.Load().Since(epoch, stored)
}

// Model returns the model of that code, without case; sub-tables as "inspection.items". nil when there is none.
func (c *Catalog) Model(code string) *Model { return find(c, c.models, names.Model, code) }

// List, Form and App work as Model does, Role and Dictionary with the codes of now only.
func (c *Catalog) List(code string) *List { return find(c, c.lists, names.List, code) }

// Form returns the form of that code.
func (c *Catalog) Form(code string) *Form { return find(c, c.forms, names.Form, code) }

// Role returns the role of that code.
func (c *Catalog) Role(code string) *Role { return c.roles[strings.ToLower(code)] }

// App returns the application of that code.
func (c *Catalog) App(code string) *App { return find(c, c.apps, names.App, code) }

func find[T any](c *Catalog, in map[string]*T, k names.Kind, code string) *T {
	if v := in[strings.ToLower(code)]; v != nil || c.log == nil {
		return v
	}
	if now, ok := c.log.Load().Last(k, code); ok {
		return in[strings.ToLower(now)]
	}
	return nil
}

// Renamed returns the property of a model or sub-table that had a code last which none has now; nil when there is none.
func (c *Catalog) Renamed(m *Model, code string) *Field {
	if c.log == nil {
		return nil
	}
	now, ok := c.log.Load().LastProperty(m.Code, code)
	if !ok {
		return nil
	}
	return m.Field(now)
}

// OptionRenamed is the code of now of the option of a property that had a code last; false when there is none.
func (c *Catalog) OptionRenamed(f *Field, code string) (string, bool) {
	if c.log == nil || f.Model == nil {
		return "", false
	}
	return c.log.Load().LastOption(f.Model.Code, f.Code, code)
}

// Dictionary returns the dictionary of that code.
func (c *Catalog) Dictionary(code string) *Dictionary { return c.dictionaries[strings.ToLower(code)] }

// Document returns a document of a registered kind by its code, without case; nil when there is none.
func (c *Catalog) Document(kind, code string) *Document {
	if d := c.documents[[2]string{kind, strings.ToLower(code)}]; d != nil || c.log == nil {
		return d
	}
	if now, ok := c.log.Load().Last(names.Kind(kind), code); ok {
		return c.documents[[2]string{kind, strings.ToLower(now)}]
	}
	return nil
}

// Query returns the query of that code; nil when there is none.
func (c *Catalog) Query(code string) *Query { return c.queries[code] }

// Reason returns the reason of that code; nil when no pack has declared it.
func (c *Catalog) Reason(code string) *Reason {
	for _, r := range c.Reasons {
		if strings.EqualFold(r.Code, code) {
			return r
		}
	}
	return nil
}

// ListsOf returns the lists of a model in order; the generated one when authors wrote none.
func (c *Catalog) ListsOf(model string) []*List {
	var out []*List
	for _, l := range c.Lists {
		if strings.EqualFold(l.Model.Code, model) {
			out = append(out, l)
		}
	}
	return out
}

// FormsOf returns the forms of a model in order.
func (c *Catalog) FormsOf(model string) []*Form {
	var out []*Form
	for _, f := range c.Forms {
		if strings.EqualFold(f.Model.Code, model) {
			out = append(out, f)
		}
	}
	return out
}

// Pack is a loaded pack.
type Pack struct {
	Code    string
	Label   plan.Label
	Version string
	Data    []Data
	Bundle  *def.Bundle // its interface; nil = none
}

// Document is a document of a kind that is registered in pack.Set. Value is what the kind's Compile made of it; nil for a kind that is
// checked only.
type Document struct {
	Kind, Code, Pack string
	Label            plan.Label
	Read             []string // codes of the roles that open it; none = everybody
	Value            any
}

// Reason is why code of a pack acts with the right of a role.
type Reason struct {
	Code, Pack, Role string
	Label            plan.Label
}

// Data are rows that a pack brings; written once per key when missing.
type Data struct {
	Model *Model
	Key   []string
	Rows  []map[string]any
	Start []DataStart
	Pack  string
	File  string
}

// DataStart is a row with which a workflow is started once.
type DataStart struct {
	Workflow  string
	Initiator string // sign-in name
	Key       []string
}

// Dictionary is a list of options; nested ones carry Parent.
type Dictionary struct {
	Code    string
	Pack    string
	Label   plan.Label
	Options []property.Option
}

// App is an application with its menu.
type App struct {
	Code        string
	Pack        string
	Label       plan.Label
	Logo        *Picture // nil = it has none
	Icon, Color string
	Group       plan.Label // no text: it is in no group
	SortKey     int64
	Disabled    bool // nobody's list of applications shows it
	Menu        []*Menu
}

// LogoAddress is where browsers find the logo; "" = there is none. It changes with the picture.
func (a *App) LogoAddress() string {
	if a.Logo == nil {
		return ""
	}
	return "/api/app/logo?digest=" + a.Logo.Digest
}

// Menu is an entry of an application's side menu.
type Menu struct {
	Code, Type, Icon                  string
	Label                             plan.Label
	SchemaCode, QueryCode, ReportCode string // resolved: QueryCode is set for every BizModel
	Page, Right                       string // of a page that a pack draws: pack/name, and the right on SchemaCode that shows it
	PcURL, MobileURL, OpenMode        string
	Hidden, Draft                     bool // in nobody's menu; in that of administrators only
	Children                          []*Menu
}
