package authn

import (
	"context"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/belonging"
	"github.com/sluice-platform/sluice/runtime/store"
)

// SessionsOf are the open sessions of a person's browsers.
func (s *Service) SessionsOf() belonging.Things { return s.families(kindBrowser) }

// TokensOf are the tokens for a person's scripts.
func (s *Service) TokensOf() belonging.Things { return s.families(kindScript) }

func (s *Service) families(kind string) belonging.Things {
	open := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&session{}).Where("user_id = ? AND kind = ? AND ended_at IS NULL AND expires_at > ?", person, kind, s.clock().UTC())
	}
	end := belonging.Changed(open, func() map[string]any { return map[string]any{"ended_at": s.clock().UTC()} })
	return belonging.Things{Count: belonging.Counted(open), End: func(ctx context.Context, tx *store.Tx, person string) (int, error) {
		tx.Touch(sessionTable)
		return end(ctx, tx, person)
	}}
}

// IdentitiesOf are who a person is at sign-in providers. They may be linked to somebody else afterwards.
func (s *Service) IdentitiesOf() belonging.Things {
	linked := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&identity{}).Where("user_id = ?", person)
	}
	return belonging.Things{Count: belonging.Counted(linked), End: belonging.Removed(linked, &identity{})}
}

// LinksOf are the external links that a person made and that are open. They answer as withdrawn while their person is disabled (openLink).
func (s *Service) LinksOf() belonging.Things {
	open := func(tx *store.Tx, person string) *gorm.DB {
		return tx.System().Model(&link{}).Where("created_by = ? AND withdrawn_at IS NULL AND expires_at > ?", person, s.clock().UTC())
	}
	return belonging.Things{Count: belonging.Counted(open), Give: belonging.Given(open, "created_by"),
		End: belonging.Changed(open, func() map[string]any { return map[string]any{"withdrawn_at": s.clock().UTC()} })}
}
