package names

import (
	"encoding/json"
	"slices"
	"strings"
)

// Option is the code that an option of a property has now. The model and the property are called as they were then. What is gone keeps the
// code that it had last, which records go on having.
func (r Reading) Option(model, property, code string) string {
	if !r.options() {
		return code
	}
	kinds, path := properties(model, 2)
	kinds[len(kinds)-1] = Option
	out, _ := r.through(kinds, append(path, property, code), Option)
	return out[len(out)-1]
}

// Value gives a value of a property, as JSON, the codes that its options have now: a text, several joined by semicolons, or a list. The model
// and the property are called as they were then. Other values stay.
func (r Reading) Value(model, property string, v json.RawMessage) json.RawMessage {
	if !r.options() {
		return v
	}
	var in any
	if json.Unmarshal(v, &in) != nil {
		return v
	}
	changed := false
	rename := func(code string) string {
		now := r.Option(model, property, code)
		changed = changed || now != code
		return now
	}
	if text, ok := in.(string); ok && r.splits(model, property) {
		in, changed = partsIn(text, rename), true
	} else {
		in = renamedIn(in, rename)
	}
	out, err := json.Marshal(in)
	if err != nil || !changed {
		return v
	}
	return out
}

// partsIn is Parts with words that are asked for one by one.
func partsIn(text string, now func(string) string) []string {
	words := map[string]string{}
	for _, word := range append(Parts(text, nil), strings.Trim(text, Spaces)) {
		if to := now(word); to != word {
			words[word] = to
		}
	}
	return Parts(text, words)
}

func renamedIn(v any, now func(string) string) any {
	switch x := v.(type) {
	case string:
		if whole := now(x); whole != x {
			return whole
		}
		parts := strings.Split(x, ";")
		for i, code := range parts {
			parts[i] = now(code)
		}
		return strings.Join(parts, ";")
	case []any:
		for i, e := range x {
			x[i] = renamedIn(e, now)
		}
	}
	return v
}

// options reports whether any option has had another code since.
func (r Reading) options() bool { return r.log != nil && r.log.options }

// Recoded reports whether an option of a property of now has got another code since.
func (r Reading) Recoded(model, property string) bool {
	if !r.options() {
		return false
	}
	kinds, path := properties(model, 1)
	path = append(path, property)
	for _, epoch := range slices.Backward(r.log.epochs) {
		if epoch == 0 || epoch <= r.epoch {
			break
		}
		if r.log.recoded[at(epoch, Option, strings.Join(path, "."), "")] {
			return true
		}
		for i := len(path) - 1; i >= 0; i-- {
			if of := r.log.back[at(epoch, kinds[i], strings.Join(path[:i], "."), path[i])]; len(of) > 0 {
				path[i] = of[0].Old
			}
		}
	}
	return false
}

// PropertyWas are the codes that a model or sub-table of now and one of its properties had; false when one of the codes was another's then.
func (r Reading) PropertyWas(model, property string) (wasModel, wasProperty string, ok bool) {
	kinds, path := properties(model, 1)
	was, ok := r.before(kinds, append(path, property))
	n := len(was) - 1
	return strings.Join(was[:n], "."), was[n], ok
}

// LastOption is the code of now of the option of a property of now that had a code last; false where none has had it, or it is gone.
func (l *Log) LastOption(model, property, code string) (string, bool) {
	if l == nil {
		return "", false
	}
	kinds, path := properties(model, 1)
	path = append(path, property)
	for _, epoch := range slices.Backward(l.epochs) {
		owner := strings.Join(path, ".")
		if s, ok := l.taken[at(epoch, Option, owner, code)]; ok {
			if s.New == "" {
				return "", false
			}
			now, ok := l.Since(epoch, s.At).follow(append(slices.Clone(kinds[:len(path)]), Option), append(slices.Clone(path), s.New))
			return now[len(now)-1], ok
		}
		for i := len(path) - 1; i >= 0; i-- {
			if of := l.back[at(epoch, kinds[i], strings.Join(path[:i], "."), path[i])]; len(of) > 0 {
				path[i] = of[0].Old
			}
		}
	}
	return "", false
}
