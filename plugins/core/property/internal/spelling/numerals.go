package spelling

import (
	"regexp"
	"strconv"
	"strings"
)

// figures are the digits of Chinese numerals, those of vouchers and traditional ones among them, and counts the words that multiply them.
const (
	figures = `0-9〇○零一二三四五六七八九两兩壹贰貳弍叁叄參参肆伍陆陸柒捌玖`
	counts  = `十拾百佰千仟`
)

// plainNumerals are one character for each meaning.
var plainNumerals = strings.NewReplacer("〇", "0", "○", "0", "零", "0", "一", "1", "壹", "1", "二", "2", "两", "2", "兩", "2", "贰", "2", "貳", "2",
	"弍", "2", "三", "3", "叁", "3", "叄", "3", "參", "3", "参", "3", "四", "4", "肆", "4", "五", "5", "伍", "5", "六", "6", "陆", "6", "陸", "6",
	"七", "7", "柒", "7", "八", "8", "捌", "8", "九", "9", "玖", "9", "拾", "十", "佰", "百", "仟", "千", "萬", "万", "億", "亿", "圆", "元", "圓", "元",
	"正", "整", "點", "点", "負", "负")

var (
	// named are numerals in words: a text with none of these has only plain digits.
	named = regexp.MustCompile(`[〇○零一二三四五六七八九两兩十百千壹贰貳弍叁叄參参肆伍陆陸柒捌玖拾佰仟]|[万萬亿億].*\d|[元圆圓].`)
	// oneByOne are figures beside each other: a year to one reader, three or four to another.
	oneByOne = regexp.MustCompile(`[一二三四五六七八九两兩壹贰貳弍叁叄參参肆伍陆陸柒捌玖][〇○零一二三四五六七八九两兩壹贰貳弍叁叄參参肆伍陆陸柒捌玖]`)
	figure   = regexp.MustCompile(`0|[1-9]\d*|.`)
	voucher  = regexp.MustCompile(`^(?:(.+)元)?0?(?:(\d)角)?0?(?:(\d)分)?整?$`)
	hundred  = regexp.MustCompile(`^([百千])分之(.+)$`)
)

// Numeral reads a number in Chinese numerals (一百二十三, 壹佰贰拾叁, 3万5千, 三点一四, 百分之五, 负三) and returns its digits. An amount of
// money (壹佰贰拾叁元伍角整) is read where money is true. false for other texts, and for those that can mean two numbers: 三万五 is 35,000 to
// one reader and 30,005 to another, 三四 is three or four.
func Numeral(s string, money bool) (text string, ok bool) {
	whole, _, _ := strings.Cut(s, "点")
	if !named.MatchString(s) || oneByOne.MatchString(whole) {
		return "", false
	}
	t := plainNumerals.Replace(strings.ReplaceAll(s, " ", ""))
	sign := ""
	for _, minus := range []string{"负", "-"} {
		if rest, is := strings.CutPrefix(t, minus); is {
			t, sign = rest, "-"
			break
		}
	}
	if m := hundred.FindStringSubmatch(t); m != nil {
		text, ok = decimalOf(m[2])
		return sign + text + map[string]string{"百": "e-2", "千": "e-3"}[m[1]], ok
	}
	if m := voucher.FindStringSubmatch(t); m != nil && money && strings.ContainsAny(t, "元角分") {
		whole, ok := "0", true
		if m[1] != "" {
			whole, ok = decimalOf(m[1])
		}
		if cents := m[2] + m[3]; cents != "" {
			ok = ok && !strings.Contains(whole, ".")
			whole += "." + zeroed(m[2]) + m[3]
		}
		return sign + whole, ok
	}
	text, ok = decimalOf(t)
	return sign + text, ok
}

func zeroed(digit string) string {
	if digit == "" {
		return "0"
	}
	return digit
}

