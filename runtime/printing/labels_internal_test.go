package printing

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
)

// A side is 60 mm where nobody says it, 0 where it is negative, and 300 mm at most.
func TestLabelSides(t *testing.T) {
	at := func(f float64) *float64 { return &f }
	require.Equal(t, []float64{60, 0, 0, 0.5, 60, 300, 0}, []float64{side(nil), side(at(-5)), side(at(0)), side(at(0.5)), side(at(60)), side(at(1000)), side(at(math.NaN()))})
}

// A twentieth of each side is free around the code and its caption.
func TestLabelEdge(t *testing.T) {
	l := &Labels{FontSize: 12, Text: []LabelText{{Code: "title"}}}
	elements, ok := l.label(captioned{texts: []string{"title"}}, "https://lock.example.com/form/detail?objectId=1", nil, 10*layout.Millimeter, 20*layout.Millimeter, 60*layout.Millimeter, 80*layout.Millimeter)
	require.True(t, ok)
	code, text := elements[0], elements[1]
	require.Equal(t, []layout.Length{13 * layout.Millimeter, 24 * layout.Millimeter, 54 * layout.Millimeter}, []layout.Length{code.Left, code.Top, code.Width})
	require.Equal(t, 96*layout.Millimeter, text.Top+text.Height)
}

// Letters are of the named sizes from 42 to 5 points: the nearest to what was chosen, or to a share of the height, of those that the caption has
// room for; at least 12 points on sheets.
func TestLabelLetters(t *testing.T) {
	require.Equal(t, []float64{42, 36, 26, 24, 22, 18, 16, 15, 14, 12, 10.5, 9, 7.5, 6.5, 5.5, 5}, FontSizes)
	for name, c := range map[string]struct {
		wanted, height float64
		lines          int
		sheet          bool
		want           float64
	}{
		"the usual label has the usual letters": {0, 60, 1, false, 12},
		"a share of the height":                 {0, 100, 1, false, 18},
		"the nearest, not the next":             {13.4, 60, 1, false, 14},
		"between two":                           {12.9, 60, 1, false, 12},
		"the largest of all":                    {100, 300, 1, false, 42},
		"under its cap":                         {42, 60, 2, false, 22},
		"five lines on a small label":           {0, 15, 5, false, 5},
		"no less than the least":                {1, 60, 1, false, 5},
		"on sheets at least 12":                 {5, 60, 1, true, 12},
		"on sheets also where there is no room": {0, 21.2, 3, true, 12},
		"on sheets more where it is chosen":     {24, 60, 1, true, 24},
	} {
		require.Equal(t, c.want, fontSize(c.wanted, c.height, c.lines, c.sheet), name)
	}
	for _, size := range FontSizes {
		require.Equal(t, size, fontSize(size, 300, 1, false), "each can be chosen")
	}
}

// Labels of a sheet lie within it, apart from each other, with equal edges; the dialog knows the same sheets.
func TestStocks(t *testing.T) {
	text, err := os.ReadFile("../../plugins/core/action/qrcode/sizes.ts")
	require.NoError(t, err)
	known := regexp.MustCompile(`\['([^']+)', (\d+), (\d+), ([\d.]+), ([\d.]+)\]`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, known, len(Stocks))
	for i, s := range Stocks {
		require.Equal(t, []string{s.Name, strconv.Itoa(s.Columns), strconv.Itoa(s.Rows), mm(s.Width), mm(s.Height)}, known[i][1:])
		l := Labels{Sheet: s.Name}
		w, h := layout.Millimeters(s.Width), layout.Millimeters(s.Height)
		p, ok := l.places(w, h)
		require.True(t, ok)
		require.Equal(t, s.Columns*s.Rows, p.each)
		x0, y0 := p.at(0, w, h)
		x1, y1 := p.at(p.each-1, w, h)
		require.GreaterOrEqual(t, x0, layout.Length(0), s.Name)
		require.GreaterOrEqual(t, y0, layout.Length(0), s.Name)
		require.InDelta(t, int(x0), int(p.setup.Width-x1-w), 1, s.Name)
		require.InDelta(t, int(y0), int(p.setup.Height-y1-h), 1, s.Name)
		if s.Columns > 1 {
			x, _ := p.at(1, w, h)
			require.Equal(t, x0+w+layout.Millimeters(s.Gap), x)
		}
	}
}
