package workflow_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// publish changes documents of the tests' pack together; what loses data is allowed. A change gets the text of now, "" where there is none, and returns
// the next one, "" to delete it.
func (w *world) publish(changes map[string]func(text string) string) {
	w.Helper()
	author := w.app.State().Policy.View(principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}, w.app.Now(), w.app.Zone())
	var files []app.Change
	for path, change := range changes {
		now, err := w.app.DocumentText(w.Context(), author, "approvals", path, 0)
		old := ""
		if err == nil && now.Text != nil {
			old = *now.Text
		}
		one := app.Change{Pack: "approvals", Path: path}
		if err == nil {
			one.Seen = now.Seen
		}
		if next := change(old); next != "" {
			one.Text = &next
		}
		files = append(files, one)
	}
	set := app.Changeset{Files: files}
	seen, err := w.app.Look(w.Context(), author, set)
	require.NoError(w, err)
	_, err = w.app.Publish(w.Context(), author, set, app.Confirmation{Steps: seen.Digest, AllowDestructive: true})
	require.NoError(w, err, "%v", seen.Diagnostics)
}

// replaced is a change that replaces texts, each of which has to be there.
func (w *world) replaced(pairs ...string) func(string) string {
	return func(text string) string {
		for i := 0; i < len(pairs); i += 2 {
			require.Contains(w, text, pairs[i])
		}
		return strings.NewReplacer(pairs...).Replace(text)
	}
}

func is(text string) func(string) string { return func(string) string { return text } }

// The documents of these tests: an order whose approval asks the client from a million on.
const (
	orderModel = `{"name": "订单", "name_i18n": {"en": "Order"}, "digest": "{title}", "properties": [
  {"code": "title", "name": "标题", "name_i18n": {"en": "Title"}, "propertyType": "ShortText"},
  {"code": "total", "name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},
  {"code": "floor", "name": "底价", "name_i18n": {"en": "Floor"}, "propertyType": "Number", "scale": 2},
  {"code": "chief", "name": "主管", "name_i18n": {"en": "Chief"}, "propertyType": "StaffSingle"},
  {"code": "state", "name": "状态", "name_i18n": {"en": "State"}, "propertyType": "ShortText"}]}`
	orderFlow = `{"schemaCode": "order", "name": "订单审批", "name_i18n": {"en": "Order approval"}, "settings": {"initiators": {"all": true}, "allowVoid": "initiator"}, "nodes": [
  {"id": "start", "type": "START", "name": "填报", "form": {"fields": {"title": "rw", "total": "rw", "floor": "rw", "chief": "rw"}}, "next": ["check"]},
  {"id": "check", "type": "APPROVE", "name": "审核", "participants": [{"type": "role", "value": ["supervisor"]}], "mode": "ANY", "form": {"fields": {"floor": "-"}}, "next": ["large"]},
  {"id": "large", "type": "SPLIT", "name": "金额", "kind": "XOR", "routes": [{"to": "client", "when": "total >= 1000000"}, {"to": "end", "default": true}]},
  {"id": "client", "type": "APPROVE", "name": "业主审批", "participants": [{"type": "role", "value": ["owner"]}], "mode": "ANY", "form": {"fields": {"chief": "r"}}, "next": ["joined"]},
  {"id": "joined", "type": "JOIN", "of": "large", "next": ["end"]},
  {"id": "end", "type": "END", "name": "结束", "set": {"state": "APPROVED"}}]}`
	orderGrant = `{"schemaCode": "order", "actions": ["view", "add", "edit", "delete"], "rows": "true", "fields": {"*": "rw"}}`
)

// orders publishes them.
func (w *world) orders() {
	w.Helper()
	w.publish(map[string]func(string) string{"models/order.json": is(orderModel), "workflows/orderApproval.json": is(orderFlow),
		"access/clerk.json": w.replaced(`"models": [`, `"models": [`+orderGrant+`, `), "access/machine.json": w.replaced(`"models": [`, `"models": [`+orderGrant+`, `)})
}

func (w *world) asks(total any) workflow.Done {
	w.Helper()
	done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "orderApproval", Data: map[string]json.RawMessage{"title": raw("Gate"), "total": raw(total), "floor": raw(7)}})
	require.NoError(w, err)
	return done
}

