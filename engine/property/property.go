// Package property is the contract of property types: what an extension in plugins/*/property/* implements, and all that
// the engine knows of it. It is between engine/plan (kinds, expressions) and engine/catalog (compiled models).
//
// A Type compiles a field once into a Property, which knows its options. Everything that not each type can do is a
// one-method interface found by type assertion, so no list of "types that cannot be sorted" exists anywhere.
package property

import (
	"time"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/place"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/registry"
)

// Type is a property type: ShortText, Number, StaffSingle, ...
type Type interface {
	registry.Entry
	Wire() int // propertyType on the wire (docs/authoring.md, Property types)
	// Compile checks the options of one definition and returns the field's behaviour. It runs to the end and reports
	// everything; after errors the Property must still answer Kind and Columns, so that later stages can go on.
	Compile(def.Property, Scope) (Property, diag.List)
}

// Scope is what a type may ask about the definitions around the one that it compiles.
type Scope interface {
	// Options returns a dictionary's options; false when there is none (Compile then reports PROP-codes itself).
	Dictionary(code string) ([]Option, bool)
	DictionaryCodes() []string
	// Codes are the documents of a kind ("model", "form", "role" and so on) as options, with the codes that they had. Of the kinds "property", "option"
	// and "node" they are the parts of what of names, and without it those of everything that has some: "model.property", "model.property:option",
	// "workflow.node", with the owner as Parent. ok is false when nothing that has such parts is called so.
	Codes(kind, of string) (options []Option, ok bool)
	// Model reports whether a model exists (also a broken one) and gives the codes of its properties with their kinds.
	Model(code string) (ModelInfo, bool)
	ModelCodes() []string
	// Zone is the installation's time zone.
	Zone() *time.Location
	// Places names administrative divisions; nil when the pack that has them is not loaded.
	Places() Places
	// SystemModels are the codes of the models that stand for people, departments and files.
	SystemModels() SystemModels
}

// ModelInfo is what a relation may know of its target at compile time.
type ModelInfo struct {
	Broken     bool
	Properties map[string]string // code -> property type name; system properties included
}

// SystemModels are the reserved models of the pack organisation.
type SystemModels struct{ User, Department string }

// Places resolves administrative division codes and reads addresses. A *place.Tree is one.
type Places interface {
	// Path returns the names of a division and those above it, from the province down, in a locale; nil when unknown.
	Path(code, locale string) []string
	// Find returns codes whose joined names contain the text, folded; for filters.
	Find(text string) []string
	// Read reads an address, and Write gives a text that Read takes back.
	Read(text string) place.Reading
	Write(code, rest, locale string) string
}

// Option is one choice.
type Option struct {
	Code     string
	Label    plan.Label
	Color    string
	Disabled bool
	Parent   string // code of the option above, in nested dictionaries
	Former   names.Former
}

// The columns of an option, as the condition of a choice names them.
const (
	OptionCode   = "code"
	OptionParent = "parent"
	OptionColor  = "color"
)

// Columns are the option as the condition of a choice sees it; what is empty is missing.
func (o Option) Columns() map[string]any {
	out := map[string]any{OptionCode: o.Code}
	if o.Parent != "" {
		out[OptionParent] = o.Parent
	}
	if o.Color != "" {
		out[OptionColor] = o.Color
	}
	return out
}

// Property is a compiled field.
type Property interface {
	Kind() plan.Kind // of the value in expressions; None when expressions cannot name it
	// Columns are the columns of the record's own table, named after the property's code (code, code__part); none for
	// sub-tables and computed-on-read fields. The first column is the one that expressions mean.
	Columns() []plan.Column
	// Parse turns a JSON value (encoding/json with UseNumber) or a cell's text into the property's Go value. nil means
	// empty. Errors are *ValueError.
	Parse(in any) (any, error)
	// Store turns a Go value into one value per column, in the forms of plan.Kind; Load is its inverse.
	Store(v any) []any
	Load(columns []any) any
	// AppendJSON appends the canonical wire form. Names of references come from n.
	AppendJSON(dst []byte, v any, n Names) []byte
	// Text is the value in words: the same in list, print and export.
	Text(v any, c TextContext) string
}

// ValueError is why Parse refused a value. Code is a number of schemas/errors.json (fault.FieldType, ...).
type ValueError struct {
	Code int
	Args []any
}

func (e *ValueError) Error() string { return "value refused" }

// Refuse makes the ValueError of a code.
func Refuse(c fault.Code, args ...any) error { return &ValueError{Code: int(c), Args: args} }

// Names gives display names that were resolved for a page beforehand. Missing = not visible or gone.
type Names interface {
	Name(plan.Ref) (Named, bool)
}

// Named is a resolved reference.
type Named struct {
	Name     string
	Written  string // for files: what is read as this one alone, where its name is not; "" = the name
	ImageURL string
	Mime     string // files
	Size     int64  // files
	Gone     bool   // files: nothing that the reader may see holds it now, so that it cannot be fetched
}

// ForFile is the text by which a file names it.
func (n Named) ForFile() string {
	if n.Written != "" {
		return n.Written
	}
	return n.Name
}

// TextContext is what a text depends on besides the value.
type TextContext struct {
	Locale        string // zh or en
	Zone          *time.Location
	Names         Names
	DisplayFormat string // overrides the property's own, same kind of format only; "" keeps it
}

