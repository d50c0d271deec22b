package authn

import (
	"encoding/json"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ticket lets one further step of something that was begun be taken once: the way back from a provider, the code of a second factor. Only
// the hash of its text is kept; what it holds is sealed.
type ticket struct {
	Hash      string `gorm:"primaryKey;size:64"`
	Purpose   string `gorm:"size:20"`
	Sealed    []byte
	ExpiresAt time.Time `gorm:"index"`
}

func (ticket) TableName() string { return "sl_ticket" }

// What tickets are for; one of another purpose is worth nothing.
const (
	forProvider = "provider" // the answer of a provider
	forFactor   = "factor"   // the second step of a sign-in
	forEnrol    = "enrol"    // the first code of a new second factor
)

// Lives of tickets.
const (
	providerLife = 10 * time.Minute
	factorLife   = 5 * time.Minute
	enrolLife    = 30 * time.Minute
)

// keepTicket makes a ticket and returns its text.
func (s *Service) keepTicket(tx *store.Tx, purpose string, holds any, life time.Duration) (string, error) {
	text, err := newToken()
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(holds)
	if err != nil {
		return "", err
	}
	sealed, err := s.keys.sealFor("ticket "+purpose, plain)
	if err != nil {
		return "", err
	}
	return text, tx.System().Create(&ticket{Hash: hashToken(text), Purpose: purpose, Sealed: sealed, ExpiresAt: s.clock().UTC().Add(life)}).Error
}

// lookAt reads what a ticket holds and leaves it. A ticket that is not there, is used or has ended is SignInStale.
func (s *Service) lookAt(tx *store.Tx, purpose, text string, holds any) error {
	var row ticket
	found := tx.System().Where("hash = ? AND purpose = ? AND expires_at >= ?", hashToken(text), purpose, s.clock().UTC()).Limit(1).Find(&row)
	if found.Error != nil {
		return found.Error
	}
	if found.RowsAffected != 1 {
		return fault.New(fault.SignInStale)
	}
	plain, err := s.keys.openFor("ticket "+purpose, row.Sealed)
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, holds)
}

// use ends a ticket; the second of two at once is refused.
func (s *Service) use(tx *store.Tx, text string) error {
	gone := tx.System().Where("hash = ?", hashToken(text)).Delete(&ticket{})
	if gone.Error == nil && gone.RowsAffected != 1 {
		return fault.New(fault.SignInStale)
	}
	return gone.Error
}
