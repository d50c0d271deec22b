package importer_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// The environment that makes the test binary a worker process instead.
const (
	envURL  = "SLUICE_TEST_URL"
	envDir  = "SLUICE_TEST_DIR"
	envOn   = "SLUICE_TEST_WORKER"
	envRows = "SLUICE_IMPORT_ROWS" // how many records TestKill imports
)

func TestMain(m *testing.M) {
	workbook.Child()
	if os.Getenv(envOn) == "" {
		os.Exit(m.Run())
	}
	if _, err := open(store.Options{URL: os.Getenv(envURL), Dir: os.Getenv(envDir)}, 2); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("started")
	select {} // until it is killed
}

// process starts a worker process and returns how to kill it.
func process(t *testing.T, o store.Options) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), envOn+"=1", envURL+"="+o.URL, envDir+"="+o.Dir)
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	kill = func() { _, _ = c.Process.Kill(), c.Wait() }
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "started\n", line)
	return kill
}

// TestKill imports a file whose job's process is killed at random moments: in the end every row was written exactly once, or waits with its
// reason, and the import can say where each record came from.
func TestKill(t *testing.T) {
	demo.Each(t, func(t *testing.T, o store.Options) {
		a, err := open(o, 0)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()); _ = os.RemoveAll(filesOf(o)) })
		w := people(t, a)
		rows := storetest.Full(400, 800)
		if n, err := strconv.Atoi(os.Getenv(envRows)); err == nil {
			rows = n
		}
		head := []string{"编号", "名称", "数量", "测点.位置", "测点.数值"}
		sheets := [][][]string{{head}, {head}, {head}} // the same rows of each are other records
		refused := 0
		for i := range rows {
			quantity := "1"
			if i%10 == 7 {
				quantity = "no number"
				refused++
			}
			at := i * len(sheets) / rows
			sheets[at] = append(sheets[at], []string{fmt.Sprintf("P-%05d", i), "part", quantity, "a", "1"}, []string{"", "", "", "b", "2"})
		}
		id, err := w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{SchemaCode: "part", QueryField: "number", Mode: importer.Add,
			FileName: w.upload(w.boss, "a.xlsx", sheetsOf(t, "Jan", sheets[0], "Feb", sheets[1], "Mar", sheets[2])), Sheet: importer.Sheets{0, 1, 2}}, false)
		require.NoError(t, err)
		moments := make([]int, storetest.Full(1, 2))
		for i := range moments {
			moments[i] = 1 + rand.IntN(rows*9/10)
		}
		slices.Sort(moments)
		for _, moment := range moments {
			kill := process(t, o)
			for w.done(id) < int64(moment) {
				time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			}
			kill()
			t.Logf("killed at %d of %d", w.done(id), rows)
		}
		kill := process(t, o)
		out := w.ended(w.boss, id)
		kill()
		good := rows - refused
		require.Equal(t, []int64{int64(good), 0, int64(refused)}, []int64{out.Added, out.Changed, out.Errors})
		for i, sheet := range out.Sheets {
			require.Equal(t, int64(len(sheets[i])-1)/2, sheet.Added+sheet.Errors, "%+v", out.Sheets)
			good -= int(sheet.Added)
		}
		require.Zero(t, good, "%+v", out.Sheets)
		good = rows - refused
		require.EqualValues(t, good, w.count("SELECT count(*) FROM sl_history WHERE model = ?", "part"))
		require.EqualValues(t, good, w.count("SELECT count(DISTINCT record) FROM sl_import_record WHERE import_id = ?", id))
		require.EqualValues(t, good, w.count("SELECT max(sequence) FROM sl_import_record WHERE import_id = ?", id))
		require.EqualValues(t, refused, w.count("SELECT count(*) FROM sl_import_row WHERE import_id = ?", id))
		require.Equal(t, []string{"a 1", "b 2"}, w.points("P-00001"))
	})
}

// done is how many records an import has worked on.
func (w *world) done(id string) int64 {
	return w.count("SELECT added + changed + same + failed FROM sl_import WHERE id = ?", id)
}

func (w *world) count(text string, args ...any) (n int64) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Raw(text, args...).Scan(&n).Error }))
	return n
}

// TestTogether imports two files into one model at once: a key that both have becomes one record, whichever comes first.
func TestTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		const rows = 300
		results := make([]importer.Result, 2)
		var ids [2]string
		for k := range 2 {
			lines := [][]string{{"名称", "数量"}}
			for i := range rows {
				lines = append(lines, []string{fmt.Sprintf("N-%d", i*(k+1)), fmt.Sprint(k)})
			}
			lines[0] = append(lines[0], "编号")
			for i := 1; i < len(lines); i++ {
				lines[i] = append(lines[i], fmt.Sprintf("%d-%d", k, i))
			}
			var err error
			ids[k], err = w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{FileName: w.upload(w.boss, "a.xlsx", file(t, lines...)), SchemaCode: "part", QueryField: "title",
				Mode: importer.Add}, false)
			require.NoError(t, err)
		}
		var both sync.WaitGroup
		for k := range 2 {
			both.Go(func() { results[k] = w.ended(w.boss, ids[k]) })
		}
		both.Wait()
		require.EqualValues(t, rows+rows/2, results[0].Added+results[1].Added)
		require.EqualValues(t, rows/2, results[0].Errors+results[1].Errors)
		names := map[string]bool{}
		for _, name := range w.list(w.boss, "part", "title") {
			require.False(t, names[name], name)
			names[name] = true
		}
	})
}
