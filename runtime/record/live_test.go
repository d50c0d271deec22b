package record_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const overdueTask = `{"name": "任务", "digest": "{title}", "properties": [
	{"code": "title", "propertyType": "ShortText", "name": "名称"},
	{"code": "deadline", "propertyType": "Date", "name": "期限"},
	{"code": "reason", "propertyType": "ShortText", "name": "原因", "requiredFormula": "overdue"},
	{"code": "overdue", "propertyType": "Logic", "name": "逾期", "computeFormula": "deadline < today()"},
	{"code": "late", "propertyType": "Number", "name": "天数", "scale": 0, "computeFormula": "overdue ? days(deadline, today()) : nil"},
	{"code": "steps", "propertyType": "Sheet", "name": "步骤", "properties": [
		{"code": "by", "propertyType": "Date", "name": "期限"},
		{"code": "left", "propertyType": "Number", "name": "剩余天数", "scale": 0, "computeFormula": "days(today(), row.by)"}]}],
	"dataRules": [{"propertyCode": "late", "checkType": "formula", "formula": "empty(late) or late < 100", "message": "太晚"}]}`

func tasks(docs map[string]string, _ *pack.Set) { docs["models/task.json"] = overdueTask }

// TestComputedWhenReadInWrites: what is computed when it is read decides requirements and rules at a write, is shown while a form is
// filled in and explained, and is neither in a column nor in the history.
func TestComputedWhenReadInWrites(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		_, err := w.try(w.boss, "task", "", 0, `{"title": "a", "deadline": "2026-11-18"}`)
		same(t, []string{explain(err)}, "reason 302004; ")
		_, err = w.try(w.boss, "task", "", 0, `{"title": "a", "deadline": "2026-01-18", "reason": "r"}`)
		same(t, []string{explain(err)}, "late 302011; ")
		saved := w.save(w.boss, "task", "", 0, `{"title": "a", "deadline": "2026-11-18", "reason": "r"}`)
		if got := strings.Join(w.history("task", saved.ID), "\n"); strings.Contains(got, "overdue") || strings.Contains(got, "late") {
			t.Errorf("the history has %s", got)
		}
		p, err := w.w.Preview(t.Context(), w.boss, record.Change{Model: "task", ID: saved.ID, Set: set(`{"deadline": "2026-11-20", "steps": [{"by": "2026-11-23"}, {}]}`)})
		must(t, err)
		same(t, []string{fmt.Sprintf("%s %s %s %s", p.Values["overdue"], p.Values["late"], p.Rows["steps"][0]["left"], p.Rows["steps"][1]["left"])}, `true "1" "2" null`)
		x, err := w.w.Explain(t.Context(), w.boss, record.Change{Model: "task", ID: saved.ID}, "late", 0)
		must(t, err)
		if x.Text == nil || *x.Text != "3" || x.Formula != "overdue ? days(deadline, today()) : nil" {
			t.Errorf("explained as %+v", x)
		}
	}, tasks)
}

// TestBecomesComputedWhenRead: a property gives up its column only when asked, and gets it back with its values.
func TestBecomesComputedWhenRead(t *testing.T) {
	t.Parallel()
	stored := strings.Replace(overdueTask, "deadline < today()", "deadline < '2026-11-21'", 1)
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "task", "", 0, `{"title": "a", "deadline": "2026-11-18", "reason": "r"}`)
		change := func(task string) *store.Plan {
			docs := maps.Clone(documents)
			docs["models/task.json"] = task
			w.compile(docs)
			p, err := w.db.Plan(t.Context(), w.c.Storage, store.PlanOptions{})
			must(t, err)
			return p
		}
		said := func(p *store.Plan) (out []string) {
			for _, s := range p.Steps {
				out = append(out, fmt.Sprint(s.Action, " ", s.Class, " ", s.Text.In("en")))
			}
			return out
		}
		p := change(overdueTask)
		same(t, said(p), "drop-column safe compute overdue of task when it is read; 1 record loses a stored value")
		must(t, w.db.Apply(t.Context(), p, store.ApplyOptions{}))
		w.boss = w.rights(w.bossID, "boss")
		w.save(w.boss, "task", "", 0, `{"title": "b", "deadline": "2026-11-22"}`)
		p = change(stored)
		same(t, said(p), "add-column safe add overdue to task")
		must(t, w.db.Apply(t.Context(), p, store.ApplyOptions{}))
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("task", plan.True, "title", "overdue"), "a | true", "b | false")
	}, func(docs map[string]string, _ *pack.Set) {
		docs["models/task.json"] = stored
	})
}
