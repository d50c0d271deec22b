package bulk_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestBulk runs on one opened product a database: opening one takes longer than all that is tested.
func TestBulk(t *testing.T) {
	each(t, 2, func(t *testing.T, w *world, _ store.Options) {
		for _, one := range []struct {
			name string
			test func(*testing.T, *world)
		}{{"all", testAll}, {"fields", testFields}, {"limits", testLimits}, {"wording", testWording}, {"update", testUpdate}, {"sheet", testSheet}, {"sheet code", testSheetCode}, {"readers", testReaders}, {"others", testOtherFaults}, {"owner", testOwner}, {"delete", testDelete}, {"copy", testCopy}} {
			t.Run(one.name, func(t *testing.T) {
				in := *w
				in.TB = t
				one.test(t, &in)
			})
		}
	})
}

// testFields: the server offers what it accepts, and nothing else.
func testFields(t *testing.T, w *world) {
	c := w.app.State().Catalog
	codes := func(user string) (out []string) {
		fields, err := w.app.Reader().BulkFields(c, w.rights(user), "item", "item")
		require.NoError(t, err)
		for _, f := range fields {
			require.True(t, f.Required)
			out = append(out, f.PropertyCode)
		}
		return out
	}
	boss, clerk := codes(w.boss), codes(w.clerk)
	require.Equal(t, []string{"title", "note", "mark", "text", "quantity", "price", "state", "tags", "done", "day", "agent", "lines.what", "lines.rate", "lines.note"}, boss)
	require.Equal(t, []string{"title", "note", "mark", "text", "quantity", "state", "tags", "done", "agent", "lines.what", "lines.rate", "lines.note"}, clerk)
	id := w.add(w.clerk, `{"title":"a"}`)
	for _, code := range []string{"number", "amount", "price", "day", "place", "above", "papers", "lines", "lines.serial", "owner", "sequenceNo", "above.title", "nothing"} {
		_, err := w.update(w.clerk, code, `"x"`, id)
		refused(t, fault.FieldNotBulk, err)
	}
	_, err := w.app.Reader().BulkFields(c, w.rights(w.third), "item", "item")
	refused(t, fault.Forbidden, err)
	_, err = w.update(w.third, "note", `"x"`, id)
	refused(t, fault.Forbidden, err)
	_, err = w.run(w.boss, bulk.Request{Kind: bulk.BatchUpdate, Property: "note", Value: json.RawMessage(`"x"`), Selection: query.SelectionRequest{QueryCode: "item_plain", ObjectIDs: []string{id}}})
	refused(t, fault.Forbidden, err) // this list does not offer it
}

// testLimits: the values that a batch update takes.
func testLimits(t *testing.T, w *world) {
	id := w.add(w.boss, `{"title":"a"}`)
	for _, c := range []struct {
		name, property, value, want string
		code                        fault.Code
	}{
		{"empty", "note", `""`, "", fault.ValueEmpty},
		{"white space", "note", `"  \t　"`, "", fault.ValueEmpty},
		{"null", "quantity", `null`, "", fault.ValueEmpty},
		{"no choice", "tags", `[]`, "", fault.ValueEmpty},
		{"200 characters", "note", many("字", 201), many("字", 200), 0},
		{"2000 characters", "text", many("字", 2001), many("字", 2000), 0},
		{"longer than the field takes", "mark", `"ABCDEF"`, "", fault.BatchTooLong},
		{"against a pattern", "mark", `"ab"`, "", fault.FieldPattern},
		{"by the pattern", "mark", `"ABC"`, "", 0},
		{"16 and 8 digits", "quantity", `"-1234567890123456.12345678"`, `"-1234567890123456.12345678"`, 0},
		{"17 digits", "quantity", `"12345678901234567"`, "", fault.FieldRange},
		{"9 fraction digits", "quantity", `"0.123456789"`, "", fault.FieldScale},
		{"choices with semicolons", "tags", `"A;C"`, `["A","C"]`, 0},
		{"an unknown choice", "tags", `"A;D"`, "", fault.FieldOption},
		{"logic 1", "done", `"1"`, "true", 0},
		{"logic 0", "done", `"0"`, "false", 0},
		{"a date", "day", `"2026-02-30"`, "", fault.FieldType},
	} {
		out, err := w.update(w.boss, c.property, c.value, id)
		if c.code != 0 {
			require.Equal(t, c.code, fieldCode(err), c.name)
			continue
		}
		done(t, out, err, 0)
		if c.property == "note" || c.property == "quantity" {
			require.JSONEq(t, c.want, w.value(id, c.property), c.name)
		}
	}
	_, err := w.update(w.boss, "mark", `"ab"`, id)
	var broken *fault.Error
	require.ErrorAs(t, err, &broken)
	require.Equal(t, "记号只含大写字母", broken.Data.(fault.Invalid).Errors[0].MessageZh)
	fields, err := w.app.Reader().BulkFields(w.app.State().Catalog, w.rights(w.boss), "item", "item")
	require.NoError(t, err)
	limits := map[string]any{}
	for _, f := range fields {
		limits[f.PropertyCode] = f.Settings["maxLength"]
	}
	require.Equal(t, []any{200, 5, 2000}, []any{limits["note"], limits["mark"], limits["text"]}, "what the dialog takes in")
	out, err := w.update(w.boss, "agent", quoted(w.clerk), id)
	done(t, out, err, 0)
	require.Contains(t, w.value(id, "agent"), w.clerk)
}

