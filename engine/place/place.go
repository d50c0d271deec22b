// Package place knows administrative divisions as a tree and reads them at the beginning of addresses. The same reader serves spreadsheets,
// calls and pasted cells.
package place

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Division is one administrative division. Code has two digits for a province, four for a city and six for a district.
type Division struct {
	Code, Name, NameEn string
	Leaf               bool // nothing lies below it; set by New
}

// Tree holds divisions, ready to be read. It never changes.
type Tree struct {
	byCode map[string]*node
	root   node
	full   map[string][]*node // by what is folded of the whole name, below the provinces too
	most   int                // characters of the longest name of full
}

type node struct {
	Division
	children []*node
	// names are what is written for it, folded: the whole names in every language, and the names without the kind of division.
	whole, brief []string
}

// kinds of divisions that people leave out of a name, the longest first.
var kinds = []string{"维吾尔自治区", "壮族自治区", "回族自治区", "特别行政区", "自治区", "自治州", "自治县", "地区", "省", "市", "区", "县", "盟", "旗"}

var englishKinds = []string{" District", " County", " Banner", " Province", " Autonomous Region", " Zhuang Autonomous Region", " Hui Autonomous Region", " Uyghur Autonomous Region"}

// Short is a name without the kind of division that it is; the name itself when too little would be left.
func Short(name string) string {
	for _, kind := range kinds {
		if rest, ok := strings.CutSuffix(name, kind); ok && utf8.RuneCountInString(rest) >= 2 {
			return rest
		}
	}
	return name
}

// peoples are the nationalities in the names of autonomous prefectures, counties and banners, which people leave out: 恩施土家族苗族自治州 is 恩施州.
var peoples = regexp.MustCompile(`^(\p{Han}{2,5}?)(?:(?:土家|苗|彝|藏|羌|布依|侗|壮|傣|景颇|傈僳|白|哈尼|朝鲜|回|蒙古|满|瑶|黎|畲|水|仡佬|拉祜|佤|纳西|怒|普米|独龙|布朗|撒拉|保安|东乡|裕固|土|` +
	`达斡尔|鄂温克|毛南|仫佬|各)族|蒙古|哈萨克|柯尔克孜|锡伯|塔吉克)+自治([州县旗])$`)

// autonomous is the name of an autonomous prefecture, county or banner without its nationalities, and its kind; "" for others.
func autonomous(name string) (base, kind string) {
	m := peoples.FindStringSubmatch(name)
	if m == nil {
		return "", ""
	}
	return m[1], m[2]
}

var unsaid = regexp.MustCompile(`^(市辖区|县|(省|自治区)直辖县级行政区划)$`)

// Unsaid reports whether a division lies between two others in name only: nobody writes it.
func Unsaid(name string) bool { return unsaid.MatchString(name) }

// Above is the code of the division that holds one: two digits less.
func Above(code string) string {
	if len(code) <= 2 {
		return ""
	}
	return code[:len(code)-2]
}

// New makes a tree. Of divisions of one code the last one counts.
func New(list []Division) *Tree {
	t := &Tree{byCode: make(map[string]*node, len(list)), full: map[string][]*node{}}
	for _, d := range list {
		n := &node{Division: d, whole: []string{fold(d.Name)}}
		if d.NameEn != "" && d.NameEn != d.Name {
			n.whole = append(n.whole, fold(d.NameEn))
		}
		if brief := Short(d.Name); brief != d.Name {
			n.brief = append(n.brief, fold(brief))
		}
		if base, kind := autonomous(d.Name); base != "" {
			n.whole, n.brief = append(n.whole, fold(base+kind)), append(n.brief, fold(base))
		}
		for _, kind := range englishKinds {
			if brief, ok := strings.CutSuffix(d.NameEn, kind); ok {
				n.brief = append(n.brief, fold(brief))
			}
		}
		t.byCode[d.Code] = n
	}
	for code, n := range t.byCode {
		up := &node{} // what holds it is not there
		if len(code) <= 2 {
			up = &t.root
		} else if above, ok := t.byCode[Above(code)]; ok {
			up = above
			if Unsaid(n.Name) { // other programs write the name above it twice
				n.whole, n.brief = nil, append(slices.Clone(n.whole), fold(up.Name))
			}
		}
		up.children = append(up.children, n)
		if Unsaid(n.Name) || up.Name == n.Name {
			continue
		}
		names := n.whole[:1]
		if base, kind := autonomous(n.Name); base != "" {
			names = append(slices.Clip(names), fold(base+kind))
		}
		for _, name := range names {
			t.full[name] = append(t.full[name], n)
			t.most = max(t.most, utf8.RuneCountInString(name))
		}
	}
	for _, n := range t.byCode {
		n.Leaf = len(n.children) == 0
		order(n.children)
	}
	order(t.root.children)
	for _, same := range t.full {
		order(same)
	}
	return t
}

func order(list []*node) {
	slices.SortFunc(list, func(a, b *node) int { return cmp.Compare(a.Code, b.Code) })
}

// Get returns a division.
func (t *Tree) Get(code string) (Division, bool) {
	if n, ok := t.byCode[code]; ok {
		return n.Division, true
	}
	return Division{}, false
}

// All gives every division in the order of the codes.
func (t *Tree) All(yield func(Division) bool) {
	for _, code := range slices.Sorted(maps.Keys(t.byCode)) {
		if !yield(t.byCode[code].Division) {
			return
		}
	}
}

// Below returns the divisions right below a code, "" = provinces, in the order of their codes.
func (t *Tree) Below(code string) []Division {
	n := &t.root
	if code != "" {
		if n = t.byCode[code]; n == nil {
			return nil
		}
	}
	out := make([]Division, len(n.children))
	for i, one := range n.children {
		out[i] = one.Division
	}
	return out
}

// Path returns the names from the province down, nil when the code is unknown.
func (t *Tree) Path(code, locale string) []string {
	if t.byCode[code] == nil {
		return nil
	}
	var out []string
	for at := code; at != ""; at = Above(at) {
		n, ok := t.byCode[at]
		if !ok {
			continue
		}
		name := n.Name
		if locale == "en" && n.NameEn != "" {
			name = n.NameEn
		}
		out = append(out, name)
	}
	slices.Reverse(out)
	return out
}

// Find returns the codes whose joined names contain a text, folded.
func (t *Tree) Find(word string) []string {
	word = fold(word)
	var out []string
	for code := range t.byCode {
		if strings.Contains(fold(strings.Join(t.Path(code, "zh"), "")), word) || strings.Contains(fold(strings.Join(t.Path(code, "en"), " ")), word) {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}

// Up returns the divisions that hold one, from the province down.
func (t *Tree) Up(code string) []Division {
	var out []Division
	for at := Above(code); at != ""; at = Above(at) {
		if n, ok := t.byCode[at]; ok {
			out = append(out, n.Division)
		}
	}
	slices.Reverse(out)
	return out
}

// fold is the form in which names are compared: narrow and small, character by character.
func fold(s string) string { return strings.Map(foldRune, s) }

func foldRune(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		r -= '！' - '!'
	case r == '\u3000':
		r = ' '
	}
	return unicode.ToLower(r)
}
