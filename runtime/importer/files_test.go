package importer_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
)

// zipped makes an archive of names and contents.
func zipped(t testing.TB, parts ...string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		require.NoError(t, err)
		_, err = w.Write([]byte(parts[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

// Files that cannot be read are refused when they are uploaded, each with the reason that helps.
func TestFilesRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		good := file(t, []string{"编号"}, []string{"P-1"})
		for name, x := range map[string]struct {
			content []byte
			code    fault.Code
		}{
			"none.xls":      {append([]byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}, make([]byte, 4096)...), fault.WorkbookKind},
			"old.xls":       {[]byte("\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00"), fault.WorkbookOld},
			"page.xls":      {[]byte("<html><table></table></html>"), fault.WorkbookForeign},
			"open.ods":      {zipped(t, "mimetype", "x", "content.xml", "<a/>"), fault.WorkbookForeign},
			"wps.et":        {good, fault.WorkbookForeign},
			"picture.xlsx":  {[]byte("\x89PNG\r\n\x1a\n and more"), fault.WorkbookKind},
			"broken.xlsx":   {good[:len(good)/2], fault.WorkbookBroken},
			"other.xlsx":    {zipped(t, "word/document.xml", "<w/>", "[Content_Types].xml", "<Types/>"), fault.WorkbookKind},
			"dtd.xlsx":      {zipped(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", `<!DOCTYPE x [<!ENTITY a "b">]><workbook>&a;</workbook>`), fault.WorkbookUnsafe},
			"good.csv":      {good, fault.WorkbookKind},
			"empty.xlsx":    {nil, fault.ImportNoRows},
			"empty.csv":     {nil, fault.ImportNoRows},
			"something.exe": {[]byte("MZ"), fault.WorkbookKind},
		} {
			_, err := w.app.Importer().Upload(t.Context(), w.view(w.boss), name, bytes.NewReader(x.content), nil)
			require.Equal(t, x.code, fault.Of(err), "%s: %v", name, err)
		}
	})
}

// TestXLS: a workbook of Excel 97 to 2003 becomes records like any other.
func TestXLS(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		content, err := os.ReadFile("../workbook/testdata/book.xls")
		require.NoError(t, err)
		out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "a.xls", content)}, false)
		require.Equal(t, []int64{3, 2}, []int64{out.Added, out.Errors}, "%v", refusedAs(out)) // 1200.5 and 1234567890.25 are over the limit of the rule
		require.Equal(t, []string{"X-2 bolt 2 7 2026-03-02 true", "X-3 bolt 3 -3 2026-03-03 false", "X-4 bolt 4 0.1 2026-03-04 true"}, w.list(w.boss, "part", "number", "title", "quantity", "day", "done"))
	})
}

// What is wrong with the head of a file is told of the file, and nothing is written.
func TestHeads(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, x := range []struct {
			rows [][]string
			req  importer.Request
			code fault.Code
			kind int
		}{
			{[][]string{{"what", "else"}, {"1", "2"}}, importer.Request{}, fault.ImportNoColumn, importer.ErrorColumns},
			{[][]string{{"编号", "Number"}, {"1", "2"}}, importer.Request{}, fault.ImportColumnTwice, importer.ErrorColumns},
			{[][]string{{"名称"}, {"1"}}, importer.Request{Mode: importer.Add}, fault.ImportColumnMissing, importer.ErrorColumns},
			{[][]string{{"名称"}, {"1"}}, importer.Request{Mode: importer.Update, QueryField: "number"}, fault.ImportNoKey, importer.ErrorColumns},
			{nil, importer.Request{}, fault.ImportNoRows, importer.ErrorColumns},
			{[][]string{{"编号"}, {"1"}}, importer.Request{Sheet: importer.Sheets{7}}, fault.WorkbookNoSheet, importer.ErrorSystem},
		} {
			out := w.run(w.boss, x.req, false, x.rows...)
			require.Equal(t, x.code, out.ErrorCode, "%v", x.rows)
			require.Equal(t, x.kind, *out.ErrorType, "%v", x.rows)
		}
		require.Empty(t, w.list(w.boss, "part", "number"))

		// Columns in another order, titles above the head, a group with one heading, other languages and codes.
		for _, rows := range [][][]string{
			{{"构件一览"}, {}, {"数量", "编号（必填）"}, {"1", "A-1"}},
			{{"Quantity (required)", "NUMBER *"}, {"1", "A-2"}},
			{{"quantity", "number"}, {"1", "A-3"}},
			{{"number", "quantity"}, {"编号", "数量"}, {"A-4", "1"}},
			{{"number", "site.code", "quantity"}, {"编号", "工点编码", "数量"}, {"A-5", "S", "1"}}, // an export with a column of a related record
			{{"number", "owner", "quantity"}, {"编号", "数量", "数量"}, {"A-6", "x", "1"}},       // two columns that are called the same, of which the codes tell
		} {
			out := w.run(w.boss, importer.Request{}, false, rows...)
			require.Equal(t, []int64{1, 0}, []int64{out.Added, out.Errors}, "%v %+v", rows, refusedAs(out))
		}
		require.Equal(t, []string{"A-1 1", "A-2 1", "A-3 1", "A-4 1", "A-5 1", "A-6 1"}, w.list(w.boss, "part", "number", "quantity"))
	})
}

