package exporter

import (
	"context"

	"github.com/sluice-platform/sluice/runtime/authz"
)

// Limit makes the limits of files and of a person smaller.
func (s *Service) Limit(file, person int64) { s.perFile, s.perPerson = file, person }

// ProgressAcross is Progress, with something that happens after the task was read and before its job is.
func (s *Service) ProgressAcross(ctx context.Context, view *authz.View, id string, happens func()) (Task, error) {
	t, err := s.task(ctx, view.User(), id)
	if err != nil {
		return Task{}, err
	}
	happens()
	return s.told(ctx, view, t)
}
