package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/fault"
)

const maxDepth = 32

// decode reads a request's JSON body strictly: no unknown, repeated or case-variant keys, nothing behind the value,
// numbers kept as text wherever the target is of any type.
func decode(c *echo.Context, into any) error {
	if mime, _, _ := strings.Cut(c.Request().Header.Get("Content-Type"), ";"); strings.TrimSpace(mime) != "application/json" {
		return fault.New(fault.MediaType)
	}
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	strange, err := examine(body, reflect.TypeOf(into))
	if err != nil {
		return malformed(err)
	}
	if strange != "" {
		return fault.New(fault.BadParameter, strange)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fault.Wrap(err, fault.BadParameter, misfit(err))
	}
	return nil
}

// malformed is the refusal of a body that examine refused.
func malformed(err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return fault.Wrap(err, fault.BadJSON, err)
}

// misfit names the parameter that has the wrong type; the decoder's own words speak of Go types.
func misfit(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return wrong.Field
	}
	return "body"
}

// examine checks that body is one JSON value in which no object repeats a key, in whatever case, and returns the first key
// that the type has no field for, written exactly so: the decoder alone would take a key in any case. What a type leaves
// open (maps, raw values) and what has the wrong type is not looked into.
func examine(body []byte, t reflect.Type) (strange string, err error) {
	if !json.Valid(body) {
		var one json.RawMessage
		return "", cmp.Or(json.Unmarshal(body, &one), errors.New("not one value"))
	}
	e := &examination{body: body, suspect: suspect(body)}
	if err := e.value(shapeOf(t), 0); err != nil {
		return "", err
	}
	if e.torn != "" {
		return "", fault.New(fault.BadText, e.torn)
	}
	return e.strange, nil
}

// examination goes through a body that is valid JSON.
type examination struct {
	body    []byte
	at      int
	strange string

	suspect bool // it may hold texts that are not whole
	path    []string
	torn    string // where the first of them is
}

// next goes to the next value, key or closing bracket: before it come white space, a colon or a comma.
func (e *examination) next() byte {
	for strings.IndexByte(" \t\r\n:,", e.body[e.at]) >= 0 {
		e.at++
	}
	return e.body[e.at]
}

// text passes a text whose quote comes next, looks at it as it was written, which decoding hides, and returns it with its quotes.
func (e *examination) text() []byte {
	from := e.at
	for e.at++; e.body[e.at] != '"'; e.at++ {
		if e.body[e.at] == '\\' {
			e.at++
		}
	}
	e.at++
	text := e.body[from:e.at]
	if e.suspect && e.torn == "" && !wholeJSON(text) {
		e.torn = cmp.Or(strings.Join(e.path, "."), "body")
	}
	return text
}

func (e *examination) enter(key string) {
	if e.suspect {
		e.path = append(e.path, strings.ReplaceAll(key, "\x00", ""))
	}
}

func (e *examination) leave() {
	if e.suspect {
		e.path = e.path[:len(e.path)-1]
	}
}

func (e *examination) value(s *shape, depth int) error {
	open := e.next()
	switch open {
	case '"':
		e.text()
		return nil
	case '{', '[':
	default: // a number or a word
		for e.at < len(e.body) && strings.IndexByte(" \t\r\n,]}", e.body[e.at]) < 0 {
			e.at++
		}
		return nil
	}
	if depth >= maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	e.at++
	if open == '{' {
		return e.members(s, depth)
	}
	var item *shape
	if s != nil {
		item = s.item
	}
	for n := 0; e.next() != ']'; n++ {
		if e.suspect {
			e.enter(strconv.Itoa(n))
		}
		if err := e.value(item, depth+1); err != nil {
			return err
		}
		e.leave()
	}
	e.at++
	return nil
}

func (e *examination) members(s *shape, depth int) error {
	var few [16]string // folded; most objects have no more
	seen := few[:0]
	for e.next() != '}' {
		key, err := keyOf(e.text())
		if err != nil {
			return err
		}
		folded := strings.ToLower(key)
		if slices.Contains(seen, folded) {
			return fmt.Errorf("key %q is repeated", key)
		}
		if seen = append(seen, folded); len(seen) > maxMembers {
			return fmt.Errorf("an object with more than %d keys", maxMembers)
		}
		var member *shape
		if s != nil && s.fields != nil {
			known := false
			if member, known = s.fields[key]; !known && e.strange == "" {
				e.strange = key
			}
		}
		e.enter(key)
		if err := e.value(member, depth+1); err != nil {
			return err
		}
		e.leave()
	}
	e.at++
	return nil
}

// keyOf reads a key with its quotes.
func keyOf(text []byte) (key string, err error) {
	if inner := text[1 : len(text)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), nil
	}
	err = json.Unmarshal(text, &key)
	return key, err
}

// maxMembers bounds an object's keys, which are compared with each other; a model has at most some hundred properties.
const maxMembers = 2000

// shape is what of a Go type matters to its JSON. A nil shape is open.
type shape struct {
	fields map[string]*shape // of a struct
	item   *shape            // of a slice
}

var shapes sync.Map // reflect.Type -> *shape of the bodies: they are few and fixed

func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s, _ := shapes.LoadOrStore(t, drawShape(t, map[reflect.Type]*shape{}))
	return s.(*shape)
}

// drawShape looks at a type; seen are the structs around it, which may contain themselves.
func drawShape(t reflect.Type, seen map[reflect.Type]*shape) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return &shape{item: drawShape(t.Elem(), seen)}
	case t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]():
		if s := seen[t]; s != nil {
			return s
		}
		s := &shape{fields: map[string]*shape{}}
		seen[t] = s
		for f := range t.Fields() {
			if f.Anonymous { // its keys stand among ours
				maps.Copy(s.fields, drawShape(f.Type, seen).fields)
			} else if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				s.fields[name] = drawShape(f.Type, seen)
			}
		}
		return s
	}
	return nil
}

// wellFormed checks that body is one JSON value in which no object repeats a key, in whatever case.
func wellFormed(body []byte) error {
	_, err := examine(body, reflect.TypeFor[any]())
	return err
}
