package design

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// reportKind shows what a report asks for and draws; its file is the only place where it is changed.
func reportKind() *Kind {
	return &Kind{Of: catalog.KindReport, Missing: fault.ReportNotFound, ReadOnly: true,
		Note: plan.Label{Zh: "报表", I18n: map[string]string{"en": "report"}}}
}
