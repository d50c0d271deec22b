package draft_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var documents = map[string]string{
	"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
	"models/note.json": `{"name": "便笺", "name_i18n": {"en": "Note"}, "name_plural_i18n": {"en": "Notes"}, "digest": "{place} {title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题", "required": true},
		{"code": "place", "propertyType": "ShortText", "name": "地点"},
		{"code": "size", "propertyType": "Number", "name": "大小"},
		{"code": "twice", "propertyType": "Number", "name": "两倍", "computeFormula": "size * 2"},
		{"code": "lines", "propertyType": "Sheet", "name": "明细", "properties": [{"code": "text", "propertyType": "ShortText", "name": "内容"}]}]}`,
	"access/writer.json": `{"name": "作者", "models": [{"schemaCode": "note", "actions": ["view", "add"], "rows": "all"}]}`,
	"access/adder.json":  `{"name": "投稿", "models": [{"schemaCode": "note", "actions": ["add"]}]}`,
	"access/reader.json": `{"name": "读者", "models": [{"schemaCode": "note", "actions": ["view"], "rows": "all"}]}`,
}

type world struct {
	*draft.Service
	catalog *catalog.Catalog
	policy  *authz.Policy
	mu      sync.Mutex
	now     time.Time
}

func newWorld(t *testing.T, db *store.DB) *world {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	set.Freeze()
	c := compiletest.Pack(t, set, documents, time.UTC)
	w := &world{catalog: c, now: time.Date(2026, 11, 21, 3, 4, 5, 0, time.UTC)}
	var err error
	w.policy, err = authz.Compile(c)
	require.NoError(t, err)
	w.Service = draft.New(db, func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.now = w.now.Add(time.Second)
		return w.now
	}, func(*authz.View, string) error { return nil })
	return w
}

func (w *world) save(ctx context.Context, view *authz.View, in draft.Input) (string, error) {
	kept, err := w.Save(ctx, view, in)
	return kept.ID, err
}

func (w *world) as(user string, roles ...string) *authz.View {
	return w.policy.View(principal.Principal{UserID: user, Roles: roles, Locale: "en"}, w.now, time.UTC)
}

func input(id, text string) draft.Input {
	in := draft.Input{ID: id, SchemaCode: "note"}
	if err := json.Unmarshal([]byte(text), &in.Data); err != nil {
		panic(err)
	}
	return in
}

// A draft is one person's: kept over and over, listed the last touched first, found by its title, opened and deleted by nobody else.
func TestDrafts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w, ctx := newWorld(t, db), t.Context()
		ann, bob := w.as("ann", "writer"), w.as("bob", "writer")
		first, err := w.save(ctx, ann, input("", `{"title": "闸门 Gate", "place": "A_1", "size": "not a number", "lines": [{"text": "x"}]}`))
		require.NoError(t, err)
		second, err := w.save(ctx, ann, input("", `{"size": 1}`))
		require.NoError(t, err)
		_, err = w.save(ctx, bob, input("", `{"title": "bob's"}`))
		require.NoError(t, err)
		require.Equal(t, []string{"", "A_1 闸门 Gate"}, titles(t, w, ann, ""))
		again, err := w.save(ctx, ann, input(first, `{"title": "Gate", "lines": []}`))
		require.NoError(t, err)
		require.Equal(t, first, again)
		require.Equal(t, []string{"Gate", ""}, titles(t, w, ann, ""))
		require.Equal(t, []string{"Gate"}, titles(t, w, ann, "gAT"))
		require.Empty(t, titles(t, w, ann, "_"), "a wildcard is a letter")

		opened, err := w.Open(ctx, ann, first)
		require.NoError(t, err)
		require.JSONEq(t, `"Gate"`, string(opened.Data["title"]))
		require.JSONEq(t, `[]`, string(opened.Data["lines"]))
		require.Len(t, opened.Data, 2)
		held, err := w.save(ctx, ann, input("", `{"title": "file", "lines": [{"text": "01a1ff03-9488-70c7-b63d-ed44b3063794"}]}`))
		require.NoError(t, err)
		require.NoError(t, db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			holds, err := w.Holds(tx, "01a1ff03-9488-70c7-b63d-ed44b3063794")
			require.True(t, holds)
			require.NoError(t, err)
			holds, err = w.Holds(tx, "01a1ff03-9488-70c7-b63d-ed44b3063795")
			require.False(t, holds)
			return err
		}))
		require.NoError(t, w.Delete(ctx, ann, []string{held}))
		require.Equal(t, "便笺", opened.ModelName)
		for _, other := range []*authz.View{bob, w.as("carl", "writer")} {
			_, err = w.Open(ctx, other, first)
			require.Equal(t, fault.DraftNotFound, fault.Of(err))
			_, err = w.save(ctx, other, input(first, `{}`))
			require.Equal(t, fault.DraftNotFound, fault.Of(err))
			require.NoError(t, w.Delete(ctx, other, []string{first}))
		}
		require.NoError(t, w.Delete(ctx, ann, []string{first, "none"}))
		require.Len(t, titles(t, w, ann, ""), 1)

		gone := w.as("ann", "reader") // the right to add was taken
		page, err := w.List(ctx, gone, "", 0, 10)
		require.NoError(t, err)
		require.False(t, page.Content[0].Usable)
		_, err = w.Open(ctx, gone, second)
		require.Equal(t, fault.NoAddPermission, fault.Of(err))
	}, draft.Tables()...)
}

func TestDraftsRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w, ctx := newWorld(t, db), t.Context()
		writer := w.as("ann", "writer")
		for _, wrong := range []struct {
			who  *authz.View
			in   draft.Input
			want fault.Code
		}{
			{w.as("ann", "reader"), input("", `{}`), fault.NoAddPermission},
			{w.as("ann"), input("", `{}`), fault.ModelNotFound},
			{writer, draft.Input{SchemaCode: "nothing"}, fault.ModelNotFound},
			{writer, draft.Input{SchemaCode: "note.lines"}, fault.ModelNotFound},
			{writer, draft.Input{SchemaCode: "lines"}, fault.ModelNotFound},
			{writer, draft.Input{SchemaCode: "note", SheetCode: "nothing"}, fault.FormNotFound},
			{writer, input("", `{"owner": "bob"}`), fault.BadParameter},
			{writer, input("", `{"twice": "4"}`), fault.BadParameter},
			{writer, input("", `{"nope": 1}`), fault.BadParameter},
			{writer, input("", `{"lines": [[[[[[[[[[1]]]]]]]]]]}`), fault.BadParameter},
			{writer, input("", `{"title": "`+strings.Repeat("x", 1<<20)+`"}`), fault.TooLarge},
		} {
			_, err := w.save(ctx, wrong.who, wrong.in)
			require.Equal(t, wrong.want, fault.Of(err), "%.60v", wrong.in)
		}
		_, err := w.save(ctx, w.as("bob", "adder"), input("", `{"title": "x"}`))
		require.NoError(t, err, "who may add records and see none keeps drafts of theirs")
		var wait sync.WaitGroup
		var kept atomic.Int64
		for part := range 32 { // more than may stay, from everywhere at once
			wait.Go(func() {
				for i := range 5 {
					if _, err := w.save(ctx, writer, input("", fmt.Sprintf(`{"title": "%d %d"}`, part, i))); err == nil {
						kept.Add(1)
					}
				}
			})
		}
		wait.Wait()
		require.EqualValues(t, 100, kept.Load())
		_, err = w.save(ctx, writer, input("", `{}`))
		require.Equal(t, fault.DraftLimit, fault.Of(err))
	}, draft.Tables()...)
}

func titles(t *testing.T, w *world, c *authz.View, keyword string) (out []string) {
	t.Helper()
	page, err := w.List(t.Context(), c, keyword, 0, 10)
	require.NoError(t, err)
	require.EqualValues(t, len(page.Content), page.TotalElements)
	for _, e := range page.Content {
		out = append(out, e.Title)
	}
	return out
}
