package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

func values(amount any) map[string]json.RawMessage {
	return map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(amount)}
}

func (w *world) rehearse(run workflow.RehearsalRun) workflow.RehearsedRun {
	w.Helper()
	if w.ids["ada"] == "" {
		id, err := w.app.AddUser(w.Context(), "ada", "ada", []string{"administrator"})
		require.NoError(w, err)
		w.ids["ada"] = id
	}
	out, err := w.flows().Rehearse(w.Context(), w.as("ada"), workflow.Rehearsal{Workflow: "contractApproval", Runs: []workflow.RehearsalRun{run}})
	require.NoError(w, err)
	return out.Runs[0]
}

// story writes a run in short lines.
func story(run workflow.RehearsedRun) []string {
	var out []string
	for _, s := range run.Steps {
		line := s.Kind + " " + s.Node
		if s.By != nil {
			line += " " + s.By.Name + " " + s.Verdict
		}
		for _, p := range s.People {
			line += " " + p.Person.Name + ":" + p.State
		}
		for _, p := range s.Dropped {
			line += " -" + p.Person.Name
		}
		for _, r := range s.Routes {
			if r.Taken {
				line += " > " + r.To
			}
		}
		for _, v := range s.Sets {
			line += " " + v.Property + "=" + v.Text
		}
		if s.Text.En != "" {
			line += " (" + s.Text.En + ")"
		}
		if s.Refused != nil {
			line += " refused: " + s.Refused.En
		}
		out = append(out, line)
	}
	return append(out, run.Outcome+" "+run.Result)
}

// TestRehearsal: a run tells who would have it, why, and which way it goes.
func TestRehearsal(t *testing.T) {
	each(t, func(w *world) {
		run := w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(1_200_000)})
		require.Equal(w, []string{
			"start start ann:DONE",
			"approve check sam:DONE sid:DONE sue:CANCELLED",
			"decision check sam agree",
			"decision check sid agree",
			"split large > client (amount >= 1000000: amount is 1200000)",
			"approve client olga:DONE otto:CANCELLED",
			"decision client olga agree",
			"end end state=APPROVED (Ends: agreed)",
			"ENDED AGREED",
		}, story(run))
		check := run.Steps[1]
		require.Equal(w, workflow.Words{Zh: "角色“监理”", En: "role “Supervisor”"}, check.People[0].Why[0])
		var missing []string
		for _, f := range run.Findings {
			missing = append(missing, f.Kind+" "+f.Node+" "+f.Text.En)
		}
		require.Equal(w, []string{"missing check Checked amount: Required"}, missing)
		require.Equal(w, 101, run.Messages[0].Type)
		require.Equal(w, "待办任务", run.Messages[0].Name.Zh)
		require.Empty(w, run.Nobody)
		require.Empty(w, run.Never)

		small := w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(5)})
		require.Contains(w, story(small), "split large > end (no other condition holds)")
		require.Equal(w, []string{"client", "joined"}, []string{small.Never[0].Node, small.Never[1].Node})
	})
}

