package property

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ListSeparator is between several values in the cell of a file.
const ListSeparator = ";"

// Marks that separate values in cells: the strong ones always do, the weak ones where what they separate names something and the whole does not.
const (
	strongMarks = ";；\n\r"
	weakMarks   = "、，,|"
)

// mostJoined bounds how many parts of a text are tried together as one name, and mostTried the parts of a text in which such names are looked for.
const (
	mostJoined = 8
	mostTried  = 50
)

// JoinList writes texts as one cell: PartList gives the same texts for it, where each of them names something. Texts with a mark that always
// separates are in quotation marks, in which a quotation mark is doubled.
func JoinList(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = text
		if strings.ContainsAny(text, strongMarks) || strings.HasPrefix(text, `"`) || strings.TrimSpace(text) != text {
			out[i] = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
	}
	return strings.Join(out, ListSeparator)
}

// PartList parts the text of a cell into the texts that each mean one thing. known says whether a text names something. The parts between strong
// marks are taken when all of them name something; otherwise the whole text when it does; otherwise each part by itself, the longest run of
// parts first, and parts that name nothing once more at weak marks. What names nothing in the end is given as it is.
func PartList(text string, known func(string) bool) []string {
	parts := strongParts(text)
	all := len(parts) > 0
	for _, p := range parts {
		all = (p.quoted || known(p.text)) && all
	}
	whole := strings.TrimSpace(text)
	if all {
		return texts(parts)
	}
	if whole != "" && known(whole) {
		return []string{whole}
	}
	return runs(text, parts, known, func(p part) []string {
		weak := weakParts(p.text)
		if len(weak) < 2 {
			return []string{p.text}
		}
		some := false
		out := runs(p.text, weak, func(text string) bool {
			is := known(text)
			some = some || is
			return is
		}, func(p part) []string { return []string{p.text} })
		if !some {
			return []string{p.text}
		}
		return out
	})
}

// ListWords are all texts that PartList may ask for, the whole first.
func ListWords(text string) []string {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	out, seen := []string{text}, map[string]bool{text: true}
	note := func(text string) bool {
		if text != "" && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
		return false
	}
	for _, p := range strongParts(text) {
		note(p.text)
	}
	PartList(text, note)
	return out
}

// Unquoted is a text without the quotation marks that JoinList gave it.
func Unquoted(text string) string {
	if parts := strongParts(text); len(parts) == 1 {
		return parts[0].text
	}
	return text
}

// part is a piece of a text, which begins and ends at these bytes.
type part struct {
	text       string
	quoted     bool
	begin, end int
}

func texts(parts []part) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = p.text
	}
	return out
}

// runs takes of parts the longest run that is known as one text, from the first on; what no run begins with is for rest.
func runs(text string, parts []part, known func(string) bool, rest func(part) []string) (out []string) {
	joined := mostJoined
	if len(parts) > mostTried {
		joined = 1
	}
	for i := 0; i < len(parts); i++ {
		if parts[i].quoted {
			out = append(out, parts[i].text)
			continue
		}
		taken := false
		for j := min(len(parts), i+joined) - 1; j >= i && !taken; j-- {
			if run := strings.TrimSpace(text[parts[i].begin:parts[j].end]); known(run) {
				out, i, taken = append(out, run), j, true
			}
		}
		if !taken {
			out = append(out, rest(parts[i])...)
		}
	}
	return out
}

func weakParts(text string) []part { return cut(text, weakMarks, false) }

func strongParts(text string) []part { return cut(text, strongMarks, true) }

// cut gives what is between marks and not empty; quotes says that a part may be in quotation marks.
func cut(text, marks string, quotes bool) (out []part) {
	for at := 0; at < len(text); {
		if rest := text[at:]; quotes && strings.HasPrefix(strings.TrimLeft(rest, " \t　"), `"`) {
			if p, next, ok := quotedPart(text, at); ok {
				out, at = append(out, p), next
				continue
			}
		}
		end := strings.IndexAny(text[at:], marks)
		if end < 0 {
			end = len(text) - at
		}
		if piece := strings.TrimSpace(text[at : at+end]); piece != "" {
			out = append(out, part{text: piece, begin: at, end: at + end})
		}
		at += end
		for at < len(text) && strings.ContainsRune(marks, runeAt(text, at)) {
			at += len(string(runeAt(text, at)))
		}
	}
	return out
}

func runeAt(text string, at int) rune {
	for _, r := range text[at:] {
		return r
	}
	return 0
}

// quotedPart reads a part in quotation marks from a byte on; false when they do not enclose all of it.
func quotedPart(text string, from int) (p part, next int, ok bool) {
	begin := from + strings.IndexByte(text[from:], '"')
	var inside strings.Builder
	for at := begin + 1; at < len(text); at++ {
		if text[at] != '"' {
			inside.WriteByte(text[at])
			continue
		}
		if at+1 < len(text) && text[at+1] == '"' {
			inside.WriteByte('"')
			at++
			continue
		}
		end := at + 1
		after := strings.TrimLeft(text[end:], " \t　")
		next = len(text) - len(after)
		if after == "" {
			return part{inside.String(), true, begin, end}, next, inside.Len() > 0
		}
		if mark := runeAt(after, 0); strings.ContainsRune(strongMarks, mark) {
			return part{inside.String(), true, begin, end}, next + len(string(mark)), inside.Len() > 0
		}
		return part{}, 0, false
	}
	return part{}, 0, false
}

// Told is a name with what tells it from the same name of others, as people read it: "张三（zhangsan）".
func Told(name, detail string) string { return name + "（" + detail + "）" }

// Telling is a way to read a text as a name with what tells it apart.
type Telling struct{ Name, Detail string }

// Tellings are the ways to read a text as a name with what tells it apart in brackets behind it: the longest name first, for names have brackets too.
// Round brackets of one width close those of the other, and so do the others of their shape.
func Tellings(text string) (out []Telling) {
	text = strings.TrimSpace(text)
	last, size := utf8.DecodeLastRuneInString(text)
	shape, opens := bracket(last)
	if shape == "" || opens {
		return nil
	}
	inner := text[:len(text)-size]
	for at, r := range inner {
		if of, opens := bracket(r); of != shape || !opens {
			continue
		}
		name, detail := strings.TrimSpace(inner[:at]), strings.TrimSpace(inner[at+utf8.RuneLen(r):])
		if name != "" && detail != "" {
			out = append(out, Telling{name, detail})
		}
	}
	slices.Reverse(out)
	return out[:min(len(out), mostJoined)]
}

// bracket is the shape of a bracket, as people write them around what tells a name apart; "" for everything else.
func bracket(r rune) (shape string, opens bool) {
	switch r {
	case '(', '（':
		return "round", true
	case ')', '）':
		return "round", false
	case '<', '＜', '〈':
		return "pointed", true
	case '>', '＞', '〉':
		return "pointed", false
	case '[', '［', '【', '〔':
		return "square", true
	case ']', '］', '】', '〕':
		return "square", false
	}
	return "", false
}