// agrees lets somebody agree in an instance.
func (w *world) agrees(who string, in workflow.Done) (workflow.Done, error) {
	w.Helper()
	for _, task := range w.list(who, "unfinished") {
		if task.Instance == in.Instance {
			return w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: task.ID, Do: flow.OpAgree})
		}
	}
	require.Fail(w, "no task", who)
	return workflow.Done{}, nil
}

// readable: whatever became of the version, the course, the task and the instance of the record are read.
func (w *world) readable(in workflow.Done, state string) *workflow.Track {
	w.Helper()
	for _, who := range []string{"ann", "eve"} {
		track, err := w.flows().Track(w.Context(), w.as(who), in.Instance)
		require.NoError(w, err)
		require.Equal(w, state, track.Instance.State)
		if who == "eve" {
			require.True(w, track.Instance.CanVoid || state != "PROCESSING" && state != "EXCEPTION")
			return track
		}
	}
	return nil
}

func (w *world) voids(in workflow.Done) {
	w.Helper()
	_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: in.Instance, Do: flow.OpVoid, Opinion: "over"})
	require.NoError(w, err)
	w.readable(in, "CANCELED")
	require.NoError(w, w.flows().Remove(w.Context(), w.as("eve"), in.Instance, ""))
}

// TestRenamedProperty: an approval of before a property was renamed asks the director as it would have then, hides what it hid, and a publication of
// something else in the meantime stops nobody.
func TestRenamedProperty(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		large, small := w.asks(5_000_000), w.asks(3)
		w.publish(map[string]func(string) string{
			"models/order.json":            w.replaced(`"code": "total"`, `"code": "amountDue", "renamedFrom": "total"`, `"code": "floor"`, `"code": "least", "renamedFrom": "floor"`),
			"workflows/orderApproval.json": w.replaced(`"total"`, `"amountDue"`, "total >=", "amountDue >=", `"floor"`, `"least"`),
		})
		w.readable(large, "PROCESSING")
		for _, task := range w.list("sue", "unfinished") {
			detail, err := w.flows().Detail(w.Context(), w.as("sue"), task.ID)
			require.NoError(w, err)
			shown := string(raw(detail.Form))
			require.Contains(w, shown, `"amountDue"`)
			require.NotContains(w, shown, `"least"`, "the step hides it by the name that it had")
		}
		_, err := w.agrees("sue", large)
		require.NoError(w, err)
		done, err := w.agrees("sue", small)
		require.NoError(w, err)
		require.Equal(w, flow.Completed, done.Status)
		done, err = w.agrees("olga", large)
		require.NoError(w, err, "the client is asked")
		require.Equal(w, flow.Completed, done.Status)
		w.same(large.Instance)
	})
}

// TestLostParts: what an earlier version names and the definitions of now do not have stops an instance where it is reached, with the reason, and no
// sooner; administrators go on from there.
func TestLostParts(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		one, other, third := w.asks(5_000_000), w.asks(3), w.asks(4)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced("订单审批", "订单批准")})
		w.readable(one, "PROCESSING")
		w.publish(map[string]func(string) string{
			"models/order.json":            w.replaced(`{"code": "total", "name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},`, ""),
			"workflows/orderApproval.json": w.replaced(`"total": "rw", `, "", "total >= 1000000", `title == 'x'`),
		})
		w.readable(one, "PROCESSING")
		_, err := w.agrees("sue", one)
		require.NoError(w, err, "who agrees has agreed")
		track := w.readable(one, "EXCEPTION")
		require.Len(w, track.Stuck, 1)
		require.Equal(w, "large", track.Stuck[0].Node)
		require.Equal(w, fault.WorkflowPartBroken, track.Stuck[0].Code)
		require.Contains(w, track.Stuck[0].Fault.MessageEn, "total")
		seen, err := w.flows().Track(w.Context(), w.as("ann"), one.Instance)
		require.NoError(w, err)
		require.Empty(w, seen.Stuck[0].Code, "why is for those who administer workflows")
		w.same(one.Instance)

		moved, err := w.flows().Migrate(w.Context(), w.as("eve"), "orderApproval", []string{"01900000-0000-7000-8000-0000000000ff", one.Instance, other.Instance}, false)
		require.NoError(w, err, "one that is refused stops no other")
		require.Equal(w, fault.WorkflowNotFound, moved[0].Code)
		require.True(w, moved[1].Moved)
		require.True(w, moved[2].Moved)
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: one.Instance, Do: flow.OpRetry})
		require.NoError(w, err)
		w.readable(one, "COMPLETED")
		_, err = w.agrees("sue", other)
		require.NoError(w, err)
		w.voids(third)
	})
}

