package importer_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/internal/officetest"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// An export that an office program opens and saves, in any of the kinds that imports take, comes back unchanged: values of all types, people,
// departments, records and options of hard names.
func TestSavedByAnOfficeProgram(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		d := w.worldOfParts(rand.New(rand.NewPCG(7, 7))) //nolint:gosec // draws of a test
		w.parts(d, 40)
		w.refRecords(d.Rand, d.refs)
		for n := range 30 { // more than is shown of them
			number := func(places int32) string { return decimal.New(d.Int64N(1_000_000_000), -places).String() }
			w.save(w.boss, "card", map[string]any{"code": fmt.Sprintf("K-%02d", n), "share": number(8), "worth": number(4), "paid": number(2), "since": fmt.Sprintf("2026-11-%02d 08:30:%02d", 1+n%28, n),
				"address": map[string]any{"code": d.one("110105", "420502", "32"), "detail": d.one("三江路1号", "1-2", "")}, "lines": []any{map[string]any{"rate": number(6)}}})
		}
		kinds, models := []string{officetest.XLSX, officetest.XLS, officetest.CSV}, []string{"card", "part", "ref"}
		for i, model := range models {
			for k := range storetest.Full(1, 2*len(kinds)) {
				w.unchangedBy(kinds[(i+k)%len(kinds)], model, []string{"zh", "en"}[(i+k/len(kinds))%2], map[string]int64{"card": 30, "part": 40, "ref": 60}[model])
			}
		}
	})
}

// unchangedBy has the office program save an export as another kind, and imports what it made.
func (w *world) unchangedBy(kind, model, locale string, records int64) {
	w.Helper()
	var columns []string
	for _, f := range w.view(w.boss).Model(model).Fields {
		if !f.System && (f.Sheet != nil || len(f.Columns()) > 0) {
			columns = append(columns, f.Code)
		}
	}
	name, _, _ := strings.Cut(kind, ":")
	saved := officetest.Convert(w, w.exports(w.boss, model, "xlsx", locale, false, columns...), "a.xlsx", kind)
	for _, clear := range []bool{false, true} {
		req := importer.Request{SchemaCode: model, FileName: w.upload(w.boss, "a."+name, saved), Mode: importer.Update, ClearEmpty: clear, ReplaceLines: clear}
		out := w.run(w.boss, req, false)
		require.Equal(w, []int64{0, 0, records, 0, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors, out.Removed}, "%s %s %s %v", model, locale, name, refusedAs(out))
	}
}
