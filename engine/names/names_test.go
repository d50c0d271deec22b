package names_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
)

func model(code string, former names.Former, properties ...names.Entry) names.Entry {
	return names.Entry{Code: code, Former: former, Parts: names.Set{names.Property: properties}}
}

func entry(code string, former ...string) names.Entry {
	return names.Entry{Code: code, Former: former}
}

func set(models ...names.Entry) names.Set { return names.Set{names.Model: models} }

// TestDiff tells renames and removals, of parts below what they belong to then.
func TestDiff(t *testing.T) {
	have := set(model("order", nil, entry("total"), entry("note"), model("lines", nil, entry("qty"))), model("part", nil))
	for name, x := range map[string]struct {
		want names.Set
		out  string
	}{
		"nothing":  {have, ""},
		"property": {set(model("order", nil, entry("due", "total"), entry("note"), model("lines", nil, entry("qty"))), model("part", nil)), "property order: total due"},
		"several at once": {set(model("job", names.Former{"order"}, entry("due", "total"), model("rows", names.Former{"lines"}, entry("count", "qty"))), model("part", nil)),
			"model : order job; property job: total due; property job: note ; property job: lines rows; property job.rows: qty count"},
		"versions skipped": {set(model("x", names.Former{"w", "v", "order"}, entry("total"), entry("note"), model("lines", nil, entry("qty"))), model("part", nil)), "model : order x"},
		"renamed back":     {set(model("order", names.Former{"job", "order"}, entry("total"), entry("note"), model("lines", nil, entry("qty"))), model("part", nil)), ""},
		"case only":        {set(model("Order", nil, entry("Total"), entry("note"), model("lines", nil, entry("qty"))), model("part", nil)), "model : order Order; property Order: total Total"},
		"swapped":          {set(model("part", names.Former{"order"}, entry("total"), entry("note"), model("lines", nil, entry("qty"))), model("order", names.Former{"part"})), "model : order part; model : part order"},
		"nothing after a rename is taken back in the text": {set(model("order", nil, entry("total"), entry("note"), model("lines", nil, entry("qty"))), model("part", names.Former{"gone"})), ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, x.out, text(names.Diff(have, x.want)))
			require.Empty(t, names.Diff(x.want, x.want), "what was carried out asks for nothing")
		})
	}
}

func text(steps []names.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, fmt.Sprintf("%s %s: %s %s", s.Kind, s.Owner, s.Old, s.New))
	}
	return strings.Join(out, "; ")
}

// TestSwappedTwice: what changed places changes them again; the whole history tells.
func TestSwappedTwice(t *testing.T) {
	have := set(model("a", names.Former{"b"}), model("b", names.Former{"a"}))
	require.Equal(t, "model : a b; model : b a", text(names.Diff(have, set(model("a", names.Former{"b", "a"}), model("b", names.Former{"a", "b"})))))
}

// TestOlderDocuments: documents of before a rename are used again, as when a version of the program is taken back. What was renamed since is renamed
// back, and nothing of it goes.
func TestOlderDocuments(t *testing.T) {
	have := set(model("job", names.Former{"order"}, entry("due", "total")), model("part", nil))
	require.Equal(t, "model : job order; property order: due total", text(names.Diff(have, set(model("order", nil, entry("total")), model("part", nil)))))
}

// TestForgotten: a definition does not tell any more what it was called, and something new has that code. It is another thing.
func TestForgotten(t *testing.T) {
	for name, x := range map[string]struct {
		have, want names.Set
		out        string
	}{
		"a code is given to something new": {set(model("title", names.Former{"name"})), set(model("name", nil), model("title", nil)), ""},
		"one of several":                   {set(model("title", names.Former{"text", "name"})), set(model("title", names.Former{"name"}), model("text", nil)), ""},
		"with a rename":                    {set(model("title", names.Former{"name"}), model("part", nil)), set(model("name", nil), model("title", nil), model("piece", names.Former{"part"})), "model : part piece"},
		"with a rename of the same":        {set(model("title", names.Former{"text", "name"})), set(model("name", nil), model("head", names.Former{"title", "text"})), "model : title head"},
		"older documents of a chain":       {set(model("b", names.Former{"a"}), model("c", names.Former{"b"})), set(model("a", nil), model("b", nil)), "model : b a; model : c b"},
		"something new at its beginning":   {set(model("b", names.Former{"a"}), model("c", names.Former{"b"})), set(model("a", nil), model("b", nil), model("c", nil)), ""},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.out, text(names.Diff(x.have, x.want))) })
	}
}