// TestLostPeople: a role that is gone is nobody, and a property that named the people of a step stops the instance there.
func TestLostPeople(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		w.publish(map[string]func(string) string{
			"access/ghost.json": is(`{"name": "临时", "name_i18n": {"en": "Ghost"}}`),
			"workflows/orderApproval.json": w.replaced(`"participants": [{"type": "role", "value": ["owner"]}], "mode": "ANY", "form": {"fields": {"chief": "r"}}, "next": ["joined"]`,
				`"participants": [{"type": "role", "value": ["ghost"]}], "mode": "ANY", "form": {"fields": {"chief": "r"}}, "next": ["chief"]}, {"id": "chief", "type": "APPROVE", "name": "主管", "participants": [{"type": "previousChoice", "candidates": [{"type": "field", "propertyCode": "chief"}]}], "mode": "ANY", "next": ["joined"]`)})
		w.gets("kim", "ghost")
		in := w.asks(5_000_000)
		w.publish(map[string]func(string) string{
			"access/ghost.json": is(""), "workflows/orderApproval.json": is(strings.NewReplacer(`, "chief": "rw"`, "", `"form": {"fields": {"chief": "r"}}, `, "").Replace(orderFlow)),
			"models/order.json": w.replaced(`{"code": "chief", "name": "主管", "name_i18n": {"en": "Chief"}, "propertyType": "StaffSingle"},`, "")})
		_, err := w.agrees("sue", in)
		require.NoError(w, err)
		w.readable(in, "PROCESSING")
		next, err := w.flows().Next(w.Context(), w.as("eve"), workflow.Command{Item: w.task("eve").ID, Do: flow.OpAgree})
		require.NoError(w, err)
		require.Empty(w, next.Nodes, "nobody is chosen for where it stops")
		_, err = w.agrees("eve", in)
		require.NoError(w, err, "a step of nobody is the administrators'")
		track := w.readable(in, "EXCEPTION")
		require.Equal(w, "chief", track.Stuck[0].Node)
		require.Contains(w, track.Stuck[0].Fault.MessageEn, "chief")
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: in.Instance, Do: flow.OpJump, Node: "end"})
		require.NoError(w, err)
		w.readable(in, "COMPLETED")
	})
}

// TestLostWorkflow: instances of a workflow, or of a model, that was removed are read, voided and deleted.
func TestLostWorkflow(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		one, other, third := w.asks(1), w.asks(2), w.asks(5_000_000)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": is("")})
		require.Equal(w, "订单审批", w.readable(one, "PROCESSING").Instance.WorkflowName)
		_, err := w.agrees("sue", one)
		require.NoError(w, err, "what has begun ends")
		for _, list := range []string{"unfinished", "finished"} {
			tasks := w.list("sue", list)
			require.NotEmpty(w, tasks, list)
			for _, task := range tasks {
				require.Equal(w, []any{"订单审批", map[string]string{"en": "Order approval"}}, []any{task.WorkflowName, task.WorkflowNameI18n}, "%s: it is called as it was", list)
			}
		}
		w.readable(one, "COMPLETED")
		w.publish(map[string]func(string) string{"models/order.json": is(""), "access/clerk.json": w.replaced(orderGrant+`, `, ""), "access/machine.json": w.replaced(orderGrant+`, `, "")})
		w.readable(other, "PROCESSING")
		w.voids(other)
		_, err = w.agrees("sue", third)
		require.NotContains(w, []fault.Code{0, fault.Internal}, fault.Of(err), "%v", err)
		w.voids(third)
	})
}

