package catalog

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// List is a compiled list.
type List struct {
	Code         string
	Label        plan.Label
	Model        *Model
	Condition    plan.Expr // nil = none
	OrderBy      []ListOrder
	Conditions   []Condition
	Columns      []Column
	Actions      []ListAction
	Presentation Presentation
	Generated    bool
}

// Path names a property from a list's model: through relations ("contract.partyB") or into a sub-table ("items.rate").
type Path struct {
	Code  string   // in the spelling of the declarations
	Steps []*Field // relations to follow; for a sub-table column the sub-table's field
	Field *Field   // the property itself
	Sheet bool     // the last step is a sub-table
}

// ListOrder is a sort key; id is always added last.
type ListOrder struct {
	Path       Path
	Descending bool
}

// Condition is a control of the filter panel.
type Condition struct {
	Path                                  Path
	Label                                 plan.Label
	Operator                              plan.Op
	DisplayFormat                         string
	DefaultValue                          string
	StartValue                            string
	EndValue                              string
	Options                               []string
	Visible                               bool
	AccurateSearch                        bool
	ChoiceType, DisplayType, DefaultState string
	RelativeQueryCode                     string // list that the picker of a relation opens; "" = the model's first
}

// Column is a column of a list.
type Column struct {
	Path          Path
	Label         plan.Label
	Width         int // pixels
	DisplayFormat string
	Sum           plan.Sum // "" = none
	Visible       bool
	Children      []Column // of a sub-table
}

// ListAction is a button of a list.
type ListAction struct {
	Code            string
	Type            string // queryActionType
	Label           plan.Label
	Association     int // wire: none 0, workflow 1, form 2, action 3, url 4, script 5, list 6
	AssociationCode string
	Row             bool
	Enabled         plan.Expr // nil = always
	Hint            plan.Label
	Confirm         plan.Label
	Extend1         string // of form and list: code of the relation that points back
	Attributes      map[string]any
	Address         *Template            // of url
	Input           map[string]*Template // of action: texts of its input, by member
	Call            *Route               // of action
}

// Reads are the properties that an action's texts take over from a record.
func (a *ListAction) Reads() []Path {
	all := a.Address.paths()
	for _, t := range a.Input {
		all = append(all, t.paths()...)
	}
	return all
}

// Template is a text with properties of a record in it.
type Template struct{ Parts []TemplatePart }

// TemplatePart is a text, or a property when Path is not nil.
type TemplatePart struct {
	Text  string
	Path  *Path
	Query bool // behind the "?" of an address
}

func (t *Template) paths() (out []Path) {
	if t == nil {
		return nil
	}
	for _, p := range t.Parts {
		if p.Path != nil {
			out = append(out, *p.Path)
		}
	}
	return out
}

// PagePart is a part of a list's page.
type PagePart struct {
	Part  string // toolbar filter table pager text
	Width int    // of filter: pixels; it is next to the table
	Text  plan.Label
	Tone  string // info success warning
}

// Presentation is how a list is drawn.
type Presentation struct {
	Type                                            string // table, tree, gantt
	Gantt                                           *Gantt // of a list that is one
	FixedLeft                                       []string
	FixedLeftGiven                                  bool // the author said what stays at the left, perhaps nothing
	FixedRight                                      []string
	PanelColumns                                    int
	FixedHeader, Ordinal, Resizable, HideScrollbars bool
	Selectable                                      *bool      // nil = when some action takes ticked rows
	Layout                                          []PagePart // nil = all parts in their usual order
	LayoutFault                                     plan.Label // why the author's layout cannot be used; the page says it
	Script                                          *File      // nil = none
	Style                                           *File      // nil = none; its rules reach only what is inside the list
}

// Gantt names the properties of a chart. All but Title, Start and End may be nil. They stand among the list's columns, hidden
// when its author did not write them there.
type Gantt struct {
	Title, Start, End, Progress, Level, Order *Field
}

// Fields are the properties that a chart is made of.
func (g *Gantt) Fields() []*Field {
	return slices.DeleteFunc([]*Field{g.Title, g.Start, g.End, g.Progress, g.Level, g.Order}, func(f *Field) bool { return f == nil })
}

// File is a checked script or style, as browsers get it.
type File struct {
	Digest string // of Text; its address, so it can be kept forever
	Text   string
}

// Form is a compiled form.
type Form struct {
	Code      string
	Label     plan.Label
	Model     *Model
	Columns   int
	Items     []FormItem
	Actions   []string     // that forms know by themselves
	Buttons   []ListAction // of its own, each for the open record
	Script    *File        // nil = none
	Submits   string       // the workflow that its word "submit" starts with the record; "" = it has no such word
	Generated bool

	ExternalLink bool // links let people who are nobody here add a record through it
}

// ExternalLinkAction is the right to make external links, and the word of forms through which they may show records.
const ExternalLinkAction = "external_link"

// LinksRecords reports whether links may show a record to people who are nobody here, through this form.
func (f *Form) LinksRecords() bool { return slices.Contains(f.Actions, ExternalLinkAction) }

