package codes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// holders are what people see of what was left behind.
var holders = map[string]func(s *shop) any{
	"history": func(s *shop) any {
		var out []any
		for _, id := range []string{s.record, s.free} {
			page, err := s.app.Reader().History(s.Context(), s.view(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: id})
			require.NoError(s, err)
			for _, e := range page.Content {
				out = append(out, e.Kind, e.Version, e.Changes)
			}
		}
		return out
	},
	"an earlier version": func(s *shop) any { return s.asOf(1) },
	"changed since": func(s *shop) any { // who is told what a record's newer version changed
		old := int64(1)
		_, err := s.app.Writer().Save(s.Context(), s.view(), record.Change{Model: s.now["order"], ID: s.record, Version: &old, Set: map[string]json.RawMessage{s.now["title"]: raw("late")}})
		var f *fault.Error
		require.ErrorAs(s, err, &f)
		return f.Data
	},
	"recycle bin": func(s *shop) any {
		page, err := s.app.Reader().Recycled(s.Context(), s.view(), query.RecycleRequest{SchemaCode: s.now["order"], Size: 10})
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		one, err := s.app.Reader().RecycledOne(s.Context(), s.view(), query.RecycledRequest{SchemaCode: s.now["order"], ID: s.deleted})
		require.NoError(s, err)
		return []any{page.Content[0].Name, one.Data}
	},
	"drafts": func(s *shop) any {
		page, err := s.app.Drafts().List(s.Context(), s.view(), "", 0, 10)
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		one, err := s.app.Drafts().Open(s.Context(), s.view(), page.Content[0].ID)
		require.NoError(s, err)
		require.Zero(s, one.Lost)
		return []any{one.SchemaCode, one.SheetCode, one.Workflow, one.Usable, one.Data}
	},
	"saved filters": func(s *shop) any {
		page, err := s.app.SavedFilters().List(s.Context(), s.view(), s.now["order"], s.now["orders"])
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		return page.Content[0]
	},
	"columns of exports": func(s *shop) any {
		chosen, err := s.app.Exports().History(s.Context(), s.view(), s.now["order"], s.now["orders"])
		require.NoError(s, err)
		require.Len(s, chosen, 1)
		var out struct {
			Columns []struct {
				PropertyCode string
				ChildColumns []struct{ PropertyCode string }
			}
		}
		require.NoError(s, json.Unmarshal([]byte(chosen[0].QueryCondition), &out))
		return out
	},
	"batches": func(s *shop) any {
		page, err := s.app.Bulk().Log(s.Context(), s.view(), s.now["order"], 0, 10)
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		return []any{page.Content[0].Value, page.Content[0].Undoable}
	},
	"comments": func(s *shop) any {
		page, err := s.app.Comments().List(s.Context(), s.view(), query.Ref{SchemaCode: s.now["order"], ID: s.record}, "", 10)
		require.NoError(s, err)
		require.NotEmpty(s, page.Content)
		return page.Content[0].Text
	},
	"visits": func(s *shop) any {
		places, err := s.app.Home().Places(s.Context(), s.view())
		require.NoError(s, err)
		require.Len(s, places.Records, 1)
		return places.Records[0].Place
	},
	"arrangements": func(s *shop) any {
		page, err := s.app.Portals().Get(s.Context(), s.view(), s.now["home"])
		require.NoError(s, err)
		return page
	},
	"printings": func(s *shop) any {
		past, err := s.app.Prints().History(s.Context(), s.view(), s.now["order"], "", s.record)
		require.NoError(s, err)
		require.Len(s, past, 1)
		return past
	},
	"numbers": func(s *shop) any {
		saved := s.save("", 0, map[string]any{"title": "next"})
		s.number++
		page, err := s.app.Reader().History(s.Context(), s.view(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: saved.ID})
		require.NoError(s, err)
		require.Len(s, page.Content, 1)
		no := *page.Content[0].Title
		require.Regexp(s, fmt.Sprintf("%05d next$", s.number), no)
		return nil
	},
	"a running workflow": func(s *shop) any {
		track, err := s.app.Workflows().Track(s.Context(), s.view(), s.running.Instance)
		require.NoError(s, err)
		require.Equal(s, "PROCESSING", track.Instance.State)
		_, err = s.app.Workflows().Start(s.Context(), s.view(), workflow.Start{Workflow: s.now["approval"], Record: s.record})
		require.Error(s, err, "a record runs in one workflow at a time")
		return []any{track.Instance.Workflow, track.Instance.Version}
	},
	"delegations": func(s *shop) any {
		all, err := s.app.Workflows().Delegations(s.Context(), s.view())
		require.NoError(s, err)
		require.Len(s, all, 1)
		return all[0].Codes
	},
	"people of roles": func(s *shop) any {
		person, ok := s.app.People().Person(s.Context(), s.person)
		require.True(s, ok)
		return slices.Sorted(slices.Values(person.Roles))
	},
}

func (s *shop) asOf(version int64) any {
	s.Helper()
	view := s.view()
	var out any
	require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) error {
		st, _, err := record.AsOf(ctx, tx, view, view.Model(s.now["order"]), s.record, record.Moment{Version: &version})
		if err != nil {
			return err
		}
		values := map[string]any{}
		for _, name := range []string{"title", "total", "place", "kind", "tags"} {
			values[name] = record.ValueOf(st.Row, st.Model.Field(s.now[name]))
		}
		sheet := st.Model.Field(s.now["lines"])
		for _, row := range st.Sheets[sheet.Code] {
			values["lines"] = []any{record.ValueOf(row, sheet.Sheet.Field(s.now["label"])), record.ValueOf(row, sheet.Sheet.Field(s.now["qty"])), record.ValueOf(row, sheet.Sheet.Field(s.now["size"]))}
		}
		out = values
		return nil
	}))
	return out
}

func (s *shop) seen() map[string]string {
	s.Helper()
	out, all := map[string]string{}, maps.Clone(holders)
	maps.Copy(all, flows)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out[name] = s.called(all[name](s))
	}
	return out
}