// TestLostEnd: an END that writes into what is gone, and a call that is tried again after that, stop the instance.
func TestLostEnd(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		ends := w.asks(1)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"mode": "ANY", "form": {"fields": {"floor": "-"}}, "next": ["large"]}`,
			`"mode": "ANY", "form": {"fields": {"floor": "-"}}, "next": ["call"]}, {"id": "call", "type": "SERVICE", "name": "计数", "service": "approvals.count", "async": true, "input": {"amount": "'13'"}, "output": {"state": "result.text"}, "next": ["large"]}`)})
		calls := w.asks(2)
		_, err := w.agrees("sue", calls)
		require.NoError(w, err)
		w.readable(calls, "PROCESSING")
		w.publish(map[string]func(string) string{
			"models/order.json": w.replaced(`,
  {"code": "state", "name": "状态", "name_i18n": {"en": "State"}, "propertyType": "ShortText"}`, ""),
			"workflows/orderApproval.json": is(strings.ReplaceAll(orderFlow, `, "set": {"state": "APPROVED"}`, ""))})
		require.Eventually(w, func() bool { // the server makes the first attempt at the same time, which fails, and puts off the next one
			w.ahead.Add(int64(time.Minute))
			w.fire()
			track, err := w.flows().Track(w.Context(), w.as("eve"), calls.Instance)
			return err == nil && track.Instance.State == "EXCEPTION"
		}, 20*time.Second, 10*time.Millisecond)
		stuck := w.readable(calls, "EXCEPTION").Stuck[0]
		require.Equal(w, "call", stuck.Node)
		require.Equal(w, fault.WorkflowPartBroken, stuck.Code, "nothing was called")
		_, err = w.agrees("sue", ends)
		require.NoError(w, err)
		require.Equal(w, "end", w.readable(ends, "EXCEPTION").Stuck[0].Node)
	})
}

// TestLostPool: a pool whose people a property named keeps those who have its task.
func TestLostPool(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"participants": [{"type": "role", "value": ["supervisor"]}], "mode": "ANY"`,
			`"participants": [{"type": "role", "value": ["supervisor"]}, {"type": "field", "propertyCode": "chief"}], "mode": "CLAIM", "resolve": "live"`)})
		in := w.asks(1)
		w.fire()
		w.have("check", "sue", "sam", "sid")
		w.publish(map[string]func(string) string{
			"models/order.json":            w.replaced(`{"code": "chief", "name": "主管", "name_i18n": {"en": "Chief"}, "propertyType": "StaffSingle"},`, ""),
			"workflows/orderApproval.json": is(strings.NewReplacer(`, "chief": "rw"`, "", `"form": {"fields": {"chief": "r"}}, `, "").Replace(orderFlow))})
		w.gets("sid", "staff")
		w.fire()
		w.have("check", "sue", "sam", "sid")
		_, err := w.agrees("sue", in)
		require.NoError(w, err)
		w.readable(in, "COMPLETED")
	})
}

// TestLostRights: what a step hid or kept from being written is hidden from its people once nobody can tell what it was, and a step of nobody does not
// pass by itself for a role that is gone.
func TestLostRights(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		w.publish(map[string]func(string) string{
			"access/ghost.json": is(`{"name": "临时", "name_i18n": {"en": "Ghost"}}`),
			"workflows/orderApproval.json": w.replaced(`"participants": [{"type": "role", "value": ["owner"]}], "mode": "ANY", "form"`,
				`"participants": [{"type": "role", "value": ["ghost"]}], "emptyPolicy": {"action": "autoPass"}, "mode": "ANY", "form"`)})
		in := w.asks(5_000_000)
		now := strings.ReplaceAll(orderFlow, `"floor"`, `"least"`)
		w.publish(map[string]func(string) string{"access/ghost.json": is(""), "workflows/orderApproval.json": is(now),
			"models/order.json": w.replaced(`"code": "floor"`, `"code": "least", "renamedFrom": "floor"`)})
		w.publish(map[string]func(string) string{"models/order.json": w.replaced(`, "renamedFrom": "floor"`, "")})
		detail, err := w.flows().Detail(w.Context(), w.as("sue"), w.task("sue").ID)
		require.NoError(w, err)
		require.NotContains(w, string(raw(detail.Form)), `"least"`)
		_, err = w.agrees("sue", in)
		require.NoError(w, err)
		w.readable(in, "PROCESSING")
		require.Equal(w, "client", w.task("eve").Node, "administrators decide for a role that is gone")
	})
}

