package place

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Verdict says what a text is as an address.
type Verdict uint8

// Verdicts.
const (
	Read    Verdict = iota
	None            // no division begins it
	Several         // more than one division is called so, and nothing above it is named
	Unclear         // a name without its kind ("北京") runs into other words ("北京路"), and may be part of them
	Missing         // a word means a division that there is not below the one before it ("湖北省 朝阳区")
)

// End follows the division, or is the beginning, where what follows could be taken for a division, or where there is none:
// "//" in "湖北省宜昌市//西陵区路口" and "//左岸".
const End = "//"

// Reading is what a text says.
type Reading struct {
	Verdict Verdict
	Code    string   // of the division; "" only where the text begins with End
	Rest    string   // of the text, without the marks before it
	Word    string   // what the verdict is about, unless it is Read
	Names   []string // of the divisions that Several means, each from the province down
}

// mostNamed is how many divisions of one name are told.
const mostNamed = 3

// gap is what people write between the parts of an address.
const gap = " \t\r\n\u3000,，、;；/\\>|·-"

func skip(s string) string { return strings.TrimLeft(s, gap) }

// kindly is a word that means a division, whether or not there is one of that name.
var kindly = regexp.MustCompile(`^[^\s\x{3000},，、;；/\\>|·-]{1,14}(?:省|自治区|特别行政区|市|自治州|地区|盟|自治县|县|区|旗)(?:[\s\x{3000},，、;；/\\>|·-]|$)`)

// Read reads an address: a division by its names in any language, whole or without the kind of division, with or without marks between them,
// levels that nobody writes left out; or by its code of 2, 4 or 6 digits, zeros for what is left out; and then the rest as it is. A division
// below a province needs no other where one only is called so.
func (t *Tree) Read(text string) Reading {
	text = strings.TrimFunc(text, blank)
	r := t.read(text)
	if r.Verdict != None {
		return r
	}
	if rest := preface.ReplaceAllString(text, ""); rest != text {
		if inner := t.read(rest); inner.Verdict != None {
			return inner
		}
	}
	return r
}

// preface is what is written before the province in addresses of forms.
var preface = regexp.MustCompile(`^(?:(?:详细|注册|通讯|通信|办公|联系|单位)?[地住]址\s*[:：]\s*)?(?:中华人民共和国|中国)?\s*`)

// blank reports whether a character is white space, or a mark of no width as other programs put around texts.
func blank(r rune) bool {
	return unicode.IsSpace(r) || r >= '\u200b' && r <= '\u200f' || r >= '\u202a' && r <= '\u202e' || r == '\u2060' || r == '\ufeff'
}

func (t *Tree) read(text string) Reading {
	if rest, ok := strings.CutPrefix(text, End); ok {
		return Reading{Rest: strings.TrimSpace(rest)}
	}
	if r, ok := t.coded(text); ok {
		return r
	}
	at, rest, unclear := t.down(&t.root, text)
	if at == &t.root && unclear == "" {
		var several Reading
		if at, rest, several = t.headless(text); at == nil {
			return several
		}
		at, rest, unclear = t.down(at, rest)
	}
	if unclear != "" {
		return Reading{Verdict: Unclear, Word: unclear}
	}
	return ended(at, rest)
}

// ended is a reading of which nothing more is a division.
func ended(at *node, rest string) Reading {
	bare := strings.TrimLeft(rest, " \t\u3000")
	if detail, ok := strings.CutPrefix(bare, End); ok {
		return Reading{Code: at.Code, Rest: strings.TrimSpace(detail)}
	}
	said := skip(rest)
	if word := unknown(said); word != "" && !at.last() {
		return Reading{Verdict: Missing, Word: word}
	}
	return Reading{Code: at.Code, Rest: said}
}

// last reports whether no division is named below one: it has none, or only one of its own name, as cities without districts have.
func (n *node) last() bool {
	return !slices.ContainsFunc(n.children, func(one *node) bool { return one.Name != n.Name })
}

// unknown is the word for a division that there is not; "" where none begins a text. Zones of a city are no divisions.
func unknown(text string) string {
	word := strings.TrimRight(kindly.FindString(text), gap)
	if word == "" {
		word = joined.FindString(text)
	}
	if zones.MatchString(word) {
		return ""
	}
	return word
}

