package compile

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
)

// Reference is a place at which something is named: where it is defined, or where a document or a query of the program uses it.
type Reference struct {
	Kind    names.Kind
	Path    string // as it is defined: "contract", "contract.items.amount", "approval.check"
	Written string // as it is written here, perhaps in other letters
	Defines bool
	// File is true when the name of the document's file is the reference, which has no other place.
	File bool
	// Unplaced is true when the text does not contain the name as it is written, so that nothing can be put in its place.
	Unplaced bool
	Program  bool // a query or the code of a pack has it, and no document
	source.Place

	thing    thing
	from, to int // in bytes of the file
}

// References are gathered by a compilation that is given them in Options.
type References struct {
	mu     sync.Mutex
	all    []Reference
	sorted bool
	things map[thing][]Reference
}

// thing is what a reference means, its path folded.
type thing struct {
	kind names.Kind
	path string
}

// All are the references in the order of files and places, each once. It is for after the compilation.
func (r *References) All() []Reference {
	r.sort()
	return r.all
}

// Of are the references to one thing, in that order.
func (r *References) Of(k names.Kind, path string) []Reference {
	r.sort()
	return r.things[thing{k, Folded(k, path)}]
}

// Folded is a path without case; the codes of options keep theirs.
func Folded(k names.Kind, path string) string {
	if owner, code, ok := strings.Cut(path, ":"); ok && k == names.Option {
		return fold(owner) + ":" + code
	}
	return fold(path)
}

func (r *References) sort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sorted {
		return
	}
	for i := range r.all {
		one := &r.all[i]
		one.from, one.to = one.Range()
		one.thing = thing{one.Kind, Folded(one.Kind, one.Path)}
	}
	slices.SortStableFunc(r.all, compareReferences)
	r.all = slices.CompactFunc(r.all, func(a, b Reference) bool {
		a.Defines, b.Defines = false, false
		return compareReferences(a, b) == 0
	})
	r.things = map[thing][]Reference{}
	for _, one := range r.all {
		r.things[one.thing] = append(r.things[one.thing], one)
	}
	r.sorted = true
}

// compareReferences puts a definition before what else is said of its place.
func compareReferences(a, b Reference) int {
	rank := func(r Reference) int {
		if r.Defines {
			return 0
		}
		return 1
	}
	program := func(r Reference) int {
		if r.Program {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(program(a), program(b)), cmp.Compare(a.Node.File(), b.Node.File()), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
		cmp.Compare(a.thing.kind, b.thing.kind), cmp.Compare(a.thing.path, b.thing.path), cmp.Compare(rank(a), rank(b)))
}

func (c *compiler) note(k names.Kind, path, word string, at source.Place, defines bool) {
	r := c.options.References
	if r == nil || at.Node == nil || path == "" || word == "" || at.Offset < 0 {
		return
	}
	if k == names.Option {
		if h, code, held := c.heldBy(path); held {
			c.noteHeld(h, code, word, at)
			return
		}
	}
	at.Length = len(word)
	one := Reference{Kind: k, Path: path, Written: word, Place: at, Defines: defines}
	one.Program = strings.HasPrefix(at.Node.File(), queryFile)
	if written := at.Text(); !strings.EqualFold(written, word) {
		one.File = at.Node.Parent == nil && at.Node.Kind == source.Object
		one.Unplaced = !one.File
		one.Place = source.Place{Node: at.Node}
	}
	r.add(one)
}

func (r *References) add(one Reference) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, one)
}

// At is where the reference is, for messages: a document whose file has the name, and a query, as a whole; code of a pack by its line.
func (r Reference) At() diag.Position {
	at := r.Pos()
	switch {
	case r.File, strings.HasPrefix(at.File, queryFile):
		return diag.Position{File: at.File}
	case r.Program:
		return r.Node.Pos()
	}
	return at
}

// noteProperty notes where a property is defined.
func (c *compiler) noteProperty(m *model, f *catalog.Field) {
	if c.options.References != nil {
		c.note(names.Property, names.Join(m.Code, f.Code), f.Code, source.In(m.defs[f].Node.Get("code")), true)
	}
}

// noteField notes a property that a place names.
func (c *compiler) noteField(f *catalog.Field, word string, at source.Place) {
	if c.options.References != nil && f != nil && f.Model != nil {
		c.note(names.Property, names.Join(f.Model.Code, f.Code), word, at, false)
	}
}

// noteDefinitions notes what documents define by their files and parts; properties are noted where they are compiled.
func (c *compiler) noteDefinitions() {
	if c.options.References == nil {
		return
	}
	for _, p := range c.packs {
		for _, d := range p.Documents {
			h, s := d.Header(), c.stage(d.Kind)
			if s.names == nil || s.Folder == "" {
				continue
			}
			c.note(names.Kind(d.Kind), h.Code, h.Code, source.Place{Node: h.Node}, true)
			for _, part := range s.Parts {
				for _, entry := range h.Node.Get(part.List).Items() {
					id := entry.Get(part.Key)
					c.note(part.Kind, names.Join(h.Code, id.Text()), id.Text(), source.In(id), true)
				}
			}
		}
	}
}

