package house

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/width"
)

// mostColumns is how wide a line may be drawn. A tab is four columns, a Han character two.
const mostColumns = 140

// columns is how wide a line is drawn.
func columns(line string) (n int) {
	for _, r := range line {
		switch {
		case r == '\t':
			n += 4
		case r < 0x1100:
			n++
		default:
			switch width.LookupRune(r).Kind() {
			case width.EastAsianWide, width.EastAsianFullwidth:
				n += 2
			default:
				n++
			}
		}
	}
	return n
}

// messages are files whose rows are texts.
var messages = regexp.MustCompile(`^ui/src/i18n/(zh|en)/|/ui/texts[^/]*\.ts$|^runtime/notify/texts\.go$`)

// literals are the texts in a line.
var literals = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")

// rest is what a line may hold beside one literal that makes it wide.
const rest = 24

// wide are lines that are wider than mostColumns. A line is free that holds one literal and little else: a literal is not divided.
func wide(f *file) (out []Finding) {
	if messages.MatchString(f.name) {
		return nil
	}
	raw := false // within a raw literal of Go, which is not divided either
	for i, l := range f.lines {
		inside := raw
		if strings.HasSuffix(f.name, ".go") && strings.Count(l, "`")%2 == 1 {
			raw = !raw
		}
		n := columns(l)
		if n <= mostColumns || inside && raw {
			continue
		}
		longest := ""
		for _, s := range literals.FindAllString(l, -1) {
			if len(s) > len(longest) {
				longest = s
			}
		}
		if longest != "" && columns(strings.TrimSpace(strings.Replace(l, longest, "", 1))) <= rest {
			continue
		}
		out = append(out, f.found("wide", i+1, fmt.Sprintf("%d columns: %.60s…", n, strings.TrimSpace(l))))
	}
	return out
}
