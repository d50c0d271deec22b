package store_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// optioned is a lot whose "part" and "methods" are choices: "code" or "code<former<former".
func optioned(part, methods string) plan.Storage {
	return edit("d_lot", func(t *plan.Table) {
		for property, of := range map[string]string{"part": part, "methods": methods} {
			c := column(t, property)
			for _, one := range strings.Fields(of) {
				codes := strings.Split(one, "<")
				c.Choices = append(c.Choices, codes[0])
				if len(codes) > 1 {
					if c.ChoicesFrom == nil {
						c.ChoicesFrom = map[string]names.Former{}
					}
					c.ChoicesFrom[codes[0]] = codes[1:]
				}
			}
			slices.Sort(c.Choices)
		}
	})
}

// TestOptionsAreRenamed: values of choices follow their options, whatever else the values are, and the plan tells how many records have them.
func TestOptionsAreRenamed(t *testing.T) {
	for name, c := range map[string]struct {
		partHave, partWant, methodsHave, methodsWant string
		steps                                        []string
		part, methods, links                         string
	}{
		"one": {"A1 B", "Post<A1 B", "x y", "z<x y",
			[]string{"needs-confirmation rename-option d_lot.methods 1 x → z", "needs-confirmation rename-option d_lot.part 2 A1 → Post"}, "Post,Beam 22,Post", "z;y", "z,y"},
		"changed places": {"A1 B", "B<A1 A1<B", "x y", "y<x x<y",
			[]string{"needs-confirmation rename-option d_lot.methods 1 y, x → x, y", "needs-confirmation rename-option d_lot.part 2 B, A1 → A1, B"}, "B,Beam 22,B", "y;x", "y,x"},
		"handed on":                           {"A1 B", "C<B B<A1", "x y", "x y", []string{"needs-confirmation rename-option d_lot.part 2 A1, B → B, C"}, "B,Beam 22,B", "x;y", "x,y"},
		"to what a set has without an option": {"A1", "A1", "x", "y<x", []string{"needs-confirmation rename-option d_lot.methods 1 x → y"}, "A1,Beam 22,A1", "y", "y"},
		"in case only":                        {"A1", "a1<A1", "x y", "x y", []string{"needs-confirmation rename-option d_lot.part 2 A1 → a1"}, "a1,Beam 22,a1", "x;y", "x,y"},
		"of two that differ in case":          {"A1 a1", "b<a1 A1", "x y", "x y", []string{"needs-confirmation rename-option d_lot.part 0 a1 → b"}, "A1,Beam 22,A1", "x;y", "x,y"},
		"without a word it is another":        {"A1 B", "Post B", "x y", "x y", []string{"needs-confirmation narrow d_lot.part 3 options A1 → options Post"}, "A1,Beam 22,A1", "x;y", "x,y"},
		"that were carried out":               {"A1<old", "A1<old B", "x y", "x y", []string{"safe widen d_lot.part 0  → options B"}, "A1,Beam 22,A1", "x;y", "x,y"},
		"and one goes":                        {"A1 B", "Post<A1", "x y", "z<x", []string{"needs-confirmation rename-option d_lot.methods 1 x → z", "needs-confirmation narrow d_lot.methods 1 options y → ", "needs-confirmation rename-option d_lot.part 2 A1 → Post", "needs-confirmation narrow d_lot.part 1 options B → "}, "Post,Beam 22,Post", "z;y", "z,y"},
		"with letters that mean something":    {"A1", "it's<A1", "x y", "x y", []string{"needs-confirmation rename-option d_lot.part 2 A1 → it's"}, "it's,Beam 22,it's", "x;y", "x,y"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				apply(t, db, base())
				fill(t, db)
				apply(t, db, optioned(c.partHave, c.methodsHave))
				p, err := db.Plan(t.Context(), optioned(c.partWant, c.methodsWant), store.PlanOptions{})
				require.NoError(t, err)
				var steps []string
				for _, s := range p.Steps {
					steps = append(steps, strings.Join([]string{string(s.Class), string(s.Action), s.Table + "." + s.Column, strconv.FormatInt(s.Count, 10), s.From, "→", s.To}, " "))
				}
				require.ElementsMatch(t, c.steps, steps)
				require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
				require.Equal(t, c.part, ask[string](t, db, `SELECT string_agg(part, ',' ORDER BY id) FROM d_lot`))
				require.Equal(t, c.methods, ask[string](t, db, `SELECT methods FROM d_lot WHERE methods IS NOT NULL`))
				require.Equal(t, c.links, ask[string](t, db, `SELECT string_agg(id, ',' ORDER BY ordinal) FROM d_lot__methods`))
				p, err = db.Plan(context.Background(), optioned(c.partWant, c.methodsWant), store.PlanOptions{})
				require.NoError(t, err)
				require.Empty(t, p.Steps, "carried out")
			})
		})
	}
}

