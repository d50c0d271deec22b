package codes_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/store"
)

// twins are two installations in which the same is done at the same time, by documents that are the same but for what they call things: one gets
// other codes, and the other other labels. What people see in both is the same, as nobody sees codes; the marks of labels are left out.
type twins struct {
	*testing.T
	seed   uint64
	random *rand.Rand
	trees  map[string]any
	gone   []lost
	came   map[string]string // what came back, by the code that it had when it went: what was kept of before says that for ever
	served []string          // the codes with which the documents are applied
	back   []string          // what has come back since: values that it left behind are its own by the code that it had
	count  int
	did    []string // what was done, for who reads a failure

	coded, labelled *shop
}

// TestTwins renames, removes, adds and brings back anything that the schemas allow, at random and together, between random work, with no knowledge of
// what holds codes. SLUICE_TWINS is the number of rounds, with as many programs; SLUICE_SEED the first seed. No round begins when SLUICE_TWINS_TIME is
// over (a duration; 8m), and a run that was asked for prints what it did.
func TestTwins(t *testing.T) {
	rounds, programs, seed := 3, 1, uint64(time.Now().UnixNano())
	if n, err := strconv.Atoi(os.Getenv("SLUICE_TWINS")); err == nil {
		rounds, programs = n, n
	}
	if n, err := strconv.ParseUint(os.Getenv("SLUICE_SEED"), 10, 64); err == nil {
		seed = n
	}
	budget, asked := 8*time.Minute, os.Getenv("SLUICE_TWINS") != ""
	if d, err := time.ParseDuration(os.Getenv("SLUICE_TWINS_TIME")); err == nil {
		budget = d
	}
	until := time.Now().Add(budget)
	template := apptest.Of(plugintest.Register)
	for i := range programs {
		if time.Now().After(until) {
			t.Logf("%s were over before seed %d", budget, seed+uint64(i))
			break
		}
		t.Run(fmt.Sprint("seed ", seed+uint64(i)), func(t *testing.T) {
			template.Each(t, func(t *testing.T, o store.Options) {
				other := store.Options{Dir: t.TempDir()}
				if o.URL != "" {
					other.URL = template.Postgres(t)
				} else {
					require.NoError(t, template.CopyTo(other.Dir))
				}
				w := &twins{T: t, seed: seed + uint64(i), random: rand.New(rand.NewPCG(seed+uint64(i), 0)), trees: treesOf(t, documents),
					came: map[string]string{}}
				w.coded = w.opened(o)
				w.labelled = w.opened(other)
				for _, name := range []string{"create", "create", "start", "create", "delete", "print", "save a filter", "draft"} {
					w.works(name)
				}
				w.compare(true)
				for n := range rounds {
					if time.Now().After(until) {
						w.Logf("%s were over after %d of %d rounds", budget, n, rounds)
						break
					}
					w.change()
					w.compare(n < 3)
					for range 8 {
						w.works("")
					}
					w.compare(false)
				}
				w.compare(true)
				if asked {
					w.Log(w.story())
				}
			})
		})
	}
}

func (w *twins) opened(o store.Options) *shop {
	clock := time.Now().UTC().Truncate(time.Second)
	if w.coded != nil {
		clock = w.coded.clock
	}
	s := &shop{T: w.T, options: o, dir: filepath.Join(w.TempDir(), "desk"),
		now: map[string]string{}, was: map[string][]string{}, labels: map[string]int{}, workers: 1, serving: true, clock: clock, startAgain: time.Hour}
	s.templates = textsOf(w, w.trees)
	for _, name := range defined(w.trees) {
		s.now[name] = "its" + strings.ToUpper(name[:1]) + name[1:]
	}
	s.write()
	s.open()
	s.people()
	// Now there is an administrator of workflows, and what data files start can be started: with the next start of the program, at the same
	// time in both worlds.
	// The server itself would try again when a minute of the machine's clock is over, which is another time in each of them.
	require.NoError(s, s.app.Close())
	s.open()
	return s
}

func (w *twins) both() []*shop { return []*shop{w.coded, w.labelled} }

func (w *twins) log(format string, args ...any) { w.did = append(w.did, fmt.Sprintf(format, args...)) }

