package authn

import (
	"context"
	"crypto/subtle"
	"errors"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Setup is the first administrator's way in: there is no default password. The secret comes from the environment or is
// printed once by the process; it is worth nothing when some account has a password.
type Setup struct {
	service *Service
	secret  string
	create  func(ctx context.Context, username, name string) (id string, err error)
	turn    sync.Mutex // two at once would both find that no account has a password
}

// NewSetup prepares the set-up. create makes the record of the first administrator and returns its id.
func (s *Service) NewSetup(secret string, create func(ctx context.Context, username, name string) (string, error)) *Setup {
	return &Setup{service: s, secret: secret, create: create}
}

// SetupNeeded tells whether no account has a password yet.
func (s *Service) SetupNeeded(ctx context.Context) (bool, error) {
	var n int64
	err := s.db.Read(ctx, func(tx *store.Tx) error { return tx.System().Model(&credential{}).Count(&n).Error })
	return n == 0, err
}

// NewSetupSecret makes the text that the process prints.
func NewSetupSecret() (string, error) { return newToken() }

// Run makes the first administrator and signs in.
func (u *Setup) Run(ctx context.Context, secret, username, name, encrypted, index string) (Tokens, error) {
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
	if u.secret == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(u.secret)) != 1 {
		return Tokens{}, fault.New(fault.SetupSecret)
	}
	plain, err := s.decrypt(ctx, index, encrypted)
	if err != nil {
		return Tokens{}, err
	}
	for parameter, value := range map[string]string{"username": username, "name": name} {
		if strings.TrimSpace(value) == "" {
			return Tokens{}, fault.New(fault.EmptyParameter, parameter)
		}
	}
	if err := CheckPassword(plain[0], true); err != nil {
		return Tokens{}, err
	}
	id, err := u.create(ctx, username, name)
	if err != nil {
		return Tokens{}, err
	}
	if id == "" {
		return Tokens{}, errors.New("set-up made no record")
	}
	if err := s.SetPassword(ctx, id, plain[0], true, false); err != nil {
		return Tokens{}, err
	}
	return s.newSession(ctx, id)
}
