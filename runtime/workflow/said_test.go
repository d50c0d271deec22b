package workflow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// opinions are what a property of a record keeps, an opinion a text: node, person, result, rule and words.
func (w *world) opinions(id, code string) []string {
	w.Helper()
	out := []string{}
	rows, _ := w.value(id, code).([]any)
	for _, row := range rows {
		one := row.(map[string]any)
		out = append(out, strings.TrimRight(strings.Join([]string{one["nodeName"].(string), one["user"].(string), one["result"].(string), one["rule"].(string), one["opinion"].(string)}, "|"), "|"))
		at, err := time.Parse(time.RFC3339, one["time"].(string))
		require.NoError(w, err)
		require.WithinDuration(w, w.app.Now(), at, 24*time.Hour)
	}
	return out
}

func (w *world) reviewed(amount int, opinion string) workflow.Done {
	w.Helper()
	done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "opining", Opinion: opinion, Data: map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(amount)}})
	require.NoError(w, err)
	return done
}

// back takes the last decision of somebody back.
func (w *world) back(who, instance string) {
	w.Helper()
	for _, i := range w.list(who, "finished") {
		if i.Instance == instance {
			_, err := w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: i.ID, Do: flow.OpWithdraw})
			require.NoError(w, err)
			return
		}
	}
	require.Fail(w, "nothing to take back")
}

// TestOpinionsOfRecords: what people say about tasks becomes rows of their record, in the property that the node names or in every one that
// keeps opinions; secret words are left out, what is taken back goes, and nobody else writes them.
func TestOpinionsOfRecords(t *testing.T) {
	each(t, func(w *world) {
		done := w.reviewed(5, "please")
		id := done.Record
		first := w.version(id)
		require.Equal(w, []string{"填报|ann|start||please"}, w.opinions(id, "opinions"), "the start names no property: all keep it")
		require.Equal(w, []string{"填报|ann|start||please"}, w.opinions(id, "clientOpinions"))

		w.act("sue", flow.OpAssist, func(c *workflow.Command) { c.People, c.Opinion = []string{w.ids["kim"]}, "what do you think?" })
		w.act("kim", flow.OpSubmit, says("sound"))
		w.act("sam", flow.OpAgree)
		w.act("sid", flow.OpTransfer, func(c *workflow.Command) { c.People = []string{w.ids["kim"]} })
		checked := []string{"填报|ann|start||please", "监理审核|sue|assist||what do you think?", "监理审核|kim|submit||sound", "监理审核|sam|agree"}
		require.Equal(w, checked, w.opinions(id, "opinions"), "without words only a decision counts")
		require.Len(w, w.opinions(id, "clientOpinions"), 1)
		require.Equal(w, first, w.version(id), "nobody who has the form open is disturbed")

		w.back("sam", done.Instance)
		require.Equal(w, checked[:3], w.opinions(id, "opinions"))
		w.act("sam", flow.OpAgree, says("now it is"))
		w.act("sue", flow.OpAgree, says("fine"))
		w.act("kim", flow.OpAgree)
		checked = append(checked[:3], "监理审核|sam|agree||now it is", "监理审核|sue|agree||fine", "监理审核|kim|agree", "小额||agree|autoWhen")
		require.Equal(w, checked, w.opinions(id, "opinions"), "a rule decides too")
		require.Equal(w, []string{"填报|ann|start||please", "小额||agree|autoWhen"}, w.opinions(id, "clientOpinions"))

		w.act("olga", flow.OpAssist, func(c *workflow.Command) { c.People, c.Opinion = []string{w.ids["kim"]}, "between us" })
		w.act("olga", flow.OpAgree, says("too dear"))
		require.Equal(w, checked, w.opinions(id, "opinions"), "the node names the other property")
		client := []string{"填报|ann|start||please", "小额||agree|autoWhen", "保密|olga|agree"}
		require.Equal(w, client, w.opinions(id, "clientOpinions"), "secret words stay with the workflow")
		w.act("otto", flow.OpAgree, says("signed"))
		require.Equal(w, append(checked, "业主审批|otto|agree||signed"), w.opinions(id, "opinions"))
		require.Equal(w, append(client, "业主审批|otto|agree||signed"), w.opinions(id, "clientOpinions"))
		w.same(done.Instance)

		change := func(v string) error {
			_, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", ID: id, Version: w.version(id), Set: map[string]json.RawMessage{"opinions": json.RawMessage(v)}})
			return err
		}
		for _, v := range []string{`[]`, `null`, `[{"nodeName": "监理审核", "user": "ann", "result": "agree", "opinion": "mine", "time": "2026-03-01T02:00:00.000Z"}]`} {
			require.Equal(w, fault.RecordInvalid, fault.Of(change(v)), "a record never writes them")
		}
		require.Len(w, w.opinions(id, "opinions"), len(checked)+1)
	})
}