// story is what was done.
func (w *twins) story() string { return fmt.Sprintf("seed %d\n%s", w.seed, strings.Join(w.did, "\n")) }

// tick lets time go on in both.
func (w *twins) tick() {
	for _, s := range w.both() {
		s.clock = s.clock.Add(time.Second)
	}
}

// works does one thing in both: it has the same outcome. name "" = any.
func (w *twins) works(name string) {
	w.Helper()
	w.tick()
	does := works[w.random.IntN(len(works))]
	if i := slices.IndexFunc(works, func(one work) bool { return one.name == name }); i >= 0 {
		does = works[i]
	}
	name = does.name
	seed := w.random.Uint64()
	var outs []string
	for _, s := range w.both() {
		out, err := does.do(s, w, rand.New(rand.NewPCG(seed, 2)))
		outs = append(outs, s.said(out)+" "+s.failure(err))
	}
	w.log("%s: %s", name, outs[1])
	if outs[0] != outs[1] {
		w.Fatalf("%s differs\ncodes:  %s\nlabels: %s\n%s", name, outs[0], outs[1], w.story())
	}
}

// failure is what a caller is told.
func (s *shop) failure(err error) string {
	if err == nil {
		return ""
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		return s.said(err.Error())
	}
	return s.said([]any{f.Code, f.Args, f.Data})
}

// change gives the next version of the documents to both. Some installations skip one, and get two at once.
func (w *twins) change() {
	w.Helper()
	w.tick()
	w.served, w.back = slices.Collect(maps.Values(w.coded.now)), nil
	shaped := false
	for range 1 + w.random.IntN(3)/2 {
		shaped = w.version() || shaped
	}
	ways := []func(*shop, map[string]string){byApply, byStart, byDev}
	n := 0
	if !shaped {
		n = w.random.IntN(len(ways))
	}
	w.log("%s", []string{"apply", "start", "dev"}[n])
	for i, s := range w.both() {
		func() {
			defer func() {
				if w.Failed() {
					w.Logf("in the world of %s, %s", []string{"codes", "labels"}[i], w.story())
				}
			}()
			ways[n](s, nil)
		}()
	}
}

// version writes the next version of the documents, and reports whether it has more or less than the one before.
func (w *twins) version() (shaped bool) {
	w.Helper()
	before := defined(w.trees)
	for range w.random.IntN(4) {
		shaped = w.reshape() || shaped
	}
	names := w.renames(slices.DeleteFunc(before, func(name string) bool { return slices.Contains(w.back, name) }))
	for _, s := range w.both() {
		s.templates, s.gone = textsOf(w, w.trees), w.gone
	}
	w.coded.came = w.came
	for name, code := range names {
		w.labelled.labels[name]++
		s := w.coded
		s.was[name] = append([]string{s.now[name]}, s.was[name]...)
		s.now[name] = code
	}
	w.log("a version with %v", names)
	return shaped
}

// renames chooses names and what they are called: what nobody was called before, what something else was called, or what it was called itself.
// What came with this version has its first code. there are the names of before.
func (w *twins) renames(there []string) map[string]string {
	out, s := map[string]string{}, w.coded
	taken := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.now)) {
		taken[strings.ToLower(s.now[name])] = true
	}
	for _, one := range w.gone { // who has the code of something that is gone is that thing again
		for _, code := range append(s.was[one.name], s.now[one.name]) {
			taken[strings.ToLower(code)] = true
		}
	}
	for code := range w.came {
		taken[strings.ToLower(code)] = true
	}
	names := slices.DeleteFunc(defined(w.trees), func(name string) bool { return !slices.Contains(there, name) })
	var free []string
	for _, name := range slices.Sorted(maps.Keys(s.was)) {
		free = append(free, s.was[name]...)
	}
	for _, name := range names {
		if w.random.IntN(4) > 0 {
			continue
		}
		w.count++
		code := fmt.Sprintf("kode%d", w.count)
		if len(free) > 0 && w.random.IntN(2) == 0 {
			if was := free[w.random.IntN(len(free))]; !taken[strings.ToLower(was)] {
				code = was
			}
		}
		taken[strings.ToLower(code)] = true
		out[name] = code
	}
	for range w.random.IntN(3) { // names that change places
		a, b := names[w.random.IntN(len(names))], names[w.random.IntN(len(names))]
		if a != b && out[a] == "" && out[b] == "" && a != "desk" && b != "desk" {
			out[a], out[b] = s.now[b], s.now[a]
		}
	}
	return out
}

