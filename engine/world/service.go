package world

import (
	"context"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Service is code that workflows run: a SERVICE node names it, or a hook of a workflow. It is registered in pack.Set.Services.
//
// At a node it runs in a transaction of its own, behind the act that led there: what it writes is stored together with the instance's next
// step, once. An error is tried again as the node says; after that the instance stops and an administrator decides. As a hook it runs inside
// the transaction of the event, and an error refuses what led to it.
type Service struct {
	Code   string     // "quality.recount": begins with the pack's code
	Title  plan.Label // what authors read: 重新统计, "Recount"
	Reason string     // of pack.json: whose role it has, for often nobody is there. It may change the record that the workflow is moving.
	// Run does it. A node's output reads what it returns, by names: result.total. Of a hook it is not used.
	Run func(ctx context.Context, w World, call ServiceCall) (map[string]any, error)
}

// Name implements registry.Entry.
func (s Service) Name() string { return s.Code }

// Options implements registry.Entry.
func (Service) Options() []byte { return nil }

// ServiceCall is for what a Service runs.
type ServiceCall struct {
	Workflow, Instance string         // code and id
	Model, Record      string         // that the workflow is moving
	Initiator          string         // id of the person who started it
	Node               string         // "" = of a hook of the whole instance
	Event              string         // of a hook: "instance.completed"; "" = of a node
	Attempt            int            // of a node, from 1
	Input              map[string]any // of a node, in the wire form
}
