// Package names follows codes through time. Definitions are told apart by their codes, and codes change: what was stored with one (a history,
// a draft, a version of a workflow) is read later, when the thing that it means is called otherwise or is gone. A Set is what is called what at
// one time, Diff tells what became of each name between two of them, and a Log of such steps says what a name of an earlier time means now.
package names

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Kind is what has a name. The kinds of documents are called as their folders' kinds are ("model", "workflow"); the others are parts of documents.
type Kind string

// The kinds that the engine itself speaks of. Owners of parts are paths of codes, joined by dots.
const (
	Model    Kind = "model"
	Property Kind = "property" // of "model", and of "model.subtable"
	Option   Kind = "option"   // of a property, also where a dictionary has the options: "model.property". Its code is told from others by its case too
	Word     Kind = "word"     // no name: what a value of a property became with its type, told by Words
	// Splitting tells of a property whose texts became several options each; there is no name in it.
	Splitting Kind = "splitting"
	Naming    Kind = "naming" // no name: a property whose values of before are nothing of now (Old is ""), or records of a model whose names it holds (Old)
	Node      Kind = "node"   // of a workflow. One that is made again is that node again: its removal is no step
	Role      Kind = "access"

	Dictionary Kind = "dictionary"
	List       Kind = "list"
	Form       Kind = "form"
	Workflow   Kind = "workflow"
	Portal     Kind = "portal"
	Print      Kind = "print"
	Report     Kind = "report"
	Pack       Kind = "pack"
	App        Kind = "app"
)

// Former are the codes that a thing had before, the latest first. JSON: a text, or a list of them.
type Former []string

// UnmarshalJSON reads one code or several.
func (f *Former) UnmarshalJSON(b []byte) error {
	*f = nil
	var one string
	if json.Unmarshal(b, &one) == nil {
		if one != "" {
			*f = Former{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(f))
}

// MarshalJSON writes a single code as a text.
func (f Former) MarshalJSON() ([]byte, error) {
	if len(f) == 1 {
		return json.Marshal(f[0])
	}
	return json.Marshal([]string(f))
}

// Map changes each code.
func (f Former) Map(change func(string) string) Former {
	var out Former
	for _, code := range f {
		out = append(out, change(code))
	}
	return out
}

// Set is what is called what at one time, by kind.
type Set map[Kind][]Entry

// Entry is a thing with a name.
type Entry struct {
	Code   string `json:"c"`
	Former Former `json:"f,omitempty"`
	Pack   string `json:"p,omitempty"` // of a document
	Kept   bool   `json:"k,omitempty"` // its pack takes part no more
	Parts  Set    `json:"in,omitempty"`
	// Form is what a property holds (FormText, FormOption, or FormOf with a model); "" = what becomes no text.
	Form string `json:"t,omitempty"`
	// Words are the texts by which people know an option, the one of its definition first; none = its code alone.
	Words []string `json:"w,omitempty"`
}

// Add adds a part, such as an option to a property.
func (e *Entry) Add(k Kind, code string, former Former) {
	if e.Parts == nil {
		e.Parts = Set{}
	}
	e.Parts[k] = append(e.Parts[k], Entry{Code: code, Former: former})
}

// Sorted puts the entries of a set into an order that does not depend on where they were found.
func (s Set) Sorted() Set {
	for _, entries := range s {
		slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
		for _, e := range entries {
			e.Parts.Sorted()
		}
	}
	return s
}

// TakingPart are the documents of a set whose packs take part.
func (s Set) TakingPart() Set {
	out := Set{}
	for k, entries := range s {
		out[k] = slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Kept })
	}
	return out
}

// Origins tells which of have each of want was: an index, -1 for a new one.
//
// A thing is what has its code, unless its definition asks for a rename. What have was renamed from is remembered, so a rename that has been
// carried out asks for nothing any more: after a and b changed places both still say so. The name that a rename starts from must be free, that
// is gone or on its way to another name itself. Of several former codes the latest that there is counts: an installation may have skipped the
// versions between. Codes that differ in case only are one where no other has the code as it is written.
func Origins(have, want []Entry) []int { return origins(folded, have, want) }

