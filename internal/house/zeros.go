package house

import (
	"path"
	"regexp"
	"strings"
)

// absentZero writes 0 where a value is absent. A fraction behind it is a measure of the drawing.
var absentZero = regexp.MustCompile(`\?\? 0(?:[^.\w]|$)`)

// zeros are figures of the interface that become 0 where they are absent: a figure that is hidden or not known yet is not zero.
func zeros(f *file) (out []Finding) {
	if f.test() || path.Ext(f.name) != ".ts" && path.Ext(f.name) != ".tsx" || !strings.Contains("/"+f.name, "/ui/") {
		return nil
	}
	for i, l := range f.lines {
		for range absentZero.FindAllString(l, -1) {
			out = append(out, f.found("zeros", i+1, l))
		}
	}
	return out
}