// decimalOf reads a number without a sign, with the digits of its fraction one by one behind 点.
func decimalOf(t string) (string, bool) {
	whole, fraction, pointed := strings.Cut(t, "点")
	if !pointed && strings.Trim(t, "0123456789.,") == "" { // 1,200元整
		return t, t != ""
	}
	n, ok := wholeOf(whole)
	text := strconv.FormatInt(n, 10)
	if !pointed {
		return text, ok
	}
	return text + "." + fraction, ok && fraction != "" && strings.Trim(fraction, "0123456789") == ""
}

// units multiply the figure before them.
var units = map[string]int64{"十": 10, "百": 100, "千": 1000, "万": 1e4, "亿": 1e8}

// wholeOf reads a whole number in figures and units. A figure behind a unit that is not the next smaller one needs a zero before it.
func wholeOf(t string) (int64, bool) {
	const none = -1
	if t == "0" {
		return 0, true
	}
	var total, section int64 // what stands before 亿 or 万, and what is below 10,000
	digit, last, zero := int64(none), int64(1e16), false
	ones := func(end bool) bool { // the figure that has no unit of its own
		if digit == none {
			return !zero
		}
		behind := section > 0 || end && total > 0
		if digit > 9 && behind || behind && last != 10 && !zero {
			return false
		}
		section, digit, zero = section+digit, none, false
		return true
	}
	for _, one := range figure.FindAllString(t, -1) {
		unit := units[one]
		n, err := strconv.ParseInt(one, 10, 64)
		switch {
		case one == "0":
			if digit != none || last == 1e16 {
				return 0, false
			}
			zero = true
		case err == nil:
			if digit != none || n > 9999 {
				return 0, false
			}
			digit = n
		case unit == 0:
			return 0, false
		case unit < 1e4:
			if digit == none && unit == 10 {
				digit = 1
			}
			if digit == none || digit > 9 || unit >= last || zero && unit*10 >= last {
				return 0, false
			}
			section, digit, last, zero = section+digit*unit, none, unit, false
		default:
			if !ones(false) || unit == 1e4 && total%1e8 > 0 || unit == 1e8 && total >= 1e8 || total+section == 0 {
				return 0, false
			}
			if unit == 1e4 {
				total += section * unit
			} else {
				total = (total + section) * unit
			}
			section, last = 0, unit
		}
	}
	ok := ones(true)
	return total + section, ok
}

var (
	// dated are numerals before the words of dates and times, or at the end.
	dated = regexp.MustCompile(`([` + figures + counts + `元]+)\s*([年月日号號时時点點分秒]|$)`)
	// era is what says of which calendar a year is: 民国115年 is 2026年.
	era = regexp.MustCompile(`^(?:公元|西元|((?:中华|中華)?民[国國]))\s*(\d{1,4})(\s*[-/.年].*)$`)
)

// arabic writes the Chinese numerals of a date or a time as digits: years figure by figure or counted, all else counted. Years of the Republic
// of China become those of the common calendar. What is not clear stays as it is.
func arabic(s string) string {
	s = dated.ReplaceAllStringFunc(s, func(part string) string {
		m := dated.FindStringSubmatch(part)
		word, t := dateWords.Replace(m[2]), plainNumerals.Replace(m[1])
		switch {
		case t == "元" && (word == "年" || word == "月"):
			t = "1"
		case strings.Trim(t, "0123456789") == "" && (word == "年" || t == m[1]):
		default:
			if len(t) > 1 { // 〇五分
				t = strings.TrimPrefix(t, "0")
			}
			n, ok := wholeOf(t)
			if !ok || oneByOne.MatchString(m[1]) {
				return part
			}
			t = strconv.FormatInt(n, 10)
		}
		return t + word
	})
	m := era.FindStringSubmatch(s)
	switch {
	case m == nil:
		return s
	case m[1] == "":
		return m[2] + m[3]
	case number(m[2]) == 0:
		return s
	}
	return strconv.Itoa(number(m[2])+1911) + m[3]
}

var dateWords = strings.NewReplacer("號", "号", "時", "时", "點", "点")
