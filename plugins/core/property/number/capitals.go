package number

import (
	"strings"

	"github.com/shopspring/decimal"
)

// The digits and units of amounts on Chinese vouchers.
var (
	bigDigits = []string{"零", "壹", "贰", "叁", "肆", "伍", "陆", "柒", "捌", "玖"}
	inSection = []string{"", "拾", "佰", "仟"}
	sections  = []string{"", "万", "亿", "万亿", "亿亿"}
)

// capitals writes an amount in the financial capitals that Chinese vouchers use: 元 角 分, 整 when no 分 follow, one 零 for
// each run of zeros between digits. The amount is rounded half up to 分.
func capitals(d decimal.Decimal) string {
	d = d.Round(2)
	if d.IsZero() {
		return "零元整"
	}
	whole, cents, _ := strings.Cut(d.Abs().StringFixed(2), ".")
	var b strings.Builder
	if d.IsNegative() {
		b.WriteString("负")
	}
	yuan := capitalInteger(whole)
	if yuan != "" {
		b.WriteString(yuan + "元")
	}
	jiao, fen := cents[0]-'0', cents[1]-'0'
	switch {
	case jiao > 0:
		// A zero before 角 is written when the 元 end in one: 壹拾元零伍角.
		if yuan != "" && whole[len(whole)-1] == '0' {
			b.WriteString("零")
		}
		b.WriteString(bigDigits[jiao] + "角")
	case fen > 0 && yuan != "":
		b.WriteString("零")
	}
	if fen > 0 {
		b.WriteString(bigDigits[fen] + "分")
	} else {
		b.WriteString("整")
	}
	return b.String()
}

// capitalInteger writes the digits in sections of four; 万亿 is followed by 亿 only once, as in 壹万贰仟亿.
func capitalInteger(s string) string {
	s = strings.TrimLeft(s, "0")
	var b strings.Builder
	zero := false // a zero is pending before the next digit
	for begin := 0; begin < len(s); {
		section := (len(s) - 1 - begin) / 4
		end := len(s) - section*4
		wrote := false
		for i := begin; i < end; i++ {
			n := s[i] - '0'
			if n == 0 {
				zero = true
				continue
			}
			if zero && b.Len() > 0 {
				b.WriteString(bigDigits[0])
			}
			zero = false
			b.WriteString(bigDigits[n] + inSection[end-1-i])
			wrote = true
		}
		begin = end
		if wrote {
			b.WriteString(sectionName(section, s[end:]))
		}
	}
	return b.String()
}

// sectionName is 万亿 unless a 亿 section with digits follows, which then carries the 亿.
func sectionName(section int, rest string) string {
	if section == 3 && strings.Trim(rest[:4], "0") != "" {
		return sections[1]
	}
	return sections[section]
}
