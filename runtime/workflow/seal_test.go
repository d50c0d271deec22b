package workflow_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	packworld "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// approved is a contract of ann's that supervisors have agreed to.
func (w *world) approved(amount any) workflow.Done {
	w.Helper()
	done := w.start("ann", amount)
	for _, who := range []string{"sue", "sam"} {
		w.agree(who, done.Record)
	}
	require.Equal(w, string(flow.Completed), w.status(done.Instance))
	return done
}

func (w *world) agree(who, id string) {
	w.Helper()
	for _, i := range w.list(who, "unfinished") {
		if i.Record == id {
			_, err := w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: i.ID, Do: "agree", Version: w.version(id), Data: map[string]json.RawMessage{"checked": raw(1)}})
			require.NoError(w, err)
			return
		}
	}
	require.Fail(w, "no task", "%s has none of %s", who, id)
}

// edits is a save of somebody's.
func (w *world) edits(who, id, reason string, set map[string]any) error {
	w.Helper()
	ch := record.Change{Model: "contract", ID: id, Version: w.version(id), Set: map[string]json.RawMessage{}, Amend: reason}
	for code, v := range set {
		ch.Set[code] = raw(v)
	}
	_, err := w.app.Writer().Save(w.Context(), w.as(who), ch)
	return err
}

// amendments are the reasons that somebody was told.
func (w *world) amendments(who string) (out []string) {
	w.Helper()
	page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 50})
	require.NoError(w, err)
	for _, m := range page.Content {
		if m.Type == 32 {
			out = append(out, m.Content)
		}
	}
	return out
}

func (w *world) form(who, id string) *query.FormLoad {
	w.Helper()
	out, err := w.app.Reader().FormLoad(w.Context(), w.as(who), query.FormRequest{SchemaCode: "contract", ObjectID: id})
	require.NoError(w, err)
	return out
}

// TestSeal: what was approved stays as it was. Who may amend changes it, with a reason that is in the course and that those who approved hear of; nobody
// else does, by no way.
func TestSeal(t *testing.T) {
	each(t, func(w *world) {
		id, err := w.app.AddUser(w.Context(), "alex", "alex", []string{"amender"})
		require.NoError(w, err)
		w.ids["alex"] = id
		done := w.approved(5000)
		id = done.Record
		set := map[string]any{"amount": 999999}
		require.Equal(w, fault.RecordSealed, fault.Of(w.edits("ann", id, "", set)))
		require.Equal(w, fault.Forbidden, fault.Of(w.edits("ann", id, "I may not", set)), "a reason is no right")
		require.NoError(w, w.edits("ann", id, "", map[string]any{"amount": 5000}), "what stays the same is no change")
		require.NotContains(w, w.form("ann", id).Actions, "save")
		require.NotContains(w, w.form("ann", id).Actions, "amend")

		require.Equal(w, []string{}, w.form("alex", id).Seal.Open)
		require.Contains(w, w.form("alex", id).Actions, "amend")
		require.NotContains(w, w.form("alex", id).Actions, "save")
		require.Equal(w, fault.Forbidden, fault.Of(w.edits("alex", id, "", set)))
		require.Equal(w, fault.AmendReason, fault.Of(w.edits("alex", id, "  ", set)))
		require.NoError(w, w.edits("alex", id, "The invoice says so", set))
		log := w.log("sue", done.Instance)
		last := log[len(log)-1]
		require.Equal(w, []any{flow.OpAmend, "The invoice says so", "alex", true}, []any{last.Operation, last.Text, last.Person.Name, last.Changed})
		require.Equal(w, string(flow.Completed), w.status(done.Instance))
		require.Equal(w, []string{"The invoice says so"}, w.amendments("ann"))
		for _, who := range []string{"sue", "sam"} {
			require.Equal(w, []string{""}, w.amendments(who), "who cannot read the record reads the reason in the course")
		}
		require.Empty(w, w.amendments("sid"), "sid did not decide")
		kept, rebuilt, err := w.flows().Verify(w.Context(), done.Instance)
		require.NoError(w, err)
		require.Equal(w, rebuilt, kept)

		// A second workflow opens nothing, and its end as a draft does not either.
		_, err = w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Record: id, Version: w.version(id), Data: map[string]json.RawMessage{"amount": raw(1)}})
		require.Equal(w, fault.RecordSealed, fault.Of(err))
	})
}

// TestSealAndCode: code of packs writes what was approved for a reason of its own, and the course says so; in the name of a person alone it is bound as
// the person is. What the workflow itself writes is part of what it approves.
func TestSealAndCode(t *testing.T) {
	each(t, func(w *world) {
		done := w.approved(7)
		who, _ := w.app.Caller(w.Context(), "ann")
		writes := func(reason string) error {
			return w.app.Act(w.Context(), who, func(s packworld.World) (err error) {
				if reason != "" {
					if s, err = s.As(reason); err != nil {
						return err
					}
				}
				_, err = s.Update(w.Context(), "contract", done.Record, *w.version(done.Record), map[string]any{"state": "PAID"})
				return err
			})
		}
		before := len(w.log("ann", done.Instance))
		require.Equal(w, fault.RecordSealed, fault.Of(writes("")))
		require.Len(w, w.log("ann", done.Instance), before)
		require.NoError(w, writes("approvalsCount"))
		log := w.log("ann", done.Instance)
		last := log[len(log)-1]
		require.Equal(w, []any{before + 1, flow.OpCode, "统计", "ann", true}, []any{len(log), last.Operation, last.Text, last.Of.Name, last.Changed})
		require.Empty(w, w.amendments("ann"))
		out, err := w.flows().Compare(w.Context(), w.as("root"), done.Instance, "", last.Number)
		require.NoError(w, err)
		require.Len(w, out.Writes, 1)
	})
}

