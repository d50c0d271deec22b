package importer_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/importer"
)

// export writes all parts into a file and returns its bytes.
func (w *world) export(user, fileType, locale string, withID bool) []byte {
	w.Helper()
	return w.exports(user, "part", fileType, locale, withID, "number", "title", "quantity", "price", "amount", "day", "moment", "clock", "done", "state", "tags", "agent", "crew",
		"dept", "site", "secret", "points")
}

// What is exported comes back unchanged, whatever is in it: an import of the file finds nothing to change.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		li, err := w.app.AddUser(t.Context(), "li1", "李雷", []string{"clerk"})
		require.NoError(t, err)
		_, err = w.app.AddUser(t.Context(), "li2", "李雷", []string{"clerk"})
		require.NoError(t, err)
		site := w.save(w.boss, "site", map[string]any{"title": "上游", "code": "S1"})
		w.save(w.boss, "site", map[string]any{"title": "上游", "code": "S2"})
		for i, title := range []string{"梁", "=1+1", "+86", "-5", "@x", "'quoted", " spaces ", "0012", "TRUE", "2026-01-02", "12%", "a;b,c", "_x0041_", "<b>&amp;</b>", "1.5E+10", "#REF!"} {
			w.save(w.boss, "part", map[string]any{"number": fmt.Sprintf("R-%02d", i), "title": title, "quantity": fmt.Sprint(i), "price": "9999999999999.99", "secret": "line\nbreak 0" + fmt.Sprint(i),
				"day": "2026-11-25", "moment": "2026-11-25 08:30", "clock": "08:30:05", "done": i%2 == 0, "state": "CLOSED", "tags": []string{"A", "C"},
				"agent": li, "crew": []string{li, w.clerk}, "site": site,
				"points": []any{map[string]any{"place": "左", "value": "0.1"}, map[string]any{"place": "右"}}})
		}
		w.save(w.boss, "part", map[string]any{"number": "R-99", "done": false})
		for _, locale := range []string{"zh", "en"} {
			out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "all.xlsx", w.export(w.boss, "xlsx", locale, false)), Mode: importer.Update}, false)
			require.Equal(t, []int64{0, 0, 17, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "%s %v", locale, refusedAs(out))
			out = w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "all.xlsx", w.export(w.boss, "xlsx", locale, false)), Mode: importer.Update, ClearEmpty: true}, false)
			require.Equal(t, []int64{0, 0, 17, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "%s %v", locale, refusedAs(out))
		}
		out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "all.csv", w.export(w.boss, "csv", "zh", true)), Mode: importer.Update}, false)
		require.Equal(t, []int64{0, 0, 17, 0}, []int64{out.Added, out.Changed, out.Same, out.Errors}, "csv %v", refusedAs(out))
	})
}