// TestFormer is a text or a list in JSON, both ways.
func TestFormer(t *testing.T) {
	for _, text := range []string{`"a"`, `["a","b"]`} {
		var f names.Former
		require.NoError(t, json.Unmarshal([]byte(text), &f))
		b, err := json.Marshal(f)
		require.NoError(t, err)
		require.JSONEq(t, text, string(b))
	}
}

// thing is what the model of the test knows something by: it never changes, whatever it is called.
type thing struct {
	id         int
	code       string
	former     names.Former
	gone       bool
	properties []*thing
	options    []*thing // of a property
}

// TestReading renames, swaps, removes and makes again at random, and asks the log for every name of every time: it leads to the same thing.
func TestReading(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		codes := []string{"a", "b", "c", "d", "e"}
		next := 0
		var alive []*thing
		fresh := func(code string) *thing { next++; return &thing{id: next, code: code} }
		for _, code := range codes[:3] {
			m := fresh(code)
			m.properties = []*thing{fresh("a"), fresh("b")}
			m.properties[0].options = []*thing{fresh("x"), fresh("y")}
			alive = append(alive, m)
		}
		snapshot := func() names.Set {
			var out names.Set = names.Set{}
			for _, m := range alive {
				e := names.Entry{Code: m.code, Former: m.former, Parts: names.Set{}}
				for _, p := range m.properties {
					one := names.Entry{Code: p.code, Former: p.former}
					for _, o := range p.options {
						one.Add(names.Option, o.code, o.former)
					}
					e.Parts[names.Property] = append(e.Parts[names.Property], one)
				}
				out[names.Model] = append(out[names.Model], e)
			}
			return out.Sorted()
		}
		type known struct {
			epoch           int64
			model, property string
			m, p            *thing
			option          string
			o               *thing // nil = the property itself
		}
		var asked []known
		note := func(epoch int64) {
			for _, m := range alive {
				for _, p := range m.properties {
					asked = append(asked, known{epoch, m.code, p.code, m, p, "", nil})
					for _, o := range p.options {
						asked = append(asked, known{epoch, m.code, p.code, m, p, o.code, o})
					}
				}
			}
		}
		var logged []names.Logged
		epoch := int64(0)
		note(0)
		for range 6 {
			before := snapshot()
			shuffle(random, &alive, codes, fresh)
			for _, m := range alive {
				shuffle(random, &m.properties, codes, fresh)
				for _, p := range m.properties {
					shuffle(random, &p.options, []string{"x", "X", "y", "z"}, fresh)
				}
			}
			steps := names.Diff(before, snapshot())
			if len(steps) > 0 {
				epoch++
			}
			for _, s := range steps {
				logged = append(logged, names.Logged{Step: s, Epoch: epoch, At: time.Unix(epoch, 0)})
			}
			note(epoch)
		}
		log := names.NewLog(logged)
		require.Equal(t, epoch, log.Epoch())
		for _, k := range asked {
			then := log.Since(k.epoch, time.Time{})
			code, ok := then.Document(names.Model, k.model)
			require.Equal(t, !k.m.gone, ok, "seed %d: %+v", seed, k)
			if !ok {
				continue
			}
			require.Equal(t, k.m.code, code, "seed %d: %+v", seed, k)
			require.Equal(t, k.model, then.Then(names.Model, code), "seed %d: %+v", seed, k)
			path, there := then.Path(names.Model, k.model)
			require.Equal(t, []any{k.m.code, true}, []any{path, there})
			property, ok := then.Property(k.model, k.property)
			path, there = then.Path(names.Property, k.model+"."+k.property)
			require.Equal(t, ok, there)
			require.True(t, !ok || path == k.m.code+"."+k.p.code, "seed %d: %+v is %s", seed, k, path)
			if k.o != nil {
				path, there = then.Path(names.Option, k.model+"."+k.property+":"+k.option)
				require.Equal(t, ok && !k.o.gone, there, "seed %d: %+v", seed, k)
				require.True(t, !there || path == k.m.code+"."+k.p.code+":"+k.o.code, "seed %d: %+v is %s", seed, k, path)
			}
			require.Equal(t, !k.p.gone, ok, "seed %d: %+v", seed, k)
			if ok {
				require.Equal(t, k.p.code, property, "seed %d: %+v", seed, k)
			}
			if ok && k.o != nil && !k.o.gone {
				require.Equal(t, k.o.code, then.Option(k.model, k.property, k.option), "seed %d: %+v", seed, k)
				m, p, same := then.PropertyWas(k.m.code, k.p.code)
				require.Equal(t, []any{k.model, k.property, true}, []any{m, p, same}, "seed %d: %+v", seed, k)
				read := then.Value(k.model, k.property, []byte(`["`+k.option+`","none"]`))
				require.JSONEq(t, `["`+k.o.code+`","none"]`, string(read))
				require.Equal(t, `"`+k.o.code+`;none"`, string(then.Value(k.model, k.property, []byte(`"`+k.option+`;none"`))))
			}
			bears := slices.ContainsFunc(log.Called(names.Model, code), func(s names.Spell) bool {
				return s.Code == k.model && s.From <= k.epoch && (s.Until == 0 || k.epoch < s.Until)
			})
			require.True(t, bears, "seed %d: %+v %+v", seed, k, log.Called(names.Model, code))
			for _, other := range alive { // and to no other
				if other == k.m {
					continue
				}
				for _, s := range log.Called(names.Model, other.code) {
					require.False(t, s.Code == k.model && s.From <= k.epoch && (s.Until == 0 || k.epoch < s.Until), "seed %d: %+v %+v", seed, k, other)
				}
			}
		}
		for _, m := range alive {
			for _, p := range m.properties {
				began := log.Began(m.code, p.code)
				for _, k := range asked { // what had gone before it began is not it
					if k.m == m && k.p != p && k.p.gone && k.epoch > 0 && began.Before(time.Unix(0, 0)) {
						then := log.Since(k.epoch, time.Time{})
						_, ok := then.Property(k.model, k.property)
						require.False(t, ok)
					}
				}
			}
		}
	}
}

