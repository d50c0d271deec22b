package savedfilter_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// world is the example ship-lock on one kind of database.
type world struct {
	*savedfilter.Service
	t *testing.T
	a *app.App
}

// embedded is a database on which the packs of the program have been opened.
var embedded = apptest.Of(plugintest.Register)

// TestSavedFilters runs every test on one world of each kind of database.
func TestSavedFilters(t *testing.T) {
	embedded.Each(t, func(t *testing.T, o store.Options) {
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		a, err := app.Open(t.Context(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"../../examples/ship-lock"}, Zone: time.FixedZone("CST", 8*3600)},
			URL: o.URL, Dir: o.Dir, Version: apptest.Version, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Idle: true})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		for name, test := range map[string]func(*world, *testing.T){"own": (*world).own, "wrong": (*world).wrong, "shared": (*world).shared, "limit": (*world).limit} {
			t.Run(name, func(t *testing.T) { test(&world{a.SavedFilters(), t, a}, t) })
		}
	})
}

// caller is somebody with one role.
func (w *world) caller(name, role string) *authz.View {
	s := w.a.State()
	p := principal.Principal{UserID: name, Name: name, Roles: []string{role}, Locale: "zh"}
	return s.Policy.View(p, w.a.Now(), w.a.Zone())
}

func filter(code, op, value, label string) query.Filter {
	text := func(s string) json.RawMessage { b, _ := json.Marshal(s); return b }
	f := query.Filter{PropertyCode: code, PropertyValue: text(value), QueryFilterType: text(op)}
	if label != "" {
		f.PropertyValueName = text(label)
	}
	return f
}

func (w *world) add(view *authz.View, name string, shared bool, of ...query.Filter) (string, error) {
	return w.Add(w.t.Context(), view, "inspection", "inspection", savedfilter.Change{Name: &name, Filters: &of, Shared: &shared})
}

func (w *world) list(view *authz.View) []savedfilter.Saved {
	page, err := w.List(w.t.Context(), view, "inspection", "inspection")
	require.NoError(w.t, err)
	return page.Content
}

