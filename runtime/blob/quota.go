package blob

import (
	"context"
	"io"
	"sync"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Quota is what one person may have uploaded that no record holds.
type Quota struct {
	Files int64
	Bytes int64
}

// usual lets somebody fill a long form with photos before it is saved.
var usual = Quota{Files: 500, Bytes: 2 << 30}

func (q Quota) refusal() error { return fault.New(fault.FileQuota, q.Files, SizeText(q.Bytes)) }

// loose are a person's uploads that no record holds.
func loose(tx *store.Tx, user string) (q Quota, err error) {
	err = tx.System().Model(&File{}).Where("held = ? AND created_by = ?", false, user).
		Select("count(*) AS files, coalesce(sum(size), 0) AS bytes").Scan(&q).Error
	return q, err
}

// keep notes an upload, unless others that came meanwhile, on any node, have used up what its person may have.
func (s *Service) keep(ctx context.Context, tx *store.Tx, f *File) error {
	if f.CreatedBy != "" {
		if err := tx.Lock(ctx, "uploads of "+f.CreatedBy); err != nil {
			return err
		}
		has, err := loose(tx, f.CreatedBy)
		if err != nil {
			return err
		}
		if has.Files+1 > s.quota.Files || has.Bytes+f.Size > s.quota.Bytes {
			return s.quota.refusal()
		}
	}
	return tx.System().Create(f).Error
}

// arriving counts, on this node, what each person's unfinished uploads have brought.
type arriving struct {
	mu sync.Mutex
	by map[string]*Quota
}

// entry is one unfinished upload.
type entry struct {
	s     *Service
	user  string
	room  int64 // bytes that the person's unfinished uploads may bring together
	bytes int64
}

// enter refuses an upload before its bytes are taken when there is no room for it.
func (s *Service) enter(user string, has Quota) (*entry, error) {
	e := &entry{s: s, user: user}
	if user == "" {
		return e, nil
	}
	e.room = s.quota.Bytes - has.Bytes
	s.coming.mu.Lock()
	defer s.coming.mu.Unlock()
	if s.coming.by == nil {
		s.coming.by = map[string]*Quota{}
	}
	mine := s.coming.by[user]
	if mine == nil {
		mine = &Quota{}
	}
	if has.Files+mine.Files+1 > s.quota.Files || mine.Bytes >= e.room {
		return nil, s.quota.refusal()
	}
	mine.Files++
	s.coming.by[user] = mine
	return e, nil
}

func (e *entry) leave() {
	if e.user == "" {
		return
	}
	c := &e.s.coming
	c.mu.Lock()
	defer c.mu.Unlock()
	mine := c.by[e.user]
	mine.Files--
	mine.Bytes -= e.bytes
	if mine.Files == 0 {
		delete(c.by, e.user)
	}
}

// counting ends an upload when it, with others of its person, brings more than there is room for.
func (e *entry) counting(from io.Reader) io.Reader {
	if e.user == "" {
		return from
	}
	return &counter{entry: e, from: from}
}

type counter struct {
	*entry
	from io.Reader
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	all := &c.s.coming
	all.mu.Lock()
	c.bytes += int64(n)
	all.by[c.user].Bytes += int64(n)
	over := all.by[c.user].Bytes > c.room
	all.mu.Unlock()
	if over {
		return n, c.s.quota.refusal()
	}
	return n, err
}
