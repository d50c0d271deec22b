// Package authntest makes sign-ins cheap for tests. Programs must not import it; internal/fences sees to that.
package authntest

import (
	"testing"

	"github.com/sluice-platform/sluice/runtime/authn/internal/keysize"
)

// SmallKeys makes the one-time keys that passwords are encrypted with small: making full ones takes longer than most tests.
// For TestMain or an init function of a test; in a program that go test has not built it does nothing.
func SmallKeys() {
	if testing.Testing() {
		keysize.Bits = 1024
	}
}
