package authn

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/oidc"
	"github.com/sluice-platform/sluice/runtime/store"
)

// identity links who somebody is at a provider to a person. The issuer and the subject count and nothing else of what a provider says.
type identity struct {
	ID        string `gorm:"primaryKey;size:36"`
	Issuer    string `gorm:"size:300;uniqueIndex:sl_identity_who,priority:1"`
	Subject   string `gorm:"size:255;uniqueIndex:sl_identity_who,priority:2"`
	UserID    string `gorm:"size:36;index"`
	Provider  string `gorm:"size:31"`
	Label     string `gorm:"size:200"` // what the person is called there, for the person
	CreatedAt time.Time
	UsedAt    *time.Time
}

func (identity) TableName() string { return "sl_identity" }

// leaving is what is known of a browser that was sent to a provider.
type leaving struct {
	Provider string `json:"provider"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
	Browser  string `json:"browser"` // hash of the cookie that the browser was given
	Return   string `json:"return"`
	User     string `json:"user"` // who links the identity to themselves; "" = a sign-in
	Session  string `json:"session"`
}

// Leave is a way to a provider: the address to open, and the text that the browser keeps in a cookie.
type Leave struct{ Address, Browser string }

// LeaveTo begins a sign-in by a provider. back is the path of ours that follows it.
func (s *Service) LeaveTo(ctx context.Context, provider, back string) (Leave, error) {
	return s.leave(ctx, leaving{Provider: provider, Return: back})
}

// LeaveToLink begins the linking of an identity to the person who asks, who confirms it.
func (s *Service) LeaveToLink(ctx context.Context, p principal.Principal, provider, back string, in Proof) (Leave, error) {
	if err := s.confirm(ctx, p, in); err != nil {
		return Leave{}, err
	}
	return s.leave(ctx, leaving{Provider: provider, Return: back, User: p.UserID, Session: p.Session})
}

func (s *Service) leave(ctx context.Context, l leaving) (out Leave, err error) {
	provider, ok := s.providers.Provider(l.Provider)
	if !ok {
		return out, fault.New(fault.ProviderUnknown)
	}
	if !OwnPath(l.Return) {
		return out, fault.New(fault.BadParameter, "return")
	}
	if out.Browser, err = newToken(); err != nil {
		return out, err
	}
	if l.Nonce, err = newToken(); err != nil {
		return out, err
	}
	l.Verifier, l.Browser = oauth2.GenerateVerifier(), hashToken(out.Browser)
	s.sweep(ctx, s.clock().UTC())
	var state string
	err = s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		state, err = s.keepTicket(tx, forProvider, l, providerLife)
		return err
	})
	if err != nil {
		return out, err
	}
	out.Address, err = s.providers.Address(ctx, l.Provider, oidc.Secrets{State: state, Nonce: l.Nonce, Verifier: l.Verifier})
	if err != nil {
		s.log.WarnContext(ctx, "sign-in provider failed", "provider", l.Provider, "error", err)
		return out, fault.Wrap(err, fault.ProviderFailed, provider.Name)
	}
	return out, nil
}

// maxReturn is how long a path to return to may be.
const maxReturn = 2000

// OwnPath reports whether a text is a path of ours, and nothing that a browser could take for another host.
func OwnPath(path string) bool {
	if len(path) > maxReturn || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\") ||
		strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r >= 0x7f && r <= 0x9f }) {
		return false
	}
	u, err := url.Parse(path)
	return err == nil && u.Scheme == "" && u.Host == "" && u.User == nil && !strings.Contains(u.Path, "//") && !strings.Contains(u.Path, "/..")
}

// Return is how a browser comes back from a provider. Who is the person who is signed in there, if anybody.
type Return struct {
	State, Browser, Code, Issuer, Peer, Device string
	Who                                        principal.Principal
}

// Returned is what becomes of it: tokens, or an identity that was linked.
type Returned struct {
	Tokens Tokens
	Path   string
	Linked bool
}

// ReturnFrom ends what LeaveTo or LeaveToLink began, in the same browser, once.
func (s *Service) ReturnFrom(ctx context.Context, in Return) (out Returned, err error) {
	var l leaving
	err = s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := s.lookAt(tx, forProvider, in.State, &l); err != nil {
			return err
		}
		return s.use(tx, in.State)
	})
	if err != nil {
		return out, err
	}
	if subtle.ConstantTimeCompare([]byte(hashToken(in.Browser)), []byte(l.Browser)) != 1 || l.User != "" && (in.Who.UserID != l.User || in.Who.Session != l.Session) {
		return out, fault.New(fault.SignInStale)
	}
	provider, ok := s.providers.Provider(l.Provider)
	if !ok {
		return out, fault.New(fault.ProviderUnknown)
	}
	who, err := s.providers.Identify(ctx, l.Provider, oidc.Secrets{State: in.State, Nonce: l.Nonce, Verifier: l.Verifier}, oidc.Answer{Code: in.Code, Issuer: in.Issuer})
	if err != nil {
		s.log.WarnContext(ctx, "sign-in provider failed", "provider", l.Provider, "error", err)
		return out, fault.Wrap(err, fault.ProviderFailed, provider.Name)
	}
	out.Path = l.Return
	if l.User != "" {
		out.Linked = true
		return out, s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.link(ctx, tx, provider, who, l.User, "self") })
	}
	out.Tokens, err = s.enterBy(ctx, provider, who, place{in.Peer, in.Device})
	var refused *fault.Error
	if errors.As(err, &refused) {
		if step, ok := refused.Data.(SecondStep); ok {
			step.Return = l.Return
			refused.Data = step
		}
	}
	return out, err
}

// enterBy signs in the person that an identity is linked to. The first link may be made here, where the operator allowed it.
func (s *Service) enterBy(ctx context.Context, provider oidc.Provider, who oidc.Identity, at place) (Tokens, error) {
	user, err := s.personOf(ctx, provider, who)
	if err != nil {
		return Tokens{}, err
	}
	person, ok := s.people.Person(ctx, user)
	if !ok || person.Disabled {
		s.log.WarnContext(ctx, "sign-in refused", "provider", provider.Code, "known", ok, "disabled", person.Disabled, "peer", at.address)
		if err := s.noteFailure(ctx, person, at.address, false); err != nil {
			return Tokens{}, err
		}
		return Tokens{}, fault.New(fault.IdentityUnknown, provider.Name)
	}
	var out entered
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := s.clock().UTC()
		used := tx.System().Model(&identity{}).Where("issuer = ? AND subject = ? AND user_id = ?", who.Issuer, who.Subject, user).Update("used_at", now)
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected != 1 { // unlinked meanwhile
			return fault.New(fault.IdentityUnknown, provider.Name)
		}
		var cred credential
		if err := tx.System().Where("user_id = ?", user).Limit(1).Find(&cred).Error; err != nil {
			return err
		}
		out, err = s.admit(ctx, tx, entry{User: user, Version: cred.Version, By: provider.Code}, person, at)
		return err
	})
	if err != nil {
		return Tokens{}, err
	}
	return out.answer()
}

// personOf returns the id of the person that an identity is linked to; "" when it is nobody's and may not become anybody's.
func (s *Service) personOf(ctx context.Context, provider oidc.Provider, who oidc.Identity) (user string, err error) {
	var known identity
	err = s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("issuer = ? AND subject = ?", who.Issuer, who.Subject).Limit(1).Find(&known).Error
	})
	if err != nil || known.UserID != "" {
		return known.UserID, err
	}
	var same []principal.Person
	if who.Email != "" && s.byEmail != nil {
		same = s.byEmail(ctx, who.Email)
	}
	how := "email"
	switch {
	case provider.LinkByEmail && who.Verified && len(same) == 1 && !same[0].Disabled && (s.guarded == nil || !s.guarded(same[0])):
		user = same[0].ID
	case provider.Create && len(same) == 0 && s.create != nil:
		how = "new"
		if user, err = s.create(ctx, provider, who); err != nil || user == "" {
			return "", err
		}
	default:
		return "", nil
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var others int64 // somebody else at the same provider has had this address before
		if err := tx.System().Model(&identity{}).Where("issuer = ? AND user_id = ?", who.Issuer, user).Count(&others).Error; err != nil {
			return err
		}
		if others > 0 {
			user = ""
			return nil
		}
		return s.link(ctx, tx, provider, who, user, how)
	})
	return user, err
}

// link stores whose an identity is. how: self, email or new.
func (s *Service) link(ctx context.Context, tx *store.Tx, provider oidc.Provider, who oidc.Identity, user, how string) error {
	label := who.Email
	for _, other := range []string{who.Username, who.Name, who.Subject} {
		if label == "" {
			label = other
		}
	}
	row := identity{ID: uuid.Must(uuid.NewV7()).String(), Issuer: who.Issuer, Subject: who.Subject, UserID: user, Provider: provider.Code, Label: shorten(label, 200),
		CreatedAt: s.clock().UTC()}
	made := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
	if made.Error != nil {
		return made.Error
	}
	if made.RowsAffected != 1 {
		var there identity
		err := tx.System().Where("issuer = ? AND subject = ?", who.Issuer, who.Subject).Take(&there).Error
		if err == nil && there.UserID != user {
			err = fault.New(fault.IdentityTaken, provider.Name)
		}
		return err
	}
	name := s.nameOf(ctx, user)
	e := audit.Entry{Kind: audit.Linked, Subject: user, About: name, Detail: map[string]string{"provider": provider.Code, "identity": row.Label, "by": how}}
	if how != "self" {
		e.Actor, e.Name = user, name
	}
	return audit.Write(ctx, tx, e)
}

func shorten(text string, most int) string {
	runes := []rune(strings.ToValidUTF8(text, ""))
	return string(runes[:min(len(runes), most)])
}

// Linked is an identity of a person at a provider.
type Linked struct {
	ID, Provider, Label string
	CreatedAt           time.Time
	UsedAt              *time.Time // of the last sign-in by it
}

// Identities are those that are linked to a person, oldest first.
func (s *Service) Identities(ctx context.Context, user string) ([]Linked, error) {
	var rows []identity
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("user_id = ?", user).Order("id").Find(&rows).Error
	})
	out := make([]Linked, len(rows))
	for i, r := range rows {
		out[i] = Linked{ID: r.ID, Provider: r.Provider, Label: r.Label, CreatedAt: r.CreatedAt, UsedAt: r.UsedAt}
	}
	return out, err
}

// Unlink takes an identity from a person. The last one stays while the person has no password.
func (s *Service) Unlink(ctx context.Context, user, id string) error {
	return s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		// The row of the credential is held, so that two at once do not take both.
		if err := tx.System().Model(&credential{}).Where("user_id = ?", user).UpdateColumn("user_id", user).Error; err != nil {
			return err
		}
		var rows []identity
		if err := tx.System().Where("user_id = ?", user).Find(&rows).Error; err != nil {
			return err
		}
		var passwords int64
		if err := tx.System().Model(&credential{}).Where("user_id = ? AND hash <> ''", user).Count(&passwords).Error; err != nil {
			return err
		}
		for _, r := range rows {
			if r.ID != id {
				continue
			}
			if passwords == 0 && len(rows) == 1 {
				return fault.New(fault.OnlyWayIn)
			}
			if err := tx.System().Where("id = ?", id).Delete(&identity{}).Error; err != nil {
				return err
			}
			return audit.Write(ctx, tx, audit.Entry{Kind: audit.Unlinked, Subject: user, About: s.nameOf(ctx, user), Detail: map[string]string{"provider": r.Provider, "identity": r.Label}})
		}
		return fault.New(fault.ProviderUnknown)
	})
}