// testWording: a rule is told in the author's words, in the person's language and without the field; what the platform says follows
// the field's name.
func testWording(t *testing.T, w *world) {
	open, closed := w.add(w.boss, `{"title":"open"}`), w.add(w.boss, `{"title":"closed","state":"CLOSED"}`)
	for locale, want := range map[string][2]string{
		"zh": {"开放的物品不能多于一千", "记号"}, "en": {"At most a thousand while it is open", "Mark"},
	} {
		rt := w.rights(w.boss)
		p := rt.Principal()
		p.Locale = locale
		rt = w.app.State().Policy.Rights(p, w.app.Now(), w.app.Zone())
		run := func(property, value string, ids ...string) []bulk.Result {
			out, err := w.app.Bulk().Run(t.Context(), w.app.State().Catalog, rt, bulk.Request{Kind: bulk.BatchUpdate, Property: property,
				Value: json.RawMessage(value), Selection: query.SelectionRequest{SchemaCode: "item", ObjectIDs: ids}})
			require.NoError(t, err)
			return out.Results
		}
		r := run("quantity", `"1001"`, open)
		require.Len(t, r, 1, locale)
		require.Equal(t, []any{fault.RowRefused, "", []any{want[0]}}, []any{r[0].Code, r[0].Field, r[0].Args}, locale)
		r = run("note", `"marked"`, closed)
		require.Len(t, r, 1, locale)
		require.Equal(t, []any{fault.FieldRequired, want[1]}, []any{r[0].Code, r[0].Field}, locale)
	}
}

