package names

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Logged is a step of a log. All steps of an epoch were taken at once: two names may have changed places.
type Logged struct {
	Step
	Epoch int64
	At    time.Time
}

// Log is what became of names, in the order of its epochs. The nil log is empty. Epochs count from 1; what was stored before a log began has
// epoch 0. Steps of epoch 0 are removals from before, which are known by their time.
type Log struct {
	epochs []int64
	taken  map[place]Logged
	back   map[place][]Logged // by the new name
	// options is whether any step is of options, which are asked for value by value
	options   bool
	nodes     bool               // whether any is of nodes
	recoded   map[place]bool     // properties of which an option got another code, by the epoch; without a code
	splitting map[place]bool     // properties whose texts became several options each
	naming    map[place]string   // the models whose records properties held until an epoch; without a code
	left      map[place][]string // codes under which an epoch left values of options that are gone; without a code
}

type place struct {
	epoch int64
	kind  Kind
	owner string // folded, as most codes
	code  string
}

func at(epoch int64, k Kind, owner, code string) place {
	return place{epoch, k, folded(owner), k.folding()(code)}
}

// NewLog makes the log of some steps.
func NewLog(steps []Logged) *Log {
	l := &Log{taken: map[place]Logged{}, back: map[place][]Logged{}, recoded: map[place]bool{}, naming: map[place]string{}, splitting: map[place]bool{}, left: map[place][]string{}}
	for _, s := range steps {
		l.taken[at(s.Epoch, s.Kind, s.Owner, s.Old)] = s
		l.nodes = l.nodes || s.Kind == Node
		switch s.Kind {
		case Option, Word:
			l.options = true
			if of := at(s.Epoch, Option, s.Owner, ""); s.Kind == Option && s.New == "" {
				l.left[of] = append(l.left[of], s.Old)
			} else if s.Kind == Option && wasAside(s.New) {
				l.left[of] = append(l.left[of], s.New)
			}
			l.recoded[at(s.Epoch, Option, s.Owner, "")] = l.recoded[at(s.Epoch, Option, s.Owner, "")] || s.New != ""
		case Splitting:
			l.options = true
			l.splitting[at(s.Epoch, Splitting, s.Owner, "")] = true
		case Naming:
			l.naming[at(s.Epoch, Naming, s.Owner, "")] = s.Old
		}
		if s.New != "" {
			to := at(s.Epoch, s.Kind, s.Owner, s.New)
			l.back[to] = append(l.back[to], s)
		}
		if !slices.Contains(l.epochs, s.Epoch) {
			l.epochs = append(l.epochs, s.Epoch)
		}
	}
	slices.Sort(l.epochs)
	return l
}

// With is the log with steps that would be taken next.
func (l *Log) With(steps []Step) *Log {
	if len(steps) == 0 {
		return l
	}
	all, next := l.Steps(), l.Epoch()+1
	for _, s := range steps {
		all = append(all, Logged{Step: s, Epoch: next})
	}
	return NewLog(all)
}

// Epoch is that of the last steps; 0 when there are none.
func (l *Log) Epoch() int64 {
	if l == nil || len(l.epochs) == 0 {
		return 0
	}
	return l.epochs[len(l.epochs)-1]
}

// Since reads the names of what was stored at an epoch. The time tells what happened first where the epoch is 0; the zero time is before
// everything.
func (l *Log) Since(epoch int64, stored time.Time) Reading {
	if l == nil || epoch > 0 && epoch >= l.Epoch() || len(l.epochs) == 0 {
		return Reading{}
	}
	return Reading{l, epoch, stored}
}

// SinceEpoch reads the names of what was stored at an epoch, with no doubt of its time: 0 is before all steps that have an epoch.
func (l *Log) SinceEpoch(epoch int64) Reading { return l.Since(epoch, time.Time{}) }

// SinceBefore reads the names of what was stored before all steps of the log.
func (l *Log) SinceBefore() Reading { return l.Since(0, time.Time{}) }