// TestSwappedProperties: two properties changed places, and the text of the workflow did not change. An approval of before asks by what its version
// meant, one of now by what the text means now.
func TestSwappedProperties(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		in := w.asks(5_000_000)
		w.publish(map[string]func(string) string{"models/order.json": w.replaced(`"code": "total"`, `"code": "floor", "renamedFrom": "total"`, `"code": "floor"`, `"code": "total", "renamedFrom": "floor"`)})
		w.readable(in, "PROCESSING")
		_, err := w.agrees("sue", in)
		require.NoError(w, err)
		require.Equal(w, "client", w.task("olga").Node)
		later := w.asks(3)
		require.NotEqual(w, w.readable(in, "PROCESSING").Instance.Version, w.readable(later, "PROCESSING").Instance.Version)
		_, err = w.agrees("sue", later)
		require.NoError(w, err)
		w.readable(later, "COMPLETED")
	})
}

// TestPublishedSince: tasks of a workflow that was published since the start of the server go on after it is published again.
func TestPublishedSince(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		in := w.asks(5_000_000)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced("订单审批", "订单批准")})
		w.readable(in, "PROCESSING")
		_, err := w.agrees("sue", in)
		require.NoError(w, err)
		_, err = w.agrees("olga", in)
		require.NoError(w, err)
		w.readable(in, "COMPLETED")
	})
}

// TestLostOutput: what a sub-workflow, or a call, was to write into a property that is gone stops the instance when it comes back, and a sub-workflow
// that is gone stops it when it is reached.
func TestLostOutput(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		const sub = `{"id": "sub", "type": "SUB", "name": "分项", "workflowCode": "orderPart", "input": {"title": "title"}, "output": {"total": "total"}, "next": ["end"]}`
		w.publish(map[string]func(string) string{
			"workflows/orderPart.json": is(`{"schemaCode": "order", "name": "分项审批", "settings": {"initiators": {"all": true}}, "nodes": [
				{"id": "start", "type": "START", "name": "填报", "next": ["part"]},
				{"id": "part", "type": "APPROVE", "name": "分项审核", "participants": [{"type": "role", "value": ["owner"]}], "mode": "ANY", "next": ["end"]}, {"id": "end", "type": "END"}]}`),
			"workflows/orderApproval.json": w.replaced(`"next": ["large"]}`, `"next": ["sub"]}, `+sub,
				`{"id": "large", "type": "SPLIT", "name": "金额", "kind": "XOR", "routes": [{"to": "client", "when": "total >= 1000000"}, {"to": "end", "default": true}]},`, "",
				`{"id": "client", "type": "APPROVE", "name": "业主审批", "participants": [{"type": "role", "value": ["owner"]}], "mode": "ANY", "form": {"fields": {"chief": "r"}}, "next": ["joined"]},`, "",
				`{"id": "joined", "type": "JOIN", "of": "large", "next": ["end"]},`, "")})
		waits, comes := w.asks(1), w.asks(2)
		_, err := w.agrees("sue", waits)
		require.NoError(w, err)
		child := w.task("olga")
		w.publish(map[string]func(string) string{
			"models/order.json":            w.replaced(`{"code": "total", "name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},`, ""),
			"workflows/orderApproval.json": is(strings.NewReplacer(`"total": "rw", `, "", "total >= 1000000", "title == 'x'").Replace(orderFlow)),
			"workflows/orderPart.json":     is(""),
		})
		_, err = w.flows().Act(w.Context(), w.as("olga"), workflow.Command{Item: child.ID, Do: flow.OpAgree})
		require.NoError(w, err, "the part ends by its own version")
		w.fire()
		track := w.readable(waits, "EXCEPTION")
		require.Equal(w, "sub", track.Stuck[0].Node)
		require.Contains(w, track.Stuck[0].Fault.MessageEn, "orderPart")
		_, err = w.agrees("sue", comes)
		require.NoError(w, err)
		require.Equal(w, "sub", w.readable(comes, "EXCEPTION").Stuck[0].Node)
		w.same(waits.Instance)
		w.voids(waits)
		w.voids(comes)
	})
}

