package quality_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestKillApproval kills the process that approves inspections at random moments of its approvals. Each ends a workflow, completes a record of which items are
// due, and evaluates the lot and what is above it. After each kill an approval is there whole or not at all: the verdicts are what a computation from nothing
// gives, and say what the record says that the workflow completed.
func TestKillApproval(t *testing.T) {
	kills := storetest.Full(1, 3)
	if n, err := strconv.Atoi(os.Getenv(envKills)); err == nil {
		kills = n
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		at := packtest.Database{URL: o.URL, Dir: o.Dir}
		s := begin(t, at)
		s.project = s.newProject("approvals")
		p := s.parties("approvals", kills*5, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}}, "kinds": []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}}})
		record := map[string]string{}
		for i, lot := range p.lots {
			main := []string{"1", "1", "50"}[i%3]
			id, err := s.record(p.builder, lot, "SELF", s.row("MAIN", main), s.row("GEN", "1"))
			require.NoError(t, err, told(err))
			require.NoError(t, s.send(p.builder, "q_lot", id))
			record[lot] = id
		}
		agreed := 0
		for range kills {
			s.End()
			agreed += approver(t, at)
			s.System = packtest.BootOn(t, at, plugins.Register, plugins.With("quality"), flows)
			changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
			require.NoError(t, err)
			require.Zero(t, changed, "a verdict is not what a computation from nothing gives")
			completed := s.approvals(t, record)
			require.GreaterOrEqual(t, completed, agreed, "what was answered is stored")
			require.LessOrEqual(t, completed, agreed+1)
			agreed = completed
			open := s.waiting(p.supervisor)
			require.Len(t, open, len(record)-completed, "a task is open where nobody has agreed")
		}
		t.Logf("%d kills, %d approvals", kills, agreed)
	})
}

// approvals checks that each lot is what its record says, and returns how many were approved.
func (s *site) approvals(t *testing.T, record map[string]string) (completed int) {
	t.Helper()
	for lot, id := range record {
		r := s.get(s.owner, "q_record", id)
		var actions []string
		s.do(s.owner, func(ctx context.Context, w world.World) {
			found, err := w.Find(ctx, "q_ncr", in{"recordId": id}, 9)
			require.NoError(t, err)
			actions = found
		})
		want := []any{"PROCESSING", nil, "PENDING", 0}
		switch {
		case r["state"] != "COMPLETED":
		case r["conclusion"] == "NOT_OK":
			want = []any{"COMPLETED", "q_lot", "UNQUALIFIED", 1}
		default:
			want = []any{"COMPLETED", "q_lot", "QUALIFIED", 0}
		}
		if r["state"] == "COMPLETED" {
			completed++
		}
		require.Equal(t, want, []any{r["state"], r["signedBy"], s.eval(lot), len(actions)})
	}
	return completed
}

// approver approves inspections in a process of its own, kills it in the middle of one, and returns how many it had approved.
func approver(t *testing.T, at packtest.Database) (agreed int) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestApprover$", "-test.v")
	c.Env = append(os.Environ(), envURL+"="+at.URL, envDir+"="+at.Dir)
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	for enough := 1 + rand.IntN(3); agreed < enough && lines.Scan(); {
		agreed += btoi(lines.Text() == "agreed")
	}
	require.Positive(t, agreed, "nothing was approved before the kill")
	time.Sleep(time.Duration(rand.IntN(60_000)) * time.Microsecond)
	_ = c.Process.Kill()
	for lines.Scan() { // what it said while it was killed
		agreed += btoi(lines.Text() == "agreed")
	}
	_, _ = io.Copy(io.Discard, out)
	_ = c.Wait()
	return agreed
}

// TestApprover is the process that TestKillApproval kills.
func TestApprover(t *testing.T) {
	if os.Getenv(envDir) == "" {
		t.Skip("TestKillApproval starts it")
	}
	s := &site{System: packtest.BootOn(t, packtest.Database{URL: os.Getenv(envURL), Dir: os.Getenv(envDir)}, plugins.Register, plugins.With("quality"), flows), t: t, items: map[string]string{}}
	s.owner, _ = s.Caller(t.Context(), "owner")
	who, ok := s.Caller(t.Context(), "approvals-supervisor")
	require.True(t, ok)
	for {
		var open []string
		for id := range s.waiting(who) {
			open = append(open, id)
		}
		if len(open) == 0 {
			return
		}
		slices.SortFunc(open, strings.Compare)
		id := open[rand.IntN(len(open))]
		require.NoError(t, s.approve(who, id, nil))
		fmt.Println("agreed")
	}
}
