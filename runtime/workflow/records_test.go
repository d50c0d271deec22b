package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestStartButtons: buttons that start a workflow are there for people who can start it, on records that no workflow moves.
func TestStartButtons(t *testing.T) {
	each(t, func(w *world) {
		saved, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: map[string]json.RawMessage{"title": raw("Quay"), "amount": raw(5)}})
		require.NoError(w, err)
		w.ids["max"], err = w.app.AddUser(w.Context(), "max", "max", []string{"machine"})
		require.NoError(w, err)
		press := func(who, code string, ids ...string) (string, error) {
			answer, err := w.app.Press(w.Context(), w.app.State(), w.as(who), query.ActionRequest{SchemaCode: "contract", QueryCode: "contract", ActionCode: code, ObjectIDs: ids})
			if err != nil {
				return "", err
			}
			return *answer.URL, nil
		}
		shown := func(who string) (page, row []string) {
			config, err := w.app.Reader().Config(w.as(who), "contract", "contract")
			require.NoError(w, err)
			for _, a := range config.Actions {
				page = append(page, a.ActionCode)
			}
			var rows struct {
				Content []struct {
					ID      string
					Actions []string
				}
			}
			data, err := w.app.Reader().List(w.Context(), w.as(who), query.ListRequest{SchemaCode: "contract", QueryCode: "contract"})
			require.NoError(w, err)
			require.NoError(w, json.Unmarshal(data, &rows))
			for _, r := range rows.Content {
				if r.ID == saved.ID {
					row = r.Actions
				}
			}
			return page, row
		}
		page, row := shown("ann")
		require.Equal(w, []string{"add", "approve", "part", "own"}, page)
		require.Equal(w, []string{"approve", "own"}, row)
		page, _ = shown("bob") // of the same roles: what one may start is not what the other may
		require.Equal(w, []string{"add", "approve", "part"}, page)
		page, _ = shown("ann")
		require.Contains(w, page, "own")
		page, row = shown("max")
		require.Empty(w, page, "granted, and not among the initiators; parts are not theirs to add")
		require.Empty(w, row)
		url, err := press("ann", "add")
		require.NoError(w, err)
		require.Equal(w, "/form/detail?startWorkflowCode=contractApproval", url)
		url, err = press("ann", "approve", saved.ID)
		require.NoError(w, err)
		require.Equal(w, "/form/detail?key="+saved.ID+"&startWorkflowCode=contractApproval", url)
		for _, code := range []string{"add", "approve", "part"} {
			_, err = press("max", code, saved.ID)
			require.Equal(w, fault.ActionNotOffered, fault.Of(err), code)
		}
		_, err = press("bob", "approve", saved.ID)
		require.Equal(w, fault.ActionNotEnabled, fault.Of(err), "not their record")

		_, err = w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Record: saved.ID})
		require.NoError(w, err)
		_, row = shown("ann")
		require.Empty(w, row, "a workflow moves it")
		_, err = press("ann", "approve", saved.ID)
		require.Equal(w, fault.ActionNotEnabled, fault.Of(err))
	})
}

// TestRecordFlow: people who can read a record see its workflow, who handles it, and their own task; others see nothing.
func TestRecordFlow(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 5)
		of := func(who string) *workflow.BaseInfo {
			info, err := w.flows().OfRecord(w.Context(), w.as(who), "contract", done.Record)
			require.NoError(w, err)
			return info
		}
		load, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract", ObjectID: done.Record})
		require.NoError(w, err)
		require.NotNil(w, load.Workflow)
		require.Equal(w, done.Instance, *load.Workflow)
		fresh, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract"})
		require.NoError(w, err)
		require.Nil(w, fresh.Workflow)

		info := of("ann")
		require.Equal(w, "PROCESSING", info.Status)
		require.Len(w, info.Instance.Current, 1)
		require.Equal(w, "check", info.Instance.Current[0].Node)
		require.Len(w, info.Instance.Current[0].People, 3)
		require.Nil(w, info.Item, "nothing waits for the initiator")
		_, err = w.flows().OfRecord(w.Context(), w.as("bob"), "contract", done.Record)
		require.Equal(w, fault.RecordNotFound, fault.Of(err))
		_, err = w.flows().OfRecord(w.Context(), w.as("kim"), "contract", done.Record)
		require.Equal(w, fault.ModelNotFound, fault.Of(err))

		w.act("sue", flow.OpReject, says("why"), func(c *workflow.Command) { c.Node = "start" })
		info = of("ann")
		require.NotNil(w, info.Item)
		require.Equal(w, w.task("ann").ID, *info.Item)
		w.act("ann", flow.OpSubmit)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		}
		info = of("ann")
		require.Equal(w, "COMPLETED", info.Status)
		require.Empty(w, info.Instance.Current)
		require.Nil(w, info.Item)
	})
}
