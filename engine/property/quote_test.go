package property_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/property"
)

// FuzzAppendQuoted: what is written is read back by encoding/json, invalid bytes as U+FFFD.
func FuzzAppendQuoted(f *testing.F) {
	for _, s := range []string{"", "检验批", "a\"b\\c", "\x00\x1f\u007f\n\r\t", "<b>&", "\xff\xc3(", "\u2028", "𠮷", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		text := property.AppendQuoted(nil, s)
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%q: %s: %v", s, text, err)
		}
		want := string([]rune(s)) // one U+FFFD a byte
		if got != want {
			t.Errorf("%q is read as %q", s, got)
		}
		if strings.ContainsAny(s, "<>&") && strings.Contains(string(text), `\u003`) {
			t.Errorf("%s is escaped for HTML", text)
		}
	})
}
