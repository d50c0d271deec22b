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

// earlier is catalog.Catalog.Earlier over what this compilation knows. What a link notes goes to a state of its own: the catalog is frozen, and
// a later compilation of roles goes on with the one that made it.
func (c *compiler) earlier() func(k def.Kind, pack, code string, text []byte, then names.Reading) (any, diag.List) {
	var one sync.Mutex // own fills while expressions are compiled
	own := *c
	own.options.References = nil
	own.before, own.choices, own.startButtons, own.submits = true, maps.Clone(c.choices), nil, nil
	return func(k def.Kind, pack, code string, text []byte, then names.Reading) (any, diag.List) {
		one.Lock()
		defer one.Unlock()
		own := own.asOf(then)
		s := own.stage(k)
		if s.Earlier == nil {
			return nil, nil
		}
		own.out, own.poison = nil, map[string]bool{}
		root, found := source.Parse(path.Join(pack, s.Kind.Path(code)), text)
		if root == nil || root.Kind != source.Object {
			return nil, found
		}
		d := s.Kind.Decodes(def.Head{Code: code, Pack: pack, Node: root})
		source.Decode(root, d)
		value := s.Earlier(linker{own, s.Kind}, d)
		return value, slices.Concat(found, own.out)
	}
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