// TestOpinionsTakenBack: with the run all that was said in it goes; with the instance too; another run of the record keeps its own.
func TestOpinionsTakenBack(t *testing.T) {
	each(t, func(w *world) {
		done := w.reviewed(5000, "first")
		w.act("sue", flow.OpReject, func(c *workflow.Command) { c.Node, c.Opinion = "start", "amount?" })
		require.Equal(w, []string{"填报|ann|start||first", "监理审核|sue|reject||amount?"}, w.opinions(done.Record, "opinions"), "what was sent back stays to read")
		w.act("ann", flow.OpSubmit, says("corrected"))
		require.Len(w, w.opinions(done.Record, "opinions"), 3)
		_, err := w.flows().Order(w.Context(), w.as("ann"), workflow.Order{Instance: done.Instance, Do: flow.OpRevoke, Opinion: "later"})
		require.NoError(w, err)
		require.Empty(w, w.opinions(done.Record, "opinions"))

		again, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "opining", Record: done.Record, Opinion: "second"})
		require.NoError(w, err)
		w.act("sue", flow.OpDisagree, says("no"))
		w.act("ann", flow.OpSubmit)
		require.Equal(w, []string{"填报|ann|start||second", "监理审核|sue|disagree||no"}, w.opinions(done.Record, "opinions"))
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: again.Instance, Do: flow.OpVoid, Opinion: "over"})
		require.NoError(w, err)
		require.Len(w, w.opinions(done.Record, "opinions"), 2, "what was voided was said all the same")

		third, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "opining", Record: done.Record, Opinion: "third"})
		require.NoError(w, err)
		require.NotEqual(w, again.Instance, third.Instance)
		require.NoError(w, w.flows().Remove(w.Context(), w.as("eve"), again.Instance, ""))
		require.Equal(w, []string{"填报|ann|start||third"}, w.opinions(done.Record, "opinions"), "the other run keeps its own")
	})
}

// TestOpinionsOfRules: a rule that decides when the time is over says what it decided, once, in the record and in the log.
func TestOpinionsOfRules(t *testing.T) {
	each(t, func(w *world) {
		done := w.reviewed(5000, "")
		require.Empty(w, w.opinions(done.Record, "opinions"))
		w.ahead.Store(int64(61 * time.Minute))
		for range 2 { // the time, then what is done about it
			_, err := w.flows().Fire(w.Context())
			require.NoError(w, err)
			w.ahead.Add(int64(time.Minute))
		}
		kept := w.opinions(done.Record, "opinions")
		require.Len(w, kept, 1)
		require.Regexp(w, `^监理审核\|(sue|sam|sid)\|disagree\|timeout$`, kept[0])
		var said []string
		for _, o := range w.log("ann", done.Instance) {
			if o.Node == "check" {
				said = append(said, fmt.Sprintf("%s|%s|%d|%v", o.Operation, o.Rule, o.Step, o.Person == nil && o.Of != nil))
			}
		}
		require.Equal(w, []string{"remind|timeout|0|true", "remind|timeout|0|true", "remind|timeout|0|true", "disagree|timeout|1|true"}, said, "each is an act of the rule")
	})
}

