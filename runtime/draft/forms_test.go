package draft_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

const ends = `"nodes": [
	{"id": "start", "type": "START", "name": "发起", "name_i18n": {"en": "Start"}, "next": ["end"]}, {"id": "end", "type": "END"}]}`

// office is documents with a model of some properties.
func office(properties string) map[string]string {
	return map[string]string{
		"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
		"models/memo.json": `{"name": "便函", "name_i18n": {"en": "Memo"}, "name_plural_i18n": {"en": "Memos"},
			"digest": "{kind} {count} {other} {subject}", "properties": [
			{"code": "count", "propertyType": "Number", "name": "数"}, {"code": "day", "propertyType": "Date", "name": "日"},
			{"code": "other", "propertyType": "RelevanceForm", "name": "另", "relativeCode": "memo"},
			{"code": "kind", "propertyType": "Radio", "name": "类", "options": [
				{"code": "A", "name": "甲类", "name_i18n": {"en": "First kind"}}]},
			{"code": "subject", "propertyType": "ShortText", "name": "题"},
			{"code": "text", "propertyType": "LongText", "name": "文"}` + properties + `]}`,
		"models/else.json":        `{"name": "别的", "properties": [{"code": "a", "propertyType": "ShortText", "name": "甲"}]}`,
		"forms/memo.json":         `{"schemaCode": "memo", "items": ["subject"]}`,
		"workflows/memoFlow.json": `{"schemaCode": "memo", "name": "审", "name_i18n": {"en": "Check"}, ` + ends,
		"workflows/elseFlow.json": `{"schemaCode": "else", "name": "审", "name_i18n": {"en": "Check"}, ` + ends,
		"access/writer.json":      `{"name": "作者", "models": [{"schemaCode": "*", "actions": ["view", "add"], "rows": "all"}]}`,
	}
}

// desk is a service with the views of one person.
type desk struct {
	*draft.Service
	t       *testing.T
	refuses error // of the workflow
	now     time.Time
}

func newDesk(t *testing.T, db *store.DB) *desk {
	d := &desk{t: t, now: time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)}
	d.Service = draft.New(db, func() time.Time { return d.now }, func(*authz.View, string) error { return d.refuses })
	return d
}

func (d *desk) as(documents map[string]string) *authz.View {
	d.t.Helper()
	set := &pack.Set{}
	require.NoError(d.t, plugintest.Register(set))
	set.Freeze()
	p, err := authz.Compile(compiletest.Pack(d.t, set, documents, time.UTC))
	require.NoError(d.t, err)
	return p.View(principal.Principal{UserID: "ann", Roles: []string{"writer"}, Locale: "en"}, d.now, time.UTC)
}

func memo(data string) draft.Input {
	in := input("", data)
	in.SchemaCode = "memo"
	return in
}

// TestTitles: a draft is called by the texts of its record's name, options by their labels, or else by its first text.
func TestTitles(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		view := d.as(office(""))
		long := strings.Repeat("长", 101)
		for _, one := range [][2]string{
			{`{"kind": "A", "count": "5", "other": "01a1ff03-9488-70c7-b63d-ed44b3063794", "subject": " two\n words "}`, "First kind two words"},
			{`{"kind": "B", "subject": "x"}`, "B x"},
			{`{"day": "2026-11-27", "count": "5", "other": "01a1ff03-9488-70c7-b63d-ed44b3063794", "text": "first  text"}`, "first text"},
			{`{"day": "2026-11-27", "count": "5", "other": "01a1ff03-9488-70c7-b63d-ed44b3063794"}`, ""},
			{`{"subject": 7}`, ""},
			{`{"subject": "` + long + `"}`, long[:300]},
			{`{"subject": "` + long[:300] + `"}`, long[:300]},
		} {
			kept, err := d.Save(t.Context(), view, memo(one[0]))
			require.NoError(t, err)
			opened, err := d.Open(t.Context(), view, kept.ID)
			require.NoError(t, err)
			require.Equal(t, one[1], opened.Title, one[0])
		}
	}, draft.Tables()...)
}

