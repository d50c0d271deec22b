// Package portal is the kind of definition "portal": a page made of widgets.
package portal

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/script"
)

//go:embed schema.json
var schema []byte

// Document is portals/<code>.json, as far as this version reads it.
type Document struct {
	def.Head
	Script     string `json:"script"`
	ScriptFile *def.File
}

// Kind has no Compile yet: documents are checked by the schema, and KIND001 tells authors so.
var Kind = kind.Kind{
	Code:   "portal",
	Label:  plan.Label{Zh: "门户页", I18n: map[string]string{"en": "portal page"}},
	Folder: "portals",
	Schema: schema,
	New:    func(h def.Head) def.Document { return &Document{Head: h} },
	Files: func(d def.Document) []kind.File {
		p := d.(*Document)
		return []kind.File{{Name: p.Script, At: p.Node.Get("script"), Ext: ".js", Limit: script.MaxScript, To: &p.ScriptFile}}
	},
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