// OriginsOf is Origins for a kind: codes of options may differ in case only, m and M are two units.
func OriginsOf(k Kind, have, want []Entry) []int { return origins(k.folding(), have, want) }

func origins(fold folding, have, want []Entry) []int {
	exact, alike := map[string]int{}, map[string]int{}
	for i, h := range slices.Backward(have) {
		exact[h.Code], alike[fold(h.Code)] = i, i
	}
	find := func(code string) int {
		if i, ok := exact[code]; ok {
			return i
		}
		if i, ok := alike[fold(code)]; ok {
			return i
		}
		return -1
	}
	sure := match(fold, have, want, find)
	taken := map[int]int{}
	for i, j := range sure {
		if j >= 0 {
			taken[j] = i
		}
	}
	left := func(code string) int {
		if j := find(code); j >= 0 {
			if _, held := taken[j]; !held {
				return j
			}
		}
		return -1
	}
	own, moves := make([]int, len(want)), make([]int, len(want))
	for i, w := range want {
		own[i], moves[i] = sure[i], -1
		if sure[i] < 0 {
			own[i] = left(w.Code)
			moves[i] = came(fold, have, w, own[i], left)
		}
	}
	for settle(own, moves) {
	}
	clear(taken)
	for i := range moves {
		if moves[i] < 0 {
			moves[i] = own[i]
		}
		if first, twice := taken[moves[i]]; twice && moves[i] >= 0 { // a and A: who writes it as it was is it
			if want[i].Code == have[moves[i]].Code {
				moves[first] = -1
			} else {
				moves[i] = -1
				continue
			}
		}
		taken[moves[i]] = i
	}
	return moves
}

// match finds those of whose history there is no doubt: their former codes are what the other had, or begin with codes that it has been given
// since. Two may fit one: as many as can be are matched, and what has its code already goes before what would get it. Then come those that tell less.
func match(fold folding, have, want []Entry, find func(string) int) []int {
	p := pairs{fits: make([][]int, len(want)), held: map[int]int{}}
	for i, w := range want {
		p.fits[i] = fold.whole(have, w, find)
	}
	for _, keeps := range []bool{true, false} { // what a rename starts from must be free
		for i, w := range want {
			if keeps == (len(p.fits[i]) > 0 && p.fits[i][0] == find(w.Code)) {
				p.place(i, map[int]bool{})
			}
		}
	}
	p.less(fold, have, want, find)
	out := make([]int, len(want))
	for i := range out {
		out[i] = -1
	}
	for j, i := range p.held {
		out[i] = j
	}
	return out
}

// pairs are the matches of two lists: what each of one may be of the other, the best first, and by whom those of the other are taken.
type pairs struct {
	fits [][]int
	held map[int]int
}

// place finds a place for one more, for which others may change theirs.
func (p *pairs) place(i int, seen map[int]bool) bool {
	for _, j := range p.fits[i] {
		if seen[j] {
			continue
		}
		seen[j] = true
		if other, taken := p.held[j]; !taken || p.place(other, seen) {
			p.held[j] = i
			return true
		}
	}
	return false
}

// less matches, of what is left, those that tell less than their whole history: a thing has its code also where its author has forgotten how it was
// called, a rename is asked for by the last code alone, and older documents that come back call it as it was called.
func (p *pairs) less(fold folding, have, want []Entry, find func(string) int) {
	sure, matched := maps.Clone(p.held), map[int]bool{}
	for _, i := range sure {
		matched[i] = true
	}
	add := func(i, j int) bool {
		if _, is := sure[j]; is || j < 0 {
			return false
		}
		p.fits[i] = append(p.fits[i], j)
		return true
	}
	var kept, asked, older []int
	for i, w := range want {
		if matched[i] {
			continue
		}
		p.fits[i] = nil
		own := find(w.Code)
		switch from := came(fold, have, w, own, find); {
		case from < 0 && add(i, own):
			kept = append(kept, i)
		case add(i, from):
			asked = append(asked, i)
		case own < 0:
			older = append(older, i)
		}
		for j, h := range have {
			if n := slices.IndexFunc(h.Former, func(code string) bool { return fold(code) == fold(w.Code) }); n >= 0 && fold.same(h.Former[n+1:], w.Former) {
				add(i, j)
			}
		}
	}
	for _, i := range slices.Concat(kept, asked, older) {
		p.place(i, map[int]bool{})
	}
}

