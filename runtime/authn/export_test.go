package authn

import "context"

func init() { loginKeyBits = 1024 }

// Fail is an attempt at an account whose password was wrong, without the time that the hash takes.
func (s *Service) Fail(ctx context.Context, account, peer string) error {
	_, err := s.try(ctx, account, peer)
	return err
}
