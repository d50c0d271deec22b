package finder_test

import (
	"testing"

	"github.com/sluice-platform/sluice/runtime/finder"
)

// BenchmarkFit is what one person costs a search by one letter, the worst that is typed: pickers of 10,000 people pay it 10,000 times at most.
func BenchmarkFit(b *testing.B) {
	text := finder.Typed("z")
	s := finder.Subject{Names: []string{"曾国庆"}, Codes: []string{"user1234"}, Person: true}
	for b.Loop() {
		text.Fit(s)
	}
}
