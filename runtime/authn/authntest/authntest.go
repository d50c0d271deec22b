// Package authntest makes sign-ins cheap for tests. Programs must not import it; internal/fences sees to that.
package authntest

import "github.com/sluice-platform/sluice/runtime/authn/internal/keysize"

// SmallKeys makes the one-time keys that passwords are encrypted with small: making full ones takes longer than most tests.
// For TestMain or an init function of a test.
func SmallKeys() { keysize.Bits = 1024 }
