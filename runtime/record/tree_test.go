package record_test

import (
	"fmt"
	"sync"
	"testing"
)

// Two moves that are right alone, a under b and b under a, must not close a ring when they come at once: one of them is refused
// or finds the other done.
func TestTreeMovesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		refused := 0
		for i := range 25 {
			var ids [3]string
			for k := range ids {
				ids[k] = w.save(w.boss, "department", "", 0, fmt.Sprintf(`{"name": "%d-%d"}`, i, k)).ID
			}
			var moves sync.WaitGroup
			start := make(chan struct{})
			errs := make([]error, len(ids))
			for k := range ids {
				moves.Go(func() {
					<-start
					_, errs[k] = w.try(w.boss, "department", ids[k], 1, fmt.Sprintf(`{"parent": %q}`, ids[(k+1)%len(ids)]))
				})
			}
			close(start)
			moves.Wait()
			for _, err := range errs {
				if err != nil {
					refused++
					if got := explain(err); got != "parent 201007; " {
						t.Fatalf("a move was refused with %s", got)
					}
				}
			}
			at := ids[0]
			for range ids {
				rows := w.read("department", id(at), "parent")
				if at = rows[0]; at == "<nil>" {
					break
				}
			}
			if at != "<nil>" {
				t.Fatalf("round %d: the three departments stand in a ring", i)
			}
		}
		if refused != 25 {
			t.Errorf("%d moves were refused, one of each three should be", refused)
		}
	})
}
