package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Font is the one font of paper. Its figures are in units of Em.
type Font interface {
	Em() int
	Ascent() int  // of a line above its baseline
	Descent() int // below it, positive
	Advance(r rune) int
}

// ellipsis ends a text that is cut.
const ellipsis = "…"

// leading is the height of a line in hundredths of the size of its font.
const leading = 135

func lineHeight(size Length) Length { return size * leading / 100 }

// Width is the length of a text in one line.
func Width(f Font, text string, size Length) Length { return scaled(f, units(f, text), size) }

// units is the width of a text in those of the font.
func units(f Font, text string) (out int) {
	for _, r := range text {
		if r != joiner {
			out += f.Advance(r)
		}
	}
	return out
}

// joiner is the character of Unicode at which no line ends (WORD JOINER). Lines do not have it.
const joiner = '\u2060'

const joinerText = string(joiner)

// Whole is a text that a line never divides, as a figure: one that is divided reads as another one. With spaces also not where it has spaces, as
// between a number and its unit. It stays so within a longer text.
func Whole(text string, spaces bool) string {
	var out strings.Builder
	before := ' '
	for i, r := range text {
		if i > 0 && (spaces || r != ' ' && before != ' ') {
			out.WriteRune(joiner)
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

func scaled(f Font, units int, size Length) Length {
	return Length((units*int(size) + f.Em()/2) / f.Em())
}

// Lines breaks a text into lines of a width, by the rules of Unicode Standard Annex 14: no closing punctuation at the start of a line, no
// opening one at its end, words and numbers whole. A word that is longer than a line is broken where the line ends. There is at least one line.
func Lines(f Font, text string, size, width Length) []string {
	most := int(width) * f.Em() / max(int(size), 1)
	var out []string
	for paragraph := range strings.SplitSeq(Clean(text), "\n") {
		out = append(out, breakParagraph(f, paragraph, most)...)
	}
	return out
}

var spaces = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\t", "    ", "\u00a0", " ")

// Clean makes a text fit for paper: line ends are \n, tabs are spaces, and other control characters are left out.
func Clean(text string) string {
	plain := true
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' || c >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return text
	}
	text = spaces.Replace(text)
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || r == '\ufeff' {
			return -1
		}
		return r
	}, text)
}

// breakParagraph breaks a text without line ends at most units of the font.
func breakParagraph(f Font, text string, most int) []string {
	var out []string
	line, used := strings.Builder{}, 0
	flush := func() {
		out = append(out, strings.TrimRight(line.String(), " "))
		line.Reset()
		used = 0
	}
	for _, word := range words(text) {
		wide, bare := units(f, word), units(f, strings.TrimRight(word, " ")) // with and without the spaces at its end
		if used > 0 && used+bare > most {
			flush()
		}
		if bare <= most {
			line.WriteString(word)
			used += wide
			continue
		}
		for _, piece := range pieces(word) { // longer than a line
			wide := units(f, piece)
			if used > 0 && used+wide > most {
				flush()
			}
			line.WriteString(piece)
			used += wide
		}
	}
	if line.Len() > 0 || len(out) == 0 {
		flush()
	}
	return out
}

// words are the parts of a text between which lines may end.
func words(text string) []string {
	var out []string
	state := -1
	for text != "" {
		var word string
		word, text, _, state = uniseg.FirstLineSegmentInString(text, state)
		out = append(out, splitAtQuotes(word)...)
	}
	return out
}

// splitAtQuotes lets lines end before an opening and after a closing quotation mark next to a Han character: Unicode leaves out that Chinese
// has no spaces there.
func splitAtQuotes(word string) []string {
	if !strings.ContainsAny(word, "“”‘’") {
		return []string{word}
	}
	var out []string
	runes := []rune(word)
	start := 0
	for i := 1; i < len(runes); i++ {
		before := (runes[i] == '“' || runes[i] == '‘') && unicode.Is(unicode.Han, runes[i-1])
		after := (runes[i-1] == '”' || runes[i-1] == '’') && unicode.Is(unicode.Han, runes[i])
		if before || after {
			out = append(out, string(runes[start:i]))
			start = i
		}
	}
	return append(out, string(runes[start:]))
}

// pieces are the characters of a text as people see them; what Whole joined is one piece.
func pieces(text string) []string {
	var out []string
	state, joined := -1, false
	for text != "" {
		var one string
		one, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		if joins := strings.HasSuffix(one, joinerText); len(out) > 0 && (joined || one == joinerText) {
			out[len(out)-1] += one
			joined = joins
		} else {
			out, joined = append(out, one), joins
		}
	}
	return out
}

// shorten ends a line with an ellipsis within a width.
func shorten(f Font, line string, size, width Length) string {
	if Width(f, line+ellipsis, size) <= width {
		return line + ellipsis
	}
	parts := pieces(line)
	for len(parts) > 0 {
		parts = parts[:len(parts)-1]
		if cut := strings.Join(parts, "") + ellipsis; Width(f, cut, size) <= width {
			return cut
		}
	}
	return ellipsis
}

// typeset is a text in lines of one size.
type typeset struct {
	lines []string
	size  Length
	lost  []string // figures that are wider than the box in the smallest letters: noRoom stands for each
}

// noRoom is drawn for a figure without room, as in spreadsheets: part of it would be another figure.
const noRoom = "###"

func (t typeset) height() Length { return Length(len(t.lines)) * lineHeight(t.size) }

// fit breaks the text of a box that is high at least height. The result may be higher only where the box grows.
func (b Box) fit(f Font, height Length) typeset {
	width := max(b.Width-2*b.Style.Padding, 1)
	text := b.Text
	if figure(text) {
		text = Whole(text, true)
	}
	set := func(size Length) typeset { return typeset{lines: Lines(f, text, size, width), size: size} }
	out, step := set(b.Style.size()), Points(0.5)
	for wider(f, out, width, true) && out.size-step >= SmallestFont { // digits get smaller rather than divided
		out = set(out.size - step)
	}
	if b.Overflow != Grow {
		room := max(height-b.Style.Padding, 0)
		for b.Overflow == Shrink && (out.height() > room || wider(f, out, width, false)) && out.size-step >= SmallestFont {
			out = set(out.size - step)
		}
		if fits := max(int(room/lineHeight(out.size)), 1); len(out.lines) > fits {
			out.lines = out.lines[:fits]
			out.lines[fits-1] = shorten(f, out.lines[fits-1], out.size, width)
		}
	}
	return out.plain(f, width)
}

// plain is the text without its joiners. What has no room is lost.
func (t typeset) plain(f Font, width Length) typeset {
	for i, line := range t.lines {
		if !strings.Contains(line, joinerText) {
			continue
		}
		bare := strings.ReplaceAll(line, joinerText, "")
		if Width(f, line, t.size) > width {
			t.lost = append(t.lost, bare)
			bare = noRoom
		}
		t.lines[i] = bare
	}
	return t
}

// figure reports whether a text is one number, perhaps with a sign, separators or %.
func figure(text string) bool {
	digits := false
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits = true
		case r != '.' && r != ',' && r != '-' && r != '+' && r != '%':
			return false
		}
	}
	return digits
}

// wider reports whether a line of a text is wider than its box; of figures only, where whole is given.
func wider(f Font, t typeset, width Length, whole bool) bool {
	for _, l := range t.lines {
		if (!whole || strings.Contains(l, joinerText)) && Width(f, l, t.size) > width {
			return true
		}
	}
	return false
}
