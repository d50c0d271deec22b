package workflow

import "github.com/sluice-platform/sluice/runtime/authz"

// Starts is nil for a workflow that the caller can start, and else the refusal.
func (s *Service) Starts(view *authz.View, code string) error {
	_, err := s.startable(view, code)
	return err
}
