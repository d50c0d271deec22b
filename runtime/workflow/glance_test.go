package workflow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestInstanceNames: names of instances hold names of people and records and the labels of options, and no ids.
func TestInstanceNames(t *testing.T) {
	each(t, func(w *world) {
		part, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "part", Set: w.set("name", "Gate")})
		require.NoError(w, err)
		done := w.begin("waiting", map[string]any{"title": "Lock", "manager": w.ids["sue"], "kind": "WORKS", "source": part.ID})
		mine, err := w.flows().Mine(w.Context(), w.as("ann"), workflow.InstanceSearch{Size: 5}, false)
		require.NoError(w, err)
		require.Equal(w, done.Instance, mine.Content[0].ID)
		require.Equal(w, "Lock sue 施工 Gate", mine.Content[0].Name)
	})
}

// TestRowsTellOfTheirRecords: the row of a task shows the properties that its workflow names, in the order of the workflow and with the rights of the
// step: what is hidden there is left out.
func TestRowsTellOfTheirRecords(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("contractApproval", map[string]any{"title": "Lock gate", "amount": 5000, "manager": w.ids["kim"]})
		other := w.begin("contractApproval", map[string]any{"title": "Lock wall", "amount": 7})
		lines := func(who, list string) map[string][]string {
			out := map[string][]string{}
			for _, i := range w.list(who, list) {
				for _, one := range i.Summary {
					out[i.Instance] = append(out[i.Instance], one.Name+" "+one.Text)
				}
			}
			return out
		}
		require.Equal(w, map[string][]string{done.Instance: {"经办人 kim", "金额 5000.00"}, other.Instance: {"金额 7.00"}}, lines("sue", "unfinished"))
		task := w.list("sue", "unfinished")[1]
		require.Equal(w, done.Instance, task.Instance)
		require.Equal(w, &workflow.Votes{All: 3, Open: 3, Need: 2}, task.Votes)
		for _, step := range []struct {
			who   string
			votes workflow.Votes
		}{{"sue", workflow.Votes{All: 3, Agreed: 1, Open: 2, Need: 2}}} {
			_, err := w.flows().Act(w.Context(), w.as(step.who), workflow.Command{Item: task.ID, Do: flow.OpAgree, Data: w.set("checked", 1), Version: w.version(done.Record)})
			require.NoError(w, err)
			for _, i := range w.list("sam", "unfinished") {
				if i.Instance == done.Instance {
					require.Equal(w, &step.votes, i.Votes)
					detail, err := w.flows().Detail(w.Context(), w.as("sam"), i.ID)
					require.NoError(w, err)
					require.Equal(w, &step.votes, detail.Item.Votes)
				}
			}
		}
		require.Nil(w, w.list("sue", "finished")[0].Votes)
	})
}

// TestInstancesTellOfTheirRecords: rows of what somebody started, of all instances and of what an audit found show the same properties, with the rights
// of who reads them: the initiator sees what a step hides, and who looks after workflows does not see what their role hides.
func TestInstancesTellOfTheirRecords(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("contractApproval", map[string]any{"title": "Lock gate", "amount": 5000, "secret": 4000, "manager": w.ids["kim"]})
		w.begin("branches", map[string]any{"title": "Lock wall", "amount": 7})
		lines := func(of workflow.Instance) (out []string) {
			require.NotNil(w, of.Summary)
			for _, one := range of.Summary {
				out = append(out, one.Name+" "+one.Text)
			}
			return out
		}
		listed := func(who string, all bool) map[string][]string {
			page, err := w.flows().Mine(w.Context(), w.as(who), workflow.InstanceSearch{Size: 5}, all)
			require.NoError(w, err)
			require.Len(w, page.Content, 2)
			out := map[string][]string{}
			for _, one := range page.Content {
				if told := lines(one); len(told) > 0 {
					out[one.ID] = told
				}
			}
			return out
		}
		whole, part := []string{"经办人 kim", "底价 4000.00", "金额 5000.00"}, []string{"经办人 kim", "金额 5000.00"}
		require.Equal(w, map[string][]string{done.Instance: whole}, listed("ann", false))
		require.Empty(w, listed("eve", true), "no role shows their contracts")
		w.gets("eve", "checker")
		require.Equal(w, map[string][]string{done.Instance: part}, listed("eve", true))

		w.alter("user", w.ids["ann"], map[string]any{"disabled": true})
		w.audited()
		found, err := w.flows().Findings(w.Context(), w.as("eve"), 0, 10)
		require.NoError(w, err)
		told := map[string][]string{}
		for _, one := range found.Content {
			told[one.Instance.ID] = lines(one.Instance)
		}
		require.Equal(w, part, told[done.Instance])
	})
}

