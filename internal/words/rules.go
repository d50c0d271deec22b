// Package words holds the words that texts, comments and pages of documentation avoid, and what to write in their place.
//
//   - In: English or Chinese text, and what it is: a text of the interface, a comment, a page.
//   - Out: the words in it that a rule of words.json names.
//   - Guarantees: a rule of the class "everywhere" finds nothing in the repository, one of "comments" nothing in comments, one of "texts" nothing
//     in texts of the interface; rules of the class "advice" are counted by internal/house, and the counts only fall.
//   - Begin with: words.json, to which a new rule is a line; Rules.
package words

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
)

// Class is where a rule applies.
type Class string

// The classes of rules.
const (
	Everywhere Class = "everywhere" // texts, comments and pages
	Texts      Class = "texts"      // what people read on the screen
	Comments   Class = "comments"   // and pages
	Advice     Class = "advice"     // new comments: what is there is counted
)

// Rule is a word that is not written.
type Rule struct {
	Find    *regexp.Regexp // whole words
	Except  *regexp.Regexp // where the word is right; nil = nowhere
	Instead string
	Class   Class
}

//go:embed words.json
var table []byte

var rules = read(table)

// Rules are those of words.json, in its order.
func Rules() []Rule { return rules }

// read panics for a table that is not one: the file is a part of the program.
func read(table []byte) (out []Rule) {
	var rows []struct {
		Find, Except, Instead string
		Class                 Class
	}
	if err := json.Unmarshal(table, &rows); err != nil {
		panic(err)
	}
	for _, r := range rows {
		rule := Rule{Find: whole(r.Find), Instead: r.Instead, Class: r.Class}
		if r.Except != "" {
			rule.Except = whole(r.Except)
		}
		out = append(out, rule)
	}
	return out
}

// whole matches an expression as whole words. Han characters have no borders between words.
func whole(expression string) *regexp.Regexp {
	if expression[0] > 0x7f {
		return regexp.MustCompile(expression)
	}
	return regexp.MustCompile(`\b(?:` + expression + `)\b`)
}

// Found are the words of a text that rules of some classes name.
func Found(text string, classes ...Class) (out []string) {
	for _, r := range rules {
		for _, c := range classes {
			if r.Class == c {
				out = append(out, r.in(text)...)
			}
		}
	}
	return out
}

func (r Rule) in(text string) []string {
	if r.Except != nil {
		text = r.Except.ReplaceAllString(text, "")
	}
	return r.Find.FindAllString(text, -1)
}

// CommentLines are the comments of a source text, each at the place of its line: those lines that hold nothing else. The others are "".
func CommentLines(text string) []string {
	lines := strings.Split(text, "\n")
	block := false
	for i, l := range lines {
		s := strings.TrimSpace(l)
		block = block || strings.HasPrefix(s, "/*")
		if !block && !strings.HasPrefix(s, "//") {
			lines[i] = ""
		}
		block = block && !strings.Contains(s, "*/")
	}
	return lines
}