// The abilities. A Property has an ability when it implements the interface.
type (
	// Referrer: values refer to people, departments, records or files whose names a page needs.
	Referrer interface{ Refs(v any) []plan.Ref }

	// Unbroken: texts of values in a context are figures, which no line of paper divides: one that is divided reads as another one. spaces says
	// whether they hold together at their spaces too, as a number and its unit do.
	Unbroken interface {
		Unbroken(c TextContext) (whole, spaces bool)
	}

	// Translator: stored texts that a definition declares are shown in the reader's language.
	Translator interface {
		Translated(labels map[string]plan.Label) Property
		// Translate gives a value as a list shows it.
		Translate(v any, locale string) any
		// Stored are the texts whose labels contain a word, in any language, without case.
		Stored(word string) []string
	}

	// Claimer: a wire value says more of what it refers to than the value keeps, namely of which model it is. Claims are these
	// words of a value that Parse took.
	Claimer interface{ Claims(in any) []plan.Ref }

	// Administered: only people and departments are chosen whose records the person who chooses may edit.
	Administered interface{ Administered() bool }

	// Filterer: values can be compared in list filters. Operators lists exactly the operators that the type allows.
	Filterer interface {
		Operators() []plan.Op
		// DefaultOperator is the operator of a list condition that names none.
		DefaultOperator() plan.Op
		// Filter compiles one positive operator (plan.Op.Positive; complements are made by the caller). operand is the wire
		// value: text ("a;b"), number, bool or array. column returns the expression of one of the type's own columns by its
		// name, rights already in it. Errors are *ValueError.
		Filter(op plan.Op, operand any, column func(name string) plan.Expr, at FilterContext) (plan.Expr, error)
	}

	// Dated: an operand of Between, or of Equal, means days from the first to the last, "2026-03-01" to "2026-03-31". ok is false when it
	// is open at an end, or none.
	Dated interface {
		Days(operand any, at FilterContext) (first, last string, ok bool)
	}

	// Sorter: rows can be ordered; the expressions in order of weight. path prefixes what lies behind a reference:
	// column("inspector") is the id, related("inspector", "name") the person's name.
	Sorter interface {
		SortBy(column func(name string) plan.Expr, related func(property, column string) plan.Expr) []plan.Expr
	}

	// Aggregator: footer figures that make sense.
	Aggregator interface{ Aggregates() []plan.Sum }

	// Relater: values refer to records of a model by a foreign key or link.
	Relater interface{ Relation() Relation }

	// Chooser: values come from options; disabled ones stay readable.
	Chooser interface{ Choices() []Option }

	// Dependent: a Chooser that offers only the options below what another choice beside it holds; "" = all of them.
	Dependent interface{ DependsOn() string }

	// Leveled: values lie in each other; the value that holds v on a level, from 1, or v itself where it is above that.
	Leveled interface{ AtLevel(v any, level int) any }

	// Nester: the property holds rows of its own with these properties (sub-tables, opinions).
	Nester interface{ Nested() Nested }

	// Gatherer: the value is made of the property's own rows, whose columns are Nested().Columns. Gather gets their cells in the order of
	// the rows; with a time it makes the value of then of them.
	Gatherer interface {
		Gather(rows [][]any, then time.Time) any
	}

	// OpinionKeeper: what people say of a record in its workflow becomes rows of the property. Keep gives the cells of one.
	OpinionKeeper interface{ Keep(o Opinion) []any }

	// Holder: a record may hold what nobody can choose any more. Holding is the property that reads that too, as what held is.
	Holder interface{ Holding(held any) Property }

	// Defaulter: a value of the type itself when the definition gives none.
	Defaulter interface{ Default() any }

	// Formatter: the text has several forms. Formats lists the displayFormats that a list or form may choose instead of the
	// property's own (the same kind of value), in the order in which a chooser offers them.
	Formatter interface{ Formats() []string }

	// FormatCoder: formats have numbers on the wire, besides their names.
	FormatCoder interface{ FormatCode(format string) int }

	// BulkEditor: one value may be given to many records at once. Bulk brings the wire value of such a change into its
	// limits before Parse reads it.
	BulkEditor interface{ Bulk(in any) any }

	// BulkLimiter: such a change has limits of its own, told like Limiter.FormOptions.
	BulkLimiter interface{ BulkOptions() map[string]any }

	// FileTaker: a property whose references without a model are files, and which of them it takes.
	FileTaker interface{ Files() FileLimits }

	// Converter: the property takes over stored values of other forms, for when it was of another type before. What no
	// conversion names is lost with a change of type.
	Converter interface{ Conversions() []plan.Conversion }

	// Limiter: constraints that the form shows and the write path has checked in Parse already: JSON Schema keywords of the
	// wire value (maxLength, minimum as text, maxItems) and options for the widget.
	Limiter interface {
		FormSchema() map[string]any
		FormOptions() map[string]any
	}
)

// FileLimits are the files that a property takes. Accept holds endings (".pdf") and types ("image/*"); none = every kind.
type FileLimits struct {
	Accept  []string
	MaxSize int64 // bytes, of one file
}

// Opinion is what somebody said of a record in a workflow.
type Opinion struct {
	Node   plan.Label // where
	User   string     // an id; "" = a rule alone
	Name   string     // of the user then, for when the account is gone
	Result string     // what they did: "agree", "disagree", "reject", ...
	Rule   string     // that decided in the person's place; "" = they did it themselves
	Text   string
	Time   time.Time
}

// FilterContext is what operands are read with.
type FilterContext struct {
	Zone *time.Location
	Now  time.Time
}

// Relation is a Relater's target.
type Relation struct {
	Model    string // code
	Display  string // property of the target that is shown; "name" = the digest
	Multiple bool
	OnDelete string // refuse, clear
}

// Nested are the rows of a Nester.
type Nested struct {
	Properties []def.Property // compiled by the engine into a sub-table model; nil when Columns says all
	Columns    []plan.Column  // rows that only the engine's own writers fill (opinions)
	MinRows    int
	MaxRows    int
	Writable   bool
}
