// Package widget is the contract of the widgets of portal pages: what an extension in plugins/*/widget/* implements (docs/adr/0061).
//
// A Type has a schema for its options and links them once. It says which of its options are pictures, lead somewhere, list records or show
// figures of a report; the runtime leaves out what a reader may not see, for every type in the same way.
package widget

import (
	"fmt"
	"regexp"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// Groups of the designer's palette.
const (
	Navigation = "navigation"
	Work       = "work"
	Figures    = "figures"
	Content    = "content"
	Layout     = "layout"
)

// Type is a type of widgets: TextList, Carousel, ...
type Type struct {
	Code  string // as documents write it: "TextList"
	Label plan.Label
	Group string // Navigation, Work, ...

	// Schema is the JSON Schema (draft 2020-12) of its own options. It may refer to the shared parts of portal pages by "#/$defs/...":
	// title, titles, icon, image, navigator, records and the like; see the schema of plugins/core/kind/portal.
	Schema []byte

	Width, Height int // in the grid of 12 columns and rows of 12 pixels, where a document says nothing

	// Container: it holds other widgets, under the key widgets. Holds are their types, nil = any that may stand there.
	Container bool
	Holds     []string
	// Within are the types of containers that it is in; nil = anywhere.
	Within []string

	// Public: it may stand on a page that is read without signing in.
	Public bool

	// Compile links the options of one widget. It may be nil.
	Compile func(Linker, *source.Node)
}

// Name implements registry.Entry.
func (t Type) Name() string { return t.Code }

// Options implements registry.Entry.
func (t Type) Options() []byte { return t.Schema }

var codeForm = regexp.MustCompile(`^[A-Z][a-zA-Z0-9]{0,62}$`)

// Check tells what is wrong with a type that a pack registers.
func (t Type) Check() error {
	switch {
	case !codeForm.MatchString(t.Code):
		return fmt.Errorf("widget %q: the code begins with a capital and has letters and digits only", t.Code)
	case t.Label.Zh == "" || t.Label.I18n["en"] == "":
		return fmt.Errorf("widget %s: the label needs a Chinese and an English text", t.Code)
	case t.Width < 1 || t.Width > catalog.PortalColumns || t.Height < 1:
		return fmt.Errorf("widget %s: a width of 1 to %d columns and a height are needed", t.Code, catalog.PortalColumns)
	case len(t.Holds) > 0 && !t.Container:
		return fmt.Errorf("widget %s: only a container holds widgets", t.Code)
	}
	return nil
}

// Linker is what Compile asks of the page and the other documents. Each method takes a node of the widget's options, reports what is wrong
// there, and notes what the runtime has to do with it. nil nodes are passed over.
type Linker interface {
	kind.Linker
	// Title reports a title that is wider than catalog.TitleUnits.
	Title(at *source.Node)
	// Picture notes a text that is the name of an icon, a file of the pack, or the id of an upload.
	Picture(at *source.Node)
	// Opens notes an object that leads somewhere, by its actionType or gotoType. Entries of arrays that a reader may not follow are left out.
	Opens(at *source.Node)
	// Records notes an object that lists records: schemaCode, queryCode, condition, displayField, sortField, sortRule. What is named under
	// the keys more is read besides the properties that are shown. nil after a report.
	Records(at *source.Node, more ...string) *catalog.PortalRows
	// Figures notes an object that shows a report: reportCode, and chartCode or dataSet with the measures under the given keys.
	Figures(at *source.Node, measures ...string)
	// Embeds reports an address that no pack allows to be embedded.
	Embeds(at *source.Node)
}

// KindApp is the kind of applications, for Linker.Exists.
const KindApp = def.KindApp

// TextList links a list of texts: of records, or of what a person has to do in workflows.
func TextList(l Linker, at *source.Node) {
	l.Title(at.Get("title"))
	l.Picture(at.Get("icon"))
	if at.Get("dataSource").Text() == "bizModel" {
		l.Records(at)
		return
	}
	if code := at.Get("workflowCode"); code != nil {
		l.Exists(catalog.KindWorkflow, code)
	}
}
