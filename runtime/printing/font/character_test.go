package font_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// exception says why a character may be drawn otherwise than by a glyph of its own; "" = it may not.
func exception(r rune) string {
	switch {
	case r == '\n':
		return "ends a line"
	case unicode.Is(unicode.Cc, r):
		return "is a control, which has no look: it is left out (a tab is spaces)"
	case unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp):
		return "is a space"
	case font.Invisible(r):
		return "is invisible by its nature: it only changes its neighbors"
	case len([]rune(norm.NFC.String(string(r)))) == 1 && norm.NFC.String(string(r)) != string(r):
		return "is the same character by Unicode (canonical equivalence), whose glyph it has"
	}
	return ""
}

// Each character that Unicode 15 has in the basic plane is drawn as itself, or by the sign for what is missing, which is told, or is a listed
// exception. No character is ever rewritten into others: 10⁵ is not 105.
func TestEveryCharacter(t *testing.T) {
	f := font.Default()
	count := map[string]int{}
	for r := rune(0); r < 0x10000; r++ {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co) {
			continue
		}
		var missing []rune
		drawn := f.DrawnOr("1"+string(r)+"2", func(r rune) { missing = append(missing, r) })
		why := exception(r)
		switch {
		case drawn == "1"+string(r)+"2" && missing == nil && f.Has(r):
			if why == "" {
				why = "itself"
			}
		case drawn == "1"+string(r)+"2" && slices.Equal(missing, []rune{r}):
			require.False(t, f.Has(r), "%U", r)
			why = "missing"
		default:
			require.NotEmpty(t, why, "%U %c is drawn as %q, and nobody is told", r, r, drawn)
			require.Contains(t, []string{"1" + string(r) + "2", "12"}, drawn, "%U", r)
			require.Empty(t, missing, "%U", r)
		}
		count[why]++
	}
	for _, why := range slices.Sorted(func(yield func(string) bool) {
		for w := range count {
			if !yield(fmt.Sprintf("%s: %d", w, count[w])) {
				return
			}
		}
	}) {
		t.Log(why)
	}
	require.Greater(t, count["itself"], 38_000)
	require.Equal(t, count, documented(t), "the table of docs/authoring.md, below Characters")
}

// documented are the counts that authors read: how many characters become what on paper.
func documented(t *testing.T) map[string]int {
	text, err := os.ReadFile("../../../docs/authoring.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| On paper a character | Characters | For example |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	words := map[string]string{"is drawn as itself": "itself", "is drawn as � and named": "missing"}
	out := map[string]int{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		require.Len(t, cells, 3, line)
		why := strings.TrimPrefix(cells[0], "| ")
		n, err := strconv.Atoi(cells[1])
		require.NoError(t, err, line)
		out[cmp.Or(words[why], why)] = n
	}
	return out
}

// The main font draws these without their figures: ½ as 1⁄.
func TestFractions(t *testing.T) {
	f := font.Default()
	fractions := map[rune]bool{}
	for _, r := range "½⅜¼¾⅓" {
		fractions[r] = true
	}
	part, err := sfnt.Parse(f.Subset(fractions))
	require.NoError(t, err)
	var buf sfnt.Buffer
	for r := range fractions {
		g, err := part.GlyphIndex(&buf, r)
		require.NoError(t, err)
		segments, err := part.LoadGlyph(&buf, g, fixed.I(f.Em()), nil)
		require.NoError(t, err)
		contours := 0
		for _, s := range segments {
			if s.Op == sfnt.SegmentOpMoveTo {
				contours++
			}
		}
		require.GreaterOrEqual(t, contours, 3, "two figures and a stroke: %c", r)
	}
}

// What figures, forms and construction drawings use has glyphs.
func TestSigns(t *testing.T) {
	f := font.Default()
	for _, r := range "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙₘ" + "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒↉⅟" + "☐☑☒✓✔✗✘✅❌❎□■○●◎△▲▽▼◇◆☆★" +
		"⌀∅øØ±∓≤≥≠≈≡≮≯∝∞√∛∑∏∫∮∠∟⊥∥∽≌∵∴" + "ΩΩµμ℃℉°′″‴‰‱№℡™©®" + "㎜㎝㎞㎡㎥㎎㎏㏄㏑㎕㏎㎟㎠㎢㎣㎤㎧㎨㏕" + "①⑳⑴⒇⒈ⒶⓏⓐⓩ㈠㊀ⅠⅫⅰⅹ" + "←↑→↓↔↕⇒⇔⟵⟶⤴⤵⌐⌒⏊⏉⟂⌖⏥⌭⌯⌰⌱⌲⌳⌴⌵⌶⏤⏣" + "℄⅊㏊➕➖✕✖×÷·" {
		require.True(t, f.Has(r), "%U %c", r, r)
	}
}