// Reading tells what names of some time mean now. The zero Reading is of now: everything is called as it is.
type Reading struct {
	log    *Log
	epoch  int64
	stored time.Time
}

// Now reports whether the names are those of now.
func (r Reading) Now() bool { return r.log == nil }

// Document is the code that a document has now; false when it is gone.
func (r Reading) Document(k Kind, code string) (string, bool) {
	path, ok := r.follow([]Kind{k}, []string{code})
	return path[0], ok
}

// Then is the code that a document of now had.
func (r Reading) Then(k Kind, code string) string {
	was, _ := r.Was(k, code)
	return was
}

// Was is the code that a document of now had; false when its code was another's then.
func (r Reading) Was(k Kind, code string) (string, bool) {
	path, ok := r.before([]Kind{k}, []string{code})
	return path[0], ok
}

// ModelWas is the path that a model or sub-table of now had ("model", "model.subtable"); false when its code was another's then.
func (r Reading) ModelWas(path string) (string, bool) {
	out, ok := r.before(properties(path, 0))
	return strings.Join(out, "."), ok
}

// before takes a path of now back through all steps.
func (r Reading) before(kinds []Kind, path []string) ([]string, bool) {
	out := slices.Clone(path)
	if r.log == nil {
		return out, true
	}
	for _, epoch := range slices.Backward(r.log.epochs) {
		if epoch == 0 || epoch <= r.epoch {
			break
		}
		was := slices.Clone(out)
		for i := range out {
			here := at(epoch, kinds[i], strings.Join(out[:i], "."), out[i])
			if s := r.log.back[here]; len(s) > 0 {
				was[i] = s[0].Old
			} else if _, left := r.log.taken[here]; left {
				return out, false
			}
		}
		out = was
	}
	return out, true
}

// Model is the path that a model or sub-table has now ("model", "model.subtable"); false when it is gone.
func (r Reading) Model(path string) (string, bool) {
	out, ok := r.follow(properties(path, 0))
	return strings.Join(out, "."), ok
}

// Property is the code that a property of a model or sub-table has now. The model is called as it was then.
func (r Reading) Property(model, code string) (string, bool) {
	kinds, path := properties(model, 1)
	out, ok := r.follow(kinds, append(path, code))
	return out[len(out)-1], ok
}

func properties(model string, more int) ([]Kind, []string) {
	path := strings.Split(model, ".")
	kinds := make([]Kind, 0, len(path)+more+1)
	kinds = append(kinds, Model)
	for range len(path) - 1 + more {
		kinds = append(kinds, Property)
	}
	return kinds, path
}

// follow takes a path through all steps that came later; false when something of it is gone, with the codes that it had then.
func (r Reading) follow(kinds []Kind, path []string) ([]string, bool) {
	return r.through(kinds, path, "")
}

// through is follow where what is gone of a kind goes on with the code that it had.
func (r Reading) through(kinds []Kind, path []string, stays Kind) ([]string, bool) {
	out := slices.Clone(path)
	if r.log == nil {
		return out, true
	}
	for _, epoch := range r.log.epochs {
		if epoch != 0 && epoch <= r.epoch || epoch == 0 && r.epoch != 0 {
			continue
		}
		if !r.pass(epoch, kinds, out, stays) {
			return out, false
		}
	}
	return out, true
}

// pass takes a path through the steps of one epoch; a value that stays without its option is what it became with the type of its property.
func (r Reading) pass(epoch int64, kinds []Kind, out []string, stays Kind) bool {
	owner := ""
	for i := range out {
		s, ok := r.log.taken[at(epoch, kinds[i], owner, out[i])]
		if ok && (epoch > 0 || !r.stored.After(s.At)) {
			switch {
			case s.New != "":
				out[i] = s.New
			case kinds[i] != stays:
				return false
			}
		}
		if kinds[i] == Option && stays == Option {
			if s, ok := r.log.taken[at(epoch, Word, owner, out[i])]; ok {
				out[i] = s.New
			}
		}
		owner = Join(owner, out[i])
	}
	return true
}

