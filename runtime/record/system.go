package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Sequence is the last running number of a model in a period.
type Sequence struct {
	Model  string `gorm:"primaryKey"`
	Period string `gorm:"primaryKey"` // "", 2026, 202611 or 20261121, by the model's reset
	Value  int64  `gorm:"not null"`
}

// TableName is the system table.
func (Sequence) TableName() string { return "sl_sequence" }

// Idempotency is the answer to a write that carried a key.
type Idempotency struct {
	Key     string    `gorm:"primaryKey;size:64"` // SHA-256 of who and key
	Request string    `gorm:"not null;size:64"`   // SHA-256 of what was asked
	Record  string    `gorm:"not null"`
	Version int64     `gorm:"not null"`
	Answer  []byte    // of a pack's call
	At      time.Time `gorm:"not null;index"`
}

// TableName is the system table.
func (Idempotency) TableName() string { return "sl_idempotency" }

// Meta are small facts, such as the digests of data files that were written.
type Meta struct {
	Key   string `gorm:"primaryKey"`
	Value string `gorm:"not null"`
}

// TableName is the system table.
func (Meta) TableName() string { return "sl_meta" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&History{}, &Sequence{}, &Idempotency{}, &Meta{}, &Recycled{}} }

// numbers is a block of running numbers that this transaction holds.
type numbers struct {
	m          *catalog.Model
	next, last int64
	size       int64 // of the block when it was taken
}

// periods are the layouts of Sequence.Reset.
var periods = map[string]string{"year": "2006", "month": "200601", "day": "20060102"}

// nextNumber makes the next sequenceNo: prefix, date, running number. The counter's row is locked until the commit, so a
// number that is rolled back is used again.
func (s *session) nextNumber(m *catalog.Model) (any, error) {
	day := s.now.In(s.w.zone)
	n := s.numbers[m.Code]
	if n == nil || n.next > n.last {
		count := int64(1)
		if n != nil && s.nested.gathers {
			count = min(2*n.size, mostNumbers)
		}
		if err := s.reserve(m, count); err != nil {
			return nil, err
		}
		n = s.numbers[m.Code]
	}
	value := n.next
	n.next++
	date := ""
	if m.Sequence.Date != "" {
		date = day.Format(m.Sequence.Date)
	}
	return fmt.Sprintf("%s%s%0*d", m.Sequence.Prefix, date, max(m.Sequence.Length, 1), value), nil
}

// reserve takes a block of numbers.
func (s *session) reserve(m *catalog.Model, count int64) error {
	last, err := s.raise(m, count)
	if err == nil {
		s.numbers[m.Code] = &numbers{m: m, next: last - count + 1, last: last, size: count}
	}
	return err
}

// mostNumbers is the largest block that is taken without knowing how many records will be made.
const mostNumbers = 256

// giveBack lets the counters go on after the last number that was used: their rows are held until the commit, so nobody has taken the next.
func (s *session) giveBack() error {
	for code, n := range s.numbers {
		if n.next > n.last {
			continue
		}
		if _, err := s.raise(n.m, n.next-n.last-1); err != nil {
			return err
		}
		delete(s.numbers, code)
	}
	return nil
}

// raise moves the counter of a model, and returns where it is.
func (s *session) raise(m *catalog.Model, by int64) (int64, error) {
	period := ""
	if layout, ok := periods[m.Sequence.Reset]; ok {
		period = s.now.In(s.w.zone).Format(layout)
	}
	at, err := s.tx.Raise(s.ctx, Sequence{}.TableName(), "value", by, []string{"model", "period"}, m.Code, period)
	if err != nil {
		return 0, fmt.Errorf("sequence of %s: %w", m.Code, err)
	}
	return at, nil
}

// keyLife is how long answers are kept for repeats.
const keyLife = 7 * 24 * time.Hour

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func (s *session) key(token string) string {
	p := s.view.Principal()
	return hash(p.UserID, p.System, token)
}

func request(ch Change) string {
	set, _ := json.Marshal(ch.Set) // a value that is no JSON is refused by decode
	parts := []string{ch.Model, ch.Form, ch.ID, string(set)}
	if ch.Amend != "" {
		parts = append(parts, ch.Amend)
	}
	return hash(parts...)
}

// claim takes the idempotency key for this write; of tells what is asked. When a write with it was committed before, its answer comes back and done
// is true; a write that is under way is waited for. The same key for another request is refused.
func (s *session) claim(token string, of func() string) (first Idempotency, done bool, err error) {
	if token == "" {
		return Idempotency{}, false, nil
	}
	request := of()
	if err := s.tx.System().Where("at < ?", s.now.Add(-keyLife)).Delete(&Idempotency{}).Error; err != nil {
		return Idempotency{}, false, err
	}
	row := Idempotency{Key: s.key(token), Request: request, At: s.now}
	res := s.tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
	if res.Error != nil || res.RowsAffected == 1 {
		return Idempotency{}, false, res.Error
	}
	var seen Idempotency
	if err := s.tx.System().Where("key = ?", row.Key).Take(&seen).Error; err != nil {
		return Idempotency{}, false, err
	}
	if seen.Request != row.Request {
		return Idempotency{}, false, fault.New(fault.RepeatSubmit)
	}
	return seen, true, nil
}

// answer keeps the answer for repeats.
func (s *session) answer(token string, a Idempotency) error {
	if token == "" {
		return nil
	}
	return s.tx.System().Model(&Idempotency{}).Where("key = ?", s.key(token)).Select("record", "version", "answer").Updates(a).Error
}

// Once runs f in a transaction unless the caller has done it before with the same key; then it returns what f returned. request tells
// what is asked: the same key with another request is refused. Without a key f always runs.
func (w *Writer) Once(ctx context.Context, tx *store.Tx, view *authz.View, token, request string, f func() ([]byte, error)) ([]byte, error) {
	s := w.session(ctx, tx, view)
	first, done, err := s.claim(token, func() string { return hash(request) })
	if err != nil || done {
		return first.Answer, err
	}
	answer, err := f()
	if err != nil {
		return nil, err
	}
	return answer, s.answer(token, Idempotency{Answer: answer})
}