// TestUnreadableVersion: of a version that no program can read there is the state, from which its instances are read, moved and voided.
func TestUnreadableVersion(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"mode": "ANY", "form": {"fields": {"floor": "-"}}`,
			`"mode": "ALL", "opinion": {"secret": true}, "time": {"timeoutMinutes": 5, "onTimeout": [{"action": "autoAgree", "afterMinutes": 0}]}, "form": {"fields": {"floor": "-"}}`)})
		one, other := w.asks(1), w.asks(2)
		for _, task := range w.list("sid", "unfinished") {
			if task.Instance == one.Instance {
				_, err := w.flows().Act(w.Context(), w.as("sid"), workflow.Command{Item: task.ID, Do: flow.OpAgree, Opinion: "between us"})
				require.NoError(w, err)
			}
		}
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced("订单审批", "订单批准")})
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_wf_template SET document = ? WHERE code = ?", []byte(`{"schemaCode": "order", "nodes": [{"id": "start"}]}`), "orderApproval").Error
		}))
		w.readable(one, "PROCESSING")
		seen, err := w.flows().Track(w.Context(), w.as("ann"), one.Instance)
		require.NoError(w, err)
		require.NotContains(w, string(raw(seen)), "between us")
		w.ahead.Add(int64(10 * time.Minute))
		_, _ = w.flows().Fire(w.Context())
		for _, task := range w.list("sue", "unfinished") {
			_, err := w.flows().Detail(w.Context(), w.as("sue"), task.ID)
			require.Equal(w, fault.WorkflowStepGone, fault.Of(err))
			_, err = w.flows().Act(w.Context(), w.as("sue"), workflow.Command{Item: task.ID, Do: flow.OpAgree})
			require.Equal(w, fault.WorkflowStepGone, fault.Of(err))
		}
		for _, do := range []flow.Operation{flow.OpJump, flow.OpRevoke, flow.OpUrge} {
			_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: one.Instance, Do: do, Node: "end"})
			require.NotContains(w, []fault.Code{0, fault.Internal}, fault.Of(err), do)
		}
		w.voids(other)
		moved, err := w.flows().Migrate(w.Context(), w.as("eve"), "orderApproval", []string{one.Instance}, false)
		require.NoError(w, err)
		require.True(w, moved[0].Moved, "%+v", moved)
		w.ahead.Add(int64(24 * time.Hour))
		w.fire()
		w.readable(one, "COMPLETED") // by the time limit, which waited
	})
}

// TestSecretStays: what was said in secret by the version of an instance is not told because today's definition has no secret there.
func TestSecretStays(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"mode": "ANY", "form": {"fields": {"floor": "-"}}`, `"mode": "ALL", "opinion": {"secret": true}, "form": {"fields": {"floor": "-"}}`)})
		in := w.asks(1)
		_, err := w.flows().Act(w.Context(), w.as("sid"), workflow.Command{Item: w.task("sid").ID, Do: flow.OpAgree, Opinion: "between us"})
		require.NoError(w, err)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": is(orderFlow)})
		for who, told := range map[string]bool{"ann": false, "eve": true} {
			track, err := w.flows().Track(w.Context(), w.as(who), in.Instance)
			require.NoError(w, err)
			require.Equal(w, told, strings.Contains(string(raw(track)), "between us"), who)
		}
	})
}

// TestLostForecast: behind a split whose condition means nothing any more nothing is foretold, neither its people nor the default route.
func TestLostForecast(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		in := w.asks(5_000_000)
		states := func() map[string]string {
			out := map[string]string{}
			for _, n := range w.readable(in, "PROCESSING").Nodes {
				out[n.Node] = n.State
				require.True(w, n.State == "future" || len(n.Predicted) == 0, n.Node)
			}
			return out
		}
		require.Equal(w, map[string]string{"start": "done", "check": "active", "large": "future", "client": "future", "joined": "future", "end": "future"}, states())
		w.publish(map[string]func(string) string{
			"models/order.json":            w.replaced(`{"code": "total", "name": "总额", "name_i18n": {"en": "Total"}, "propertyType": "Number", "scale": 2},`, ""),
			"workflows/orderApproval.json": w.replaced(`"total": "rw", `, "", "total >= 1000000", `title == 'x'`)})
		require.Equal(w, map[string]string{"start": "done", "check": "active", "large": "future", "client": "never", "joined": "never", "end": "never"}, states())
		_, err := w.agrees("sue", in)
		require.NoError(w, err)
		require.Equal(w, "large", w.readable(in, "EXCEPTION").Stuck[0].Node, "as was foretold")
	})
}

