package names

import (
	"maps"
	"slices"
	"strings"
)

// Became is a value of a choice that has another code behind a change.
type Became struct{ Old, New string }

// OptionValues tells what becomes of the values of a choice between two lists of options. left are the codes under which values stand whose options went
// earlier (Log.Left), and epoch is that of the change. Renamed are options with another code. Back are values that an option asks for by a former code: it
// is the option that went. Aside are values whose code another option has now: they stay under a code that nothing has, for nothing gets values
// without a word.
func OptionValues(have, want []Entry, left []string, epoch int64) (renamed, back, aside []Became) {
	of := OriginsOf(Option, have, want)
	left = slices.DeleteFunc(slices.Clone(left), func(code string) bool { return has(have, code) })
	holds := map[string]bool{} // codes whose values stay those of what has the code
	for j, i := range of {
		if i >= 0 && have[i].Code == want[j].Code {
			holds[want[j].Code] = true
		} else if i >= 0 {
			renamed = append(renamed, Became{have[i].Code, want[j].Code})
		}
	}
	for j, w := range want {
		if of[j] >= 0 {
			continue
		}
		if slices.Contains(left, w.Code) {
			holds[w.Code] = true
			continue
		}
		for _, from := range w.Former { // the latest that there is
			if slices.Contains(left, from) && !has(want, from) {
				back = append(back, Became{from, w.Code})
				left = slices.DeleteFunc(left, func(code string) bool { return code == from })
				break
			}
		}
	}
	for i, h := range have {
		if !slices.Contains(of, i) && has(want, h.Code) {
			left = append(left, h.Code)
		}
	}
	for _, code := range left {
		if has(want, code) && !holds[code] {
			to := Aside(code, epoch)
			for has(have, to) || has(want, to) {
				to += asideMark
			}
			aside = append(aside, Became{code, to})
		}
	}
	return renamed, back, aside
}

func has(of []Entry, code string) bool {
	return slices.ContainsFunc(of, func(e Entry) bool { return e.Code == code })
}

// Taken are the steps between two sets, of which the first is that of the log's end: those of Diff, with what becomes of values of options, and with
// documents that went earlier and are there again under a code that they tell as their latest but one. What was left under their code is theirs, as it
// is of those that come back under it.
func (l *Log) Taken(have, want Set) []Step {
	values := map[Step]string{} // by the step without its new code
	var more []Step
	l.optionValues("", "", have, want, func(owner string, of Became) {
		values[Step{Kind: Option, Owner: owner, Old: of.Old}] = of.New
		more = append(more, Step{Option, owner, of.Old, of.New})
	})
	steps := slices.DeleteFunc(Diff(have, want), func(s Step) bool {
		s.New = ""
		_, told := values[s]
		return told
	})
	return append(append(steps, more...), l.again(have, want)...)
}

// again are the documents of a set that are new and say that they had the code of one that went.
func (l *Log) again(have, want Set) (out []Step) {
	left := l.leftDocuments()
	if len(left) == 0 {
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(want)) {
		fold := k.folding()
		called := func(code string) func(Entry) bool { return func(e Entry) bool { return fold(e.Code) == fold(code) } }
		for j, i := range OriginsOf(k, have[k], want[k]) {
			if i >= 0 || left[at(0, k, "", want[k][j].Code)] != "" { // that there was, or comes back under its code
				continue
			}
			for _, from := range want[k][j].Former {
				was := left[at(0, k, "", from)]
				if was == "" || slices.ContainsFunc(have[k], called(from)) || slices.ContainsFunc(want[k], called(from)) {
					continue
				}
				out = append(out, Step{Kind: k, Old: was, New: want[k][j].Code})
				delete(left, at(0, k, "", from))
				break
			}
		}
	}
	return out
}

// leftDocuments are the codes of documents that went, by kind and code: those that nothing has been renamed to, or has come back from, since.
func (l *Log) leftDocuments() map[place]string {
	went, moved, out := map[place]int64{}, map[place]int64{}, map[place]string{}
	for _, s := range l.Steps() { // by epochs
		if s.Epoch == 0 || s.Owner != "" || slices.Contains([]Kind{Option, Word, Splitting, Naming}, s.Kind) {
			continue
		}
		was := at(0, s.Kind, "", s.Old)
		if s.New == "" {
			went[was], out[was] = s.Epoch, s.Old
			continue
		}
		moved[at(0, s.Kind, "", s.New)] = s.Epoch
		if went[was] < s.Epoch {
			moved[was] = s.Epoch
		}
	}
	for code, epoch := range went {
		if moved[code] >= epoch {
			delete(out, code)
		}
	}
	return out
}

func (l *Log) optionValues(was, now string, have, want Set, add func(owner string, of Became)) {
	for _, k := range []Kind{Model, Property} {
		for j, i := range OriginsOf(k, have[k], want[k]) {
			if i < 0 {
				continue
			}
			h, w := have[k][i], want[k][j]
			path, before := Join(now, w.Code), Join(was, h.Code)
			if options := w.Parts[Option]; len(options) > 0 {
				_, back, aside := OptionValues(h.Parts[Option], options, l.Left(was, h.Code), l.Epoch()+1)
				for _, of := range slices.Concat(back, aside) {
					add(path, of)
				}
			}
			l.optionValues(before, path, h.Parts, w.Parts, add)
		}
	}
}

// Left are the codes under which values of a property of now stand whose options are gone. Some may have options again.
func (l *Log) Left(model, property string) (out []string) {
	if l == nil || len(l.left) == 0 || model == "" {
		return nil
	}
	kinds, path := properties(model, 1)
	path = append(path, property)
	for _, epoch := range slices.Backward(l.epochs) {
		then := Reading{log: l, epoch: epoch}
		for _, code := range l.left[at(epoch, Option, strings.Join(path, "."), "")] {
			n := len(path) - 1
			if now := then.Option(strings.Join(path[:n], "."), path[n], code); !slices.Contains(out, now) {
				out = append(out, now)
			}
		}
		for i := len(path) - 1; i >= 0; i-- {
			here := at(epoch, kinds[i], strings.Join(path[:i], "."), path[i])
			if of := l.back[here]; len(of) > 0 {
				path[i] = of[0].Old
			} else if _, other := l.taken[here]; other { // something else was called so until then
				return out
			}
		}
	}
	return out
}
