// Package spelling reads dates and times as people write them into tables, in Chinese and English. What can mean two days is not read.
package spelling

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/property"
)

const (
	clock  = `(?:(上午|下午|凌晨|中午|晚上|am|pm)\s*)?(\d{1,2})(?:[:时点]\s*(\d{1,2}))?(?:[:分]\s*(\d{1,2})(?:\.\d+)?)?\s*[时点分秒]?\s*(am|pm)?`
	months = `jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec`
)

var (
	yearFirst  = regexp.MustCompile(`^(\d{4})\s*[-/.年]\s*(\d{1,2})(?:\s*[-/.月]\s*(\d{1,2})\s*[日号]?|\s*月)?(?:[\st,]+(.+))?$`)
	digits     = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})(?:[\st]*(\d{2})(\d{2})(\d{2})?)?$`)
	yearLast   = regexp.MustCompile(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[\s,]+(.+))?$`)
	monthWord  = regexp.MustCompile(`^(` + months + `)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:[\s,]+(.+))?$`)
	dayWord    = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th)?[\s-]+(` + months + `)[a-z]*\.?,?[\s-]+(\d{4})(?:[\s,]+(.+))?$`)
	monthYear  = regexp.MustCompile(`^(` + months + `)[a-z]*\.?,?[\s-]+(\d{4})$`)
	sixDigits  = regexp.MustCompile(`^(\d{4})(\d{2})$`)
	shortYear  = regexp.MustCompile(`^(\d{2})(\s*年(?:\s*\d{1,2}\s*月.*)?)$`)
	yearAlone  = regexp.MustCompile(`^(\d{4})\s*年?$`)
	weekday    = regexp.MustCompile(`^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+|\s*[(]?(?:星期|周)[一二三四五六日天][)]?\s*`)
	dayMark    = regexp.MustCompile(`([日号])\s*`)
	colon      = regexp.MustCompile(` ?: ?`)
	clockOnly  = regexp.MustCompile(`^` + clock + `$`)
	justDigits = regexp.MustCompile(`^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$`)
	pointed    = regexp.MustCompile(`^(\d{1,2})\.([0-5]\d)(?:\.([0-5]\d))?$`)
)

// fold brings a text into the form that the patterns know.
func fold(s string) string {
	s = marks.Replace(norm.NFKC.String(property.Visible(s)))
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// marks are those that keyboards and programs write for others: dashes, and the stop of Chinese sentences.
var marks = strings.NewReplacer("‐", "-", "–", "-", "—", "-", "−", "-", "。", ".", "∶", ":")

// Date reads a date, with a time where one follows, and returns it as the property type Date reads it: "2026-03-05", "2026-03-05 08:30:00",
// "2026-03" or "2026". false when it is none of the known spellings, or can mean two days ("03/04/2026").
func Date(s string) (string, bool) {
	t := arabic(strings.TrimSpace(weekday.ReplaceAllString(fold(s), " ")))
	t = strings.TrimSpace(dayMark.ReplaceAllString(t, "$1 ")) // a time may follow at once
	if m := shortYear.FindStringSubmatch(t); m != nil {       // 26年 is 2026年
		century := "20"
		if m[1] >= "70" {
			century = "19"
		}
		t = century + m[1] + m[2]
	}
	if m := yearAlone.FindStringSubmatch(t); m != nil {
		return m[1], true
	}
	if m := sixDigits.FindStringSubmatch(t); m != nil {
		return m[1] + "-" + m[2], true
	}
	if m := monthYear.FindStringSubmatch(t); m != nil {
		return fmt.Sprintf("%s-%02d", m[2], month(m[1])), true
	}
	if m := digits.FindStringSubmatch(t); m != nil {
		if m[4] == "" {
			return m[1] + "-" + m[2] + "-" + m[3], true
		}
		return fmt.Sprintf("%s-%s-%s %s:%s:%02d", m[1], m[2], m[3], m[4], m[5], number(m[6])), true
	}
	if m := yearFirst.FindStringSubmatch(t); m != nil {
		if m[3] == "" {
			return fmt.Sprintf("%s-%02d", m[1], number(m[2])), m[4] == ""
		}
		return join(m[1], number(m[2]), number(m[3]), m[4])
	}
	if m := monthWord.FindStringSubmatch(t); m != nil {
		return join(m[3], month(m[1]), number(m[2]), m[4])
	}
	if m := dayWord.FindStringSubmatch(t); m != nil {
		return join(m[3], month(m[2]), number(m[1]), m[4])
	}
	m := yearLast.FindStringSubmatch(t)
	if m == nil {
		return "", false
	}
	a, b := number(m[1]), number(m[2])
	switch {
	case a == b || a <= 12 && b > 12:
		return join(m[3], a, b, m[4])
	case a > 12 && b <= 12:
		return join(m[3], b, a, m[4])
	}
	return "", false
}

func join(year string, month, day int, rest string) (string, bool) {
	out := fmt.Sprintf("%s-%02d-%02d", year, month, day)
	if rest = strings.TrimSpace(rest); rest == "" {
		return out, true
	}
	time, ok := Time(rest)
	return out + " " + time, ok
}

// Time reads a time of day and returns it as "08:30:00".
func Time(s string) (string, bool) {
	t := arabic(colon.ReplaceAllString(fold(s), ":"))
	for _, form := range []*regexp.Regexp{justDigits, pointed} {
		if m := form.FindStringSubmatch(t); m != nil && number(m[1]) < 24 {
			return fmt.Sprintf("%02d:%s:%02d", number(m[1]), m[2], number(m[3])), true
		}
	}
	t = strings.ReplaceAll(t, "半", "30分")
	m := clockOnly.FindStringSubmatch(strings.TrimSuffix(t, "整"))
	if m == nil || m[3] == "" && m[1] == "" && m[5] == "" && !strings.ContainsAny(t, "时点") {
		return "", false
	}
	hour, minute, second := number(m[2]), number(m[3]), number(m[4])
	if m[1]+m[5] != "" && (hour < 1 || hour > 12) {
		return "", false
	}
	switch half := m[1] + m[5]; half {
	case "":
	case "上午", "凌晨", "am":
		if hour == 12 {
			hour = 0
		}
	case "晚上":
		if hour == 12 { // of which day is not said
			return "", false
		}
		hour += 12
	case "下午", "中午", "pm":
		if hour < 12 && (half != "中午" || hour < 11) {
			hour += 12
		}
	default: // said twice
		return "", false
	}
	if hour > 23 || minute > 59 || second > 59 {
		return "", false
	}
	return fmt.Sprintf("%02d:%02d:%02d", hour, minute, second), true
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // "" is 0
	return n
}

func month(word string) int { return strings.Index(months, word)/4 + 1 }