// testUpdate: each row is written as its form would, rights and rules row by row, and undone where the value still stands.
func testUpdate(t *testing.T, w *world) {
	mine := []string{w.add(w.clerk, `{"title":"1","quantity":"1"}`), w.add(w.clerk, `{"title":"2","state":"CLOSED"}`), w.add(w.clerk, `{"title":"3"}`)}
	his := w.add(w.other, `{"title":"4","quantity":"4"}`)
	flow := w.add(w.clerk, `{"title":"5","quantity":"5"}`)
	w.workflow(flow)
	gone := "01900000-0000-7000-8000-000000000000"
	all := append(slices.Clone(mine), his, flow, gone)
	out, err := w.update(w.clerk, "quantity", `"5000"`, all...)
	byID := map[string]bulk.Result{}
	require.NoError(t, err)
	for _, r := range out.Results {
		byID[r.ObjectID] = r
	}
	require.Equal(t, fault.RowRefused, byID[mine[0]].Code)
	require.Equal(t, []any{"At most a thousand while it is open"}, byID[mine[0]].Args)
	require.True(t, byID[mine[1]].OK)
	require.Equal(t, "2", byID[mine[1]].Name)
	require.Equal(t, fault.RowRefused, byID[mine[2]].Code)
	require.Equal(t, fault.Forbidden, byID[his].Code)
	require.Equal(t, fault.WorkflowRecord, byID[flow].Code)
	require.Equal(t, fault.RecordNotFound, byID[gone].Code)
	require.Equal(t, []string{`"1"`, `"5000"`, "null", `"4"`, `"5"`}, w.values("quantity", mine[0], mine[1], mine[2], his, flow))

	out, err = w.update(w.clerk, "quantity", `"7"`, mine...)
	done(t, out, err, 0, 0, 0)
	w.edit(w.boss, mine[2], `{"quantity":"8"}`)
	w.edit(w.boss, mine[1], `{"note":"another field"}`)
	log, err := w.app.Bulk().Log(t.Context(), w.app.State().Catalog, w.rights(w.clerk), "item", 0, 20)
	require.NoError(t, err)
	require.GreaterOrEqual(t, log.Total, int64(2))
	newest := log.Content[0]
	require.Equal(t, []any{"clerk", "quantity", "Quantity", "7", int64(3), int64(3), int64(0), true},
		[]any{newest.UserName, newest.PropertyCode, newest.PropertyName, newest.Value, newest.Total, newest.Success, newest.Failed, newest.Undoable})
	require.Equal(t, []int64{6, 1, 5}, []int64{log.Content[1].Total, log.Content[1].Success, log.Content[1].Failed})

	out, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: newest.ID})
	done(t, out, err, 0, 0, fault.ChangedSince)
	require.Equal(t, []string{`"1"`, `"5000"`, `"8"`}, w.values("quantity", mine...))
	require.Equal(t, `"another field"`, w.value(mine[1], "note"))
	out, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: newest.ID})
	done(t, out, err, fault.ChangedSince)
	_, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: "nothing"})
	refused(t, fault.LogNotFound, err)
	_, err = w.run(w.third, bulk.Request{Kind: bulk.Undo, Batch: newest.ID})
	refused(t, fault.LogNotFound, err)
	// The log of a field that the clerk does not see is not the clerk's.
	out, err = w.update(w.boss, "price", `"3"`, mine[0])
	done(t, out, err, 0)
	for user, want := range map[string]string{w.boss: "price", w.clerk: "quantity"} {
		log, err = w.app.Bulk().Log(t.Context(), w.app.State().Catalog, w.rights(user), "item", 0, 20)
		require.NoError(t, err)
		require.Equal(t, want, log.Content[0].PropertyCode)
	}
	marked := w.add(w.clerk, `{"title":"6","note":"marked"}`)
	out, err = w.update(w.clerk, "state", `"CLOSED"`, marked)
	require.NoError(t, err)
	require.Equal(t, []any{fault.FieldRequired, "Mark"}, []any{out.Results[0].Code, out.Results[0].Field}, "another property than the changed one is named")
}

// workflow makes a record one of a workflow, as the engine will.
func (w *world) workflow(id string) {
	w.Helper()
	m := w.app.State().Catalog.Model("item")
	require.NoError(w, w.app.Store().Write(w.Context(), func(tx *store.Tx) error {
		_, err := tx.Update(w.Context(), m, id, -1, planTrue, map[string]any{"workflowInstanceId": "01900000-0000-7000-8000-0000000000aa"})
		return err
	}))
}

func (w *world) values(code string, ids ...string) (out []string) {
	for _, id := range ids {
		out = append(out, w.value(id, code))
	}
	return out
}

// testSheet: a field of a sub-table is set in all rows, the rest of them stays, and is given back row by row.
func testSheet(t *testing.T, w *world) {
	one := w.add(w.clerk, `{"title":"1","lines":[{"what":"a","rate":"1"},{"what":"b","rate":"2"}]}`)
	none := w.add(w.clerk, `{"title":"2"}`)
	rates := func() (out []string) {
		var rows []struct{ What, Rate string }
		require.NoError(t, json.Unmarshal([]byte(w.value(one, "lines")), &rows))
		for _, r := range rows {
			out = append(out, r.What+r.Rate)
		}
		return out
	}
	out, err := w.update(w.clerk, "lines.rate", `"9"`, one, none)
	done(t, out, err, 0, 0)
	require.Equal(t, []string{"a9", "b9"}, rates())
	out, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	done(t, out, err, 0)
	require.Equal(t, []string{"a1", "b2"}, rates())
}

