// Package cost holds what the secrets of sign-ins cost, so that runtime/authn/authntest can change it for tests and
// nothing outside runtime/authn can.
package cost

import (
	"crypto/rand"
	"crypto/rsa"
	"sync"
)

// Tests change these before they open anything.
var (
	// Make makes a one-time key that a password is encrypted with.
	Make = func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }
	// Memory (KiB) and Time are those of argon2id.
	Memory, Time uint32 = 19 * 1024, 2
)

// Cheapen makes sign-ins cheap. The keys of a process are small, and come again after the first kept.
func Cheapen() {
	Memory, Time = 64, 1
	var mu sync.Mutex
	var made []*rsa.PrivateKey
	next := 0
	Make = func() (*rsa.PrivateKey, error) {
		mu.Lock()
		defer mu.Unlock()
		if len(made) == kept {
			next++
			return made[next%kept], nil
		}
		key, err := rsa.GenerateKey(rand.Reader, 1024)
		if err == nil {
			made = append(made, key)
		}
		return key, err
	}
}

// kept is more than any test holds at a time.
const kept = 32