// joined is such a word with something right behind it: a district or county of the usual length.
var joined = regexp.MustCompile(`^\p{Han}{1,3}(?:区|县)`)

// zones are parts of cities that are called alike and are none of their districts.
var zones = regexp.MustCompile(`(?:开发|高新|高教|工业|产业|科技|物流|保税|综保|自贸|经济|经开|示范|试验|实验|合作|管理|风景|度假|旅游|生活|住宅|家属|别墅|老城|主城|中心城|大学城|新|景|小|社|园|厂|校|库|矿|林|牧|营|片|街|郊|市|军|特|专)区$|^(?:县|区)`)

// coded reads a text that begins with a code. One with something behind it has all its digits: "12 Main Street" is not a province.
func (t *Tree) coded(text string) (Reading, bool) {
	text = narrow(text)
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	rest := text[len(digits):]
	bare := strings.TrimLeft(rest, " \t\u3000")
	if n := len(digits); n != 6 && (rest != "" && !strings.HasPrefix(bare, End) || n != 2 && n != 4) {
		return Reading{}, false
	}
	code := digits
	for t.byCode[code] == nil && len(code) > 2 && strings.HasSuffix(code, "00") {
		code = code[:len(code)-2]
	}
	n := t.byCode[code]
	switch {
	case n == nil && rest == "":
		return Reading{Verdict: None, Word: text}, true
	case n == nil:
		return Reading{}, false
	case strings.HasPrefix(bare, End):
		return Reading{Code: code, Rest: strings.TrimSpace(bare[len(End):])}, true
	case rest != "" && bare == rest && skip(rest) == rest:
		return Reading{}, false // "110101号": digits of something else
	}
	return Reading{Code: code, Rest: skip(rest)}, true
}

// narrow makes the digits narrow that a text begins with.
func narrow(text string) string {
	for at, r := range text {
		if f := foldRune(r); f < '0' || f > '9' {
			return fold(text[:at]) + text[at:]
		}
	}
	return fold(text)
}

// headless reads a division without those above it, by its whole name.
func (t *Tree) headless(text string) (*node, string, Reading) {
	word, ends := make([]rune, 0, t.most), make([]int, 0, t.most)
	for i, r := range text {
		if len(word) == t.most {
			break
		}
		word, ends = append(word, foldRune(r)), append(ends, i+utf8.RuneLen(r))
	}
	for n := len(word); n >= 2; n-- {
		switch found := t.full[string(word[:n])]; {
		case len(found) == 1:
			return found[0], text[ends[n-1]:], Reading{}
		case len(found) > 1:
			out := Reading{Verdict: Several, Word: text[:ends[n-1]]}
			for _, one := range found[:min(len(found), mostNamed)] {
				out.Names = append(out.Names, strings.Join(t.Path(one.Code, "zh"), ""))
			}
			return nil, "", out
		}
	}
	return nil, "", Reading{Verdict: None, Word: text}
}

// down goes down as far as a text names divisions. unclear is a name without its kind that may be the beginning of another word.
func (t *Tree) down(at *node, text string) (_ *node, rest, unclear string) {
	for rest = text; len(at.children) > 0; {
		if strings.HasPrefix(strings.TrimLeft(rest, " \t\u3000"), End) {
			return at, rest, ""
		}
		said := skip(rest)
		next, after, ok := t.named(at, said)
		if !ok {
			next, after, unclear = t.brief(at, said)
		}
		if next == nil || unclear != "" {
			if deep, behind := t.deeper(at, said); deep != nil {
				next, after, unclear = deep, behind, ""
			}
		}
		if unclear != "" || next == nil {
			return at, rest, unclear
		}
		at, rest = next, after
	}
	return at, rest, ""
}

// below gives the divisions that may follow one in a text: those right below it, and those below the ones that nobody writes.
func (n *node) below(yield func(*node) bool) {
	for _, one := range n.children {
		if !yield(one) {
			return
		}
	}
	for _, one := range n.children {
		if Unsaid(one.Name) || one.Name == n.Name {
			for _, two := range one.children {
				if !yield(two) {
					return
				}
			}
		}
	}
}

