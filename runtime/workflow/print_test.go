package workflow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

func (w *world) prints(who string, ids ...string) ([]printing.Record, error) {
	return w.app.Prints().Load(w.Context(), w.as(who), query.PrintRequest{SchemaCode: "contract", QueryCode: "opinions", ObjectIDs: ids})
}

// TestPrints: paper gets records in words with the course of their workflow, those that its person may read and print, without what was said
// in secret.
func TestPrints(t *testing.T) {
	each(t, func(w *world) {
		id, err := w.app.AddUser(w.Context(), "chen", "chen", []string{"reader"})
		require.NoError(w, err)
		w.ids["chen"] = id
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "opining", Opinion: "please", Data: map[string]json.RawMessage{
			"title": raw("Lock gate"), "amount": raw(5000), "manager": raw(w.ids["bob"]), "secret": raw(1),
			"parts": raw([]any{map[string]any{"part": "gate", "cost": 3}, map[string]any{"part": "seal", "cost": "4.5"}})}})
		require.NoError(w, err)
		w.ahead.Add(int64(50 * time.Minute))
		w.act("sue", flow.OpAgree, says("fine"))
		w.act("sam", flow.OpAgree)
		w.act("sid", flow.OpSave)
		w.act("sid", flow.OpAgree)
		w.act("sue", flow.OpAgree) // of the small ones, as the amount is not small
		w.act("olga", flow.OpAgree, says("too dear"))

		got, err := w.prints("ann", done.Record)
		require.NoError(w, err)
		require.Len(w, got, 1)
		var data map[string]any
		require.NoError(w, json.Unmarshal(got[0].Data, &data))
		require.Equal(w, "running", data["F0000020"])
		require.Equal(w, "bob", data["manager"].(map[string]any)["name"])
		require.Len(w, data["parts"], 2)
		require.Len(w, data["opinions"], 5, "opinions come as rows")
		texts := got[0].Texts
		require.Equal(w, []any{"Lock gate", "5000.00", "bob", "进行中"}, []any{texts["title"], texts["amount"], texts["manager"], texts["F0000020"]})
		require.Equal(w, []map[string]string{{"part": "gate", "cost": "3.00"}, {"part": "seal", "cost": "4.50"}}, texts["parts"])
		require.Regexp(w, `(?m)^监理审核 sue 同意 fine \d{4}-\d\d-\d\d \d\d:\d\d$`, texts["opinions"])

		rows := got[0].Log
		var log []string
		for _, r := range rows {
			log = append(log, r.Activity+"|"+r.Name+"|"+r.Operating+"|"+r.Comment)
		}
		want := []string{"填报|ann|发起|please", "监理审核|sue|同意|fine", "监理审核|sam|同意|", "监理审核|sid|同意|", "小额|sue|同意|", "保密|olga|同意|"}
		require.Equal(w, want, log, "saves are no part of it, and secret words are left out")
		require.Equal(w, "50分钟", rows[1].Texts.Used)
		require.InDelta(w, 50*time.Minute.Milliseconds(), *rows[1].Used, 60_000)
		require.Equal(w, rows[1].Finished.In(w.app.Zone()).Format("2006-01-02 15:04"), rows[1].Texts.Finished)
		require.NotNil(w, rows[1].Received)

		own, err := w.prints("root", done.Record)
		require.NoError(w, err)
		require.Equal(w, "too dear", own[0].Log[5].Comment, "who administers workflows reads it")
		read, err := w.prints("chen", done.Record)
		require.NoError(w, err)
		require.Empty(w, read[0].Log[5].Comment)
		require.NotContains(w, string(read[0].Data), `"secret"`, "a field that is hidden")
		require.NotContains(w, read[0].Texts, "secret")

		mine := w.reviewed(1, "")
		for _, ids := range [][]string{{mine.Record, done.Record}, {done.Record, mine.Record}} {
			got, err = w.prints("ann", append(ids, mine.Instance)...)
			require.NoError(w, err)
			require.Len(w, got, 2)
			require.Equal(w, ids, []string{got[0].ID, got[1].ID}, "in the order of the request, without what is not there")
		}
		_, err = w.prints("sue", done.Record)
		require.Equal(w, fault.ModelNotFound, fault.Of(err))
		got, err = w.prints("bob", done.Record)
		require.NoError(w, err)
		require.Empty(w, got, "somebody else's record")
		require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
			for who, sees := range map[string]bool{"kim": false, "ann": true, "sue": true, "chen": true} {
				course, err := w.flows().Course(w.Context(), tx, w.as(who), done.Instance)
				require.NoError(w, err)
				require.Equal(w, sees, course != nil, who)
			}
			return nil
		}))
		w.paper(done.Record, mine.Record)
		_, err = w.prints("ann")
		require.Equal(w, fault.EmptyParameter, fault.Of(err))
		_, err = w.prints("ann", make([]string, 101)...)
		require.Equal(w, fault.PrintAtOnce, fault.Of(err))
	})
}

