package bulk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// testReaders: the log, an undo and the results of a job tell of records and fields that their reader may see now, and of no others.
func testReaders(t *testing.T, w *world) {
	theirs, own := w.add(w.boss, `{"title":"not yours","note":"old"}`), w.add(w.narrow, `{"title":"yours","note":"old"}`)
	log := func(user string) (out []string) {
		page, err := w.app.Bulk().Log(t.Context(), w.rights(user), "item", 0, 20)
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
		shown, err := w.app.Bulk().Tell(t.Context(), w.rights(w.narrow), j, kept)
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

	kept, lost := w.add(w.narrow, `{"title":"kept"}`), w.add(w.narrow, `{"title":"lost"}`)
	two, err := w.update(w.narrow, "note", `"told of two"`, kept, lost)
	done(t, two, err, 0, 0)
	require.Equal(t, []string{`told of two by "narrow": 2 of 2, 0 undone`}, log(w.narrow))
	given, err = w.run(w.boss, bulk.Request{Kind: bulk.ChangeOwner, Owner: record.Owner{User: w.other}, Selection: query.SelectionRequest{ObjectIDs: []string{lost}}})
	done(t, given, err, 0)
	require.Equal(t, []string{`told of two by "narrow": 1 of 1, 0 undone`}, log(w.narrow), "one's own changes too, of records that are still seen")
	require.Contains(t, log(w.boss), `told of two by "narrow": 2 of 2, 0 undone`, "who sees all is told who")

	_, err = w.app.Bulk().Log(t.Context(), w.rights(w.third), "item", 0, 20)
	require.Equal(t, fault.Forbidden, fault.Of(err), "who only reads")
	same, err := w.update(w.narrow, "note", `"told of two"`, kept)
	done(t, same, err, 0)
	require.Contains(t, log(w.narrow), `told of two by "narrow": 1 of 1, 0 undone`)
	require.Len(t, log(w.narrow), 2, "one's own that changed nothing")
	require.Contains(t, log(w.boss), `told of two by "narrow": 1 of 1, 0 undone`, "who sees all is told of those too")
	for range 2 {
		again, err := w.update(w.boss, "note", `"told again"`, theirs)
		done(t, again, err, 0)
	}
	require.Len(t, log(w.narrow), 2, "not those of others that changed nothing")
}

// testUndoGone: who sees all records is told which of those to be given back are gone; others are told of none.
func testUndoGone(t *testing.T, w *world) {
	for user, codes := range map[string][]fault.Code{w.boss: {fault.RecordNotFound, 0}, w.narrow: {0}} {
		gone, stays := w.add(user, `{"title":"gone"}`), w.add(user, `{"title":"stays","state":"CLOSED"}`)
		out, err := w.update(user, "note", `"n"`, gone, stays)
		done(t, out, err, 0, 0)
		deleted, err := w.run(w.boss, bulk.Request{Kind: bulk.Delete, Selection: query.SelectionRequest{ObjectIDs: []string{gone}}})
		done(t, deleted, err, 0)
		out, err = w.run(user, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
		done(t, out, err, codes...)
		require.Equal(t, "null", w.value(stays, "note"))
	}
	gone := w.add(w.boss, `{"title":"gone"}`)
	out, err := w.update(w.boss, "note", `"n"`, gone)
	done(t, out, err, 0)
	deleted, err := w.run(w.boss, bulk.Request{Kind: bulk.Delete, Selection: query.SelectionRequest{ObjectIDs: []string{gone}}})
	done(t, deleted, err, 0)
	out, err = w.run(w.boss, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	done(t, out, err, fault.RecordNotFound) // also where all of them are

	// One's own behind more of others than a transaction takes.
	var ids []string
	for range 55 {
		ids = append(ids, w.add(w.boss, `{"title":"theirs"}`))
	}
	ids = append(ids, w.add(w.narrow, `{"title":"mine"}`))
	out, err = w.update(w.boss, "note", `"far"`, ids...)
	require.NoError(t, err)
	require.EqualValues(t, 56, out.Success)
	out, err = w.run(w.narrow, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	done(t, out, err, 0)
	require.Equal(t, []string{`"far"`, "null"}, w.values("note", ids[54], ids[55]))
}

// testRenewed: batches of a property that was dropped since, whatever has its code now, are neither listed nor undone. The last of the tests:
// its note stays.
func testRenewed(t *testing.T, w *world) {
	out, err := w.update(w.boss, "note", `"renewed"`, w.add(w.boss, `{"title":"a"}`))
	done(t, out, err, 0)
	listed := func() bool {
		page, err := w.app.Bulk().Log(t.Context(), w.rights(w.boss), "item", 0, 100)
		require.NoError(t, err)
		return slices.ContainsFunc(page.Content, func(e bulk.LogEntry) bool { return e.Value == "renewed" })
	}
	require.True(t, listed())
	require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Exec("INSERT INTO sl_dropped_property (model, property, at) VALUES ('item', 'note', ?)", time.Now().Add(time.Hour).UnixMilli()).Error
	}))
	_, err = w.app.Store().Adopt(t.Context()) // reads what is known of names again
	require.NoError(t, err)
	require.False(t, listed())
	_, err = w.run(w.boss, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	require.Equal(t, fault.LogNotFound, fault.Of(err))
}

// testBefore: a job over everything that matches leaves alone what was made after it was asked for.
func testBefore(t *testing.T, w *world) {
	old := w.add(w.narrow, `{"title":"old"}`)
	at := time.Now().UTC()
	for !time.Now().UTC().Truncate(time.Millisecond).After(at) {
		time.Sleep(time.Millisecond)
	}
	young := w.add(w.narrow, `{"title":"young"}`)
	request := bulk.Request{Kind: bulk.BatchUpdate, At: at, Locale: "en", Batch: "before", Property: "note", Value: json.RawMessage(`"asked"`),
		Selection: query.SelectionRequest{SchemaCode: "item", All: true}}
	var id string
	require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		id, err = w.app.Jobs().Enqueue(t.Context(), tx, bulk.BatchUpdate, request, job.Options{Owner: w.narrow, Subject: "item"})
		return err
	}))
	require.Equal(t, job.Done, w.await(id, w.narrow).State)
	require.Equal(t, []string{`"asked"`, "null"}, w.values("note", old, young))
}

