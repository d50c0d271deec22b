package action

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Shape is the JSON Schema of what encoding/json writes of a T: the answer of an action, described by the Go type that holds it. Structs have
// definitions of their own, so a tree may hold itself. A list is never null, nor is a map: an answer makes empty ones. A pointer may be null.
func Shape[T any]() string {
	s := shaper{names: map[reflect.Type]string{}, defs: map[string]any{}}
	root := s.of(reflect.TypeFor[T]())
	if len(s.defs) > 0 {
		root["$defs"] = s.defs
	}
	text, err := json.Marshal(root)
	if err != nil {
		panic(err) // maps of texts always marshal
	}
	return string(text)
}

// shaper collects the definitions of structs by their names.
type shaper struct {
	names map[reflect.Type]string
	defs  map[string]any
}

type object = map[string]any

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	known         = map[reflect.Type]object{
		reflect.TypeFor[time.Time]():       {"type": "string", "format": "date-time"},
		reflect.TypeFor[decimal.Decimal](): {"type": "string"},
		reflect.TypeFor[json.Number]():     {"type": "number"},
	}
)

func (s *shaper) of(t reflect.Type) object {
	if found, ok := known[t]; ok {
		return found
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case t.Implements(jsonMarshaler):
		return object{} // it writes what it likes
	case t.Implements(textMarshaler):
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
			return object{"type": "string", "contentEncoding": "base64"}
		}
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.structure(t)
	}
	return object{} // an interface holds anything
}

// nullable is a schema that takes null too.
func nullable(of object) object {
	if kind, simple := of["type"].(string); simple && len(of) == 1 {
		return object{"type": []string{kind, "null"}}
	}
	if len(of) == 0 {
		return of
	}
	return object{"anyOf": []object{of, {"type": "null"}}}
}

// structure is a reference to the definition of a struct, or the schema of one without a name.
func (s *shaper) structure(t reflect.Type) object {
	if name, made := s.names[t]; made {
		return object{"$ref": "#/$defs/" + name}
	}
	if t.Name() == "" {
		return s.properties(t)
	}
	name := wordOf(t.Name())
	for i := 2; s.defs[name] != nil; i++ { // of another package
		name = wordOf(t.Name()) + strconv.Itoa(i)
	}
	s.names[t], s.defs[name] = name, true
	s.defs[name] = s.properties(t)
	return object{"$ref": "#/$defs/" + name}
}

// wordOf is the name of a type without the packages of its arguments: Page[…/quality.LogLine] is PageLogLine.
func wordOf(name string) string {
	head, arguments, generic := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if !generic {
		return head
	}
	for one := range strings.SplitSeq(arguments, ",") {
		one = strings.TrimLeft(one, "*[]")
		head += one[strings.LastIndexAny(one, "./")+1:]
	}
	return head
}

// properties is the schema of an object with the exported fields of a struct: those that are always written are required.
func (s *shaper) properties(t reflect.Type) object {
	fields, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" || !f.IsExported() || name == "-" {
			continue // the fields of an embedded struct come themselves
		}
		if name == "" {
			name = f.Name
		}
		left := strings.Contains(options, "omit")
		of := s.of(f.Type)
		if left && f.Type.Kind() == reflect.Pointer {
			of = s.of(f.Type.Elem())
		}
		if strings.Contains(options, "string") {
			panic(fmt.Sprintf("the shape of %s: numbers as texts are not described", t))
		}
		if fields[name] = of; !left {
			required = append(required, name)
		}
	}
	out := object{"type": "object", "properties": fields}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
