package authn

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm/clause"
)

// keys are the installation's secrets. Nothing prints or marshals them.
type keys struct {
	sign   []byte // HMAC of access tokens
	seal   cipher.AEAD
	cursor []byte // HMAC of list cursors
	paper  []byte // HMAC of the codes on paper
}

// Format keeps the keys out of logs, whatever the verb.
func (keys) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, "***") }

// tokenKey is the name of the key that signs access tokens.
const tokenKey = "token"

// Master gives the key that the installation's keys are sealed with at rest, any text of at least MasterLength characters. With
// make it makes one where there is none; otherwise it may answer "", and keys that are not sealed yet stay so.
type Master func(make bool) (secret.Text, error)

// MasterLength is the least length of a master key.
const MasterLength = 32

// ErrMaster: the keys in the database cannot be opened with the key that was given.
var ErrMaster = errors.New("the installation's keys cannot be opened: they were sealed with another key. Set SLUICE_KEY, --key-file or " +
	"the file sluice.key in --data to the key that was used before")

// ErrNoMaster: the keys in the database are sealed and no key was given.
var ErrNoMaster = errors.New("the installation's keys are sealed and there is no key to open them. Set SLUICE_KEY or --key-file, or put " +
	"sluice.key back into --data")

func loadKeys(ctx context.Context, db *store.DB, master Master) (*keys, error) {
	k := &keys{}
	var seal []byte
	load := func(tx *store.Tx, take func(*box, *store.Tx, string) ([]byte, error)) error {
		box, err := openBox(tx, master)
		if err != nil {
			return err
		}
		for _, one := range []struct {
			name string
			to   *[]byte
		}{{tokenKey, &k.sign}, {"seal", &seal}, {"cursor", &k.cursor}, {"paper", &k.paper}} {
			if *one.to, err = take(box, tx, one.name); err != nil {
				return err
			}
		}
		return nil
	}
	// It looks first: a process that writes need not be waited for.
	err := db.Read(ctx, func(_ context.Context, tx *store.Tx) error { return load(tx, (*box).kept) })
	if errors.Is(err, errNotKept) {
		err = db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return load(tx, (*box).ensure) })
	}
	if err != nil {
		return nil, fmt.Errorf("load the installation's keys: %w", err)
	}
	block, err := aes.NewCipher(seal)
	if err != nil {
		return nil, err
	}
	k.seal, err = cipher.NewGCM(block)
	return k, err
}

// box seals the installation's keys; nil leaves them as they are.
type box struct{ cipher.AEAD }

func openBox(tx *store.Tx, master Master) (*box, error) {
	var sealed int64
	if err := tx.System().Model(&keptKey{}).Where("sealed = ?", true).Count(&sealed).Error; err != nil {
		return nil, err
	}
	text, err := master(sealed == 0)
	if err != nil {
		return nil, err
	}
	given := strings.TrimSpace(text.Reveal())
	switch {
	case given == "" && sealed > 0:
		return nil, ErrNoMaster
	case given == "":
		return nil, nil
	case len(given) < MasterLength:
		return nil, fmt.Errorf("the key for the installation's keys has %d characters, fewer than %d; make one with: openssl rand -base64 32", len(given), MasterLength)
	}
	key, err := hkdf.Key(sha256.New, []byte(given), nil, "sluice: keys at rest", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &box{aead}, err
}

// ensure returns the key of that name, making it when it is missing and sealing it when it is not; of two nodes at once one wins.
func (b *box) ensure(tx *store.Tx, name string) ([]byte, error) {
	value := make([]byte, 32)
	if _, err := rand.Read(value); err != nil {
		return nil, err
	}
	fresh := keptKey{Name: name, Value: b.sealed(name, value), Sealed: b != nil}
	if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh).Error; err != nil {
		return nil, err
	}
	var kept keptKey
	if err := tx.System().Where("name = ?", name).Take(&kept).Error; err != nil {
		return nil, err
	}
	if b != nil && !kept.Sealed {
		done := tx.System().Model(&keptKey{}).Where("name = ? AND sealed = ?", name, false).
			Updates(map[string]any{"value": b.sealed(name, kept.Value), "sealed": true})
		if done.Error != nil {
			return nil, done.Error
		}
		if err := tx.System().Where("name = ?", name).Take(&kept).Error; err != nil {
			return nil, err
		}
	}
	return b.opened(kept)
}

// errNotKept: a key is missing or not sealed yet.
var errNotKept = errors.New("the key is not kept as it should be")

// kept returns the key of that name, if there is nothing to write about it.
func (b *box) kept(tx *store.Tx, name string) ([]byte, error) {
	var kept keptKey
	if err := tx.System().Where("name = ?", name).Limit(1).Find(&kept).Error; err != nil {
		return nil, err
	}
	if kept.Name == "" || b != nil && !kept.Sealed {
		return nil, errNotKept
	}
	return b.opened(kept)
}

func (b *box) opened(kept keptKey) ([]byte, error) {
	if !kept.Sealed {
		return kept.Value, nil
	}
	if b == nil {
		return nil, ErrNoMaster
	}
	plain, err := b.Open(nil, nil, kept.Value, []byte(kept.Name))
	if err != nil {
		return nil, ErrMaster
	}
	return plain, nil
}

func (b *box) sealed(name string, value []byte) []byte {
	if b == nil {
		return value
	}
	return b.Seal(nil, nil, value, []byte(name))
}

func (k *keys) Seal(plain []byte) ([]byte, error) {
	nonce := make([]byte, k.seal.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return k.seal.Seal(nonce, nonce, plain, nil), nil
}

// sealFor seals a text that openFor opens for the same thing only: moved to another row it is worth nothing.
func (k *keys) sealFor(what string, plain []byte) ([]byte, error) {
	nonce := make([]byte, k.seal.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return k.seal.Seal(nonce, nonce, plain, []byte(what)), nil
}

func (k *keys) openFor(what string, sealed []byte) ([]byte, error) {
	n := k.seal.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("sealed text is too short")
	}
	return k.seal.Open(nil, sealed[:n], sealed[n:], []byte(what))
}

func (k *keys) Open(sealed []byte) ([]byte, error) {
	n := k.seal.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("sealed text is too short")
	}
	return k.seal.Open(nil, sealed[:n], sealed[n:], nil)
}

// newToken is 256 random bits as text; only hashToken of it is ever stored.
func newToken() (string, error) {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
