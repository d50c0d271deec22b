// Package authntest makes sign-ins cheap for tests. Programs must not import it; internal/fences sees to that.
package authntest

import (
	"testing"

	"github.com/sluice-platform/sluice/runtime/authn/internal/cost"
)

// Cheapen makes the one-time keys that passwords are encrypted with small, and hashes of passwords quick: full ones take longer than most tests.
// For TestMain or an init function of a test; in a program that go test has not built it does nothing.
func Cheapen() {
	if testing.Testing() {
		cost.Cheapen()
	}
}
