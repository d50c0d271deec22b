package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
)

var filled = apptest.Of(plugintest.Register)

// why is the refusal of properties, "hours 406001"; "ok" = none.
func why(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return "ok"
	}
	invalid, ok := f.Data.(fault.Invalid)
	if !ok {
		return fmt.Sprint(int(f.Code))
	}
	var out []string
	for _, one := range invalid.Errors {
		out = append(out, fmt.Sprint(one.PropertyCode, " ", int(one.Code)))
	}
	return strings.Join(out, ", ")
}

// TestCalendars: what is refused of calendars and their dates.
func TestCalendars(t *testing.T) {
	t.Parallel()
	filled.Each(t, func(t *testing.T, o store.Options) {
		s := packtest.BootOn(t, packtest.Database{URL: o.URL, Dir: o.Dir}, plugintest.Register)
		boss := s.Person("boss", "administrator")
		add := func(model string, values map[string]any) (id string, err error) {
			err = s.Do(boss, func(ctx context.Context, w world.World) (err error) {
				id, err = w.Create(ctx, model, values)
				return err
			})
			return id, err
		}
		yard, err := add("department", map[string]any{"name": "Yard"})
		require.NoError(t, err)
		for _, c := range []struct {
			values map[string]any
			want   string
		}{
			{map[string]any{"code": "shift", "name": "a"}, "monday 406004"},
			{map[string]any{"code": "shift", "name": "a", "monday": "8 to 5"}, "monday 406001"},
			{map[string]any{"code": "shift", "name": "a", "friday": "17:00-08:00"}, "friday 406002"},
			{map[string]any{"code": "shift", "name": "a", "sunday": "08:00-12:00 11:00-17:00"}, "sunday 406003"},
			{map[string]any{"code": "1", "name": "a", "sunday": "08:00-12:00"}, "code 302010"},
			{map[string]any{"code": "workday", "name": "a", "sunday": "08:00-12:00"}, "isDefault 406005"},
			{map[string]any{"code": "workday", "name": "a", "sunday": "13:00-14:00,8:00-12:00", "department": yard}, "ok"},
			{map[string]any{"code": "workday", "name": "b", "sunday": "08:00-12:00", "department": yard, "isDefault": true}, "isDefault 406005"},
			{map[string]any{"code": "shift", "name": "b", "sunday": "08:00-12:00"}, "ok"},
		} {
			_, err := add("workCalendar", c.values)
			require.Equal(t, c.want, why(err), "%v", c.values)
		}
		var shift string
		require.NoError(t, s.Do(boss, func(ctx context.Context, w world.World) error {
			found, err := w.Find(ctx, "workCalendar", map[string]any{"code": "workday", "department": yard}, 1)
			require.NoError(t, err)
			one, err := w.Get(ctx, "workCalendar", found[0])
			require.NoError(t, err)
			require.Equal(t, "08:00-12:00 13:00-14:00", one.Values["sunday"], "hours are written in one form")
			require.Equal(t, false, one.Values["isDefault"])
			found, err = w.Find(ctx, "workCalendar", map[string]any{"code": "shift"}, 1)
			shift = found[0]
			one, _ = w.Get(ctx, "workCalendar", shift)
			require.Equal(t, true, one.Values["isDefault"], "a calendar for no department is the default")
			_, err = w.Update(ctx, "workCalendar", shift, one.Version, map[string]any{"remark": "kept"})
			return err
		}))
		for _, c := range []struct {
			values map[string]any
			want   string
		}{
			{map[string]any{"calendar": shift, "date": "2026-10-01", "kind": "HOLIDAY", "hours": "08:00-12:00"}, "hours 406006"},
			{map[string]any{"calendar": shift, "date": "2026-10-01", "kind": "WORKDAY", "hours": "12:00-08:00"}, "hours 406002"},
			{map[string]any{"calendar": shift, "date": "2026-10-01", "kind": "WORKDAY"}, "ok"},
			{map[string]any{"calendar": shift, "date": "2026-10-02"}, "ok"},
		} {
			_, err := add("workCalendarDay", c.values)
			require.Equal(t, c.want, why(err), "%v", c.values)
		}
		_, err = add("workCalendarDay", map[string]any{"calendar": shift, "date": "2026-10-01"})
		require.Error(t, err, "a date twice")
	})
}