// TestRehearsalScript: decisions of a script are made at their nodes, in their order.
func TestRehearsalScript(t *testing.T) {
	each(t, func(w *world) {
		run := w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(2_000_000), Decisions: []workflow.RehearsalDecision{
			{Node: "check", Person: "sue", Values: map[string]json.RawMessage{"checked": raw(7)}},
			{Node: "client", Do: "reject", To: "start", Opinion: "why"},
			{Node: "start", Do: "submit"},
			{Node: "client", Do: "disagree"},
		}})
		lines := story(run)
		require.Contains(w, lines, "decision client olga reject (Sends it back to “Request”)")
		require.Contains(w, lines, "start start ann:DONE (Sent back to here)")
		at := slices.Index(lines, "decision check sue agree")
		require.Positive(w, at)
		require.Equal(w, "decision start ann submit", lines[slices.Index(lines, "start start ann:DONE (Sent back to here)")+1])
		require.Contains(w, string(run.Values), `"checked":"7"`)

		run = w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(1), Decisions: []workflow.RehearsalDecision{{Node: "check", Do: "timeout"}, {Node: "client"}}})
		require.Contains(w, story(run), "time check sam timeout (sam does nothing)")
		require.Contains(w, story(run), "time check (After the timeout: it is agreed to automatically, which is not possible here)", "a required field is empty")
		require.Equal(w, []int{1}, run.Unused)

		run = w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(1), Decisions: []workflow.RehearsalDecision{
			{Node: "check", Person: "sam", Do: "transfer", To: "kim"}, {Node: "check", Person: "kim"}}})
		require.Contains(w, story(run), "decision check sam transfer (Passes it on to kim)")
		require.Contains(w, story(run), "decision check kim agree", "who gets it decides")
		require.Equal(w, workflow.OutcomeEnded, run.Outcome)
		run = w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(2_000_000), Decisions: []workflow.RehearsalDecision{{Node: "client", Do: "transfer", To: "kim"}}})
		require.Equal(w, workflow.OutcomeRefused, run.Outcome, "the node does not allow it")

		run = w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(1), Decisions: []workflow.RehearsalDecision{{Node: "check", Do: "reject", To: "client"}}})
		require.Equal(w, workflow.OutcomeRefused, run.Outcome)
		require.NotNil(w, run.Steps[len(run.Steps)-1].Refused)
	})
}

// TestRehearsalWho: what a run tells of people who do not get it, and of a start that would be refused.
func TestRehearsalWho(t *testing.T) {
	each(t, func(w *world) {
		_, err := w.flows().Delegate(w.Context(), w.as("olga"), workflow.DelegationOrder{To: w.ids["kim"], Starts: w.app.Now().AddDate(0, 0, -1), Ends: w.app.Now().AddDate(0, 0, 1), Enabled: true})
		require.NoError(w, err)
		run := w.rehearse(workflow.RehearsalRun{Initiator: "sue", Values: values(2_000_000)})
		require.Equal(w, "start", run.Findings[0].Kind)
		client := run.Steps[slices.IndexFunc(run.Steps, func(s workflow.RehearsedStep) bool { return s.Kind == "approve" && s.Node == "client" })]
		require.Equal(w, "kim", client.People[0].Person.Name)
		require.Equal(w, "Stands in for olga", client.People[0].Why[0].En)
		require.Equal(w, "olga", client.Dropped[0].Person.Name)
		require.Equal(w, "Delegated to kim", client.Dropped[0].Why[0].En)

		for _, who := range []string{"olga", "otto"} {
			w.disable(who)
		}
		run = w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(2_000_000)})
		client = run.Steps[slices.IndexFunc(run.Steps, func(s workflow.RehearsedStep) bool { return s.Kind == "approve" && s.Node == "client" })]
		require.Len(w, client.Dropped, 2)
		require.Equal(w, "The account is disabled", client.Dropped[0].Why[0].En)
		require.Equal(w, "eve", client.People[0].Person.Name)
		require.Equal(w, "client", run.Nobody[0].Node)
		require.True(w, run.Nobody[0].Reached)
		require.Equal(w, "Nobody has it: it goes to the workflow administrators", run.Nobody[0].Policy.En)
		run = w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(2)})
		require.Equal(w, "client", run.Nobody[0].Node)
		require.False(w, run.Nobody[0].Reached)
	})
}

