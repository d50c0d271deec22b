package layout_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/stretchr/testify/require"
)

// square is a font whose Han characters are as wide as they are high and whose others are half as wide.
type square struct{}

func (square) Em() int      { return 1000 }
func (square) Ascent() int  { return 850 }
func (square) Descent() int { return 150 }
func (square) Advance(r rune) int {
	if r < 0x2000 {
		return 500
	}
	return 1000
}

const mm = layout.Millimeter

func a4() layout.Setup {
	return layout.Setup{Width: 210 * mm, Height: 297 * mm, Top: 20 * mm, Bottom: 20 * mm, Left: 17 * mm, Right: 17 * mm}
}

func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		em    int // width of a line
		lines []string
	}{
		"fits":                         {"闸室底板", 4, []string{"闸室底板"}},
		"han between any":              {"闸室底板浇筑", 4, []string{"闸室底板", "浇筑"}},
		"no comma at a start":          {"闸室底板，浇筑", 4, []string{"闸室底", "板，浇筑"}},
		"no full stop at a start":      {"闸室底板。", 4, []string{"闸室底", "板。"}},
		"no opening bracket at an end": {"闸室底（浇筑）", 4, []string{"闸室底", "（浇筑）"}},
		"no opening quote at an end":   {"闸室底“浇筑”板", 4, []string{"闸室底", "“浇筑”", "板"}},
		"numbers stay whole":           {"合计12,400.00元整", 5, []string{"合计", "12,400.00", "元整"}},
		"words stay whole":             {"Bottom slab of the chamber", 6, []string{"Bottom slab", "of the", "chamber"}},
		"a word longer than a line":    {"ABCDEFGHIJ", 2, []string{"ABCD", "EFGH", "IJ"}},
		"line ends":                    {"甲\r\n乙\n\n丙", 9, []string{"甲", "乙", "", "丙"}},
		"controls":                     {"甲\u0000\u0007乙", 9, []string{"甲乙"}},
		"empty":                        {"", 9, []string{""}},
		"percent stays":                {"合格率达到95.5%", 6, []string{"合格率达到", "95.5%"}},
	} {
		t.Run(name, func(t *testing.T) {
			size := layout.Points(10)
			require.Equal(t, c.lines, layout.Lines(square{}, c.text, size, size*layout.Length(c.em)))
		})
	}
}

func box(text string, left, top, width, height layout.Length, o layout.Overflow) layout.Element {
	return layout.Element{Left: left, Top: top, Width: width, Height: height, Content: layout.Boxes{{Width: width, Text: text, Overflow: o}}}
}

// texts are the texts of a page with the distance of their baseline from the top in mm.
func texts(p layout.Page) (out []string) {
	for _, m := range p.Marks {
		if t, is := m.(layout.TextMark); is {
			out = append(out, fmt.Sprintf("%s@%d,%d", t.Text, t.X/mm, t.Y/mm))
		}
	}
	return out
}

func lay(elements ...layout.Element) []layout.Page {
	return layout.Lay(&layout.Document{Setup: a4(), Flows: []layout.Flow{{Elements: elements}}}, square{})
}

// What grows pushes what is below it, and what begins at one height stays at one height.
func TestGrow(t *testing.T) {
	long := strings.Repeat("闸", 20) // 20 x 3.7 mm in a box of 40 mm: two lines
	pages := lay(box(long, 0, 0, 40*mm, 5*mm, layout.Grow), box("right", 50*mm, 0, 40*mm, 5*mm, layout.Grow),
		box("below", 0, 5*mm, 40*mm, 5*mm, layout.Grow), box("beside", 50*mm, 5*mm, 40*mm, 5*mm, layout.Grow))
	require.Len(t, pages, 1)
	require.Equal(t, []string{strings.Repeat("闸", 10) + "@17,23", strings.Repeat("闸", 10) + "@17,28", "right@67,23", "below@17,33", "beside@67,33"}, texts(pages[0]))
}

