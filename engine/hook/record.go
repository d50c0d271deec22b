package hook

import "github.com/sluice-platform/sluice/engine/principal"

// Record is the event of the points around a write: BeforeWrite may change Set or refuse, AfterWrite sees what was stored. The
// value of a sub-table in Set is the list of all its rows, []map[string]any by property code with wire values; a row that stands
// already has its "id". A before-hook that takes a property out of Set leaves it as it was.
type Record struct {
	Principal principal.Principal
	Model     string
	ID        string
	Create    bool
	Delete    bool
	Restore   bool           // a deleted record comes back; Create is set too
	Old       map[string]any // property code -> Go value; nil on create
	Set       map[string]any // what changes
}
