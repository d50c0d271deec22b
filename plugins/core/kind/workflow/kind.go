// Package workflow is the kind of definition "workflow": a template of approval for the records of one model.
package workflow

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
	Code:   "workflow",
	Label:  plan.Label{Zh: "流程", I18n: map[string]string{"en": "workflow"}},
	Folder: "workflows",
	Schema: schema,
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