// testSheetCode: a sub-table that a request names is the one that is written, and never the record's property of the same code.
func testSheetCode(t *testing.T, w *world) {
	one := w.add(w.clerk, `{"title":"1","note":"main","lines":[{"what":"a","note":"x"},{"what":"b"}]}`)
	set := func(sheet, property string) (bulk.Outcome, error) {
		return w.run(w.clerk, bulk.Request{Kind: bulk.BatchUpdate, Sheet: sheet, Property: property, Value: json.RawMessage(quoted("by " + sheet + "/" + property)), Selection: query.SelectionRequest{ObjectIDs: []string{one}}})
	}
	notes := func() string {
		var rows []struct{ Note string }
		require.NoError(t, json.Unmarshal([]byte(w.value(one, "lines")), &rows))
		return w.value(one, "note") + " " + rows[0].Note + ", " + rows[1].Note
	}
	for _, x := range []struct {
		sheet, property, want string
		code                  fault.Code
	}{
		{"lines", "note", `"main" by lines/note, by lines/note`, 0},
		{"lines", "lines.note", `"main" by lines/lines.note, by lines/lines.note`, 0},
		{"lines", "quantity", "", fault.FieldNotBulk},
		{"nothing", "note", "", fault.FieldNotBulk},
		{"above", "note", "", fault.FieldNotBulk},
		{"item", "lines.note", `"main" by item/lines.note, by item/lines.note`, 0}, // the page's form
		{"item", "note", `"by item/note" by item/lines.note, by item/lines.note`, 0},
	} {
		before := notes()
		out, err := set(x.sheet, x.property)
		if x.code != 0 {
			refused(t, x.code, err)
			require.Equal(t, before, notes())
			continue
		}
		done(t, out, err, 0)
		require.Equal(t, x.want, notes())
	}
}

// testOtherFaults: what was wrong with a record before, and what the change does not touch, is told and stands in no way.
func testOtherFaults(t *testing.T, w *world) {
	spoilt := w.add(w.clerk, `{"title":"old","quantity":"1","lines":[{"what":"a","rate":"1"}]}`)
	spoil := func(columns map[string]any) {
		require.NoError(t, w.app.Store().Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Update(t.Context(), w.app.State().Catalog.Model("item"), spoilt, -1, planTrue, columns)
			return err
		}))
	}
	spoil(map[string]any{"title": nil, "mark": "small"}) // required, and against a pattern
	for _, x := range []struct{ property, value string }{{"quantity", `"7"`}, {"note", `"n"`}, {"lines.rate", `"9"`}, {"state", `"CLOSED"`}} {
		out, err := w.update(w.clerk, x.property, x.value, spoilt)
		require.NoError(t, err)
		require.Equal(t, []int64{1, 1, 0}, []int64{out.Success, out.Warned, out.Failed}, "%s: %+v", x.property, out.Results)
		require.Equal(t, []any{true, fault.FieldRequired, "Title"}, []any{out.Results[0].OK, out.Results[0].Code, out.Results[0].Field})
	}
	require.Equal(t, []string{`"7"`, `"n"`, "null"}, []string{w.value(spoilt, "quantity"), w.value(spoilt, "note"), w.value(spoilt, "title")})
	spoil(map[string]any{"note": "marked", "mark": nil, "state": "OPEN"})
	out, err := w.update(w.clerk, "state", `"CLOSED"`, spoilt) // the requirement of mark reads it
	done(t, out, err, fault.FieldRequired)
	require.Equal(t, "Mark", out.Results[0].Field)
	out, err = w.update(w.clerk, "quantity", `"5000"`, spoilt) // the rule reads it
	done(t, out, err, fault.RowRefused)
	out, err = w.update(w.clerk, "title", `"named"`, spoilt)
	done(t, out, err, 0)
	_, err = w.app.Writer().Save(t.Context(), w.app.State().Catalog, w.rights(w.clerk), record.Change{Model: "item", ID: spoilt, Version: w.version(spoilt),
		Set: map[string]json.RawMessage{"state": json.RawMessage(`"CLOSED"`)}})
	refused(t, fault.RecordInvalid, err)
}

