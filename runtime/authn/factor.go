package authn

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

// factor is a person's second factor: a secret that an authenticator app shares (RFC 6238). Step is the last time step of which a code was
// taken: no code is taken twice.
type factor struct {
	UserID    string `gorm:"primaryKey;size:36"`
	Sealed    []byte // bound to the person
	Step      int64
	CreatedAt time.Time
}

func (factor) TableName() string { return "sl_factor" }

// recovery is a code that replaces the app's once; only its hash is kept.
type recovery struct {
	UserID string `gorm:"primaryKey;size:36"`
	Hash   string `gorm:"primaryKey;size:64"`
	UsedAt *time.Time
}

func (recovery) TableName() string { return "sl_recovery" }

const (
	stepSeconds   = 30
	stepsAround   = 1 // how many steps a clock may be off
	secretBytes   = 20
	recoveryCodes = 10
	recoveryBytes = 10 // 16 letters and digits
)

// codeForm is that of authenticator apps, which know no other everywhere.
var codeForm = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

var plainBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// Factor is what a person's second factor is like.
type Factor struct {
	On       bool
	Since    *time.Time
	Demanded bool // a role of theirs asks for it
	Codes    int  // recovery codes that are left
	Password bool // the account has a password, which confirms changes
}

// Factor returns the state of a person's second factor.
func (s *Service) Factor(ctx context.Context, user string) (out Factor, err error) {
	person, _ := s.people.Person(ctx, user)
	out.Demanded = s.demands(person)
	err = s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var f factor
		if err := tx.System().Where("user_id = ?", user).Limit(1).Find(&f).Error; err != nil {
			return err
		}
		if out.On = f.UserID != ""; out.On {
			out.Since = &f.CreatedAt
		}
		var left, passwords int64
		if err := tx.System().Model(&recovery{}).Where("user_id = ? AND used_at IS NULL", user).Count(&left).Error; err != nil {
			return err
		}
		out.Codes = int(left)
		err := tx.System().Model(&credential{}).Where("user_id = ? AND hash <> ''", user).Count(&passwords).Error
		out.Password = passwords > 0
		return err
	})
	return out, err
}

func hasFactor(tx *store.Tx, user string) (bool, error) {
	var n int64
	err := tx.System().Model(&factor{}).Where("user_id = ?", user).Count(&n).Error
	return n > 0, err
}

// Enrolment is a second factor that was not confirmed yet. Secret and Address are shown to its person once.
type Enrolment struct {
	Ticket, Secret, Address string
}

// enrolling is what its ticket holds.
type enrolling struct {
	User   string `json:"user"`
	Secret string `json:"secret"`
}

// BeginFactor makes the secret of a second factor, after the person confirmed it or has just signed in: who finds an open browser must not
// shut its owner out. Nothing changes before a first code shows that the app has it (ConfirmFactor).
func (s *Service) BeginFactor(ctx context.Context, p principal.Principal, installation string, in Proof) (out Enrolment, err error) {
	if in.Index == "" {
		err = s.justSignedIn(ctx, p)
	} else {
		err = s.confirm(ctx, p, in)
	}
	if err != nil {
		return out, err
	}
	raw := make([]byte, secretBytes)
	if _, err := rand.Read(raw); err != nil {
		return out, err
	}
	person, ok := s.people.Person(ctx, p.UserID)
	if !ok {
		return out, fault.New(fault.UserNotFound)
	}
	out.Secret = plainBase32.EncodeToString(raw)
	out.Address = keyAddress(installation, person.Username, out.Secret)
	err = s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		on, err := hasFactor(tx, p.UserID)
		if err == nil && on {
			err = fault.New(fault.FactorState)
		}
		if err == nil {
			out.Ticket, err = s.keepTicket(tx, forEnrol, enrolling{User: p.UserID, Secret: out.Secret}, enrolLife)
		}
		return err
	})
	return out, err
}

