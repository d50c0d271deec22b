package query_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// task is a record as the test knows it; "" and nil are empty.
type task struct {
	part, deadline, status string
	moment                 time.Time
	weight                 *decimal.Decimal
	due                    []string
}

// clocked is a world whose time the test sets.
type clocked struct {
	*world
	t     *testing.T
	zone  *time.Location
	at    time.Time
	tasks map[string]task
}

func (w *clocked) rightsNow(role string) *authz.View {
	return w.policy.View(principal.Principal{UserID: id("clerk"), Name: "clerk", Roles: []string{role}, Locale: "en"}, w.at, w.zone)
}

func (w *clocked) today() string { return w.at.In(w.zone).Format(time.DateOnly) }

// The oracle, without the engine.
func (w *clocked) overdue(k task) bool {
	return k.deadline != "" && k.deadline < w.today() && k.status != "done"
}

func (w *clocked) late(k task) *decimal.Decimal {
	if !w.overdue(k) {
		return nil
	}
	d, _ := time.Parse(time.DateOnly, k.deadline)
	n, _ := time.Parse(time.DateOnly, w.today())
	out := decimal.NewFromInt(int64(n.Sub(d).Hours() / 24))
	return &out
}

func (w *clocked) cost(k task) *decimal.Decimal {
	late := w.late(k)
	if late == nil || k.weight == nil {
		return nil
	}
	out := late.Mul(*k.weight).DivRound(decimal.NewFromInt(3), 8).Round(1)
	return &out
}

func (w *clocked) phase(k task) string {
	n, _ := time.Parse(time.DateOnly, w.today())
	switch {
	case w.overdue(k):
		return "LATE"
	case k.deadline >= w.today() && k.deadline <= n.AddDate(0, 0, 3).Format(time.DateOnly):
		return "SOON"
	}
	return "FINE"
}

func (w *clocked) passed(k task) bool { return !k.moment.IsZero() && k.moment.Before(w.at) }

func (w *clocked) words(k task) string {
	late := ""
	if l := w.late(k); l != nil {
		late = l.String()
	}
	return k.part + " " + late + " " + w.today()
}

// those are the parts of the tasks that satisfy a condition, in order.
func (w *clocked) those(yes func(task) bool) (out []string) {
	for _, k := range w.tasks {
		if yes(k) {
			out = append(out, k.part)
		}
	}
	slices.Sort(out)
	return out
}

func eachLive(t *testing.T, f func(t *testing.T, w *clocked)) {
	t.Helper()
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	must(t, err)
	c := catalogIn(t, "testdata/live.txtar", shanghai)
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := &clocked{world: newWorld(t, c, o), t: t, zone: shanghai, at: time.Date(2026, 12, 31, 15, 59, 59, 999e6, time.UTC), tasks: map[string]task{}}
		w.Reader = query.New(w.db, w.people, directory.NewPlaces(w.db), shanghai, func() time.Time { return w.at }, []byte("a key of this installation"))
		w.organise()
		r := rand.New(rand.NewPCG(3, 37))
		records, steps := map[string]values{}, map[string]values{}
		for i := range 60 {
			k := task{part: fmt.Sprintf("%02d", i)}
			v := values{"part": k.part}
			if r.IntN(8) > 0 {
				k.deadline = time.Date(2027, 1, 1+r.IntN(13)-7, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
				v["deadline"] = k.deadline
			}
			if r.IntN(6) > 0 {
				k.status = []string{"open", "done"}[r.IntN(2)]
				v["status"] = k.status
			}
			if r.IntN(5) > 0 {
				k.moment = time.Date(2026, 12, 31, 16, 0, r.IntN(3)-1, 0, time.UTC)
				v["moment"] = k.moment
			}
			if r.IntN(5) > 0 {
				d := decimal.New(int64(r.IntN(2000)), -2)
				k.weight, v["weight"] = &d, d
			}
			var rows []values
			for range r.IntN(3) {
				day := time.Date(2027, 1, 1+r.IntN(5)-2, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
				k.due, rows = append(k.due, day), append(rows, values{"due": day})
			}
			v["steps"] = rows
			w.tasks[k.part] = k
			records[k.part] = v
			steps["S"+k.part] = values{"part": "S" + k.part, "task": k.part}
		}
		w.put("task", records)
		w.put("step", steps)
		f(t, w)
	})
}

// TestComputedWhenRead: what a formula says of the time is so at every moment, in cells, filters, sorts, footers, forms, row rules
// and through relations, around midnight in the installation's zone, and without any write between.
func TestComputedWhenRead(t *testing.T) {
	t.Parallel()
	eachLive(t, func(t *testing.T, w *clocked) {
		for _, at := range []string{"2026-12-31T15:59:59.999Z", "2026-12-31T16:00:00Z", "2026-12-31T16:00:00.500Z", "2027-01-03T02:00:00Z", "2026-12-31T15:59:59Z"} {
			var err error
			w.at, err = time.Parse(time.RFC3339Nano, at)
			must(t, err)
			t.Run(at, func(t *testing.T) { w.lists(t); w.others(t) })
		}
	})
}

