package app

import (
	"strings"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Blocked is the error of a plan with steps that nobody but a person may take.
type Blocked struct{ Plan *store.Plan }

// Error names each such step with the place of the document that asks for it.
func (b *Blocked) Error() string {
	return "the definitions need changes of tables that are not applied by themselves:\n" + PlanText(b.Plan, "en", func(s store.Step) bool { return s.Class != store.Safe })
}

// PlanText writes the steps of a plan that show chooses, a line each: class, place, what it does and the rows concerned.
func PlanText(p *store.Plan, locale string, show func(store.Step) bool) string {
	var w strings.Builder
	for _, s := range p.Steps {
		if !show(s) {
			continue
		}
		w.WriteString(string(s.Class) + "  ")
		if s.At != "" {
			w.WriteString(s.At + "  ")
		}
		w.WriteString(s.Text.In(locale) + "\n")
	}
	return w.String()
}