func TestCutAndShrink(t *testing.T) {
	long := strings.Repeat("闸", 20)
	pages := lay(box(long, 0, 0, 40*mm, 5*mm, layout.Cut), box(long, 50*mm, 0, 40*mm, 5*mm, layout.Shrink), box("below", 0, 5*mm, 40*mm, 5*mm, layout.Cut))
	var found []layout.TextMark
	for _, m := range pages[0].Marks {
		found = append(found, m.(layout.TextMark))
	}
	require.Len(t, found, 3)
	require.Equal(t, strings.Repeat("闸", 9)+"…", found[0].Text)
	require.Equal(t, long, found[1].Text)
	require.Equal(t, layout.DefaultFont, found[0].Size)
	require.Less(t, found[1].Size, layout.DefaultFont)
	require.LessOrEqual(t, found[1].Width, 40*mm)
}

// What does not fit on a page begins the next one, together with what begins at the same height; what is below follows.
func TestPageBreak(t *testing.T) {
	pages := lay(box("a", 0, 250*mm, 40*mm, 10*mm, layout.Grow), box("b", 50*mm, 250*mm, 40*mm, 5*mm, layout.Grow), box("c", 0, 262*mm, 40*mm, 5*mm, layout.Grow))
	require.Len(t, pages, 2)
	require.Empty(t, texts(pages[0]))
	require.Equal(t, []string{"a@17,23", "b@67,23", "c@17,35"}, texts(pages[1]))
}

