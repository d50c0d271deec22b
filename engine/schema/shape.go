package schema

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// shape answers what a schema says about the keys of one document: which are known at an object and in which order. A
// validator answers yes or no only, and after one fault it calls every key of that object unknown.
type shape struct {
	root *source.Node                    // of the schema
	memo map[*source.Node][]*source.Node // document node -> schemas that apply to it
}

// Layout returns how documents of a kind are written by source.Format. It is made for one document; not for concurrent use.
func (s *Schemas) Layout(kind def.Kind) source.Layout {
	c := s.kinds[kind]
	if c == nil {
		return &shape{}
	}
	return newShape(c.root())
}

func newShape(root *source.Node) *shape {
	return &shape{root: root, memo: map[*source.Node][]*source.Node{}}
}

// Keys implements source.Layout.
func (s *shape) Keys(object *source.Node) []string {
	var out []string
	for _, schema := range s.at(object) {
		for _, p := range schema.Get("properties").Entries() {
			if !forbids(p) && !slices.Contains(out, p.Key) {
				out = append(out, p.Key)
			}
		}
	}
	return slices.DeleteFunc(out, func(key string) bool { return s.forbidden(object, key) })
}

// Short implements source.Layout.
func (s *shape) Short(entry *source.Node) string {
	for _, schema := range s.at(entry) {
		if k := schema.Get("x-short"); k != nil {
			return k.Text()
		}
	}
	return ""
}

// pattern is what the keys of a map (an object without named keys) must match; "" for other objects.
func (s *shape) pattern(object *source.Node) string {
	for _, schema := range s.at(object) {
		if p := schema.Get("patternProperties").Entries(); len(p) > 0 && schema.Get("properties") == nil {
			return p[0].Key
		}
		for _, names := range s.apply(schema.Get("propertyNames"), nil, nil) {
			if p := names.Get("pattern"); p != nil {
				return p.Text()
			}
		}
	}
	return ""
}

// formOf is what the schema says to authors about a pattern that a value must match; "" when it says nothing.
func (s *shape) formOf(n *source.Node, pattern string) string {
	for _, schema := range s.at(n) {
		if words := schema.Get("patternErrorMessage").Text(); words != "" && schema.Get("pattern").Text() == pattern {
			return words
		}
	}
	return ""
}

// forbidden reports whether a rule of the schema takes the key away where this object is.
func (s *shape) forbidden(object *source.Node, key string) bool {
	return slices.ContainsFunc(s.at(object), func(schema *source.Node) bool { return forbids(schema.Get("properties").Get(key)) })
}

// anywhere reports whether some choice of the schema at this object, taken or not, knows the key.
func (s *shape) anywhere(object *source.Node, key string) bool {
	return slices.ContainsFunc(s.at(object), func(schema *source.Node) bool {
		return slices.ContainsFunc(schema.Get("allOf").Items(), func(choice *source.Node) bool {
			return slices.ContainsFunc(s.apply(choice.Get("then"), nil, nil), func(then *source.Node) bool { return then.Get("properties").Get(key) != nil })
		})
	})
}

// at returns the schemas that apply to a node of the document, the outermost first.
func (s *shape) at(n *source.Node) []*source.Node {
	if n == nil || s.root == nil {
		return nil
	}
	if out, ok := s.memo[n]; ok {
		return out
	}
	var out []*source.Node
	if n.Parent == nil {
		out = s.apply(s.root, n, nil)
	} else {
		for _, schema := range s.at(n.Parent) {
			out = s.apply(child(schema, n), n, out)
		}
	}
	s.memo[n] = out
	return out
}

// child is the part of a schema that speaks of the member n.
func child(schema, n *source.Node) *source.Node {
	if n.Parent.Kind == source.Array {
		if first := schema.Get("prefixItems").Items(); n.Index < len(first) {
			return first[n.Index]
		}
		return schema.Get("items")
	}
	if p := schema.Get("properties").Get(n.Key); p != nil {
		return p
	}
	for _, p := range schema.Get("patternProperties").Entries() {
		if re, err := regexp.Compile(p.Key); err == nil && re.MatchString(n.Key) {
			return p
		}
	}
	return schema.Get("additionalProperties")
}

// apply adds the schema and whatever it refers to and chooses for n; a nil n chooses everything.
func (s *shape) apply(schema, n *source.Node, out []*source.Node) []*source.Node {
	if schema == nil || schema.Kind != source.Object || slices.Contains(out, schema) {
		return out
	}
	out = append(out, schema)
	if ref, ok := strings.CutPrefix(schema.Get("$ref").Text(), "#/"); ok {
		out = s.apply(s.root.At(strings.Split(ref, "/")...), n, out)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		for _, part := range schema.Get(word).Items() {
			out = s.apply(part, n, out)
		}
	}
	if cond := schema.Get("if"); cond != nil {
		if n == nil || holds(cond, n) {
			out = s.apply(schema.Get("then"), n, out)
		} else {
			out = s.apply(schema.Get("else"), n, out)
		}
	}
	return out
}

// holds evaluates the conditions that composed schemas choose by: type, const, enum, required, not, anyOf.
func holds(cond, n *source.Node) bool {
	if t := cond.Get("type").Text(); t != "" && t != typeName(n) {
		return false
	}
	if c := cond.Get("const"); c != nil && (c.Kind != n.Kind || c.Text() != n.Text()) {
		return false
	}
	if e := cond.Get("enum"); e != nil && !slices.ContainsFunc(e.Items(), func(c *source.Node) bool { return c.Kind == n.Kind && c.Text() == n.Text() }) {
		return false
	}
	if n.Kind == source.Object {
		for _, r := range cond.Get("required").Items() {
			if n.Get(r.Text()) == nil {
				return false
			}
		}
		for _, p := range cond.Get("properties").Entries() {
			if m := n.Get(p.Key); m != nil && !holds(p, m) {
				return false
			}
		}
	}
	if not := cond.Get("not"); not != nil && holds(not, n) {
		return false
	}
	any := cond.Get("anyOf").Items()
	return len(any) == 0 || slices.ContainsFunc(any, func(c *source.Node) bool { return holds(c, n) })
}

func forbids(schema *source.Node) bool {
	return schema != nil && schema.Kind == source.Bool && schema.Text() == "false"
}

func typeName(n *source.Node) string {
	switch n.Kind {
	case source.Bool:
		return "boolean"
	case source.Number:
		return "number"
	case source.String:
		return "string"
	case source.Array:
		return "array"
	case source.Object:
		return "object"
	}
	return "null"
}
