package app

import (
	"context"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/directory"
)

var _ world.Workflows = (*transaction)(nil)

func (t *transaction) Waiting(ctx context.Context, user string) ([]string, error) {
	if err := t.hands(user); err != nil {
		return nil, err
	}
	return t.app.flows.Waiting(ctx, t.tx, user)
}

func (t *transaction) HandOverTasks(ctx context.Context, instance, from, to string) (int, error) {
	if err := t.hands(from); err != nil {
		return 0, err
	}
	return t.app.flows.HandOverIn(ctx, t.tx, t.view, instance, from, to)
}

func (t *transaction) HandOverDelegations(ctx context.Context, from, to string) (int, error) {
	if err := t.hands(from); err != nil {
		return 0, err
	}
	return t.app.flows.DelegationsOver(ctx, t.tx, from, to)
}

// hands refuses who may not hand over the work of a person.
func (t *transaction) hands(user string) error {
	if t.batch == nil {
		return errReadOnly
	}
	return t.batch.Allowed(directory.User, user, handing)
}
