package codes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

func opened(t *testing.T, o store.Options) *shop { return openedAs(t, o, false) }

func openedAs(t *testing.T, o store.Options, serving bool) *shop {
	s := &shop{T: t, options: o, dir: filepath.Join(t.TempDir(), "desk"), now: map[string]string{}, was: map[string][]string{}, changed: map[string]string{}, workers: 1, serving: serving}
	for _, name := range all {
		s.now[name] = "its" + strings.ToUpper(name[:1]) + name[1:] // no word that answers have besides
	}
	s.write()
	s.open()
	t.Cleanup(func() { require.NoError(t, s.app.Close()) })
	s.work()
	return s
}

// TestRenames: every name of an installation is changed, one after another, then all together, and two change places. Whatever was left behind is
// seen as before.
func TestRenames(t *testing.T) {
	plain := apptest.Of(plugintest.Register)
	plain.Each(t, func(t *testing.T, o store.Options) {
		s := opened(t, o)
		before := s.seen()
		check := func(what string) {
			t.Helper()
			for name, is := range s.seen() {
				require.Equal(t, before[name], is, "%s after %s", name, what)
			}
		}
		for _, name := range all {
			s.rename(map[string]string{name: name + "New"})
			check("renaming " + name)
		}
		s.rename(map[string]string{"title": s.now["place"], "place": s.now["title"], "label": s.now["qty"], "qty": s.now["label"],
			"big": s.now["tiny"], "tiny": s.now["small"], "small": s.now["big"], "red": s.now["blue"], "blue": s.now["red"]})
		check("changing places")
		every := map[string]string{}
		for _, name := range all {
			every[name] = strings.ToUpper(name[:1]) + name[1:] + "Last"
		}
		s.rename(every)
		check("renaming everything")

		// Old addresses lead on.
		c := s.app.State().Catalog
		require.Equal(t, s.now["order"], c.Model("itsOrder").Code)
		require.Equal(t, s.now["orders"], c.List("ordersNew").Code)
		require.Equal(t, s.now["orderForm"], c.Form("itsOrderForm").Code)
		require.Equal(t, s.now["home"], c.Portal("itsHome").Code)
		require.Equal(t, s.now["approval"], c.Workflow("itsApproval").Template.Code)
		require.Nil(t, c.Role("itsClerk"), "rights are of the codes of now")

		// Calls that name what a property was called are told its name of now, unless it is hidden.
		for _, was := range s.was["total"] {
			require.Equal(t, []any{fault.FieldRenamed, []any{s.now["total"]}}, s.refused(s.saveRaw(was, "1")))
			require.Equal(t, []any{fault.FieldRenamed, []any{s.now["total"]}}, s.refused(s.filter(was)))
		}
		require.Equal(t, []any{fault.FieldRenamed, []any{s.now["lines"] + "." + s.now["label"]}}, s.refused(s.saveRaw(s.now["lines"], `[{"qtyNew": 1}]`)), "which had it last")
		for _, was := range append(s.was["hush"], "nothing") {
			require.Equal(t, []any{fault.FieldUnknown, []any{was}}, s.refused(s.saveRaw(was, `"x"`)))
			require.Equal(t, fault.FieldUnknown, s.refused(s.filter(was))[0])
		}

		// Values that name what an option was called are told its code of now, one by one and in rows; what has the code now is meant by it.
		require.Equal(t, []any{fault.OptionRenamed, []any{"itsBig", s.now["big"]}}, s.refused(s.saveRaw(s.now["kind"], `"itsBig"`)))
		require.Equal(t, []any{fault.OptionRenamed, []any{"redNew", s.now["blue"]}}, s.refused(s.saveRaw(s.now["tags"], `["redNew"]`)), "which had it last")
		require.Equal(t, []any{fault.OptionRenamed, []any{"itsTiny", s.now["tiny"]}}, s.refused(s.saveRaw(s.now["lines"], `[{"`+s.now["size"]+`": ["itsTiny"]}]`)))
		_, err := s.app.Bulk().Run(s.Context(), s.view(), bulk.Request{Kind: bulk.BatchUpdate, Property: s.now["kind"], Value: raw("itsBig"), Selection: query.SelectionRequest{SchemaCode: s.now["order"], ObjectIDs: []string{s.free}}})
		require.Equal(t, []any{fault.OptionRenamed, []any{"itsBig", s.now["big"]}}, s.refused(err))
		require.Equal(t, []any{fault.FieldOption, []any{"nothing"}}, s.refused(s.saveRaw(s.now["kind"], `"nothing"`)))

		// Filters stand in addresses: they mean the option of now, one by one, several and in rows.
		small := s.found("kind", s.now["small"])
		require.NotZero(t, small)
		require.Equal(t, small, s.found("kind", "itsSmall"))
		require.Equal(t, small, s.found("kind", []string{"bigNew", "nothing"}), "which had it last")
		require.Zero(t, s.found("kind", "nothing"))
		require.NotZero(t, s.found("tags", []string{s.now["red"]}))
		require.Equal(t, s.found("tags", []string{s.now["red"]}), s.found("tags", "itsRed;nothing"))
		list, err := s.app.Reader().Config(s.view(), s.now["order"], s.now["orders"])
		require.NoError(t, err)
		former := map[string]string{}
		for _, of := range list.Conditions {
			for _, one := range of.Options {
				for _, code := range one.Former {
					former[of.PropertyCode+":"+code] = one.Code
				}
			}
		}
		for code, now := range map[string]string{"itsSmall": s.now["small"], "itsBig": s.now["big"]} {
			require.Equal(t, now, former[s.now["kind"]+":"+code], "the boxes of filters show what they find")
		}

		// The approval asks the chief, as its version says: the amount is 5,291.
		for range 2 {
			tasks, err := s.app.Workflows().Items(s.Context(), s.view(), "unfinished", workflow.Search{Size: 10})
			require.NoError(t, err)
			require.Len(t, tasks.Content, 1)
			_, err = s.app.Workflows().Act(s.Context(), s.view(), workflow.Command{Item: tasks.Content[0].ID, Do: flow.OpAgree})
			require.NoError(t, err)
		}
		track, err := s.app.Workflows().Track(s.Context(), s.view(), s.running.Instance)
		require.NoError(t, err)
		require.Equal(t, "COMPLETED", track.Instance.State)

		// The batch is undone, and the deleted record comes back whole.
		require.Equal(t, s.now["tiny"], s.value(s.record, "kind"), "what the end writes")
		require.Equal(t, s.now["small"], s.value(s.record, "stamp"))
		require.Equal(t, []string{s.now["blue"], s.now["red"]}, s.value(s.record, "tags"))
		now := s.version(s.record)
		_, err = s.app.Writer().Save(s.Context(), s.view(), record.Change{Model: s.now["order"], ID: s.record, Version: &now, Set: map[string]json.RawMessage{s.now["title"]: raw("other")}})
		var sealed *fault.Error
		require.ErrorAs(t, err, &sealed)
		require.Equal(t, fault.RecordSealed, sealed.Code, "what was approved stays")
		s.save(s.record, now, map[string]any{"kind": "«small»"}) // what its version leaves open
		_, err = s.app.Bulk().Run(s.Context(), s.view(), bulk.Request{Kind: bulk.Undo, Batch: s.batch})
		require.NoError(t, err)
		require.Equal(t, s.now["big"], s.value(s.record, "kind"))
		_, err = s.app.Writer().Restore(s.Context(), s.view(), s.now["order"], s.deleted)
		require.NoError(t, err)
		require.Equal(t, s.now["small"], s.value(s.deleted, "kind"))

		// A formula may copy a code.
		const model = "models/«order».json"
		s.changed[model] = strings.Replace(documents[model], `{"code": "«hush»"`, `{"code": "copied", "name": "抄", "name_i18n": {"en": "Copied"}, "propertyType": "ShortText", "computeFormula": "concat(«kind», '')"},
  {"code": "«hush»"`, 1)
		s.rename(nil)
		s.now["copied"] = "copied"
		s.save(s.free, s.version(s.free), map[string]any{"kind": "«tiny»", "tags": []string{"«red»"}})
		require.Equal(t, s.now["tiny"], s.value(s.free, "copied"))
		s.rename(map[string]string{"tiny": "Least"})
		require.Eventually(t, func() bool { return s.value(s.free, "copied") == "Least" }, 10*time.Second, 20*time.Millisecond)
	})
}