// version of an item.
func (w *world) version(id string) *int64 {
	loaded, err := w.load(id)
	require.NoError(w, err)
	return loaded.Version
}

// testReaders: the log, an undo and the results of a job tell of records and fields that their reader may see now, and of no others.
func testReaders(t *testing.T, w *world) {
	theirs, own := w.add(w.boss, `{"title":"not yours","note":"old"}`), w.add(w.narrow, `{"title":"yours","note":"old"}`)
	log := func(user string) (out []string) {
		page, err := w.app.Bulk().Log(t.Context(), w.app.State().Catalog, w.rights(user), "item", 0, 20)
		require.NoError(t, err)
		require.GreaterOrEqual(t, page.Total, int64(len(page.Content)))
		for _, e := range page.Content {
			if strings.HasPrefix(e.Value, "told") {
				out = append(out, fmt.Sprintf("%s by %q: %d of %d, %d undone", e.Value, e.UserName, e.Success, e.Total, e.Undone))
			}
		}
		return out
	}
	hidden, err := w.update(w.boss, "note", `"told to nobody"`, theirs)
	done(t, hidden, err, 0)
	require.Empty(t, log(w.narrow))
	both, err := w.update(w.boss, "note", `"told of one"`, theirs, own)
	done(t, both, err, 0, 0)
	require.Equal(t, []string{`told of one by "": 1 of 1, 0 undone`}, log(w.narrow))
	require.Equal(t, []string{`told of one by "boss": 2 of 2, 0 undone`, `told to nobody by "boss": 1 of 1, 0 undone`}, log(w.boss))
	price, err := w.update(w.boss, "price", `"3"`, own)
	done(t, price, err, 0)

	for name, id := range map[string]string{"a log of hidden records": *hidden.LogID, "a log of a hidden field": *price.LogID, "none": "nothing"} {
		_, err = w.run(w.narrow, bulk.Request{Kind: bulk.Undo, Batch: id})
		var f *fault.Error
		require.ErrorAs(t, err, &f, name)
		require.Equal(t, []any{fault.LogNotFound, 0}, []any{f.Code, len(f.Args)}, name)
	}
	out, err := w.run(w.narrow, bulk.Request{Kind: bulk.Undo, Batch: *both.LogID})
	done(t, out, err, 0)
	require.Equal(t, own, out.Results[0].ObjectID)
	require.Equal(t, []string{`"told of one"`, `"old"`}, w.values("note", theirs, own))
	require.Equal(t, []string{`told of one by "": 1 of 1, 1 undone`}, log(w.narrow))

	all := query.SelectionRequest{SchemaCode: "item", All: true}
	out, err = w.run(w.narrow, bulk.Request{Kind: bulk.BatchUpdate, Property: "note", Value: json.RawMessage(`"told by a job"`), Selection: all})
	require.NoError(t, err)
	j := w.await(*out.JobID, w.narrow)
	results := func() (job.Result, int) {
		kept, _, err := w.app.Jobs().Results(t.Context(), w.narrow, j.ID, false, 0, 100)
		require.NoError(t, err)
		shown, err := w.app.Bulk().Tell(t.Context(), w.app.State().Catalog, w.rights(w.narrow), j, kept)
		require.NoError(t, err)
		return shown[0], len(shown)
	}
	first, n := results()
	require.Equal(t, []any{1, own, "yours", true}, []any{n, first.Record, first.Name, first.OK})
	given, err := w.run(w.boss, bulk.Request{Kind: bulk.ChangeOwner, Owner: record.Owner{User: w.other}, Selection: query.SelectionRequest{ObjectIDs: []string{own}}})
	done(t, given, err, 0)
	first, n = results()
	require.Equal(t, []any{1, "", "", true}, []any{n, first.Record, first.Name, first.OK}, "not to be seen any more")
	require.Empty(t, log(w.narrow))
}