// TestVotesOfSecretSteps: where opinions are secret, nobody is told how many have agreed so far.
func TestVotesOfSecretSteps(t *testing.T) {
	each(t, func(w *world) {
		members := func(who ...string) (out []map[string]any) {
			for _, one := range who {
				out = append(out, map[string]any{"person": w.ids[one]})
			}
			return out
		}
		w.keep("definedDepartment", map[string]any{"code": "clerks", "name": "Clerks", "members": members("ann")})
		w.keep("definedDepartment", map[string]any{"code": "experts", "name": "Experts", "members": members("olga", "kim")})
		office := w.keep("department", map[string]any{"name": "Office", "kind": "PROJECT"})
		for _, who := range []string{"ann", "sue", "sam"} {
			w.alter("user", w.ids[who], map[string]any{"mainDepartment": office})
		}
		w.begin("board", map[string]any{"title": "Lock gate"})
		require.Equal(w, &workflow.Votes{All: 2, Open: 2, Need: 2}, w.task("olga").Votes)
		w.act("olga", flow.OpAgree)
		w.act("kim", flow.OpAgree)
		require.Nil(w, w.task("sue").Votes)
		detail, err := w.flows().Detail(w.Context(), w.as("sue"), w.task("sue").ID)
		require.NoError(w, err)
		require.Nil(w, detail.Item.Votes)
	})
}

// TestWhoseTurnItIs: of a step in turn, its current handler is who can act, and not who comes later.
func TestWhoseTurnItIs(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("telling", map[string]any{"title": "Lock gate"})
		mine, err := w.flows().Mine(w.Context(), w.as("ann"), workflow.InstanceSearch{Size: 5}, false)
		require.NoError(w, err)
		require.Equal(w, done.Instance, mine.Content[0].ID)
		people := mine.Content[0].Current[0].People
		require.Len(w, people, 1)
		require.Len(w, w.list(people[0].Name, "unfinished"), 1)
	})
}

// TestKnownWorkflows: filters know the workflows of a list, whatever its reader may start; who delegates knows those in which they decide.
func TestKnownWorkflows(t *testing.T) {
	each(t, func(w *world) {
		known := func(who, list string) (out []string) {
			found, err := w.flows().Known(w.Context(), w.as(who), list)
			require.NoError(w, err)
			for _, one := range found {
				require.NotEqual(w, one.Code, one.Name)
				out = append(out, one.Code)
			}
			return out
		}
		w.start("ann", 5)
		w.begin("waiting", map[string]any{"title": "x", "number": "A-1"})
		require.Equal(w, []string{"contractApproval"}, known("sue", "unfinished"))
		require.Empty(w, known("sue", "finished"))
		require.ElementsMatch(w, []string{"contractApproval", "waiting"}, known("ann", "mine"))
		require.ElementsMatch(w, []string{"contractApproval", "waiting"}, known("eve", "query"))
		require.Contains(w, known("olga", "decided"), "contractApproval", "it has no task there yet")
		require.NotContains(w, known("kim", "decided"), "contractApproval")
		require.NotContains(w, known("sue", "decided"), "waiting")
		require.NotContains(w, known("kim", "decided"), "line")
		w.keep("department", map[string]any{"name": "Office", "leader": map[string]any{"id": w.ids["kim"]}})
		require.Contains(w, known("kim", "decided"), "line", "a leader of a department may get a task any time")
		require.NotContains(w, known("kim", "decided"), "contractApproval")
		_, err := w.flows().Known(w.Context(), w.as("sue"), "query")
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.flows().Known(w.Context(), w.as("sue"), "all")
		require.Equal(w, fault.BadParameter, fault.Of(err))
		d := w.lend("sue", "kim", 0, 1, func(o *workflow.DelegationOrder) { o.Codes = []string{"contractApproval"} })
		require.Equal(w, "合同审批", d.Known[0].Name)
		start, err := w.flows().StartList(w.Context(), w.as("ann"))
		require.NoError(w, err)
		require.Equal(w, "waiting", start.Recent[0].Code)
	})
}

// TestNoDelegationOfThePast: a period that is over is refused; one that is switched off may be kept.
func TestNoDelegationOfThePast(t *testing.T) {
	each(t, func(w *world) {
		now := w.app.Now()
		o := workflow.DelegationOrder{To: w.ids["kim"], Starts: now.Add(-2 * time.Hour), Ends: now.Add(-time.Hour), Enabled: true}
		_, err := w.flows().Delegate(w.Context(), w.as("sue"), o)
		require.Equal(w, fault.DelegationPast, fault.Of(err))
		o.Enabled = false
		_, err = w.flows().Delegate(w.Context(), w.as("sue"), o)
		require.NoError(w, err)
	})
}