// TestPrintWord: how paper calls each state, for programs and in both languages.
func TestPrintWord(t *testing.T) {
	for state, want := range map[flow.Status][3]string{flow.Draft: {"draft", "草稿", "Draft"}, flow.Processing: {"running", "进行中", "In progress"},
		flow.Completed: {"finished", "已完成", "Completed"}, flow.Canceled: {"canceled", "已作废", "Voided"}} {
		word, zh := workflow.PrintWord(state, "zh")
		_, en := workflow.PrintWord(state, "en")
		require.Equal(t, want, [3]string{word, zh, en})
	}
}

// paper lays the records of TestPrints out.
func (w *world) paper(ids ...string) {
	print := func(who, code string, ids ...string) ([]string, *printing.Printout, error) {
		req := printing.Request{PrintRequest: query.PrintRequest{SchemaCode: "contract", QueryCode: "opinions", ObjectIDs: ids}, Template: code}
		out, err := w.app.Prints().Lay(w.Context(), w.as(who), req)
		if err != nil {
			return nil, nil, err
		}
		var texts []string
		for _, p := range out.Pages {
			for _, m := range p.Marks {
				if t, is := m.(layout.TextMark); is {
					texts = append(texts, t.Text)
				}
			}
		}
		return texts, out, nil
	}
	day := w.app.Prints().Clock().In(w.app.Zone()).Format(time.DateOnly)
	table := []string{"序号", "名称", "金额", "1", "gate", "3.00", "2", "seal", "4.50", "合计", "7.50"}
	log := []string{"节点", "处理人", "操作", "意见", "填报", "ann", "发起", "please", "监理审核", "sue", "同意", "fine", "监理审核", "sam", "同意", "监理审核", "sid", "同意", "小额", "sue", "同意", "保密", "olga", "同意", "监理"}
	head := []string{"合同 Lock gate，经办 bob", "大写", "伍仟元整"}
	texts, out, err := print("ann", "", ids...)
	require.NoError(w, err)
	require.Equal(w, slices.Concat(head, []string{"底价", "1.00"}, table, log), texts[:len(head)+2+len(table)+len(log)])
	require.Equal(w, ids[:1], out.Records, "the template is for contracts with an amount: the other one has none that large")
	require.Equal(w, 1, out.Skipped)
	require.Contains(w, texts[len(texts)-2:], day, "the day of the signature")

	var one, two bytes.Buffer
	require.NoError(w, out.WritePDF(&one, "zh", "ann"))
	_, again, err := print("ann", "contract", ids...)
	require.NoError(w, err)
	again.Time = out.Time
	require.NoError(w, again.WritePDF(&two, "zh", "ann"))
	require.True(w, bytes.Equal(one.Bytes(), two.Bytes()), "the same bytes for the same record and time")

	texts, _, err = print("chen", "contract", ids[0])
	require.NoError(w, err)
	require.NotContains(w, texts, "底价", "a field that is hidden")
	require.Equal(w, slices.Concat(head, table), texts[:len(head)+len(table)])
	_, _, err = print("bob", "contract", ids[0])
	require.Equal(w, fault.PrintNothing, fault.Of(err), "somebody else's record")
	_, _, err = print("sue", "contract", ids[0])
	require.Equal(w, fault.ModelNotFound, fault.Of(err))
	_, _, err = print("ann", "none", ids[0])
	require.Equal(w, fault.PrintTemplateNotFound, fault.Of(err))
	_, _, err = print("ann", "outside", ids[0])
	require.Equal(w, fault.PrintTemplateEmpty, fault.Of(err))

	w.labels(ids...)
	got, err := w.app.Prints().Attributes(w.Context(), w.as("chen"), printing.Wanted{SchemaCode: "contract", Code: "outside"})
	require.NoError(w, err)
	require.JSONEq(w, `{"template": "C1"}`, string(got.PrintJSON))
	require.Equal(w, []string{"contract", "outside"}, []string{got.Templates[0].Code, got.Templates[1].Code})
	_, err = w.app.Prints().Attributes(w.Context(), w.as("sue"), printing.Wanted{SchemaCode: "contract"})
	require.Equal(w, fault.ModelNotFound, fault.Of(err))
	_, err = w.app.Prints().Attributes(w.Context(), w.as("root"), printing.Wanted{SchemaCode: "part"})
	require.Equal(w, fault.PrintNoTemplate, fault.Of(err))
}