func TestTextOverPages(t *testing.T) {
	var lines []string
	for i := range 120 { // of 5 mm
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	pages := lay(box(strings.Join(lines, "\n"), 0, 200*mm, 100*mm, 5*mm, layout.Grow), box("end", 0, 205*mm, 100*mm, 5*mm, layout.Grow))
	var found []string
	for _, p := range pages {
		for _, m := range p.Marks {
			text := m.(layout.TextMark)
			require.Less(t, text.Y, 278*mm)
			found = append(found, text.Text)
		}
	}
	require.Equal(t, append(lines, "end"), found)
	require.Len(t, pages, 4)
}

// A frame holds what is within it however much that grows, over pages too.
func TestFrame(t *testing.T) {
	frame := layout.Element{Width: 100 * mm, Height: 20 * mm, Content: &layout.Rectangle{Stroke: layout.Stroke{Width: 100}}}
	pages := lay(frame, box(strings.TrimSpace(strings.Repeat("line\n", 100)), 2*mm, 2*mm, 90*mm, 10*mm, layout.Grow))
	require.Len(t, pages, 2)
	first, second := pages[0].Marks[0].(layout.BoxMark), pages[1].Marks[0].(layout.BoxMark)
	require.True(t, !first.OpenTop && first.OpenBottom && second.OpenTop && !second.OpenBottom)
	require.Equal(t, 20*mm, first.Y)
	require.Equal(t, 257*mm, first.Height)
	require.Equal(t, 20*mm, second.Y)
}

func table(rows int, carried bool) *layout.Table {
	t := &layout.Table{Columns: []layout.Column{{Head: "No.", Width: 20 * mm}, {Head: "Name"}, {Head: "Amount", Width: 40 * mm, CarryFigure: true}}, HeadHeight: 8 * mm,
		BodyHeight: 7 * mm, Every: true, Forward: "forward", Brought: "brought"}
	for i := range rows {
		t.Rows = append(t.Rows, layout.Row{Texts: []string{fmt.Sprint(i + 1), "slab", "10"}})
	}
	t.Rows = append(t.Rows, layout.Row{Kind: layout.SumRow, Texts: []string{"total", "", fmt.Sprint(rows * 10)}, Span: 2})
	if carried {
		t.Carried = func(n int) []string { return []string{"", "", fmt.Sprint(n * 10)} }
	}
	return t
}

// Figures are carried over each page break, the head is repeated, and every row is there once.
func TestCarried(t *testing.T) {
	for _, rows := range []int{1, 33, 34, 35, 36, 300} {
		pages := layout.Lay(&layout.Document{Setup: a4(), Flows: []layout.Flow{{Elements: []layout.Element{{Width: 176 * mm, Content: table(rows, true)}}}}}, square{})
		at := 0
		for i, p := range pages {
			var found []string
			for _, m := range p.Marks {
				text := m.(layout.TextMark)
				require.Less(t, text.Y, 277*mm, "rows %d page %d", rows, i)
				found = append(found, text.Text)
			}
			require.Equal(t, []string{"No.", "Name", "Amount"}, found[:3])
			found = found[3:]
			if i > 0 {
				require.Equal(t, []string{"brought", fmt.Sprint(at * 10)}, found[:2])
				found = found[2:]
			}
			for len(found) > 2 {
				at++
				require.Equal(t, []string{fmt.Sprint(at), "slab", "10"}, found[:3], "rows %d page %d", rows, i)
				found = found[3:]
			}
			if i < len(pages)-1 {
				require.Equal(t, []string{"forward", fmt.Sprint(at * 10)}, found)
			} else {
				require.Equal(t, []string{"total", fmt.Sprint(rows * 10)}, found)
			}
		}
		require.Equal(t, rows, at)
	}
}

// A row that is higher than a page is drawn in parts.
func TestHighRow(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	tab := table(0, false)
	tab.Rows = []layout.Row{{Texts: []string{"1", "short", "1"}}, {Texts: []string{"2", strings.Join(lines, "\n"), "2"}}, {Texts: []string{"3", "after", "3"}}}
	pages := lay(layout.Element{Width: 176 * mm, Content: tab})
	var found []string
	for _, p := range pages {
		for _, m := range p.Marks {
			text := m.(layout.TextMark)
			require.Less(t, text.Y, 277*mm)
			if strings.HasPrefix(text.Text, "line") || text.Text == "after" {
				found = append(found, text.Text)
			}
		}
	}
	require.Equal(t, append(lines, "after"), found)
}

// A row that is moved to the next page is whole there, below the head; one that is too high even for that begins below the row before it.
func TestHighRowMoves(t *testing.T) {
	for n := 40; n < 60; n++ {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("line %d", i))
		}
		tab := table(0, false)
		tab.Rows = []layout.Row{{Texts: []string{"1", "short", "1"}}, {Texts: []string{"2", strings.Join(lines, "\n"), "2"}}}
		on := map[int]int{}
		pages := lay(layout.Element{Width: 176 * mm, Content: tab})
		for i, p := range pages {
			for _, text := range texts(p) {
				if strings.HasPrefix(text, "line") {
					on[i]++
				}
			}
		}
		require.True(t, on[0] > 0 || on[1] == n, "%d lines: %v", n, on)
	}
}

// However small the margins are, 12 mm of the height stay free, except on labels.
func TestUnprintable(t *testing.T) {
	for whole, want := range map[bool][]int{false: {1, 2, 2}, true: {1, 1, 1}} {
		for i, top := range []layout.Length{279 * mm, 280 * mm, 290 * mm} {
			pages := layout.Lay(&layout.Document{Setup: layout.Setup{Width: 210 * mm, Height: 297 * mm, Whole: whole}, Flows: []layout.Flow{{Elements: []layout.Element{box("a", 0, top, 40*mm, 6*mm, layout.Cut)}}}}, square{})
			require.Len(t, pages, want[i], "%v %v", whole, top.MM())
		}
	}
}

func TestWidow(t *testing.T) {
	for rows := 30; rows < 42; rows++ {
		tab := table(rows, false)
		tab.Widow = 3
		pages := lay(layout.Element{Width: 176 * mm, Content: tab})
		if len(pages) == 1 {
			continue
		}
		require.GreaterOrEqual(t, len(texts(pages[1])), 3+3*3+2, "rows %d: %v", rows, texts(pages[1]))
	}
}

