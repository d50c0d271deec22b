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
	"github.com/sluice-platform/sluice/engine/source"
)

// named is the property that a code means. In a version from before it was renamed a property is meant by the code that its definition says it
// had. Where another property has that code now, nobody can tell which of the two is meant: none is.
func (c *compiler) named(m *model, code string) *catalog.Field {
	now := m.Field(code)
	if !c.before {
		return now
	}
	for _, f := range m.Fields {
		if was := m.defs[f].RenamedFrom; was != "" && strings.EqualFold(was, code) && f != now {
			if now != nil {
				return nil
			}
			return f
		}
	}
	return now
}

// earlier is catalog.Catalog.Earlier over what this compilation knows. What a link notes goes to a state of its own: the catalog is frozen, and
// a later compilation of roles goes on with the one that made it.
func (c *compiler) earlier() func(k def.Kind, pack, code string, text []byte) (any, diag.List) {
	var one sync.Mutex // own fills while expressions are compiled
	own := *c
	own.before, own.choices, own.startButtons, own.submits = true, maps.Clone(c.choices), nil, nil
	return func(k def.Kind, pack, code string, text []byte) (any, diag.List) {
		one.Lock()
		defer one.Unlock()
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
		value := s.Earlier(linker{&own, s.Kind}, d)
		return value, slices.Concat(found, own.out)
	}
}
