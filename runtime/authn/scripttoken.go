package authn

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	maxLabel  = 100 // characters of a token's label
	maxTokens = 50  // open tokens of a user
)

// TokenOf is what a token for scripts is made for.
type TokenOf struct {
	Label    string // what it is for
	Life     time.Duration
	ReadOnly bool // nothing can be written with it
	// Apps are the applications that it reaches, and whether it may write there; nil = all that its person reaches. One that may write
	// nowhere is ReadOnly.
	Apps []principal.AppScope
}

// maxApps bounds what a token names.
const maxApps = 100

// appScope is an application of a token as its row has it.
type appScope struct {
	App   string `json:"app"`
	Write bool   `json:"write,omitempty"`
}

// appsText is the text of a row; "" = the token reaches all.
func appsText(apps []principal.AppScope) (string, error) {
	if apps == nil {
		return "", nil
	}
	rows := make([]appScope, len(apps))
	for i, a := range apps {
		rows[i] = appScope(a)
	}
	text, err := json.Marshal(rows)
	return string(text), err
}

// appsOf reads such a text. One that cannot be read reaches nothing.
func appsOf(text string) []principal.AppScope {
	if text == "" {
		return nil
	}
	var rows []appScope
	if json.Unmarshal([]byte(text), &rows) != nil {
		return []principal.AppScope{}
	}
	out := make([]principal.AppScope, len(rows))
	for i, r := range rows {
		out[i] = principal.AppScope(r)
	}
	return out
}

// writes reports whether something can be written with the token.
func (t TokenOf) writes() bool {
	some := func(a principal.AppScope) bool { return a.Write }
	return !t.ReadOnly && (t.Apps == nil || slices.ContainsFunc(t.Apps, some))
}

// MakeToken makes a bearer token for the scripts of a user who asks for it; they have 50 at most (TooManyTokens). It ends after its life,
// when it is revoked, with the next change of the password, or when the user is disabled.
func (s *Service) MakeToken(ctx context.Context, user string, of TokenOf) (string, error) {
	return s.token(ctx, user, of, maxTokens)
}

// ScriptToken is MakeToken for an operator, without that limit.
func (s *Service) ScriptToken(ctx context.Context, user, label string, life time.Duration) (string, error) {
	return s.token(ctx, user, TokenOf{Label: label, Life: life}, math.MaxInt64)
}

func (s *Service) token(ctx context.Context, user string, of TokenOf, most int64) (string, error) {
	if of.Life <= 0 {
		return "", fault.New(fault.BadParameter, "life")
	}
	label := strings.TrimSpace(of.Label)
	if len([]rune(label)) > maxLabel {
		return "", fault.New(fault.BadParameter, "label")
	}
	if of.Apps != nil && (len(of.Apps) == 0 || len(of.Apps) > maxApps) {
		return "", fault.New(fault.BadParameter, "apps")
	}
	apps, err := appsText(of.Apps)
	if err != nil {
		return "", err
	}
	now := s.clock().UTC()
	family := session{ID: uuid.Must(uuid.NewV7()).String(), UserID: user, Kind: kindScript, Label: label, ReadOnly: !of.writes(), Apps: apps, CreatedAt: now, ExpiresAt: now.Add(of.Life)}
	cred, err := s.credential(ctx, user)
	if err != nil {
		return "", err
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var open int64
		err := tx.System().Model(&session{}).Where("user_id = ? AND kind = ? AND ended_at IS NULL AND expires_at > ?", user, kindScript, now).Count(&open).Error
		if err == nil && open >= most {
			err = fault.New(fault.TooManyTokens, most)
		}
		if err != nil {
			return err
		}
		if err := tx.System().Create(&family).Error; err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.TokenMade, Subject: user, About: s.nameOf(ctx, user), Detail: map[string]string{"label": label}})
	})
	if err != nil {
		return "", err
	}
	return s.sign(user, family.ID, cred.Version, family.ExpiresAt)
}

// Session is an open session of a user: a browser's, or a token for scripts.
type Session struct {
	ID        string
	Script    bool
	ReadOnly  bool
	Apps      []principal.AppScope // of a token that is limited; nil = all
	Label     string
	Address   string // where it was opened; "" for tokens
	Device    string // what the browser said of itself
	CreatedAt time.Time
	SeenAt    *time.Time // of the last refresh, which comes every few minutes while a page is open; nil for tokens
	ExpiresAt time.Time
}

// Sessions are the open sessions and tokens of a user, oldest first.
func (s *Service) Sessions(ctx context.Context, user string) (out []Session, err error) {
	err = s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		out, err = s.SessionsIn(tx, user)
		return err
	})
	return out, err
}

// SessionsIn is Sessions in a transaction of the caller's, who has made sure that it may.
func (s *Service) SessionsIn(tx *store.Tx, user string) ([]Session, error) {
	var rows []session
	err := tx.System().Where("user_id = ? AND ended_at IS NULL AND expires_at > ?", user, s.clock().UTC()).Order("id").Find(&rows).Error
	out := make([]Session, len(rows))
	for i, r := range rows {
		out[i] = Session{ID: r.ID, Script: r.Kind == kindScript, ReadOnly: r.ReadOnly, Apps: appsOf(r.Apps), Label: r.Label, Address: r.Address, Device: r.Device,
			CreatedAt: r.CreatedAt, SeenAt: r.SeenAt, ExpiresAt: r.ExpiresAt}
	}
	return out, err
}

// Revoke ends one session or token of a user. Other nodes see it at most a second later.
func (s *Service) Revoke(ctx context.Context, user, id string) error {
	defer s.forget(id)
	return s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.RevokeIn(ctx, tx, user, id) })
}

// RevokeIn is Revoke in a transaction of the caller's, who has made sure that it may.
func (s *Service) RevokeIn(ctx context.Context, tx *store.Tx, user, id string) error {
	s.forget(id)
	tx.Touch(sessionTable)
	done := tx.System().Model(&session{}).Where("id = ? AND user_id = ? AND ended_at IS NULL", id, user).Update("ended_at", s.clock().UTC())
	if done.Error == nil && done.RowsAffected == 0 {
		return fault.New(fault.SessionNotFound)
	}
	if done.Error != nil {
		return done.Error
	}
	return audit.Write(ctx, tx, audit.Entry{Kind: audit.Revoked, Subject: user, About: s.nameOf(ctx, user)})
}

// RevokeOthers ends the sessions of a user's browsers but for one; tokens stay.
func (s *Service) RevokeOthers(ctx context.Context, user, but string) error {
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		tx.Touch(sessionTable)
		done := tx.System().Model(&session{}).Where("user_id = ? AND kind = ? AND id <> ? AND ended_at IS NULL", user, kindBrowser, but).Update("ended_at", s.clock().UTC())
		if done.Error != nil {
			return done.Error
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.RevokedAll, Subject: user, About: s.nameOf(ctx, user), Detail: map[string]string{"kept": "own"}})
	})
	s.forget("")
	return err
}

// RevokeAll ends all sessions and tokens of a user; the password stays.
func (s *Service) RevokeAll(ctx context.Context, user string) error {
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.RevokeAllIn(ctx, tx, user) })
	s.forget("")
	return err
}

// RevokeAllIn is RevokeAll in a transaction of the caller's, who has made sure that it may.
func (s *Service) RevokeAllIn(ctx context.Context, tx *store.Tx, user string) error {
	if err := s.endAll(tx, user, s.clock().UTC()); err != nil {
		return err
	}
	return audit.Write(ctx, tx, audit.Entry{Kind: audit.RevokedAll, Subject: user, About: s.nameOf(ctx, user)})
}
