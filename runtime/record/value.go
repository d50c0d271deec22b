package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxNesting of a value: a list of rows whose fields are lists of entries needs four.
const maxNesting = 8

// ErrRepeatedKey: an object names a key twice, letter case aside.
var ErrRepeatedKey = errors.New("repeated key")

var errValue = errors.New("not one JSON value")

// Value reads one JSON value. Numbers stay texts; repeated and case-variant keys and deep nesting are refused. It reads what
// encoding/json reads, without its tokens: a save does so for each property.
func Value(raw json.RawMessage) (any, error) {
	r := valueReader{in: raw}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.space(); r.at < len(r.in) {
		return nil, errors.New("text behind the value")
	}
	return v, nil
}

type valueReader struct {
	in []byte
	at int
}

func (r *valueReader) space() {
	for r.at < len(r.in) && (r.in[r.at] == ' ' || r.in[r.at] == '\n' || r.in[r.at] == '\t' || r.in[r.at] == '\r') {
		r.at++
	}
}

// next is the first byte behind white space, 0 at the end.
func (r *valueReader) next() byte {
	if r.space(); r.at < len(r.in) {
		return r.in[r.at]
	}
	return 0
}

// take goes behind a byte, if it comes next.
func (r *valueReader) take(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

func (r *valueReader) value(depth int) (any, error) {
	switch c := r.next(); c {
	case '"':
		return r.text()
	case '[', '{':
		if depth == maxNesting {
			return nil, errors.New("nested too deep")
		}
		r.at++
		if c == '[' {
			return r.list(depth)
		}
		return r.object(depth)
	}
	begin := r.at
	for r.at < len(r.in) && strings.IndexByte(" \n\t\r,]}:", r.in[r.at]) < 0 {
		r.at++
	}
	switch word := string(r.in[begin:r.at]); {
	case word == "null":
		return nil, nil
	case word == "true":
		return true, nil
	case word == "false":
		return false, nil
	case json.Valid([]byte(word)): // what is left of JSON's words are numbers
		return json.Number(word), nil
	}
	return nil, errValue
}

func (r *valueReader) list(depth int) (any, error) {
	out := []any{}
	if r.take(']') {
		return out, nil
	}
	for {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if r.take(']') {
			return out, nil
		}
		if !r.take(',') {
			return nil, errValue
		}
	}
}

func (r *valueReader) object(depth int) (any, error) {
	out, seen := map[string]any{}, map[string]bool{}
	if r.take('}') {
		return out, nil
	}
	for {
		if r.next() != '"' {
			return nil, errValue
		}
		key, err := r.text()
		if err != nil {
			return nil, err
		}
		low := strings.ToLower(key)
		if seen[low] {
			return nil, fmt.Errorf("%w %q", ErrRepeatedKey, key)
		}
		seen[low] = true
		if !r.take(':') {
			return nil, errValue
		}
		if out[key], err = r.value(depth + 1); err != nil {
			return nil, err
		}
		if r.take('}') {
			return out, nil
		}
		if !r.take(',') {
			return nil, errValue
		}
	}
}

// text reads a text whose quote comes next. One with escapes, or with bytes that are no UTF-8, is the library's.
func (r *valueReader) text() (string, error) {
	begin, plain := r.at, true
	for r.at++; r.at < len(r.in); r.at++ {
		switch c := r.in[r.at]; {
		case c == '"':
			r.at++
			if inner := r.in[begin+1 : r.at-1]; plain && utf8.Valid(inner) {
				return string(inner), nil
			}
			var out string
			err := json.Unmarshal(r.in[begin:r.at], &out)
			return out, err
		case c == '\\':
			plain = false
			r.at++
		case c < ' ':
			return "", errValue
		}
	}
	return "", errValue
}
