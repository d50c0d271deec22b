// Package sheethead reads what people write above the columns of a sheet: a label in any width and case, with marks, notes and units behind it
// (docs/adr/0079-heads-of-foreign-files.md). Imports of lists and files of packs read alike.
//
//   - In: the columns that a model has, and a heading.
//   - Out: which columns the heading can be, and whether that is sure or has to be asked for.
//   - Guarantees: a heading that fits two columns is never sure; what files of Sluice call the columns, and how those headings are read
//     back, is in runtime/heading.
//   - Begin with: Index.
package sheethead

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// spelling is a heading as headings are compared: without case, width, spaces, marks of required columns and punctuation around it.
type spelling struct {
	name  string   // "金额"
	notes []string // what is in brackets behind it, or a unit behind a slash, as "元"; words for "required" and examples are left out
}

// whole are the name and its notes.
func (s spelling) whole() string {
	if len(s.notes) == 0 {
		return s.name
	}
	return s.name + "(" + strings.Join(s.notes, ")(") + ")"
}

var (
	noted   = regexp.MustCompile(`^(.*?)\s*[(\[【〔{<]\s*([^()\[\]【】〔〕{}<>]*)[)\]】〕}>]$`)
	slashed = regexp.MustCompile(`^(.*\S)\s*[/,]\s*([^/,]+)$`)
	ordinal = regexp.MustCompile(`^\(?\d{1,2}\s*[).、]\s*`)
	// empty are notes that say nothing of what the column is.
	empty  = regexp.MustCompile(`^(必填|必填项|必须|必输|选填|非必填|可选|可空|可不填|请填写|请选择|下拉选择|下拉|单选|多选|唯一|required|mandatory|optional|unique|)$`)
	format = regexp.MustCompile(`^(y{2,4}\W?m{1,2}|d{1,2}\W?m{1,2}\W?y|m{1,2}\W?d{1,2}\W?y|h{1,2}:m|年\W?月|格式|例如|例:|如:|format|example|e\.g)`)
	joined = strings.NewReplacer(" / ", ".", "/", ".", " - ", ".", "-", ".", ":", ".", "：", ".", "·", ".", "—", ".", "_", ".")
)

// around are characters around a heading that mean nothing.
const around = " *★☆:;,.。、"

func spell(text string) (s spelling) {
	text = strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ")
	for {
		text = strings.Trim(text, around)
		note := noted.FindStringSubmatch(text)
		if note == nil || strings.Trim(note[1], around) == "" {
			break
		}
		text = note[1]
		if what := strings.Trim(note[2], around); !empty.MatchString(what) && !format.MatchString(what) {
			s.notes = append([]string{strings.ReplaceAll(what, " ", "")}, s.notes...)
		}
	}
	if unit := slashed.FindStringSubmatch(text); unit != nil && len(s.notes) == 0 && IsUnit(unit[2]) {
		text, s.notes = unit[1], []string{strings.ReplaceAll(unit[2], " ", "")}
	}
	s.name = strings.ReplaceAll(strings.Trim(text, around), " ", "")
	return s
}

// Plain is how headings are told apart.
func Plain(text string) string { return spell(text).whole() }

// Joined puts a point between the name of a group and that of a column that stand in one cell.
func Joined(text string) string { return joined.Replace(norm.NFKC.String(text)) }

// units are how people write units in headings, with the first spelling names the unit.
var units = unitNames(
	"元 rmb cny ¥ 人民币 人民币元 yuan", "usd $ 美元", "eur € 欧元", "港元 hkd 港币", "% 百分比 percent", "‰", "个", "件", "套", "台", "只", "根", "块", "张", "条", "份", "项", "次", "批",
	"组", "人", "人次 ", "页", "株", "棵", "樘", "m 米 metre meter", "mm 毫米", "cm 厘米", "dm 分米", "km 千米 公里", "μm um 微米", "m2 平方米 平米 sqm", "mm2 平方毫米", "cm2 平方厘米",
	"km2 平方公里 平方千米", "亩 mu", "ha 公顷 hm2", "m3 立方米 方 立方", "mm3", "cm3", "dm3", "l 升 litre liter", "ml 毫升", "g 克", "mg 毫克", "kg 千克 公斤", "t 吨 tonne ton", "s 秒 sec", "min 分钟",
	"h 小时 时 hour hours", "工时 man-hour", "台班", "工日", "d 天 日 day days", "周 week weeks", "月 个月 month months", "年 year years", "°c 摄氏度", "°f", "° 度", "n 牛", "kn 千牛", "pa 帕",
	"kpa 千帕", "mpa 兆帕", "gpa 吉帕", "bar", "v 伏", "kv 千伏", "ma 毫安", "w 瓦", "kw 千瓦", "mw 兆瓦", "kva 千伏安", "kwh 千瓦时", "hz 赫兹", "rpm r/min 转/分", "m/s 米/秒", "km/h 公里/小时", "m3/s",
	"m3/h", "t/h", "kg/m3", "g/cm3", "kn/m3", "kn/m2", "kn/m", "n/mm2", "元/t 元/吨", "元/m3 元/立方米 元/方", "元/m2 元/平方米 元/平米", "元/m 元/米", "元/kg 元/千克 元/公斤", "元/个", "元/件", "元/套", "元/天 元/日", "元/月",
	"l/s", "mg/l", "ppm", "db 分贝", "ph", "cd", "lx 勒克斯", "m.s", "pcs", "each ea", "person people")

