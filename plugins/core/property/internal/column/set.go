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