// testTell: what a job's results say to readers with other rights than when it ran.
func testTell(t *testing.T, w *world) {
	theirs, mine := w.add(w.boss, `{"title":"theirs"}`), w.add(w.narrow, `{"title":"mine"}`)
	binned, others := w.add(w.narrow, `{"title":"binned"}`), w.add(w.other, `{"title":"others"}`)
	deleted, err := w.run(w.boss, bulk.Request{Kind: bulk.Delete, Selection: query.SelectionRequest{ObjectIDs: []string{binned, others}}})
	done(t, deleted, err, 0, 0)
	names := map[string]string{theirs: "theirs", mine: "mine", binned: "binned", others: "others", "01900000-0000-7000-8000-000000000000": "purged"}
	result := func(id, field string, code fault.Code) job.Result {
		return job.Result{Record: id, Name: names[id], OK: code == 0, Code: code, Field: field, Args: []any{"why"}}
	}
	tell := func(user string, j job.Job, results ...job.Result) (out []string) {
		told, err := w.app.Bulk().Tell(t.Context(), w.rights(user), j, results)
		require.NoError(t, err)
		require.Len(t, told, len(results))
		for i, r := range told {
			require.Contains(t, []string{"", results[i].Record}, r.Record)
			out = append(out, fmt.Sprintf("%v %s %s %d %d", r.Record != "", r.Name, r.Field, r.Code, len(r.Args)))
		}
		return out
	}
	batch := job.Job{Kind: bulk.BatchUpdate, Subject: "item"}
	all := []job.Result{result(theirs, "mark", fault.FieldRequired), result(mine, "lines.rate", fault.FieldRange), result(mine, "price", fault.FieldRange), result(mine, "", 0),
		result(mine, "mark", fault.RowRefused), result(binned, "", 0), result(others, "", fault.Forbidden), result("01900000-0000-7000-8000-000000000000", "", 0)}
	forbidden, missing := fmt.Sprintf("true mine  %d 0", fault.Forbidden), fmt.Sprintf("false   %d 0", fault.RecordNotFound)
	sees := []string{fmt.Sprintf("true theirs Mark %d 1", fault.FieldRequired), fmt.Sprintf("true mine Lines / Rate %d 1", fault.FieldRange), forbidden, "true mine  0 1",
		fmt.Sprintf("true mine  %d 1", fault.RowRefused)}
	boss := append(slices.Clone(sees), "true binned  0 1", fmt.Sprintf("true others  %d 1", fault.Forbidden), "true purged  0 1")
	boss[2] = fmt.Sprintf("true mine 单价 %d 1", fault.FieldRange)
	require.Equal(t, boss, tell(w.boss, batch, all...))
	clerk := slices.Clone(boss)
	clerk[2] = forbidden
	require.Equal(t, clerk, tell(w.clerk, batch, all...))
	narrow := append(slices.Clone(sees), "true binned  0 1", missing, "false   0 1")
	narrow[0] = missing
	require.Equal(t, narrow, tell(w.narrow, batch, all...), "of deleted ones those that they could delete")
	require.Equal(t, []string{missing}, tell(w.boss, job.Job{Kind: bulk.BatchUpdate, Subject: "ghost"}, all[0]), "of a model that is no more")
	require.Equal(t, []string{fmt.Sprintf("true theirs mark %d 1", fault.FieldRequired)}, tell(w.narrow, job.Job{Kind: "export", Subject: "item"}, all[0]), "another's kind of job")

	for range 2 { // pages of the log of somebody who does not see all
		out, err := w.update(w.narrow, "note", quoted(fmt.Sprint("page ", w.version(mine))), mine)
		done(t, out, err, 0)
	}
	first, err := w.app.Bulk().Log(t.Context(), w.rights(w.narrow), "item", 0, 1)
	require.NoError(t, err)
	second, err := w.app.Bulk().Log(t.Context(), w.rights(w.narrow), "item", 1, 1)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, []int{len(first.Content), len(second.Content)})
	require.NotEqual(t, first.Content[0].ID, second.Content[0].ID)
	require.Equal(t, first.Total, second.Total)
	require.GreaterOrEqual(t, first.Total, int64(2))
}