// Files of comma-separated values are read in the encodings that spreadsheets save them in.
func TestCSV(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		gbk := []byte("\xb1\xe0\xba\xc5,\xca\xfd\xc1\xbf\r\nC-1,\"1,000\"\r\n") // 编号,数量 in GB18030
		for name, content := range map[string][]byte{"a.csv": gbk, "b.csv": []byte("\uFEFF编号;数量\nC-2;5\n"), "c.csv": []byte("编号\t数量\nC-3\t7\n")} {
			out := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, name, content)}, false)
			require.Equal(t, int64(1), out.Added, "%s %+v", name, out)
		}
		require.Equal(t, []string{"C-1 1000", "C-2 5", "C-3 7"}, w.list(w.boss, "part", "number", "quantity"))
		blank := w.run(w.boss, importer.Request{FileName: w.upload(w.boss, "e.csv", []byte("编号,数量\nC-5,1\n,\n,\n\n"))}, false)
		require.Equal(t, []int64{1, 0}, []int64{blank.Added, blank.Errors}, "rows behind the last one are none")
		j, err := w.app.Jobs().Get(t.Context(), w.boss, blank.JobID)
		require.NoError(t, err)
		require.Equal(t, []int64{1, 1}, []int64{j.Done, j.Total}, "what has ended has done all")
		up := w.upload(w.boss, "d.csv", []byte("编号\nC-4\n"))
		require.NoError(t, w.app.Importer().DeleteUpload(t.Context(), w.view(w.boss), up))
		_, err = w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{FileName: up, SchemaCode: "part"}, false)
		require.Equal(t, fault.ImportFileGone, fault.Of(err))
	})
}

// The encoding of a text file is told, with others that it may be in, and another one can be chosen.
func TestEncoding(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		text := "Number;Name\nW-1;Größe\nW-2;Gerät\n"
		bytes1252, err := charmap.Windows1252.NewEncoder().String(text)
		require.NoError(t, err)
		up, err := w.app.Importer().Upload(t.Context(), w.view(w.boss), "a.csv", strings.NewReader(bytes1252), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"windows-1252", "windows-1250"}, up.Encodings)
		require.Contains(t, up.Choices, "big5")
		out := w.run(w.boss, importer.Request{FileName: up.FileName}, false)
		require.Equal(t, "windows-1252", out.Encoding)
		require.Equal(t, []string{"W-1 Größe", "W-2 Gerät"}, w.list(w.boss, "part", "number", "title"))

		again := importer.Request{FileName: w.upload(w.boss, "a.csv", []byte(bytes1252)), Encoding: "windows-1251", QueryField: "number"}
		checked := w.run(w.boss, again, true)
		require.Equal(t, []any{"windows-1251", int64(2)}, []any{checked.Encoding, checked.Changed})
		require.Equal(t, "windows-1251", checked.Request.Encoding)
		again.Encoding = "utf-8"
		require.Equal(t, fault.WorkbookEncoding, w.run(w.boss, again, true).ErrorCode)
		again.Encoding, again.SchemaCode, again.Mode = "klingon", "part", importer.Update
		_, err = w.app.Importer().Start(t.Context(), w.view(w.boss), again, true)
		require.Equal(t, fault.BadParameter, fault.Of(err))
		up, err = w.app.Importer().Upload(t.Context(), w.view(w.boss), "a.xlsx", bytes.NewReader(file(t, []string{"编号"}, []string{"P-1"})), nil)
		require.NoError(t, err)
		require.Empty(t, up.Encodings)
	})
}