func TestBands(t *testing.T) {
	s := a4()
	s.Footer = &layout.Band{Edge: 10 * mm, Align: layout.AlignCenter, Items: []layout.Item{{Text: "第 {page} 页，共 {total} 页"}}}
	s.Header = &layout.Band{Edge: 10 * mm, Align: layout.AlignBetween, Items: []layout.Item{{Text: "left"}, {Text: "right"}}}
	pages := layout.Lay(&layout.Document{Setup: s, Flows: []layout.Flow{{}, {}}}, square{})
	require.Len(t, pages, 2)
	require.Equal(t, []string{"left@17,13", "right@185,13", "第 2 页，共 2 页@92,285"}, texts(pages[1]))
}

// Random templates with random contents: nothing is lost, nothing is drawn outside of the margins, and what is below in the template is below
// on paper.
func TestRandom(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		var elements []layout.Element
		want := map[string]int{}
		top := layout.Length(0)
		for i := range 1 + r.IntN(20) {
			switch r.IntN(3) {
			case 0:
				tab := table(r.IntN(80), r.IntN(2) == 0)
				for k := range tab.Rows {
					text := fmt.Sprintf("%d-%d", i, k)
					tab.Rows[k].Texts[0] = text
					want[text]++
				}
				tab.Widow = r.IntN(4)
				elements = append(elements, layout.Element{Top: top, Width: 176 * mm, Height: 15 * mm, Content: tab})
				top += 15 * mm
			default:
				for k := range 1 + r.IntN(3) {
					n := r.IntN(8)
					if r.IntN(20) == 0 {
						n = r.IntN(200)
					}
					var lines []string
					for j := range 1 + n {
						text := fmt.Sprintf("%d.%d.%d", i, k, j)
						lines = append(lines, text)
						want[text]++
					}
					elements = append(elements, box(strings.Join(lines, "\n"), layout.Length(k)*50*mm, top, 50*mm, 6*mm, layout.Grow))
				}
				top += 6*mm + layout.Length(r.IntN(10))*mm
			}
		}
		doc := &layout.Document{Setup: a4(), Flows: []layout.Flow{{Elements: elements}}}
		pages := layout.Lay(doc, square{})
		require.Equal(t, pages, layout.Lay(doc, square{}))
		got := map[string]int{}
		for n, p := range pages {
			for _, m := range p.Marks {
				if text, is := m.(layout.TextMark); is {
					require.Truef(t, text.Y <= 277*mm && text.Y > 20*mm, "seed %d: %q at %d mm of page %d", seed, text.Text, text.Y/mm, n)
					if want[text.Text] > 0 {
						got[text.Text]++
					}
				}
			}
		}
		require.Equal(t, want, got, "seed %d", seed)
		order(t, seed, pages)
	}
}

// order checks that the first lines of elements are in the order of the template.
func order(t *testing.T, seed uint64, pages []layout.Page) {
	last, at := -1, layout.Length(0)
	for n, p := range pages {
		for _, m := range p.Marks {
			text, is := m.(layout.TextMark)
			var i, k, j int
			if !is {
				continue
			}
			if c, _ := fmt.Sscanf(text.Text, "%d.%d.%d", &i, &k, &j); c != 3 || j != 0 || k != 0 {
				continue
			}
			y := layout.Length(n)*297*mm + text.Y
			require.Greater(t, i, last)
			require.Greater(t, y, at, "seed %d element %d", seed, i)
			last, at = i, y
		}
	}
}

