package schema

import (
	"cmp"
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
)

// Validate checks a document of a kind. Every fault is reported, and each once: a wrong value hides nothing beside it and
// brings no complaints about what depends on it.
func (s *Schemas) Validate(kind def.Kind, root *source.Node) diag.List {
	c := s.kinds[kind]
	if c == nil || root == nil {
		return nil
	}
	err := c.compiled.Validate(root.Any())
	if err == nil {
		return nil
	}
	v := &validation{root: root, shape: newShape(c.root()), values: map[*source.Node]finding{}, unknown: map[*source.Node]bool{}, more: map[*source.Node]int{}}
	var failure *jsonschema.ValidationError
	if !errors.As(err, &failure) {
		return diag.List{diag.New("SCHEMA017", root.Pos(), subject(root), err)}
	}
	for _, leaf := range leaves(failure) {
		v.add(leaf)
	}
	return v.diagnostics()
}

// validation gathers what the validator said about one document.
type validation struct {
	root    *source.Node
	shape   *shape
	values  map[*source.Node]finding // the gravest fault of each value
	unknown map[*source.Node]bool    // members with an unknown key
	missing []missing
	more    map[*source.Node]int // unknown keys of an object that are not listed
}

// listedKeys is how many unknown keys of one object are told one by one: behind them is a file of another kind, or a generator.
const listedKeys = 100

type finding struct {
	weight int
	diag   diag.Diagnostic
}

type missing struct {
	object *source.Node
	key    string
}

// leaves are the faults themselves, without the validator's grouping. Of alternatives the one that came nearest speaks.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		if len(e.Causes) > 0 {
			return leaves(slices.MinFunc(e.Causes, func(a, b *jsonschema.ValidationError) int { return cmp.Compare(distance(e, a), distance(e, b)) }))
		}
	case *kind.PropertyNames:
		return []*jsonschema.ValidationError{e}
	}
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, c := range e.Causes {
		out = append(out, leaves(c)...)
	}
	return out
}

// distance tells how far an alternative is from what was written: one of another type is farthest.
func distance(parent, alternative *jsonschema.ValidationError) int {
	n := 0
	for _, l := range leaves(alternative) {
		n++
		if _, ok := l.ErrorKind.(*kind.Type); ok && len(l.InstanceLocation) == len(parent.InstanceLocation) {
			n += 1000
		}
	}
	return n
}

func (v *validation) add(e *jsonschema.ValidationError) {
	n := v.root.At(e.InstanceLocation...)
	if n == nil {
		n = v.root
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		v.addKeys(n, k.Properties)
	case *kind.FalseSchema:
		v.addKey(n)
	case *kind.Required:
		for _, key := range k.Missing {
			v.addMissing(n, key)
		}
	case *kind.DependentRequired:
		for _, key := range k.Missing {
			v.addMissing(n, key)
		}
	case *kind.PropertyNames:
		// The validator's location of this one fault is not reliable, so the member is looked for.
		v.addNames(v.root, k.Property)
	default:
		weight, d := describe(n, e.ErrorKind, v.shape)
		if old, ok := v.values[n]; !ok || weight > old.weight {
			v.values[n] = finding{weight, d.At(n.Pointer())}
		}
	}
}

// addKeys notes members of an object in the order of the text, so many of them as are listed.
func (v *validation) addKeys(object *source.Node, keys []string) {
	if len(keys) <= listedKeys {
		for _, key := range keys {
			v.addKey(object.Get(key))
		}
		return
	}
	refused := make(map[string]bool, len(keys))
	for _, key := range keys {
		refused[key] = true
	}
	before, known := len(v.unknown), v.shape.Keys(object)
	v.more[object] = 0
	for _, member := range object.Members {
		switch {
		case !refused[member.Key] || slices.Contains(known, member.Key):
		case len(v.unknown)-before < listedKeys:
			v.addKey(member)
		default:
			v.more[object]++
		}
	}
}

// addKey notes a member that the schema refuses, unless it does so only because of another fault in the same object.
func (v *validation) addKey(member *source.Node) {
	if member == nil || member.Parent == nil || member.Parent.Kind != source.Object {
		return
	}
	object := member.Parent
	if v.shape.forbidden(object, member.Key) {
		v.unknown[member] = true
		return
	}
	if slices.Contains(v.shape.Keys(object), member.Key) || v.undecided(object) && v.shape.anywhere(object, member.Key) {
		return
	}
	v.unknown[member] = true
}

// addNames notes every member of that key whose object has a rule for names.
func (v *validation) addNames(n *source.Node, key string) {
	if member := n.Get(key); member != nil && v.shape.pattern(n) != "" {
		v.unknown[member] = true
	}
	for _, m := range n.Members {
		v.addNames(m, key)
	}
}

// undecided reports whether the key that chooses the object's options ("x-choice") is missing or names no choice.
func (v *validation) undecided(object *source.Node) bool {
	for _, schema := range v.shape.at(object) {
		key := schema.Get("x-choice").Text()
		names, chosen := schema.Get("properties").Get(key).Get("enum"), object.Get(key)
		if chosen == nil && key == "queryActionType" {
			chosen = object.Get("actionCode")
		}
		if names != nil && !slices.ContainsFunc(names.Items(), func(n *source.Node) bool { return n.Text() == chosen.Text() }) {
			return true
		}
	}
	return false
}

func (v *validation) addMissing(object *source.Node, key string) {
	m := missing{object, key}
	if !slices.Contains(v.missing, m) {
		v.missing = append(v.missing, m)
	}
}

func (v *validation) diagnostics() diag.List {
	var out diag.List
	typos := map[missing]bool{} // missing keys that stand there misspelt
	for member := range v.unknown {
		if v.refused(member.Parent) {
			continue
		}
		d, near := v.unknownKey(member)
		out = append(out, d)
		typos[missing{member.Parent, near}] = true
	}
	for object, n := range v.more {
		if n > 0 && !v.refused(object) {
			out = append(out, diag.New("SCHEMA018", object.Pos(), n).At(object.Pointer()))
		}
	}
	for _, m := range v.missing {
		if !typos[m] && !v.refused(m.object) {
			out = append(out, diag.New("SCHEMA003", m.object.Pos(), m.key).At(m.object.Pointer()))
		}
	}
	for n, f := range v.values {
		if !v.refused(n) {
			out = append(out, f.diag)
		}
	}
	return out.Sorted()
}

// refused reports whether a value is at or below a key that is refused: more is not told of it.
func (v *validation) refused(n *source.Node) bool {
	for ; n != nil; n = n.Parent {
		if v.unknown[n] {
			return true
		}
	}
	return false
}

// unknownKey describes a refused key and returns the known one that it is near to.
func (v *validation) unknownKey(member *source.Node) (diag.Diagnostic, string) {
	object := member.Parent
	known := v.shape.Keys(object)
	if pattern := v.shape.pattern(object); pattern != "" {
		return wrongForm(member.KeyPos(), member.Key, pattern, "").At(member.Pointer()), ""
	}
	near := diag.Nearest(member.Key, known)
	if v.shape.forbidden(object, member.Key) || near == "" && v.shape.anywhere(object, member.Key) {
		return diag.New("SCHEMA015", member.KeyPos(), member.Key, join(known)).At(member.Pointer()), ""
	}
	d := diag.New("SCHEMA001", member.KeyPos(), member.Key, join(known)).At(member.Pointer())
	return d.Suggest(member.Key, known), near
}
