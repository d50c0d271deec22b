package authn

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm/clause"
)

// SetPassword gives a user a password and ends all sessions that used the old one.
func (s *Service) SetPassword(ctx context.Context, user, password string, admin, mustReset bool) error {
	if err := CheckPassword(password, admin); err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	now := s.clock().UTC()
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		var old credential
		if err := tx.System().Where("user_id = ?", user).Limit(1).Find(&old).Error; err != nil {
			return err
		}
		next := credential{UserID: user, Hash: hash, Version: old.Version + 1, MustReset: mustReset, LastLogin: old.LastLogin, ChangedAt: now}
		if err := tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&next).Error; err != nil {
			return err
		}
		return tx.System().Model(&session{}).Where("user_id = ? AND kind = ? AND ended_at IS NULL", user, "browser").Update("ended_at", now).Error
	})
	s.forget("")
	return err
}

// ChangePassword checks the old password and sets the new one; the caller's own session is opened anew.
func (s *Service) ChangePassword(ctx context.Context, p principal.Principal, admin bool, index, oldEncrypted, newEncrypted string) (Tokens, error) {
	plain, err := s.decrypt(ctx, index, oldEncrypted, newEncrypted)
	if err != nil {
		return Tokens{}, err
	}
	cred, err := s.credential(ctx, p.UserID)
	if err != nil {
		return Tokens{}, err
	}
	match, err := s.hasher.Matches(ctx, cred.Hash, plain[0])
	if err != nil {
		return Tokens{}, err
	}
	if !match {
		return Tokens{}, fault.New(fault.PasswordWrong)
	}
	if plain[0] == plain[1] {
		return Tokens{}, fault.New(fault.PasswordSame)
	}
	if err := s.SetPassword(ctx, p.UserID, plain[1], admin, false); err != nil {
		return Tokens{}, err
	}
	return s.newSession(ctx, p.UserID)
}

func (s *Service) newSession(ctx context.Context, user string) (Tokens, error) {
	cred, err := s.credential(ctx, user)
	if err != nil {
		return Tokens{}, err
	}
	var out Tokens
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		out, err = s.openSession(tx, user, cred.Version)
		return err
	})
	return out, err
}

// ScriptToken makes a bearer token for a user's scripts. It ends after its life or with the next change of the password.
func (s *Service) ScriptToken(ctx context.Context, user string, life time.Duration) (string, error) {
	if life <= 0 {
		return "", fault.New(fault.BadParameter, "life")
	}
	now := s.clock().UTC()
	family := session{ID: uuid.Must(uuid.NewV7()).String(), UserID: user, Kind: "script", CreatedAt: now, ExpiresAt: now.Add(life)}
	cred, err := s.credential(ctx, user)
	if err != nil {
		return "", err
	}
	err = s.db.Write(ctx, func(tx *store.Tx) error { return tx.System().Create(&family).Error })
	if err != nil {
		return "", err
	}
	return s.sign(user, family.ID, cred.Version, family.ExpiresAt)
}

// LastLogin returns when a user signed in last.
func (s *Service) LastLogin(ctx context.Context, user string) (*time.Time, error) {
	cred, err := s.credential(ctx, user)
	return cred.LastLogin, err
}
