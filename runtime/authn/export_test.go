package authn

import (
	"context"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn/internal/cost"
)

// MasterForTest is the key that tests seal with.
func MasterForTest(bool) (secret.Text, error) { return "a key of at least thirty-two characters", nil }

// What sign-ins cost in the product.
var productMake, productMemory, productTime = cost.Make, cost.Memory, cost.Time

func init() { cost.Cheapen() }

// Fail is an attempt at an account whose password was wrong, without the time that the hash takes.
func (s *Service) Fail(ctx context.Context, account, peer string) error {
	_, err := s.try(ctx, account, peer)
	return err
}