// testOwner: records are given away, also out of the giver's own reach; who may not is told so, and the history says why.
func testOwner(t *testing.T, w *world) {
	mine, theirs := w.add(w.clerk, `{"title":"1"}`), w.add(w.other, `{"title":"2"}`)
	give := func(user string, o record.Owner) (bulk.Outcome, error) {
		return w.run(user, bulk.Request{Kind: bulk.ChangeOwner, Owner: o, Selection: query.SelectionRequest{ObjectIDs: []string{mine, theirs}}})
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
	counts, err := w.app.Bulk().Check(t.Context(), w.rights(w.clerk), query.SelectionRequest{SchemaCode: "item", ObjectIDs: []string{mine, theirs}}, record.OwnerRight)
	require.NoError(t, err)
	require.Equal(t, query.Counts{Total: 2, Refused: 1}, counts)
	out, err := give(w.clerk, record.Owner{User: w.boss, Remark: strings.Repeat("字", 1000)})
	done(t, out, err, 0, fault.Forbidden)
	page, err := w.app.Reader().History(t.Context(), w.rights(w.boss), query.HistoryRequest{SchemaCode: "item", BizObjectID: mine})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("字", 1000), *page.Content[0].Remark)
	require.Equal(t, []string{"clerk", "boss"}, []string{*page.Content[0].Changes[0].BeforeText, *page.Content[0].Changes[0].AfterText})
	out, err = give(w.clerk, record.Owner{User: w.other})
	done(t, out, err, fault.Forbidden, fault.Forbidden) // given away is given away
}

// testDelete: what cannot go stays and is named.
func testDelete(t *testing.T, w *world) {
	free, theirs := w.add(w.clerk, `{"title":"1"}`), w.add(w.other, `{"title":"2"}`)
	held := w.add(w.clerk, `{"title":"3"}`)
	w.add(w.clerk, `{"title":"4","above":`+quoted(held)+`}`)
	flow := w.add(w.clerk, `{"title":"5"}`)
	w.workflow(flow)
	ids := []string{free, theirs, held, flow}
	codes := func(user string) (out []int) {
		states, err := w.app.Writer().DeleteCheck(t.Context(), w.rights(user), "item", ids)
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
		loaded, err := w.app.Reader().FormLoad(t.Context(), w.rights(user), query.FormRequest{SchemaCode: "item", CopyFrom: id})
		if err != nil {
			return nil, err
		}
		require.Nil(t, loaded.ID)
		var data map[string]any
		return data, json.Unmarshal(loaded.Data, &data)
	}
	data, err := copied(w.boss, mine)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"title": "1", "number": nil, "note": "n", "quantity": "2", "price": "3", "amount": nil, "state": "OPEN", "tags": nil, "agent": nil, "papers": nil,
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
	counts, err := w.app.Bulk().Check(t.Context(), w.rights(w.clerk), closed, query.BatchRight)
	require.NoError(t, err)
	require.Equal(t, query.Counts{Total: 30, Refused: 30}, counts)

	out, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	require.NoError(t, err)
	require.Nil(t, out.JobID)
	require.EqualValues(t, 30, out.Success)
	counts, err = w.app.Bulk().Check(t.Context(), w.rights(w.clerk), closed, query.BatchRight)
	require.NoError(t, err)
	require.Equal(t, query.Counts{Total: 60, Refused: 30}, counts)

	out, err = w.run(w.boss, bulk.Request{Kind: bulk.ChangeOwner, Owner: record.Owner{User: w.other}, Selection: closed})
	require.NoError(t, err)
	require.Equal(t, job.Done, w.await(*out.JobID, w.boss).State)
	out, err = w.run(w.other, bulk.Request{Kind: bulk.Delete, Selection: closed})
	require.NoError(t, err)
	j = w.await(*out.JobID, w.other)
	require.JSONEq(t, `{"total":60,"successCount":60,"failCount":0}`, string(j.Result))
	counts, err = w.app.Bulk().Check(t.Context(), w.rights(w.boss), closed, "delete")
	require.NoError(t, err)
	require.Zero(t, counts.Total)
}
