package authn

import (
	"context"
	"crypto/subtle"
	"errors"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Setup is the first administrator's way in: there is no default password. The secret comes from the environment or is
// printed once by the process; it is worth nothing when some account has a password.
type Setup struct {
	service *Service
	secret  secret.Text
	create  func(ctx context.Context, username, name string) (id string, err error)
	turn    sync.Mutex // the second of two at once need not make a person
}

// NewSetup prepares the set-up. create makes the record of the first administrator and returns its id.
func (s *Service) NewSetup(text secret.Text, create func(ctx context.Context, username, name string) (string, error)) *Setup {
	return &Setup{service: s, secret: text, create: create}
}

// SetupNeeded reports whether no account has a password yet.
func (s *Service) SetupNeeded(ctx context.Context) (bool, error) {
	var n int64
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&credential{}).Where("hash <> ''").Count(&n).Error
	})
	return n == 0, err
}

// NewSetupSecret makes the text that the process prints.
func NewSetupSecret() (secret.Text, error) {
	text, err := newToken()
	return secret.Text(text), err
}

// First is what the first administrator gives. Password is encrypted with the one-time key of Index.
type First struct {
	Username, Name, Index, Peer, Device string
	Secret, Password                    secret.Text
}

// Run makes the first administrator and signs in.
func (u *Setup) Run(ctx context.Context, in First) (Tokens, error) {
	u.turn.Lock()
	defer u.turn.Unlock()
	s := u.service
	needed, err := s.SetupNeeded(ctx)
	if err != nil {
		return Tokens{}, err
	}
	if !needed {
		return Tokens{}, fault.New(fault.SetupDone)
	}
	attempt, err := s.try(ctx, "set-up secret", in.Peer)
	if err != nil {
		return Tokens{}, err
	}
	if u.secret == "" || subtle.ConstantTimeCompare([]byte(in.Secret.Reveal()), []byte(u.secret.Reveal())) != 1 {
		return Tokens{}, fault.New(fault.SetupSecret)
	}
	if err := s.db.Write(ctx, attempt.right); err != nil {
		return Tokens{}, err
	}
	plain, err := s.decrypt(ctx, in.Index, in.Password)
	if err != nil {
		return Tokens{}, err
	}
	for parameter, value := range map[string]string{"username": in.Username, "name": in.Name} {
		if strings.TrimSpace(value) == "" {
			return Tokens{}, fault.New(fault.EmptyParameter, parameter)
		}
	}
	if err := CheckPassword(plain[0], true); err != nil {
		return Tokens{}, err
	}
	id, err := u.create(ctx, in.Username, in.Name)
	if err != nil {
		return Tokens{}, err
	}
	if id == "" {
		return Tokens{}, errors.New("set-up made no record")
	}
	if err := s.setPassword(ctx, id, plain[0], true, false, true, firstOfAll); err != nil {
		return Tokens{}, err
	}
	return s.newSession(ctx, id, place{in.Peer, in.Device})
}

// firstOfAll refuses when another node's set-up was faster. It holds a row that every installation has, for what both would
// look at is not there yet.
func firstOfAll(tx *store.Tx, c credential) error {
	if err := tx.System().Model(&keptKey{}).Where("name = ?", tokenKey).Update("name", tokenKey).Error; err != nil {
		return err
	}
	var others int64
	if err := tx.System().Model(&credential{}).Where("user_id <> ? AND hash <> ''", c.UserID).Count(&others).Error; err != nil {
		return err
	}
	if others > 0 {
		return fault.New(fault.SetupDone)
	}
	return nil
}