// Heads of columns with one group have it above them, each over its columns; the others are as high as both.
func TestGroupedHead(t *testing.T) {
	border := layout.Style{Border: layout.Stroke{Width: 100}, Padding: mm}
	tab := &layout.Table{HeadHeight: 12 * mm, BodyHeight: 7 * mm, Every: true}
	for i, c := range []layout.Column{{Head: "甲"}, {Head: "乙", Group: "合同"}, {Head: "丙", Group: "合同"}, {Head: "丁", Group: "本期"}, {Head: "戊"}} {
		c.Width, c.Style, c.HeadStyle = layout.Length(i+1)*10*mm, border, border
		tab.Columns = append(tab.Columns, c)
	}
	tab.Rows = []layout.Row{{Texts: []string{"1", "2", "3", "4", "5"}}}
	pages := lay(layout.Element{Width: 150 * mm, Content: tab})
	require.Equal(t, []string{"甲@18,24", "合同@48,24", "乙@28,30", "丙@48,30", "本期@93,24", "丁@78,30", "戊@118,24"}, texts(pages[0])[:7])
	var boxes []string
	for _, m := range pages[0].Marks {
		if b, is := m.(layout.BoxMark); is && b.Y < 32*mm {
			boxes = append(boxes, fmt.Sprintf("%d,%d %dx%d", b.X/mm, b.Y/mm, b.Width/mm, b.Height/mm))
		}
	}
	require.Equal(t, []string{"17,20 10x12", "27,20 50x6", "27,26 20x6", "47,26 30x6", "77,20 40x6", "77,26 40x6", "117,20 50x12"}, boxes, "borders meet")
}

// A number that is too long for its box has smaller digits rather than two lines; words have two lines.
func TestFiguresStayWhole(t *testing.T) {
	tab := &layout.Table{BodyHeight: 7 * mm, NoHead: true, Columns: []layout.Column{{Width: 20 * mm}, {Width: 20 * mm}, {Width: 20 * mm}}}
	tab.Rows = []layout.Row{{Texts: []string{"-1,234,567,890.12", "100.00%", "one word and another"}}}
	var found []layout.TextMark
	for _, m := range lay(layout.Element{Width: 60 * mm, Content: tab})[0].Marks {
		found = append(found, m.(layout.TextMark))
	}
	require.Equal(t, "-1,234,567,890.12", found[0].Text)
	require.Less(t, found[0].Size, layout.DefaultFont)
	require.LessOrEqual(t, found[0].Width, 20*mm)
	require.Equal(t, layout.DefaultFont, found[1].Size)
	require.Equal(t, []string{"one word", "and", "another"}, []string{found[2].Text, found[3].Text, found[4].Text})
}

// What says that it is whole is never divided, also within a longer text: its digits get smaller, and where that is not enough it is told.
func TestWhole(t *testing.T) {
	marks := func(b layout.Box) (texts []string, size layout.Length, lost []string) {
		d := &layout.Document{Setup: a4(), NoRoom: func(f string) { lost = append(lost, f) }}
		d.Flows = []layout.Flow{{Elements: []layout.Element{{Width: b.Width, Height: 20 * mm, Content: layout.Boxes{b}}}}}
		for _, m := range layout.Lay(d, square{})[0].Marks {
			texts, size = append(texts, m.(layout.TextMark).Text), m.(layout.TextMark).Size
		}
		return texts, size, lost
	}
	amount := layout.Whole("5,454,218.04 元", true)
	for _, how := range []layout.Overflow{layout.Grow, layout.Shrink, layout.Cut} {
		texts, size, lost := marks(layout.Box{Width: 25 * mm, Text: amount, Overflow: how})
		require.Equal(t, []string{"5,454,218.04 元"}, texts)
		require.Less(t, size, layout.DefaultFont)
		require.Empty(t, lost)

		texts, _, lost = marks(layout.Box{Width: 10 * mm, Text: amount, Overflow: how})
		require.Equal(t, []string{"###"}, texts, "a part of it would be another figure")
		require.Equal(t, []string{"5,454,218.04 元"}, lost)
	}
	texts, size, _ := marks(layout.Box{Width: 70 * mm, Text: "本期应付 " + amount + "，已付"})
	require.Equal(t, []string{"本期应付 5,454,218.04 元，已付"}, texts)
	texts, _, _ = marks(layout.Box{Width: 45 * mm, Text: "本期应付 " + amount + "，已付"})
	require.Equal(t, []string{"本期应付", "5,454,218.04 元，已付"}, texts)
	require.Equal(t, layout.DefaultFont, size)
	texts, _, _ = marks(layout.Box{Width: 25 * mm, Text: layout.Whole("2026-11-30 14:30", false)})
	require.Equal(t, []string{"2026-11-30", "14:30"}, texts, "a day and a time of day may be on two lines")
}

