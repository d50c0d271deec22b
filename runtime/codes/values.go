package codes

import (
	"encoding/json"
	"maps"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
)

// Values gives values by the codes of a model's properties the codes of now, rows of sub-tables included. Lost is how many of the record's own
// belong to properties that are gone.
func Values(then names.Reading, m *catalog.Model, in map[string]json.RawMessage) (out map[string]json.RawMessage, lost int) {
	if then.Now() {
		return in, 0
	}
	return values(then, then.Then(names.Model, m.Code), m, in)
}

func values(then names.Reading, model string, m *catalog.Model, in map[string]json.RawMessage) (out map[string]json.RawMessage, lost int) {
	out = make(map[string]json.RawMessage, len(in))
	for code, v := range in {
		now, ok := then.Property(model, code)
		if !ok {
			lost++
			continue
		}
		if f := m.Field(now); f != nil && f.Sheet != nil {
			v = rows(then, names.Join(model, code), f.Sheet, v)
		} else {
			v = then.Value(model, code, v)
		}
		out[now] = v
	}
	return out, lost
}

func rows(then names.Reading, model string, m *catalog.Model, v json.RawMessage) json.RawMessage {
	var all []map[string]json.RawMessage
	if json.Unmarshal(v, &all) != nil {
		return v
	}
	for i, row := range all {
		all[i], _ = values(then, model, m, row)
	}
	b, err := json.Marshal(all)
	if err != nil {
		return v
	}
	return b
}

// Keys gives the keys of a map, properties of a model, the codes of now.
func Keys[V any](then names.Reading, m *catalog.Model, in map[string]V) map[string]V {
	if then.Now() {
		return in
	}
	model, out := then.Then(names.Model, m.Code), make(map[string]V, len(in))
	for code, v := range maps.All(in) {
		if now, ok := then.Property(model, code); ok {
			out[now] = v
		}
	}
	return out
}

// Path is the code that a property has now, "subtable.property" and the property behind a reference too; false when it is gone.
func Path(then names.Reading, m *catalog.Model, path []string) ([]string, bool) {
	model, out := then.Then(names.Model, m.Code), make([]string, 0, len(path))
	for i, code := range path {
		now, ok := then.Property(model, code)
		if !ok {
			return nil, false
		}
		out = append(out, now)
		f := m.Field(now)
		switch {
		case f == nil, f.Sheet == nil && f.Target == nil:
			return append(out, path[i+1:]...), true
		case f.Sheet != nil:
			model, m = names.Join(model, code), f.Sheet
		default:
			model, m = then.Then(names.Model, f.Target.Code), f.Target
		}
	}
	return out, true
}
