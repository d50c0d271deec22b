package compile

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
)

// named is the property that a code means. An earlier version means what was called so in its time.
func (c *compiler) named(m *model, code string) *catalog.Field {
	now := m.Field(code)
	if !c.before {
		return now
	}
	if of, ok := c.then.ModelWas(m.Code); !ok {
		return nil
	} else if code, ok = c.then.Property(of, code); !ok {
		return nil
	}
	if now = m.Field(code); now != nil {
		return now
	}
	for _, f := range m.Fields { // what was renamed before there was a log: its definition says what it was called
		if was := m.defs[f].RenamedFrom; len(was) > 0 && strings.EqualFold(was[0], code) {
			return f
		}
	}
	return nil
}

// earlier is catalog.Catalog.Earlier and Meaning over what this compilation knows. What a link notes goes to a state of its own: the catalog is
// frozen, and a later compilation of roles goes on with the one that made it.
func (c *compiler) earlier() (
	func(k def.Kind, pack, code string, text []byte, then names.Reading) (any, diag.List),
	func(k def.Kind, pack, code string, text []byte, then names.Reading) string,
) {
	var one sync.Mutex // own fills while expressions are compiled
	own := *c
	own.options.References = nil
	own.before, own.choices, own.startButtons, own.submits = true, maps.Clone(c.choices), nil, nil
	link := func(k def.Kind, pack, code string, text []byte, then names.Reading) (any, diag.List) {
		one.Lock()
		defer one.Unlock()
		value, _, found := own.link(k, pack, code, text, then, nil)
		return value, found
	}
	return link, func(k def.Kind, pack, code string, text []byte, then names.Reading) string {
		one.Lock()
		defer one.Unlock()
		refs := &References{}
		_, root, _ := own.link(k, pack, code, text, then, refs)
		return meaning(root, own.stage(k).Parts, refs)
	}
}

// link compiles a document of a time. refs gather what its names mean; nil = nobody asks.
func (c *compiler) link(k def.Kind, pack, code string, text []byte, then names.Reading, refs *References) (value any, root *source.Node, found diag.List) {
	own := c.asOf(then)
	s := own.stage(k)
	if s.Earlier == nil {
		return nil, nil, nil
	}
	own.out, own.poison, own.options.References = nil, map[string]bool{}, refs
	root, found = source.Parse(path.Join(pack, s.Kind.Path(code)), text)
	if root == nil || root.Kind != source.Object {
		return nil, nil, found
	}
	d := s.Kind.Decodes(def.Head{Code: code, Pack: pack, Node: root})
	source.Decode(root, d)
	own.linked, own.linking = code, s.Kind
	for _, part := range s.Parts {
		for _, entry := range root.Get(part.List).Items() {
			id := entry.Get(part.Key)
			own.note(part.Kind, names.Join(code, own.nowPart(part.Kind, id.Text())), id.Text(), source.In(id), true)
		}
	}
	value = s.Earlier(linker{own, s.Kind}, d)
	return value, root, slices.Concat(found, own.out)
}

// nowPart is the code that a part of the document at hand has now.
func (c *compiler) nowPart(k names.Kind, code string) string {
	if k != names.Node {
		return code
	}
	return c.then.Node(c.linked, code)
}

// asOf is the compiler with the codes of a time: what has another code now is found by the one that it had.
func (c *compiler) asOf(then names.Reading) *compiler {
	out := *c
	out.then = then
	if then.Now() {
		return &out
	}
	out.models, out.lists, out.forms = was(c.models, then, names.Model), was(c.lists, then, names.List), was(c.forms, then, names.Form)
	out.roles, out.apps = was(c.roles, then, names.Role), was(c.apps, then, names.App)
	out.dictionaries = was(c.dictionaries, then, names.Kind(def.KindDictionary))
	out.documents = make(map[def.Kind]*index[*document], len(c.documents))
	for k, x := range c.documents {
		of := was(*x, then, names.Kind(k))
		out.documents[k] = &of
	}
	return &out
}

// was is an index by the codes of a time.
func was[T any](x index[T], then names.Reading, k names.Kind) index[T] {
	entries := make(map[string]entry[T], len(x.entries))
	for code, e := range x.entries {
		if of, ok := then.Was(k, code); ok {
			entries[fold(of)] = e
		}
	}
	x.entries = entries
	return x
}
