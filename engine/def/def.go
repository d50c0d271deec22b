// Package def holds definitions as authors write them, one file per kind: the third stage of DESIGN section 4. It has no
// behaviour besides decoding; defaults are filled here and never written back. Formats: docs/authoring.md.
package def

import (
	"reflect"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// Kind of a document; also the folder of the pack that holds it ("models/x.json"), except pack and app.
type Kind string

// The kinds of documents that this version compiles.
const (
	KindPack       Kind = "pack"
	KindApp        Kind = "app"
	KindModel      Kind = "model"
	KindList       Kind = "list"
	KindForm       Kind = "form"
	KindAccess     Kind = "access"
	KindDictionary Kind = "dictionary"
)

// Folder of each kind that has one.
var Folder = map[Kind]string{KindModel: "models", KindList: "lists", KindForm: "forms", KindAccess: "access", KindDictionary: "dictionaries"}

// Named is what every named thing carries.
type Named struct {
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

// Label returns the texts; a missing name is the fallback (documents.md rule 6).
func (n Named) Label(fallback plan.Label) plan.Label {
	if n.Name == "" && len(n.NameI18n) == 0 {
		return fallback
	}
	l := plan.Label{Zh: n.Name, I18n: n.NameI18n}
	if l.Zh == "" {
		l.Zh = fallback.Zh
	}
	return l
}

// Head is what every document has: its code (the file name, or pack.json's code), its pack and its node.
type Head struct {
	Code string
	Pack string
	Node *source.Node `json:"@"`
	Named
	RenamedFrom string `json:"renamedFrom"`
}

// Pack is pack.json. Node.File() is its path; paths of its documents stand relative to the same root.
type Pack struct {
	Head
	OwnCode  string   `json:"code"`
	Version  string   `json:"version"`
	Requires []string `json:"requires"`
	Routes   []Route  `json:"routes"`
	Links    []string `json:"links"` // origins that buttons of lists may lead to
	// Documents of the pack, each kind in the order of file names.
	App          *App
	Models       []*Model
	Lists        []*List
	Forms        []*Form
	Access       []*Access
	Dictionaries []*Dictionary
	Data         []*Data
	Broken       []Broken
}

// Broken is a document that could not be read; its code still exists, so references to it are not reported again.
type Broken struct {
	Kind Kind
	Code string
	File string
}

// Route binds a domain call to an action.
type Route struct {
	Node        *source.Node `json:"@"`
	Method      string       `json:"method"`
	Path        string       `json:"path"`
	Action      string       `json:"action"`
	SchemaCode  string       `json:"schemaCode"`
	Description string       `json:"description"`
}

// Data is data/<schemaCode>.json or .csv: rows that are written once per key when missing.
type Data struct {
	Head
	Key  []string         `json:"key"`
	Rows []map[string]any `json:"rows"`
}

// App is app.json.
type App struct {
	Head
	Logo  string     `json:"logo"`
	Group string     `json:"group"`
	Menu  []MenuNode `json:"menu"`
}

// MenuNode is an entry of the side menu.
type MenuNode struct {
	Node *source.Node `json:"@"`
	Named
	Code       string     `json:"code"`
	Type       string     `json:"type"` // Folder BizModel Report Page HomePage
	Icon       string     `json:"icon"`
	SchemaCode string     `json:"schemaCode"`
	QueryCode  string     `json:"queryCode"`
	ReportCode string     `json:"reportCode"`
	PcURL      string     `json:"pcUrl"`
	MobileURL  string     `json:"mobileUrl"`
	OpenMode   string     `json:"openMode"`
	Children   []MenuNode `json:"children"`
}

// Model is models/<code>.json.
type Model struct {
	Head
	Digest     string     `json:"digest"`
	Sequence   Sequence   `json:"sequence"`
	Volume     int64      `json:"volume"`
	Tree       string     `json:"tree"`
	Properties []Property `json:"properties"`
	Unique     [][]string `json:"unique"`
	Indexes    [][]string `json:"indexes"`
	DataRules  []DataRule `json:"dataRules"`
}

// Sequence is the rule of sequenceNo: prefix, date part, running number.
type Sequence struct {
	Node   *source.Node `json:"@"`
	Prefix string       `json:"prefix"`
	Date   string       `json:"date"`   // yyyy yyyyMM yyyyMMdd or ""
	Length int          `json:"length"` // default 8
	Reset  string       `json:"reset"`  // none year month day
}

// Property is one property of a model or sub-table. The type's own options stand beside the common keys in Node.
type Property struct {
	Node *source.Node `json:"@"`
	Named
	Code            string     `json:"code"`
	Type            string     `json:"propertyType"`
	Description     string     `json:"description"`
	RenamedFrom     string     `json:"renamedFrom"`
	Required        bool       `json:"required"`
	RequiredFormula string     `json:"requiredFormula"`
	DefaultValue    string     `json:"defaultValue"`
	ComputeFormula  string     `json:"computeFormula"`
	Unique          bool       `json:"unique"`
	DisplayFormat   string     `json:"displayFormat"`
	Properties      []Property `json:"properties"` // of a sub-table
}

// Decode fills a type's own options from the property's node.
func (p Property) Decode(options any) { source.Decode(p.Node, options) }

// DataRule is an entry of dataRules.
type DataRule struct {
	Node         *source.Node      `json:"@"`
	PropertyCode string            `json:"propertyCode"`
	CheckType    string            `json:"checkType"` // pattern formula hook
	Pattern      string            `json:"pattern"`
	Formula      string            `json:"formula"`
	Hook         string            `json:"hook"`
	Message      string            `json:"message"`
	MessageI18n  map[string]string `json:"message_i18n"`
}

// List is lists/<code>.json.
type List struct {
	Head
	SchemaCode   string       `json:"schemaCode"`
	Condition    string       `json:"condition"`
	OrderBy      []OrderBy    `json:"orderBy"`
	Conditions   []Condition  `json:"queryConditions"`
	Columns      []ListColumn `json:"queryColumns"`
	Actions      []ListAction `json:"queryActions"`
	Presentation Presentation `json:"queryPresentation"`
}

// OrderBy is a sort key of a list.
type OrderBy struct {
	Node         *source.Node `json:"@"`
	PropertyCode string       `json:"propertyCode"`
	Direction    string       `json:"direction"` // ascending (default) descending
}

// Condition is a control of the filter panel.
type Condition struct {
	Node *source.Node `json:"@"`
	Named
	PropertyCode    string   `json:"propertyCode"`
	QueryFilterType string   `json:"queryFilterType"`
	DisplayFormat   string   `json:"displayFormat"`
	DefaultValue    string   `json:"defaultValue"`
	StartValue      string   `json:"startValue"`
	EndValue        string   `json:"endValue"`
	Options         []string `json:"options"`
	Visible         *bool    `json:"visible"`
	ChoiceType      string   `json:"choiceType"`
	AccurateSearch  bool     `json:"accurateSearch"`
	DisplayType     string   `json:"displayType"`
	DefaultState    string   `json:"defaultState"`
	// RelativeQueryCode is the list that the picker of a relation opens; default: the model's first.
	RelativeQueryCode string `json:"relativeQueryCode"`
}

// ListColumn is a column of a list. ChildColumns are properties of the sub-table.
type ListColumn struct {
	Node *source.Node `json:"@"`
	Named
	PropertyCode  string       `json:"propertyCode"`
	Width         int          `json:"width"` // pixels; default 176
	DisplayFormat string       `json:"displayFormat"`
	SumType       string       `json:"sumType"`
	Visible       *bool        `json:"visible"`
	ChildColumns  []ListColumn `json:"childColumns"`
}

// ListAction is a button of a list.
type ListAction struct {
	Node *source.Node `json:"@"`
	Named
	ActionCode      string            `json:"actionCode"`
	QueryActionType string            `json:"queryActionType"` // default: actionCode
	AssociationType string            `json:"associationType"` // none workflow form action url script list
	AssociationCode string            `json:"associationCode"`
	Row             bool              `json:"row"`
	EnabledFormula  string            `json:"enabledFormula"`
	Hint            string            `json:"hint"` // shown when the button is pointed at
	HintI18n        map[string]string `json:"hint_i18n"`
	Confirm         string            `json:"confirm"` // asked before it runs
	ConfirmI18n     map[string]string `json:"confirm_i18n"`
	Extend1         string            `json:"extend1"` // of form and list: the relation that points back to this model
	Attributes      map[string]any    `json:"attributes"`
}

// Presentation is how a list is drawn.
type Presentation struct {
	Node                 *source.Node `json:"@"`
	Type                 string       `json:"presentationType"` // table tree gantt
	FixedLeftColumns     []string     `json:"fixedLeftColumns"`
	FixedRightColumns    []string     `json:"fixedRightColumns"`
	QueryPanelColumns    int          `json:"queryPanelColumns"` // default 3
	FixedHeader          *bool        `json:"fixedHeader"`       // default true
	RowOrdinal           *bool        `json:"rowOrdinal"`        // default true
	RowSelectable        *bool        `json:"rowSelectable"`     // default: when some action takes ticked rows
	ColumnResizable      *bool        `json:"columnResizable"`   // default true
	ScrollbarAutoHidding bool         `json:"scrollbarAutoHidding"`
	Layout               []PagePart   `json:"htmlJson"` // parts of the page, in order; all of them by default
	Script               string       `json:"script"`
	Style                string       `json:"style"`
	Gantt                Gantt        `json:"gantt"`
	ScriptFile           *File        // what Script names; nil when it names none
	StyleFile            *File        // what Style names
}

// Gantt says which properties of a list's model make its chart.
type Gantt struct {
	Node                  *source.Node `json:"@"` // nil when the list has none
	TitlePropertyCode     string       `json:"titlePropertyCode"`
	StartTimePropertyCode string       `json:"startTimePropertyCode"`
	EndTimePropertyCode   string       `json:"endTimePropertyCode"`
	ProgressPropertyCode  string       `json:"progressPropertyCode"` // a share, or a state: finish 0, doing 1, undo -1
	LevelPropertyCode     string       `json:"levelPropertyCode"`    // group 0, company 1, project 2
	OrderPropertyCode     string       `json:"orderPropertyCode"`    // Number; rows are put in order by dragging
}

// File is a script or a style beside a document. Err says why there is no text.
type File struct {
	Name string // path as diagnostics write it
	Text string
	Err  error
}

// Form is forms/<code>.json.
type Form struct {
	Head
	SchemaCode string         `json:"schemaCode"`
	Columns    int            `json:"columns"` // default 2
	Items      []FormItem     `json:"items"`
	Actions    []FormAction   `json:"actions"`
	Script     string         `json:"script"`
	ScriptFile *File          // what Script names; nil when it names none
	UISchema   map[string]any `json:"uiSchema"`
}

// FormAction is a button of a form: a word that forms know, or one that the definition makes itself.
type FormAction struct {
	Node *source.Node `json:"@"`
	Named
	ActionCode      string            `json:"actionCode"`
	AssociationType string            `json:"associationType"` // none form action url script list
	AssociationCode string            `json:"associationCode"`
	EnabledFormula  string            `json:"enabledFormula"`
	Hint            string            `json:"hint"`
	HintI18n        map[string]string `json:"hint_i18n"`
	Confirm         string            `json:"confirm"`
	ConfirmI18n     map[string]string `json:"confirm_i18n"`
	Extend1         string            `json:"extend1"`
	Attributes      map[string]any    `json:"attributes"`
}

// Button is the action as a list's button for one record.
func (a FormAction) Button() ListAction {
	return ListAction{Node: a.Node, Named: a.Named, ActionCode: a.ActionCode, QueryActionType: "custom", AssociationType: a.AssociationType,
		AssociationCode: a.AssociationCode, Row: true, EnabledFormula: a.EnabledFormula, Hint: a.Hint, HintI18n: a.HintI18n, Confirm: a.Confirm,
		ConfirmI18n: a.ConfirmI18n, Extend1: a.Extend1, Attributes: a.Attributes}
}

// FormItem is a field, or a Section, Tabs or RelatedList when Type is set.
type FormItem struct {
	Node *source.Node `json:"@"`
	Named
	Type            string            `json:"type"`
	PropertyCode    string            `json:"propertyCode"`
	QueryCode       string            `json:"queryCode"` // RelatedList
	Items           []FormItem        `json:"items"`
	Collapsed       bool              `json:"collapsed"`
	Columns         int               `json:"columns"` // of a Section; default: as around it
	Span            int               `json:"span"`
	Width           int               `json:"width"`
	DefaultValue    string            `json:"defaultValue"` // instead of the model's
	Placeholder     string            `json:"placeholder"`
	PlaceholderI18n map[string]string `json:"placeholder_i18n"`
	Help            string            `json:"help"`
	HelpI18n        map[string]string `json:"help_i18n"`
	DisplayFormula  string            `json:"displayFormula"`
	RequiredFormula string            `json:"requiredFormula"`
	DisplayFormat   string            `json:"displayFormat"`
	Read            *[]string         `json:"read"`      // role codes; nil = everybody
	Write           *[]string         `json:"write"`     // role codes; nil = everybody
	Condition       string            `json:"condition"` // on what the field offers
	Fill            map[string]string `json:"fill"`      // property here -> property of the chosen record
	ChildColumns    []FormItem        `json:"childColumns"`
	SumRow          []string          `json:"sumRow"`
}

// Access is access/<code>.json: one role.
type Access struct {
	Head
	Includes    []string `json:"includes"`
	Permissions []string `json:"permissions"`
	Apps        []string `json:"apps"`
	Actions     []string `json:"actions"`
	Models      []Grant  `json:"models"`
}

// Grant is what a role may do with a model ("*" = every model).
type Grant struct {
	Node       *source.Node      `json:"@"`
	SchemaCode string            `json:"schemaCode"`
	Actions    []string          `json:"actions"`
	Rows       string            `json:"rows"`     // "" = no rows
	EditRows   string            `json:"editRows"` // "" = as rows
	Fields     map[string]string `json:"fields"`   // code or "*" -> "-", "r", "rw"
}

// Dictionary is dictionaries/<code>.json.
type Dictionary struct {
	Head
	Items []Option `json:"items"`
}

// Option is one choice, of a dictionary or of a property.
type Option struct {
	Node *source.Node `json:"@"`
	Named
	Code     string   `json:"code"`
	Color    string   `json:"color"`
	Disabled bool     `json:"disabled"`
	Items    []Option `json:"items"`
}

// The short forms: a bare string is the entry's code.

// DecodeNode reads either form.
func (o *OrderBy) DecodeNode(n *source.Node) {
	if !short(n, &o.Node, &o.PropertyCode) {
		source.DecodeFields(n, reflect.ValueOf(o).Elem())
	}
}

// DecodeNode reads either form.
func (c *Condition) DecodeNode(n *source.Node) {
	if !short(n, &c.Node, &c.PropertyCode) {
		source.DecodeFields(n, reflect.ValueOf(c).Elem())
	}
}

// DecodeNode reads either form.
func (c *ListColumn) DecodeNode(n *source.Node) {
	if !short(n, &c.Node, &c.PropertyCode) {
		source.DecodeFields(n, reflect.ValueOf(c).Elem())
	}
}

// DecodeNode reads either form.
func (a *ListAction) DecodeNode(n *source.Node) {
	if !short(n, &a.Node, &a.ActionCode) {
		source.DecodeFields(n, reflect.ValueOf(a).Elem())
	}
	if a.QueryActionType == "" {
		a.QueryActionType = a.ActionCode
	}
}

// DecodeNode reads either form.
func (i *FormItem) DecodeNode(n *source.Node) {
	if !short(n, &i.Node, &i.PropertyCode) {
		source.DecodeFields(n, reflect.ValueOf(i).Elem())
	}
}

// DecodeNode reads either form.
func (a *FormAction) DecodeNode(n *source.Node) {
	if !short(n, &a.Node, &a.ActionCode) {
		source.DecodeFields(n, reflect.ValueOf(a).Elem())
	}
}

// DecodeNode reads either form; a bare text is code and Chinese name at once.
func (o *Option) DecodeNode(n *source.Node) {
	if !short(n, &o.Node, &o.Code) {
		source.DecodeFields(n, reflect.ValueOf(o).Elem())
	}
	if o.Name == "" {
		o.Name = o.Code
	}
}

func short(n *source.Node, at **source.Node, code *string) bool {
	*at = n
	if n.Kind != source.String {
		return false
	}
	*code = n.Text()
	return true
}
