package finder_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/finder/findertest"
)

// words of testdata/cases.json, which the browser's rank is tested with too.
var words = map[string]finder.Fit{"exact": finder.Exact, "begins": finder.Begins, "contains": finder.Contains, "sounds": finder.Sounds, "soundsBegin": finder.SoundsBegin,
	"soundsContain": finder.SoundsContain, "beside": finder.Beside, "": finder.None}

func TestCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Typed, Fit           string
		Names, Codes, Beside []string
	}
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range cases {
		want, known := words[c.Fit]
		got := finder.Typed(c.Typed).Fit(finder.Subject{Names: c.Names, Codes: c.Codes, Beside: c.Beside})
		if !known || got != want {
			t.Errorf("%q is to %v %v %d, want %q", c.Typed, c.Names, c.Codes, got, c.Fit)
		}
	}
}

// TestExactBesideLonger: of a name and a longer one that has it, the text means the first, however it is typed, and never the second.
func TestExactBesideLonger(t *testing.T) {
	for _, p := range findertest.Names().Pairs {
		for _, typed := range []string{p[0], " " + p[0] + "　"} {
			text := finder.Typed(typed)
			ranked := finder.Rank(text, []string{p[1], p[0]}, func(name string) finder.Subject { return finder.Subject{Names: []string{name}} })
			if ranked[0].Of != p[0] || text.Named(ranked[0].Fit) != finder.ByText || text.Named(ranked[1].Fit) != "" {
				t.Errorf("%q finds %v", typed, ranked)
			}
		}
	}
}

// TestSeveralReadings: each sound of a name names it, and its name comes before what sounds so.
func TestSeveralReadings(t *testing.T) {
	for _, r := range findertest.Names().Readings {
		for _, sound := range r.Sounds {
			text := finder.Typed(sound)
			ranked := finder.Rank(text, []string{r.Name, sound}, func(name string) finder.Subject { return finder.Subject{Names: []string{name}} })
			if len(ranked) != 2 || ranked[0].Of != sound || text.Named(ranked[1].Fit) != finder.BySound {
				t.Errorf("%q finds %v", sound, ranked)
			}
		}
	}
}

// TestSpellingBeforeSound: what has the letters comes before what sounds so, and the surname's reading before another.
func TestSpellingBeforeSound(t *testing.T) {
	names := []string{"岑华", "曾华", "zenghua2", "增华", "Zenghua"}
	var got []string
	for _, r := range finder.Rank(finder.Typed("zenghua"), names, func(name string) finder.Subject { return finder.Subject{Names: []string{name}, Person: true} }) {
		got = append(got, r.Of)
	}
	if want := []string{"Zenghua", "zenghua2", "曾华", "增华"}; !slices.Equal(got, want) {
		t.Errorf("zenghua finds %v, want %v", got, want)
	}
	for typed, want := range map[string]finder.Fit{"zenghua": finder.Sounds, "cenghua": finder.SoundsSo} {
		if got := finder.Typed(typed).Fit(finder.Subject{Names: []string{"曾华"}, Person: true}); got != want {
			t.Errorf("曾华 is to %s %d, want %d", typed, got, want)
		}
	}
}
