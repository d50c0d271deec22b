// Package print is the kind of definition "print": a template that lays a record out on paper. Its documents compile to catalog.Print.
package print

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
)

//go:embed schema.json
var schema []byte

// Kind is the kind of print templates.
var Kind = kind.Kind{
	Code:     catalog.KindPrint,
	Label:    plan.Label{Zh: "打印模板", I18n: map[string]string{"en": "print template"}},
	Folder:   "prints",
	Schema:   schema,
	New:      func(h def.Head) def.Document { return &document{Head: h} },
	Files:    files,
	Readers:  true,
	Compile:  compile,
	Messages: messages,
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
