package column

import (
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/property"
)

// Members are the values of a single or a set: one, several or none.
func Members(v any) []string {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []string:
		return x
	}
	return nil
}

// AppendTexts appends a JSON array of texts, null when there are none.
func AppendTexts(dst []byte, texts []string) []byte {
	if len(texts) == 0 {
		return append(dst, "null"...)
	}
	for i, t := range texts {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		dst = property.AppendQuoted(append(dst, sep), t)
	}
	return append(dst, ']')
}

// Siblings are the codes of the other properties of the model or sub-table that d stands in.
func Siblings(d def.Property) []string {
	var out []string
	if d.Node == nil {
		return nil
	}
	for _, n := range d.Node.Parent.Items() {
		if c := n.Get("code").Text(); c != "" && c != d.Code {
			out = append(out, c)
		}
	}
	return out
}

// Followed reports whether another property of the same model or sub-table names d in its dependsOn.
func Followed(d def.Property) bool {
	if d.Node == nil {
		return false
	}
	for _, n := range d.Node.Parent.Items() {
		if d.Code != "" && n.Get("dependsOn").Text() == d.Code && n.Get("code").Text() != d.Code {
			return true
		}
	}
	return false
}

// AppendEntries appends a JSON array of what add appends for each member; null when it appends nothing at all.
func AppendEntries(dst []byte, members []string, add func(dst []byte, member string) ([]byte, bool)) []byte {
	some := false
	for _, m := range members {
		sep := byte('[')
		if some {
			sep = ','
		}
		if out, ok := add(append(dst, sep), m); ok {
			dst, some = out, true
		}
	}
	if !some {
		return append(dst, "null"...)
	}
	return append(dst, ']')
}
