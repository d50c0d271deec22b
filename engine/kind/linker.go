package kind

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
)

// Linker is what Compile asks of the other documents. Each method reports what is wrong at the node that it is given, once, and returns
// nil or false; Compile goes on with the rest of its document. A name that an earlier fault has made unknown is not reported again. An
// empty text gives nil without a report: that a key is missing is said by the schema.
type Linker interface {
	// Report adds a diagnostic: a code of the kind's Messages, or of the engine.
	Report(code string, at *source.Node, args ...any)
	// ReportIn is Report at a place within the text of the node, counted in bytes.
	ReportIn(code string, at *source.Node, offset int, args ...any)
	// During runs a part of Compile and returns what it reported.
	During(part func()) diag.List
	// Suggest adds a diagnostic whose first argument is the wrong word, with "did you mean" when a candidate is near.
	Suggest(code string, at *source.Node, word string, candidates []string, args ...any)

	// Label gives the texts of an entry and warns about missing ones.
	Label(at *source.Node, named def.Named, fallback string) plan.Label

	// Model, List and Form resolve the code that a node holds.
	Model(at *source.Node) *catalog.Model
	List(at *source.Node) *catalog.List
	Form(at *source.Node) *catalog.Form
	// Exists resolves the code that a node holds to a document of any kind.
	Exists(kind def.Kind, at *source.Node) bool
	// Find returns the decoded document of a registered kind by its code, without case, and reports nothing. known is also true of
	// documents that could not be read, of those of the engine's own kinds and where a pack is missing; the document is nil then.
	Find(kind def.Kind, code string) (d def.Document, known bool)
	// Now is the code that a document has now, which an earlier version may call otherwise. Model, Find and the others take the code of then.
	Now(kind def.Kind, code string) string
	// NowPart is the code that a part of the document itself has now (Kind.Parts), which an earlier version may call otherwise.
	NowPart(k names.Kind, code string) string
	// Codes are those of a kind's documents, to suggest.
	Codes(kind def.Kind) []string
	// Forms are the forms of a model, in order; the generated one when authors wrote none.
	Forms(m *catalog.Model) []*catalog.Form
	// Linked reports whether an address is below an origin that links of a loaded pack names.
	Linked(address string) bool
	// Services and Rules are the names of the workflow services and data rules of the program.
	Services() []string
	Rules() []string
	// Action resolves the name of an action of the program.
	Action(at *source.Node) bool

	// Path resolves a property of a model: a code, or a way through relations or into a sub-table.
	Path(m *catalog.Model, at *source.Node) (catalog.Path, bool)
	// PathOf is Path for a text that is not the value of a node, such as a key or a part of a text: at is where it begins. An unknown name is
	// reported as code, with the name and the model.
	PathOf(m *catalog.Model, text string, at source.Place, code string) (catalog.Path, bool)
	// Chosen notes the options that a value of a property names, for who looks for what uses them.
	Chosen(f *catalog.Field, at *source.Node)
	// Refers notes that a place names something that Compile has found by itself, as a part of a document or with Find. Path is how it is defined:
	// "approval.check". The other methods note what they resolve.
	Refers(k names.Kind, path string, at source.Place)
	// Condition compiles a condition on the records of a model, which runs as SQL and in memory.
	Condition(m *catalog.Model, at *source.Node) plan.Expr
	// ConditionIn is Condition for a text that was made of what the node holds in another notation.
	ConditionIn(m *catalog.Model, at *source.Node, text string) plan.Expr
	// Formula compiles an expression on a record of a model with a value of the wanted kind. With related() it may read other records.
	Formula(m *catalog.Model, at *source.Node, want plan.Kind) plan.Expr
	// FormulaWith is Formula with further values that the kind's runtime gives, by their whole dotted name: initiator.dept. They are
	// plan.Vars of that name.
	FormulaWith(m *catalog.Model, at *source.Node, want plan.Kind, vars map[string]plan.Kind) plan.Expr
	// FormulaFor is FormulaWith for the value of a property: a text must be one of its options.
	FormulaFor(m *catalog.Model, at *source.Node, f *catalog.Field, vars map[string]plan.Kind) plan.Expr
	// Value reads a value that a document gives to a property. An earlier version writes options as they were called in its time.
	Value(f *catalog.Field, at *source.Node) (any, error)
	// OfPerson compiles a condition on who asks, and on no record: user., today(), now().
	OfPerson(at *source.Node) plan.Expr
	// Script compiles the script of a document, for a page of the given kind; nil for nil, and after a report.
	Script(f *def.File, page script.Kind) *catalog.File
}
