package font_test

import (
	"bytes"
	"testing"

	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Another reader of fonts finds in a subset the characters that it was made of, with the outlines and widths of the whole font.
func TestSubset(t *testing.T) {
	f := font.Default()
	characters := map[rune]bool{}
	for _, r := range "检验批质量验收记录 A1 Quality 12,400.00 ①㎡ÅéÀ（％）" {
		characters[r] = true
	}
	data := f.Subset(characters)
	require.Less(t, len(data), 30_000)
	require.True(t, bytes.Equal(data, f.Subset(characters)), "the same bytes each time")
	part, err := sfnt.Parse(data)
	require.NoError(t, err)
	var buf sfnt.Buffer
	for r := range characters {
		g, err := part.GlyphIndex(&buf, r)
		require.NoError(t, err)
		require.NotZero(t, g, string(r))
		advance, err := part.GlyphAdvance(&buf, g, fixed.I(f.Em()), 0)
		require.NoError(t, err)
		require.Equal(t, f.Advance(r), advance.Round(), string(r))
		segments, err := part.LoadGlyph(&buf, g, fixed.I(f.Em()), nil)
		require.NoError(t, err, string(r))
		require.Equal(t, r == ' ', len(segments) == 0, string(r))
	}
	g, err := part.GlyphIndex(&buf, '闸')
	require.NoError(t, err)
	require.Zero(t, g)
}

func TestDrawn(t *testing.T) {
	f := font.Default()
	require.Equal(t, "质检 A", f.Drawn("质检 A"))
	require.Equal(t, "25℃ Ⅴ\n", f.Drawn("25℃ Ⅴ\n"))
	require.Equal(t, "A \U0001d4d5 10⁵ C₂₈ 1⅕", f.Drawn("A\u2063 \U0001d4d5 10⁵ C₂₈ 1⅕"), "marks that nobody sees are not drawn, and nothing is rewritten")
	require.Equal(t, "12\t3\n", f.Drawn("1\u00ad2\t3\x01\n"))
	var missing []rune
	require.Equal(t, "a\U00020bb7b\U0001f3d7c\ufffdd\ufffd", f.DrawnOr("a\U00020bb7b\U0001f3d7\ufe0fc\uffffd\ufffd", func(r rune) { missing = append(missing, r) }))
	require.Equal(t, []rune{0x20bb7, 0x1f3d7, 0xffff, font.Missing}, missing)
	require.Equal(t, f.Advance(font.Missing), f.Advance('\U00020bb7'))
	require.Greater(t, f.Advance('5'), f.Advance('⁵'), "smaller")
	require.Equal(t, f.Advance(' '), f.Advance('\u205f'))
	require.Zero(t, f.Advance('\ufe0f'))
	require.Zero(t, f.Advance('\U000e0101'))
}

// Characters of names that the main font lacks are those of another, in the same units; what neither has is the sign for what is missing.
func TestRare(t *testing.T) {
	f := font.Default()
	data := f.Subset(map[rune]bool{'中': true, '㛃': true, '\u9fd4': true, '\U0002cb4e': true, '\U00020bb7': true, font.Missing: true, '□': true})
	part, err := sfnt.Parse(data)
	require.NoError(t, err)
	var buf sfnt.Buffer
	glyphs := map[sfnt.GlyphIndex]rune{}
	for _, r := range "中㛃\u9fd4\U0002cb4e" {
		require.True(t, f.Has(r), string(r))
		g, err := part.GlyphIndex(&buf, r)
		require.NoError(t, err)
		require.NotZero(t, g, string(r))
		require.Zero(t, glyphs[g])
		glyphs[g] = r
		b, advance, err := part.GlyphBounds(&buf, g, fixed.I(1000), 0)
		require.NoError(t, err)
		require.InDelta(t, 1000, advance.Round(), 60, "as wide as its neighbors: %c", r)
		require.InDelta(t, 880, (b.Max.Y - b.Min.Y).Round(), 160, "and as high: %c", r)
	}
	require.False(t, font.Main().Has('㛃'))
	require.False(t, f.Has('\U00020bb7'))
	sign, err := part.GlyphIndex(&buf, font.Missing)
	require.NoError(t, err)
	unknown, err := part.GlyphIndex(&buf, '\U00020bb7')
	require.NoError(t, err)
	require.Equal(t, sign, unknown)
	require.NotZero(t, sign)
	square, err := part.GlyphIndex(&buf, '□')
	require.NoError(t, err)
	require.NotEqual(t, sign, square, "a tick box of a form is none")
}

func TestParse(t *testing.T) {
	for _, bad := range [][]byte{nil, []byte("no font"), make([]byte, 200)} {
		_, err := font.Parse(bad)
		require.Error(t, err)
	}
}
