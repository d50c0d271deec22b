package authn

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// SetPassword gives a user a password and ends all sessions and tokens that they had. With mustReset their next session may do
// nothing but change it.
func (s *Service) SetPassword(ctx context.Context, user string, password secret.Text, admin, mustReset bool) error {
	return s.setPassword(ctx, user, password, admin, mustReset, nil)
}

// setPassword stores a password when the stored credential still satisfies the condition, in whose transaction no other
// change of it can happen.
func (s *Service) setPassword(ctx context.Context, user string, password secret.Text, admin, mustReset bool, still func(*store.Tx, credential) error) error {
	if err := CheckPassword(password, admin); err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	now := s.clock().UTC()
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		fresh := credential{UserID: user, ChangedAt: now}
		if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh).Error; err != nil {
			return err
		}
		raised := tx.System().Model(&credential{}).Where("user_id = ?", user).Update("version", gorm.Expr("version + 1")) // holds the row
		if raised.Error != nil {
			return raised.Error
		}
		var c credential
		if err := tx.System().Where("user_id = ?", user).Take(&c).Error; err != nil {
			return err
		}
		if still != nil {
			if err := still(tx, c); err != nil {
				return err
			}
		}
		c.Hash, c.MustReset, c.ChangedAt = hash, mustReset, now
		if err := tx.System().Save(&c).Error; err != nil {
			return err
		}
		return s.endAll(tx, user, now)
	})
	s.forget("")
	return err
}

// ChangePassword checks the old password and sets the new one; the caller's own session is opened again.
func (s *Service) ChangePassword(ctx context.Context, p principal.Principal, admin bool, peer, index string, oldEncrypted, newEncrypted secret.Text) (Tokens, error) {
	plain, err := s.decrypt(ctx, index, oldEncrypted, newEncrypted)
	if err != nil {
		return Tokens{}, err
	}
	attempt, err := s.try(ctx, "change "+p.UserID, peer) // who found an open browser shall not find the password with it
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
	if err := s.db.Write(ctx, attempt.right); err != nil {
		return Tokens{}, err
	}
	if plain[0] == plain[1] {
		return Tokens{}, fault.New(fault.PasswordSame)
	}
	err = s.setPassword(ctx, p.UserID, plain[1], admin, false, func(_ *store.Tx, now credential) error {
		if now.Hash != cred.Hash { // changed since it was compared
			return fault.New(fault.PasswordWrong)
		}
		return nil
	})
	if err != nil {
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

// endAll ends every session and token of a user.
func (s *Service) endAll(tx *store.Tx, user string, now time.Time) error {
	tx.Touch(sessionTable)
	return tx.System().Model(&session{}).Where("user_id = ? AND ended_at IS NULL", user).Update("ended_at", now).Error
}

// FollowPeople ends, in the transaction of the write itself, the sessions and tokens of people who are disabled or deleted:
// they do not come back with the person. It is an outbox of the record writer; user is the code of the people's model.
func (s *Service) FollowPeople(user string) func(context.Context, *store.Tx, *hook.Record) error {
	return func(_ context.Context, tx *store.Tx, e *hook.Record) error {
		if e.Model != user || !e.Delete && e.Set["disabled"] != true {
			return nil
		}
		return s.endAll(tx, e.ID, s.clock().UTC())
	}
}

// Account is what the service knows of a user.
type Account struct {
	LastLogin *time.Time
	MustReset bool
}

// Account returns when a user signed in last and whether their password must be changed.
func (s *Service) Account(ctx context.Context, user string) (Account, error) {
	cred, err := s.credential(ctx, user)
	return Account{LastLogin: cred.LastLogin, MustReset: cred.MustReset}, err
}
