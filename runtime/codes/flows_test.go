package codes_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// flowFile is the document whose versions instances run by; further is the one with a step more.
const flowFile = "workflows/«approval».json"

var further = strings.Replace(documents[flowFile], `"next": ["«large»"]},`, `"next": ["«again»"]},
  {"id": "«again»", «was:again»"type": "APPROVE", "name": "复核", "participants": [{"type": "role", "value": ["«clerk»"]}], "mode": "ANY", "next": ["«large»"]},`, 1)

// flows are what people see of workflows and their steps.
var flows = map[string]func(s *shop) any{
	"courses": func(s *shop) any { return s.each(s.course) },
	"paper":   func(s *shop) any { return s.each(s.signers) },
	"tasks": func(s *shop) any {
		var out []any
		for _, list := range []string{"unfinished", "finished"} {
			page, err := s.app.Workflows().Items(s.Context(), s.view(), list, workflow.Search{Size: 100})
			require.NoError(s, err)
			for _, one := range page.Content {
				out = append(out, list, one.ID, one.Workflow, one.Node, one.NodeName, one.Due != nil, one.CanWithdraw)
			}
		}
		require.NotEmpty(s, out)
		return out
	},
	"versions": func(s *shop) any {
		counts, err := s.app.Workflows().VersionCounts(s.Context(), s.admin())
		require.NoError(s, err)
		at := slices.IndexFunc(counts, func(one workflow.VersionCount) bool { return one.Workflow == s.now["approval"] })
		all, err := s.app.Workflows().Versions(s.Context(), s.admin(), s.now["approval"])
		require.NoError(s, err)
		out := []any{counts[at].Count, counts[at].Old}
		for _, v := range all {
			out = append(out, v.Version, v.Current, v.Instances)
			for _, one := range v.Instances {
				fits, err := s.app.Workflows().Migrate(s.Context(), s.admin(), s.now["approval"], []string{one.Instance}, true)
				require.NoError(s, err)
				out = append(out, fits)
			}
		}
		return out
	},
	"records at a step": func(s *shop) any {
		page, err := s.app.Reader().List(s.Context(), s.view(), query.ListRequest{SchemaCode: s.now["order"], QueryCode: "waiting"})
		require.NoError(s, err)
		var rows struct {
			Content []struct{ ID string }
		}
		require.NoError(s, json.Unmarshal(page, &rows))
		require.NotEmpty(s, rows.Content)
		return rows
	},
}

// each is what is seen of every instance of the approval.
func (s *shop) each(see func(id string) any) any {
	out := []any{see(s.running.Instance)}
	for _, id := range s.instances {
		out = append(out, see(id))
	}
	return out
}

// course is what people see of an instance, without its times. What is kept of it is what its events make.
func (s *shop) course(id string) any {
	s.Helper()
	track, err := s.app.Workflows().Track(s.Context(), s.view(), id)
	require.NoError(s, err)
	out := []any{track.Instance.State, track.Instance.Version, track.Instance.Current, len(track.Stuck)}
	for _, n := range track.Nodes {
		out = append(out, n.Node, n.Name, n.State, n.Next, n.Routes, n.Of, n.Predicted)
		for _, r := range n.Rounds {
			out = append(out, r.Round, r.State, r.Entry)
			for _, i := range r.Items {
				out = append(out, i.ID, i.Node, i.State, i.Result)
			}
		}
	}
	for _, o := range track.Log {
		out = append(out, o.Node, o.Name, o.Operation)
	}
	kept, rebuilt, err := s.app.Workflows().Verify(s.Context(), id)
	require.NoError(s, err)
	require.Equal(s, kept, rebuilt)
	return append(out, kept.Tokens, kept.Choices)
}

// signers are the steps at which paper shows who signed.
func (s *shop) signers(id string) any {
	s.Helper()
	out := []any{}
	require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		course, err := s.app.Workflows().Course(ctx, tx, s.view(), id)
		if err == nil {
			for _, row := range course.Log {
				out = append(out, row.Node, row.Activity, row.Name, row.Operating)
			}
		}
		return err
	}))
	return out
}

// goOn starts an instance, lets the work of others go on, gives the workflow a step more or less, and moves the instances that may move.
func (s *shop) goOn(random *rand.Rand) {
	s.Helper()
	all := s.app.Workflows()
	made := s.save("", 0, map[string]any{"title": "more", "total": 1000 * random.IntN(3), "kind": "«small»", "tags": []string{"«red»"}})
	done, err := all.Start(s.Context(), s.view(), workflow.Start{Workflow: s.now["approval"], Record: made.ID})
	require.NoError(s, err)
	s.instances = append(s.instances, done.Instance)
	s.number++
	tasks, err := all.Items(s.Context(), s.view(), "unfinished", workflow.Search{Size: 100})
	require.NoError(s, err)
	for _, one := range tasks.Content {
		switch do := random.IntN(4); {
		case one.Instance == s.running.Instance:
		case do < 2:
			_, err = all.Act(s.Context(), s.view(), workflow.Command{Item: one.ID, Do: flow.OpAgree})
			require.NoError(s, err)
		case do == 2 && one.Node == s.now["chief"]:
			_, err = all.Act(s.Context(), s.view(), workflow.Command{Item: one.ID, Do: flow.OpReject, Node: s.now["check"], Opinion: "again"})
			require.NoError(s, err)
		}
	}
	switch random.IntN(4) {
	case 0:
		s.changed[flowFile] = further
		s.rename(nil)
	case 1:
		delete(s.changed, flowFile)
		s.rename(nil)
	}
	_, err = s.app.Workflows().Migrate(s.Context(), s.admin(), s.now["approval"], s.instances, false)
	require.NoError(s, err)
}