// TestSealOfVersions: only an end with agreement seals, by a version that was kept with that promise; what a workflow leaves open stays open; another workflow
// that is removed does not take the seal along.
func TestSealOfVersions(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		flowWith := strings.NewReplacer(`"next": ["large"]`, `"next": ["large", {"to": "no", "exit": "disagree"}]`,
			`{"id": "end", "type": "END"`, `{"id": "no", "type": "END", "result": "REJECTED"}, {"id": "end", "type": "END"`)
		settings := func(more string) {
			text := strings.Replace(flowWith.Replace(orderFlow), `"allowVoid": "initiator"`, `"allowVoid": "initiator"`+more, 1)
			w.publish(map[string]func(string) string{"workflows/orderApproval.json": is(text)})
		}
		edits := func(id string, set map[string]json.RawMessage) fault.Code {
			_, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "order", ID: id, Version: w.versionIn("order", id), Set: set})
			return fault.Of(err)
		}
		total := map[string]json.RawMessage{"total": raw(9)}
		agreed := func(in workflow.Done) string {
			_, err := w.agrees("sue", in)
			require.NoError(w, err)
			return in.Record
		}

		settings("")
		require.Equal(w, fault.RecordSealed, edits(agreed(w.asks(1)), total))
		refused := w.asks(2)
		w.act("sue", flow.OpDisagree, func(c *workflow.Command) { c.Opinion = "no" })
		require.Equal(w, "COMPLETED", w.status(refused.Instance))
		require.Zero(w, edits(refused.Record, total), "what was rejected is not sealed")
		voided := w.asks(3)
		_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: voided.Instance, Do: flow.OpVoid, Opinion: "over"})
		require.NoError(w, err)
		require.Zero(w, edits(voided.Record, total))

		settings(`, "finalExcept": ["chief"]`)
		open := agreed(w.asks(4))
		require.Equal(w, fault.RecordSealed, edits(open, total))
		require.Zero(w, edits(open, map[string]json.RawMessage{"chief": raw(w.ids["kim"])}))
		require.Equal(w, fault.RecordSealed, edits(open, map[string]json.RawMessage{"chief": raw(w.ids["sue"]), "floor": raw(8)}))

		settings(`, "final": false`)
		require.Zero(w, edits(agreed(w.asks(5)), total))

		settings("") // as the program kept versions before it knew of seals
		old := w.asks(6)
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_wf_template SET seals = ? WHERE code = ?", false, "orderApproval").Error
		}))
		require.Zero(w, edits(agreed(old), total))
		impacts, err := workflow.ImpactOf(w.Context(), w.app.Store(), w.app.State().Catalog)
		require.NoError(w, err)
		require.Contains(w, workflow.ImpactText(impacts, "en"), "workflow orderApproval: version 1 was kept by an older program")

		// Another workflow of the record is begun and removed.
		again, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "orderApproval", Record: open, Version: w.versionIn("order", open)})
		require.NoError(w, err)
		w.voids(again)
		require.Equal(w, fault.RecordSealed, edits(open, total))
	})
}

func (w *world) versionIn(model, id string) *int64 {
	w.Helper()
	loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: model, ObjectID: id})
	require.NoError(w, err)
	return loaded.Version
}

func (w *world) orderForm(id string) *query.FormLoad {
	w.Helper()
	out, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "order", ObjectID: id})
	require.NoError(w, err)
	return out
}

