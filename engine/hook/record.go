package hook

import (
	"maps"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
)

// Record is the event of the points around a write: BeforeWrite may change Set or refuse, AfterWrite sees what was stored. The
// value of a sub-table in Set is the list of all its rows, []map[string]any by property code with wire values; a row that is
// already has its "id". A before-hook that takes a property out of Set leaves it as it was.
type Record struct {
	Principal principal.Principal
	World     world.World // in the write's own transaction, with the writer's rights
	Model     string
	ID        string
	Create    bool
	Delete    bool
	Restore   bool           // a deleted record comes back; Create is set too
	InProcess bool           // the write starts a workflow with the record, or comes from one of its tasks
	Old       map[string]any // property code -> Go value; nil on create
	Set       map[string]any // what changes
	// Stored reads the rows of a sub-table as they lie in the database, in order, property code -> Go value with "id". The writer sets it.
	Stored func(sheet string) ([]map[string]any, error)
}

// New is the whole record as it will be, or was stored, but for what is computed in between: Old with Set over it. nil on delete.
func (r *Record) New() map[string]any {
	if r.Delete {
		return nil
	}
	out := make(map[string]any, len(r.Old)+len(r.Set))
	maps.Copy(out, r.Old)
	for code, v := range r.Set {
		if v == nil {
			delete(out, code)
		} else {
			out[code] = v
		}
	}
	return out
}

// Hooks are those of one model. They run behind those of every model.
type Hooks struct {
	BeforeWrite, AfterWrite Point[*Record]
	// Codes are the model's own codes for what the engine refuses in general words: an employee number that two people have. They
	// stand over the message of a data rule.
	Codes map[Refusal]fault.Code
	// Holders are codes for why a record cannot be deleted, by the code of the model whose records refer to it. The argument of their
	// texts is how many of them the person sees.
	Holders map[string]fault.Code
}

// Refusal is what the engine refuses in a property.
type Refusal struct {
	Property string
	Code     fault.Code
}
