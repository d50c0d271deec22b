package flow

import (
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
)

// claimed is why the others of a pool lost their items: somebody claimed the task.
const claimed = "claimed"

// Claimable reports whether an item is a share of a pool that its person can take out of it.
func (t *Template) Claimable(s *State, item int) bool {
	i := s.Item(item)
	return i != nil && i.State == ItemTodo && i.pooled() && t.Node(s.Activity(i.Activity).Node).Mode == Claim
}

// Claimed reports whether an item was claimed and can be put back into its pool.
func (t *Template) Claimed(s *State, item int) bool {
	i := s.Item(item)
	if i == nil || i.State != ItemDoing || !i.pooled() || t.Node(s.Activity(i.Activity).Node).Mode != Claim {
		return false
	}
	for _, id := range s.itemsOf(i.Activity) {
		if s.Item(id).Reason == claimed {
			return true
		}
	}
	return false
}

// release puts a claimed item back into its pool: everybody who had it before has it again.
func (r *run) release(item Item) error {
	if !r.t.Claimed(r.s, item.ID) {
		return fault.New(fault.ReleaseRefused)
	}
	r.item(item.ID, func(i *Item) { i.State = ItemTodo })
	r.refill(item.Activity, claimed)
	r.log(item, "")
	return nil
}

// refill gives everybody of a pool their item again who lost it for a reason.
func (r *run) refill(activity int, reason string) {
	for _, id := range r.s.itemsOf(activity) {
		if other := *r.s.Item(id); other.State == ItemCancelled && other.Reason == reason {
			state := ItemTodo
			if r.blocked(id) { // they have asked somebody who has not answered
				state = ItemWait
			}
			r.item(id, func(i *Item) { i.State, i.Reason, i.Finished = state, "", time.Time{} })
			if state == ItemTodo {
				r.message(101, other, other.Person)
			}
		}
	}
}
