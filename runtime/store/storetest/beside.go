package storetest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Databases runs a benchmark on an empty database of each kind.
func Databases(b *testing.B, f func(b *testing.B, o store.Options)) {
	b.Run("sqlite", func(b *testing.B) { f(b, store.Options{Dir: b.TempDir()}) })
	b.Run("postgres", func(b *testing.B) {
		url, err := Server(b.Context())
		if err != nil {
			b.Skip(err)
		}
		f(b, store.Options{URL: url, Dir: b.TempDir()})
	})
}

// Beside measures what is left to the calls of 16 callers while background work goes on, in turn with the same calls alone: kept is the
// part of their rate, which should be 0.8 at least. begin returns when the work is under way, with what ends it.
func Beside(b *testing.B, call func() error, begin func() (end func())) {
	const callers, each = 16, time.Second
	var alone, beside []time.Duration
	measure := func() (took []time.Duration) {
		var mu sync.Mutex
		var all sync.WaitGroup
		begun := time.Now()
		for range callers {
			all.Go(func() {
				var own []time.Duration
				for time.Since(begun) < each {
					at := time.Now()
					if err := call(); err != nil {
						b.Error(err)
						return
					}
					own = append(own, time.Since(at))
				}
				mu.Lock()
				defer mu.Unlock()
				took = append(took, own...)
			})
		}
		all.Wait()
		return took
	}
	b.ResetTimer()
	for b.Loop() {
		alone = append(alone, measure()...)
		end := begin()
		beside = append(beside, measure()...)
		end()
	}
	if len(alone) == 0 || len(beside) == 0 {
		return
	}
	worst := func(took []time.Duration) float64 {
		slices.Sort(took)
		return float64(took[len(took)*99/100]) / float64(time.Millisecond)
	}
	seconds := each.Seconds() * float64(b.N)
	b.ReportMetric(float64(len(alone))/seconds, "alone/s")
	b.ReportMetric(float64(len(beside))/seconds, "beside/s")
	b.ReportMetric(float64(len(beside))/float64(len(alone)), "kept")
	b.ReportMetric(worst(alone), "p99-alone-ms")
	b.ReportMetric(worst(beside), "p99-beside-ms")
}
