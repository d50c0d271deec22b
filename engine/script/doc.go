// Package script checks the scripts and styles that authors put beside lists and forms: between schema.Validate and
// compile.Plan of docs/architecture.md. It reads text and never runs it; scripts run in the browser only, in a worker of their
// own (docs/scripts.md). The parsers are the only use of sobek and tdewolff/parse.
package script

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/diag"
)

// Kind is the page that a script belongs to.
type Kind string

// The pages that take scripts.
const (
	List   Kind = "list"
	Form   Kind = "form"
	Portal Kind = "portal"
)

// Largest files, in bytes.
const (
	MaxScript = 256 << 10
	MaxStyle  = 64 << 10
)

// hooks are the names that a script may define, in the order in which they run. Scripts of portal pages may have others, which the page names.
var hooks = map[Kind][]string{
	Portal: {"onPageEnter"},
	List:   {"onPreLoad", "onLoad", "onRendered", "onPreAction", "onActionDone"},
	Form:   {"onLoad", "onRendered", "onValidate", "onPreAction", "onActionDone", "onCustomAction"},
}

// apis are the calls of a page that a script may add to or replace.
var apis = map[Kind][]string{List: {"getQueryList"}}

// prefix begins what a script's faults say; its words are part of the contract with scripts.
const prefix = "ListEventHooksHandler Error: "

// text is a file whose problems are reported by byte offset.
type text struct {
	file string
	data string
	out  diag.List
}

func (t *text) report(code string, offset int, args ...any) {
	t.out = append(t.out, diag.New(code, t.position(offset), args...))
}

func (t *text) suggest(code string, offset int, word string, candidates []string, args ...any) {
	t.out = append(t.out, diag.New(code, t.position(offset), append([]any{word}, args...)...).Suggest(word, candidates))
}

func (t *text) position(offset int) diag.Position {
	before := t.data[:min(max(offset, 0), len(t.data))]
	line := strings.Count(before, "\n")
	return diag.Position{File: t.file, Line: line + 1, Col: utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1}
}