// FormItem is a field of a form, or a group of items.
type FormItem struct {
	Type          string // "" = a field; Section, Tabs, RelatedList
	Label         plan.Label
	Field         *Field
	Items         []FormItem
	Collapsed     bool
	Columns       int // of a Section; 0 = as around it
	Span, Width   int
	Placeholder   plan.Label
	Help          plan.Label
	UI            FieldUI
	Default       plan.Expr // nil = as the model says
	Display       plan.Expr // of the item and of what it is in; nil = always shown
	Required      plan.Expr // nil = as the model says
	DisplayFormat string
	Read, Write   *[]string // role codes; nil = everybody
	Choosable     plan.Expr // in addition to the field's own; nil = all that the field offers
	Fill          *[]Fill   // instead of the field's own; nil = as the field says
	Children      []FormItem
	SumRow        []string
	List          *List // RelatedList
}

// FieldUI are the settings of one control that uiSchema gives.
type FieldUI struct {
	Rows      int  // lines of a text of several lines; 0 = as usual
	NoLabel   bool // the label is read out and not drawn
	Autofocus bool
	ReadOnly  bool
}

// Fields returns every field of the form, whatever group it is in.
func (f *Form) Fields() []*FormItem {
	var out []*FormItem
	var walk func(items []FormItem)
	walk = func(items []FormItem) {
		for i := range items {
			if items[i].Field != nil && items[i].Type == "" {
				out = append(out, &items[i])
			}
			walk(items[i].Items)
		}
	}
	walk(f.Items)
	return out
}

// Role is a compiled access document.
type Role struct {
	Code        string
	Pack        string
	Label       plan.Label
	Includes    []string
	Permissions []string
	Apps        []string
	Actions     []string // of packs, that the role may call whatever their model; "*" = all
	Grants      []Grant
	At          string

	SecondFactor bool // its people have to have one
}

// Grant is what a role may do with one model, or with every model when Model is nil.
type Grant struct {
	Model    *Model
	Actions  []string              // "*" = all
	Rows     plan.Expr             // nil = no rows
	EditRows plan.Expr             // never nil when Rows is not
	RowsText string                // as written
	Fields   map[string]FieldRight // by code, a column of a sub-table as "items.value"
	Rest     FieldRight            // of fields that Fields does not name
	Sheets   map[string]RowRights  // what may be done with the rows of a writable sub-table, by its code; all of it where it is not here
	At       string
}

// Right is the grant's right to a field. A column of a sub-table never exceeds the sub-table's own right. System fields are readable unless hidden by name,
// and never writable. Hidden means hidden with what is made of it: a record's name is hidden with any property that its digest shows, and what is computed,
// unless the grant names it, with any property that its formula reads.
func (g *Grant) Right(f *Field) FieldRight { return g.right(f, nil) }

func (g *Grant) right(f *Field, within []*Field) FieldRight {
	code, limit := f.Code, Writable
	if m := f.Model; m.Parent != nil {
		sheet := strings.TrimPrefix(m.Code, m.Parent.Code+".")
		limit = g.named(sheet, g.Rest)
		code = sheet + "." + f.Code
	}
	if f.System {
		right := min(limit, Readable, g.named(code, Readable))
		if f.Code == Name {
			for _, part := range f.Model.Digest {
				if part.Field != nil && part.Field != f {
					right = min(right, g.right(part.Field, within))
				}
			}
		}
		return right
	}
	if right, ok := g.entry(code); ok {
		return min(limit, right)
	}
	right := g.Rest
	if f.Model.Parent != nil {
		right = limit
	}
	if slices.Contains(within, f) { // by way of the children of its record
		return right
	}
	within = append(within, f)
	for _, of := range slices.Concat(f.Reads, f.ReadsBeside) {
		if right == Hidden {
			break
		}
		if g.right(of, within) == Hidden {
			right = Hidden
		}
	}
	return right
}

func (g *Grant) named(code string, otherwise FieldRight) FieldRight {
	if r, ok := g.entry(code); ok {
		return r
	}
	return otherwise
}

// entry is what the grant says of a code, whatever its case.
func (g *Grant) entry(code string) (FieldRight, bool) {
	if r, ok := g.Fields[code]; ok {
		return r, true
	}
	for named, r := range g.Fields {
		if strings.EqualFold(named, code) {
			return r, true
		}
	}
	return Hidden, false
}

// RowRights are what may be done with the rows of a sub-table.
type RowRights uint8

// The row rights. EditRows is of the rows that are stored: who adds a row fills it in.
const (
	AddRows RowRights = 1 << iota
	EditRows
	DeleteRows
	AllRows = AddRows | EditRows | DeleteRows
)

// RowRights is what the grant lets be done with the rows of a sub-table, where it lets it be written.
func (g *Grant) RowRights(sheet *Field) RowRights {
	if r, ok := g.Sheets[sheet.Code]; ok {
		return r
	}
	return AllRows
}

// FieldRight is what a role may do with a field.
type FieldRight uint8

// The field rights.
const (
	Hidden FieldRight = iota
	Readable
	Writable
)