// TestVersionsOfSwaps: a workflow starts also when its text is that of an earlier version in which the same words meant other things.
func TestVersionsOfSwaps(t *testing.T) {
	apptest.Of(plugintest.Register).Each(t, func(t *testing.T, o store.Options) {
		s := opened(t, o)
		for range 3 {
			s.rename(map[string]string{"title": s.now["place"], "place": s.now["title"]})
			made := s.save("", 0, map[string]any{"title": "again"})
			_, err := s.app.Workflows().Start(s.Context(), s.view(), workflow.Start{Workflow: s.now["approval"], Record: made.ID})
			require.NoError(t, err)
		}
	})
}

// TestRandomRenames goes on working between renames of anything, together and in any order, with names changing places and coming back.
func TestRandomRenames(t *testing.T) {
	if testing.Short() {
		t.Skip("a start for each round")
	}
	plain := apptest.Of(plugintest.Register)
	plain.Each(t, func(t *testing.T, o store.Options) {
		seed := uint64(time.Now().UnixNano())
		random := rand.New(rand.NewPCG(seed, 1))
		t.Logf("seed %d", seed)
		s := opened(t, o)
		for round := range 8 {
			before := s.seen()
			to := map[string]string{}
			for _, name := range all {
				if name == "again" && s.changed[flowFile] == "" {
					continue // it is not there
				}
				switch random.IntN(4) {
				case 0:
					to[name] = fmt.Sprintf("%sRound%d", name, round)
				case 1:
					if was := s.was[name]; len(was) > 0 && !slices.Contains(slices.Collect(maps.Values(s.now)), was[len(was)-1]) {
						to[name] = was[len(was)-1] // back to its first
					}
				}
			}
			pairs := [][2]string{{"title", "place"}, {"qty", "label"}, {"big", "tiny"}, {"red", "blue"}, {"check", "chief"}, {"check", "joined"}, {"large", "fill"}}
			if p := pairs[random.IntN(len(pairs))]; to[p[0]] == "" && to[p[1]] == "" {
				to[p[0]], to[p[1]] = s.now[p[1]], s.now[p[0]]
			}
			s.rename(to)
			for name, is := range s.seen() {
				require.Equal(t, before[name], is, "seed %d, round %d: %s after %v", seed, round, name, to)
			}
			now := s.version(s.free)
			s.save(s.free, now, map[string]any{"total": 100 + round, "place": fmt.Sprint("place ", round), "kind": "«tiny»", "tags": []string{"«red»", "«blue»"}[round%2:], "lines": []any{map[string]any{"«label»": fmt.Sprint("label ", round), "«qty»": round, "«size»": []string{"«big»", "«tiny»"}}}})
			s.goOn(random)
		}
	})
}

