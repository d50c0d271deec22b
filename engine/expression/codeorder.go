package expression

import (
	"strconv"
	"strings"
)

// joints part a code: 01-02-03, 80.10.1, A/1_2. They count as the same in the order of codes.
const joints = "-./_ "

// CodeOrder is a text by whose bytes codes are in the order that people give them: 80.2 before 80.10, 01-2 before 01-10. Before each
// number of a code it writes how many digits the number has, and it drops zeros in front, so numbers of any length compare by their
// value. Codes that differ in joints or zeros alone have the same text: the code itself is the next key of an order.
func CodeOrder(code string) string {
	out := make([]byte, 0, len(code)+len(code)/2+1)
	for i := 0; i < len(code); {
		c := code[i]
		if c < '0' || c > '9' {
			if strings.IndexByte(joints, c) >= 0 {
				c = '-'
			}
			out = append(out, c)
			i++
			continue
		}
		from := i
		for i < len(code) && code[i] >= '0' && code[i] <= '9' {
			i++
		}
		digits := strings.TrimLeft(code[from:i], "0")
		out = append(appendLength(out, len(digits)), digits...)
	}
	return string(out)
}

// appendLength writes a length so that longer ones come later: a digit up to 8, otherwise 9 and the length as a number of its own.
func appendLength(out []byte, n int) []byte {
	if n <= 8 {
		return append(out, byte('0'+n))
	}
	written := strconv.Itoa(n)
	return append(appendLength(append(out, '9'), len(written)), written...)
}
