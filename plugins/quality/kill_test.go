package quality_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// The environment that makes TestInspector inspect on a database until it is killed.
const (
	envURL   = "SLUICE_QUALITY_URL"
	envDir   = "SLUICE_QUALITY_DIR"
	envKills = "SLUICE_QUALITY_KILLS" // how often TestKill kills; without it once, or three times where everything is tested
)

// TestKill kills the process that saves inspections, which evaluate eight levels, at random moments of their transactions. After each kill
// every status is what a computation from nothing gives, and each failed record has its corrective action.
func TestKill(t *testing.T) {
	kills := storetest.Full(1, 3)
	if n, err := strconv.Atoi(os.Getenv(envKills)); err == nil {
		kills = n
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		at := packtest.Database{URL: o.URL, Dir: o.Dir}
		s := begin(t, at)
		s.do(s.owner, func(ctx context.Context, w world.World) {
			s.project = s.make(ctx, w, "pm_project", in{"projectKey": "kill", "projectName": "kill", "evalRule": "JTS257_2008"})
			above := ""
			for _, level := range []string{"PROJECT", "SINGLE", "UNIT", "SUBUNIT", "DIVISION", "SUBDIVISION", "ITEM"} {
				above = s.node(ctx, w, above, level, level)
			}
			for i := range 6 {
				s.node(ctx, w, above, "LOT", fmt.Sprint("LOT ", i))
			}
		})
		records := 0
		for range kills {
			s.End()
			saved := inspector(t, at)
			s.System = packtest.BootOn(t, at, plugins.Register, plugins.With("quality"), flows)
			changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
			require.NoError(t, err)
			require.Zero(t, changed, "a status is not what a computation from nothing gives")
			now, failed, actions := 0, 0, 0
			s.do(s.owner, func(ctx context.Context, w world.World) {
				for model, n := range map[string]*int{"q_record": &now, "q_ncr": &actions} {
					found, err := w.Find(ctx, model, nil, world.All)
					require.NoError(t, err)
					*n = len(found)
				}
				found, err := w.Find(ctx, "q_record", in{"conclusion": "NOT_OK"}, world.All)
				require.NoError(t, err)
				failed = len(found)
			})
			require.GreaterOrEqual(t, now, records+saved, "what was answered is stored")
			require.LessOrEqual(t, now, records+saved+1)
			require.Equal(t, failed, actions)
			records = now
		}
		t.Logf("%d kills, %d records", kills, records)
	})
}

// inspector saves inspections in a process of its own, kills it in the middle of one, and returns how many it had saved.
func inspector(t *testing.T, at packtest.Database) (saved int) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestInspector$", "-test.v")
	c.Env = append(os.Environ(), envURL+"="+at.URL, envDir+"="+at.Dir)
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	count := func() {
		if lines.Text() == "saved" {
			saved++
		}
	}
	for enough := 4 + rand.IntN(8); saved < enough && lines.Scan(); {
		count()
	}
	require.Positive(t, saved, "nothing was saved before the kill")
	time.Sleep(time.Duration(rand.IntN(12_000)) * time.Microsecond)
	_ = c.Process.Kill()
	for lines.Scan() { // what it said while it was killed
		count()
	}
	_, _ = io.Copy(io.Discard, out)
	_ = c.Wait()
	return saved
}

// TestInspector is the process that TestKill kills.
func TestInspector(t *testing.T) {
	if os.Getenv(envDir) == "" {
		t.Skip("TestKill starts it")
	}
	s := &site{System: packtest.BootOn(t, packtest.Database{URL: os.Getenv(envURL), Dir: os.Getenv(envDir)}, plugins.Register, plugins.With("quality"), flows), t: t, items: map[string]string{}}
	s.owner, _ = s.Caller(t.Context(), "owner")
	var lots []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		var err error
		lots, err = w.Find(ctx, "q_qbs", in{"nodeType": "LOT"}, world.All)
		require.NoError(t, err)
		for _, code := range []string{"GEN", "MAIN"} {
			found, err := w.Find(ctx, "q_check_item", in{"code": code}, 1)
			require.NoError(t, err)
			s.items[code] = found[0]
		}
	})
	for {
		lot := lots[rand.IntN(len(lots))]
		_, err := s.inspect(s.owner, lot, []string{"GEN", "MAIN"}[rand.IntN(2)], []string{"1;2", "1;11", "20"}[rand.IntN(3)])
		if f := new(fault.Error); errors.As(err, &f) && f.Code == quality.RepairFirst {
			s.do(s.owner, func(ctx context.Context, w world.World) {
				found, err := w.Find(ctx, "q_ncr", in{"qbsId": lot, "status": "OPEN"}, world.All)
				require.NoError(t, err)
				for _, id := range found {
					require.NoError(t, edit(ctx, w, "q_ncr", id, in{"status": "FIXED"}))
				}
			})
			continue
		}
		require.NoError(t, err, told(err))
		fmt.Println("saved")
	}
}
