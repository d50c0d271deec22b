package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// quietAfter without a transaction of a request, background work need not wait.
	quietAfter = 25 * time.Millisecond
	// yieldTimes is how many times its own length a chunk of background work leaves to requests, while there are any: it takes
	// a seventh of the time of the one writer.
	yieldTimes = 6
	// busyChunk and quietChunk are how long a chunk should hold the writer, with requests in the last busyFor and without. For what a person
	// waits for it is awaitedChunk with requests that write, and readersChunk without: who reads, as the page does that asks for its progress
	// each second, does not wait for the writer, and each chunk has a price of its own.
	busyChunk    = 10 * time.Millisecond
	awaitedChunk = 30 * time.Millisecond
	quietChunk   = 50 * time.Millisecond
	readersChunk = 100 * time.Millisecond
	// manyWriters is how many times as long a chunk may be where others write meanwhile: it holds up only who changes the same rows, while its
	// price, the round trips of a transaction, is higher.
	manyWriters = 5
	busyFor     = time.Second
)

// manner is how a transaction is to others.
type manner int

const (
	asked    manner = iota // a request's: background work waits for it
	yielding               // of background work: its writes wait for requests
	prompt                 // of neither: it waits for nobody and nobody for it
	awaited                // of background work that a person waits for: it yields for as long as it held the writer
)

type mannerKey struct{}

func mannerOf(ctx context.Context) manner {
	m, _ := ctx.Value(mannerKey{}).(manner)
	return m
}

// Background makes what is done with a context work beside requests: each of its writes is followed by a pause while requests
// come, and such writes of all goroutines come one after the other. A process gives it to everything that nobody waits for.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, mannerKey{}, yielding)
}

// Awaited makes background work of what is done with a context that a person waits for, as each job that somebody has ordered: while requests
// come it takes half of the time of the one writer, and not a seventh.
func Awaited(ctx context.Context) context.Context {
	return context.WithValue(ctx, mannerKey{}, awaited)
}

// Promptly takes the pauses from a context of background work, for small writes that others would take for a standstill.
func Promptly(ctx context.Context) context.Context {
	return context.WithValue(ctx, mannerKey{}, prompt)
}

// pacer keeps background work from taking the database from requests.
type pacer struct {
	all    traffic       // of requests
	writes traffic       // of requests that write
	turn   chan struct{} // holds the one write of background work
	begun  time.Time
	times  time.Duration // of the lengths of chunks
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
}

// traffic are transactions.
type traffic struct {
	under atomic.Int64 // how many go on
	last  atomic.Int64 // when one last ended, as a duration since the pacer's begin
}

// newPacer paces a database with one writer, or with many.
func newPacer(many bool, now func() time.Time, wait func(context.Context, time.Duration) error) *pacer {
	p := &pacer{turn: make(chan struct{}, 1), begun: now(), times: 1, now: now, sleep: wait}
	if many {
		p.times = manyWriters
	}
	p.all.last.Store(-int64(time.Hour))
	p.writes.last.Store(-int64(time.Hour))
	return p
}

// read tells of a transaction that reads.
func (p *pacer) read(ctx context.Context) (left func()) {
	if mannerOf(ctx) != asked {
		return func() {}
	}
	return p.enter(&p.all)
}

// write tells of a transaction that writes.
func (p *pacer) write(ctx context.Context) (left func()) {
	if mannerOf(ctx) != asked {
		return func() {}
	}
	leave, leaveWriters := p.enter(&p.all), p.enter(&p.writes)
	return func() { leaveWriters(); leave() }
}

func (p *pacer) enter(of *traffic) (left func()) {
	of.under.Add(1)
	return func() {
		of.last.Store(int64(p.now().Sub(p.begun)))
		of.under.Add(-1)
	}
}

// quiet reports whether no such transaction was under way for a time.
func (p *pacer) quiet(of *traffic, since time.Duration) bool {
	return of.under.Load() == 0 && p.now().Sub(p.begun)-time.Duration(of.last.Load()) >= since
}

// chunk runs one write of background work, which tells how long it held the writer, and waits for requests after it.
func (p *pacer) chunk(ctx context.Context, f func() (held time.Duration, err error)) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.turn }()
	held, err := f()
	p.yield(ctx, held)
	return err
}

// yield waits for as long as requests come, at most yieldTimes what was held. The end of the context ends it.
func (p *pacer) yield(ctx context.Context, held time.Duration) {
	times := time.Duration(yieldTimes)
	if mannerOf(ctx) == awaited {
		times = 1
	}
	until := p.now().Add(times * held)
	for !p.quiet(&p.all, quietAfter) {
		left := until.Sub(p.now())
		if left <= 0 || p.sleep(ctx, min(left, quietAfter)) != nil {
			return
		}
	}
}

