package notify

import (
	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Put keeps a message without words to somebody.
func (s *Service) Put(tx *store.Tx, to string, of Type) error {
	r := row{
		ID: uuid.Must(uuid.NewV7()).String(), Recipient: to, Unread: true, Kind: of.Kind(), Type: of, Params: "{}", Biz: "{}",
		CreatedAt: s.cfg.Clock().UTC(),
	}
	tx.Touch(table)
	return tx.System().Create(&r).Error
}
