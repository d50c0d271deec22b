package property_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
)

// Lists are parted where the parts name something: names keep the marks that they have.
func TestPartList(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/lists.txt")
	require.NoError(t, err)
	var names []string
	known := func(text string) bool { return slices.Contains(names, text) }
	for line := range strings.Lines(string(raw)) {
		var text string
		want := []string{}
		parted, parts, lists := strings.Cut(line, " => ")
		told, tellings, tells := strings.Cut(line, " -> ")
		switch {
		case strings.HasPrefix(line, "#"):
		case lists:
			require.NoError(t, json.Unmarshal([]byte(parted), &text))
			require.NoError(t, json.Unmarshal([]byte(parts), &want))
			require.Equal(t, want, append([]string{}, property.PartList(text, known)...), text)
		case tells:
			require.NoError(t, json.Unmarshal([]byte(told), &text))
			require.NoError(t, json.Unmarshal([]byte(tellings), &want))
			got := []string{}
			for _, one := range property.Tellings(text) {
				got = append(got, one.Name, one.Detail)
			}
			require.Equal(t, want, got, text)
		default:
			require.NoError(t, json.Unmarshal([]byte(line), &names))
		}
	}
	require.Len(t, names, 11)
	require.Equal(t, []string{"a;b、c", "a", "b、c", "b", "c"}, property.ListWords(" a;b、c "))
	require.Empty(t, property.ListWords("  "))
	many := ""
	for n := range 1000 {
		many += fmt.Sprint(n, "、")
	}
	require.Equal(t, 1001, len(property.ListWords(many)), "a cell of many parts asks for each once") //nolint:testifylint // a list of a thousand says less
	require.Equal(t, "A;B", property.Unquoted(`"A;B"`))
	require.Equal(t, "A;B", property.Unquoted(`A;B`))
}

// What JoinList writes of known texts PartList gives back.
func TestJoinList(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune(`a;；、,"| （)` + "\n甲")
	for range 20_000 {
		var all []string
		for range 1 + r.IntN(4) {
			var one []rune
			for range 1 + r.IntN(5) {
				one = append(one, letters[r.IntN(len(letters))])
			}
			if text := strings.TrimSpace(string(one)); text != "" && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		known := append(slices.Clone(all), "a", ";", "a;a", "甲、a", "、")
		cell := property.JoinList(all)
		require.Equal(t, all, slices.Clip(append([]string(nil), property.PartList(cell, func(text string) bool { return slices.Contains(known, text) })...)), cell)
		words := property.ListWords(cell)
		property.PartList(cell, func(text string) bool {
			require.True(t, slices.Contains(words, text), "%q asks for %q", cell, text)
			return slices.Contains(known, text)
		})
	}
}
