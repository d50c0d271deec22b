package authn

import (
	"context"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Lock says how far failed attempts at the password of an account keep it closed.
type Lock struct {
	Failures int       // that still count, from the peer with the most of them
	Until    time.Time // no attempt before, from some peer; zero = the account is not locked
}

// lockKeys are the keys of attempts at a person's password. Attempts at the second step are not among them: who could clear them as often as they like
// could try every code.
func lockKeys(user string) []string {
	return []string{guessKey("account", "user "+user), guessKey("account", "change "+user)}
}

// LockIn returns the lock of a person's account. What an address is kept from, whatever the account, is not part of it.
func (s *Service) LockIn(tx *store.Tx, user string) (out Lock, err error) {
	now := s.clock().UTC()
	keys := lockKeys(user)
	var rows []guess
	if err := tx.System().Where("account IN ?", keys).Find(&rows).Error; err != nil {
		return Lock{}, err
	}
	for _, g := range rows {
		b := pairBucket
		if slices.Contains(keys, g.Key) {
			b = accountBucket
		}
		out.Failures = max(out.Failures, b.level(g, now))
		if g.FreeAt.After(now) && g.FreeAt.After(out.Until) {
			out.Until = g.FreeAt
		}
	}
	return out, nil
}

// UnlockIn forgets the failed attempts at the password of a person's account, from every peer, in a transaction of the caller's, who has made sure that it may.
func (s *Service) UnlockIn(ctx context.Context, tx *store.Tx, user string) error {
	now := s.clock().UTC()
	err := tx.System().Model(&guess{}).Where("account IN ?", lockKeys(user)).Updates(map[string]any{"empty_at": now, "free_at": now}).Error
	if err != nil {
		return err
	}
	return audit.Write(ctx, tx, audit.Entry{Kind: audit.SignInUnlocked, Subject: user, About: s.nameOf(ctx, user)})
}
