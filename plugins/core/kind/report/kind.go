// Package report is the kind of definition "report": data sets over models, and the charts and pivot tables that show them.
package report

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
	Code:   "report",
	Label:  plan.Label{Zh: "报表", I18n: map[string]string{"en": "report"}},
	Folder: "reports",
	Schema: schema,
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
