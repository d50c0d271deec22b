package authn

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// SetPassword gives a user a password and ends all sessions and tokens that they had. With mustReset their next session may do
// nothing but change it.
func (s *Service) SetPassword(ctx context.Context, user string, password secret.Text, admin, mustReset bool) error {
	return s.setPassword(ctx, user, password, admin, mustReset, false, nil)
}

// setPassword stores a password when the stored credential still satisfies the condition, in whose transaction no other
// change of it can happen; own: the person chose it.
func (s *Service) setPassword(ctx context.Context, user string, password secret.Text, admin, mustReset, own bool, still func(*store.Tx, credential) error) error {
	if err := CheckPassword(password, admin); err != nil {
		return err
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	change := passwordHash{hash: hash, mustReset: mustReset, own: own, still: still}
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.keepPassword(ctx, tx, user, change) })
	s.forget("")
	return err
}

// SetPasswordIn is SetPassword inside a transaction of the caller's, for a password that has to be changed at the next sign-in and that
// satisfies every rule (NewPassword). Sessions end with the commit, on every node.
func (s *Service) SetPasswordIn(ctx context.Context, tx *store.Tx, user string, password secret.Text) error {
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.keepPassword(ctx, tx, user, passwordHash{hash: hash, mustReset: true})
}

// passwordHash is a password that is to be stored.
type passwordHash struct {
	hash      string
	mustReset bool
	own       bool                              // the person chose it
	still     func(*store.Tx, credential) error // must hold in the transaction; nil = nothing
}

// keepPassword stores the hash of a password and ends the sessions and tokens of the user.
func (s *Service) keepPassword(ctx context.Context, tx *store.Tx, user string, in passwordHash) error {
	now := s.clock().UTC()
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
	if in.still != nil {
		if err := in.still(tx, c); err != nil {
			return err
		}
	}
	c.Hash, c.MustReset, c.Own, c.ChangedAt = in.hash, in.mustReset, &in.own, now
	if err := tx.System().Save(&c).Error; err != nil {
		return err
	}
	if err := s.endAll(tx, user, now); err != nil {
		return err
	}
	kind := audit.PasswordSet
	if in.own {
		kind = audit.PasswordOwn
	}
	return audit.Write(ctx, tx, audit.Entry{Kind: kind, Subject: user, About: s.nameOf(ctx, user)})
}

// PasswordChange is what a person gives to change their password: both encrypted with the one-time key of Index.
type PasswordChange struct {
	Index, Peer, Device string
	Old, New            secret.Text
}

// ChangePassword checks the old password and sets the new one; the caller's own session is opened again.
func (s *Service) ChangePassword(ctx context.Context, p principal.Principal, admin bool, in PasswordChange) (Tokens, error) {
	plain, err := s.decrypt(ctx, in.Index, in.Old, in.New)
	if err != nil {
		return Tokens{}, err
	}
	cred, err := s.credential(ctx, p.UserID)
	if err != nil {
		return Tokens{}, err
	}
	cred.UserID = p.UserID
	if err := s.prove(ctx, cred, plain[0], in.Peer); err != nil {
		return Tokens{}, err
	}
	if plain[0] == plain[1] {
		return Tokens{}, fault.New(fault.PasswordSame)
	}
	err = s.setPassword(ctx, p.UserID, plain[1], admin, false, true, func(_ *store.Tx, now credential) error {
		if now.Hash != cred.Hash { // changed since it was compared
			return fault.New(fault.PasswordWrong)
		}
		return nil
	})
	if err != nil {
		return Tokens{}, err
	}
	return s.newSession(ctx, p.UserID, place{in.Peer, in.Device})
}

func (s *Service) newSession(ctx context.Context, user string, at place) (Tokens, error) {
	cred, err := s.credential(ctx, user)
	if err != nil {
		return Tokens{}, err
	}
	var out Tokens
	err = s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		out, err = s.openSession(tx, user, cred.Version, at)
		return err
	})
	return out, err
}

// endAll ends every session and token of a user.
func (s *Service) endAll(tx *store.Tx, user string, now time.Time) error {
	tx.Touch(sessionTable)
	return tx.System().Model(&session{}).Where("user_id = ? AND ended_at IS NULL", user).Update("ended_at", now).Error
}

// Account is what the service knows of a user.
type Account struct {
	LastLogin *time.Time // the sign-in before the last one: the last one is the one under way
	LastFrom  string     // its address
	MustReset bool       // the password has to be changed before all else
	Unchanged bool       // the password is one that somebody else gave
	Password  bool       // there is one to change; not so for those who sign in by a provider alone
	FactorDue bool       // a role asks for a second factor and there is none: it has to be set up before all else
}

// Account returns when a user signed in before, and the state of their password.
func (s *Service) Account(ctx context.Context, user string) (Account, error) {
	cred, err := s.credential(ctx, user)
	unchanged := cred.Own != nil && !*cred.Own || cred.Own == nil && cred.Version == 1
	if err != nil {
		return Account{}, err
	}
	due := false
	if person, _ := s.people.Person(ctx, user); s.demands(person) {
		err = s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			on, err := hasFactor(tx, user)
			due = !on
			return err
		})
	}
	return Account{FactorDue: due, Password: cred.Hash != "", LastLogin: cred.BeforeLogin, LastFrom: cred.BeforeFrom, MustReset: cred.MustReset, Unchanged: unchanged}, err
}
