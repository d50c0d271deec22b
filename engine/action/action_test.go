package action_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sluice-platform/sluice/engine/action"
)

func TestSchema(t *testing.T) {
	s, err := action.CompileSchema([]byte(`{"type": "object", "required": ["id"], "additionalProperties": false,
		"properties": {"id": {"type": "string"}, "lots": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}, "any": {}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"id": "a", "lots": [{"n": 1}]}`:      "",
		`{"id": 1}`:                            "id: type",
		`{}`:                                   "id: required",
		`{"id": "a", "x": 1}`:                  "x: additionalProperties",
		`{"id": "a", "lots": [{}, {"n":"1"}]}`: "lots/1/n: type",
		`[]`:                                   "type",
	} {
		got := ""
		if err := s.Check([]byte(text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
	if kind, ok := s.Property("lots"); kind != "array" || !ok {
		t.Error(kind, ok)
	}
	if kind, ok := s.Property("any"); kind != "" || !ok {
		t.Error(kind, ok)
	}
	if _, ok := s.Property("x"); ok {
		t.Error("x is no property")
	}
	for _, bad := range []string{`{"$ref": "https://example.com/x.json"}`, `{"type": 1}`, `{`} {
		if _, err := action.CompileSchema([]byte(bad)); err == nil {
			t.Errorf("%s compiles", bad)
		}
	}
}

func TestNew(t *testing.T) {
	type in struct{ Size int }
	e := action.New("double", `{}`, `{"type": "integer"}`, func(_ context.Context, c action.Call, v in) (int, error) { return 2 * v.Size, nil })
	out, err := e.Run(t.Context(), action.Call{Body: json.RawMessage(`{"size": 21}`)})
	if err != nil || out != 42 || e.Name() != "double" || string(e.Output()) != `{"type": "integer"}` {
		t.Error(out, err, e.Name())
	}
}