// TestLostLimits: where a role is gone that kept people away from a step, or up to which superiors are asked, the step stops: nobody can tell whom it
// was not to ask.
func TestLostLimits(t *testing.T) {
	for name, participants := range map[string]string{
		"exclude":    `{"type": "role", "value": ["owner"], "exclude": [{"type": "role", "value": ["ghost"]}]}`,
		"candidates": `{"type": "previousChoice", "min": 0, "candidates": [{"type": "role", "value": ["owner"], "exclude": [{"type": "role", "value": ["ghost"]}]}]}`,
		"until":      `{"type": "superiors", "from": "initiator", "until": "ghost"}`,
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(w *world) {
				w.orders()
				w.alter("user", w.ids["ann"], map[string]any{"mainDepartment": w.keep("department", map[string]any{"name": "Office", "leader": map[string]any{"id": w.ids["otto"]}})})
				w.publish(map[string]func(string) string{
					"access/ghost.json":            is(`{"name": "临时", "name_i18n": {"en": "Ghost"}}`),
					"workflows/orderApproval.json": w.replaced(`"participants": [{"type": "role", "value": ["owner"]}]`, `"participants": [`+participants+`]`)})
				w.gets("olga", "owner", "ghost")
				in := w.asks(5_000_000)
				w.publish(map[string]func(string) string{"access/ghost.json": is(""), "workflows/orderApproval.json": is(orderFlow)})
				_, err := w.agrees("sue", in)
				require.NoError(w, err)
				track := w.readable(in, "EXCEPTION")
				require.Equal(w, "client", track.Stuck[0].Node)
				require.Equal(w, fault.WorkflowPartBroken, track.Stuck[0].Code)
				require.Contains(w, track.Stuck[0].Fault.MessageEn, "ghost")
				w.have("client")
				w.moves(in)
				_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: in.Instance, Do: flow.OpRetry})
				require.NoError(w, err)
				w.have("client", "olga", "otto")
			})
		})
	}
}

// saysIn lets somebody agree in an instance with words.
func (w *world) saysIn(who string, in workflow.Done, words string) {
	w.Helper()
	for _, task := range w.list(who, "unfinished") {
		if task.Instance == in.Instance {
			_, err := w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: task.ID, Do: flow.OpAgree, Opinion: words})
			require.NoError(w, err)
			return
		}
	}
	require.Fail(w, "no task", who)
}

// moves lets an instance go on by the definition of now.
func (w *world) moves(in workflow.Done) {
	w.Helper()
	moved, err := w.flows().Migrate(w.Context(), w.as("eve"), "orderApproval", []string{in.Instance}, false)
	require.NoError(w, err)
	require.True(w, moved[0].Moved, "%+v", moved)
}

// hearsIn compares which words people read in the course of an instance, in its log and on paper.
func (w *world) hearsIn(in workflow.Done, words string, told map[string]bool) {
	w.Helper()
	for who, reads := range told {
		track, err := w.flows().Track(w.Context(), w.as(who), in.Instance)
		require.NoError(w, err)
		require.Equal(w, reads, strings.Contains(string(raw(track.Log)), words), "the log of %s: %s", who, words)
		require.NoError(w, w.app.Store().Read(w.Context(), func(ctx context.Context, tx *store.Tx) error {
			paper, err := w.flows().Course(ctx, tx, w.as(who), in.Instance)
			require.NoError(w, err)
			require.Equal(w, reads, strings.Contains(string(raw(paper.Log)), words), "the paper of %s: %s", who, words)
			return nil
		}))
	}
}

