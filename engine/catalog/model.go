package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Codes of system properties, which the runtime writes (docs/formats.md, System properties).
const (
	ID                 = "id"
	Name               = "name"
	SequenceNo         = "sequenceNo"
	Creator            = "creator"
	CreatedDept        = "createdDeptId"
	Owner              = "owner"
	OwnerDept          = "ownerDeptId"
	OwnerDeptQueryCode = "ownerDeptQueryCode"
	CreatedTime        = "createdTime"
	Modifier           = "modifier"
	ModifiedTime       = "modifiedTime"
	WorkflowInstance   = "workflowInstanceId"
	SequenceStatus     = "sequenceStatus"
	Participants       = "participants_"
	Version            = "version"
	// SheetParent and SheetOrder are the engine's own columns of sub-tables.
	SheetParent = "parentId"
	SheetOrder  = "sortKey"
)

// Model is a compiled model or, when Parent is set, a sub-table.
type Model struct {
	Code     string // "inspection", "inspection.items"
	Label    plan.Label
	Plural   map[string]string // the name of several records, by locale; only of locales with plural forms
	Pack     string
	Table    string        // unquoted
	Fields   []*Field      // system fields last, in the order of engine/compile/system.json
	Sheets   []*Model      // sub-tables, in the order of their properties
	Parent   *Model        // of a sub-table
	Own      []plan.Column // of a sub-table without fields: what the engine's own writers fill
	Tree     *Field        // the relation to the record above; nil when the model is not a tree
	Digest   []DigestPart
	Sequence Sequence
	Volume   int64
	Final    bool     // its records are added once, and neither changed nor deleted by people
	Custom   []string // actions of lists, forms and packs that access documents can name beside the platform's words, sorted
	Unique   [][]*Field
	Indexes  [][]*Field
	Rules    []Rule
	// Computed are the fields with a formula whose values are stored, also those of the sub-tables, each behind those that it reads.
	Computed []*Field
	// AddsUp: formulas of the model read the children of its records in their tree.
	AddsUp bool
	// Dependents are the computed fields of other records that read the records of this model. LockGroup names the models that dependents
	// join, one word for all of them; "" when the model is in none.
	Dependents []*Dependent
	LockGroup  string
	byCode     map[string]*Field
}

// PluralLabel returns the name of the model's records as a heading: the plural in locales that have one, the name in the others.
func (m *Model) PluralLabel() plan.Label {
	if len(m.Plural) == 0 {
		return m.Label
	}
	texts := maps.Clone(m.Label.I18n)
	if texts == nil {
		texts = map[string]string{}
	}
	maps.Copy(texts, m.Plural)
	return plan.Label{Zh: m.Label.Zh, I18n: texts}
}

// Digests reports whether the names of the model's records hold a field as it is.
func (m *Model) Digests(f *Field) bool {
	return slices.ContainsFunc(m.Digest, func(p DigestPart) bool { return p.Field == f })
}

// Freeze fills the look-up.
func (m *Model) Freeze() {
	m.byCode = make(map[string]*Field, len(m.Fields))
	for _, f := range m.Fields {
		m.byCode[strings.ToLower(f.Code)] = f
	}
	for _, f := range m.Fields { // most callers write it as it is
		if m.byCode[f.Code] == nil {
			m.byCode[f.Code] = f
		}
	}
}

// Field returns the field of that code, without case; nil when there is none.
func (m *Model) Field(code string) *Field {
	if f := m.byCode[code]; f != nil {
		return f
	}
	return m.byCode[strings.ToLower(code)]
}