// TestOpinionsInLists: lists show the newest opinions of a record and find records by their words; a copy has none, the recycle bin keeps them.
func TestOpinionsInLists(t *testing.T) {
	each(t, func(w *world) {
		done := w.reviewed(5000, "gate of steel")
		other := w.reviewed(6000, "")
		page := func(req query.ListRequest) (out struct {
			Content []struct {
				ID   string
				Data map[string]any
			}
			Aggregates map[string]any
		}) {
			req.SchemaCode, req.QueryCode = "contract", "opinions"
			text, err := w.app.Reader().List(w.Context(), w.as("ann"), req)
			require.NoError(w, err)
			require.NoError(w, json.Unmarshal(text, &out))
			return out
		}
		all := page(query.ListRequest{})
		require.Len(w, all.Content, 2)
		require.Equal(w, map[string]any{"opinions": "1"}, all.Aggregates, "records with opinions")
		for _, row := range all.Content {
			if row.ID == other.Record {
				require.Nil(w, row.Data["opinions"])
				continue
			}
			require.Len(w, row.Data["opinions"], 1)
			require.Equal(w, "gate of steel", row.Data["opinions"].([]any)[0].(map[string]any)["opinion"])
		}
		find := func(op, words string) (ids []string) {
			for _, row := range page(query.ListRequest{Filters: []query.Filter{{PropertyCode: "opinions", PropertyValue: raw(words), QueryFilterType: raw(op)}}}).Content {
				ids = append(ids, row.ID)
			}
			return ids
		}
		require.Equal(w, []string{done.Record}, find(string(plan.Contains), "STEEL"))
		require.Equal(w, []string{other.Record}, find("NotContains", "steel"))
		require.Equal(w, []string{other.Record}, find("IsNull", ""))
		_, err := w.app.Reader().List(w.Context(), w.as("ann"), query.ListRequest{SchemaCode: "contract", QueryCode: "opinions", OrderByFields: []string{"opinions"}, OrderType: 1})
		require.Equal(w, fault.SortNotAllowed, fault.Of(err))

		copied, err := w.app.Reader().FormLoad(w.Context(), w.as("root"), query.FormRequest{SchemaCode: "contract", CopyFrom: done.Record})
		require.NoError(w, err)
		require.NotContains(w, string(copied.Data), "steel")
		loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract", ObjectID: done.Record})
		require.NoError(w, err)
		for _, f := range loaded.Form.Fields {
			if f.PropertyCode == "opinions" {
				require.True(w, f.ReadOnly)
				require.Empty(w, f.Children)
			}
		}

		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: done.Instance, Do: flow.OpVoid})
		require.NoError(w, err)
		_, err = w.app.Writer().Delete(w.Context(), w.as("root"), "contract", []string{done.Record})
		require.NoError(w, err)
		require.Len(w, page(query.ListRequest{}).Content, 1)
		_, err = w.app.Writer().Restore(w.Context(), w.as("root"), "contract", done.Record)
		require.NoError(w, err)
		require.Equal(w, []string{"填报|ann|start||gate of steel"}, w.opinions(done.Record, "opinions"))
	})
}

// TestOpinionsOnce: what goes into another round of its node, because somebody took theirs back, is said once.
func TestOpinionsOnce(t *testing.T) {
	each(t, func(w *world) {
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "skipping", Data: map[string]json.RawMessage{"title": raw("Lock gate")}})
		require.NoError(w, err)
		own := "审核|ann|agree|skipInitiator"
		require.Equal(w, []string{own}, w.opinions(done.Record, "opinions"))
		w.act("sue", flow.OpAgree, says("fine"))
		require.Equal(w, []string{own, "审核|sue|agree||fine"}, w.opinions(done.Record, "opinions"))
		w.back("sue", done.Instance)
		require.Equal(w, []string{own}, w.opinions(done.Record, "opinions"))
		w.act("sue", flow.OpAgree, says("after all"))
		require.Equal(w, []string{own, "审核|sue|agree||after all"}, w.opinions(done.Record, "opinions"))
		w.back("sue", done.Instance)
		require.Equal(w, []string{own}, w.opinions(done.Record, "opinions"), "also of a decision in a later round")
	})
}

