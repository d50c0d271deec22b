package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
	"github.com/sluice-platform/sluice/runtime/store"
)

// sweepPauses removes what copies that were killed have left.
func (s *Service) sweepPauses(ctx context.Context) error {
	return s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("until <= ?", s.clock().UTC()).Delete(&pause{}).Error
	})
}

// pause keeps all nodes from removing files while somebody copies them. It ends by itself when its holder dies.
type pause struct {
	ID    string    `gorm:"primaryKey;size:36"`
	Until time.Time `gorm:"not null"`
}

func (pause) TableName() string { return "sl_file_pause" }

// PauseTable holds who copies files at the moment; a copy of the database leaves it out.
const PauseTable = "sl_file_pause"

const (
	pauseFor = 10 * time.Minute // longer than clocks of nodes differ
	renewal  = time.Minute
	pauses   = "copy of files" // name of the lock
)

// paused reports whether files are being copied. Who begins to copy afterwards waits for the end of this transaction.
func paused(ctx context.Context, tx *store.Tx, now time.Time) (bool, error) {
	if err := tx.LockShared(ctx, pauses); err != nil {
		return false, err
	}
	var n int64
	err := tx.System().Model(&pause{}).Where("until > ?", now.UTC()).Count(&n).Error
	return n > 0, err
}

// ErrPauseLost: other nodes may have removed files meanwhile.
var ErrPauseLost = errors.New("the database could not be told in time that files are being copied")

// Undisturbed runs f while no node removes a file: all files that a snapshot taken in f knows are there. The context ends with
// ErrPauseLost when that can no longer be promised.
func Undisturbed(ctx context.Context, db *store.DB, clock func() time.Time, f func(context.Context) error) error {
	id := uuid.Must(uuid.NewV7()).String()
	until := func() time.Time { return clock().UTC().Add(pauseFor) }
	err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.Lock(ctx, pauses); err != nil {
			return err
		}
		if err := tx.System().Where("until <= ?", clock().UTC()).Delete(&pause{}).Error; err != nil {
			return err
		}
		return tx.System().Create(&pause{ID: id, Until: until()}).Error
	})
	if err != nil {
		return fmt.Errorf("keep files from being removed: %w", err)
	}
	run, lost := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(renewal)
		defer tick.Stop()
		for last := time.Now(); ; {
			select {
			case <-run.Done():
				return
			case <-tick.C:
			}
			err := db.Write(run, func(_ context.Context, tx *store.Tx) error {
				return tx.System().Model(&pause{}).Where("id = ?", id).Update("until", until()).Error
			})
			if err == nil {
				last = time.Now()
			} else if time.Since(last) > pauseFor/2 {
				lost(ErrPauseLost)
			}
		}
	}()
	err = f(run)
	if cause := context.Cause(run); errors.Is(cause, ErrPauseLost) {
		err = cause
	}
	lost(nil)
	<-ended
	over := db.Write(context.WithoutCancel(ctx), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("id = ?", id).Delete(&pause{}).Error
	})
	return errors.Join(err, over)
}

// Listed reads what is known of files in the order of their ids, up to n behind one; "" is before the first.
func Listed(tx *store.Tx, after string, n int) (out []File, err error) {
	err = tx.System().Where("id > ?", after).Order("id").Limit(n).Find(&out).Error
	return out, err
}

// ErrGone: the bytes of a file are not where they should be.
var ErrGone = errors.New("the file is missing")

// Open opens the bytes of a file and tells their number; ErrGone when there are none.
func (s *Service) Open(ctx context.Context, id string) (io.ReadCloser, int64, error) {
	r, err := s.place.open(ctx, key(id))
	if missing(err) {
		return nil, 0, ErrGone
	}
	if err != nil {
		return nil, 0, err
	}
	return r, r.size, nil
}

// ErrDiffers: other bytes are where those of a file belong.
var ErrDiffers = errors.New("the stored file has other contents")

// Bring puts the bytes of a file where they belong, unless they are there already; with over it replaces others, which is otherwise
// ErrDiffers. The bytes are taken when check returns nil after the last of them. No database is told: a file without a row is nobody's.
func (s *Service) Bring(ctx context.Context, id string, size int64, from io.Reader, over bool, check func() error) error {
	if uuid.Validate(id) != nil || len(id) != 36 {
		return fmt.Errorf("%q: not the id of a file", id)
	}
	bring := func() error {
		w, err := s.place.create(ctx, key(id), "", over)
		if err == nil {
			_, err = fill(w, from, size, check)
		}
		return err
	}
	if over {
		return bring()
	}
	if have, n, err := s.Open(ctx, id); err == nil {
		same, err := equal(have, n, size, from, check)
		if same || err != nil {
			return err
		}
		return ErrDiffers
	} else if !errors.Is(err, ErrGone) {
		return err
	}
	return bring()
}

// equal compares the bytes of two readers, of the second all.
func equal(have io.ReadCloser, n, size int64, from io.Reader, check func() error) (bool, error) {
	a, b := sha256.New(), sha256.New()
	_, err := io.Copy(a, have)
	err = errors.Join(err, have.Close())
	if err != nil {
		return false, err
	}
	if _, err := io.Copy(b, from); err != nil {
		return false, err
	}
	return n == size && bytes.Equal(a.Sum(nil), b.Sum(nil)), check()
}