// most is how long the next chunk of work in a manner should hold the writer.
func (p *pacer) most(how manner) time.Duration {
	switch {
	case how == awaited && p.quiet(&p.writes, busyFor):
		return p.times * readersChunk
	case p.quiet(&p.all, busyFor):
		return p.times * quietChunk
	case how == awaited:
		return p.times * awaitedChunk
	}
	return p.times * busyChunk
}

// Work is a long piece of background work that tells how far it is.
type Work struct {
	db      *DB
	kind    string
	name    string
	started time.Time
	done    atomic.Int64
	total   atomic.Int64
	sizes   *Sizes
}

// Progress tells of a piece of work: how many of how many units are done. Total 0 is not known.
type Progress struct {
	Kind    string
	Name    string
	Done    int64
	Total   int64
	Started time.Time
}

const (
	firstRows = 32
	mostRows  = 16_000
	tellEvery = 10 * time.Second
)

// Sizes tells how many rows the chunks of a piece of background work should have: as many as hold up requests but shortly. It
// learns from how long they took.
type Sizes struct {
	p          *pacer
	how        manner
	rows, most int
	aim        time.Duration // of the chunk that was asked for last
}

// Sizes begins with some rows and has never more than most. The context is that of the work.
func (db *DB) Sizes(ctx context.Context, first, most int) *Sizes {
	return &Sizes{p: db.pacer, how: mannerOf(ctx), rows: first, most: most}
}

// Next is how many rows the next chunk should have.
func (s *Sizes) Next() int {
	s.aim = s.p.most(s.how)
	return s.rows
}

// Took says how long that chunk held the writer.
func (s *Sizes) Took(held time.Duration) {
	switch {
	case held > s.aim:
		s.rows = max(s.rows/2, 1)
	case held < s.aim/2:
		s.rows = min(2*s.rows, s.most)
	}
}

// works are the pieces of work that are under way, in the order of their start.
type works struct {
	mu  sync.Mutex
	all []*Work
}

// Working lists the background work of this process that is under way.
func (db *DB) Working() []Progress {
	db.works.mu.Lock()
	defer db.works.mu.Unlock()
	out := make([]Progress, len(db.works.all))
	for i, w := range db.works.all {
		out[i] = w.progress()
	}
	return out
}

// Work runs a long piece of background work, whose progress the log, the metrics and administrators are told. What f does with
// its context is background work.
func (db *DB) Work(ctx context.Context, kind, name string, total int64, f func(context.Context, *Work) error) error {
	ctx, end := context.WithCancel(Background(ctx))
	w := &Work{db: db, kind: kind, name: name, started: db.clock(), sizes: db.Sizes(ctx, firstRows, mostRows)}
	w.total.Store(total)
	defer db.works.add(w)()
	told := make(chan struct{})
	go func() { defer close(told); w.tell(ctx) }()
	defer func() { end(); <-told }()
	db.log.Info("background work begins", w.attributes()...)
	begun := time.Now()
	err := f(ctx, w)
	what := "background work is done"
	if err != nil {
		what = "background work stopped"
	}
	db.log.Info(what, append(w.attributes(), "took", time.Since(begun).Round(time.Millisecond))...)
	return err
}

func (s *works) add(w *Work) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, w)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for i := range s.all {
			if s.all[i] == w {
				s.all = append(s.all[:i:i], s.all[i+1:]...)
				return
			}
		}
	}
}

// tell logs the progress until the context ends.
func (w *Work) tell(ctx context.Context) {
	for sleep(ctx, tellEvery) == nil {
		w.db.log.Info("background work goes on", w.attributes()...)
	}
}

func (w *Work) attributes() []any {
	p := w.progress()
	return []any{"kind", p.Kind, "name", p.Name, "done", p.Done, "total", p.Total}
}

func (w *Work) progress() Progress {
	done, total := w.done.Load(), w.total.Load()
	if total > 0 { // the last chunk may be less than it asked for
		done = min(total, done)
	}
	return Progress{Kind: w.kind, Name: w.name, Done: done, Total: total, Started: w.started}
}

// Done adds to the units that are done.
func (w *Work) Done(n int64) { w.done.Add(n) }

// Chunk runs f in one transaction over as many rows as hold up requests but shortly, and learns from how long it took.
func (w *Work) Chunk(ctx context.Context, f func(ctx context.Context, tx *Tx, rows int) error) error {
	var held time.Duration
	rows := w.sizes.Next()
	err := w.db.pacer.chunk(Background(ctx), func() (_ time.Duration, err error) {
		held, err = w.db.held(ctx, func(ctx context.Context, tx *Tx) error { return f(ctx, tx, rows) })
		return held, err
	})
	if err == nil {
		w.sizes.Took(held)
	}
	return err
}
