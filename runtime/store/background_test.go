package store

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Background work waits while requests come, for no longer than a multiple of what it held, and not at all without them.
func TestBackgroundYields(t *testing.T) {
	t.Parallel()
	const held = 10 * time.Millisecond
	chunk := func(t *testing.T, p *pacer) (paused time.Duration) {
		var end time.Time
		require.NoError(t, p.chunk(Background(t.Context()), func() (time.Duration, error) {
			time.Sleep(held)
			end = time.Now()
			return held, nil
		}))
		return time.Since(end)
	}
	for name, test := range map[string]struct {
		request func(p *pacer, stop <-chan struct{})
		from    time.Duration
		to      time.Duration
	}{
		"nobody": {func(*pacer, <-chan struct{}) {}, 0, 0},
		"one request all the time": {func(p *pacer, stop <-chan struct{}) {
			defer p.write(context.Background())()
			<-stop
		}, yieldTimes * held, yieldTimes * held},
		"one request after the other": {func(p *pacer, stop <-chan struct{}) {
			for {
				left := p.write(context.Background())
				time.Sleep(3 * time.Millisecond)
				left()
				select {
				case <-stop:
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
		}, yieldTimes * held, yieldTimes * held},
		"a request now and then": {func(p *pacer, stop <-chan struct{}) {
			left := p.write(context.Background())
			time.Sleep(5 * time.Millisecond)
			left()
			<-stop
		}, quietAfter - held, quietAfter + quietAfter},
		"other background work": {func(p *pacer, stop <-chan struct{}) {
			defer p.read(Background(context.Background()))()
			defer p.write(Promptly(context.Background()))()
			<-stop
		}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, stop := newPacer(false, time.Now, sleep), make(chan struct{})
				go test.request(p, stop)
				synctest.Wait()
				paused := chunk(t, p)
				close(stop)
				synctest.Wait()
				require.GreaterOrEqual(t, paused, test.from)
				require.LessOrEqual(t, paused, test.to)
			})
		})
	}
}

// Chunks of all background work come one after the other, with their pauses, and the end of a context ends both kinds of waiting.
func TestBackgroundTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(false, time.Now, sleep)
		left := p.write(context.Background())
		var began []time.Duration
		start := time.Now()
		for range 3 {
			go func() {
				_ = p.chunk(Background(context.Background()), func() (time.Duration, error) {
					began = append(began, time.Since(start))
					return 10 * time.Millisecond, nil
				})
			}()
			synctest.Wait()
		}
		ended, end := context.WithCancel(context.Background())
		end()
		require.ErrorIs(t, p.chunk(ended, func() (time.Duration, error) { panic("no turn") }), context.Canceled)
		time.Sleep(time.Second)
		synctest.Wait()
		const each = yieldTimes * 10 * time.Millisecond
		require.Equal(t, []time.Duration{0, each, 2 * each}, began)

		stopped, stop := context.WithCancel(context.Background())
		over := make(chan error, 1)
		go func() { over <- p.chunk(stopped, func() (time.Duration, error) { return time.Hour, nil }) }()
		synctest.Wait()
		stop()
		synctest.Wait()
		require.NoError(t, <-over, "what was written stays written")
		left()
	})
}

// What requests ask for makes chunks small, and a chunk that took too long is followed by one of fewer rows.
func TestChunksFitTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer(false, time.Now, sleep)
		require.Equal(t, quietChunk, p.most(yielding))
		require.Equal(t, readersChunk, p.most(awaited))
		p.read(context.Background())()
		require.Equal(t, busyChunk, p.most(yielding))
		require.Equal(t, readersChunk, p.most(awaited), "who reads does not wait for the writer")
		p.write(Background(context.Background()))()
		require.Equal(t, readersChunk, p.most(awaited))
		p.write(context.Background())()
		require.Equal(t, busyChunk, p.most(yielding))
		require.Equal(t, awaitedChunk, p.most(awaited))
		time.Sleep(busyFor)
		require.Equal(t, quietChunk, p.most(yielding))
		require.Equal(t, readersChunk, p.most(awaited))

		many := newPacer(true, time.Now, sleep)
		require.Equal(t, 5*quietChunk, many.most(yielding))
		require.Equal(t, 5*readersChunk, many.most(awaited))
		many.write(context.Background())()
		require.Equal(t, 5*busyChunk, many.most(yielding))
		require.Equal(t, 5*awaitedChunk, many.most(awaited))

		require.Equal(t, awaited, (&DB{pacer: p}).Sizes(Awaited(t.Context()), 10, 50).how)
		sizes := (&DB{pacer: p}).Sizes(Background(t.Context()), 10, 50)
		var rows []int
		for _, took := range []time.Duration{quietChunk / 4, quietChunk / 4, quietChunk / 4, quietChunk * 3 / 4, 2 * quietChunk, 2 * quietChunk} {
			rows = append(rows, sizes.Next())
			sizes.Took(took)
		}
		p.read(context.Background())() // from now on a chunk of the same length is too long
		for range 6 {
			rows = append(rows, sizes.Next())
			sizes.Took(quietChunk)
		}
		require.Equal(t, []int{10, 20, 40, 50, 50, 25, 12, 6, 3, 1, 1, 1}, rows)
	})
}
