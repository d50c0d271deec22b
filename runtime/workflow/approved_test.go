package workflow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// formulasOf changes the model of orders: formulas are properties with a code, a type and a formula.
func formulasOf(more ...string) map[string]func(string) string {
	text := strings.TrimSuffix(orderModel, "]}")
	for i := 0; i < len(more); i += 3 {
		text += fmt.Sprintf(`, {"code": %q, "name": %q, "propertyType": %q, "computeFormula": %q}`, more[i], more[i], more[i+1], more[i+2])
	}
	text += `, {"code": "after", "name": "前一单", "propertyType": "RelevanceForm", "relativeCode": "order", "onDelete": "clear"}]}`
	return map[string]func(string) string{"models/order.json": is(text)}
}

// plannedSteps are the steps of the tables and values that a publication takes, in English.
func (w *world) plannedSteps(changes map[string]func(string) string) (out []string) {
	w.Helper()
	view := w.app.State().Policy.View(principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}, w.app.Now(), w.app.Zone())
	var files []app.Change
	for path, change := range changes {
		now, err := w.app.DocumentText(w.Context(), view, "approvals", path, 0)
		require.NoError(w, err)
		text := change(*now.Text)
		files = append(files, app.Change{Pack: "approvals", Path: path, Seen: now.Seen, Text: &text})
	}
	p, err := w.app.Look(w.Context(), view, app.Changeset{Files: files})
	require.NoError(w, err)
	require.Zero(w, p.Diagnostics.Errors(), "%v", p.Diagnostics)
	for _, s := range p.Steps {
		out = append(out, s.Text.In("en"))
	}
	return out
}

// orderValues are columns of an order.
func (w *world) orderValues(id string, columns ...string) string {
	w.Helper()
	loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "order", ObjectID: id})
	require.NoError(w, err)
	data := map[string]any{}
	require.NoError(w, json.Unmarshal(loaded.Data, &data))
	var out []string
	for _, c := range columns {
		v, _ := data[c].(string)
		out = append(out, v)
	}
	return strings.Join(out, " ")
}

func (w *world) catchesUp(changes map[string]func(string) string) {
	w.Helper()
	w.publish(changes)
	require.NoError(w, w.app.CatchUp(w.Context()))
}

// TestFormulasLeaveWhatWasApproved: another formula computes nothing of a record that a workflow holds, at once or by other records; a plan says how many
// there are. What changes afterwards is followed by the formulas that read it; an amendment is computed whole.
func TestFormulasLeaveWhatWasApproved(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		grant := strings.Replace(orderGrant, `"edit", "delete"`, `"edit", "amend", "delete"`, 1)
		first := formulasOf("vat", "ShortText", "concat('v', total)", "low", "ShortText", "concat('f', floor)", "prior", "ShortText", "concat(after.vat, '/')", "head", "ShortText", "concat('h', after.title)")
		first["access/clerk.json"] = w.replaced(orderGrant, grant)
		first["workflows/orderApproval.json"] = w.replaced(`"allowVoid": "initiator"`, `"allowVoid": "initiator", "finalExcept": ["floor"]`)
		w.catchesUp(first)
		open, held := w.asks(1), w.asks(2)
		saves := func(id, amend string, set map[string]any) {
			ch := record.Change{Model: "order", ID: id, Version: w.versionIn("order", id), Amend: amend, Set: map[string]json.RawMessage{}}
			for code, v := range set {
				ch.Set[code] = raw(v)
			}
			_, err := w.app.Writer().Save(w.Context(), w.as("ann"), ch)
			require.NoError(w, err)
		}
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "orderApproval", Data: map[string]json.RawMessage{"title": raw("Wall"), "total": raw(3), "floor": raw(7)}})
		require.NoError(w, err)
		_, err = w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "order", Set: map[string]json.RawMessage{"total": raw(5), "floor": raw(7)}})
		require.NoError(w, err)
		for _, in := range []workflow.Done{held, done} {
			_, err := w.agrees("sue", in)
			require.NoError(w, err)
		}
		saves(done.Record, "so that it follows", map[string]any{"after": open.Record})
		columns := []string{"vat", "low", "prior", "head"}
		require.Equal(w, []string{"v1 f7 / h", "v2 f7 / h", "v3 f7 v1/ hGate"},
			[]string{w.orderValues(open.Record, columns...), w.orderValues(held.Record, columns...), w.orderValues(done.Record, columns...)})

		second := formulasOf("vat", "ShortText", "concat('V', total)", "low", "ShortText", "concat('F', floor)", "prior", "ShortText", "concat(after.vat, '/')", "head", "ShortText", "concat('H', after.title)")
		require.Equal(w, []string{"formulas of order changed; its records are computed again: of 4 records checked, out of 4, 2 get other values (head, low, vat)" +
			"; 2 sealed records keep the approved values; formulas that read these values follow"}, w.plannedSteps(second))
		w.catchesUp(second)
		require.Equal(w, []string{"V1 F7 / H", "v2 f7 / h", "v3 f7 v1/ hGate"},
			[]string{w.orderValues(open.Record, columns...), w.orderValues(held.Record, columns...), w.orderValues(done.Record, columns...)})

		// A property that had no formula is computed for all.
		third := formulasOf("vat", "ShortText", "concat('V', total)", "low", "ShortText", "concat('F', floor)", "prior", "ShortText", "concat(after.vat, '/')", "head", "ShortText", "concat('H', after.title)",
			"both", "ShortText", "concat(vat, low)")
		w.catchesUp(third)
		columns = append(columns, "both")
		require.Equal(w, []string{"V1 F7 / H V1F7", "v2 f7 / h v2f7"}, []string{w.orderValues(open.Record, columns...), w.orderValues(held.Record, columns...)})

		// What is changed is followed by what reads it, and by nothing else.
		saves(held.Record, "", map[string]any{"floor": 8})
		require.Equal(w, "v2 F8 / h v2F8", w.orderValues(held.Record, columns...))
		_, err = w.agrees("sue", open)
		require.NoError(w, err)
		saves(open.Record, "another name", map[string]any{"title": "Dam"})
		require.Equal(w, "v3 f7 v1/ HDam v3f7", w.orderValues(done.Record, columns...), "the title of the order before; its total stays as it was approved")
		saves(held.Record, "computed again", map[string]any{"total": 2})
		require.Equal(w, "V2 F8 / H V2F8", w.orderValues(held.Record, columns...), "an amendment")
	})
}

