// Package portal is the kind of definition "portal": a page made of widgets. Its documents compile to catalog.Portal.
package portal

import (
	_ "embed"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

//go:embed schema.json
var schema []byte

// document is portals/<code>.json.
type document struct {
	def.Head
	App        string     `json:"appCode"`
	Published  *int       `json:"published"`
	Public     bool       `json:"public"`
	PublicRole string     `json:"publicRole"`
	Write      []string   `json:"write"`
	Personal   bool       `json:"personal"`
	Script     string     `json:"script"`
	ScriptText string     `json:"scriptText"`
	Page       *page      `json:"page"`
	Widgets    []widgetOf `json:"widgets"`
	scriptFile *def.File

	pictures []string    // the names of files beside it
	found    []*def.File // of each of them
}

type page struct {
	Node *source.Node `json:"@"`
}

// widgetOf is what all widgets have.
type widgetOf struct {
	Node   *source.Node `json:"@"`
	Type   string       `json:"type"`
	Code   string       `json:"code"`
	X      *int         `json:"x"`
	Y      *int         `json:"y"`
	Width  int          `json:"width"`
	Height int          `json:"height"`
	Read   []string     `json:"read"`
	Inner  []widgetOf   `json:"widgets"`
}

// Register adds the kind to a set. Its documents are made of the widgets of the set.
func Register(s *pack.Set) error {
	return s.Kinds.Add(kind.Kind{
		Code:   catalog.KindPortal,
		Label:  plan.Label{Zh: "门户页", I18n: map[string]string{"en": "portal page"}},
		Folder: "portals",
		Schema: schema, Widgets: true, Readers: true,
		Reserved: append(slices.Clone(systemPages), catalog.BuiltInPortal),
		New:      func(h def.Head) def.Document { return &document{Head: h} },
		Files:    files,
		Compile:  func(l kind.Linker, d def.Document) any { return compile(l, d.(*document), &s.Widgets) },
		Messages: messages,
	})
}
