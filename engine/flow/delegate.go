package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// What the rule of delegations does with open items: nobody asks for it by hand.
const (
	OpDelegate Operation = "delegate" // an item goes to the person who stands in for its person
	OpReturn   Operation = "return"   // and comes back
)

// standIn gives an open item to the person's delegate, or back. It stays the same item, with its turn, its weight and its time. Who has or had
// an item of the activity gets no second one, and what a delegate has goes no further.
func (r *run) standIn() error {
	i := r.s.Item(r.c.Item)
	if i == nil || r.c.Rule == "" {
		return fault.New(fault.ItemNotYours)
	}
	item := *i
	if !item.Open() || !item.counts() || r.s.Status != Processing && r.s.Status != Exception {
		return fault.New(fault.ItemFinished)
	}
	to, from := item.From, ""
	if r.c.Do == OpDelegate {
		if len(r.c.People) != 1 || item.From != "" {
			return fault.New(fault.TransferRefused)
		}
		to, from = r.c.People[0], item.Person
	}
	if to == item.Person || !r.able(to) || r.hasPart(item.Activity, to) {
		return fault.New(fault.TransferRefused)
	}
	r.item(item.ID, func(i *Item) { i.Person, i.From, i.IsRead = to, from, false })
	if item.Ready() {
		r.message(101, item, to)
	}
	return nil
}

// hasPart reports whether a person has an item of an activity that counts, open or done.
func (r *run) hasPart(activity int, person string) bool {
	return slices.ContainsFunc(r.s.Items, func(i Item) bool { return i.Activity == activity && i.Person == person && i.counts() })
}
