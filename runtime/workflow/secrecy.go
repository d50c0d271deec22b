package workflow

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// secrecy are the versions that instances ran by before they were moved, by instance. Those that were never moved have none.
type secrecy map[string][]*catalog.Workflow

// movedLike finds the events that tell of a move. What people write is quoted in an event and does not look like this.
const movedLike = `%"operation":"` + string(opMigrate) + `"%`

// secrecyOf reads by which versions instances ran, in one look at all of them.
func (s *Service) secrecyOf(tx *store.Tx, view *authz.View, of ...instance) (secrecy, error) {
	out := secrecy{}
	if len(of) == 0 {
		return out, nil
	}
	codes := map[string]string{}
	ids := make([]string, len(of))
	for i, row := range of {
		ids[i], codes[row.ID] = row.ID, row.Code
	}
	like, pattern := "body LIKE ?", any([]byte(movedLike))
	if s.cfg.DB.Dialect() == "sqlite" { // where no blob is like anything
		like, pattern = "CAST(body AS TEXT) LIKE ?", movedLike
	}
	var rows []event
	if err := tx.System().Where("instance IN ? AND "+like, ids, pattern).Order("instance, number").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, row := range rows {
		var e flow.Event
		if err := json.Unmarshal(row.Body, &e); err != nil {
			return nil, fmt.Errorf("event %d of the instance %s: %w", row.Number, row.Instance, err)
		}
		var before, after int
		if _, err := fmt.Sscanf(e.Text, movedText, &before, &after); err != nil || e.Operation != opMigrate {
			continue
		}
		w, err := s.workflow(tx, view.Catalog, codes[row.Instance], before)
		if err != nil {
			return nil, err
		}
		out[row.Instance] = append(out[row.Instance], w)
	}
	return out, nil
}

// secret reports whether what was said at a step of an instance is secret: where any version says so that the instance has run by and that has the
// step. So it is where none has it, or one of them cannot be read, for nobody knows what its people were promised.
func (k secrecy) secret(instance string, now *catalog.Workflow, node string) bool {
	known := false
	for _, w := range append(slices.Clone(k[instance]), now) {
		n := w.Nodes[node]
		if len(w.Nodes) == 0 || n != nil && n.Opinion.Secret {
			return true
		}
		known = known || n != nil
	}
	return !known
}

// hides reports whether what somebody said at a node is secret to the viewer.
func (r *running) hides(node, author string) (bool, error) {
	if node == "" || author == r.view.User() || administers(r.view) {
		return false, nil
	}
	if r.secrecy == nil {
		var err error
		if r.secrecy, err = r.s.secrecyOf(r.tx, r.view, r.row); err != nil {
			return true, err
		}
	}
	return r.secrecy.secret(r.row.ID, r.w, node), nil
}
