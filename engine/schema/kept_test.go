package schema

import (
	"fmt"
	"testing"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
)

// entry is a property type and an action with options and nothing else.
type entry struct{ name, options string }

func (e entry) Name() string                                                        { return e.name }
func (e entry) Options() []byte                                                     { return []byte(e.options) }
func (e entry) Wire() int                                                           { return 0 }
func (e entry) Compile(def.Property, property.Scope) (property.Property, diag.List) { return nil, nil }

const bothOpen = `{"$defs": {"property": {"properties": {"propertyType": {}}}, "action": {"properties": {"queryActionType": {}}}}}`

// What a schema is made of decides which one a kind gets: the same twice is composed once, and nothing else is taken for it.
func TestKeptByWhatItIsMadeOf(t *testing.T) {
	type parts struct {
		kind           kind.Kind
		types, actions []entry
		words          []string
	}
	first := parts{kind: kind.Kind{Code: "k", Schema: []byte(bothOpen), Properties: true, Actions: true},
		types: []entry{{"A", `{"properties": {"a": true}}`}}, actions: []entry{{"press", ""}}, words: []string{"add"}}
	different := map[string]func(*parts){
		"code":           func(p *parts) { p.kind.Code = "l" },
		"schema":         func(p *parts) { p.kind.Schema = []byte(bothOpen + " ") },
		"no properties":  func(p *parts) { p.kind.Properties = false },
		"no actions":     func(p *parts) { p.kind.Actions = false },
		"type's name":    func(p *parts) { p.types = []entry{{"B", p.types[0].options}} },
		"type's options": func(p *parts) { p.types = []entry{{"A", `{"properties": {"b": true}}`}} },
		"another type":   func(p *parts) { p.types = append(p.types, entry{"B", ""}) },
		"action's name":  func(p *parts) { p.actions = []entry{{"pull", ""}} },
		"options":        func(p *parts) { p.actions = []entry{{"press", `{"properties": {"b": true}}`}} },
		"word":           func(p *parts) { p.words = []string{"edit"} },
		"another word":   func(p *parts) { p.words = append(p.words, "edit") },
	}
	c := &keeping{}
	compose := func(p parts) *composed {
		t.Helper()
		set := &pack.Set{}
		for _, e := range p.types {
			if err := set.Properties.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range p.actions {
			if err := set.Actions.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range p.words {
			if err := set.Words.Add(action.Word{Code: w, List: true}); err != nil {
				t.Fatal(err)
			}
		}
		out, err := c.compose(p.kind, set)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := compose(first)
	if compose(first) != before {
		t.Error("the same was composed again")
	}
	for name, change := range different {
		p := first
		change(&p)
		if compose(p) == before {
			t.Errorf("%s: another schema's", name)
		}
	}
	if compose(first) != before {
		t.Error("forgotten before there were many")
	}
	for i := range keptSchemas {
		p := first
		p.kind.Code = def.Kind(fmt.Sprint("many", i))
		compose(p)
	}
	if len(c.parts) != keptSchemas || len(c.order) != keptSchemas {
		t.Errorf("%d are kept, in an order of %d", len(c.parts), len(c.order))
	}
	if compose(first) == before {
		t.Error("the oldest was not forgotten")
	}
}
