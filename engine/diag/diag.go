// Package diag holds what the compiler tells authors of documents: diagnostics with a position, a stable code, a text in
// Chinese and English and, where one is near, a suggestion. Every stage of docs/architecture.md uses it, and it imports
// no other engine package. Texts are in messages.json, one row per code; a code that is not there cannot be reported.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity of a diagnostic. Errors stop a compile, warnings do not.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Position is a place in a file. Line and Col start at 1 and Col counts characters (runes); zero means "the whole file".
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"column"`
}

// String writes file:line:col, the form that editors and terminals make clickable.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Diagnostic is one problem of one document.
type Diagnostic struct {
	Position
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Pointer  string   `json:"pointer,omitempty"` // JSON Pointer of the node
	Zh       string   `json:"zh"`
	En       string   `json:"en"`
	Repair   Repair   `json:"repair"`
}

// Repair says what to do about a diagnostic, in both languages.
type Repair struct {
	Zh string `json:"zh"`
	En string `json:"en"`
}

// List is what a stage returns beside its value. The zero value is an empty list.
type List []Diagnostic

// HasErrors reports whether a later stage must not publish its result.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Errors counts the errors.
func (l List) Errors() (n int) {
	for _, d := range l {
		if d.Severity == Error {
			n++
		}
	}
	return n
}

// With returns l and those diagnostics of a later stage that speak of other places: what an earlier stage has refused is
// refused once. Diagnostics of whole files and of missing keys hide nothing, since other faults share their place.
func (l List) With(later List) List {
	refused := map[Position]bool{}
	for _, d := range l {
		if d.Severity == Error && d.Line > 0 && d.Code != missingKey {
			refused[d.Position] = true
		}
	}
	out := slices.Clone(l)
	for _, d := range later {
		if !refused[d.Position] {
			out = append(out, d)
		}
	}
	return out
}

// missingKey is the code of a key that an object lacks; it is where the object begins.
const missingKey = "SCHEMA003"

// Sorted returns a copy in the order file, line, column, code. What others may come from is before all of them: files that
// cannot be read, packs that are missing, codes that are taken.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Code, b.Code))
	})
	return out
}

func rank(d Diagnostic) int {
	if messages[d.Code].Cause {
		return 0
	}
	return 1
}
