package hook

import "github.com/sluice-platform/sluice/engine/world"

// Move is the event of the point AfterMove: a workflow has moved a record into another state, and both are stored together. A write of the
// record by a person or by code is not a move; BeforeWrite and AfterWrite are for those. An error undoes the move and what led to it, and the
// person who acted reads it. Rehearsals of workflows move nothing.
type Move struct {
	Model, ID string
	Instance  string // of the workflow; "" = the record is in none any more, and counts as COMPLETED like one that never was in one
	Workflow  string // code of the workflow; "" = none
	// Old and New are the property sequenceStatus: DRAFT, PROCESSING, COMPLETED, CANCELED. A workflow that stopped (EXCEPTION) waits for an
	// administrator, and its record stays in PROCESSING.
	Old, New string
	// As is the World of a reason that the pack's pack.json declares, in the transaction of the move. Who moved the record is its principal;
	// one without a UserID is the workflow itself: a time was over, a service has answered, a sub-workflow has ended.
	// There is no World without a reason: the person who agrees need not have rights to what follows from it.
	As func(reason string) (world.World, error)
}
