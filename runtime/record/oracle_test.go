package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestWritesAgainstOracle: random changes by people with random grants are taken and refused as a small model of the rights
// says, with the same answer, and leave what it says.
func TestWritesAgainstOracle(t *testing.T) {
	const roles, steps = 24, 700
	r := rand.New(rand.NewPCG(11, 5))
	more := map[string]string{"models/deal.json": `{"name": "交易", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题"},
		{"code": "state", "propertyType": "Radio", "name": "状态", "options": ["OPEN", "CLOSED"]},
		{"code": "level", "propertyType": "Number", "name": "级别"},
		{"code": "secret", "propertyType": "ShortText", "name": "密"},
		{"code": "lines", "propertyType": "Sheet", "name": "明细", "maxRows": 9, "properties": [
			{"code": "item", "propertyType": "ShortText", "name": "品名"}, {"code": "cost", "propertyType": "Number", "name": "金额"}]}]}`}
	given := permits(r, roles, more)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, with(more))
		for _, seed := range []uint64{1, 2, 3} {
			w.changes(rand.New(rand.NewPCG(seed, 7)), given, steps/3)
		}
	}, append(record.Tables(), blob.Tables()...)...)
}

// changes tries random changes one after the other.
func (w *world) changes(r *rand.Rand, given []permit, steps int) {
	known := w.stored()
	answers := map[string]int{}
	for step := range steps {
		a := &actor{me: []string{w.bossID, w.clerkID}[r.IntN(2)]}
		var codes []string
		for range 1 + r.IntN(3) {
			i := r.IntN(len(given))
			a.permits, codes = append(a.permits, given[i]), append(codes, fmt.Sprint("p", i))
		}
		a.view = w.policy.View(principal.Principal{UserID: a.me, Name: a.me, Roles: codes, Locale: "en"}, now, w.zone)
		ids := make([]string, 0, len(known))
		for id := range known {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		id, kind := "", r.IntN(10)
		if len(ids) > 3 && kind > 0 {
			id = ids[r.IntN(len(ids))]
		}
		var want, got string
		did := fmt.Sprintf("step %d: %v of %s", step, codes, a.me)
		if id != "" && kind > 8 {
			want, got = w.oneDeleted(a, id, known)
			did += " deletes " + id
		} else {
			x := try(r, id, known[id], known)
			want, got = w.oneSaved(a, x, known)
			did += fmt.Sprintf(" saves %+v", x)
		}
		answers[strings.Fields(want + " ")[0]]++
		if got != want {
			w.t.Fatalf("%s\ngot  %s\nwant %s\nof %s", did, got, want, told(known))
		}
		if have, want := told(w.stored()), told(known); have != want {
			w.t.Fatalf("%s (%s)\nhave %s\nwant %s", did, got, have, want)
		}
	}
	if answers["ok"] < steps/10 || len(answers) < 6 {
		w.t.Errorf("the changes try too little: %v", answers)
	}
}

func (w *world) oneDeleted(a *actor, id string, known map[string]*deal) (want, got string) {
	want = "stays: not permitted"
	switch d := known[id]; {
	case !a.can("view"):
		want = noModel
	case !a.sees(d):
		want = "stays: does not exist"
	case a.may("delete", d, ""):
		want = "ok"
		delete(known, id)
	}
	out, err := w.w.Delete(w.t.Context(), a.view, "deal", []string{id})
	switch {
	case err != nil:
		got = explain(err)
	case out.SuccessCount == 1:
		got = "ok"
	case len(out.Errors) == 1:
		got = "stays: " + out.Errors[0].ResultDesc
	}
	return want, got
}

func (w *world) oneSaved(a *actor, x attempt, known map[string]*deal) (want, got string) {
	want, next := a.judge(x, known[x.id])
	text, err := json.Marshal(x.set)
	must(w.t, err)
	saved, err := w.try(a.view, "deal", x.id, x.version, string(text))
	parts := strings.Split(strings.TrimSuffix(explain(err), "; "), "; ")
	slices.Sort(parts)
	if got = strings.Join(slices.Compact(parts), "; "); got != "ok" || next == nil {
		return want, got
	}
	if now := w.stored()[saved.ID]; now != nil { // new rows get their ids from the writer
		known[saved.ID] = next
		for i := range next.lines {
			if next.lines[i].id == "" && i < len(now.lines) {
				next.lines[i].id = now.lines[i].id
			}
		}
	}
	return want, got
}
