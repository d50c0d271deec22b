package app_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/packtest"
)

// TestWorldSheets: code of packs writes spreadsheets and reads them again; templates have rules and an example that is not data.
func TestWorldSheets(t *testing.T) {
	t.Parallel()
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)})
	chief := s.Person("chief", "chief")
	sheet := world.Sheet{Name: "Points", Columns: []world.SheetColumn{{Title: "Label", Required: true, Example: "P1", Note: "what it is called"}, {Title: "Value"}, {Title: "On", Options: []string{"yes", "no"}}, {Title: "At"}}}
	list := func(rows ...[]any) func(func([]any, error) bool) {
		return func(yield func([]any, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	read := func(w world.World, name string, content []byte) (out [][]string, numbers []int, err error) {
		f, err := w.PutFile(t.Context(), name, bytes.NewReader(content))
		if err != nil {
			return nil, nil, err
		}
		for row, err := range w.SheetRows(t.Context(), f.ID) {
			if err != nil {
				return out, numbers, err
			}
			out, numbers = append(out, slices.Clone(row.Cells)), append(numbers, row.Number)
		}
		return out, numbers, nil
	}
	require.NoError(t, s.Do(chief, func(_ context.Context, w world.World) error {
		var file, template bytes.Buffer
		number, _ := decimal.NewFromString("1200.50")
		require.NoError(t, w.WriteSheet(&file, sheet, list([]any{"a", number, true, time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)}, []any{"=1+1", 7, nil, nil}, []any{nil, nil, nil, nil}, []any{"z"})))
		got, numbers, err := read(w, "a.xlsx", file.Bytes())
		require.NoError(t, err)
		require.Equal(t, [][]string{{"Label", "Value", "On", "At"}, {"a", "1200.5", "TRUE", "2026-03-05"}, {"=1+1", "7"}, {"z"}}, got)
		require.Equal(t, []int{1, 2, 3, 5}, numbers)
		require.ErrorContains(t, w.WriteSheet(&bytes.Buffer{}, sheet, list([]any{struct{}{}})), "can't hold")

		require.NoError(t, w.WriteSheet(&template, sheet, nil))
		got, _, err = read(w, "t.xlsx", template.Bytes())
		require.NoError(t, err)
		require.Equal(t, [][]string{{"Label", "Value", "On", "At"}}, got, "neither keys nor the example")

		got, _, err = read(w, "c.csv", []byte("Label,Value\n\n b ,2\n"))
		require.NoError(t, err)
		require.Equal(t, [][]string{{"Label", "Value"}, {"b", "2"}}, got)
		return nil
	}))
	many := "n\n" + strings.Repeat("1\n", 50_001)
	require.NoError(t, s.Do(chief, func(_ context.Context, w world.World) error {
		_, _, err := read(w, "many.csv", []byte(many))
		require.Equal(t, fault.ImportTooManyRows, fault.Of(err))
		_, _, err = read(w, "text.txt", []byte(fmt.Sprint("\x00")))
		require.Error(t, err)
		return nil
	}))
}

// TestWorldStays: what Delete would refuse, without trying.
func TestWorldStays(t *testing.T) { onBoth(t, testWorldStays) }

func testWorldStays(t *testing.T, s *packtest.System) {
	chief, planner := s.Person("chief", "chief"), s.Person("planner", "planner")
	var used, free string
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) (err error) {
		if used, err = w.Create(ctx, "project", map[string]any{"title": "used"}); err != nil {
			return err
		}
		if free, err = w.Create(ctx, "project", map[string]any{"title": "free"}); err != nil {
			return err
		}
		_, err = w.Create(ctx, "task", map[string]any{"code": "A", "project": used})
		return err
	}))
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		why, err := w.Stays(ctx, "project", []string{used, free})
		require.NoError(t, err)
		require.Contains(t, why[used], "任务")
		require.NotContains(t, why, free)
		return w.Delete(ctx, "project", free)
	}))
	require.NoError(t, s.Do(planner, func(ctx context.Context, w world.World) error {
		why, err := w.Stays(ctx, "project", []string{used, free})
		require.NoError(t, err)
		require.Equal(t, map[string]string{used: "没有删除权限", free: "数据不存在"}, why)
		return nil
	}))
}
