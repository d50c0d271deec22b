package record_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// asked tells when somebody looks for a person.
type asked struct {
	compiletest.Nobody
	person chan string
}

func (a asked) Person(ctx context.Context, id string) (principal.Person, bool) {
	select {
	case a.person <- id:
	default:
	}
	return a.Nobody.Person(ctx, id)
}

// TestAhead: what a new record refers to is looked for while others have their turn. What goes before its own turn is refused all the same,
// and what is not there is, too.
func TestAhead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, store.Options{URL: storetest.Postgres(t), System: append(record.Tables(), blob.Tables()...)}),
		func(docs map[string]string, _ *pack.Set) {
			docs["models/order.json"] = strings.Replace(docs["models/order.json"], "customer.limit - total", "price - total", 1) // holds another record
			docs["models/order.json"] = strings.Replace(docs["models/order.json"], `"propertyType": "StaffSingle", "name": "经办人", "defaultValue": "user.id"`,
				`"propertyType": "RelevanceForm", "name": "经办人", "relativeCode": "user"`, 1) // has a key
			docs["models/order.json"] = strings.Replace(docs["models/order.json"], `{"code": "agent"`,
				`{"code": "witness", "propertyType": "StaffSingle", "name": "见证人"}, {"code": "agent"`, 1) // has none
		})
	people := asked{person: make(chan string, 1)}
	w.w = record.New(w.db, w.set, people, w.zone, func() time.Time { return now })
	stays, goes := w.save(w.boss, "customer", "", 0, `{"title": "a"}`), w.save(w.boss, "customer", "", 0, `{"title": "b"}`)
	const missing = "0192f0a0-0000-7000-8000-000000000001"

	leaver := w.save(w.system(), "user", "", 0, `{"username": "leaver", "name": "离任"}`)
	remove := func(model, id string) func() {
		return func() {
			_, err := w.w.Delete(t.Context(), w.system(), model, []string{id})
			must(t, err)
		}
	}
	for _, try := range []struct {
		friend, witness string
		during          func()
		want            fault.Code
	}{
		{stays.ID, w.clerkID, func() {}, 0},
		{stays.ID, leaver.ID, remove("user", leaver.ID), fault.RecordInvalid},
		{goes.ID, w.clerkID, remove("customer", goes.ID), fault.RecordInvalid},
		{missing, w.clerkID, func() {}, fault.RecordInvalid},
	} {
		for len(people.person) > 0 {
			<-people.person
		}
		began, release, first, ended := make(chan bool), make(chan bool), make(chan error), make(chan error)
		go func() {
			first <- w.db.Attempt(t.Context(), "order", func(context.Context, *store.Tx) error { close(began); <-release; return nil })
		}()
		<-began
		go func() {
			_, err := w.w.Save(t.Context(), w.boss, record.Change{Model: "order", Set: set(fmt.Sprintf(`{"title": "x", "agent": %q, "witness": %q, "friends": [%q]}`, w.clerkID, try.witness, try.friend))})
			ended <- err
		}()
		if id := <-people.person; id != w.clerkID {
			t.Errorf("asked for %s", id)
		}
		try.during()
		close(release)
		<-first // who shares a transaction with one that is refused comes again
		if got := fault.Of(<-ended); got != try.want {
			t.Errorf("%s: %d, want %d", try.friend, got, try.want)
		}
		if try.want != 0 {
			time.Sleep(1200 * time.Millisecond) // for a second after a refusal each has a transaction alone, and waits for nobody
		}
	}
}