// TestFreshFormulasOfRowsAreNotHeld: rows of a sealed record that a formula computes for the first time get its values; nothing is kept back, and a
// plan says so. What another formula of the rows would make is.
func TestFreshFormulasOfRowsAreNotHeld(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		model := func(formula string) map[string]func(string) string {
			return map[string]func(string) string{"models/order.json": is(strings.TrimSuffix(orderModel, "]}") + `, {"code": "parts", "name": "部件", "propertyType": "Sheet", "properties": [
  {"code": "size", "name": "尺寸", "propertyType": "Number"}, {"code": "mark", "name": "标记", "propertyType": "ShortText", "computeFormula": "` + formula + `"}]}]}`)}
		}
		first := model("concat('m', size)")
		first["workflows/orderApproval.json"] = w.replaced(`"title": "rw"`, `"title": "rw", "parts": "rw+"`)
		w.catchesUp(first)
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "orderApproval", Data: map[string]json.RawMessage{"title": raw("Wall"), "total": raw(3), "parts": json.RawMessage(`[{"size": 4}, {"size": 5}]`)}})
		require.NoError(w, err)
		_, err = w.agrees("sue", done)
		require.NoError(w, err)
		marks := func() (out []string) {
			require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.System().Raw(`SELECT COALESCE(mark, '') FROM d_order__parts ORDER BY size`).Scan(&out).Error
			}))
			return out
		}
		require.Equal(w, []string{"m4", "m5"}, marks())
		require.Equal(w, []string{"formulas of order changed; its records are computed again: of 1 record checked, out of 1, 0 get other values; 1 sealed record keeps the approved values"},
			w.plannedSteps(model("concat('M', size)")))

		// As if the rows had not been computed yet.
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			if err := tx.System().Exec(`UPDATE d_order__parts SET mark = NULL`).Error; err != nil {
				return err
			}
			return tx.System().Exec(`UPDATE sl_meta SET value = 'none@0' WHERE key = 'formulas:order'`).Error
		}))
		require.Equal(w, []string{"formulas of order changed; its records are computed again: of 1 record checked, out of 1, 1 gets other values (parts)"},
			w.plannedSteps(map[string]func(string) string{"models/order.json": func(text string) string { return strings.Replace(text, "尺寸", "大小", 1) }}))
		require.NoError(w, w.app.CatchUp(w.Context()))
		w.catchesUp(map[string]func(string) string{"models/order.json": func(text string) string { return strings.Replace(text, "尺寸", "大小", 1) }})
		require.Equal(w, []string{"m4", "m5"}, marks())
	})
}
