package action

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Schema is the compiled Input or Output of an Endpoint.
type Schema struct {
	text       []byte
	compiled   *jsonschema.Schema
	properties map[string]declared
	any        bool // every value fits, or is known to
}

// declared is what is read of the schema of a property: which types of values it takes, and those of the entries of a list.
type declared struct{ types, items []string }

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
	object, isObject := doc.(map[string]any)
	s := &Schema{text: text, any: doc == true || isObject && len(object) == 0}
	if s.compiled, err = c.Compile(url); err != nil {
		return nil, err
	}
	s.properties = map[string]declared{}
	for name, of := range objectOf(objectOf(resolve(doc, doc))["properties"]) {
		s.properties[name] = declared{typesOf(doc, of), typesOf(doc, itemsOf(doc, of))}
	}
	return s, nil
}

// CompileOutput reads the schema of an Endpoint's answers. That of a Go type is a description: what the type holds fits it, and is not built up
// once more to be checked.
func CompileOutput(e Endpoint) (*Schema, error) {
	s, err := CompileSchema(e.Output())
	if f, ok := e.(interface{ fits() bool }); ok && err == nil {
		s.any = s.any || f.fits()
	}
	return s, err
}

type itself struct{}

func (itself) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s: the schema of an action may refer to itself only", url)
}

// JSON is the schema as written.
func (s *Schema) JSON() json.RawMessage { return s.text }

// objectOf is a schema, or a part of one, as an object; nil for the schemas true and false.
func objectOf(v any) map[string]any { o, _ := v.(map[string]any); return o }

// mostRefs bounds how far references to definitions are followed.
const mostRefs = 10

// resolve follows references into the document itself: {"$ref": "#/$defs/id"}.
func resolve(doc, v any) any {
	for range mostRefs {
		ref, ok := objectOf(v)["$ref"].(string)
		if !ok {
			return v
		}
		v = doc
		for _, step := range strings.Split(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
			if step != "" {
				v = objectOf(v)[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
			}
		}
	}
	return v
}

// typesOf are the types of values that a schema takes: one, several, or those of its alternatives; none = any.
func typesOf(doc, v any) (out []string) {
	o := objectOf(resolve(doc, v))
	switch t := o["type"].(type) {
	case string:
		return []string{t}
	case []any:
		for _, one := range t {
			if name, ok := one.(string); ok {
				out = append(out, name)
			}
		}
		return out
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		list, _ := o[word].([]any)
		for _, one := range list {
			out = append(out, typesOf(doc, one)...)
		}
	}
	return out
}

// itemsOf is the schema of the entries of a list, also of one that is an alternative.
func itemsOf(doc, v any) any {
	o := objectOf(resolve(doc, v))
	if of, ok := o["items"]; ok {
		return of
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		list, _ := o[word].([]any)
		for _, one := range list {
			if of := itemsOf(doc, one); of != nil {
				return of
			}
		}
	}
	return nil
}

// Property reports whether the schema declares a property of an object, and its type when it has exactly one besides null.
func (s *Schema) Property(name string) (kind string, declared bool) {
	p, declared := s.properties[name]
	if kinds := slices.DeleteFunc(slices.Clone(p.types), func(t string) bool { return t == "null" }); len(kinds) == 1 {
		kind = kinds[0]
	}
	return kind, declared
}

// Read makes JSON of the texts of a parameter, as the property of that name wants it: numbers and truth values are read, a list takes every
// text, and an empty text is null where null is taken and a text is not. A text that is none of what the schema wants stays a text, which the
// schema then refuses.
func (s *Schema) Read(name string, texts []string) json.RawMessage {
	p := s.properties[name]
	if !slices.Contains(p.types, "array") && len(texts) == 1 {
		return scalar(texts[0], p.types)
	}
	out := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		out[i] = scalar(text, p.items)
	}
	return asJSON(out)
}

func scalar(text string, types []string) json.RawMessage {
	number := slices.Contains(types, "integer") || slices.Contains(types, "number")
	switch {
	case slices.Contains(types, "string"):
		return asJSON(text)
	case text == "" && slices.Contains(types, "null"):
		return json.RawMessage("null")
	case number && json.Valid([]byte(text)) && strings.Trim(text, "+-.0123456789eE") == "":
		return json.RawMessage(text)
	case slices.Contains(types, "boolean") && (text == "true" || text == "false"):
		return json.RawMessage(text)
	}
	return asJSON(text)
}

func asJSON(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts always marshal
	}
	return out
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
	if s.any && json.Valid(text) { // large answers are not built up once more
		return nil
	}
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
