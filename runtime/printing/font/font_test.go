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
	require.Equal(t, "25°C V\n", f.Drawn("25℃ Ⅴ\n"))
	require.Equal(t, "a□b□", f.Drawn("a\U00020bb7b\U0001f3d7\ufe0f"))
	require.Positive(t, f.Advance('\U00020bb7'))
	require.Zero(t, f.Advance('\ufe0f'))
}

func TestParse(t *testing.T) {
	for _, bad := range [][]byte{nil, []byte("no font"), make([]byte, 200)} {
		_, err := font.Parse(bad)
		require.Error(t, err)
	}
}