// noteNames makes an expression tell of the names in it.
func (c *compiler) noteNames(n *source.Node, text string, env *expression.Env) {
	if c.options.References == nil || n.Text() != text {
		return
	}
	env.Found = func(f expression.Name) {
		at := source.Place{Node: n, Offset: f.Offset}
		word := text[f.Offset : f.Offset+f.Length]
		switch {
		case f.Path != "":
			c.note(names.Kind(f.Kind), f.Path, word, at, false)
		case f.Option != "":
			c.note(names.Option, names.OptionPath(f.Options, f.Option), word, at, false)
		case f.Var != "":
			for _, part := range c.linking.Parts {
				c.note(part.Kind, names.Join(c.linked, c.nowPart(part.Kind, word)), word, at, false)
			}
		case f.Property == "":
			c.note(names.Model, f.Model, word, at, false)
		default:
			c.note(names.Property, names.Join(f.Model, f.Property), word, at, false)
		}
	}
}

// optionOwner is what has the options of a choice: a dictionary, or the property itself ("model.property"); "" where that is not known.
func (c *compiler) optionOwner(f *catalog.Field) string {
	m := c.of[f.Model]
	if m == nil || m.defs[f].Node == nil {
		return ""
	}
	if of := c.optionHolder(m.defs[f].Node); of != nil {
		return c.optionOwner(of)
	}
	if at := m.defs[f].Node.Get("dictionary"); at != nil {
		if !c.before {
			return c.dictionaries.entries[fold(at.Text())].code
		}
		for _, e := range c.dictionaries.entries { // they are known by the codes of then, and the model is of now
			if strings.EqualFold(e.code, at.Text()) {
				return e.code
			}
		}
		return ""
	}
	return names.Join(f.Model.Code, f.Code)
}

// noteOptionsOf notes where options are defined. One that is written as a text is both definition and code.
func (c *compiler) noteOptionsOf(owner string, options []def.Option) {
	if c.options.References == nil {
		return
	}
	for _, o := range options {
		if o.Node != nil && o.Code != "" {
			c.note(names.Option, names.OptionPath(owner, o.Code), o.Code, source.In(member(o.Node, "code")), true)
		}
		c.noteOptionsOf(owner, o.Items)
	}
}

// noteChosen notes the options that a value names: a text, several with semicolons as in tables, or a list.
func (c *compiler) noteChosen(f *catalog.Field, at *source.Node) {
	if c.options.References == nil || at == nil {
		return
	}
	legal := c.optionsOf(f)
	if legal.Choices == nil {
		return
	}
	for _, n := range slices.Concat(at.Items(), []*source.Node{at}) {
		c.noteWords(n, func(word string, at source.Place) {
			now := word
			if legal.Now != nil {
				now = legal.Now(word)
			}
			if slices.Contains(legal.Choices, now) {
				c.note(names.Option, names.OptionPath(c.optionOwner(f), now), word, at, false)
			}
		})
	}
}

// noteOptions notes what the options of a property name, which its type has resolved.
func (c *compiler) noteOptions(m *model, f *catalog.Field) {
	n := m.defs[f].Node
	if c.options.References == nil || n == nil {
		return
	}
	if at := n.Get("dictionary"); at != nil {
		if e, ok := c.dictionaries.entries[fold(at.Text())]; ok {
			c.note(names.Kind(def.KindDictionary), e.code, at.Text(), source.In(at), false)
		}
	}
	c.noteOwner(n)
	if at := n.Get("dependsOn"); at != nil {
		c.noteField(m.Field(at.Text()), at.Text(), source.In(at))
	}
	if f.Target == nil {
		return
	}
	if at := n.Get("relativeCode"); at != nil {
		c.note(names.Model, f.Target.Code, at.Text(), source.In(at), false)
	}
	if at := n.Get("relativePropertyCode"); at != nil {
		c.noteField(f.Target.Field(at.Text()), at.Text(), source.In(at))
	}
}

// noteRows notes the properties that a data file names, and the roles that its people have.
func (c *compiler) noteRows(m *model, d *def.Data) {
	if c.options.References == nil {
		return
	}
	for _, at := range d.Node.Get("key").Items() {
		c.noteField(m.Field(at.Text()), at.Text(), source.In(at))
	}
	var cells func(m *model, row *source.Node)
	cells = func(m *model, row *source.Node) {
		for _, cell := range row.Entries() {
			f := m.Field(cell.Key)
			c.noteField(f, cell.Key, source.InKey(cell))
			switch {
			case f == nil:
			case f.Sheet != nil:
				for _, line := range cell.Items() {
					cells(c.of[f.Sheet], line)
				}
			case f.Target != nil && f.Target.Code == "role":
				for _, one := range slices.Concat(cell.Items(), []*source.Node{cell}) {
					c.noteRoles(one)
				}
			default:
				c.noteChosen(f, cell)
			}
		}
	}
	for _, row := range d.Node.Get("rows").Items() {
		cells(m, row)
	}
}

// noteRoles notes the roles that a value names: one, or several with semicolons as in tables.
func (c *compiler) noteRoles(n *source.Node) {
	c.noteWords(n, func(word string, at source.Place) {
		if e, ok := c.roles.entries[fold(word)]; ok {
			c.note(names.Role, e.code, word, at, false)
		}
	})
}

// noteWords calls for the words of a text, which has semicolons between several; not for other values.
func (c *compiler) noteWords(n *source.Node, found func(word string, at source.Place)) {
	if n.Kind != source.String {
		return
	}
	at := 0
	for part := range strings.SplitSeq(n.Text(), ";") {
		word := strings.TrimSpace(part)
		found(word, source.Place{Node: n, Offset: at + strings.Index(part, word)})
		at += len(part) + 1
	}
}
