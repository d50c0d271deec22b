package codes_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/codes"
)

var breakRows = flag.Bool("broken", false, "break a line for each row of the register, and require that a test of this package sees it: an hour")

// line is one of a file, and what it is broken into.
type line struct{ file, is, broken string }

// now makes a reader take codes as they are.
const now = "Since(1<<40, "

// asOf are the lines that read what is read as of its time.
var asOf = map[string]line{
	"sl_recycle.snapshot":      {"runtime/record/recycle.go", "Since(r.Epoch, ", now},
	"sl_batch.value":           {"runtime/bulk/log.go", "sides, err = b.now(tx, t.Field, sides)", "_ = tx"},
	"sl_batch_change.before":   {"runtime/bulk/undo.go", "was, err := u.log.now(tx, u.target.Field, was)", "err := error(nil)"},
	"sl_history.model":         {"runtime/record/asof.go", `Where(tx.Called("model", names.Model, m.Code)).Where("record = ?", id).Order`, `Where(tx.Called("model", names.List, m.Code)).Where("record = ?", id).Order`},
	"sl_history.changes":       {"runtime/record/earlier.go", "Since(h.Epoch, ", now},
	"sl_export_choice.columns": {"runtime/exporter/history.go", "Since(c.Epoch, ", now},
	"sl_import.assigned":       {"runtime/importer/assign.go", "Since(imp.Epoch, ", now},
	"sl_import_choice.columns": {"runtime/importer/remember.go", "Since(c.Epoch, ", now},
	"sl_print.model":           {"runtime/printing/history.go", `tx.Called("model", names.Model, `, `tx.Called("model", names.List, `},
	"sl_print.template":        {"runtime/printing/history.go", "Since(p.Epoch, ", now},
	"sl_print_record.shown":    {"runtime/printing/verify.go", "Since(p.Epoch, ", now},
	"sl_saved_filter.filters":  {"runtime/savedfilter/savedfilter.go", "Since(r.Epoch, ", now},
	"sl_draft.data":            {"runtime/draft/draft.go", "Since(r.Epoch, ", now},
	"sl_draft.types":           {"runtime/draft/draft.go", "types = codes.Keys(then, m, types)", "_ = codes.Keys(then, m, types)"},
	"sl_wf_template.document":  {"runtime/workflow/service.go", "Since(of.Epoch, ", now},
	"sl_job.payload":           {"runtime/job/run.go", "if r.epoch == nil {", "if true {"},
	"sl_wf_instance.state":     {"runtime/workflow/versions_same.go", "nodesSince(log, i.Code, i.Epoch)", "nodesSince(log, i.Code, 1<<40)"},
	"sl_wf_event.body":         {"runtime/workflow/versions_same.go", "nodesSince(log, workflow, e.Epoch)", "nodesSince(log, workflow, 1<<40)"},
}

// TestBrokenLines breaks, for each row of the register, the line that rewrites it or reads it as of its time: the tests of renames fail then.
//
//	go test -timeout 120m ./runtime/codes -run TestBrokenLines -broken
func TestBrokenLines(t *testing.T) {
	for _, h := range codes.Holders() {
		row := h.Table + "." + h.Columns[0]
		of, known := asOf[row]
		switch h.Way {
		case codes.AsOf:
			require.True(t, known, "name the line that reads %s", row)
		case codes.Rewritten:
			of = line{"runtime/codes/rewrite.go", "if h.Way != Rewritten ||", `if h.Table+"."+h.Columns[0] == "` + row + `" || h.Way != Rewritten ||`}
		}
		if of.file == "" {
			continue
		}
		t.Run(row, func(t *testing.T) { of.breaks(t, settingsOf(h)) })
	}
}

// settingsOf are the environment variables of the tests that see a row. Only apply and dev rename packs and applications, and the table of names
// and holders asks for these ways when it runs everywhere.
func settingsOf(h codes.Holder) []string {
	settings := []string{"SLUICE_TWINS=3", "SLUICE_SEED=1"}
	if slices.ContainsFunc(h.Kinds(), func(k names.Kind) bool { return k == names.Pack || k == names.App }) {
		settings = append(settings, "SLUICE_TEST_EVERYWHERE=1")
	}
	return settings
}

// breaks requires that the line is there, and with -broken that a test that runs with settings fails without it.
func (l line) breaks(t *testing.T, settings []string) {
	file, err := filepath.Abs(filepath.Join("..", "..", l.file))
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), l.is, "the line is another one")
	if !*breakRows {
		return
	}
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.go")
	require.NoError(t, os.WriteFile(broken, []byte(strings.ReplaceAll(string(text), l.is, l.broken)), 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: broken}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	run := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "-failfast", "-timeout", "300s", "-overlay", filepath.Join(dir, "overlay.json"),
		"-run", "^(TestEachNameInEachHolder|TestRenames|TestJobsUnderWay|TestTwins)$", ".")
	run.Env = append(os.Environ(), settings...)
	out, err := run.CombinedOutput()
	require.Error(t, err, "no test sees it")
	require.Contains(t, string(out), "--- FAIL", "%s", out)
}
