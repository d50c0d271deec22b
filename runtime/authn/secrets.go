package authn

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm/clause"
)

// keys are the installation's secrets. Nothing prints or marshals them.
type keys struct {
	sign   []byte // HMAC of access tokens
	seal   cipher.AEAD
	cursor []byte // HMAC of list cursors
}

// Format keeps the keys out of logs, whatever the verb.
func (keys) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, "***") }

// tokenKey is the name of the key that signs access tokens.
const tokenKey = "token"

func loadKeys(ctx context.Context, db *store.DB) (*keys, error) {
	k := &keys{}
	var seal []byte
	err := db.Write(ctx, func(tx *store.Tx) error {
		for name, to := range map[string]*[]byte{tokenKey: &k.sign, "seal": &seal, "cursor": &k.cursor} {
			value, err := ensureSecret(tx, name)
			if err != nil {
				return err
			}
			*to = value
		}
		return nil
	})
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

// ensureSecret returns the secret of that name, making it when it is missing; of two nodes at once one wins.
func ensureSecret(tx *store.Tx, name string) ([]byte, error) {
	value := make([]byte, 32)
	if _, err := rand.Read(value); err != nil {
		return nil, err
	}
	row := keptKey{Name: name, Value: value}
	if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
		return nil, err
	}
	var kept keptKey
	if err := tx.System().Where("name = ?", name).Take(&kept).Error; err != nil {
		return nil, err
	}
	return kept.Value, nil
}

func (k *keys) Seal(plain []byte) ([]byte, error) {
	nonce := make([]byte, k.seal.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return k.seal.Seal(nonce, nonce, plain, nil), nil
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
