package workflow

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// nameFor is the name of an instance as somebody may read it. No step hides what it shows, so who takes part reads all of it, and so does who looks after
// workflows; others who see the record read the workflow's name where their roles hide something that it shows.
func (s *Service) nameFor(tx *store.Tx, view *authz.View, w *catalog.Workflow, row instance, state *flow.State) (string, error) {
	if oversees(view) || row.Initiator == view.User() || state != nil && takesPart(state, view.User()) {
		return row.Name, nil
	}
	before, err := s.secrecyOf(tx, view, row) // by which it may have been named
	if err != nil {
		return "", err
	}
	for _, one := range append(before[row.ID], w) {
		if one.Model == nil || namesHidden(view, one) {
			return w.Label.In(view.Principal().Locale), nil
		}
	}
	return row.Name, nil
}

// namesHidden reports whether names of a workflow's instances may show something that a person's roles hide.
func namesHidden(view *authz.View, w *catalog.Workflow) bool {
	for _, f := range namedFields(w) {
		if right, guard := view.Field(f); right == catalog.Hidden || !plan.IsTrue(guard) {
			return true
		}
	}
	return false
}

// namedFields are the properties of the record that names of a workflow's instances show.
func namedFields(w *catalog.Workflow) (out []*catalog.Field) {
	for _, m := range place.FindAllStringSubmatch(patternOf(w), -1) {
		code := m[1]
		if strings.EqualFold(code, "name") {
			code = catalog.Name
		}
		if f := w.Model.Field(code); f != nil && f.Sheet == nil {
			out = append(out, f)
		}
	}
	return out
}
