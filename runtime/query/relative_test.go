package query_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestRelativeDates: words for days mean the days of Asia/Shanghai at the moment of the call, on days and on moments, around
// midnight and around the end of a year.
func TestRelativeDates(t *testing.T) {
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	must(t, err)
	each(t, func(t *testing.T, w *world) {
		w.organise()
		lots := map[string]values{}
		for part, day := range map[string]string{"A": "2026-12-27", "B": "2026-12-28", "C": "2026-12-31", "D": "2027-01-01", "E": "2027-01-03", "F": "2027-01-04"} {
			noon, err := time.ParseInLocation("2006-01-02 15:04:05", day+" 00:00:00", shanghai)
			must(t, err)
			lots[part] = values{"part": part, "checkDate": day, "createdTime": noon.UTC()}
			lots[part+"late"] = values{"part": part, "checkDate": day, "createdTime": noon.AddDate(0, 0, 1).Add(-time.Millisecond).UTC()}
		}
		w.put("lot", lots)
		var at time.Time
		w.Reader = query.New(w.db, w.people, directory.NewPlaces(w.db), shanghai, func() time.Time { return at }, []byte("a key of this installation"))
		view := w.rights("clerk", "clerk")
		for _, x := range []struct{ at, op, word, want string }{
			{"2026-12-31T15:59:59.999Z", "Between", "today", "CC"},
			{"2026-12-31T16:00:00Z", "Between", "today", "DD"},
			{"2026-12-31T16:00:00Z", "Equal", "today", "DD"},
			{"2026-12-31T15:59:59.999Z", "Between", "thisWeek", "BBCCDDEE"},
			{"2027-01-03T15:59:59.999Z", "Between", "thisWeek", "BBCCDDEE"},
			{"2027-01-03T16:00:00Z", "Between", "thisWeek", "FF"},
			{"2026-12-31T15:59:59.999Z", "Between", "thisMonth", "AABBCC"},
			{"2026-12-31T16:00:00Z", "Between", "thisMonth", "DDEEFF"},
			{"2026-12-31T15:59:59.999Z", "Between", "thisYear", "AABBCC"},
			{"2026-12-31T16:00:00Z", "Between", "thisYear", "DDEEFF"},
			{"2026-12-31T16:00:00Z", "Between", "lastDays:2", "CCDD"},
			{"2026-12-31T16:00:00Z", "NotBetween", "thisYear", "AABBCC"},
			{"2026-12-31T16:00:00Z", "GreaterThan", "thisWeek", "FF"},
			{"2026-12-31T16:00:00Z", "LessThan", "today", "AABBCC"},
			{"2026-12-31T16:00:00Z", "Between", "2026", "AABBCC"},
			{"2026-12-31T16:00:00Z", "Between", "2026-12;today", "AABBCCDD"},
		} {
			at, err = time.Parse(time.RFC3339Nano, x.at)
			must(t, err)
			for _, field := range []string{"checkDate", "createdTime"} {
				p, err := w.list(view, query.ListRequest{Filters: []query.Filter{filter(field, x.op, x.word)}})
				if must(t, err); p.parts() != x.want || p.TotalElements != len(x.want) {
					t.Errorf("%s %s %s at %s gives %s, want %s", field, x.op, x.word, x.at, p.parts(), x.want)
				}
			}
		}
	})
}

// TestRefusedFilters: the refusal names every filter that cannot be used, those of hidden fields like those of none.
func TestRefusedFilters(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		_, err := w.list(w.rights("clerk", "clerk"), query.ListRequest{Filters: []query.Filter{filter("checkDate", "Between", "soon"), filter("part", "Equal", "A"),
			filter("price", "Equal", "5"), filter("quantity", "Contains", "1"), {Or: []query.Filter{filter("quantity", "Equal", "many")}},
			filter("id", "In", []string{}), filter("id", "In", []int{1}), filter("id", "In", ""), filter("id", "Equal", []string{id("a"), id("b")})}})
		var refused *fault.Error
		if !errors.As(err, &refused) {
			t.Fatalf("not refused: %v", err)
		}
		var got []string
		for _, e := range refused.Data.(fault.Invalid).Errors {
			got = append(got, fmt.Sprint(e.PropertyCode, " ", int(e.Code)))
		}
		if want := "[checkDate 302021 price 302003 quantity 302020 quantity 302021 id 302021 id 302021 id 302021 id 302021]"; fmt.Sprint(got) != want || refused.Code != fault.FilterValue {
			t.Errorf("%d %v, want %s", refused.Code, got, want)
		}
	})
}

// TestLabelsOfOptions: the status of a record is filtered by its code or by what either language calls it.
func TestLabelsOfOptions(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		for _, word := range []string{"COMPLETED", "已完成", "Completed"} {
			p, err := w.list(w.rights("clerk", "clerk"), query.ListRequest{Filters: []query.Filter{filter("sequenceStatus", "", word)}})
			if must(t, err); p.TotalElements == 0 {
				t.Errorf("%s finds nothing", word)
			}
		}
	})
}
