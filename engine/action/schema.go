package action

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Schema is the compiled Input or Output of an Endpoint.
type Schema struct {
	text       []byte
	compiled   *jsonschema.Schema
	properties map[string]struct {
		Type json.RawMessage `json:"type"`
	}
}

// CompileSchema reads a JSON Schema that refers to nothing but itself.
func CompileSchema(text []byte) (*Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(itself{})
	const url = "sluice:///action.json"
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	s := &Schema{text: text}
	if s.compiled, err = c.Compile(url); err != nil {
		return nil, err
	}
	var object struct {
		Properties *map[string]struct {
			Type json.RawMessage `json:"type"`
		} `json:"properties"`
	}
	object.Properties = &s.properties
	_ = json.Unmarshal(text, &object) // true and false are schemas too
	return s, nil
}

type itself struct{}

func (itself) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s: the schema of an action may refer to itself only", url)
}

// JSON is the schema as written.
func (s *Schema) JSON() json.RawMessage { return s.text }

// Property reports whether the schema declares a property of an object, and its type when it has exactly one.
func (s *Schema) Property(name string) (kind string, declared bool) {
	p, declared := s.properties[name]
	_ = json.Unmarshal(p.Type, &kind) // several types are none
	return kind, declared
}

// List is the one property of an object that the schema declares as a list; false when there is none, or more than one.
func (s *Schema) List() (name string, ok bool) {
	for code := range s.properties {
		if kind, _ := s.Property(code); kind == "array" {
			if ok {
				return "", false
			}
			name, ok = code, true
		}
	}
	return name, ok
}

// Mismatch is why a value does not fit a schema: the place in it, "lots/0/id", and what the schema says there.
type Mismatch struct{ At, Why string }

func (m *Mismatch) Error() string {
	if m.At == "" {
		return m.Why
	}
	return m.At + ": " + m.Why
}

// Check tests a JSON text; a value that does not fit is a *Mismatch.
func (s *Schema) Check(text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	err = s.compiled.Validate(value)
	var failure *jsonschema.ValidationError
	if !errors.As(err, &failure) {
		return err
	}
	for len(failure.Causes) > 0 {
		failure = failure.Causes[0]
	}
	at := failure.InstanceLocation
	switch k := failure.ErrorKind.(type) {
	case *kind.Required:
		at = append(at, k.Missing[0])
	case *kind.AdditionalProperties:
		at = append(at, k.Properties[0])
	}
	words := failure.ErrorKind.KeywordPath()
	return &Mismatch{At: strings.Join(at, "/"), Why: strings.Join(words, " ")}
}
