package blob

import (
	"context"
	"sync"
)

// ahead draws pictures small before somebody waits for them: one after the other, since a photo of a camera takes a third of a
// second and many times its file in memory. It is nothing that must not be lost: what was not drawn ahead is drawn when it is first
// asked for.
type ahead struct {
	mu    sync.Mutex
	queue []File
	known map[string]bool // ids in queue
	wake  chan struct{}
	stop  context.CancelFunc
	done  chan struct{}
}

// mostAhead is how many pictures wait to be drawn at most. More are drawn when they are asked for.
const mostAhead = 2000

// DrawAhead begins to make pictures for paper when they are brought. It ends with Close.
func (s *Service) DrawAhead(ctx context.Context) {
	a := &s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		return
	}
	ctx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	a.wake, a.done, a.known = make(chan struct{}, 1), make(chan struct{}), map[string]bool{}
	go func() {
		defer close(a.done)
		for {
			f, is := a.next()
			if !is {
				select {
				case <-ctx.Done():
					return
				case <-a.wake:
				}
				continue
			}
			s.drawNow(ctx, f)
			if ctx.Err() != nil {
				return
			}
		}
	}()
}

// Ahead has pictures drawn for paper beside requests, where DrawAhead has begun. Other files are passed over.
func (s *Service) Ahead(files ...File) {
	a := &s.ahead
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop == nil {
		return
	}
	for _, f := range files {
		if f.IsImage() && len(a.queue) < mostAhead && !a.known[f.ID] {
			a.queue, a.known[f.ID] = append(a.queue, f), true
		}
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

func (a *ahead) next() (f File, is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		a.queue = nil // what was there is not kept
		return f, false
	}
	f, a.queue = a.queue[0], a.queue[1:]
	delete(a.known, f.ID)
	return f, true
}

func (a *ahead) end() {
	a.mu.Lock()
	stop, done := a.stop, a.done
	a.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
}

// drawNow draws a picture for paper. One that was discarded meanwhile leaves nothing.
func (s *Service) drawNow(ctx context.Context, f File) {
	if _, err := s.Paper(ctx, f); err != nil {
		return // it is drawn, or told to be broken, when it is asked for
	}
	r, err := s.place.open(ctx, key(f.ID))
	if err == nil {
		_ = r.Close()
	}
	if missing(err) {
		_ = s.place.remove(ctx, onPaper.key(f.ID))
	}
}
