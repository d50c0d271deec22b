package compile

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
)

// index finds the documents of one kind by code, without case. A broken document has a place and no value.
type index[T any] struct {
	kind    names.Kind
	entries map[string]entry[T]
	codes   []string // as written, in the order of declaration
	all     []T      // without those whose code was taken: of two definitions no more is told until one has gone
	partial bool     // a pack is missing, so that what is not here may be there
}

type entry[T any] struct {
	value T
	code  string
	file  string
}

func fold(code string) string { return strings.ToLower(code) }

// get returns the value of a code. known is also true for documents that could not be read.
func (x *index[T]) get(code string) (value T, known bool) {
	e, known := x.entries[fold(code)]
	return e.value, known || x.partial
}

func (x *index[T]) add(code, file string, v T) {
	if x.entries == nil {
		x.entries = map[string]entry[T]{}
	}
	x.entries[fold(code)] = entry[T]{value: v, code: code, file: file}
	x.codes = append(x.codes, code)
}

// declareIn enters a document, or reports the one that already has its code and returns that one's value.
func declareIn[T any](c *compiler, x *index[T], h def.Head, v T) (first T, declared bool) {
	if first, taken := x.entries[fold(h.Code)]; taken {
		c.report("PACK001", h.Node, h.Code, first.file, h.Pack+"_"+h.Code)
		return first.value, false
	}
	x.add(h.Code, h.Node.File(), v)
	x.all = append(x.all, v)
	return v, true
}

// lookup resolves a reference and reports code when nothing is called so. ok is false whenever there is no value.
func lookup[T any](c *compiler, x *index[*T], word string, n *source.Node, code string) (*T, bool) {
	v, known := x.get(word)
	if !known && word != "" { // a missing value is the schema's
		c.suggest(code, n, word, x.codes)
	}
	c.note(x.kind, x.entries[fold(word)].code, word, source.In(n), false)
	return v, v != nil
}

// declare enters every document before any is compiled, so that references never depend on an order.
func (c *compiler) declare() {
	c.declareBroken(false)
	for _, p := range c.packs {
		for _, d := range p.Documents {
			if s := c.stage(d.Kind); s.declare != nil {
				s.declare(c, d.Document)
			}
		}
	}
	c.declareBroken(true)
	c.checkDocumentRenames()
	c.checkPartRenames()
}

func (c *compiler) declareModel(d *def.Model) {
	m := newModel(&catalog.Model{Code: d.Code, Pack: d.Pack})
	m.def, m.node = d, d.Node
	if first, ok := declareIn(c, &c.models, d.Head, m); ok {
		c.of[m.Model] = m
	} else if first != nil {
		first.addDuplicate(d)
	}
}

// declareBroken enters documents that are not there as a whole; those in a wrong folder take no code away from another.
func (c *compiler) declareBroken(misplaced bool) {
	for _, p := range c.packs {
		for _, b := range p.Broken {
			if s := c.stage(b.Kind); b.Misplaced == misplaced && s.names != nil {
				s.names(c).addBroken(b)
			}
		}
	}
}

func (x *index[T]) addBroken(b def.Broken) {
	var none T
	if _, taken := x.entries[fold(b.Code)]; !taken || !b.Misplaced {
		x.add(b.Code, b.File, none)
	}
}

func (x *index[T]) setPartial() { x.partial = true }

func (x *index[T]) words() []string { return x.codes }

func (x *index[T]) declared(code string) string { return x.entries[fold(code)].code }

func (x *index[T]) has(code string) bool { _, known := x.get(code); return known }

// checkDocumentRenames checks the former codes of documents, each kind for itself.
func (c *compiler) checkDocumentRenames() {
	all := map[def.Kind][]claim{}
	add := func(k def.Kind, one claim) {
		if !slices.ContainsFunc(all[k], func(o claim) bool { return strings.EqualFold(o.code, one.code) }) {
			all[k] = append(all[k], one)
		}
	}
	for _, p := range c.packs {
		for _, d := range p.Documents {
			if h := d.Header(); !c.stage(d.Kind).Data {
				add(d.Kind, claim{h.Node, h.Code, h.RenamedFrom})
			}
		}
		for _, b := range p.Broken {
			add(b.Kind, claim{code: b.Code})
		}
	}
	for _, k := range sortedKinds(all) {
		c.checkRenames(fold, all[k])
	}
}

func sortedKinds(of map[def.Kind][]claim) []def.Kind { return slices.Sorted(maps.Keys(of)) }

// claim is what a definition says of the codes that it had.
type claim struct {
	node   *source.Node // the definition
	code   string
	former def.Former
}

// checkRenames reports former codes of siblings that cannot be meant. A sibling without any keeps its code; others leave theirs to whom they
// may: a and b may change places. fold makes codes alike that are one.
func (c *compiler) checkRenames(fold func(string) string, of []claim) {
	kept, claimed := map[string]bool{}, map[string]string{}
	for _, one := range of {
		if len(one.former) == 0 {
			kept[fold(one.code)] = true
		}
	}
	for _, one := range of {
		if len(one.former) == 0 {
			continue
		}
		n := one.node.Get("renamedFrom")
		if n.Kind == source.Array {
			n = n.At(itoa(0))
		}
		history := fold(strings.Join(one.former, "\x00")) // two may have had one code, one after the other
		old := one.former[0]                              // what it was called earlier may be another's by now
		switch {
		case fold(old) == fold(one.code):
			c.report("PACK004", n, old)
		case kept[fold(old)]:
			c.report("PACK005", n, old)
		case claimed[history] != "":
			c.report("PACK006", n, old, claimed[history])
		default:
			claimed[history] = one.code
		}
	}
}

// checkOptionRenames checks the former codes of the options of a property or a dictionary, those of all levels together.
func (c *compiler) checkOptionRenames(options []def.Option) {
	c.checkRenames(func(code string) string { return code }, optionClaims(nil, options))
}

func optionClaims(out []claim, options []def.Option) []claim {
	for _, o := range options {
		if o.Code != "" {
			out = append(out, claim{o.Node, o.Code, o.RenamedFrom})
		}
		out = optionClaims(out, o.Items)
	}
	return out
}

// checkPartRenames checks the former codes of the parts of documents, those of each document for themselves.
func (c *compiler) checkPartRenames() {
	for _, p := range c.packs {
		for _, d := range p.Documents {
			for _, part := range c.stage(d.Kind).Parts {
				c.checkRenames(fold, partClaims(d.Header().Node, part))
			}
		}
	}
}

// partClaims are the parts of a document, each code once.
func partClaims(document *source.Node, part kind.Part) (out []claim) {
	seen := map[string]bool{}
	for _, entry := range document.Get(part.List).Items() {
		one := claim{node: entry, code: entry.Get(part.Key).Text()}
		if one.code == "" || seen[fold(one.code)] {
			continue // which the kind tells
		}
		seen[fold(one.code)] = true
		if at := entry.Get("renamedFrom"); at != nil {
			one.former.DecodeNode(at)
		}
		out = append(out, one)
	}
	return out
}

// codeNode is where an entry's code is: the entry itself in its short form.
func codeNode(n *source.Node) *source.Node { return member(n, "propertyCode") }

// member is the node of a key, or n itself when the key is missing: a place to speak of it.
func member(n *source.Node, key string) *source.Node {
	if m := n.Get(key); m != nil {
		return m
	}
	return n
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