func unitNames(all ...string) map[string]string {
	out := map[string]string{}
	for _, one := range all {
		names := strings.Fields(one)
		for _, name := range names {
			out[name] = names[0]
		}
	}
	return out
}

// multiple are units that are a number of others: amounts in them are not those of the unit itself.
var multipleOf = regexp.MustCompile(`^(?:(?:十|百|千|万|亿)+(.*)|(?:k|m|bn|thousand|thousands|million|millions|billion|'000|000)\s*(?:of\s*)?(usd|cny|rmb|eur|yuan|元|)|x?10\^?\d+(.*))$`)

// unitOf is the first spelling of a unit; false for other notes.
func unitOf(note string) (unit string, many, ok bool) {
	note = strings.TrimPrefix(strings.TrimPrefix(strings.ReplaceAll(note, " ", ""), "单位:"), "unit:")
	if unit, ok = units[note]; ok {
		return unit, false, true
	}
	of := multipleOf.FindStringSubmatch(note)
	if of == nil {
		return "", false, false
	}
	rest := of[1] + of[2] + of[3]
	if _, ok = units[rest]; ok || rest == "" {
		return note, true, true
	}
	return "", false, false
}

// IsUnit reports whether a note is a unit, or a multiple of one.
func IsUnit(note string) bool {
	_, _, ok := unitOf(note)
	return ok
}

// Meaning is what a heading can be. One that is not sure has to be asked for.
type Meaning struct {
	Codes []string
	Sure  bool // it is the one code
}

// Column is a column by its names.
type Column struct {
	Code    string   // "items.point"
	Last    string   // the property's code alone: "point"
	Labels  []string // in each language
	Unit    string   // of its values; "" = none is known
	Counted bool     // its values are numbers
}

// named is a name of a column.
type named struct {
	code    string
	last    string // the property's code alone
	notes   []string
	units   []string // of the property, in any of its names or by its definition
	counted bool     // its values are numbers
}

// Index finds columns by their headings.
type Index struct {
	exact map[string][]string // by whole labels
	codes map[string]string
	loose map[string][]named // by labels without notes and numbers before them
}

// New is an Index without columns.
func New() *Index {
	return &Index{exact: map[string][]string{}, codes: map[string]string{}, loose: map[string][]named{}}
}

// Add gives a column its names: its labels and its code, as spelled writes them, with the group before them for one.
func (x *Index) Add(c Column, spelled func(string) string) {
	var of []string
	if c.Counted && c.Unit != "" {
		of = append(of, spell("x("+c.Unit+")").notes...)
	}
	for _, label := range c.Labels {
		of = append(of, spell(label).notes...)
	}
	of = slices.DeleteFunc(of, func(note string) bool { return !IsUnit(note) })
	for _, label := range c.Labels {
		s := spell(spelled(label))
		if s.name == "" {
			continue
		}
		if whole := s.whole(); !slices.Contains(x.exact[whole], c.Code) {
			x.exact[whole] = append(x.exact[whole], c.Code)
		}
		key := ordinal.ReplaceAllString(s.name, "")
		x.loose[key] = append(x.loose[key], named{c.Code, strings.ToLower(c.Last), s.notes, of, c.Counted})
	}
	name := Plain(spelled(c.Last))
	if _, taken := x.codes[name]; !taken {
		x.codes[name] = c.Code
	}
}

// Name gives a code a further name that nothing else has.
func (x *Index) Name(name, code string) {
	name = Plain(name)
	if _, taken := x.codes[name]; !taken && len(x.exact[name]) == 0 {
		x.codes[name] = code
	}
}

// Mean reads a heading: as a label, as a code, then as a label with a unit or a note.
func (x *Index) Mean(text string) Meaning {
	s := spell(text)
	if s.name == "" {
		return Meaning{}
	}
	if codes := x.exact[s.whole()]; len(codes) > 0 {
		return Meaning{codes, len(codes) == 1}
	}
	if code, ok := x.codes[s.whole()]; ok {
		return Meaning{[]string{code}, true}
	}
	sure, may := map[string]bool{}, []string{}
	for _, n := range x.loose[ordinal.ReplaceAllString(s.name, "")] {
		if n.called(s) {
			return Meaning{[]string{n.code}, true}
		}
		sure[n.code] = sure[n.code] || n.fits(s)
		if !slices.Contains(may, n.code) {
			may = append(may, n.code)
		}
	}
	maps.DeleteFunc(sure, func(_ string, fits bool) bool { return !fits })
	for code := range sure {
		if len(sure) == 1 {
			return Meaning{[]string{code}, true}
		}
	}
	return Meaning{Codes: may}
}

// called tells if the note of a heading is the property's code: "名称（title）".
func (n named) called(s spelling) bool { return len(s.notes) == 1 && s.notes[0] == n.last }

// fits tells if notes leave no doubt: units are the property's, or plain ones of a property without; any other note is in both or in none.
func (n named) fits(s spelling) bool {
	for _, note := range s.notes {
		unit, many, ok := unitOf(note)
		switch {
		case ok && len(n.units) == 0:
			if many || !n.counted {
				return false
			}
		case ok:
			if !slices.ContainsFunc(n.units, func(of string) bool { is, _, _ := unitOf(of); return is == unit }) {
				return false
			}
		case !slices.Contains(n.notes, note):
			return false
		}
	}
	for _, note := range n.notes {
		if !IsUnit(note) && !slices.Contains(s.notes, note) {
			return false
		}
	}
	return true
}