// labels prints codes that open the records.
func (w *world) labels(ids ...string) {
	print := func(who string, l printing.Labels, address string) (*printing.Printout, error) {
		req := printing.Request{PrintRequest: query.PrintRequest{SchemaCode: "contract", QueryCode: "opinions", ObjectIDs: ids}, Labels: &l, Address: address}
		return w.app.Prints().Lay(w.Context(), w.as(who), req)
	}
	caption := []printing.LabelText{{IsDataItem: 1, Code: "title"}, {IsDataItem: 1, Code: "secret"}}
	out, err := print("ann", printing.Labels{Text: caption}, "https://lock.example.com")
	require.NoError(w, err)
	require.Equal(w, ids, out.Records)
	require.Len(w, out.Pages, 2, "a page a label")
	for i, page := range out.Pages {
		require.Equal(w, []layout.Length{60 * layout.Millimeter, 60 * layout.Millimeter}, []layout.Length{page.Width, page.Height})
		var texts []string
		code := layout.CodeMark{}
		for _, m := range page.Marks {
			switch m := m.(type) {
			case layout.TextMark:
				texts = append(texts, m.Text)
				require.Equal(w, layout.Points(12), m.Size)
			case layout.CodeMark:
				code = m
			}
		}
		require.Contains(w, texts, w.title(ids[i]))
		want, ok := printing.QR("https://lock.example.com/form/detail?objectId="+ids[i]+"&schemaCode=contract", "M")
		require.True(w, ok)
		require.Equal(w, want, code.Rows)
		require.GreaterOrEqual(w, code.X, 3*layout.Millimeter, "5 % of the label is free")
	}
	out, err = print("ann", printing.Labels{Sheet: "A4", Direction: "landscape", FontSize: 40, Text: caption}, "https://lock.example.com")
	require.NoError(w, err)
	require.Len(w, out.Pages, 1)
	require.Equal(w, 297*layout.Millimeter, out.Pages[0].Width)
	for _, m := range out.Pages[0].Marks {
		if t, is := m.(layout.TextMark); is {
			require.Equal(w, layout.Points(22), t.Size, "the largest that two lines have room for")
		}
	}
	_, err = print("ann", printing.Labels{}, "")
	require.Equal(w, fault.PrintNoAddress, fault.Of(err))
	_, err = print("chen", printing.Labels{}, "https://lock.example.com")
	require.Equal(w, fault.Forbidden, fault.Of(err), "the right to print is not the right to labels")
	_, err = print("ann", printing.Labels{Text: make([]printing.LabelText, 6)}, "https://lock.example.com")
	require.Equal(w, fault.BadParameter, fault.Of(err))
}

func (w *world) title(id string) string {
	got, err := w.prints("ann", id)
	require.NoError(w, err)
	return got[0].Texts["title"].(string)
}
