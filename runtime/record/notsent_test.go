package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
)

// TestNotSent: what a change does not send counts all the same, rows that a rule or a requirement asks for too; and when and by whom a record
// was changed is written without being sent.
func TestNotSent(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]string{
		"any":  `not any(lines, .item == 'x')`,
		"sum":  `sum(lines, .count) < 5`,
		"rule": `true`,
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				saved := w.save(w.boss, "gate", "", 0, `{"title": "a", "lines": [{"item": "x", "count": "7"}]}`)
				w.w = record.New(w.db, w.set, compiletest.Nobody{}, w.zone, func() time.Time { return now.Add(time.Hour) })
				_, err := w.try(w.clerk, "gate", saved.ID, saved.Version, `{"title": "closed"}`)
				if want := map[bool]string{true: "ok", false: "title 302011; "}[ask == "true"]; explain(err) != want {
					t.Errorf("closed: %s, want %s", explain(err), want)
				}
				if err != nil {
					w.save(w.clerk, "gate", saved.ID, saved.Version, `{"title": "b"}`)
				}
				row := strings.Split(w.read("gate", plan.True, "createdTime", "modifiedTime", "creator", "modifier")[0], " | ")
				if row[0] == row[1] || row[2] != w.bossID || row[3] != w.clerkID {
					t.Errorf("made and changed: %q", row)
				}
			}, func(docs map[string]string, _ *pack.Set) {
				docs["models/gate.json"] = fmt.Sprintf(`{"name": "门", "digest": "{title}", "properties": [
					{"code": "title", "propertyType": "ShortText", "name": "名称"},
					{"code": "lines", "propertyType": "Sheet", "name": "行", "properties": [
						{"code": "item", "propertyType": "ShortText", "name": "项"}, {"code": "count", "propertyType": "Number", "name": "数"}]}],
					"dataRules": [{"propertyCode": "title", "checkType": "formula", "formula": "title != 'closed' or %s", "message": "不行"}]}`, ask)
				docs["access/clerk.json"] = `{"name": "文员", "models": [{"schemaCode": "*", "actions": ["*"], "rows": "all"}]}`
			})
		})
	}
}
