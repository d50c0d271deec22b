package names

import (
	"slices"
	"strings"
)

// Forms of properties whose values become another's with a change of the type.
const (
	FormText    = "text"    // what people write
	FormOption  = "option"  // the code of one of the options
	FormOptions = "options" // the codes of some of them
	FormOf      = "of "     // the id of a record of the model that follows
)

// Words tells what became of values where a property has another type: of the kind Word, what a value became; of the kind Naming, the model
// whose records' names took the place of their ids, by its code of before. A choice that becomes a text has the texts by which people knew its
// options, and a text that becomes a choice the options that it named. What a text names twice, and what it calls a code, it does not name.
func Words(have, want Set) []Step { return words(nil, "", have, want) }

func words(out []Step, owner string, have, want Set) []Step {
	for _, k := range []Kind{Model, Property} {
		for j, i := range OriginsOf(k, have[k], want[k]) {
			if i < 0 {
				continue
			}
			h, w := have[k][i], want[k][j]
			path := Join(owner, w.Code)
			out = append(out, wordsOf(path, h, w)...)
			out = words(out, path, h.Parts, w.Parts)
		}
	}
	return out
}

func wordsOf(path string, have, want Entry) (out []Step) {
	of, isID := strings.CutPrefix(have.Form, FormOf)
	switch {
	case have.Form == FormOption && want.Form == FormText:
		for _, o := range have.Parts[Option] {
			if len(o.Words) > 0 && o.Words[0] != o.Code {
				out = append(out, Step{Word, path, o.Code, o.Words[0]})
			}
		}
	case have.Form == FormText && want.Form == FormOption:
		out = optionsNamed(path, want.Parts[Option])
	case have.Form == FormText && want.Form == FormOptions:
		out = append(optionsNamed(path, want.Parts[Option]), Step{Kind: Splitting, Owner: path})
	case isID && want.Form == FormText:
		out = append(out, Step{Naming, path, of, of})
	}
	return out
}

// optionsNamed are the texts that name one option each.
func optionsNamed(path string, options []Entry) (out []Step) {
	named := map[string][]string{}
	for _, o := range options {
		for _, word := range o.Words {
			if !slices.Contains(named[word], o.Code) {
				named[word] = append(named[word], o.Code)
			}
		}
	}
	for _, o := range options {
		delete(named, o.Code)
	}
	for _, o := range options {
		for _, word := range o.Words {
			if codes := named[word]; len(codes) == 1 && codes[0] == o.Code {
				out = append(out, Step{Word, path, word, o.Code})
				delete(named, word)
			}
		}
	}
	return out
}

// Naming reports whether the values of a property are none of its type of now: of is the model, by its code of now, whose records they were and
// whose names the property holds, and "" where nothing of them was kept. The model and the
// property are called as they were then.
func (r Reading) Naming(model, property string) (of string, held bool) {
	if r.log == nil || len(r.log.naming) == 0 {
		return "", false
	}
	r.retyped(model, property, func(epoch int64, path string) bool {
		was := ""
		if was, held = r.log.naming[at(epoch, Naming, path, "")]; held && was != "" {
			of, _ = r.log.SinceEpoch(epoch-1).Document(Model, was)
		}
		return held
	})
	return of, held
}

// splits reports whether the texts of a property have become several options each since. The model and the property are called as they were then.
func (r Reading) splits(model, property string) (found bool) {
	if r.log == nil || len(r.log.splitting) == 0 {
		return false
	}
	r.retyped(model, property, func(epoch int64, path string) bool {
		found = r.log.splitting[at(epoch, Splitting, path, "")]
		return found
	})
	return found
}

// retyped gives each later epoch, with the path that a property had in it, to look until it finds something.
func (r Reading) retyped(model, property string, look func(epoch int64, path string) (found bool)) {
	kinds, path := properties(model, 1)
	path = append(path, property)
	for _, epoch := range r.log.epochs {
		if epoch == 0 || epoch <= r.epoch {
			continue
		}
		if !r.pass(epoch, kinds, path, "") || look(epoch, strings.Join(path, ".")) {
			return
		}
	}
}

// Separators divide a text that names several things into its parts.
const Separators = ",，;；、\r\n"

// Spaces around a part are none of it.
const Spaces = " \t\u3000"

// Parts are what a text names: all of it where it is a word itself, otherwise each part once, as the words call it. Other parts stay as
// they are.
func Parts(text string, words map[string]string) (out []string) {
	parts := []string{strings.Trim(text, Spaces)}
	if _, whole := words[parts[0]]; !whole {
		parts = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(Separators, r) })
	}
	for _, part := range parts {
		part = strings.Trim(part, Spaces)
		if word, ok := words[part]; ok {
			part = word
		}
		if part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}
