package action_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
)

func TestSchema(t *testing.T) {
	s, err := action.CompileSchema([]byte(`{"type": "object", "required": ["id"], "additionalProperties": false,
		"properties": {"id": {"type": "string"}, "lots": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}, "any": {}, "maybe": {"type": ["integer", "null"]}}}`))
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
	if kind, ok := s.Property("maybe"); kind != "integer" || !ok {
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

func TestSchemaOfAnything(t *testing.T) {
	for _, text := range []string{`{}`, `true`} {
		s, err := action.CompileSchema([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Check([]byte(`{"a": [1, null]}`)) != nil || s.Check([]byte(`{`)) == nil {
			t.Error(text)
		}
	}
}

func TestRead(t *testing.T) {
	s, err := action.CompileSchema([]byte(`{"type": "object", "$defs": {"id": {"type": "integer"}, "ids": {"type": "array", "items": {"$ref": "#/$defs/id"}}}, "properties": {
		"n": {"type": ["integer", "null"]}, "text": {"type": ["string", "null"]}, "on": {"type": "boolean"}, "list": {"type": "array", "items": {"type": "number"}},
		"ref": {"$ref": "#/$defs/id"}, "refs": {"$ref": "#/$defs/ids"}, "either": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/ids"}]}, "any": {}, "names": {"type": ["array", "null"], "items": {"type": "string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"n", []string{"5"}, `5`}, {"n", []string{""}, `null`}, {"n", []string{"x"}, `"x"`}, {"n", []string{"1", "2"}, `["1","2"]`}, {"text", []string{""}, `""`}, {"text", []string{"5"}, `"5"`},
		{"on", []string{"true"}, `true`}, {"on", []string{"1"}, `"1"`}, {"list", []string{"1.5"}, `[1.5]`}, {"list", []string{"1", "2"}, `[1,2]`}, {"list", []string{"1", "x"}, `[1,"x"]`},
		{"ref", []string{"7"}, `7`}, {"refs", []string{"7"}, `[7]`}, {"either", []string{"7", "8"}, `[7,8]`}, {"any", []string{"7"}, `"7"`}, {"names", []string{"7"}, `["7"]`}, {"unknown", []string{"7"}, `"7"`},
		{"n", []string{"1 "}, `"1 "`}, {"n", []string{"true"}, `"true"`},
	} {
		if got := string(s.Read(c.name, c.texts)); got != c.want {
			t.Errorf("%s %q: %s, not %s", c.name, c.texts, got, c.want)
		}
	}
}

func TestNew(t *testing.T) {
	type in struct{ Size int }
	e := action.New("double", `{}`, `{"type": "integer"}`, func(_ context.Context, c action.Call, v in) (int, error) { return 2 * v.Size, nil })
	for body, at := range map[string]string{`{"size": 9223372036854775808}`: "size", `{"size": 2.0}`: "size", `{"size": 1e3}`: "size"} { // a schema calls all of these integers
		_, err := e.Run(t.Context(), action.Call{Body: json.RawMessage(body)})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.BadParameter || f.Args[0] != at {
			t.Errorf("%s: %v", body, err)
		}
	}
	out, err := e.Run(t.Context(), action.Call{Body: json.RawMessage(`{"size": 21}`)})
	if err != nil || out != 42 || e.Name() != "double" || string(e.Output()) != `{"type": "integer"}` {
		t.Error(out, err, e.Name())
	}
}
