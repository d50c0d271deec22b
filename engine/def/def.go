// Package def holds definitions as authors write them, one file per kind: the third stage of docs/architecture.md. It has no
// behaviour besides decoding; defaults are filled here and never written back. Formats: docs/authoring.md.
package def

import (
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// Kind names a kind of definition (engine/kind): "model".
type Kind string

// The kinds that the engine itself compiles.
const (
	KindPack       Kind = "pack"
	KindApp        Kind = "app"
	KindModel      Kind = "model"
	KindList       Kind = "list"
	KindForm       Kind = "form"
	KindAccess     Kind = "access"
	KindDictionary Kind = "dictionary"
	KindData       Kind = "data"
)

// Named is what every named thing carries.
type Named struct {
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

// Label returns the texts, or the fallback for a missing name.
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

// Former are the codes that a thing had before, the latest first: a text, or a list of them.
type Former names.Former

// DecodeNode reads either form.
func (f *Former) DecodeNode(n *source.Node) {
	if n.Kind == source.String {
		*f = Former{n.Text()}
		return
	}
	source.Decode(n, (*[]string)(f))
}

// Head is what every document has: its code (the file name, or pack.json's code), its pack and its node.
type Head struct {
	Code string
	Pack string
	Node *source.Node `json:"@"`
	Named
	RenamedFrom Former `json:"renamedFrom"`
}

// Header implements Document.
func (h *Head) Header() *Head { return h }

// Document is a decoded definition: whatever embeds Head.
type Document interface{ Header() *Head }

// Entry is a document of a pack.
type Entry struct {
	Kind Kind
	Document
}

// Pack is pack.json. Node.File() is its path; paths of its documents stand relative to the same root.
type Pack struct {
	Head
	OwnCode  string     `json:"code"`
	Version  string     `json:"version"`
	Requires []Required `json:"requires"`
	Routes   []Route    `json:"routes"`
	Links    []string   `json:"links"` // origins that buttons of lists may lead to
	Reasons  []Reason   `json:"reasons"`

	Documents []Entry // by kind, in the order of file names
	Broken    []Broken
	Bundle    *Bundle      `json:"-"` // nil = it brings no interface
	Codes     *source.Node `json:"-"` // what its interface names (ui/codes.json); nil = it says nothing of that
}

// Of returns the documents of one type: Of[*Model](p) are the models.
func Of[D Document](p *Pack) (out []D) {
	for _, e := range p.Documents {
		if d, ok := e.Document.(D); ok {
			out = append(out, d)
		}
	}
	return out
}

// Broken is a document that could not be read; its code still exists, so references to it are not reported again.
type Broken struct {
	Kind Kind
	Code string
	File string

	Misplaced bool // it lies in a folder that is not a part of a pack
}

// Required is a pack that another one needs. Version is a range, such as ">=1.2 <3"; "" = any.
type Required struct {
	Node    *source.Node `json:"@"`
	Code    string       `json:"code"`
	Version string       `json:"version"`
}

// DecodeNode reads either form.
func (r *Required) DecodeNode(n *source.Node) {
	source.DecodeShort(n, r, &r.Code)
}

// Reason is why code of a pack acts with the right of a role instead of the caller's.
type Reason struct {
	Node *source.Node `json:"@"`
	Named
	Code string `json:"code"`
	Role string `json:"role"`
}

// Route binds a domain call to an action.
type Route struct {
	Node        *source.Node `json:"@"`
	Method      string       `json:"method"`
	Path        string       `json:"path"`
	Action      string       `json:"action"`
	SchemaCode  string       `json:"schemaCode"`
	Right       string       `json:"right"` // on SchemaCode; "" = the action's name
	Description string       `json:"description"`
}

// Data is data/<schemaCode>.json or .csv: rows that are written once per key when missing.
type Data struct {
	Head
	Key   []string         `json:"key"`
	Rows  []map[string]any `json:"rows"`
	Start []DataStart      `json:"start"`
}

// DataStart are rows with which a workflow is started.
type DataStart struct {
	Workflow  string `json:"workflow"`
	Initiator string `json:"initiator"` // sign-in name
	Rows      []any  `json:"rows"`      // keys: a text, or the texts of a key of several properties
}

// File is a script or a style beside a document. Err says why there is no text.
type File struct {
	Name string // path as diagnostics write it
	Text string
	Err  error
}

// App is app.json.
type App struct {
	Head
	Logo      string            `json:"logo"`
	Icon      string            `json:"icon"`
	Color     string            `json:"color"`
	Group     string            `json:"group"`
	GroupI18n map[string]string `json:"group_i18n"`
	SortKey   *int64            `json:"sortKey"` // nil = as it is loaded
	Disabled  bool              `json:"disabled"`
	Menu      []MenuNode        `json:"menu"`

	LogoFile *File
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
	Page       string     `json:"page"`  // of a pack's interface: name, or pack/name
	Right      string     `json:"right"` // what a person must be allowed to do with SchemaCode to see a page
	PcURL      string     `json:"pcUrl"`
	MobileURL  string     `json:"mobileUrl"`
	OpenMode   string     `json:"openMode"`
	Hidden     bool       `json:"hidden"` // in nobody's menu; its address still opens
	Draft      bool       `json:"draft"`  // in the menu of administrators only
	Children   []MenuNode `json:"children"`
}

// Model is models/<code>.json.
type Model struct {
	Head
	// PluralI18n is the name of several records, for locales with plural forms.
	PluralI18n map[string]string `json:"name_plural_i18n"`
	Digest     string            `json:"digest"`
	Sequence   Sequence          `json:"sequence"`
	Volume     int64             `json:"volume"`
	Final      bool              `json:"final"`
	Tree       string            `json:"tree"`
	Properties []Property        `json:"properties"`
	Unique     [][]string        `json:"unique"`
	Indexes    [][]string        `json:"indexes"`
	DataRules  []DataRule        `json:"dataRules"`
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
	RenamedFrom     Former     `json:"renamedFrom"`
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

// Access is access/<code>.json: one role.
type Access struct {
	Head
	Includes    []string `json:"includes"`
	IncludedBy  []string `json:"includedBy"`
	Permissions []string `json:"permissions"`
	Apps        []string `json:"apps"`
	Actions     []string `json:"actions"`
	Models      []Grant  `json:"models"`

	SecondFactor bool `json:"secondFactor"`
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

	RenamedFrom Former `json:"renamedFrom"`
}

// The short forms: a bare string is the entry's code.

// DecodeNode reads either form; a bare text is code and Chinese name at once.
func (o *Option) DecodeNode(n *source.Node) {
	source.DecodeShort(n, o, &o.Code)
	if o.Name == "" {
		o.Name = o.Code
	}
}
