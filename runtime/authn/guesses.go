package authn

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
	"gorm.io/gorm/clause"
)

// guess counts the failed attempts of one key as a leaky bucket. It is kept in the database, for an attacker who is sent
// to another node with each request must not be given new attempts there.
type guess struct {
	Key       string     `gorm:"primaryKey;size:64"` // hash: people type passwords into the field of the name
	Account   string     `gorm:"size:64;index"`      // the key of the account, also in rows of it from one peer; "" = of a peer
	EmptyAt   time.Time  // when all failures will have leaked away
	FreeAt    time.Time  // no attempt before
	ProvenAt  *time.Time // of a pair: when the account signed in from there last
	KeepUntil time.Time  `gorm:"index"`
}

func (guess) TableName() string { return "sl_guess" }

// bucket says how many failures a key may have before it has to wait, and how fast they are forgotten.
type bucket struct {
	free int
	leak time.Duration // after which one failure is forgotten
}

// One account from one peer; one peer, whatever the accounts; one account, whatever the peers. The last holds only for
// peers from which that account has not signed in before: a crowd of strangers cannot keep people out at their own place.
var (
	pairBucket    = bucket{free: 4, leak: 15 * time.Minute}
	peerBucket    = bucket{free: 60, leak: 30 * time.Second}
	accountBucket = bucket{free: 30, leak: time.Minute}
	// Who tries codes has the password: of a million codes three are good at any time, so a day allows about three hundred tries, whatever the peers.
	factorBucket = bucket{free: 10, leak: 15 * time.Minute}
)

const (
	firstWait  = 5 * time.Second // doubled with each further failure
	longestFor = 5 * time.Minute
	provenLife = 30 * 24 * time.Hour
)

// wait is how long the next attempt has to wait after a failure that raised the level to n.
func (b bucket) wait(n int) time.Duration {
	over := n - b.free
	if over <= 0 {
		return 0
	}
	return min(time.Duration(float64(firstWait)*math.Pow(2, float64(min(over-1, 20)))), longestFor)
}

func (b bucket) level(g guess, now time.Time) int {
	return int(math.Ceil(float64(g.EmptyAt.Sub(now)) / float64(b.leak)))
}

// attempt is one try at a password: it is counted as failed before the password is looked at, so that many at once do not
// slip through, and taken back when it was right.
type attempt struct {
	service             *Service
	pair, peer, account string
	each                bucket // of the account, whatever the peers
	locks               bool   // unless it is right, the next one has to wait
}

func guessKey(parts ...string) string { return hashToken(strings.Join(parts, "\x00")) }

// try counts an attempt at an account ("user 5f…", "name nobody"), or refuses it with the time to wait. The answer does not depend on whether the account exists.
func (s *Service) try(ctx context.Context, account, peer string) (*attempt, error) {
	return s.tryIn(ctx, accountBucket, account, peer)
}

func (s *Service) tryIn(ctx context.Context, each bucket, account, peer string) (*attempt, error) {
	account = strings.ToLower(account)
	a := &attempt{service: s, each: each, pair: guessKey("pair", account, peer), peer: guessKey("peer", peer), account: guessKey("account", account)}
	var wait time.Duration
	err := s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		wait, a.locks = 0, false
		now := s.clock().UTC()
		rows, err := a.lock(tx, now)
		if err != nil {
			return err
		}
		for key, g := range rows {
			if key != a.account || !rows[a.pair].proven(now) {
				wait = max(wait, g.FreeAt.Sub(now))
			}
		}
		if wait > 0 {
			return nil
		}
		for key, b := range a.buckets() {
			g := rows[key]
			if g.EmptyAt.Before(now) {
				g.EmptyAt = now
			}
			if key != a.peer {
				g.Account = a.account
			}
			g.EmptyAt = g.EmptyAt.Add(b.leak)
			g.FreeAt = now.Add(b.wait(b.level(g, now)))
			a.locks = a.locks || g.FreeAt.After(now)
			if err := a.save(tx, g); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && wait > 0 {
		seconds := int(math.Ceil(wait.Seconds()))
		s.log.WarnContext(ctx, "attempt refused", "peer", peer, "wait", seconds)
		err = fault.Later(fault.TooManyAttempts, seconds, seconds)
	}
	return a, err
}

// right takes the attempt back: its password was right.
func (a *attempt) right(_ context.Context, tx *store.Tx) error {
	now := a.service.clock().UTC()
	rows, err := a.lock(tx, now)
	if err != nil {
		return err
	}
	for key, b := range a.buckets() {
		g := rows[key]
		if key == a.pair {
			g.EmptyAt, g.FreeAt, g.ProvenAt = now, now, &now
		} else {
			g.EmptyAt = g.EmptyAt.Add(-b.leak)
			g.FreeAt = now.Add(b.wait(b.level(g, now)))
		}
		if err := a.save(tx, g); err != nil {
			return err
		}
	}
	return nil
}

func (a *attempt) buckets() map[string]bucket {
	return map[string]bucket{a.pair: pairBucket, a.peer: peerBucket, a.account: a.each}
}

// lock makes the rows where they are missing and holds them to the end of the transaction, always in the same order.
func (a *attempt) lock(tx *store.Tx, now time.Time) (map[string]guess, error) {
	keys := []string{a.pair, a.peer, a.account}
	slices.Sort(keys)
	out := make(map[string]guess, len(keys))
	for _, key := range keys {
		fresh := guess{Key: key, EmptyAt: now, FreeAt: now, KeepUntil: now.Add(time.Minute)}
		if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh).Error; err != nil {
			return nil, err
		}
		var g guess
		if err := tx.System().Clauses(clause.Locking{Strength: "UPDATE"}).Where("key = ?", key).Take(&g).Error; err != nil {
			return nil, err
		}
		out[key] = g
	}
	return out, nil
}

func (a *attempt) save(tx *store.Tx, g guess) error {
	g.KeepUntil = g.EmptyAt.Add(longestFor)
	if g.ProvenAt != nil && g.KeepUntil.Before(g.ProvenAt.Add(provenLife)) {
		g.KeepUntil = g.ProvenAt.Add(provenLife)
	}
	return tx.System().Save(&g).Error
}

// proven reports whether the account has signed in from that peer not long ago.
func (g guess) proven(now time.Time) bool {
	return g.ProvenAt != nil && now.Sub(*g.ProvenAt) < provenLife
}