// TestSealAndRelations: what an approved record refers to is not deleted under it, neither its relation nor one of its rows; a record that comes back from
// the bin does not come back into what was approved without it; code of packs passes, and the course says so.
func TestSealAndRelations(t *testing.T) {
	each(t, func(w *world) {
		firm := `{"name": "单位", "name_i18n": {"en": "Firm"}, "digest": "{title}", "properties": [
  {"code": "title", "name": "名称", "name_i18n": {"en": "Name"}, "propertyType": "ShortText"}]}`
		to := `{"code": "%s", "name": "单位", "name_i18n": {"en": "Firm"}, "propertyType": "RelevanceForm", "relativeCode": "firm", "onDelete": "clear"}`
		grant := `{"schemaCode": "firm", "actions": ["view", "add", "edit", "delete"], "rows": "true", "fields": {"*": "rw"}}`
		w.publish(map[string]func(string) string{
			"models/firm.json": is(firm),
			"models/order.json": is(strings.Replace(orderModel, `"properties": [`, `"properties": [`+strings.Replace(to, "%s", "firm", 1)+`,
  {"code": "rows", "name": "行", "name_i18n": {"en": "Rows"}, "propertyType": "Sheet", "properties": [`+strings.Replace(to, "%s", "maker", 1)+`]},`, 1)),
			"workflows/orderApproval.json": is(strings.Replace(orderFlow, `"title": "rw", `, `"title": "rw", "firm": "rw", "rows": "rw+", `, 1)),
			"access/clerk.json":            w.replaced(`"models": [`, `"models": [`+orderGrant+`, `+grant+`, `),
			"access/machine.json":          w.replaced(`"models": [`, `"models": [`+orderGrant+`, `+grant+`, `),
		})
		firms := map[string]string{}
		for _, name := range []string{"named", "in a row", "free"} {
			saved, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "firm", Set: map[string]json.RawMessage{"title": raw(name)}})
			require.NoError(w, err)
			firms[name] = saved.ID
		}
		deletes := func(name string) record.DeleteState {
			w.Helper()
			seen, err := w.app.Writer().DeleteCheck(w.Context(), w.as("ann"), "firm", []string{firms[name]})
			require.NoError(w, err)
			done, err := w.app.Writer().Delete(w.Context(), w.as("ann"), "firm", []string{firms[name]})
			require.NoError(w, err)
			if done.SuccessCount == 1 {
				require.True(w, record.Deletable(seen[0].ResultCode))
				return record.DeleteState{}
			}
			require.Equal(w, seen, done.Errors)
			return done.Errors[0]
		}
		orders := func(firm string) workflow.Done {
			w.Helper()
			done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "orderApproval", Data: map[string]json.RawMessage{"title": raw("Gate"), "total": raw(3),
				"firm": raw(firms[firm]), "rows": raw([]map[string]any{{"maker": firms["in a row"]}})}})
			require.NoError(w, err)
			return done
		}
		done, other := orders("named"), orders("free")
		require.Empty(w, deletes("free"), "a workflow that is under way keeps no relation")
		for _, one := range []workflow.Done{done, other} {
			_, err := w.agrees("sue", one)
			require.NoError(w, err)
		}
		_, err := w.app.Writer().Restore(w.Context(), w.as("ann"), "firm", firms["free"])
		require.NoError(w, err)
		require.NotContains(w, string(raw(w.orderForm(other.Record))), firms["free"], "it was approved without it")
		before, length := *w.versionIn("order", done.Record), len(w.log("ann", done.Instance))
		for _, name := range []string{"named", "in a row"} {
			require.Contains(w, deletes(name).ResultDesc, "订单", name)
		}
		require.Equal(w, before, *w.versionIn("order", done.Record))

		who, _ := w.app.Caller(w.Context(), "ann")
		require.NoError(w, w.app.Act(w.Context(), who, func(s packworld.World) error {
			coded, err := s.As("approvalsCount")
			if err == nil {
				err = coded.Delete(w.Context(), "firm", firms["named"])
			}
			return err
		}))
		log := w.log("ann", done.Instance)
		require.Len(w, log, length+1)
		require.Equal(w, []any{flow.OpCode, "统计", true}, []any{log[length].Operation, log[length].Text, log[length].Changed})
	})
}

// TestSealInLists: rows offer what their records take now: nothing that changes one which a workflow moves or has approved, also to people who may not see
// that there is a workflow; with what stays open where a right to amend keeps the button. An earlier version is not offered either.
func TestSealInLists(t *testing.T) {
	each(t, func(w *world) {
		for name, roles := range map[string][]string{"una": {"unaware"}, "alex": {"unaware", "amender"}} {
			id, err := w.app.AddUser(w.Context(), name, name, roles)
			require.NoError(w, err)
			w.ids[name] = id
		}
		free, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: map[string]json.RawMessage{"title": raw("Free"), "amount": raw(1)}})
		require.NoError(w, err)
		moved, sealed := w.start("ann", 7), w.approved(5000)
		rows := func(who string) map[string][]any {
			text, err := w.app.Reader().List(w.Context(), w.as(who), query.ListRequest{SchemaCode: "contract", QueryCode: "taken"})
			require.NoError(w, err)
			var page struct {
				Content []struct {
					ID      string
					Actions []string
					Open    []string
				}
			}
			require.NoError(w, json.Unmarshal(text, &page))
			out := map[string][]any{}
			for _, r := range page.Content {
				out[r.ID] = []any{r.Actions, r.Open}
			}
			return out
		}
		every, none := []string{"edit", "delete", "batch_update"}, []string{}
		for _, who := range []string{"ann", "una"} {
			require.Equal(w, map[string][]any{free.ID: {every, []string(nil)}, moved.Record: {none, []string(nil)}, sealed.Record: {none, none}}, rows(who), who)
		}
		require.Equal(w, []any{[]string{"edit"}, none}, rows("alex")[sealed.Record])
		for id, want := range map[string]bool{free.ID: true, moved.Record: false, sealed.Record: false} {
			loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract", ObjectID: id, Moment: &record.Moment{Version: new(int64(1))}})
			require.NoError(w, err)
			require.Equal(w, want, slices.Contains(loaded.Actions, "revert"), id)
		}
	})
}