// A text file of ours names rows of sub-tables by their ids, as a workbook does: each line changes its own row, in any order.
func TestRowsOfSubTablesInCSV(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "part", map[string]any{"number": "S-1", "points": []any{map[string]any{"place": "left", "value": "1"}, map[string]any{"place": "right", "value": "2"}}})
		lines := strings.Split(strings.ReplaceAll(string(w.export(w.boss, "csv", "zh", true)), "right", "far right"), "\n")
		require.Contains(t, lines[0], "测点.ID")
		cells := strings.Split(lines[2], ",")
		first := strings.Split(lines[1], ",")
		at := slices.Index(strings.Split(strings.TrimSpace(lines[0]), ","), "测点.ID")
		for i := range at { // the record's own cells are on the line that is left
			cells[i] = first[i]
		}
		out := w.run(w.boss, importer.Request{ReplaceLines: true, FileName: w.upload(w.boss, "a.csv", []byte(lines[0]+"\n"+strings.Join(cells, ",")+"\n")), Mode: importer.Update}, false)
		require.Equal(t, []int64{1, 0}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
		require.Equal(t, []string{"金额"}, out.Ignored)
		require.Equal(t, []string{"far right 2"}, w.points("S-1"))
		require.Contains(t, string(w.export(w.boss, "csv", "zh", true)), cells[at], "the row is the one that it was")
	})
}

// The file of refused rows has the reasons in its cells, and can be corrected and imported itself.
func TestErrorFile(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{QueryField: "number"}, false, []string{"编号", "数量", "测点.位置", "测点.数值"}, []string{"E-1", "1"}, []string{"E-2", "x", "a", "y"}, []string{"", "", "b", "2"})
		require.Equal(t, int64(1), out.Errors)
		var to bytes.Buffer
		name, err := w.app.Importer().ErrorFile(t.Context(), w.view(w.boss), out.ID, func(v importer.Verdict, locale string) string { return locale + v.Kind }, &to)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(name, "构件错误信息") && strings.HasSuffix(name, ".xlsx"), name)
		again := w.run(w.boss, importer.Request{QueryField: "number", FileName: w.upload(w.boss, name, to.Bytes())}, true)
		require.Equal(t, int64(1), again.Errors)
		require.Empty(t, again.Ignored, "the reasons are no column of the file that it came from")
		require.Len(t, again.Rows[0].Errors, 2, "%+v", again.Rows)
	})
}

// NUL, which no database keeps, is left out of texts; a text that is too long is refused. Neither ends the import.
func TestBadTexts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{QueryField: "number"}, false, []string{"编号", "名称", "工点"}, []string{"B-1", "a\x00b"}, []string{"B-2", "", "x\x00y"}, []string{"B\x00-3"},
			[]string{"B-4", strings.Repeat("长", 32767)}, []string{"B-5", "fine"})
		require.Equal(t, int64(3), out.Added, "%v", refusedAs(out))
		require.Equal(t, int64(2), out.Errors)
		require.Equal(t, []string{"B-1 ab", "B-3 null", "B-5 fine"}, w.list(w.boss, "part", "number", "title"))
	})
}

// One upload is imported once at a time: a second press adds nothing twice. A record is changed once, whether rows name it by id or by key.
func TestTwice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		lines := [][]string{{"名称", "编号"}}
		for i := range 400 {
			lines = append(lines, []string{"x", fmt.Sprintf("T-%d", i)})
		}
		req := importer.Request{FileName: w.upload(w.boss, "a.xlsx", file(t, lines...)), SchemaCode: "part", Mode: importer.Add}
		first, err := w.app.Importer().Start(t.Context(), w.view(w.boss), req, false)
		require.NoError(t, err)
		_, err = w.app.Importer().Start(t.Context(), w.view(w.boss), req, false)
		require.Contains(t, []fault.Code{fault.ImportBusy, fault.ImportFileGone}, fault.Of(err))
		require.Equal(t, int64(400), w.ended(w.boss, first).Added)

		id, _ := w.recordOf("T-1")
		out := w.run(w.boss, importer.Request{QueryField: "number"}, false, []string{"id", "编号", "名称"}, []string{id, "T-1", "by id"}, []string{"", "T-1", "by key"}, []string{"", "T-2", "by key"})
		require.Equal(t, []int64{2, 1}, []int64{out.Changed, out.Errors}, "%v", refusedAs(out))
	})
}

