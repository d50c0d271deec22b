package house

import (
	"path"
	"regexp"
	"strings"

	"github.com/sluice-platform/sluice/internal/words"
)

// joinedKey is a text that is asked for by a key with a value in it.
var joinedKey = regexp.MustCompile("\\bt\\(\\s*`[^`]*\\$\\{[^`]*`")

// keys are keys of texts that a search for the key does not find.
func keys(f *file) (out []Finding) {
	if f.test() || path.Ext(f.name) != ".ts" && path.Ext(f.name) != ".tsx" {
		return nil
	}
	for i, l := range f.lines {
		for _, m := range joinedKey.FindAllString(l, -1) {
			out = append(out, f.found("keys", i+1, m))
		}
	}
	return out
}

// advised are words of comments that words.json advises against.
func advised(f *file) (out []Finding) {
	if strings.HasPrefix(f.name, "internal/words/") {
		return nil
	}
	for i, l := range words.CommentLines(f.text) {
		if l == "" {
			continue
		}
		for _, word := range words.Found(l, words.Advice) {
			out = append(out, f.found("words", i+1, word+": "+l))
		}
	}
	return out
}
