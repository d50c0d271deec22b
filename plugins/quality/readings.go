package quality

import (
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// answers are the words for yes (1) and no (0) of an item that is judged by a look. A word that says neither for sure, as 基本符合, 无 or an
// empty box, is none of them. plugins/quality/ui/fill/readings.ts has the same; testdata/readings.json holds both to it.
var answers = answerWords(
	"1 yes y true t ok pass passed √ ✓ ✔ ☑ 是 对 合格 通过 符合 符合要求 符合规定 符合设计 符合设计要求 符合规范要求 "+
		"符合设计及规范要求 符合设计和规范要求 满足 满足要求 满足设计要求 满足规范要求",
	"0 no n false f fail failed × ✗ ✘ x 否 不是 错 不合格 不通过 未通过 不符合 不符合要求 不符合规定 不符合设计要求 不符合规范要求 不满足 不满足要求 不满足设计要求 不满足规范要求 未满足要求")

func answerWords(yes, no string) map[string]int64 {
	out := map[string]int64{}
	for _, word := range strings.Fields(yes) {
		out[word] = 1
	}
	for _, word := range strings.Fields(no) {
		out[word] = 0
	}
	return out
}

var (
	// oneOrTwo finds 12,5: a value with a decimal comma, or two values.
	oneOrTwo = regexp.MustCompile(`\d,\d`)
	// measured is a number and what is behind it. An exponent is none: 1e3 is more often a slip than a thousand.
	measured = regexp.MustCompile(`^([+-]?(?:\d{1,12}(?:\.\d{0,8})?|\.\d{1,8}))(.*)$`)
	// eitherSign is a reading of which nobody knows on which side of the design value it was.
	eitherSign = regexp.MustCompile(`^(±|\+-|\+/-|-\+)`)

	separators = strings.NewReplacer("，", ";", "、", ";", "；", ";", "−", "-", "–", "-", "‒", "-", "。", ".")
)

// Readings reads what was measured of an item, as people write it: 12; 15, -3 or one on a line, in digits of either width, with the unit
// of the item behind them or not. Of an item of the method YESNO it reads words and ticks, as 1 and 0. A text that could mean two things
// is refused with a *fault.Error that says which part it is: ReadingTwoWays, ReadingUnit, ReadingNumber, ReadingAnswer.
func Readings(s, method, unit string) (out []decimal.Decimal, err error) {
	s = strings.TrimSpace(norm.NFKC.String(separators.Replace(property.Visible(s))))
	if at := oneOrTwo.FindString(s); at != "" && (strings.Count(s, ",") == 1 || strings.ContainsAny(s, "; \t\r\n")) {
		whole := s
		for _, word := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("; \t\r\n", r) }) {
			if oneOrTwo.MatchString(word) {
				whole = word
				break
			}
		}
		return nil, fault.New(ReadingTwoWays, whole, strings.Replace(whole, ",", ".", 1), strings.Replace(whole, ",", "; ", 1))
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(";, \t\r\n", r) })
	bare := false // the word before is a number without a unit
	for _, word := range words {
		if method == rule.YesNo {
			n, known := answers[strings.ToLower(strings.TrimRight(word, "."))]
			if !known {
				return nil, fault.New(ReadingAnswer, word)
			}
			out = append(out, decimal.NewFromInt(n))
			continue
		}
		if bare && sameUnit(word, unit) { // 12 mm
			bare = false
			continue
		}
		v, behind, err := reading(word, unit)
		if err != nil {
			return nil, err
		}
		out, bare = append(out, v), behind == ""
	}
	return out, nil
}

// reading reads one number and the unit behind it.
func reading(word, unit string) (v decimal.Decimal, behind string, err error) {
	if sign := eitherSign.FindString(word); sign != "" {
		size := strings.TrimPrefix(word, sign)
		return v, "", fault.New(ReadingTwoWays, word, "+"+size, "-"+size)
	}
	m := measured.FindStringSubmatch(word)
	if m == nil {
		return v, "", fault.New(ReadingNumber, word)
	}
	if behind = m[2]; behind != "" && !sameUnit(behind, unit) {
		if strings.ContainsAny(behind, "0123456789") && !strings.ContainsAny(unit, "0123456789²³") || strings.ContainsAny(behind[:1], ".+-*/~") {
			return v, "", fault.New(ReadingNumber, word)
		}
		if unit == "" {
			return v, "", fault.New(ReadingUnit, word, plan.Label{Zh: "无", I18n: map[string]string{"en": "none"}})
		}
		return v, "", fault.New(ReadingUnit, word, unit)
	}
	v, err = decimal.NewFromString(strings.TrimSuffix(strings.TrimPrefix(m[1], "+"), "."))
	return v, behind, err
}

// sameUnit compares units without case and width: Mpa and MPa, ㎜ and mm.
func sameUnit(written, unit string) bool {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(s)), "")) }
	return unit != "" && plain(written) == plain(unit)
}

// unread is the refusal of the readings in a row of an inspection.
func unread(err error, property, row string) error {
	f, ok := err.(*fault.Error)
	if !ok {
		return err
	}
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{1}, Data: fault.Invalid{Errors: []fault.FieldError{
		{PropertyCode: property, Row: row, Code: f.Code, Args: slices.Clone(f.Args)}}}}
}