// shuffle renames some, removes some and makes some.
func shuffle(random *rand.Rand, of *[]*thing, codes []string, fresh func(string) *thing) {
	free := slices.DeleteFunc(slices.Clone(codes), func(c string) bool {
		return slices.ContainsFunc(*of, func(x *thing) bool { return x.code == c })
	})
	switch list := *of; {
	case random.IntN(3) == 0 && len(list) > 1: // two change places
		i, j := random.IntN(len(list)), random.IntN(len(list))
		// Of two whose histories have each other's codes nobody could tell which was which.
		if a, b := list[i], list[j]; i != j && !slices.Contains(a.former, b.code) && !slices.Contains(b.former, a.code) {
			a.former, b.former = append(names.Former{a.code}, a.former...), append(names.Former{b.code}, b.former...)
			a.code, b.code = b.code, a.code
		}
	case random.IntN(3) == 0 && len(list) > 0 && len(free) > 0:
		x := list[random.IntN(len(list))]
		x.former = append(names.Former{x.code}, x.former...)
		x.code = free[0]
	case random.IntN(3) == 0 && len(list) > 1:
		i := random.IntN(len(list))
		list[i].gone = true
		for _, p := range list[i].properties {
			p.gone = true
		}
		*of = slices.Delete(list, i, i+1)
	case random.IntN(2) == 0 && len(free) > 0:
		*of = append(list, fresh(free[random.IntN(len(free))]))
	}
}

// TestLastOption: an option is found by the codes that it had, through renames of its property and model; what was removed is not.
func TestLastOption(t *testing.T) {
	step := func(epoch int64, k names.Kind, owner, old, now string) names.Logged {
		return names.Logged{Step: names.Step{Kind: k, Owner: owner, Old: old, New: now}, Epoch: epoch}
	}
	log := names.NewLog([]names.Logged{
		step(1, names.Option, "order.state", "open", "begun"), step(1, names.Option, "order.state", "lost", ""),
		step(2, names.Model, "", "order", "deal"), step(2, names.Property, "deal", "state", "phase"),
		step(3, names.Option, "deal.phase", "begun", "started"), step(3, names.Option, "deal.rows.size", "m", "M"),
	})
	for was, now := range map[string]string{"open": "started", "begun": "started", "lost": "", "Open": "", "started": ""} {
		got, ok := log.LastOption("deal", "phase", was)
		require.Equal(t, now != "", ok, was)
		if ok {
			require.Equal(t, now, got, was)
		}
	}
	got, ok := log.LastOption("deal.rows", "size", "m")
	require.True(t, ok)
	require.Equal(t, "M", got)
}