// Field is a compiled property of a model.
type Field struct {
	Code       string
	Label      plan.Label
	Help       string
	Type       property.Type
	Property   property.Property
	Model      *Model // that holds it
	System     bool
	Required   bool
	RequiredIf plan.Expr // nil = never
	Default    plan.Expr // nil = none
	Compute    plan.Expr // not nil = cannot be written
	// Live: Compute depends on the time and is computed when it is read. It reads only columns of its own record or row, is in no
	// table, and is put in place of the property wherever an expression names that.
	Live bool
	// Reads is what Compute reads of its own record and rows, relations that lead on and sub-tables that it folds included; ReadsBeside what it reads of
	// other records of the model.
	Reads, ReadsBeside []*Field
	// ComputeText is the formula as written, for "why this value?".
	ComputeText string
	Unique      bool
	Target      *Model // of a relation, person or department; nil otherwise
	Display     *Field // of Target: what is shown for a relation
	// Choosable limits what the field offers: a condition on the records of Target or, for a choice, on its options (columns
	// property.Option...), with form.<code> as Vars; nil = all.
	Choosable plan.Expr
	// Fill is what choosing a record of Target takes over into the form.
	Fill     []Fill
	Multiple bool // a relation, people or departments with several values
	// OptionsOf is what has the options of a choice: the property itself ("model.property"), another one, or a dictionary. "" for other properties, and
	// for choices whose values are codes of what Holds says.
	OptionsOf string
	Holds     *Held // nil = the values are no codes of documents or their parts
	// Links is the fixed table that holds the members of a set for the records of all models; "" = the model's own tables hold the
	// field. No record writes it, and no expression names it.
	Links         string
	OnDelete      string
	Sheet         *Model // of a sub-table
	DisplayFormat string
	At            string // file:line:col, for `explain` and `plan`
}

// Gathers is set for fields whose value is made of rows of their own, as opinions are; nil for others, sub-tables among them.
func (f *Field) Gathers() property.Gatherer {
	g, ok := f.Property.(property.Gatherer)
	if !ok || f.Sheet == nil {
		return nil
	}
	return g
}

// IsTable reports whether the field is a sub-table with columns.
func (f *Field) IsTable() bool { return f.Sheet != nil && f.Gathers() == nil }

// Fill copies a property of a chosen record into one beside the relation.
type Fill struct{ To, From *Field }

// FormPrefix begins the names of the Vars that Choosable takes from the form.
const FormPrefix = "form."

// FormCodes are the properties of the form that a condition depends on, in the order of their first use.
func FormCodes(conditions ...plan.Expr) []string {
	var out []string
	for _, e := range conditions {
		if e == nil {
			continue
		}
		plan.Walk(e, func(x plan.Expr) {
			v, ok := x.(*plan.Var)
			if !ok {
				return
			}
			if code, ok := strings.CutPrefix(v.Name, FormPrefix); ok && !slices.Contains(out, code) {
				out = append(out, code)
			}
		})
	}
	return out
}

// HandlersTable holds the people whose tasks wait at a record: v (the record), id (the person), ordinal.
const HandlersTable = "sl_wf_actor"

// Columns are the columns that hold the field in its model's table: those of its property, or none of a field that is computed when
// it is read or whose members a table of all models holds.
func (f *Field) Columns() []plan.Column {
	if f.Live || f.Links != "" {
		return nil
	}
	return f.Property.Columns()
}

// Column returns the expression of the field's first column, as seen from its own record.
func (f *Field) Column() *plan.Field {
	c := f.Property.Columns()[0]
	return &plan.Field{Column: c.Name, K: c.Kind}
}

// Dependent says that computed fields of the records of To read a model, and how the records of To are found from one of it.
type Dependent struct {
	To      *Model              // never a sub-table
	Columns []string            // that are read, in order
	Readers map[string][]*Field // column -> the computed fields of To, or of its sub-tables, that read it
	Up      *plan.Field         // a relation of the model read: its targets are the records; nil with Back
	Back    []Step              // relations that lead from the records to the model, the last one first
}

// Step is a relation of a model, or of a sub-table.
type Step struct {
	Model  *Model
	Column *plan.Field
}

// DigestPart is a literal text or a field of the template that makes a record's name.
type DigestPart struct {
	Text  string
	Field *Field
}

// Sequence is the rule of sequenceNo.
type Sequence struct {
	Prefix string
	Date   string // Go layout: "", "2006", "200601", "20060102"
	Length int
	Reset  string // none year month day
}

// Rule is a data rule of a model.
type Rule struct {
	Field   *Field // nil: the whole record
	Type    int    // wire: 1 pattern, 2 formula, 3 hook
	Pattern string
	Formula plan.Expr
	Text    string // as written
	Hook    string
	Message plan.Label
}
