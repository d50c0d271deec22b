package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestButtons: what each button answers for some records, and who may use it on which.
func TestButtons(t *testing.T) {
	c := catalogOf(t, "testdata/buttons.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.put("lot", map[string]values{"a": {"part": "A / 1"}, "b": {"part": "B"}, "c": {"part": "C"}, "z": {"part": "Z"}, "dots": {"part": ".."}})
		press := func(role, code, names string) string {
			var ids []string
			for name := range strings.FieldsSeq(names) {
				ids = append(ids, id(name))
			}
			b, err := w.Button(w.rights("clerk", role), query.ActionRequest{SchemaCode: "lot", QueryCode: "lot", ActionCode: code, ObjectIDs: ids})
			var answer *query.ActionAnswer
			if err == nil {
				err = w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
					answer, _, err = b.Prepare(t.Context(), tx)
					return err
				})
			}
			if err != nil {
				return fmt.Sprint(fault.Of(err))
			}
			told := fmt.Sprint(answer.AssociationType)
			for _, s := range []*string{answer.SchemaCode, answer.QueryCode, answer.SheetCode, answer.ObjectID, answer.URL} {
				if s != nil {
					told += " " + *s
				}
			}
			if answer.Relation != nil {
				raw, err := json.Marshal(answer.Relation)
				must(t, err)
				told += " " + string(raw)
			}
			return told
		}
		no, gone, one := fmt.Sprint(fault.ActionNotOffered), fmt.Sprint(fault.ActionNotEnabled), fmt.Sprint(fault.ActionRecords)
		ofA := ` {"propertyCode":"lot","id":"` + id("a") + `","name":"a"}`
		for _, x := range []struct{ role, code, ids, want string }{
			{"keeper", "open", "a", "2 lot lot " + id("a")}, {"keeper", "open", "b", gone}, {"keeper", "open", "z", gone}, {"keeper", "open", "", one}, {"keeper", "open", "a c", one},
			{"keeper", "report", "a", "2 report report" + ofA}, {"keeper", "write", "a", "2 report report" + ofA}, {"keeper", "write", "", "2 report report"},
			{"keeper", "write", "a b", "2 report report"}, {"keeper", "write", "a a", "2 report report" + ofA}, {"keeper", "write", "a z", gone}, {"keeper", "blank", "a", "2 report report"},
			{"keeper", "reports", "a", "6 report report" + ofA}, {"keeper", "every", "", "6 report report"},
			{"keeper", "map", "a", "4 https://map.example.com/at?part=A+%2F+1&id=" + id("a")}, {"keeper", "map", "dots", "4 https://map.example.com/at?part=..&id=" + id("dots")}, {"keeper", "nothing", "a", no},
			{"reader", "open", "a", "2 lot lot " + id("a")}, {"reader", "open", "c", gone}, {"reader", "report", "a", no}, {"reader", "reports", "a", "6 report report" + ofA},
			{"blind", "open", "a", no}, {"blind", "reports", "a", no}, {"blind", "every", "", "6 report report"}, {"blind", "map", "a", no},
			{"lots", "open", "a", "2 lot lot " + id("a")}, {"lots", "every", "", no}, {"lots", "write", "a", no},
		} {
			if got := press(x.role, x.code, x.ids); got != x.want {
				t.Errorf("%s presses %s on %q: %s, want %s", x.role, x.code, x.ids, got, x.want)
			}
		}
	})
}
