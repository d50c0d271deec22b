package property_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
)

// Lists are parted where the parts name something: names keep the marks that they have.
func TestPartList(t *testing.T) {
	t.Parallel()
	names := []string{"钢筋、模板", "钢筋", "木材", "A;B", "C", "5\" pipe", `"x"`, "a", "b", "c", "a、b"}
	known := func(text string) bool { return slices.Contains(names, text) }
	for text, want := range map[string]string{
		"钢筋、模板;木材": "钢筋、模板|木材", "钢筋、模板、木材": "钢筋、模板|木材", "木材、钢筋、模板": "木材|钢筋、模板", "钢筋、木材": "钢筋|木材", "钢筋;木材": "钢筋|木材", "钢筋；木材\n木材": "钢筋|木材|木材",
		"A;B": "A;B", "A;B;C": "A;B|C", `"A;B";C`: "A;B|C", "C;A;B": "C|A;B", `"C"`: "C", `5" pipe;C`: `5" pipe|C`, `"""x"""; C`: `"x"|C`, `"x";C`: `x|C`, `"x" y;C`: `"x" y|C`,
		"没有、木材": "没有|木材", "没有、也没有": "没有、也没有", "没有;木材": "没有|木材", "": "", " ; ;": "", "a、b、c": "a、b|c", "c,b，a": "c|b|a", `""`: `""`,
	} {
		require.Equal(t, want, strings.Join(property.PartList(text, known), "|"), text)
	}
	require.Equal(t, []string{"a;b、c", "a", "b、c", "b", "c"}, property.ListWords(" a;b、c "))
	require.Empty(t, property.ListWords("  "))
	many := ""
	for n := range 1000 {
		many += fmt.Sprint(n, "、")
	}
	require.Equal(t, 1001, len(property.ListWords(many)), "a cell of many parts asks for each once") //nolint:testifylint // a list of a thousand says less
	require.Equal(t, "A;B", property.Unquoted(`"A;B"`))
	require.Equal(t, "A;B", property.Unquoted(`A;B`))
	require.Equal(t, []property.Telling{{"泵（甲）（A", "1"}, {"泵（甲）", "A(1"}, {"泵", "甲）（A(1"}}, property.Tellings("泵（甲）（A(1)"))
	require.Equal(t, []property.Telling{{"a", "b"}}, property.Tellings(" a (b）"))
	require.Empty(t, property.Tellings("(b)"))
	require.Empty(t, property.Tellings("a()"))
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