// Spell is a code that a thing has had, for what was stored from an epoch on, until before another; Until 0 = to this day.
type Spell struct {
	Code        string
	From, Until int64
}

// Called are the codes that a document has had, that of now first. What had the code before it is not it.
func (l *Log) Called(k Kind, code string) []Spell {
	out := []Spell{{Code: code}}
	if l == nil {
		return out
	}
	for _, epoch := range slices.Backward(l.epochs) {
		last := &out[len(out)-1]
		was := l.back[at(epoch, k, "", last.Code)]
		_, left := l.taken[at(epoch, k, "", last.Code)]
		switch {
		case epoch == 0:
		case len(was) > 0:
			last.From = epoch
			out = append(out, Spell{Code: was[0].Old, Until: epoch})
		case left: // another had the code until then
			last.From = epoch
			return out
		}
	}
	return out
}

// Always reports whether a thing has had one code only, and nothing else has had it.
func Always(of []Spell) bool { return len(of) == 1 && of[0].From == 0 }

// Last is the code that the document has now which had a code last; false where none has had it, or it is gone.
func (l *Log) Last(k Kind, code string) (string, bool) {
	if l == nil {
		return "", false
	}
	for _, epoch := range slices.Backward(l.epochs) {
		if s, ok := l.taken[at(epoch, k, "", code)]; ok {
			if s.New == "" {
				return "", false
			}
			return l.Since(epoch, s.At).Document(k, s.New)
		}
	}
	return "", false
}

// LastProperty is the code of now of the property of a model or sub-table of now that had a code last; false where none has had it, or it is gone.
func (l *Log) LastProperty(model, code string) (string, bool) {
	if l == nil {
		return "", false
	}
	kinds, path := properties(model, 0)
	for _, epoch := range slices.Backward(l.epochs) {
		owner := strings.Join(path, ".")
		if s, ok := l.taken[at(epoch, Property, owner, code)]; ok {
			if s.New == "" {
				return "", false
			}
			return l.Since(epoch, s.At).Property(owner, s.New)
		}
		for i := len(path) - 1; i >= 0; i-- {
			if of := l.back[at(epoch, kinds[i], strings.Join(path[:i], "."), path[i])]; len(of) > 0 {
				path[i] = of[0].Old
			}
		}
	}
	return "", false
}

// Began is when the property that has a code now was made after another with its code had gone: the zero time where none had. Only removals
// of properties are asked for, "subtable.column" too.
func (l *Log) Began(model, code string) time.Time {
	var last time.Time
	if l == nil {
		return last
	}
	kinds, path := properties(model+"."+code, 0)
	for n := 1; n <= len(path); n++ {
		if t := l.gone(kinds[:n], path[:n]); t.After(last) {
			last = t
		}
	}
	return last
}

// gone is when something with a path was removed last, going back from now through what it was called.
func (l *Log) gone(kinds []Kind, path []string) time.Time {
	path = slices.Clone(path)
	for _, epoch := range slices.Backward(l.epochs) {
		n := len(path) - 1
		owner := strings.Join(path[:n], ".")
		here := at(epoch, kinds[n], owner, path[n])
		was := l.back[here]
		if len(was) > 0 {
			path[n] = was[0].Old
		} else if s, ok := l.taken[here]; ok {
			return s.At
		}
		for i := n - 1; i >= 0; i-- {
			if of := l.back[at(epoch, kinds[i], strings.Join(path[:i], "."), path[i])]; len(of) > 0 {
				path[i] = of[0].Old
			}
		}
	}
	return time.Time{}
}

// Steps are all steps, in the order in which they were taken.
func (l *Log) Steps() []Logged {
	if l == nil {
		return nil
	}
	out := make([]Logged, 0, len(l.taken))
	for _, s := range l.taken {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Logged) int {
		return cmp.Or(cmp.Compare(a.Epoch, b.Epoch), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Old, b.Old))
	})
	return out
}
