package codes_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// Documents of a twin are trees, in whose texts the names have their signs. What has a name has the member «was:name» as well, and the sign
// «as:name» in each of its labels; those of workflows belong to their versions, and stay. So an edit of a tree is one of both worlds, and each of them spells it.

var (
	barePast = regexp.MustCompile(`«was:(\w+)»`)
	past     = regexp.MustCompile(`,"(«was:\w+»)":0`) // the last member: signs are sorted behind letters
)

// treesOf are the documents of a shop as trees, by path.
func treesOf(t require.TestingT, texts map[string]string) map[string]any {
	out := map[string]any{}
	for path, text := range texts {
		var tree any
		require.NoError(t, json.Unmarshal([]byte(barePast.ReplaceAllString(text, `"«was:$1»": 0, `)), &tree))
		walk(tree, func(of map[string]any) {
			name := definedBy(of)
			if name == "" || strings.HasPrefix(path, "workflows/") {
				return
			}
			for _, key := range []string{"name", "name_plural"} {
				if text, ok := of[key].(string); ok {
					of[key] = text + "«as:" + name + "»"
				}
				if texts, ok := of[key+"_i18n"].(map[string]any); ok {
					for locale, text := range texts {
						texts[locale] = text.(string) + "«as:" + name + "»"
					}
				}
			}
		})
		out[path] = tree
	}
	return out
}

// textsOf writes trees down.
func textsOf(t require.TestingT, trees map[string]any) map[string]string {
	out := map[string]string{}
	for path, tree := range trees {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		require.NoError(t, e.Encode(tree))
		out[path] = past.ReplaceAllString(b.String(), `$1`)
	}
	return out
}

// walk visits every object of a tree, in the order of its text.
func walk(tree any, visit func(of map[string]any)) {
	switch x := tree.(type) {
	case map[string]any:
		visit(x)
		for _, key := range slices.Sorted(maps.Keys(x)) {
			walk(x[key], visit)
		}
	case []any:
		for _, one := range x {
			walk(one, visit)
		}
	}
}

// definedBy is the name of what an object is the definition of; "" = of nothing.
func definedBy(of map[string]any) string {
	for key := range of {
		if m := barePast.FindStringSubmatch(key); m != nil {
			return m[1]
		}
	}
	return ""
}

// defined are the names that documents define, in the order of their paths.
func defined(trees map[string]any) (out []string) {
	for _, path := range slices.Sorted(maps.Keys(trees)) {
		walk(trees[path], func(of map[string]any) {
			if name := definedBy(of); name != "" {
				out = append(out, name)
			}
		})
	}
	return out
}

// definition is the object that defines a name; nil = none.
func definition(trees map[string]any, name string) (out map[string]any) {
	for _, tree := range trees {
		walk(tree, func(of map[string]any) {
			if definedBy(of) == name {
				out = of
			}
		})
	}
	return out
}