// TestSecretAfterMove: of an instance that was moved to a version without a step, what was said there openly is read by everybody who reads the rest, with
// its files, and what was said in secret by nobody else; nor does a version that keeps a step open tell what was said there in secret before. A version
// that cannot be read any more is one that was secret.
func TestSecretAfterMove(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		const role = `"participants": [{"type": "role", "value": ["supervisor"]}], "mode": "ANY", `
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"next": ["check"]}`, `"next": ["first"]},
			{"id": "first", "type": "APPROVE", "name": "初审", `+role+`"next": ["hush"]},
			{"id": "hush", "type": "APPROVE", "name": "内审", `+role+`"opinion": {"secret": true}, "next": ["check"]}`)})
		w.lend("sam", "kim", -1, 9, func(o *workflow.DelegationOrder) { o.KeepCopy = true })
		in := w.asks(1)
		file := w.upload("kim", "open.txt")
		for _, task := range w.list("kim", "unfinished") {
			_, err := w.flows().Act(w.Context(), w.as("kim"), workflow.Command{Item: task.ID, Do: flow.OpAgree, Opinion: "in the open", Files: []string{file}})
			require.NoError(w, err)
		}
		w.saysIn("kim", in, "between us")
		read := func(open bool) {
			w.Helper()
			w.hearsIn(in, "in the open", map[string]bool{"ann": open, "sid": open, "kim": true, "eve": true})
			w.hearsIn(in, "between us", map[string]bool{"ann": false, "sid": false, "kim": true, "eve": true})
			require.Equal(w, open, w.reads("ann", file))
			lent := string(raw(w.list("sam", "delegated")))
			require.Equal(w, open, strings.Contains(lent, "in the open"), lent)
			require.NotContains(w, lent, "between us")
		}
		read(true)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": is(strings.ReplaceAll(orderFlow, `"mode": "ANY", "form": {"fields": {"floor": "-"}}`, `"mode": "ALL", "opinion": {"secret": true}, "form": {"fields": {"floor": "-"}}`))})
		read(true)
		w.moves(in)
		read(true)
		w.saysIn("sid", in, "among ourselves")
		w.hearsIn(in, "among ourselves", map[string]bool{"ann": false, "sue": false, "sid": true, "eve": true})
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": is(orderFlow)})
		w.moves(in)
		read(true)
		w.hearsIn(in, "among ourselves", map[string]bool{"ann": false, "sue": false, "sid": true, "eve": true})
		track, err := w.flows().Track(w.Context(), w.as("ann"), in.Instance)
		require.NoError(w, err)
		require.NotContains(w, string(raw(track)), "among ourselves", "nor among the tasks of the step")
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("DELETE FROM sl_wf_template WHERE code = ? AND version <= ?", "orderApproval", 2).Error
		}))
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": is(strings.ReplaceAll(orderFlow, "订单审批", "订单批准"))})
		read(false)
		w.same(in.Instance)
	})
}

// TestLostKeeper: opinions of a step whose property is gone are kept by no other property.
func TestLostKeeper(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		const lead, audit = `{"code": "lead", "name": "领导意见", "name_i18n": {"en": "Lead"}, "propertyType": "ApprovalOpinion"}`, `{"code": "audit", "name": "审计意见", "name_i18n": {"en": "Audit"}, "propertyType": "ApprovalOpinion"}`
		w.publish(map[string]func(string) string{
			"models/order.json":            w.replaced(`{"code": "total"`, lead+", "+audit+`, {"code": "total"`),
			"workflows/orderApproval.json": w.replaced(`"mode": "ANY", "form": {"fields": {"floor": "-"}}`, `"mode": "ANY", "opinion": {"propertyCode": "audit"}, "form": {"fields": {"floor": "-"}}`)})
		in := w.asks(1)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": is(orderFlow), "models/order.json": w.replaced(", "+audit, "")})
		_, err := w.flows().Act(w.Context(), w.as("sue"), workflow.Command{Item: w.task("sue").ID, Do: flow.OpAgree, Opinion: "audited"})
		require.NoError(w, err)
		loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "order", ObjectID: in.Record})
		require.NoError(w, err)
		require.Contains(w, string(raw(loaded)), `"lead"`)
		require.NotContains(w, string(raw(loaded.Data)), "audited")
	})
}