// named finds the division that a text begins with by a whole name; the longest name.
func (t *Tree) named(at *node, text string) (best *node, rest string, ok bool) {
	for one := range at.below {
		for _, name := range one.whole {
			if after, is := cut(text, name); is && (best == nil || len(after) < len(rest)) {
				best, rest = one, after
			}
		}
	}
	return best, rest, best != nil
}

// deeper finds the only district of a province that a text begins with by its whole name, where the city between both is left out.
func (t *Tree) deeper(at *node, text string) (*node, string) {
	if len(at.Code) != 2 {
		return nil, ""
	}
	var word [24]rune
	var ends [24]int
	n := 0
	for i, r := range text {
		if n == min(len(word), t.most) {
			break
		}
		word[n], ends[n] = foldRune(r), i+utf8.RuneLen(r)
		n++
	}
	for ; n >= 2; n-- {
		var only *node
		for _, one := range t.full[string(word[:n])] {
			if !strings.HasPrefix(one.Code, at.Code) || one == at {
				continue
			}
			if only != nil {
				return nil, ""
			}
			only = one
		}
		if only != nil {
			return only, text[ends[n-1]:]
		}
	}
	return nil, ""
}

// brief finds the division that a text begins with by a name without its kind: where the text, or a mark, ends it, or another division follows.
// Of several that are called so it is the one below which that division lies.
func (t *Tree) brief(at *node, text string) (best *node, rest, unclear string) {
	var same []*node
	for one := range at.below {
		for _, name := range one.brief {
			after, is := cut(text, name)
			switch {
			case !is || len(same) > 0 && len(after) > len(rest):
			case len(same) == 0 || len(after) < len(rest):
				same, rest = []*node{one}, after
			case same[len(same)-1] != one:
				same = append(same, one)
			}
		}
	}
	if len(same) == 0 {
		return nil, text, ""
	}
	word := text[:len(text)-len(rest)]
	said := skip(rest)
	if goesOn := slices.DeleteFunc(slices.Clone(same), func(n *node) bool { return !t.begins(n, said) }); len(goesOn) > 0 {
		same, said = goesOn, ""
	}
	switch {
	case len(same) > 1:
		return nil, "", word
	case said == "" || said != rest:
		return same[0], rest, ""
	case Unsaid(same[0].Name):
		return nil, "", "" // the beginning of another word, such as a county town
	}
	return nil, "", word
}

// begins reports whether a text begins with a division below one.
func (t *Tree) begins(at *node, text string) bool {
	if _, _, ok := t.named(at, text); ok || text == "" {
		return ok
	}
	if deep, _ := t.deeper(at, text); deep != nil {
		return true
	}
	next, _, unclear := t.brief(at, text)
	return next != nil && unclear == ""
}

// cut takes a folded name from the beginning of a text. "Henan" is not the beginning of "Henanshan".
func cut(text, name string) (rest string, ok bool) {
	at := 0
	var last rune
	for _, want := range name {
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || foldRune(r) != want {
			return text, false
		}
		at, last = at+size, want
	}
	rest = text[at:]
	if next, _ := utf8.DecodeRuneInString(rest); last < unicode.MaxASCII && unicode.IsLetter(last) && next < unicode.MaxASCII && unicode.IsLetter(next) {
		return text, false
	}
	return rest, true
}

// Write is a text that Read takes back: the names in a locale, and what follows. Where they would be read as something else it
// says the code, or End.
func (t *Tree) Write(code, rest, locale string) string {
	if code == "" {
		return End + " " + rest
	}
	names := ""
	join := map[bool]string{true: " "}[locale == "en"]
	var before string
	for at, path := 0, t.Path(code, locale); at < len(path); at++ {
		if d, _ := t.Get(code[:min(len(code), 2*at+2)]); path[at] == before || Unsaid(d.Name) && at < len(path)-1 {
			continue
		}
		if names != "" {
			names += join
		}
		names, before = names+path[at], path[at]
	}
	texts := []string{names + " " + rest, names + End + rest, code + End + rest}
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if r := t.Read(text); r.Verdict == Read && r.Code == code && r.Rest == rest {
			return text
		}
	}
	return strings.TrimSpace(texts[len(texts)-1])
}
