package survey_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/packtest"

	"example.com/survey"
)

func boot(t *testing.T) *packtest.System {
	t.Helper()
	return packtest.Boot(t, plugins.Register, survey.Register)
}

// points makes two control points and returns their ids.
func points(t *testing.T, s *packtest.System) (first, second string) {
	t.Helper()
	require.NoError(t, s.Do(s.Person("boss", "administrator"), func(ctx context.Context, w world.World) error {
		ids, err := w.CreateAll(ctx, "controlPoint", []map[string]any{{"number": "K1", "grade": "A", "azimuth": "121°28'13.4\""}, {"number": "K2", "grade": "B"}})
		if err != nil {
			return err
		}
		first, second = ids[0], ids[1]
		return nil
	}))
	return first, second
}

// TestJudge: measured points of the sub-table are judged by the tolerance of their grade, no matter who writes them.
func TestJudge(t *testing.T) {
	s := boot(t)
	first, second := points(t, s)
	require.NoError(t, s.Do(s.Person("chen", "surveyor"), func(ctx context.Context, w world.World) error {
		id, err := w.Create(ctx, "campaign", map[string]any{"title": "May", "points": []map[string]any{
			{"point": first, "displacement": "-3.5"}, {"point": second, "displacement": "3.5"}, {"point": second}}})
		if err != nil {
			return err
		}
		saved, err := w.Get(ctx, "campaign", id)
		if err != nil {
			return err
		}
		require.Equal(t, "3.5", saved.Values["worst"])
		var rows []struct{ Result string }
		require.NoError(t, saved.Decode("points", &rows))
		require.Len(t, rows, 3)
		require.Equal(t, []string{"BAD", "OK", ""}, []string{rows[0].Result, rows[1].Result, rows[2].Result})
		return nil
	}))
}

// TestImport: 20,000 observations by a job, from a file that was put through the World, and out again as CSV.
func TestImport(t *testing.T) {
	s := boot(t)
	points(t, s)
	chen := s.Person("chen", "surveyor")
	const lines = 20_000
	var csv strings.Builder
	csv.WriteString("point,takenAt,value\n")
	at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for i := range lines {
		fmt.Fprintf(&csv, "K%d,%s,%d.%03d\n", i%2+1, at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), i/1000, i%1000)
	}
	job := start(t, s, func(ctx context.Context, w world.World) (string, error) {
		f, err := w.PutFile(ctx, "may.csv", strings.NewReader(csv.String()))
		if err != nil {
			return "", err
		}
		return w.Start(ctx, "survey.import", map[string]string{"file": f.ID}, world.JobOptions{})
	})
	done := s.Wait(t, chen, job)
	require.Equal(t, [2]int64{lines, lines}, [2]int64{done.Done, done.Total})
	n := 0
	require.NoError(t, s.Do(chen, func(ctx context.Context, w world.World) error {
		for row, err := range w.List(ctx, "observation", world.ListOptions{}) {
			if err != nil {
				return err
			}
			if n++; n == 2 {
				require.Equal(t, "K2", row.Cells[0].Text)
				require.Equal(t, "0.001 mm", row.Cells[2].Text)
			}
		}
		return nil
	}))
	require.Equal(t, lines, n)
	lost := start(t, s, func(ctx context.Context, w world.World) (string, error) {
		f, err := w.PutFile(ctx, "bad.csv", strings.NewReader("point,takenAt,value\nK1,2026-05-01T00:00:00Z,1\nK9,2026-05-01T00:00:00Z,1\n"))
		if err != nil {
			return "", err
		}
		return w.Start(ctx, "survey.import", map[string]string{"file": f.ID}, world.JobOptions{})
	})
	require.Equal(t, survey.UnknownPoint, s.Wait(t, chen, lost).Code)
}

func start(t *testing.T, s *packtest.System, f func(ctx context.Context, w world.World) (string, error)) (job string) {
	t.Helper()
	chen, ok := s.Caller(t.Context(), "chen")
	require.True(t, ok)
	require.NoError(t, s.Do(chen, func(ctx context.Context, w world.World) (err error) {
		job, err = f(ctx, w)
		return err
	}))
	return job
}

// TestReminder: the schedule tells the surveyors of overdue campaigns, once a day.
func TestReminder(t *testing.T) {
	s := boot(t)
	chen := s.Person("chen", "surveyor")
	require.NoError(t, s.Do(chen, func(ctx context.Context, w world.World) error {
		for title, due := range map[string]string{"late": "2026-01-01", "in time": "2126-01-01"} {
			if _, err := w.Create(ctx, "campaign", map[string]any{"title": title, "due": due, "surveyor": chen.UserID}); err != nil {
				return err
			}
		}
		return nil
	}))
	s.RunDue(t) // from now on the schedule counts
	for range 2 {
		s.Advance(24 * time.Hour)
		s.RunDue(t)
		s.RunDue(t) // another node looks at the same time
	}
	page, err := s.Messages().Search(t.Context(), s.View(chen), notify.Search{Size: 10})
	require.NoError(t, err)
	require.Len(t, page.Content, 2, "one message a day")
	require.Equal(t, "观测任务已逾期：late", page.Content[0].Title)
}

// The code names nothing of the documents but by what it declares.
func TestDeclared(t *testing.T) {
	packtest.Declared(t, ".", plugins.Register, survey.Register)
}

// TestUnchangedSpreadsheets: what the lists of the pack write into spreadsheets, its own property type too, they read back as what it was, and with what a
// person changed in it as that.
func TestUnchangedSpreadsheets(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	draw := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // draws of a test
	s := packtest.Boot(t, plugins.Register, survey.Register, packtest.WithSpreadsheets)
	points(t, s)
	s.Fill(t, 5)
	boss, ok := s.Caller(t.Context(), "boss")
	require.True(t, ok)
	for _, r := range s.RoundTrips(boss) {
		if r.List.Model.Pack == "survey" {
			for _, kind := range packtest.Spreadsheets() {
				s.Unchanged(t, boss, r, kind)
			}
			kinds := packtest.Spreadsheets()
			s.Rearranged(t, draw, boss, r, kinds[draw.IntN(len(kinds))])
		}
	}
}
