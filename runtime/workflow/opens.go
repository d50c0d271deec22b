package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// What a message about a workflow opens.
const (
	OpensTask  = "task"
	OpensTrack = "track"
)

// Opens tells what a message about a task and its instance opens for the caller: the task where it is the caller's, else the course of the
// instance where the caller takes part in it; "" = neither.
func (s *Service) Opens(ctx context.Context, view *authz.View, task, id string) (opens string, err error) {
	if task == "" && id == "" {
		return "", nil
	}
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		if task != "" {
			it, err := ownItem(tx, view, task)
			if err == nil && it.List != "" {
				opens = OpensTask
				return nil
			}
			if err != nil && fault.Of(err) != fault.ItemNotYours {
				return err
			}
		}
		if id == "" {
			return nil
		}
		r, err := s.read(ctx, tx, view, id)
		switch {
		case fault.Of(err) == fault.WorkflowNotFound:
			return nil
		case err != nil:
			return err
		case r.row.Initiator == view.User() || takesPart(r.state, view.User()) || administers(view):
			opens = OpensTrack
		}
		return nil
	})
	return opens, err
}