func (w *clocked) page(t *testing.T, role string, req query.ListRequest) page {
	t.Helper()
	if req.Size == nil {
		req.Size = number(100)
	}
	if req.SchemaCode == "" {
		req.SchemaCode = "task"
	}
	if req.SchemaCode == "task" && req.QueryCode == "" {
		req.QueryCode = "task"
	}
	p, err := w.list(w.rightsNow(role), req)
	must(t, err)
	return p
}

func (p page) list() (out []string) {
	for _, r := range p.Content {
		out = append(out, fmt.Sprint(r.Data["part"]))
	}
	return out
}

func (w *clocked) lists(t *testing.T) {
	for _, x := range []struct {
		code, op string
		operand  any
		want     func(task) bool
	}{
		{"overdue", "Equal", true, w.overdue},
		{"overdue", "Equal", false, func(k task) bool { return !w.overdue(k) }},
		{"late", "GreaterThan", "2", func(k task) bool { l := w.late(k); return l != nil && l.IntPart() > 2 }},
		{"late", "Between", "1;3", func(k task) bool { l := w.late(k); return l != nil && l.IntPart() >= 1 && l.IntPart() <= 3 }},
		{"late", "IsNull", nil, func(k task) bool { return w.late(k) == nil }},
		{"cost", "LessThanOrEqual", "5.5", func(k task) bool {
			c := w.cost(k)
			return c != nil && c.LessThanOrEqual(decimal.RequireFromString("5.5"))
		}},
		{"phase", "Contains", "LATE", func(k task) bool { return w.phase(k) == "LATE" }},
		{"phase", "Contains", []string{"SOON", "FINE"}, func(k task) bool { return w.phase(k) != "LATE" }},
		{"phase", "NotContains", []string{"SOON"}, func(k task) bool { return w.phase(k) != "SOON" }},
		{"passed", "Equal", true, w.passed},
		{"words", "Contains", w.today(), func(task) bool { return true }},
		{"words", "Contains", "17 ", func(k task) bool { return k.part == "17" }},
		{"steps.gone", "Equal", true, func(k task) bool {
			return k.status != "done" && slices.ContainsFunc(k.due, func(d string) bool { return d < w.today() })
		}},
	} {
		p := w.page(t, "clerk", query.ListRequest{Filters: []query.Filter{filter(x.code, x.op, x.operand)}})
		want := w.those(x.want)
		if got := p.list(); !slices.Equal(got, want) || p.TotalElements != len(want) {
			t.Errorf("%s %s %v gives %d %v, want %v", x.code, x.op, x.operand, p.TotalElements, got, want)
		}
	}
	p := w.page(t, "clerk", query.ListRequest{})
	late, cost := decimal.Zero, decimal.Zero
	for i, part := range w.those(func(task) bool { return true }) {
		k, r := w.tasks[part], p.Content[i]
		want := fmt.Sprint(w.overdue(k), " ", deref(w.late(k)), " ", deref(w.cost(k)), " ", w.phase(k), " ", w.passed(k), " ", w.words(k))
		got := fmt.Sprint(r.Data["overdue"], " ", numeric(r.Data["late"]), " ", numeric(r.Data["cost"]), " ", coded(r.Data["phase"]), " ", r.Data["passed"], " ", r.Data["words"])
		if got != want {
			t.Errorf("%s shows %s, want %s", part, got, want)
		}
		if reminds := slices.Contains(r.Actions, "remind"); reminds != w.overdue(k) {
			t.Errorf("%s offers its button: %t", part, reminds)
		}
		rows, _ := r.Data["steps"].(map[string]any)
		content, _ := rows["content"].([]any)
		for j, row := range content {
			if gone := row.(map[string]any)["gone"]; gone != (k.due[j] < w.today() && k.status != "done") {
				t.Errorf("row %d of %s shows %v", j, part, gone)
			}
		}
		if l := w.late(k); l != nil {
			late = late.Add(*l)
		}
		if c := w.cost(k); c != nil {
			cost = cost.Add(*c)
		}
	}
	if got, want := numeric(p.Aggregates["late"])+" "+numeric(p.Aggregates["cost"]), late.String()+" "+cost.String(); got != want {
		t.Errorf("the footer says %s, want %s", got, want)
	}
	w.sorted(t)
}

// sorted walks sorted lists page by page, forwards by cursor.
func (w *clocked) sorted(t *testing.T) {
	all := w.those(func(task) bool { return true })
	rank := map[string]int{"LATE": 0, "SOON": 1, "FINE": 2}
	for code, key := range map[string]func(task) float64{
		"overdue": func(k task) float64 { return map[bool]float64{true: 1}[w.overdue(k)] },
		"late": func(k task) float64 {
			if l := w.late(k); l != nil {
				return l.InexactFloat64()
			}
			return -1
		},
		"phase": func(k task) float64 { return float64(rank[w.phase(k)]) },
	} {
		for _, direction := range []int{1, 2} {
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(a, b string) int {
				n := key(w.tasks[a]) - key(w.tasks[b])
				if n == 0 {
					n = float64(strings.Compare(id(a), id(b)))
				}
				if direction == 2 {
					n = -n
				}
				return int(n * 100)
			})
			var got []string
			req := query.ListRequest{OrderByFields: []string{code}, OrderType: direction, Size: number(7)}
			for {
				p := w.page(t, "clerk", req)
				got = append(got, p.list()...)
				if p.Next == nil {
					break
				}
				req.Cursor = p.Next
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %s %d:\n%v, want\n%v", code, direction, got, want)
			}
		}
	}
}

