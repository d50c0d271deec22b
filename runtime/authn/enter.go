package authn

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

// entry is a sign-in whose first proof was right.
type entry struct {
	User    string `json:"user"`
	Version int64  `json:"version"` // of the credential when the proof was looked at
	By      string `json:"by"`      // code of the provider; "" = the password
}

// entered is what becomes of an entry: tokens, or the ticket of the second step.
type entered struct {
	tokens Tokens
	ticket string
}

// SecondStep is the Data of SecondFactor.
type SecondStep struct {
	Ticket string `json:"ticket"`
	Life   int    `json:"life"`             // seconds
	Return string `json:"return,omitempty"` // the path of ours that follows, where a provider was asked
}

func (e entered) answer() (Tokens, error) {
	if e.ticket != "" {
		return Tokens{}, &fault.Error{Code: fault.SecondFactor, Data: SecondStep{Ticket: e.ticket, Life: int(factorLife / time.Second)}}
	}
	return e.tokens, nil
}

// admit opens a session after the first proof, or asks for the second one where the person has it.
func (s *Service) admit(ctx context.Context, tx *store.Tx, e entry, person principal.Person, at place) (out entered, err error) {
	if e.By != "" { // people who only ever come by a provider have none yet
		fresh := credential{UserID: e.User, ChangedAt: s.clock().UTC()}
		if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh).Error; err != nil {
			return out, err
		}
	}
	on, err := hasFactor(tx, e.User)
	if err != nil {
		return out, err
	}
	if on {
		out.ticket, err = s.keepTicket(tx, forFactor, e, factorLife)
		return out, err
	}
	out.tokens, err = s.enter(ctx, tx, e, person, at, "")
	return out, err
}

// enter opens a session after the last proof; with names the one that came second.
func (s *Service) enter(ctx context.Context, tx *store.Tx, e entry, person principal.Person, at place, with string) (Tokens, error) {
	now := s.clock().UTC()
	seen := tx.System().Model(&credential{}).Where("user_id = ? AND version = ?", e.User, e.Version).Updates(map[string]any{
		"before_login": gorm.Expr("last_login"), "before_from": gorm.Expr("last_from"), "last_login": now, "last_from": at.address})
	if seen.Error != nil {
		return Tokens{}, seen.Error
	}
	if seen.RowsAffected != 1 { // the password was changed since it was compared
		return Tokens{}, fault.New(fault.LoginFailed)
	}
	out, err := s.openSession(tx, e.User, e.Version, at)
	if err != nil {
		return Tokens{}, err
	}
	detail := map[string]string{}
	if e.By != "" {
		detail["provider"] = e.By
	}
	if with != "" {
		detail["factor"] = with
	}
	return out, audit.Write(ctx, tx, audit.Entry{Kind: audit.SignedIn, Actor: person.ID, Name: person.Name, Address: at.address, Detail: detail})
}

// Proof is what a person gives to confirm what would weaken their account: the password, encrypted with the one-time key of Index.
type Proof struct {
	Index, Peer string
	Password    secret.Text
}

// freshFor is how long after a sign-in a person without a password may do what others confirm with it.
const freshFor = 10 * time.Minute

// confirm checks a proof: who found an open browser shall not change how its person signs in.
func (s *Service) confirm(ctx context.Context, p principal.Principal, in Proof) error {
	cred, err := s.credential(ctx, p.UserID)
	if err != nil {
		return err
	}
	if cred.Hash == "" {
		return s.justSignedIn(ctx, p)
	}
	plain, err := s.decrypt(ctx, in.Index, in.Password)
	if err != nil {
		return err
	}
	return s.prove(ctx, cred, plain[0], in.Peer)
}

// justSignedIn refuses sessions that began too long ago to confirm anything.
func (s *Service) justSignedIn(ctx context.Context, p principal.Principal) error {
	var family session
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("id = ?", p.Session).Limit(1).Find(&family).Error
	})
	if err == nil && s.clock().Sub(family.CreatedAt) > freshFor {
		err = fault.New(fault.SignInFresh)
	}
	return err
}

// prove compares the present password of somebody who is signed in; wrong ones are counted.
func (s *Service) prove(ctx context.Context, cred credential, password secret.Text, peer string) error {
	attempt, err := s.try(ctx, "change "+cred.UserID, peer)
	if err != nil {
		return err
	}
	match, err := s.hasher.Matches(ctx, cred.Hash, password)
	if err != nil {
		return err
	}
	if !match {
		return fault.New(fault.PasswordWrong)
	}
	return s.db.Write(ctx, attempt.right)
}
