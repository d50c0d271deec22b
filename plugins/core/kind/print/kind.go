// Package print is the kind of definition "print": a template that lays a record out on paper.
package print

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
)

//go:embed schema.json
var schema []byte

// Kind has no Compile yet: documents are checked by the schema, and KIND001 tells authors so.
var Kind = kind.Kind{
	Code:   "print",
	Label:  plan.Label{Zh: "打印模板", I18n: map[string]string{"en": "print template"}},
	Folder: "prints",
	Schema: schema,
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
