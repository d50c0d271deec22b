// Package report is the kind of definition "report": data sets over models, and the charts and pivot tables that show them. Its documents compile to
// catalog.Report.
package report

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

// Kind is the kind of reports.
var Kind = kind.Kind{
	Code:     catalog.KindReport,
	Label:    plan.Label{Zh: "报表", I18n: map[string]string{"en": "report"}},
	Folder:   "reports",
	Schema:   schema,
	Readers:  true,
	New:      func(h def.Head) def.Document { return &document{Head: h} },
	Compile:  compile,
	Messages: messages,
}

// Register adds the kind to a set.
func Register(s *pack.Set) error { return s.Kinds.Add(Kind) }