// TestRehearsalRefusals: who may not, and requests that fit nothing.
func TestRehearsalRefusals(t *testing.T) {
	each(t, func(w *world) {
		ask := func(who string, in workflow.Rehearsal) error {
			_, err := w.flows().Rehearse(w.Context(), w.as(who), in)
			return err
		}
		runs := []workflow.RehearsalRun{{Initiator: "ann", Values: values(1)}}
		for _, who := range []string{"ann", "sue", "kim"} {
			require.Equal(w, fault.Forbidden, fault.Of(ask(who, workflow.Rehearsal{Workflow: "contractApproval", Runs: runs})), who)
		}
		require.Equal(w, fault.WorkflowNotFound, fault.Of(ask("eve", workflow.Rehearsal{Workflow: "none", Runs: runs})))
		require.Equal(w, fault.BadParameter, fault.Of(ask("eve", workflow.Rehearsal{Workflow: "contractApproval"})))
		document := json.RawMessage(`{"schemaCode": "contract", "nodes": [{"id": "start", "type": "START", "next": ["end"]}, {"id": "end", "type": "END"}]}`)
		require.Equal(w, fault.Forbidden, fault.Of(ask("eve", workflow.Rehearsal{Workflow: "contractApproval", Document: &document, Runs: runs})), "only those who may publish propose")
		var misfit *workflow.Misfit
		require.True(w, errors.As(ask("eve", workflow.Rehearsal{Workflow: "contractApproval", Runs: []workflow.RehearsalRun{{Initiator: "ann", Decisions: []workflow.RehearsalDecision{{Node: "chekc"}}}}}), &misfit))
		require.Equal(w, workflow.Misfit{Decision: 0, Key: "activityCode", Word: "chekc", Near: "check"}, *misfit)
		err := ask("eve", workflow.Rehearsal{Workflow: "contractApproval", Runs: []workflow.RehearsalRun{{Initiator: "ann", Values: map[string]json.RawMessage{"amount": raw("much")}}}})
		require.Equal(w, fault.RecordInvalid, fault.Of(err), "a value of another type")
		run := w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: map[string]json.RawMessage{"amount": raw(1)}})
		require.Equal(w, "Title: Required", run.Findings[0].Text.En, "what is missing is told")
	})
}

// TestRehearsalHides: values that the caller may not read are not told.
func TestRehearsalHides(t *testing.T) {
	each(t, func(w *world) {
		id, err := w.app.AddUser(w.Context(), "cho", "cho", []string{"checker"})
		require.NoError(w, err)
		w.ids["cho"] = id
		saved, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: map[string]json.RawMessage{"title": raw("x"), "secret": raw(77)}})
		require.NoError(w, err)
		runs := []workflow.RehearsalRun{{Initiator: "ann", Record: saved.ID}}
		_, err = w.flows().Rehearse(w.Context(), w.as("eve"), workflow.Rehearsal{Workflow: "reserve", Runs: runs})
		require.Error(w, err, "a record that the caller does not see")
		run, err := w.flows().Rehearse(w.Context(), w.as("cho"), workflow.Rehearsal{Workflow: "reserve", Runs: runs})
		require.NoError(w, err)
		require.Contains(w, story(run.Runs[0]), "split secret > end (secret >= 50: secret is hidden)")
		require.NotContains(w, string(raw(run.Runs[0])), `"77"`)
		require.NotContains(w, string(raw(run.Runs[0])), " 77")
	})
}

// TestRehearsalKeepsNothing compares every row of every table before and after.
func TestRehearsalKeepsNothing(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 3_000_000)
		w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(1)})
		before := w.rows()
		for _, run := range []workflow.RehearsalRun{
			{Initiator: "ann", Values: values(1_200_000)},
			{Initiator: "ann", Record: done.Record, Values: map[string]json.RawMessage{"amount": raw(8)}},
			{Initiator: "ann", Values: map[string]json.RawMessage{"title": raw("x"), "amount": raw(9), "checked": raw(9)}, Decisions: []workflow.RehearsalDecision{{Node: "check", Do: "timeout"}}},
		} {
			require.Equal(w, workflow.OutcomeEnded, w.rehearse(run).Outcome)
		}
		for name, text := range w.rows() {
			require.True(w, before[name] == text, name)
		}
		require.Equal(w, flow.Processing, done.Status)
		w.act("sue", flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 1}))
		w.same(done.Instance)
	})
}

