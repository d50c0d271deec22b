// Package ident reads the ids of records that values refer to.
package ident

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/operand"
)

// Normal is an id as it is stored: a lower-case UUID. ok is false for anything else.
func Normal(s string) (id string, ok bool) {
	if len(s) != 36 {
		return "", false
	}
	s = strings.ToLower(s)
	for i := range len(s) {
		c := s[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return "", false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return "", false
			}
		}
	}
	return s, true
}

// List reads ids: "id;id", an array of ids or of entries that have them under key ("id", "refId"), or one of these.
// Order is kept; repeats fall away.
func List(in any, key string) ([]string, error) {
	words, ok := operand.Words(keyed(in, key))
	if !ok {
		return nil, property.Refuse(fault.FieldType)
	}
	var out []string
	seen := map[string]bool{}
	for _, w := range words {
		id, ok := Normal(w)
		if !ok {
			return nil, property.Refuse(fault.FieldReference, w)
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out, nil
}

// One reads at most one id; nil when there is none.
func One(in any, key string) (any, error) {
	ids, err := List(in, key)
	switch {
	case err != nil:
		return nil, err
	case len(ids) > 1:
		return nil, property.Refuse(fault.FieldType)
	case len(ids) == 0:
		return nil, nil
	}
	return ids[0], nil
}

// Many reads ids; nil when there are none.
func Many(in any, key string) (any, error) {
	ids, err := List(in, key)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return ids, nil
}

// known reports whether entries as they are read have a key; id is the key of what they are known by.
func known(id, key string) bool {
	switch key {
	case id, "name":
		return true
	case "imgUrl", "type", "detail", "leaf", "fill", "named":
		return id == "id"
	case "mimeType", "size", "isImage", "gone":
		return id == "refId"
	}
	return false
}

// keyed replaces entries by their ids; an entry without one, or with keys that entries do not have, is refused later.
func keyed(in any, key string) any {
	switch x := in.(type) {
	case map[string]any:
		for k := range x {
			if !known(key, k) {
				return struct{}{}
			}
		}
		if id, ok := x[key].(string); ok {
			return id
		}
		return struct{}{}
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = keyed(e, key)
		}
		return out
	}
	return in
}