// version is that of a record now.
func (s *shop) version(id string) int64 {
	s.Helper()
	page, err := s.app.Reader().History(s.Context(), s.view(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: id})
	require.NoError(s, err)
	return page.Content[0].Version
}

// value is one of a record now.
func (s *shop) value(id, name string) any {
	s.Helper()
	var out any
	require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		view := s.view()
		st, _, err := record.AsOf(ctx, tx, view, view.Model(s.now["order"]), id, record.Moment{})
		if err == nil {
			out = record.ValueOf(st.Row, st.Model.Field(s.now[name]))
		}
		return err
	}))
	return out
}

func (s *shop) saveRaw(code, value string) error {
	_, err := s.app.Writer().Save(s.Context(), s.view(), record.Change{Model: s.now["order"], Set: map[string]json.RawMessage{code: json.RawMessage(value)}})
	return err
}

func (s *shop) filter(code string) error {
	_, err := s.app.Reader().List(s.Context(), s.view(), query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"], Filters: []query.Filter{{PropertyCode: code, PropertyValue: raw("1")}}})
	return err
}

// found counts the orders that a filter finds.
func (s *shop) found(property string, value any) int64 {
	s.Helper()
	page, err := s.app.Reader().List(s.Context(), s.view(), query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"], Filters: []query.Filter{{PropertyCode: s.now[property], PropertyValue: raw(value)}}})
	require.NoError(s, err)
	var found struct {
		Total int64 `json:"totalElements"`
	}
	require.NoError(s, json.Unmarshal(page, &found))
	return found.Total
}

// refused is the first field that a refusal names.
func (s *shop) refused(err error) []any {
	s.Helper()
	var f *fault.Error
	require.ErrorAs(s, err, &f)
	in, ok := f.Data.(fault.Invalid)
	require.True(s, ok, "%v", err)
	return []any{in.Errors[0].Code, in.Errors[0].Args}
}