// whole are those of have whose history a definition tells whole.
func (fold folding) whole(have []Entry, w Entry, find func(string) int) (out []int) {
	if own := find(w.Code); own >= 0 && fold.same(have[own].Former, w.Former) {
		out = append(out, own)
	}
	for n, from := range w.Former {
		if j := find(from); j >= 0 && fold.same(have[j].Former, w.Former[n+1:]) && !slices.Contains(out, j) {
			out = append(out, j)
		}
	}
	return out
}

// came is which of have a definition asks to have been that tells less than its whole history; -1 where it asks for nothing.
func came(fold folding, have []Entry, w Entry, own int, find func(string) int) int {
	for _, from := range w.Former {
		if fold(from) == fold(w.Code) || own >= 0 && fold.has(have[own].Former, from) {
			continue
		}
		if j := find(from); j >= 0 {
			return j
		}
	}
	return -1
}

// folding is what is the same of codes that are one.
type folding func(code string) string

func (fold folding) same(a, b Former) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return fold(x) == fold(y) })
}

// settle takes back one move to what another keeps or has claimed before; false when there is none.
func settle(own, moves []int) bool {
	held := map[int]bool{}
	for i, m := range moves {
		if m < 0 && own[i] >= 0 {
			held[own[i]] = true
		}
	}
	for i, m := range moves {
		if m < 0 {
			continue
		}
		if held[m] {
			moves[i] = -1
			return true
		}
		held[m] = true
	}
	return false
}

func (fold folding) has(codes []string, code string) bool {
	return slices.ContainsFunc(codes, func(c string) bool { return fold(c) == fold(code) })
}

func folded(code string) string { return strings.ToLower(code) }

func exactly(code string) string { return code }

func (k Kind) folding() folding {
	if k == Option || k == Word {
		return exactly
	}
	return folded
}

// Step is a name that became another, or that went. Owner is the path of what it is part of, as it is called after the steps that were taken
// together with this one; "" for documents.
type Step struct {
	Kind  Kind
	Owner string
	Old   string
	New   string // "" = it went, and its parts with it
}

// Diff tells what became of the names of a set.
func Diff(have, want Set) []Step {
	return diff(nil, "", have, want)
}

func diff(out []Step, owner string, have, want Set) []Step {
	kinds := map[Kind]bool{}
	for k := range have {
		kinds[k] = true
	}
	sorted := make([]Kind, 0, len(kinds))
	for k := range kinds {
		sorted = append(sorted, k)
	}
	slices.Sort(sorted)
	for _, k := range sorted {
		became := make([]int, len(have[k]))
		for j, i := range OriginsOf(k, have[k], want[k]) {
			if i >= 0 {
				became[i] = j + 1
			}
		}
		for i, h := range have[k] {
			j := became[i] - 1
			switch {
			case j < 0 && k == Node:
				continue
			case j < 0:
				out = append(out, Step{k, owner, h.Code, ""})
				continue
			case want[k][j].Code != h.Code:
				out = append(out, Step{k, owner, h.Code, want[k][j].Code})
			}
			out = diff(out, Join(owner, want[k][j].Code), h.Parts, want[k][j].Parts)
		}
	}
	return out
}

// OptionPath is the path of an option: its code may have any sign but the semicolon. The owner is a property ("model.property") or a dictionary.
func OptionPath(owner, code string) string { return owner + ":" + code }

// Join is the path of a part.
func Join(owner, code string) string {
	if owner == "" {
		return code
	}
	return owner + "." + code
}