// What is cut is cut before a figure, not in it.
func TestCutBeforeFigure(t *testing.T) {
	for width := 8; width < 60; width++ {
		d := &layout.Document{Setup: a4(), Flows: []layout.Flow{{Elements: []layout.Element{{Width: layout.Length(width) * mm, Height: 5 * mm,
			Content: layout.Boxes{{Width: layout.Length(width) * mm, Text: "合计" + layout.Whole("12,345.67 元", true) + "，不含税，见附件", Overflow: layout.Cut}}}}}}}
		pages := layout.Lay(d, square{})
		var all string
		for _, m := range pages[0].Marks {
			all += m.(layout.TextMark).Text + "|"
		}
		if strings.ContainsAny(all, "1234567") {
			require.Contains(t, all, "12,345.67 元", width)
		}
	}
}

// What is below a table keeps its last rows with it, wherever the table ends.
func TestBelow(t *testing.T) {
	for rows := 20; rows < 60; rows++ {
		tab := table(rows, rows%2 == 0)
		tab.Below, tab.Widow = 30*mm, 2
		pages := lay(layout.Element{Width: 176 * mm, Height: 20 * mm, Content: tab}, box("sign", 0, 20*mm, 40*mm, 30*mm, layout.Grow))
		last := strings.Join(texts(pages[len(pages)-1]), " ")
		require.Contains(t, last, "sign@", rows)
		require.Contains(t, last, fmt.Sprintf("%d@17", rows), "the last row is on the page of the signature")
		require.Contains(t, last, fmt.Sprintf("%d@17", rows-1))
	}
}

// A text that lies within another box moves with it, to the next page too.
func TestWithin(t *testing.T) {
	pages := lay(box("host", 0, 235*mm, 80*mm, 24*mm, layout.Grow), box("date", 40*mm, 251*mm, 38*mm, 6*mm, layout.Grow))
	require.Len(t, pages, 2)
	require.Empty(t, texts(pages[0]))
	require.Equal(t, []string{"host@17,23", "date@57,39"}, texts(pages[1]))
}

// The marks for numbers of pages in a text of a record are its own.
func TestFixedBand(t *testing.T) {
	s := a4()
	s.Header = &layout.Band{Edge: 10 * mm, Items: []layout.Item{{Text: "{page}", Fixed: true}, {Text: "{page}"}}}
	require.Equal(t, []string{"{page}  1@17,13"}, texts(layout.Lay(&layout.Document{Setup: s, Flows: []layout.Flow{{}}}, square{})[0]))
}

// rowsOn are the rows of each page of a table by the number in their first column, "-" for an empty one, with what is below the table.
func rowsOn(pages []layout.Page) (out []string) {
	for _, p := range pages {
		var rows []string
		empty, boxes := 0, 0
		for _, m := range p.Marks {
			switch m := m.(type) {
			case layout.BoxMark:
				if boxes++; m.X == 17*mm { // of the first column
					empty++
				}
			case layout.TextMark:
				if m.X < 37*mm {
					rows = append(rows, m.Text)
					empty--
				}
			}
		}
		out = append(out, strings.Join(rows, " ")+strings.Repeat(" -", max(empty, 0)))
	}
	return out
}

