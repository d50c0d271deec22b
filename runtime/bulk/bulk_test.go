package bulk_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/bulk"
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
		}{{"all", testAll}, {"fields", testFields}, {"limits", testLimits}, {"wording", testWording}, {"update", testUpdate}, {"sheet", testSheet}, {"sheet code", testSheetCode}, {"readers", testReaders}, {"others", testOtherFaults}, {"owner", testOwner}, {"delete", testDelete}, {"copy", testCopy}, {"undo gone", testUndoGone}, {"choices", testChoices}, {"tell", testTell}, {"before", testBefore}, {"renewed", testRenewed}} {
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
	codes := func(user string) (out []string) {
		fields, err := w.app.Reader().BulkFields(w.rights(user), "item", "item")
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
	_, err := w.app.Reader().BulkFields(w.rights(w.third), "item", "item")
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
	fields, err := w.app.Reader().BulkFields(w.rights(w.boss), "item", "item")
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
		view := w.rights(w.boss)
		p := view.Principal()
		p.Locale = locale
		view = w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
		run := func(property, value string, ids ...string) []bulk.Result {
			out, err := w.app.Bulk().Run(t.Context(), view, bulk.Request{Kind: bulk.BatchUpdate, Property: property,
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

// testUpdate: each row is written as its form would, rights and rules row by row, and undone where the value is unchanged.
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
	log, err := w.app.Bulk().Log(t.Context(), w.rights(w.clerk), "item", 0, 20)
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
		log, err = w.app.Bulk().Log(t.Context(), w.rights(user), "item", 0, 20)
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
	require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
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

// testChoices: the log names people; an option that was switched off is not a new value, and comes back with an undo.
func testChoices(t *testing.T, w *world) {
	id := w.add(w.clerk, `{"title":"1"}`)
	out, err := w.update(w.clerk, "agent", quoted(w.other), id)
	done(t, out, err, 0)
	log, err := w.app.Bulk().Log(t.Context(), w.rights(w.clerk), "item", 0, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"agent", "other"}, []string{log.Content[0].PropertyCode, log.Content[0].Value})
	out, err = w.update(w.clerk, "tags", `"OLD"`, id)
	done(t, out, err, fault.FieldDisabled)
	require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error { // chosen before it was switched off
		_, err := tx.Update(t.Context(), w.app.State().Catalog.Model("item"), id, -1, planTrue, map[string]any{"tags": []string{"OLD"}})
		return err
	}))
	out, err = w.update(w.clerk, "tags", `"A"`, id)
	done(t, out, err, 0)
	out, err = w.run(w.clerk, bulk.Request{Kind: bulk.Undo, Batch: *out.LogID})
	done(t, out, err, 0)
	require.JSONEq(t, `["OLD"]`, w.value(id, "tags"))
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

// testOtherFaults: what was wrong with a record before, and what the change does not touch, is told and is in no way.
func testOtherFaults(t *testing.T, w *world) {
	spoilt := w.add(w.clerk, `{"title":"old","quantity":"1","lines":[{"what":"a","rate":"1"}]}`)
	spoil := func(columns map[string]any) {
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
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
	_, err = w.app.Writer().Save(t.Context(), w.rights(w.clerk), record.Change{Model: "item", ID: spoilt, Version: w.version(spoilt),
		Set: map[string]json.RawMessage{"state": json.RawMessage(`"CLOSED"`)}})
	refused(t, fault.RecordInvalid, err)
}

// version of an item.
func (w *world) version(id string) *int64 {
	loaded, err := w.load(id)
	require.NoError(w, err)
	return loaded.Version
}