// copied is a deep copy of trees.
func copied[T any](t require.TestingT, in T) (out T) {
	b, err := json.Marshal(in)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

// pruned are trees without a name: its definition, and whatever names it. wide takes with an expression the whole entry that has it, otherwise the
// expression alone goes.
func pruned(t require.TestingT, trees map[string]any, name string, wide bool) map[string]any {
	sign, was := "«"+name+"»", "«was:"+name+"»"
	out := map[string]any{}
	for path, tree := range copied(t, trees) {
		if strings.Contains(path, sign) {
			continue
		}
		if left, stays := without(tree, sign, was, wide); stays {
			out[path] = left
		}
	}
	return out
}

// without is a tree without what names something; false = the whole of it does.
func without(tree any, sign, was string, wide bool) (any, bool) {
	switch x := tree.(type) {
	case string:
		return x, !strings.Contains(x, sign)
	case []any:
		out := []any{}
		for _, one := range x {
			if left, stays := without(one, sign, was, wide); stays {
				out = append(out, left)
			}
		}
		return out, true
	case map[string]any:
		if _, defines := x[was]; defines {
			return nil, false
		}
		for _, key := range slices.Sorted(maps.Keys(x)) {
			left, stays := without(x[key], sign, was, wide)
			switch {
			case strings.Contains(key, sign):
				delete(x, key)
			case stays:
				x[key] = left
			case wide, slices.Contains([]string{"to", "node", "schemaCode", "propertyCode", "of", "queryCode", "workflow"}, key):
				return nil, false
			default:
				delete(x, key)
			}
		}
	}
	return tree, true
}

// more adds something new to trees, called name, and reports whether there was a place for it.
func more(trees map[string]any, name string, r *rand.Rand) bool {
	adds := func(to, key string, one map[string]any) bool {
		of := definition(trees, to)
		if of == nil || of[key] == nil {
			return false
		}
		mark := "«as:" + name + "»"
		if key == "nodes" {
			mark = ""
		}
		one["«was:"+name+"»"], one["name"], one["name_i18n"] = 0, "新"+name+mark, map[string]any{"en": "New " + name + mark}
		list := of[key].([]any)
		of[key] = slices.Insert(list, r.IntN(len(list)+1), any(one))
		return true
	}
	code := "«" + name + "»"
	typed := map[string]any{"code": code, "propertyType": []string{"ShortText", "Number", "Logic"}[r.IntN(3)]}
	switch r.IntN(6) {
	case 0, 1:
		if !adds("order", "properties", typed) {
			return false
		}
		for _, of := range []struct{ in, key string }{{"orderForm", "items"}, {"orders", "queryColumns"}} {
			if d := definition(trees, of.in); d != nil && r.IntN(2) == 0 {
				d[of.key] = append(d[of.key].([]any), code)
			}
		}
		return true
	case 2:
		return adds("lines", "properties", typed)
	case 3:
		return adds("sizes", "items", map[string]any{"code": code})
	case 4:
		return adds("tags", "options", map[string]any{"code": code})
	}
	// A step before another one.
	flow := definition(trees, "approval")
	if flow == nil {
		return false
	}
	nodes := flow["nodes"].([]any)
	at := 1 + r.IntN(len(nodes)-1)
	before, ok := nodes[at].(map[string]any)["next"].([]any)
	if !ok {
		return false
	}
	nodes[at].(map[string]any)["next"] = []any{code}
	step := map[string]any{"id": code, "type": "APPROVE", "mode": "ANY", "participants": []any{map[string]any{"type": "role", "value": []any{"«clerk»"}}}, "next": before}
	flow["nodes"] = nodes
	return adds("approval", "nodes", step)
}

// lost is what was removed, so that it can come back.
type lost struct {
	name, path string // of a document
	in, key    string // of a part: whose, and in which of its lists
	tree       any
}

// find remembers where a name is defined.
func find(t require.TestingT, trees map[string]any, name string) lost {
	for path, tree := range trees {
		if of, ok := tree.(map[string]any); ok && definedBy(of) == name {
			return lost{name: name, path: path, tree: copied(t, tree)}
		}
	}
	var out lost
	for _, tree := range trees {
		walk(tree, func(of map[string]any) {
			for key, in := range of {
				list, _ := in.([]any)
				for _, one := range list {
					if part, ok := one.(map[string]any); ok && definedBy(part) == name && definedBy(of) != "" {
						out = lost{name: name, in: definedBy(of), key: key, tree: copied(t, one)}
					}
				}
			}
		})
	}
	return out
}

// back puts what was removed into trees again, and reports whether there is a place for it.
func (l lost) back(t require.TestingT, trees map[string]any) bool {
	if l.path != "" {
		trees[l.path] = copied(t, l.tree)
		return true
	}
	of := definition(trees, l.in)
	if of == nil {
		return false
	}
	list, _ := of[l.key].([]any)
	of[l.key] = append(list, copied(t, l.tree))
	return true
}