// TestOptionsInTheLog: the log of names tells of options that were renamed, also in the first apply that knows of options.
func TestOptionsInTheLog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		part := func(of ...names.Entry) names.Set {
			return names.Set{names.Model: {{Code: "lot", Parts: names.Set{names.Property: {{Code: "part", Parts: names.Set{names.Option: of}}}}}}}
		}
		have := optioned("A1 B", "x y")
		have.Names = names.Set{names.Model: {{Code: "lot", Parts: names.Set{names.Property: {{Code: "part"}}}}}} // as older versions kept them
		apply(t, db, have)
		want := optioned("Post<A1 B", "x y")
		want.Names = part(names.Entry{Code: "B"}, names.Entry{Code: "Post", Former: names.Former{"A1"}})
		apply(t, db, want)
		then := db.NameLog().SinceBefore()
		require.Equal(t, "Post", then.Option("lot", "part", "A1"))
		require.Equal(t, "B", then.Option("lot", "part", "B"))
		want = optioned("Post B", "x y")
		want.Names = part(names.Entry{Code: "B"}, names.Entry{Code: "Post"})
		apply(t, db, want)
		require.Equal(t, "Post", db.NameLog().SinceBefore().Option("lot", "part", "A1"), "what no document says any more is kept")
	})
}

// TestOptionsThatLookLikeIDs: SQLite keeps members of sets that look like ids as it keeps ids. They are renamed, counted and missed as any other.
func TestOptionsThatLookLikeIDs(t *testing.T) {
	one, two := "01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000b"
	for name, c := range map[string]struct {
		have, set, want string
		steps           []string
		holds           []string
	}{
		"to a word":           {one + " y", one + ";y", "z<" + one + " y", []string{"rename-option 1"}, []string{"z", "y"}},
		"to an id":            {"x y", "x;y", one + "<x y", []string{"rename-option 1"}, []string{one, "y"}},
		"the whole set":       {"x y", "x", one + "<x y", []string{"rename-option 1"}, []string{one}},
		"from one to another": {one + " " + two, one + ";" + two, two + "<" + one + " " + one + "<" + two, []string{"rename-option 1"}, []string{two, one}},
		"to what it has":      {one + " y", one + ";y", "y<" + one, []string{"rename-option 1", "narrow 1"}, []string{"y", "y~1"}},
		"one goes":            {one + " y", one, "y", []string{"narrow 1"}, []string{one}},
		"one stays":           {one + " y", one, one, []string{"narrow 0"}, []string{one}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				pack := func(f, v string) string {
					if db.Dialect() != "sqlite" {
						return "'" + v + "'"
					}
					return f + "('" + v + "')"
				}
				apply(t, db, base())
				fill(t, db)
				apply(t, db, optioned("A1", c.have))
				run(t, db, `DELETE FROM d_lot__methods`)
				for i, code := range strings.Split(c.set, ";") {
					run(t, db, `INSERT INTO d_lot__methods (v, id, ordinal) VALUES ('@a', `+pack("id_pack", code)+`, `+strconv.Itoa(i)+`)`)
				}
				run(t, db, `UPDATE d_lot SET methods = `+pack("set_pack", c.set)+` WHERE id = '@a'`)
				p, err := db.Plan(t.Context(), optioned("A1", c.want), store.PlanOptions{})
				require.NoError(t, err)
				var steps []string
				for _, s := range p.Steps {
					steps = append(steps, string(s.Action)+" "+strconv.FormatInt(s.Count, 10))
				}
				require.Equal(t, c.steps, steps)
				require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
				var holds []string
				for _, code := range c.holds {
					holds = append(holds, pack("id_pack", code))
				}
				require.Equal(t, strconv.Itoa(len(holds)), list(t, db, `SELECT count(*) FROM d_lot__methods WHERE id IN (`+strings.Join(holds, ", ")+`)`))
				require.Equal(t, strconv.Itoa(len(holds)), list(t, db, `SELECT count(*) FROM d_lot__methods`))
				require.Equal(t, "1", list(t, db, `SELECT count(*) FROM d_lot WHERE methods = `+pack("set_pack", strings.Join(c.holds, ";"))), "the set in the row")
			})
		})
	}
}