// An import that waits for its turn or runs is not corrected, repeated or undone; others do not learn that it is there.
func TestNotWhileItWaits(t *testing.T) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		a, err := open(o, 0) // nobody takes the job
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()); _ = os.RemoveAll(filesOf(o)) })
		w := people(t, a)
		file := w.upload(w.boss, "a.xlsx", file(t, []string{"名称", "编号"}, []string{"x", "W-1"}))
		id, err := a.Importer().Start(t.Context(), w.view(w.boss), importer.Request{FileName: file, SchemaCode: "part", Mode: importer.Add}, false)
		require.NoError(t, err)
		for user, want := range map[string]fault.Code{w.boss: fault.ImportBusy, w.clerk: fault.ImportNotFound} {
			view := w.view(user)
			for name, act := range map[string]func() error{
				"edit": func() error { _, err := a.Importer().Edit(t.Context(), view, id, nil); return err },
				"skip": func() error { return a.Importer().Skip(t.Context(), view, id, nil, true, false) },
				"replace": func() error {
					_, err := a.Importer().Replace(t.Context(), view, importer.Replacement{ID: id, All: true, PropertyCode: "title"})
					return err
				},
				"second": func() error { _, err := a.Importer().Second(t.Context(), view, importer.Second{ID: id}); return err },
				"undo":   func() error { return a.Importer().Undo(t.Context(), view, id) },
			} {
				require.Equal(t, want, fault.Of(act()), name)
			}
		}
	})
}

// What a dry run has kept is shown with the rights of the moment in which it is asked for.
func TestKeptRowsFollowRights(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "part", map[string]any{"number": "K-1", "title": "before", "secret": "hidden before"})
		out := w.run(w.boss, importer.Request{QueryField: "number"}, true, []string{"编号", "名称", "机密"}, []string{"K-1", "after", "hidden after"})
		rows, _, err := w.app.Importer().Rows(t.Context(), w.view(w.boss), out.ID, "changed", 0, 20)
		require.NoError(t, err)
		require.Len(t, changes(t, rows[0]), 2)
		person, ok := w.app.People().Person(t.Context(), w.boss)
		require.True(t, ok)
		person.Roles = []string{"clerk"} // lost the other one since
		less := w.app.State().Policy.View(authn.Principal(t.Context(), w.app.People(), person, "zh"), w.app.Now(), w.app.Zone())
		rows, _, err = w.app.Importer().Rows(t.Context(), less, out.ID, "changed", 0, 20)
		require.NoError(t, err)
		require.Equal(t, []string{"title: before -> after"}, changes(t, rows[0]))
		person.Roles = []string{"reader"}
		none := w.app.State().Policy.View(authn.Principal(t.Context(), w.app.People(), person, "zh"), w.app.Now(), w.app.Zone())
		_, _, err = w.app.Importer().Rows(t.Context(), none, out.ID, "changed", 0, 20)
		require.Equal(t, fault.Forbidden, fault.Of(err))
	})
}

// Records of the same name are told apart by what else names them.
func TestSameName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "site", map[string]any{"title": "同名", "code": "D1"})
		w.save(w.boss, "site", map[string]any{"title": "同名", "code": "D2"})
		out := w.run(w.boss, importer.Request{QueryField: "number"}, true, []string{"编号", "工点"}, []string{"N-1", "同名"})
		var offered []string
		for _, one := range out.Rows[0].Errors[0].Suggestions {
			offered = append(offered, one.Name+" "+one.Detail)
		}
		require.Equal(t, []string{"同名 D1", "同名 D2"}, offered)
	})
}