// testOwner: records are given away, also out of the giver's own reach; who may not is told so, and the history says why.
func testOwner(t *testing.T, w *world) {
	mine, his := w.add(w.clerk, `{"title":"1"}`), w.add(w.other, `{"title":"2"}`)
	give := func(user string, o record.Owner) (bulk.Outcome, error) {
		return w.run(user, bulk.Request{Kind: bulk.ChangeOwner, Owner: o, Selection: query.SelectionRequest{ObjectIDs: []string{mine, his}}})
	}
	_, err := give(w.clerk, record.Owner{})
	refused(t, fault.OwnerMissing, err)
	_, err = give(w.clerk, record.Owner{User: "nobody"})
	refused(t, fault.UserNotFound, err)
	_, err = give(w.clerk, record.Owner{User: w.other, Remark: strings.Repeat("字", 1001)})
	refused(t, fault.FieldTooLong, err)
	_, err = give(w.clerk, record.Owner{User: w.other, Dept: "elsewhere"})
	refused(t, fault.BadParameter, err)
	_, err = give(w.third, record.Owner{User: w.other})
	refused(t, fault.Forbidden, err)
	counts, err := w.app.Bulk().Check(t.Context(), w.app.State().Catalog, w.rights(w.clerk), query.SelectionRequest{SchemaCode: "item", ObjectIDs: []string{mine, his}}, record.OwnerRight)
	require.NoError(t, err)
	require.Equal(t, query.Counts{Total: 2, Refused: 1}, counts)
	out, err := give(w.clerk, record.Owner{User: w.boss, Remark: strings.Repeat("字", 1000)})
	done(t, out, err, 0, fault.Forbidden)
	page, err := w.app.Reader().History(t.Context(), w.app.State().Catalog, w.rights(w.boss), query.HistoryRequest{SchemaCode: "item", BizObjectID: mine})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("字", 1000), *page.Content[0].Remark)
	require.Equal(t, []string{"clerk", "boss"}, []string{*page.Content[0].Changes[0].BeforeText, *page.Content[0].Changes[0].AfterText})
	out, err = give(w.clerk, record.Owner{User: w.other})
	done(t, out, err, fault.Forbidden, fault.Forbidden) // given away is given away
}

// testDelete: what cannot go stays and is named.
func testDelete(t *testing.T, w *world) {
	free, his := w.add(w.clerk, `{"title":"1"}`), w.add(w.other, `{"title":"2"}`)
	held := w.add(w.clerk, `{"title":"3"}`)
	w.add(w.clerk, `{"title":"4","above":`+quoted(held)+`}`)
	flow := w.add(w.clerk, `{"title":"5"}`)
	w.workflow(flow)
	ids := []string{free, his, held, flow}
	codes := func(user string) (out []int) {
		states, err := w.app.Writer().DeleteCheck(t.Context(), w.app.State().Catalog, w.rights(user), "item", ids)
		require.NoError(t, err)
		for _, s := range states {
			out = append(out, s.ResultCode)
		}
		return out
	}
	require.Equal(t, []int{1000, 1004, 1004, 1004}, codes(w.clerk))
	require.Equal(t, []int{1000, 1000, 1004, 1001}, codes(w.boss))
	out, err := w.run(w.clerk, bulk.Request{Kind: bulk.Delete, Selection: query.SelectionRequest{ObjectIDs: ids}})
	done(t, out, err, 0, fault.Forbidden, fault.DeleteRefused, fault.DeleteRefused)
	require.Equal(t, []any{"1 record of “Item” refers to it"}, out.Results[2].Args)
	out, err = w.run(w.boss, bulk.Request{Kind: bulk.Delete, Selection: query.SelectionRequest{ObjectIDs: []string{flow}}})
	done(t, out, err, 0)
}

