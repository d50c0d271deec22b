package authn

import (
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn/internal/cost"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	loginKeyLife = 5 * time.Minute
	readyKeys    = 4 // made ahead at most, for a key takes longer to make than a page to load
)

// LoginKey is what a browser encrypts a password with; it serves once, within five minutes.
type LoginKey struct {
	Index string `json:"index"`
	Key   string `json:"key"` // SPKI, PEM
}

// keysAfter is how long after the start the first key is made: it costs a core some tenths of a second, which the first
// answers shall not share.
const keysAfter = 300 * time.Millisecond

// keyStock holds keys made ahead: one for the first visitor, and one more with each that was handed out until there are
// readyKeys. A server that nobody signs in to does not pay for the others.
type keyStock struct {
	ready chan *rsa.PrivateKey
	taken chan struct{} // wakes the maker
	want  atomic.Int32  // keys to have ready
	begin sync.Once
}

func newKeyStock() *keyStock {
	k := &keyStock{ready: make(chan *rsa.PrivateKey, readyKeys), taken: make(chan struct{}, 1)}
	k.want.Store(1)
	return k
}

// KeysAhead begins to make login keys before anybody asks for one: for servers.
func (s *Service) KeysAhead() {
	s.stock.begin.Do(func() {
		go func() {
			select {
			case <-time.After(keysAfter):
			case <-s.background.Done():
			}
			s.makeKeys()
		}()
	})
}

// makeKeys fills the stock of keys until the service is closed.
func (s *Service) makeKeys() {
	for s.background.Err() == nil {
		if len(s.stock.ready) >= int(s.stock.want.Load()) {
			select {
			case <-s.stock.taken:
			case <-s.background.Done():
			}
			continue
		}
		key, err := cost.Make()
		if err != nil {
			s.log.Error("make a login key", "error", err)
			return
		}
		s.stock.ready <- key // only the maker adds to it, and there is room
	}
}

// nextKey takes a key out of the stock, which grows with the demand.
func (s *Service) nextKey(ctx context.Context) (*rsa.PrivateKey, error) {
	s.stock.begin.Do(func() { go s.makeKeys() })
	select {
	case key := <-s.stock.ready:
		if n := s.stock.want.Load(); n < readyKeys {
			s.stock.want.CompareAndSwap(n, n+1)
		}
		select {
		case s.stock.taken <- struct{}{}:
		default: // it wakes already
		}
		return key, nil
	case <-ctx.Done():
		return nil, busy(ctx)
	}
}

// LoginKey hands out a new one-time key.
func (s *Service) LoginKey(ctx context.Context) (LoginKey, error) {
	key, err := s.nextKey(ctx)
	if err != nil {
		return LoginKey{}, err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return LoginKey{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return LoginKey{}, err
	}
	sealed, err := s.keys.Seal(private)
	if err != nil {
		return LoginKey{}, err
	}
	index, err := newToken()
	if err != nil {
		return LoginKey{}, err
	}
	now := s.clock().UTC()
	s.sweep(ctx, now)
	err = s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Create(&loginKey{Hash: hashToken(index), Sealed: sealed, ExpiresAt: now.Add(loginKeyLife)}).Error
	})
	if err != nil {
		return LoginKey{}, fmt.Errorf("keep a login key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	return LoginKey{Index: index, Key: string(text)}, nil
}

// sweepEvery is how often a node removes what has ended: keys that nobody used, old sessions and forgiven failures.
const sweepEvery = time.Minute

func (s *Service) sweep(ctx context.Context, now time.Time) {
	s.mu.Lock()
	due := now.Sub(s.swept) >= sweepEvery
	if due {
		s.swept = now
	}
	s.mu.Unlock()
	if !due {
		return
	}
	err := s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		for _, table := range []any{&loginKey{}, &refresh{}, &session{}, &ticket{}} {
			if err := tx.System().Where("expires_at < ?", now).Delete(table).Error; err != nil {
				return err
			}
		}
		return tx.System().Where("keep_until < ?", now).Delete(&guess{}).Error
	})
	if err != nil {
		s.log.WarnContext(ctx, "remove what has ended", "error", err)
	}
}

// decrypt uses up the key of that index and returns the plain texts (base64 of RSA-OAEP with SHA-256).
func (s *Service) decrypt(ctx context.Context, index string, texts ...secret.Text) ([]secret.Text, error) {
	var row loginKey
	err := s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		found := tx.System().Where("hash = ? AND expires_at >= ?", hashToken(index), s.clock().UTC()).Limit(1).Find(&row)
		if found.Error != nil {
			return found.Error
		}
		gone := tx.System().Where("hash = ?", hashToken(index)).Delete(&loginKey{})
		if gone.Error == nil && (found.RowsAffected != 1 || gone.RowsAffected != 1) {
			row = loginKey{}
		}
		return gone.Error
	})
	if err != nil {
		return nil, err
	}
	if row.Hash == "" {
		return nil, fault.New(fault.KeyExpired)
	}
	private, err := s.keys.Open(row.Sealed)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	out := make([]secret.Text, len(texts))
	for i, text := range texts {
		sealed, err := base64.StdEncoding.DecodeString(text.Reveal())
		if err != nil {
			return nil, fault.Wrap(err, fault.BadParameter, "password")
		}
		plain, err := rsa.DecryptOAEP(sha256.New(), nil, parsed.(*rsa.PrivateKey), sealed, nil)
		if err != nil {
			return nil, fault.Wrap(err, fault.BadParameter, "password")
		}
		out[i] = secret.Text(plain)
	}
	return out, nil
}
