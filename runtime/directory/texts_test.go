package directory

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// TestMatchAfterChanges: after any changes, a snapshot that was made out of an earlier one finds whom one made from nothing finds.
func TestMatchAfterChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 27))
	names := []string{"李雷", "Han Meimei", "han  meimei", "王芳", "lilei"}
	person := func(id string) *row {
		pick := func() string { return names[random.IntN(len(names))] }
		return &row{id: id, created: time.Unix(int64(random.IntN(100)), 0), values: []any{id + "_u", pick(), "", pick(), "", pick(), "", []string{"d"}, "d", nil, random.IntN(5) == 0}}
	}
	departments := map[string]*row{"d": {id: "d", created: time.Unix(1, 0), values: []any{"质量部", "", false}}}
	now := map[string]*row{}
	for i := range 20 {
		id := fmt.Sprintf("p%02d", i)
		now[id] = person(id)
	}
	s := source{people: now, departments: departments}.snapshot()
	sound := func(string) string { return "" }
	for range 300 {
		var changed []string
		next := map[string]*row{}
		for id, r := range now {
			next[id] = r
		}
		for range 1 + random.IntN(4) {
			id := fmt.Sprintf("p%02d", random.IntN(30))
			if slices.Contains(changed, id) {
				continue
			}
			changed = append(changed, id)
			if delete(next, id); random.IntN(3) > 0 {
				next[id] = person(id)
			}
		}
		now = next
		of := source{people: now, departments: departments}
		if s = s.with(of, changed); s == nil {
			t.Fatal("made from nothing though no two people have one username")
		}
		if random.IntN(3) == 0 {
			continue // nobody asks this one
		}
		whole := of.snapshot()
		for _, one := range []*snapshot{s, whole} {
			one.indexing.Do(func() { one.index(sound) })
		}
		for _, text := range append([]string{"p01", "p07_u"}, names...) {
			keys := MatchKeys{EmployeeNo: true, Email: true}
			if got, want := s.matchPeople(text, keys), whole.matchPeople(text, keys); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q means %v, from nothing %v", text, got, want)
			}
		}
		if got, want := s.matchDepartments("质量部"), whole.matchDepartments("质量部"); !reflect.DeepEqual(got, want) || len(got) != 1 {
			t.Fatalf("the department is %v, from nothing %v", got, want)
		}
	}
}
