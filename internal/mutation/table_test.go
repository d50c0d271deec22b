package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestScores holds the table of docs/bite.md: it is as the tool writes it, what it names exists, and what has tests
// is in it.
func TestScores(t *testing.T) {
	t.Chdir("../..")
	page, err := os.ReadFile(scoresFile)
	require.NoError(t, err)
	scores, before, after, err := readTable(string(page))
	require.NoError(t, err)
	assert.Equal(t, string(page), before+scoresBegin+scores.String()+scoresEnd+after, "edit nothing between the marks")
	for name, s := range scores.scores {
		assert.True(t, exists(name), "%s does not exist: go run ./internal/mutation -table", name)
		assert.LessOrEqual(t, s.Seen, s.tried(), name)
		assert.LessOrEqual(t, s.best.seen, s.best.of, name)
		assert.False(t, s.share().beats(s.best), "%s: no draw is better than the best", name)
	}
	due, err := dueScores()
	require.NoError(t, err)
	known := append(slices.Collect(maps.Keys(scores.scores)), scores.notDrawn...)
	for _, name := range due {
		assert.Contains(t, known, name, "not in %s: go run ./internal/mutation -table", scoresFile)
	}
	for _, name := range scores.notDrawn {
		assert.True(t, exists(name), "%s does not exist: go run ./internal/mutation -table", name)
		assert.NotContains(t, scores.scores, name, "drawn and not drawn")
	}
	assert.True(t, slices.IsSorted(scores.notDrawn))
}

func TestEnter(t *testing.T) {
	scores := table{scores: map[string]score{}}
	enter := func(seen, of int, reason string) error {
		s := score{Name: "a", Date: "2026-11-28", Count: of + 2, Seed: 7, Broken: of + 2, Equivalent: 2, Seen: seen}
		return scores.enter(s, reason)
	}
	row := func() string { return strings.Split(scores.String(), "\n")[3] }

	require.NoError(t, enter(10, 10, ""))
	assert.Equal(t, "| `a` | 2026-11-28 | n 12, seed 7 | 12 | 2 | 10 of 10 | 100 % | 10 of 10 | |", row())
	require.NoError(t, enter(7, 10, ""), "chance explains that")
	assert.Equal(t, "| `a` | 2026-11-28 | n 12, seed 7 | 12 | 2 | 7 of 10 | 70 % | 10 of 10 | |", row())
	require.ErrorContains(t, enter(6, 10, ""), "seen 6 of 10 after 10 of 10", "of the best, not of the last one")
	require.NoError(t, enter(5, 10, "rules moved in"))
	assert.Equal(t, "| `a` | 2026-11-28 | n 12, seed 7 | 12 | 2 | 5 of 10 | 50 % | 5 of 10 | rules moved in |", row())
	require.NoError(t, enter(4, 10, ""))
	assert.Contains(t, row(), "| 4 of 10 | 40 % | 5 of 10 | rules moved in |", "the reason stays with the best")
	require.NoError(t, enter(19, 20, ""))
	assert.Contains(t, row(), "| 19 of 20 | 95 % | 19 of 20 | |")
	require.NoError(t, enter(11, 12, ""))
	assert.Contains(t, row(), "| 11 of 12 | 92 % |", "rounded")
	require.NoError(t, enter(2, 2, ""), "two lines say little")
	assert.Contains(t, row(), "| 2 of 2 | 100 % | 19 of 20 | |")
	require.Error(t, enter(0, 0, ""))
	require.Error(t, enter(3, 2, ""))
	require.Error(t, enter(2, 2, "a | b"))

	scores.notDrawn = []string{"testdata/sample", "testdata/unknown"}
	scores.list([]string{"testdata/tiny", "a"})
	assert.Equal(t, []string{"testdata/sample", "testdata/tiny"}, scores.notDrawn)
	again, before, after, err := readTable("head\n" + scoresBegin + scores.String() + scoresEnd + "tail\n")
	require.NoError(t, err)
	assert.Equal(t, scores.String(), again.String())
	assert.Equal(t, "head\ntail\n", before+after)
}

func TestReadTable(t *testing.T) {
	for text, want := range map[string]string{
		"no marks": "marks",
		scoresBegin + "| `a` | b |\n" + scoresEnd:                                                           "not a row",
		scoresBegin + "| `a` | 2026-11-28 | n 3, seed 1 | 3 | 1 | 2 of 3 | 66 % | 2 of 3 | |\n" + scoresEnd: "what was tried",
	} {
		_, _, _, err := readTable(text)
		assert.ErrorContains(t, err, want)
	}
}

func TestFallen(t *testing.T) {
	for _, c := range []struct {
		now, was share
		want     bool
	}{
		{share{10, 10}, share{10, 10}, false},
		{share{7, 10}, share{10, 10}, false},
		{share{6, 10}, share{10, 10}, true},
		{share{16, 20}, share{20, 20}, false},
		{share{15, 20}, share{20, 20}, true},
		{share{0, 2}, share{10, 20}, false},
		{share{40, 100}, share{60, 100}, true},
		{share{20, 20}, share{5, 20}, false},
	} {
		assert.Equal(t, c.want, c.now.fallen(c.was), "%v after %v", c.now, c.was)
	}
}

// TestNeighbours checks that the packages whose tests are asked exist and have tests.
func TestNeighbours(t *testing.T) {
	t.Chdir("../..")
	for pkg, tests := range neighbours {
		assert.True(t, exists(pkg), pkg)
		for _, name := range tests {
			assert.Contains(t, trial{tests: []string{name}}.of(pkg).tests, name, "%s has no tests", name)
		}
	}
}
