package workflow

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
)

// Messages that a workflow sends where its definition asks for them, by their numbers.
const (
	messageNodeDone = 12
	messageItemDone = 13
)

// channelsOf are the channels of messages; nil = as their readers have chosen.
func channelsOf(n catalog.Notify) []string {
	if n.Channels == nil {
		return nil
	}
	out := []string{}
	for _, c := range n.Channels {
		out = append(out, strings.ToLower(c))
	}
	return out
}

// alsoTold are the messages that the definition asks for besides those of the reducer. They are no events: nothing is made of them again.
func (r *running) alsoTold(happened []told) (out []flow.Event) {
	now := r.s.cfg.Clock().UTC()
	for _, one := range happened {
		n := r.w.Nodes[one.node]
		if n == nil {
			continue
		}
		switch {
		case one.on == "workitem.completed" && n.Notify.ItemsCompleted && one.by != r.row.Initiator:
			out = append(out, flow.Event{Kind: flow.Messaged, At: now, By: one.by, Message: messageItemDone, On: one.item, Node: one.node, To: []string{r.row.Initiator}})
		case one.on == "activity.completed" && n.Notify.NodeCompleted:
			var people []string
			for _, i := range r.state.Items {
				if i.Activity == one.activity && i.Person != "" && i.Type != flow.ItemCirculate && i.Person != one.by && !slices.Contains(people, i.Person) {
					people = append(people, i.Person)
				}
			}
			out = append(out, flow.Event{Kind: flow.Messaged, At: now, By: one.by, Message: messageNodeDone, Node: one.node, To: people})
		}
	}
	return out
}