// rows are the contents of all tables, as text.
func (w *world) rows() map[string]string {
	w.Helper()
	out := map[string]string{}
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		db := tx.System()
		list := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
		if db.Name() == "postgres" {
			list = `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`
		}
		var names []string
		if err := tx.System().Raw(list).Scan(&names).Error; err != nil {
			return err
		}
		for _, name := range names {
			if strings.Contains(name, "fts") || slices.Contains([]string{"sl_node", "sl_meta", "sl_schedule", "river_leader", "river_queue"}, name) {
				continue // what a process writes by itself and at its own times
			}
			var rows []map[string]any
			if err := tx.System().Raw(`SELECT * FROM "` + name + `"`).Scan(&rows).Error; err != nil {
				return err
			}
			lines := make([]string, len(rows))
			for i, row := range rows {
				lines[i] = fmt.Sprint(row)
			}
			slices.Sort(lines)
			out[name] = fmt.Sprint(len(rows), " ", strings.Join(lines, "\n"))
		}
		return nil
	}))
	require.Greater(w, len(out), 20)
	return out
}

// TestRehearsalProposed: a document of the editor is played in place of the published one.
func TestRehearsalProposed(t *testing.T) {
	each(t, func(w *world) {
		w.rehearse(workflow.RehearsalRun{Initiator: "ann", Values: values(1)})
		document := json.RawMessage(`{"schemaCode": "contract", "settings": {"skipInitiator": true}, "nodes": [
			{"id": "start", "type": "START", "name": "s", "next": ["own"]},
			{"id": "own", "type": "APPROVE", "name": "o", "participants": [{"type": "initiator"}, {"type": "role", "value": ["clerk"]}, {"type": "person", "value": ["nobody"]}], "mode": "ALL", "next": ["call"]},
			{"id": "call", "type": "SERVICE", "service": "approvals.count", "next": ["all"]},
			{"id": "all", "type": "SPLIT", "kind": "AND", "routes": ["read", "late"]},
			{"id": "read", "type": "CIRCULATE", "name": "r", "participants": [{"type": "role", "value": ["owner"]}], "next": ["both"]},
			{"id": "late", "type": "WAIT", "signal": "paid", "key": "title", "next": ["both"]},
			{"id": "both", "type": "JOIN", "of": "all", "next": ["end"]},
			{"id": "end", "type": "END", "result": "REJECTED"}]}`)
		out, err := w.flows().Rehearse(w.Context(), w.as("ada"), workflow.Rehearsal{Workflow: "contractApproval", Document: &document, Runs: []workflow.RehearsalRun{
			{Initiator: "ann", Values: values(1)}, {Initiator: "ann", Values: values(1), Decisions: []workflow.RehearsalDecision{{Node: "call", Do: "fail"}}}}})
		require.NoError(w, err)
		require.Equal(w, []string{
			"start start ann:DONE",
			"approve own bob:DONE -ann",
			"decision own bob agree",
			"service call (A rehearsal calls no services; it counts as done)",
			"split all > read > late (always; always)",
			"circulate read olga:TODO otto:TODO",
			"wait late (There is no time; the signal counts as received)",
			"end end (Ends: rejected)",
			"ENDED REJECTED",
		}, story(out.Runs[0]))
		own := out.Runs[0].Steps[1]
		require.Len(w, own.Dropped[0].Why, 3, "named by two rules, and agrees by itself")
		require.Equal(w, workflow.OutcomeStuck, out.Runs[1].Outcome)
		require.Equal(w, 1, out.Routes[0].Taken)
		require.Equal(w, 2, out.Nodes[0].Reached)
		require.True(w, out.Proposed)
		bad := json.RawMessage(`{"schemaCode": "contract", "nodes": []}`)
		_, err = w.flows().Rehearse(w.Context(), w.as("ada"), workflow.Rehearsal{Workflow: "contractApproval", Document: &bad, Runs: []workflow.RehearsalRun{{Initiator: "ann"}}})
		require.Error(w, err)
	})
}
