package workflow

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Messages that a workflow sends where its definition asks for them, by their numbers.
const (
	messageTask     = 101 // of the reducer: somebody has a task
	messageNodeDone = 12
	messageItemDone = 13
)

// asking are the messages that ask somebody to handle a task.
var asking = []notify.Type{11, messageDueSoon, messageOverdue, 101, 107}

// Over reports whether a message asks a person for a task that is not theirs to handle any more. biz are its parameters.
func (s *Service) Over(ctx context.Context, of notify.Type, person, biz string) (bool, error) {
	var about notify.Biz
	if !slices.Contains(asking, of) || json.Unmarshal([]byte(biz), &about) != nil || about.WorkItemID == "" {
		return false, nil
	}
	var open int64
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&item{}).Where("id = ? AND person = ? AND state IN ?", about.WorkItemID, person, openStates).Count(&open).Error
	})
	return open == 0, err
}

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
			out = append(out, flow.Event{Kind: flow.Messaged, At: now, By: flow.ByPerson(one.by), Message: messageItemDone, On: one.item, Node: one.node, To: []string{r.row.Initiator}})
		case one.on == "activity.completed" && n.Notify.NodeCompleted:
			var people []string
			for _, i := range r.state.Items {
				if i.Activity == one.activity && i.Person != "" && i.Type != flow.ItemCirculate && i.Person != one.by && !slices.Contains(people, i.Person) {
					people = append(people, i.Person)
				}
			}
			out = append(out, flow.Event{Kind: flow.Messaged, At: now, By: flow.ByPerson(one.by), Message: messageNodeDone, Node: one.node, To: people})
		}
	}
	return out
}
