package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	keptTotals = 4096        // figures that are remembered
	keptGroups = 256         // grouped statements that are remembered
	mostKept   = 2_000       // rows of one that is remembered
	recount    = time.Second // how old a figure may be while its tables change

	// A grouped statement that takes long may be older: a table that is written all the time, with people who look at its charts, keeps no
	// more than a fifth of a core busy with each. See docs/adr/0060-reports.md.
	restPerRead = 5                // times what it took
	longestRest = 10 * time.Second // at most
)

// totals remembers counts and footer figures. A figure is exact while its tables stand still, and is otherwise the exact
// one of at most a second ago, but never older than the asker's own last write: a table that is written all the time costs one
// count a second and key, and one more after a write of the caller. With rests, figures that take long to read may be older.
type totals struct {
	db    *DB
	rests bool
	mu    sync.Mutex
	known *simplelru.LRU[totalKey, *total] // one that is forgotten while it is read may be read twice
}

type totalKey [sha256.Size]byte

type total struct {
	figures []any
	version uint64    // of the tables, before the count began
	at      time.Time // when it began
	took    time.Duration
	busy    chan struct{}
}

func newTotals(db *DB, kept int, rests bool) *totals {
	known, err := simplelru.NewLRU[totalKey, *total](kept, nil)
	if err != nil {
		panic(err) // the size is positive
	}
	return &totals{db: db, rests: rests, known: known}
}

// keyOf tells statements with their values apart. Two questions that a statement answers alike are one.
func keyOf(text string, args []any) (key totalKey) {
	b := binary.AppendUvarint(nil, uint64(len(text)))
	b = append(b, text...)
	for _, a := range args {
		v := fmt.Appendf(nil, "%T:%v", a, a)
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	return sha256.Sum256(b)
}

// get answers from memory, or reads; of callers that want the same, one reads and the others wait for it or, while the old
// figure is young enough, take that. What is read in a snapshot that may be older than the last change is not remembered.
func (t *totals) get(ctx context.Context, since uint64, key totalKey, tables []string, read func() ([]any, error)) ([]any, error) {
	caller := callerOf(ctx)
	if caller != nil && caller.Elsewhere { // what is remembered here, and what others are counting, may be without their write
		return read()
	}
	for {
		version, now := t.db.Versions(tables...), t.db.clock()
		e, wait := t.claim(key, version, t.db.own.version(caller, tables), now)
		switch {
		case wait != nil:
			select {
			case <-wait:
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case e.busy == nil:
			return e.figures, nil
		}
		figures, err := read()
		t.settle(e, figures, version, now, err == nil && version <= since)
		return slices.Clone(figures), err
	}
}

// claim finds a good figure (its busy is nil in the copy), or a channel to wait on, or makes the caller the one who reads.
func (t *totals) claim(key totalKey, version, own uint64, now time.Time) (*total, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.known.Get(key)
	if !ok {
		e = &total{busy: make(chan struct{})}
		t.known.Add(key, e)
		return e, nil
	}
	// A figure may have begun after the caller looked at the clock; taking an older one then would let figures go back.
	fresh := e.figures != nil && (e.version == version || e.version >= own && now.Sub(e.at) < t.rest(e.took))
	switch {
	case fresh:
		return &total{figures: slices.Clone(e.figures)}, nil
	case e.busy != nil:
		return nil, e.busy
	}
	e.busy = make(chan struct{})
	return e, nil
}

// rest is how old a figure may be while its tables change.
func (t *totals) rest(took time.Duration) time.Duration {
	if !t.rests {
		return recount
	}
	return max(recount, min(restPerRead*took, longestRest))
}

// last is the count that is remembered, however old; it is the first figure.
func (t *totals) last(key totalKey) (n int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.known.Peek(key)
	if !ok || len(e.figures) == 0 {
		return 0, false
	}
	n, ok = e.figures[0].(int64)
	return n, ok
}

func (t *totals) settle(e *total, figures []any, version uint64, at time.Time, good bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(e.busy)
	e.busy = nil
	if good && small(figures) {
		e.figures, e.version, e.at, e.took = slices.Clone(figures), version, at, t.db.clock().Sub(at)
	}
}

// small reports whether figures take little enough room to be remembered.
func small(figures []any) bool {
	if len(figures) != 1 {
		return true
	}
	g, is := figures[0].(grouped)
	return !is || len(g.rows) <= mostKept
}
