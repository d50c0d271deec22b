package authn

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// maxLabel is the length of a token's label.
const maxLabel = 100

// ScriptToken makes a bearer token for a user's scripts. It ends after its life, when it is revoked, with the next change of
// the password, or when the user is disabled. The label says what it is for.
func (s *Service) ScriptToken(ctx context.Context, user, label string, life time.Duration) (string, error) {
	if life <= 0 {
		return "", fault.New(fault.BadParameter, "life")
	}
	label = strings.TrimSpace(label)
	if len([]rune(label)) > maxLabel {
		return "", fault.New(fault.BadParameter, "label")
	}
	now := s.clock().UTC()
	family := session{ID: uuid.Must(uuid.NewV7()).String(), UserID: user, Kind: kindScript, Label: label, CreatedAt: now, ExpiresAt: now.Add(life)}
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

// Session is an open session of a user: a browser's, or a token for scripts.
type Session struct {
	ID        string
	Script    bool
	Label     string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Sessions are the open sessions and tokens of a user, oldest first.
func (s *Service) Sessions(ctx context.Context, user string) ([]Session, error) {
	var rows []session
	err := s.db.Read(ctx, func(tx *store.Tx) error {
		return tx.System().Where("user_id = ? AND ended_at IS NULL AND expires_at > ?", user, s.clock().UTC()).Order("id").Find(&rows).Error
	})
	out := make([]Session, len(rows))
	for i, r := range rows {
		out[i] = Session{ID: r.ID, Script: r.Kind == kindScript, Label: r.Label, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt}
	}
	return out, err
}

// Revoke ends one session or token of a user. Other nodes see it at most a second later.
func (s *Service) Revoke(ctx context.Context, user, id string) error {
	defer s.forget(id)
	return s.db.Write(ctx, func(tx *store.Tx) error {
		s.forget(id)
		tx.Touch(sessionTable)
		done := tx.System().Model(&session{}).Where("id = ? AND user_id = ? AND ended_at IS NULL", id, user).Update("ended_at", s.clock().UTC())
		if done.Error == nil && done.RowsAffected == 0 {
			return fault.New(fault.BadParameter, id)
		}
		return done.Error
	})
}

// RevokeAll ends all sessions and tokens of a user; the password stays.
func (s *Service) RevokeAll(ctx context.Context, user string) error {
	err := s.db.Write(ctx, func(tx *store.Tx) error { return s.endAll(tx, user, s.clock().UTC()) })
	s.forget("")
	return err
}
