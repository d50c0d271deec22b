package notify

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/runtime/authz"
)

// Place is a page of the product that messages without a record open.
type Place string

// The pages.
const (
	PlaceDelegations Place = "delegations" // the page of delegations
	PlaceTasks       Place = "tasks"       // the open tasks of the recipient
	PlaceFindings    Place = "findings"    // what audits of workflows found
)

// place is the page that a message without a record opens for its reader; "" = none. A root administrator has no delegations.
func (r row) place(view *authz.View) Place {
	if r.Record != "" {
		return ""
	}
	if definitions[r.Type].target == ToDelegations && !view.Has("ADMIN") {
		return PlaceDelegations
	}
	var biz Biz
	if r.Model != "" || json.Unmarshal([]byte(r.Biz), &biz) != nil {
		return ""
	}
	switch {
	case r.Type == WorkHandover && biz.Tasks > 0:
		return PlaceTasks
	case r.Type == Custom && biz.Finding && view.Has(authz.Workflows):
		return PlaceFindings
	}
	return ""
}
