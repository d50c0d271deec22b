// Package phone reads mobile numbers as people write them.
package phone

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/property"
)

var (
	marks    = regexp.MustCompile(`[\s().\-‐‑–—−·]+`)
	mainland = regexp.MustCompile(`^(?:(?:\+|00)?86)?(1[3-9]\d{9})$`)
	abroad   = regexp.MustCompile(`^00([1-9]\d{6,14})$`)
)

// Mobile is a mobile number in the one form in which numbers are stored and compared: eleven digits in the mainland of China, and "+" with the
// country's code elsewhere. Gaps, hyphens, brackets and full-width characters mean nothing. Other numbers stay as they were written,
// without gaps: landlines, extensions and two numbers in one text are not taken for one.
func Mobile(text string) string {
	t := marks.ReplaceAllString(norm.NFKC.String(property.Visible(text)), "")
	if m := mainland.FindStringSubmatch(t); m != nil {
		return m[1]
	}
	if m := abroad.FindStringSubmatch(t); m != nil {
		return "+" + m[1]
	}
	if strings.Trim(t, "+0123456789") != "" {
		return strings.TrimSpace(text)
	}
	return t
}