// keyAddress is what apps read from a picture. A colon separates the two names, so neither holds one.
func keyAddress(installation, username, text string) string {
	issuer := strings.ReplaceAll(installation, ":", " ")
	q := url.Values{"secret": {text}, "issuer": {issuer}}
	return "otpauth://totp/" + url.PathEscape(issuer+":"+strings.ReplaceAll(username, ":", " ")) + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// ConfirmFactor turns a second factor on and returns its recovery codes, which are told this once. The person's other sessions of
// browsers, which were opened without it, end.
func (s *Service) ConfirmFactor(ctx context.Context, p principal.Principal, ticket, code string) (codes []string, err error) {
	now := s.clock().UTC()
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var e enrolling
		if err := s.lookAt(tx, forEnrol, ticket, &e); err != nil {
			return err
		}
		if e.User != p.UserID {
			return fault.New(fault.SignInStale)
		}
		step, ok := matchingStep(e.Secret, code, now, 0)
		if !ok {
			return fault.New(fault.FactorWrong)
		}
		if err := s.use(tx, ticket); err != nil {
			return err
		}
		sealed, err := s.keys.sealFor("factor "+p.UserID, []byte(e.Secret))
		if err != nil {
			return err
		}
		made := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&factor{UserID: p.UserID, Sealed: sealed, Step: step, CreatedAt: now})
		if made.Error != nil {
			return made.Error
		}
		if made.RowsAffected != 1 {
			return fault.New(fault.FactorState)
		}
		if codes, err = s.newRecovery(tx, p.UserID); err != nil {
			return err
		}
		tx.Touch(sessionTable)
		ended := tx.System().Model(&session{}).Where("user_id = ? AND kind = ? AND id <> ? AND ended_at IS NULL", p.UserID, kindBrowser, p.Session).Update("ended_at", now)
		if ended.Error != nil {
			return ended.Error
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.FactorOn, Subject: p.UserID, About: s.nameOf(ctx, p.UserID)})
	})
	s.forget("")
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// newRecovery replaces the recovery codes of a person.
func (s *Service) newRecovery(tx *store.Tx, user string) ([]string, error) {
	if err := tx.System().Where("user_id = ?", user).Delete(&recovery{}).Error; err != nil {
		return nil, err
	}
	codes := make([]string, recoveryCodes)
	for i := range codes {
		raw := make([]byte, recoveryBytes)
		if _, err := rand.Read(raw); err != nil {
			return nil, err
		}
		text := strings.ToLower(plainBase32.EncodeToString(raw))
		codes[i] = text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
		if err := tx.System().Create(&recovery{UserID: user, Hash: hashToken(user + " " + text)}).Error; err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// RenewRecovery replaces the recovery codes, after the person confirmed it.
func (s *Service) RenewRecovery(ctx context.Context, p principal.Principal, in Proof) (codes []string, err error) {
	if err := s.confirm(ctx, p, in); err != nil {
		return nil, err
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		on, err := hasFactor(tx, p.UserID)
		if err == nil && !on {
			err = fault.New(fault.FactorState)
		}
		if err != nil {
			return err
		}
		if codes, err = s.newRecovery(tx, p.UserID); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.FactorCodes, Subject: p.UserID, About: s.nameOf(ctx, p.UserID)})
	})
	return codes, err
}

// FactorOff takes the second factor of a person away, after the person confirmed it.
func (s *Service) FactorOff(ctx context.Context, p principal.Principal, in Proof) error {
	if err := s.confirm(ctx, p, in); err != nil {
		return err
	}
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return s.removeFactor(ctx, tx, p.UserID, audit.FactorOff)
	})
	s.forget("")
	return err
}

// ResetFactorIn takes a person's second factor away in a transaction of the caller's, who has made sure that it may: for people who lost
// the app and the codes.
func (s *Service) ResetFactorIn(ctx context.Context, tx *store.Tx, user string) error {
	return s.removeFactor(ctx, tx, user, audit.FactorReset)
}

// ResetFactor is ResetFactorIn for an operator.
func (s *Service) ResetFactor(ctx context.Context, user string) error {
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.ResetFactorIn(ctx, tx, user) })
	s.forget("")
	return err
}

