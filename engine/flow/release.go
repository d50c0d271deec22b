package flow

import (
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
)

// claimed is why the others of a pool lost their items: somebody claimed the task.
const claimed = "claimed"

// Claimable reports whether an item is a share of a pool that its person can take out of it.
func (t *Template) Claimable(s *State, item int) bool {
	i := s.Item(item)
	return i != nil && i.State == ItemTodo && i.pooled() && t.at(s.Activity(i.Activity).Node).Mode == Claim
}

// Claimed reports whether an item was claimed and can be put back into its pool.
func (t *Template) Claimed(s *State, item int) bool {
	i := s.Item(item)
	if i == nil || i.State != ItemDoing || !i.pooled() || t.at(s.Activity(i.Activity).Node).Mode != Claim {
		return false
	}
	return i.Claimed || slices.ContainsFunc(s.Items, func(o Item) bool { return o.Activity == i.Activity && o.Reason == claimed })
}

// release puts a claimed item back into its pool: everybody who had it before has it again, of a live pool those whom its node names now.
func (r *run) release(item Item) error {
	if !r.t.Claimed(r.s, item.ID) {
		return fault.New(fault.ReleaseRefused)
	}
	for _, id := range r.s.itemsOf(item.Activity) { // also of the person who had it before it was passed on
		if r.s.Item(id).Claimed {
			r.item(id, func(i *Item) { i.Claimed = false })
		}
	}
	r.item(item.ID, func(i *Item) { i.State = ItemTodo })
	stays, err := r.stays(item.Activity)
	if err != nil {
		return err
	}
	r.refill(item.Activity, claimed, stays)
	r.log(item, "")
	return nil
}

// refill gives everybody of a pool their item again who lost it for a reason, unless they have another by now. stays are those whom the node of a live pool still names; nil = all.
func (r *run) refill(activity int, reason string, stays map[string]bool) {
	for _, id := range r.s.itemsOf(activity) {
		if other := *r.s.Item(id); other.State == ItemCancelled && other.Reason == reason {
			if !r.able(other.Person) {
				r.item(id, func(i *Item) { i.Reason = left })
				continue
			}
			if r.takesPart(activity, other.Person) { // by hand, meanwhile
				r.item(id, func(i *Item) { i.Reason = "adjusted" })
				continue
			}
			if other.Named && stays != nil && !stays[other.seat()] {
				r.item(id, func(i *Item) { i.Reason = unnamed })
				continue
			}
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