// TestOptionsThatGo: values follow what an option says it was called, also behind an apply that removed it. Nothing else gets them: neither what has the
// code next, nor what is called alike. The log reads what was stored before in the same way.
func TestOptionsThatGo(t *testing.T) {
	for name, c := range map[string]struct {
		versions []string // of both choices; records begin with the first one
		steps    []string // of the last
		part     string   // of two records with A1, now
		methods  string   // of one with x and y
		then     string   // what A1 of before means
	}{
		"another gets the code": {[]string{"A1 B|x y", "A1<B|y<x"},
			[]string{"needs-confirmation narrow d_lot.methods 1 options y → ", "needs-confirmation narrow d_lot.part 3 options A1 → ",
				"needs-confirmation rename-option d_lot.methods 1 x, y → y, y~1", "needs-confirmation rename-option d_lot.part 2 B, A1 → A1, A1~1"},
			"A1~1,Beam 22,A1~1", "y,y~1", "A1~1"},
		"another gets the code later": {[]string{"A1 B|x y", "B|x", "A1<B|y<x"},
			[]string{"needs-confirmation rename-option d_lot.methods 1 x, y → y, y~2", "needs-confirmation rename-option d_lot.part 2 B, A1 → A1, A1~2"},
			"A1~2,Beam 22,A1~2", "y,y~2", "A1~2"},
		"back under another code": {[]string{"A1 B|x y", "B|x", "B Post<A1|x z<y"},
			[]string{"safe widen d_lot.methods 0  → options z", "safe widen d_lot.part 0  → options Post",
				"needs-confirmation rename-option d_lot.methods 1 y → z", "needs-confirmation rename-option d_lot.part 2 A1 → Post"},
			"Post,Beam 22,Post", "x,z", "Post"},
		"back under another code, values of nobody": {[]string{"A1 B C|x y", "A1 B|x y", "A1 B Post<C|x y"}, []string{"safe widen d_lot.part 0  → options Post"}, "A1,Beam 22,A1", "x,y", "A1"},
		"back after several renames":                {[]string{"A1 B|x y", "Mid<A1 B|x y", "B|x y", "B Post<Mid<A1|x y"}, []string{"safe widen d_lot.part 0  → options Post", "needs-confirmation rename-option d_lot.part 2 Mid → Post"}, "Post,Beam 22,Post", "x,y", "Post"},
		"back under its code":                       {[]string{"A1 B|x y", "B|x y", "A1 B|x y"}, []string{"safe widen d_lot.part 0  → options A1"}, "A1,Beam 22,A1", "x,y", "A1"},
		"one that stays says the code of another":   {[]string{"A1 B|x y", "B|x y", "B<A1|x y"}, nil, "A1,Beam 22,A1", "x,y", "A1"},
		"older documents":                           {[]string{"A1 B|x y", "Post<A1 B|x y", "A1 B|x y"}, []string{"needs-confirmation rename-option d_lot.part 2 Post → A1"}, "A1,Beam 22,A1", "x,y", "A1"},
		"put aside, and given back by that name":    {[]string{"A1 B|x y", "A1<B|x y", "A1<B Post<A1~1|x y"}, []string{"safe widen d_lot.part 0  → options Post", "needs-confirmation rename-option d_lot.part 2 A1~1 → Post"}, "Post,Beam 22,Post", "x,y", "Post"},
		"two go and come":                           {[]string{"A1 B|x y", "C|x y", "A1 C D<B|x y"}, []string{"safe widen d_lot.part 0  → options A1 D"}, "A1,Beam 22,A1", "x,y", "A1"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				apply(t, db, base())
				fill(t, db)
				var p *store.Plan
				for _, version := range c.versions {
					part, methods, _ := strings.Cut(version, "|")
					var err error
					p, err = db.Plan(t.Context(), optioned(part, methods), store.PlanOptions{})
					require.NoError(t, err)
					require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
				}
				var steps []string
				for _, s := range p.Steps {
					steps = append(steps, strings.Join([]string{string(s.Class), string(s.Action), s.Table + "." + s.Column, strconv.FormatInt(s.Count, 10), s.From, "→", s.To}, " "))
				}
				require.ElementsMatch(t, c.steps, steps)
				require.Equal(t, c.part, ask[string](t, db, `SELECT string_agg(part, ',' ORDER BY id) FROM d_lot`))
				require.Equal(t, c.methods, ask[string](t, db, `SELECT string_agg(id, ',' ORDER BY ordinal) FROM d_lot__methods`))
				require.Equal(t, c.then, db.NameLog().SinceBefore().Option("lot", "part", "A1"))
			})
		})
	}
}