func (s *Service) removeFactor(ctx context.Context, tx *store.Tx, user string, kind audit.Kind) error {
	gone := tx.System().Where("user_id = ?", user).Delete(&factor{})
	if gone.Error != nil {
		return gone.Error
	}
	if gone.RowsAffected != 1 {
		return fault.New(fault.FactorState)
	}
	if err := tx.System().Where("user_id = ?", user).Delete(&recovery{}).Error; err != nil {
		return err
	}
	tx.Touch(sessionTable) // nodes remember who has one
	return audit.Write(ctx, tx, audit.Entry{Kind: kind, Subject: user, About: s.nameOf(ctx, user)})
}

// Second is the second step of a sign-in.
type Second struct {
	Ticket, Code, Peer, Device string
}

// Finish takes the code of the second step and opens the session. Wrong codes are counted like wrong passwords; the ticket stays good for
// another try until it ends.
func (s *Service) Finish(ctx context.Context, in Second) (Tokens, error) {
	var e entry
	if err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error { return s.lookAt(tx, forFactor, in.Ticket, &e) }); err != nil {
		return Tokens{}, err
	}
	person, ok := s.people.Person(ctx, e.User)
	if !ok || person.Disabled {
		return Tokens{}, fault.New(fault.SignInStale)
	}
	attempt, err := s.tryIn(ctx, factorBucket, "factor "+e.User, in.Peer)
	if err != nil {
		return Tokens{}, err
	}
	var out Tokens
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		with, err := s.spend(tx, e.User, in.Code)
		if err != nil {
			return err
		}
		if err := s.use(tx, in.Ticket); err != nil {
			return err
		}
		if err := attempt.right(ctx, tx); err != nil {
			return err
		}
		out, err = s.enter(ctx, tx, e, person, place{in.Peer, in.Device}, with)
		return err
	})
	if fault.Of(err) == fault.FactorWrong {
		s.log.WarnContext(ctx, "second factor refused", "user", e.User, "peer", in.Peer)
		if noted := s.noteFailure(ctx, person, in.Peer, attempt.locks); noted != nil {
			return Tokens{}, noted
		}
	}
	return out, err
}

// spend uses up a code of a person: the app's or a recovery code. It returns which one it was.
func (s *Service) spend(tx *store.Tx, user, code string) (with string, err error) {
	code = strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
	if len(code) > codeForm.Digits.Length() {
		used := tx.System().Model(&recovery{}).Where("user_id = ? AND hash = ? AND used_at IS NULL", user, hashToken(user+" "+code)).Update("used_at", s.clock().UTC())
		if used.Error == nil && used.RowsAffected != 1 {
			return "", fault.New(fault.FactorWrong)
		}
		return "recovery", used.Error
	}
	var f factor
	if err := tx.System().Where("user_id = ?", user).Limit(1).Find(&f).Error; err != nil {
		return "", err
	}
	if f.UserID == "" { // it was reset meanwhile
		return "", fault.New(fault.SignInStale)
	}
	text, err := s.keys.openFor("factor "+user, f.Sealed)
	if err != nil {
		return "", err
	}
	step, ok := matchingStep(string(text), code, s.clock(), f.Step)
	if !ok {
		return "", fault.New(fault.FactorWrong)
	}
	turned := tx.System().Model(&factor{}).Where("user_id = ? AND step < ?", user, step).Update("step", step)
	if turned.Error == nil && turned.RowsAffected != 1 { // the same code at the same time
		return "", fault.New(fault.FactorWrong)
	}
	return "app", turned.Error
}

// matchingStep returns the time step behind after, not far from now, whose code this is.
func matchingStep(text, code string, now time.Time, after int64) (int64, bool) {
	at := now.Unix() / stepSeconds
	for step := at - stepsAround; step <= at+stepsAround; step++ {
		if step <= after {
			continue
		}
		if ok, err := hotp.ValidateCustom(code, uint64(step), text, codeForm); err == nil && ok {
			return step, true
		}
	}
	return 0, false
}