// TestSeen: a form goes on with the draft that it has seen; where that was changed elsewhere both stay. Two saves of one moment differ.
func TestSeen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		view := d.as(office(""))
		save := func(id string, seen *time.Time, subject string) draft.Kept {
			t.Helper()
			in := memo(`{"subject": "` + subject + `"}`)
			in.ID, in.Seen = id, seen
			kept, err := d.Save(t.Context(), view, in)
			require.NoError(t, err)
			return kept
		}
		first := save("", nil, "one")
		begun := d.now
		second := save(first.ID, &first.ModifiedTime, "two")
		require.Equal(t, draft.Kept{ID: first.ID, ModifiedTime: first.ModifiedTime.Add(time.Millisecond)}, second)
		d.now = d.now.Add(time.Hour)
		apart := save(first.ID, &first.ModifiedTime, "elsewhere")
		require.True(t, apart.Apart)
		require.NotEqual(t, first.ID, apart.ID)
		whatever := save(first.ID, nil, "three")
		require.Equal(t, draft.Kept{ID: first.ID, ModifiedTime: d.now}, whatever)
		page, err := d.List(t.Context(), view, "", 0, 10)
		require.NoError(t, err)
		titles := map[string]time.Time{}
		for _, e := range page.Content {
			titles[e.Title] = e.CreatedTime
		}
		require.Equal(t, map[string]time.Time{"three": begun, "elsewhere": d.now}, titles)

		in := memo(`{}`)
		in.ID, in.SchemaCode = first.ID, "else"
		_, err = d.Save(t.Context(), view, in)
		require.Equal(t, fault.BadParameter, fault.Of(err), "a draft stays one of its model")
	}, draft.Tables()...)
}

// TestDraftsThatStart: the form of a workflow is kept for those who can start it, and opened while they can.
func TestDraftsThatStart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		view := d.as(office(""))
		save := func(workflow, form string) (draft.Kept, error) {
			in := memo(`{"subject": "x"}`)
			in.Workflow, in.SheetCode = workflow, form
			return d.Save(t.Context(), view, in)
		}
		for _, other := range []string{"none", "elseFlow"} {
			_, err := save(other, "")
			require.Equal(t, fault.WorkflowNotFound, fault.Of(err), other)
		}
		_, err := save("", "else")
		require.Equal(t, fault.FormNotFound, fault.Of(err), "a form of another model")
		kept, err := save("memoFlow", "memo")
		require.NoError(t, err)
		opened, err := d.Open(t.Context(), view, kept.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"memoFlow", "memo"}, []string{*opened.Workflow, opened.SheetCode})
		plain, err := save("", "")
		require.NoError(t, err)

		d.refuses = fault.New(fault.Forbidden)
		_, err = save("memoFlow", "")
		require.Equal(t, fault.Forbidden, fault.Of(err))
		_, err = d.Open(t.Context(), view, kept.ID)
		require.Equal(t, fault.NoAddPermission, fault.Of(err))
		opened, err = d.Open(t.Context(), view, plain.ID)
		require.NoError(t, err)
		require.Nil(t, opened.Workflow)
	}, draft.Tables()...)
}

// TestLostValues: values of properties that have gone, have another type or are computed since are left out and counted.
func TestLostValues(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		text := func(code string) string {
			return `, {"code": "` + code + `", "propertyType": "ShortText", "name": "甲"}`
		}
		was := text("gone") + text("turned") + text("computed") + text("stays")
		kept, err := d.Save(t.Context(), d.as(office(was)), memo(`{"gone": "a", "turned": "b", "computed": "c", "stays": "d"}`))
		require.NoError(t, err)
		is := text("stays") + `, {"code": "turned", "propertyType": "LongText", "name": "甲"},
			{"code": "computed", "propertyType": "ShortText", "name": "甲", "computeFormula": "subject"}`
		opened, err := d.Open(t.Context(), d.as(office(is)), kept.ID)
		require.NoError(t, err)
		require.Equal(t, map[string]json.RawMessage{"stays": json.RawMessage(`"d"`)}, opened.Data)
		require.Equal(t, 3, opened.Lost)
	}, draft.Tables()...)
}
