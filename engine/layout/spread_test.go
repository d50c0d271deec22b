package layout_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
)

// cells are the cells of a document by their places: "row,column rows x columns text".
func cells(d *layout.Document) (out []string) {
	for _, c := range layout.SpreadOf(d, square{}).Cells {
		out = append(out, fmt.Sprintf("%d,%d %dx%d %s", c.Row, c.Column, c.Rows, c.Columns, c.Text))
	}
	return out
}

func TestSpread(t *testing.T) {
	of := func(elements ...layout.Element) *layout.Document {
		return &layout.Document{Setup: a4(), Flows: []layout.Flow{{Elements: elements}}}
	}
	require.Equal(t, []string{"0,0 1x3 title", "1,0 1x1 a", "1,1 1x2 b", "3,0 1x2 c"}, cells(of(
		box("title", 0, 0, 100*mm, 10*mm, layout.Cut), box("a", 0, 10*mm, 30*mm, 8*mm, layout.Cut), box("b", 30*mm, 10*mm, 70*mm, 8*mm, layout.Cut), box("c", 0, 20*mm, 60*mm, 8*mm, layout.Cut))))

	t.Run("texts over each other", func(t *testing.T) {
		require.Equal(t, []string{"0,0 2x1 title  note", "1,1 2x1 beside"}, cells(of(
			box("title", 0, 0, 60*mm, 10*mm, layout.Cut), box("note", 0, 2*mm, 60*mm, 8*mm, layout.Cut), box("beside", 0, 2*mm, 100*mm, 12*mm, layout.Cut))))
		framed := box("", 0, 0, 60*mm, 10*mm, layout.Cut)
		framed.Content.(layout.Boxes)[0].Style.Border.Width = 100
		d := of(framed, box("signed", 0, 0, 60*mm, 10*mm, layout.Cut))
		require.Equal(t, []string{"0,0 1x1 signed"}, cells(d))
		require.Positive(t, layout.SpreadOf(d, square{}).Cells[0].Style.Border.Width, "it keeps its frame")
	})

	t.Run("a table moves what is below it down, and says what its figures count", func(t *testing.T) {
		row := func(kind layout.RowKind, texts ...string) layout.Row {
			return layout.Row{Kind: kind, Texts: texts, Values: []any{nil, texts}}
		}
		table := &layout.Table{BodyHeight: 6 * mm, Columns: []layout.Column{{Width: 20 * mm, Head: "name"}, {Width: 20 * mm, Head: "n"}}, Rows: []layout.Row{
			{Kind: layout.GroupRow, Texts: []string{"group"}, Span: 2}, row(layout.DataRow, "a", "1"), row(layout.DataRow, "b", "2"), row(layout.SumRow, "sub", "3"),
			{Kind: layout.GroupRow, Texts: []string{"other"}, Span: 2}, row(layout.DataRow, "c", "4"), row(layout.SumRow, "sub", "4"), row(layout.SumRow, "all", "7")}}
		d := of(layout.Element{Width: 40 * mm, Height: 12 * mm, Content: table}, box("below", 0, 12*mm, 40*mm, 8*mm, layout.Cut))
		require.Equal(t, []string{"0,0 1x1 name", "0,1 1x1 n", "1,0 1x2 group", "2,0 1x1 a", "2,1 1x1 1", "3,0 1x1 b", "3,1 1x1 2", "4,0 1x1 sub", "4,1 1x1 3",
			"5,0 1x2 other", "6,0 1x1 c", "6,1 1x1 4", "7,0 1x1 sub", "7,1 1x1 4", "8,0 1x1 all", "8,1 1x1 7", "9,0 1x2 below"}, cells(d))
		from := map[string]int{}
		for _, c := range layout.SpreadOf(d, square{}).Cells {
			if c.Column == 1 && c.Value != nil {
				from[fmt.Sprint(c.Row, " ", c.Text)] = c.From
			}
		}
		require.Equal(t, []int{2, 6, 1}, []int{from["4 3"], from["7 4"], from["8 7"]})
	})

	t.Run("any template", func(t *testing.T) {
		for seed := range uint64(500) {
			r := rand.New(rand.NewPCG(seed, 17))
			var elements []layout.Element
			for i := range 1 + r.IntN(12) {
				elements = append(elements, box(fmt.Sprintf("<%d>", i), layout.Length(r.IntN(18))*10*mm, layout.Length(r.IntN(25))*10*mm, layout.Length(1+r.IntN(9))*10*mm, layout.Length(1+r.IntN(4))*5*mm, layout.Grow))
			}
			s := layout.SpreadOf(of(elements...), square{})
			taken, all := map[[2]int]bool{}, ""
			for _, c := range s.Cells {
				all += c.Text
				for y := c.Row; y < c.Row+c.Rows; y++ {
					for x := c.Column; x < c.Column+c.Columns; x++ {
						require.False(t, taken[[2]int{y, x}], "seed %d: two cells at %d,%d", seed, y, x)
						taken[[2]int{y, x}] = true
						require.True(t, y < len(s.Rows) && x < len(s.Columns))
					}
				}
			}
			for i := range elements {
				require.Equal(t, 1, strings.Count(all, fmt.Sprintf("<%d>", i)), "seed %d: text %d", seed, i)
			}
		}
	})
}
