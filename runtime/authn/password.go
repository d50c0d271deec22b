package authn

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn/internal/cost"
	"golang.org/x/crypto/argon2"
)

// Of argon2id: 19 MiB, two passes (internal/cost), one lane (about 25 ms). Hashes are computed one at a time so that a burst of
// sign-ins cannot take every core from the lists.
const (
	argonLanes  = 1
	argonLength = 32 // bytes of a hash
	argonSalt   = 16
)

// hasher computes argon2id hashes, one at a time.
type hasher struct {
	turn         chan struct{}
	memory, time uint32
	decoy        string // compared with when the account is unknown, so that the answer takes as long
}

func newHasher() (*hasher, error) {
	bytes := make([]byte, argonSalt+argonLength) // no password has these: comparing takes as long as with one that has
	if _, err := rand.Read(bytes); err != nil {
		return nil, err
	}
	h := &hasher{turn: make(chan struct{}, 1), memory: cost.Memory, time: cost.Time}
	h.decoy = h.writePHC(bytes[:argonSalt], bytes[argonSalt:])
	return h, nil
}

func (h *hasher) writePHC(salt, sum []byte) string {
	enc := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.time, argonLanes, enc(salt), enc(sum))
}

func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return busy(ctx)
	}
}

// busy says that a call's time ended while it waited for its turn.
func busy(ctx context.Context) error {
	refused := fault.Later(fault.TooManyRequests, 1)
	refused.Err = ctx.Err()
	return refused
}

// Hash returns the PHC string of a password.
func (h *hasher) Hash(ctx context.Context, password secret.Text) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer func() { <-h.turn }()
	salt := make([]byte, argonSalt)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	sum := argon2.IDKey([]byte(password.Reveal()), salt, h.time, h.memory, argonLanes, argonLength)
	return h.writePHC(salt, sum), nil
}

// Matches reports whether the password belongs to the PHC string; an empty string takes as long and never matches.
func (h *hasher) Matches(ctx context.Context, phc string, password secret.Text) (bool, error) {
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer func() { <-h.turn }()
	known := phc != ""
	if !known {
		phc = h.decoy
	}
	memory, time, lanes, salt, want, err := parsePHC(phc)
	if err != nil {
		return false, err
	}
	got := argon2.IDKey([]byte(password.Reveal()), salt, time, memory, lanes, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

func parsePHC(phc string) (memory, time uint32, lanes uint8, salt, sum []byte, err error) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return 0, 0, 0, nil, nil, errors.New("not an argon2id hash")
	}
	if _, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &lanes); err != nil {
		return 0, 0, 0, nil, nil, err
	}
	if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return 0, 0, 0, nil, nil, err
	}
	sum, err = base64.RawStdEncoding.DecodeString(parts[5])
	return memory, time, lanes, salt, sum, err
}

// Lengths of passwords: 8 characters for everyone, 12 for administrators; docs/adr/0005 gives the reasons.
const (
	minPassword      = 8
	minAdminPassword = 12
	maxPassword      = 64
)

// CheckPassword applies the rule for new passwords.
func CheckPassword(password secret.Text, admin bool) error {
	least := minPassword
	if admin {
		least = minAdminPassword
	}
	var digit, lower, upper, bad bool
	for _, r := range password.Reveal() {
		switch {
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsLower(r):
			lower = true
		case unicode.IsUpper(r):
			upper = true
		case unicode.IsSpace(r) || unicode.Is(unicode.Han, r):
			bad = true
		}
	}
	if n := len([]rune(password)); n < least || n > maxPassword || !digit || !lower || !upper || bad {
		return fault.New(fault.PasswordRule, least, maxPassword)
	}
	return nil
}

// NewPassword makes a random password that satisfies the rule, for accounts made on the command line.
func NewPassword() (secret.Text, error) {
	const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	for {
		b := make([]byte, 16)
		if _, err := rand.Read(b); err != nil {
			return "", err
		}
		for i := range b {
			b[i] = alphabet[int(b[i])%len(alphabet)]
		}
		if made := secret.Text(b); CheckPassword(made, true) == nil {
			return made, nil
		}
	}
}