func names(of []savedfilter.Saved) (out []string) {
	for _, f := range of {
		out = append(out, f.Name)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// own: a person's filters are saved, renamed, overwritten, chosen as the first and deleted, and nobody else sees them.
func (w *world) own(t *testing.T) {
	ctx, her, him := t.Context(), w.caller("her", "viewer"), w.caller("him", "viewer")
	month, err := w.add(her, "  本月   合格 ", false, filter("checkDate", "Between", "thisMonth", ""), filter("result", "Contains", "OK", ""))
	require.NoError(t, err)
	_, err = w.add(her, "按部位", false, filter("part", "Contains", "上闸首", ""))
	require.NoError(t, err)
	_, err = w.add(her, "本月 合格", false)
	require.Equal(t, fault.SavedFilterName, fault.Of(err))
	_, err = w.add(him, "本月 合格", false)
	require.NoError(t, err, "another person's names are free")

	require.Equal(t, []string{"按部位", "本月 合格"}, names(w.list(her)))
	require.JSONEq(t, `"thisMonth"`, string(w.list(her)[1].Filters[0].PropertyValue), "a word for days stays one")
	require.NoError(t, w.Change(ctx, her, month, savedfilter.Change{Name: ptr("本年"), Default: ptr(true), Filters: &[]query.Filter{filter("checkDate", "Between", "thisYear", "")}}))
	got := w.list(her)[1]
	require.Equal(t, "本年", got.Name)
	require.True(t, got.Default && got.Mine && !got.Shared && !got.Lacking)
	require.Len(t, got.Filters, 1)

	for _, c := range []*authz.View{him, w.caller("pm", "projectManager")} {
		require.Equal(t, fault.SavedFilterNotFound, fault.Of(w.Delete(ctx, c, month)))
		require.Equal(t, fault.SavedFilterNotFound, fault.Of(w.Change(ctx, c, month, savedfilter.Change{Default: ptr(true)})))
	}
	require.NoError(t, w.Delete(ctx, her, month))
	require.Equal(t, []string{"按部位"}, names(w.list(her)))
	_, err = w.List(ctx, her, "site", "")
	require.Equal(t, fault.ModelNotFound, fault.Of(err))
}

// wrong: what the plan does not allow cannot be saved, and the refusal names it.
func (w *world) wrong(t *testing.T) {
	her := w.caller("wrong", "viewer")
	_, err := w.add(her, "x", false, filter("checkDate", "Between", "soon", ""), filter("amount", "GreaterThan", "1", ""), filter("part", "Of", "x", ""))
	var refused *fault.Error
	require.True(t, errors.As(err, &refused))
	require.Len(t, refused.Data.(fault.Invalid).Errors, 3)
	for _, name := range []string{"", "  ", string(make([]rune, 61)), "a\x00b"} {
		_, err := w.add(her, name, false)
		require.Equal(t, fault.BadParameter, fault.Of(err), "%q", name)
	}
	_, err = w.add(her, "x", false, query.Filter{Or: []query.Filter{filter("part", "Equal", "x", "")}})
	require.Equal(t, fault.BadParameter, fault.Of(err))
}

// shared: only who may share shares; the others see the filter without what they may not read: neither the conditions of
// hidden fields nor the names of hidden records.
func (w *world) shared(t *testing.T) {
	ctx, manager, reader := t.Context(), w.caller("pm", "projectManager"), w.caller("reading", "viewer")
	_, err := w.add(reader, "mine", true)
	require.Equal(t, fault.Forbidden, fault.Of(err))
	draft := w.contract(manager, "DRAFT")
	active := w.contract(manager, "ACTIVE")
	id, err := w.add(manager, "大额", true, filter("amount", "GreaterThan", "100000", ""), filter("result", "Contains", "OK", ""),
		filter("contract", "Equal", draft, "合同的名称"), filter("contract", "NotEqual", active, "x"))
	require.NoError(t, err)

	mine := w.list(manager)[0]
	require.Len(t, mine.Filters, 4)
	require.False(t, mine.Lacking)
	seen := w.list(reader)[0]
	require.Equal(t, "大额", seen.Name)
	require.True(t, seen.Lacking && seen.Shared && !seen.Mine)
	text, err := json.Marshal(seen)
	require.NoError(t, err)
	require.NotContains(t, string(text), "amount")
	require.NotContains(t, string(text), "100000")
	require.NotContains(t, string(text), "合同的名称", "a record that she may not see has no name for her")
	require.Len(t, seen.Filters, 3)
	require.Empty(t, seen.Filters[1].PropertyValueName)
	require.Contains(t, string(seen.Filters[2].PropertyValueName), "合同", "what she may see is called by its own name")

	require.Equal(t, fault.Forbidden, fault.Of(w.Change(ctx, reader, id, savedfilter.Change{Name: ptr("y")})))
	require.Equal(t, fault.Forbidden, fault.Of(w.Change(ctx, reader, id, savedfilter.Change{Shared: ptr(false)})))
	require.Equal(t, fault.Forbidden, fault.Of(w.Delete(ctx, reader, id)))
	require.NoError(t, w.Change(ctx, reader, id, savedfilter.Change{Default: ptr(true)}))
	require.True(t, w.list(reader)[0].Default)
	require.False(t, w.list(manager)[0].Default, "the first choice is each person's own")

	require.NoError(t, w.Change(ctx, w.caller("other", "projectManager"), id, savedfilter.Change{Shared: ptr(false)}))
	require.Empty(t, w.list(reader))
	require.Len(t, w.list(manager), 1)
}

// contract is the id of a contract in a state.
func (w *world) contract(view *authz.View, status string) string {
	one := 1
	data, err := w.a.Reader().List(w.t.Context(), view, query.ListRequest{SchemaCode: "contract", Size: &one,
		Filters: []query.Filter{filter("status", "Contains", status, "")}})
	require.NoError(w.t, err)
	var page struct{ Content []struct{ ID string } }
	require.NoError(w.t, json.Unmarshal(data, &page))
	require.NotEmpty(w.t, page.Content, "a contract that is %s", status)
	return page.Content[0].ID
}

// limit: a list keeps so many filters of a person and no more.
func (w *world) limit(t *testing.T) {
	her := w.caller("limit", "viewer")
	var wait sync.WaitGroup
	for part := range 32 {
		wait.Go(func() {
			for i := range 3 {
				_, _ = w.add(her, fmt.Sprintf("%d %d", part, i), false)
			}
		})
	}
	wait.Wait()
	_, err := w.add(her, "one more", false)
	require.Equal(t, fault.SavedFilterLimit, fault.Of(err))
	require.Len(t, w.list(her), 50)
}
