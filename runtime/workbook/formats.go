package workbook

// builtinFormats are the number formats that files name by number only. Those from 27 on that are dates differ by language; the number
// is a date in all of them.
var builtinFormats = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
	22: "yyyy-mm-dd h:mm", 27: `yyyy"年"m"月"`, 28: `m"月"d"日"`, 29: `m"月"d"日"`, 30: "m-d-yy", 31: `yyyy"年"m"月"d"日"`, 32: `h"时"mm"分"`,
	33: `h"时"mm"分"ss"秒"`, 34: `h"时"mm"分"`, 35: `h"时"mm"分"ss"秒"`, 36: `yyyy"年"m"月"`, 37: "#,##0;-#,##0", 38: "#,##0;[Red]-#,##0",
	39: "#,##0.00;-#,##0.00", 40: "#,##0.00;[Red]-#,##0.00", 41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00", 45: "mm:ss",
	46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@", 50: `yyyy"年"m"月"`, 51: `m"月"d"日"`, 52: `yyyy"年"m"月"`, 53: `m"月"d"日"`,
	54: `m"月"d"日"`, 55: `h"时"mm"分"`, 56: `h"时"mm"分"ss"秒"`, 57: `yyyy"年"m"月"`, 58: `m"月"d"日"`,
}

// formatParts are what a number format shows of a time.
type formatParts struct {
	year, month, day, hour, minute, second bool
	elapsed                                bool // [h]: hours that go past a day
}

func (p formatParts) date() bool { return p.year || p.month || p.day }
func (p formatParts) any() bool  { return p.date() || p.hour || p.minute || p.second || p.elapsed }

// partsOf reads the first section of a number format. m is a month unless it follows hours or comes before seconds.
func partsOf(code string) (p formatParts) {
	var last byte // the letter before
	minutes := 0  // m that may be either
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			for i++; i < len(code) && code[i] != '"'; i++ {
			}
			continue
		case '\\', '_', '*':
			i++
			continue
		case ';':
			return settle(p, minutes)
		case '[':
			end := i + 1
			for end < len(code) && code[end] != ']' {
				end++
			}
			if inside := code[i+1 : end]; inside != "" && allOf(inside, "hHmMsS") {
				p.elapsed, last = true, inside[0]|0x20
				switch last {
				case 'h':
					p.hour = true
				case 'm':
					p.minute = true
				case 's':
					p.second = true
				}
			}
			i = end
			continue
		}
		if next, known := p.letter(code, i, &last, &minutes); known {
			i = next - 1
		} else {
			return formatParts{}
		}
	}
	return settle(p, minutes)
}

// letter reads a run of the same letter at i and returns where it ends. A number with an exponent is not a time.
func (p *formatParts) letter(code string, i int, last *byte, minutes *int) (end int, known bool) {
	c, end := code[i]|0x20, i
	for end < len(code) && code[end]|0x20 == c {
		end++
	}
	switch c {
	case 'g':
		if len(code)-i >= 7 && allOf(code[i:i+7], "GgEeNnRrAaLl") {
			return i + 7, true
		}
		p.year = true
	case 'e':
		if end < len(code) && (code[end] == '+' || code[end] == '-') {
			return 0, false
		}
		p.year = true
	case 'y', 'b':
		p.year = true
	case 'd':
		p.day = true
	case 'h':
		p.hour = true
	case 's':
		p.second = true
		if *last == 'm' && *minutes > 0 {
			*minutes--
			p.minute = true
		}
	case 'm':
		switch {
		case end-i > 2:
			p.month = true
		case *last == 'h':
			p.minute = true
		default:
			*minutes++
		}
	case 'a', 'p':
		n := ampm(code[i:])
		p.hour = p.hour || n > 0
		return i + max(n, 1), true
	default:
		return end, true
	}
	*last = c
	return end, true
}

// settle: what is not seen to be minutes are months.
func settle(p formatParts, months int) formatParts {
	p.month = p.month || months > 0
	return p
}

func ampm(s string) int {
	for _, word := range []string{"AM/PM", "am/pm", "A/P", "a/p"} {
		if len(s) >= len(word) && s[:len(word)] == word {
			return len(word)
		}
	}
	return 0
}

func allOf(s, set string) bool {
	for i := range len(s) {
		found := false
		for j := range len(set) {
			found = found || s[i] == set[j]
		}
		if !found {
			return false
		}
	}
	return true
}
