package httpapi

import (
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// stuckTexts puts the errors at which an instance is stuck into words, also those of packs.
func (s *Server) stuckTexts(of []workflow.Stuck) {
	for i := range of {
		err := of[i].Fault
		if err == nil || err.Code == fault.Internal {
			continue
		}
		said := func(locale string) string { return own(err, locale, s.texts.sentence(err.Code, locale, err.Args)) }
		if text := (workflow.Words{Zh: said("zh"), En: said("en")}); text.Zh != "" && text.En != "" {
			of[i].Text = &text
		}
	}
}
