// Package stamp is an action that a test adds.
package stamp

import (
	"context"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the action to a set.
func Register(s *pack.Set) error { return s.Actions.Add(stamp{}) }

type stamp struct{}

func (stamp) Name() string { return "stamp" }

func (stamp) Options() []byte { return nil }

func (stamp) Run(_ context.Context, c action.Call) (any, error) { return len(c.IDs), nil }