// testCopy: a copy has what the person reads and may set, and nothing that only the first record may have.
func testCopy(t *testing.T, w *world) {
	mine := w.add(w.boss, `{"title":"1","number":"N1","note":"n","quantity":"2","price":"3","lines":[{"what":"a","rate":"1","serial":"S1"}]}`)
	out, err := w.run(w.boss, bulk.Request{Kind: bulk.ChangeOwner, Owner: record.Owner{User: w.clerk}, Selection: query.SelectionRequest{ObjectIDs: []string{mine}}})
	done(t, out, err, 0)
	copied := func(user, id string) (map[string]any, error) {
		loaded, err := w.app.Reader().FormLoad(t.Context(), w.app.State().Catalog, w.rights(user), query.FormRequest{SchemaCode: "item", CopyFrom: id})
		if err != nil {
			return nil, err
		}
		require.Nil(t, loaded.ID)
		var data map[string]any
		return data, json.Unmarshal(loaded.Data, &data)
	}
	data, err := copied(w.boss, mine)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"title": "1", "number": nil, "note": "n", "quantity": "2", "price": "3", "amount": nil, "state": "OPEN", "agent": nil, "papers": nil,
		"lines": []any{map[string]any{"what": "a", "rate": "1", "note": nil}}}, data)
	data, err = copied(w.clerk, mine)
	require.NoError(t, err)
	require.NotContains(t, data, "price")
	_, err = copied(w.other, mine) // sees it, and may copy own records only
	refused(t, fault.RecordNotFound, err)
	_, err = copied(w.third, mine)
	refused(t, fault.NoAddPermission, err)
}

// testAll: what a filter matches is done by a job, with the rights that its owner has while it runs.
func testAll(t *testing.T, w *world) {
	for i := range 120 {
		state := []string{"OPEN", "CLOSED"}[i%2]
		w.add([]string{w.clerk, w.clerk, w.other, w.other}[i%4], `{"title":"x","state":"`+state+`"}`)
	}
	closed := query.SelectionRequest{SchemaCode: "item", All: true, Filters: []query.Filter{{PropertyCode: "state", PropertyValue: json.RawMessage(`"CLOSED"`), QueryFilterType: json.RawMessage(`"Equal"`)}}}
	out, err := w.run(w.clerk, bulk.Request{Kind: bulk.BatchUpdate, Property: "state", Value: json.RawMessage(`"OPEN"`), Selection: closed})
	require.NoError(t, err)
	require.EqualValues(t, 60, out.Total)
	j := w.await(*out.JobID, w.clerk)
	require.Equal(t, job.Done, j.State)
	require.JSONEq(t, `{"total":60,"successCount":30,"failCount":30,"logId":`+quoted(*out.LogID)+`}`, string(j.Result))
	require.Equal(t, []int64{60, 60, 60}, []int64{j.Done, j.Total, j.Results})
	results, _, err := w.app.Jobs().Results(t.Context(), w.clerk, j.ID, false, 0, 100)
	require.NoError(t, err)
	require.Len(t, results, 60)
	require.Equal(t, "x", results[0].Name)
	failures, total, err := w.app.Jobs().Results(t.Context(), w.clerk, j.ID, true, 1, 20)
	require.NoError(t, err)
	require.Len(t, failures, 10)
	require.EqualValues(t, 30, total)
	require.False(t, failures[0].OK)
	require.Equal(t, "item", j.Subject)
	counts, err := w.app.Bulk().Check(t.Context(), w.app.State().Catalog, w.rights(w.clerk), closed, query.BatchRight)
	require.NoError(t, err)
	require.Equal(t, query.Counts{Total: 30, Refused: 30}, counts)

	out, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	require.NoError(t, err)
	require.Nil(t, out.JobID)
	require.EqualValues(t, 30, out.Success)
	counts, err = w.app.Bulk().Check(t.Context(), w.app.State().Catalog, w.rights(w.clerk), closed, query.BatchRight)
	require.NoError(t, err)
	require.Equal(t, query.Counts{Total: 60, Refused: 30}, counts)

	out, err = w.run(w.boss, bulk.Request{Kind: bulk.ChangeOwner, Owner: record.Owner{User: w.other}, Selection: closed})
	require.NoError(t, err)
	require.Equal(t, job.Done, w.await(*out.JobID, w.boss).State)
	out, err = w.run(w.other, bulk.Request{Kind: bulk.Delete, Selection: closed})
	require.NoError(t, err)
	j = w.await(*out.JobID, w.other)
	require.JSONEq(t, `{"total":60,"successCount":60,"failCount":0}`, string(j.Result))
	counts, err = w.app.Bulk().Check(t.Context(), w.app.State().Catalog, w.rights(w.boss), closed, "delete")
	require.NoError(t, err)
	require.Zero(t, counts.Total)
}