// reshape removes something, adds something, brings something back, or gives a property another type, if the schemas allow it.
func (w *twins) reshape() bool {
	w.Helper()
	trees, gone, came, was := copied(w, w.trees), slices.Clone(w.gone), maps.Clone(w.came), maps.Clone(w.coded.was)
	what, forgets := "", false
	switch w.random.IntN(4) {
	case 3:
		name := retyped(trees, w.random)
		if what = "another type of " + name; name == "" {
			return false
		}
	case 0:
		names := slices.DeleteFunc(defined(trees), func(name string) bool { return name == "desk" || name == "order" })
		name := names[w.random.IntN(len(names))]
		what = "remove " + name
		before := defined(trees)
		left := pruned(w, trees, name, w.random.IntN(2) == 0)
		after := defined(left)
		for _, one := range before {
			if !slices.Contains(after, one) {
				gone = append(gone, find(w, trees, one))
			}
		}
		trees = left
	case 1:
		w.count++
		name := fmt.Sprintf("more%d", w.count)
		what = "add " + name
		if !more(trees, name, w.random) {
			return false
		}
		for _, s := range w.both() {
			s.now[name] = "its" + strings.ToUpper(name[:1]) + name[1:]
		}
		if free := w.freed(); len(free) > 0 && w.random.IntN(2) == 0 { // in one world it has the code of something that has another one now
			code := free[w.random.IntN(len(free))]
			for other, was := range w.coded.was { // which its author has forgotten
				w.coded.was[other] = slices.DeleteFunc(slices.Clone(was), func(one string) bool { return strings.EqualFold(one, code) })
			}
			w.coded.now[name], forgets = code, true
		}
	case 2:
		if len(gone) == 0 {
			return false
		}
		i := w.random.IntN(len(gone))
		what = "bring back " + gone[i].name
		if !gone[i].back(w, trees) {
			return false
		}
		there := defined(trees)
		gone = slices.DeleteFunc(gone, func(l lost) bool {
			back := slices.Contains(there, l.name)
			if back {
				came[w.coded.now[l.name]] = l.name
			}
			return back
		})
	}
	var told []string
	for _, s := range w.both() {
		told = append(told, s.compiles(textsOf(w, trees)))
	}
	if !forgets { // of which the compiler has something to say
		require.Equal(w, told[0], told[1], "%s: what the compiler says\n%s", what, w.story())
	}
	if told[0]+told[1] != "" {
		w.coded.was = was
		return false
	}
	w.log("%s", what)
	for code, name := range came {
		if w.came[code] == "" {
			w.back = append(w.back, name)
		}
	}
	w.trees, w.gone, w.came = trees, gone, came
	return true
}

// freed are the codes that something had that is called otherwise, and that nothing has. A code that the installations still know is none: what had it
// would be lost to those that skip a version, if its author forgets it.
func (w *twins) freed() (out []string) {
	s := w.coded
	there := defined(w.trees)
	for _, name := range there {
		for _, code := range s.was[name] {
			if !slices.ContainsFunc(slices.Collect(maps.Values(s.now)), func(is string) bool { return strings.EqualFold(is, code) }) {
				out = append(out, code)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.was)) {
		if !slices.Contains(there, name) {
			out = slices.DeleteFunc(out, func(code string) bool { return slices.Contains(s.was[name], code) })
		}
	}
	return slices.DeleteFunc(out, func(code string) bool { return w.came[code] != "" || slices.Contains(w.served, code) })
}

// compiles tells what stops documents from being used; "" = nothing.
func (s *shop) compiles(texts map[string]string) string {
	s.Helper()
	was, dir := s.templates, s.dir
	s.templates, s.dir = texts, filepath.Join(s.TempDir(), filepath.Base(dir))
	s.write()
	_, list, err := s.config().Compile()
	s.templates, s.dir = was, dir
	require.NoError(s, err)
	var out []string
	for _, d := range list {
		if d.Severity == diag.Error {
			out = append(out, d.Code)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