// TestOpinionsOfSomeRecords: who may read the property on some records has it there alone, in lists, forms and prints.
func TestOpinionsOfSomeRecords(t *testing.T) {
	each(t, func(w *world) {
		id, err := w.app.AddUser(w.Context(), "dora", "dora", []string{"clerk", "blind"})
		require.NoError(w, err)
		w.ids["dora"] = id
		theirs := w.reviewed(5000, "of ann")
		mine, err := w.flows().Start(w.Context(), w.as("dora"), workflow.Start{Workflow: "opining", Opinion: "of dora", Data: map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(5000)}})
		require.NoError(w, err)
		page, err := w.app.Reader().List(w.Context(), w.as("dora"), query.ListRequest{SchemaCode: "contract", QueryCode: "opinions"})
		require.NoError(w, err)
		printed, err := w.prints("dora", theirs.Record, mine.Record)
		require.NoError(w, err)
		require.Len(w, printed, 2)
		form, err := w.app.Reader().FormLoad(w.Context(), w.as("dora"), query.FormRequest{SchemaCode: "contract", ObjectID: theirs.Record})
		require.NoError(w, err)
		require.Contains(w, string(page), `"aggregates":{"opinions":"1"}`)
		for _, shown := range []string{string(page), string(form.Data), string(printed[0].Data), string(raw(printed[0].Texts["opinions"]))} {
			require.NotRegexp(w, `"opinions":\[[^\]]*of ann`, shown)
			require.NotContains(w, shown, `"opinions":"of ann`)
		}
		for op, want := range map[string]string{"Contains": mine.Record, "NotContains": theirs.Record, "IsNull": theirs.Record, "IsNotNull": mine.Record} {
			page, err := w.app.Reader().List(w.Context(), w.as("dora"), query.ListRequest{SchemaCode: "contract", QueryCode: "opinions",
				Filters: []query.Filter{{PropertyCode: "opinions", PropertyValue: raw("of"), QueryFilterType: raw(op)}}})
			require.NoError(w, err)
			require.Contains(w, string(page), `"totalElements":1`, op)
			require.Contains(w, string(page), want, op)
		}
		require.Equal(w, "", printed[0].Texts["opinions"])
		require.Regexp(w, `"opinions":\[[^\]]*of dora`, string(page))
		require.Regexp(w, `"opinions":\[[^\]]*of dora`, string(printed[1].Data))
	})
}

// TestLongOpinions: what somebody says has at most 200 characters, whatever says it: a start, an act, an order, tasks that are handed over.
func TestLongOpinions(t *testing.T) {
	each(t, func(w *world) {
		long, most := strings.Repeat("字", 201), strings.Repeat("字", 200)
		_, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Data: w.set("title", "Mine"), Opinion: long})
		require.Equal(w, fault.OpinionTooLong, fault.Of(err))
		done := w.start("ann", 2_000_000)
		require.Equal(w, fault.OpinionTooLong, fault.Of(w.try("sue", flow.OpAgree, func(c *workflow.Command) { c.Opinion = long })))
		require.Equal(w, fault.OpinionTooLong, fault.Of(w.order("ann", workflow.Order{Instance: done.Instance, Do: flow.OpUrge, Opinion: long})))
		give := workflow.HandOver{From: w.ids["sue"], To: w.ids["kim"], Opinion: long}
		_, _, err = w.flows().HandOver(w.Context(), w.as("eve"), give)
		require.Equal(w, fault.OpinionTooLong, fault.Of(err))
		give.Opinion = most
		given, _, err := w.flows().HandOver(w.Context(), w.as("eve"), give)
		require.NoError(w, err)
		require.Len(w, given, 1)
		require.NoError(w, given[0].Err)
	})
}
