package plugins_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/plugins/construction"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// TestAnswersAreDescribed: the document of the calls says of each answer of each pack which members it has and what they hold.
func TestAnswersAreDescribed(t *testing.T) {
	var set pack.Set
	for _, register := range []pack.Registrar{plugins.Register, construction.Register, quality.Register} {
		if err := register(&set); err != nil {
			t.Fatal(err)
		}
	}
	endpoints := 0
	for _, name := range set.Actions.Names() {
		one, _ := set.Actions.Get(name)
		e, calls := one.(action.Endpoint)
		if _, file := one.(action.Downloader); file || !calls {
			continue
		}
		endpoints++
		var schema map[string]any
		if err := json.Unmarshal(e.Output(), &schema); err != nil {
			t.Fatal(name, err)
		}
		for _, at := range silent("", schema) {
			t.Errorf("the answer of %s says nothing of %q", name, at)
		}
	}
	if endpoints < 50 {
		t.Errorf("%d calls", endpoints)
	}
}

// silent are the places of a schema that take anything.
func silent(at string, schema map[string]any) (out []string) {
	for _, one := range []string{"$defs", "properties"} {
		parts, _ := schema[one].(map[string]any)
		for name, part := range parts {
			of, _ := part.(map[string]any)
			out = append(out, silent(at+"/"+name, of)...)
		}
	}
	for _, one := range []string{"items", "additionalProperties"} {
		if part, ok := schema[one].(map[string]any); ok {
			out = append(out, silent(at+"/*", part)...)
		}
	}
	some := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return schema[key] != nil })
	}
	switch kind := fmt.Sprint(schema["type"]); {
	case !some("type", "$ref", "anyOf", "enum", "const"), kind == "object" && !some("properties", "additionalProperties"), kind == "array" && !some("items"):
		out = append(out, at)
	}
	return out
}
