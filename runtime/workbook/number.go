package workbook

// maxDigits is how many significant digits a spreadsheet keeps of a number.
const maxDigits = 15

// maxExponent keeps numbers inside what spreadsheets show: 1E-307 to 9.99E+307.
const maxExponent = 307

// exact tells if a spreadsheet keeps this decimal number as it is: "-1200.50", "1.2E+05". Others are written as texts.
func exact(s string) bool {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	first, last, n, point := -1, -1, 0, -1
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			if c != '0' {
				last = n
				if first < 0 {
					first = n
				}
			}
			n++
			continue
		case c == '.' && point < 0 && n > 0:
			point = n
			continue
		}
		break
	}
	if n == 0 || point == n {
		return false
	}
	exponent, ok := exponentOf(s[i:])
	if !ok || first >= 0 && last-first >= maxDigits {
		return false
	}
	if point < 0 {
		point = n
	}
	magnitude := point - first - 1 + exponent
	return first < 0 || magnitude < maxExponent && magnitude > -maxExponent
}

func exponentOf(s string) (n int, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s, sign := s[1:], 1
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	if s == "" || len(s) > 4 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return sign * n, true
}