// A form has so many rows on each page: the table goes on after them though there is room, and the last page is filled up, before its total.
func TestRowsPerPage(t *testing.T) {
	fixed := func(rows, perPage int, carried bool) *layout.Table {
		out := table(rows, carried)
		out.PerPage = perPage
		for i := range out.Columns {
			out.Columns[i].Style.Border.Width, out.Columns[i].HeadStyle.Border.Width = 100, 100
		}
		return out
	}
	for _, c := range []struct {
		rows, perPage int
		carried       bool
		want          []string
	}{
		{5, 5, false, []string{"No. 1 2 3 4 5 total"}},
		{3, 5, false, []string{"No. 1 2 3 total - -"}},
		{7, 3, false, []string{"No. 1 2 3", "No. 4 5 6", "No. 7 total - -"}},
		{7, 3, true, []string{"No. 1 2 3 forward", "No. brought 4 5 6 forward", "No. brought 7 total - -"}},
		{0, 2, false, []string{"No. total - -"}},
	} {
		pages := lay(layout.Element{Width: 176 * mm, Content: fixed(c.rows, c.perPage, c.carried)})
		require.Equal(t, c.want, rowsOn(pages), "%+v", c)
	}
	// The place of what is below does not depend on how many rows there are.
	for _, rows := range []int{1, 4, 5, 6, 9} {
		pages := lay(layout.Element{Width: 176 * mm, Height: 15 * mm, Content: fixed(rows, 5, false)}, box("signed", 0, 20*mm, 40*mm, 5*mm, layout.Cut))
		last := texts(pages[len(pages)-1])
		require.Equal(t, "signed@17,78", last[len(last)-1], "%d rows", rows)
	}
	// Rows that need more room than a page has go on over the next; the last page is filled as far as it has room.
	pages := lay(layout.Element{Width: 176 * mm, Content: fixed(45, 40, false)})
	require.Len(t, pages, 2)
	require.Contains(t, rowsOn(pages)[0], " 35")
	require.NotContains(t, rowsOn(pages)[0], " 36")
	require.Equal(t, "No. 36 37 38 39 40 41 42 43 44 45 total"+strings.Repeat(" -", 24), rowsOn(pages)[1])
	// A group begins on the page of its first row.
	groups := fixed(0, 4, false)
	groups.Rows = nil
	for _, g := range []string{"a", "b"} {
		groups.Rows = append(groups.Rows, layout.Row{Kind: layout.GroupRow, Texts: []string{g}, Span: 3})
		for i := range 2 {
			groups.Rows = append(groups.Rows, layout.Row{Texts: []string{fmt.Sprint(g, i)}})
		}
	}
	require.Equal(t, []string{"No. a a0 a1 -", "No. b b0 b1 -"}, rowsOn(lay(layout.Element{Width: 176 * mm, Content: groups})))
}

// A header may be on the first page alone, and pages after it may have another one.
func TestBandsOfPages(t *testing.T) {
	band := func(text string, first bool) *layout.Band {
		return &layout.Band{Edge: 10 * mm, Items: []layout.Item{{Text: text + " {page}/{total}"}}, First: first}
	}
	s := a4()
	of := func(change func(s *layout.Setup)) (out []string) {
		s := s
		change(&s)
		for _, p := range layout.Lay(&layout.Document{Setup: s, Flows: []layout.Flow{{}, {}, {}}}, square{}) {
			var words []string
			for _, m := range p.Marks {
				words = append(words, m.(layout.TextMark).Text)
			}
			out = append(out, strings.Join(words, ", "))
		}
		return out
	}
	require.Equal(t, []string{"a 1/3", "", ""}, of(func(s *layout.Setup) { s.Header = band("a", true) }))
	require.Equal(t, []string{"a 1/3", "b 2/3", "b 3/3"}, of(func(s *layout.Setup) { s.Header, s.NextHeader = band("a", false), band("b", false) }))
	require.Equal(t, []string{"", "b 2/3", "b 3/3"}, of(func(s *layout.Setup) { s.NextFooter = band("b", false) }))
	require.Equal(t, []string{"a 1/3, f 1/3", "a 2/3", "a 3/3"}, of(func(s *layout.Setup) { s.Header, s.Footer = band("a", false), band("f", true) }))
}
