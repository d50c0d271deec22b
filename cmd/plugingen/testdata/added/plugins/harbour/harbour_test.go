package harbour_test

import (
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/plugins"
)

func TestAdded(t *testing.T) {
	var set pack.Set
	if err := plugins.Register(&set); err != nil {
		t.Fatal(err)
	}
	if len(set.Folders()) != 2 {
		t.Error("a pack takes part that nobody has asked for")
	}
	if err := plugins.With("harbour")(&set); err != nil {
		t.Fatal(err)
	}
	if _, ok := set.Actions.Get("stamp"); !ok {
		t.Error("the action is missing")
	}
	for _, f := range set.Folders() {
		if f.Path != "plugins/harbour" {
			continue
		}
		text, err := fs.ReadFile(f.FS, "models/berth.json")
		if err != nil {
			t.Fatal(err)
		}
		node, problems := source.Parse("models/berth.json", text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		var m def.Model
		source.Decode(node, &m)
		typ, ok := set.Properties.Get(m.Properties[0].Type)
		if !ok {
			t.Fatal("the property type is missing")
		}
		p, problems := typ.Compile(m.Properties[0], nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		v, err := p.Parse(json.Number("3"))
		if err != nil || p.Text(v, property.TextContext{}) != "★★★" {
			t.Errorf("three stars: %v, %v", v, err)
		}
		return
	}
	t.Error("the pack is missing")
}