// others looks at lists with conditions, row rules, hidden fields, relations and forms.
func (w *clocked) others(t *testing.T) {
	late := w.those(w.overdue)
	list := w.page(t, "clerk", query.ListRequest{QueryCode: "late"}).list()
	if slices.Sort(list); !slices.Equal(list, late) {
		t.Errorf("the list of late ones has %v, want %v", list, late)
	}
	if got := w.page(t, "chaser", query.ListRequest{}).list(); !slices.Equal(got, late) {
		t.Errorf("a row rule shows %v, want %v", got, late)
	}
	if _, err := w.list(w.rightsNow("blind"), query.ListRequest{SchemaCode: "task", Filters: []query.Filter{filter("overdue", "Equal", true)}}); err == nil {
		t.Error("a hidden property can be filtered")
	}
	steps := w.page(t, "clerk", query.ListRequest{SchemaCode: "step", QueryCode: "step", Filters: []query.Filter{filter("task.overdue", "Equal", true)}}).list()
	for i := range steps {
		steps[i] = strings.TrimPrefix(steps[i], "S")
	}
	if !slices.Equal(steps, late) {
		t.Errorf("through a relation %v, want %v", steps, late)
	}
	steps = w.page(t, "clerk", query.ListRequest{SchemaCode: "step", QueryCode: "step_late"}).list()
	if want := w.those(func(k task) bool { l := w.late(k); return l != nil && l.IntPart() > 2 }); !slices.Equal(strings.Split(strings.ReplaceAll(strings.Join(steps, " "), "S", ""), " "), want) {
		t.Errorf("a condition through a relation gives %v, want %v", steps, want)
	}
	for _, r := range w.page(t, "clerk", query.ListRequest{SchemaCode: "step", QueryCode: "step"}).Content {
		k := w.tasks[strings.TrimPrefix(fmt.Sprint(r.Data["part"]), "S")]
		if r.Data["task.overdue"] != w.overdue(k) || numeric(r.Data["task.late"]) != deref(w.late(k)) {
			t.Errorf("%s shows %v %v", k.part, r.Data["task.overdue"], r.Data["task.late"])
		}
	}
	k := w.tasks["07"]
	f, err := w.FormLoad(t.Context(), w.rightsNow("clerk"), query.FormRequest{SchemaCode: "task", ObjectID: id("07")})
	must(t, err)
	var data map[string]any
	must(t, json.Unmarshal(f.Data, &data))
	if data["overdue"] != w.overdue(k) || numeric(data["late"]) != deref(w.late(k)) || coded(data["phase"]) != w.phase(k) {
		t.Errorf("the form shows %s of %+v", f.Data, k)
	}
}

func deref(d *decimal.Decimal) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func numeric(v any) string {
	if v == nil {
		return ""
	}
	d, err := decimal.NewFromString(fmt.Sprint(v))
	if err != nil {
		return fmt.Sprint(v)
	}
	return d.String()
}

func coded(v any) string {
	if m, ok := v.(map[string]any); ok {
		v = m["code"]
	}
	return fmt.Sprint(v)
}

// TestPagesOverMidnight: a list that was sorted by days late before midnight shows every record once when its further pages are
// asked for after it, and their cells are those of the new day.
func TestPagesOverMidnight(t *testing.T) {
	t.Parallel()
	eachLive(t, func(t *testing.T, w *clocked) {
		seen := map[string]bool{}
		req := query.ListRequest{QueryCode: "task", OrderByFields: []string{"late"}, OrderType: 2, Size: number(5)}
		for n := 0; ; n++ {
			if n == 2 {
				w.at = w.at.Add(time.Hour)
			}
			p := w.page(t, "clerk", req)
			for _, r := range p.Content {
				k := w.tasks[fmt.Sprint(r.Data["part"])]
				if seen[k.part] {
					t.Errorf("%s stands on two pages", k.part)
				}
				if seen[k.part] = true; numeric(r.Data["late"]) != deref(w.late(k)) {
					t.Errorf("page %d shows %v of %s, want %s", n, r.Data["late"], k.part, deref(w.late(k)))
				}
			}
			if p.Next == nil {
				break
			}
			req.Cursor = p.Next
		}
		if len(seen) != len(w.tasks) {
			t.Errorf("%d of %d records are on the pages", len(seen), len(w.tasks))
		}
		other := "x" + (*req.Cursor)[1:]
		req.SchemaCode, req.Cursor = "task", &other
		_, err := w.list(w.rightsNow("clerk"), req)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.BadParameter {
			t.Errorf("a forged cursor gives %v", err)
		}
	})
}
