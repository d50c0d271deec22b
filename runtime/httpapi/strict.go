package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

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
	if err := uniqueKeys(body); err != nil {
		return fault.Wrap(err, fault.BadJSON, err)
	}
	if key := strangeKey(body, reflect.TypeOf(into)); key != "" {
		return fault.New(fault.BadParameter, key)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fault.Wrap(err, fault.BadParameter, misfit(err))
	}
	return nil
}

// misfit names the parameter that has the wrong type; the decoder's own words speak of Go types.
func misfit(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return wrong.Field
	}
	return "body"
}

// uniqueKeys checks that body is one JSON value in which no object repeats a key, in whatever case.
func uniqueKeys(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := uniqueValue(d, 0); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than one value")
	}
	return nil
}

func uniqueValue(d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth >= maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			folded := strings.ToLower(key.(string))
			if seen[folded] {
				return fmt.Errorf("key %q is repeated", key)
			}
			seen[folded] = true
		}
		if err := uniqueValue(d, depth+1); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// strangeKey returns the first key that the type has no field for, written exactly so: the decoder alone would take a key
// in any case. What a type leaves open (maps, raw values) is not looked into.
func strangeKey(value json.RawMessage, t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil {
			return "" // the wrong type is told by the decoder
		}
		for _, item := range items {
			if key := strangeKey(item, t.Elem()); key != "" {
				return key
			}
		}
	case t.Kind() == reflect.Struct:
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil {
			return ""
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			field, ok := fieldNamed(t, key)
			if !ok {
				return key
			}
			if inner := strangeKey(object[key], field); inner != "" {
				return inner
			}
		}
	}
	return ""
}

func fieldNamed(t reflect.Type, key string) (reflect.Type, bool) {
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == key {
			return f.Type, true
		}
	}
	return nil, false
}
