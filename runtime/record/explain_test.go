package record_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/record"
)

// TestExplainHiddenRecords: why a value is what it is tells nothing of a record that the reader does not see, though they may read the
// field: not its value, not that it is empty, and not what is behind it.
func TestExplainHiddenRecords(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.save(w.boss, "project", "", 0, `{"title": "P", "rate": "2"}`)
		explained := func(title, factor string) string {
			t.Helper()
			c := w.save(w.boss, "contract", "", 0, fmt.Sprintf(`{"title": %q, "project": %q%s}`, title, p.ID, factor))
			pay := w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "7"}`, c.ID))
			out := ""
			for _, code := range []string{"net", "about"} {
				x, err := w.w.Explain(t.Context(), w.rights(w.clerkID, "narrow"), record.Change{Model: "payment", ID: pay.ID}, code, 0)
				require.NoError(t, err)
				for _, o := range x.Operands {
					if o.Hidden {
						require.Equal(t, record.Operand{Hidden: true}, o)
						require.Empty(t, x.Formula)
						out += "hidden, "
						continue
					}
					out += o.Expression + " " + word(o.Text) + ", "
				}
			}
			return out
		}
		all := "amount 7.00, contract.factor 3.00, sum(lines, value) none, contract.title open, contract.project.title P, "
		require.Equal(t, all, explained("open", `, "factor": "3"`))
		require.Equal(t, "amount 7.00, hidden, sum(lines, value) none, hidden, ", explained("shut", `, "factor": "3"`))
		require.Equal(t, "amount 7.00, hidden, sum(lines, value) none, hidden, ", explained("shut", ""))
	}, previewRoles, with(map[string]string{"access/narrow.json": `{"name": "见一部分", "models": [
		{"schemaCode": "payment", "actions": ["view", "add", "edit"], "rows": "all"},
		{"schemaCode": "contract", "actions": ["view"], "rows": "title != 'shut'"},
		{"schemaCode": "project", "actions": ["view"], "rows": "all"}]}`}))
}
