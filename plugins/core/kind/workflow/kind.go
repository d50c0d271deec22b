// Package workflow is the kind of definition "workflow": a template of approval for the records of one model. Its documents compile to
// catalog.Workflow.
package workflow

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
)

//go:embed schema.json
var schema []byte

// Kind is the kind of workflows.
var Kind = kind.Kind{
	Code:     catalog.KindWorkflow,
	Label:    plan.Label{Zh: "流程", I18n: map[string]string{"en": "workflow"}},
	Folder:   "workflows",
	Schema:   schema,
	New:      func(h def.Head) def.Document { return &document{Head: h} },
	Compile:  compile,
	Earlier:  earlier,
	Parts:    []kind.Part{{Kind: names.Node, List: "nodes", Key: "id"}},
	Messages: messages,
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