// TestRemovedOption: values of an option that had several codes and is gone have its last one, as records do; made again under it, it goes on.
func TestRemovedOption(t *testing.T) {
	step := func(epoch int64, k names.Kind, owner, old, now string) names.Logged {
		return names.Logged{Step: names.Step{Kind: k, Owner: owner, Old: old, New: now}, Epoch: epoch}
	}
	steps := []names.Logged{step(1, names.Option, "order.state", "open", "begun"), step(2, names.Option, "order.state", "begun", ""), step(3, names.Property, "order", "state", "phase")}
	then := names.NewLog(steps).SinceBefore()
	require.Equal(t, "begun", then.Option("order", "state", "open"))
	require.Equal(t, `["begun","lost"]`, string(then.Value("order", "state", json.RawMessage(`["open","lost"]`))))
	again := names.NewLog(append(steps, step(4, names.Option, "order.phase", "begun", "started"))).SinceBefore()
	require.Equal(t, "started", again.Option("order", "state", "open"))
	gone := names.NewLog(append(steps, step(4, names.Property, "order", "phase", ""))).SinceBefore()
	require.Equal(t, "begun", gone.Option("order", "state", "open"))
}

// TestTakenAgain: a document that went is the one that says later that it had its code; one that another has got since, or that came back already, is not.
func TestTakenAgain(t *testing.T) {
	flow := func(codes ...string) names.Set { // "code<former<former"
		out := names.Set{}
		for _, one := range codes {
			of := strings.Split(one, "<")
			out[names.Workflow] = append(out[names.Workflow], names.Entry{Code: of[0], Former: of[1:]})
		}
		return out
	}
	for name, c := range map[string]struct {
		sets []names.Set
		want []names.Step // of the last
	}{
		"under another code":       {[]names.Set{flow("a"), flow(), flow("b<a")}, []names.Step{{names.Workflow, "", "a", "b"}}},
		"a version was skipped":    {[]names.Set{flow("a"), flow("b<a"), flow(), flow("c<b<a")}, []names.Step{{names.Workflow, "", "b", "c"}}},
		"two were":                 {[]names.Set{flow("a"), flow(), flow("c<b<a")}, []names.Step{{names.Workflow, "", "a", "c"}}},
		"in another case":          {[]names.Set{flow("Ask"), flow(), flow("b<ask")}, []names.Step{{names.Workflow, "", "Ask", "b"}}},
		"under its code":           {[]names.Set{flow("a"), flow(), flow("a<b")}, nil},
		"without a word":           {[]names.Set{flow("a"), flow(), flow("b")}, nil},
		"its code is another's":    {[]names.Set{flow("a", "x"), flow("a<x"), flow("a<x", "b<a")}, nil},
		"its code was another's":   {[]names.Set{flow("a", "x"), flow("a<x"), flow("x<a<x"), flow("x<a<x", "b<a")}, nil},
		"its code is made again":   {[]names.Set{flow("a"), flow(), flow("a"), flow("a", "b<a")}, nil},
		"made again, and renamed":  {[]names.Set{flow("a"), flow(), flow("a"), flow("c<a", "b<a")}, []names.Step{{names.Workflow, "", "a", "c"}}},
		"it is back already":       {[]names.Set{flow("a"), flow(), flow("b<a"), flow("b<a", "c<a")}, nil},
		"it went again":            {[]names.Set{flow("a"), flow(), flow("b<a"), flow(), flow("c<b<a")}, []names.Step{{names.Workflow, "", "b", "c"}}},
		"two say so":               {[]names.Set{flow("a"), flow(), flow("b<a", "c<a")}, []names.Step{{names.Workflow, "", "a", "b"}}},
		"another that is there":    {[]names.Set{flow("a", "b"), flow("b"), flow("b<a")}, nil},
		"goes where another comes": {[]names.Set{flow("a", "b"), flow("b"), flow("c<a")}, []names.Step{{names.Workflow, "", "a", "c"}, {names.Workflow, "", "b", ""}}},
	} {
		t.Run(name, func(t *testing.T) {
			log := names.NewLog(nil)
			for i, set := range c.sets[1:] {
				steps := log.Taken(c.sets[i], set)
				if i == len(c.sets)-2 {
					require.ElementsMatch(t, c.want, steps)
				}
				log = log.With(steps)
			}
		})
	}
}
