package directory

import (
	"testing"
	"time"
)

// TestTwins: of two people whose usernames differ in case alone, which no call can make, the one who was there first signs in, whatever
// changed last.
func TestTwins(t *testing.T) {
	person := func(id, username string, created int64) *row {
		return &row{id: id, created: time.Unix(created, 0), values: []any{username, id, "", "", "", "", "", nil, "", nil, false}}
	}
	of := func(list ...*row) source {
		out := map[string]*row{}
		for _, r := range list {
			out[r.id] = r
		}
		return source{people: out}
	}
	first, second, other := person("b", "root", 1), person("a", "Root", 2), person("c", "clerk", 3)
	both := of(first, second, other).snapshot()
	if got := both.byUsername["root"]; got != "b" {
		t.Errorf("%q signs in, not the first", got)
	}
	if both.with(of(first, second, other), []string{"c"}) != nil {
		t.Error("a change among twins was not made from all people")
	}
	if of(second, other).snapshot().with(of(first, second, other), []string{"b"}) != nil {
		t.Error("a twin was taken in without the others")
	}
	if s := of(second, other).snapshot().with(of(second), []string{"c"}); s == nil || s.byUsername["clerk"] != "" || len(s.people) != 1 {
		t.Error("somebody who is gone is still there")
	}
}
