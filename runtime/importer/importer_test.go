package importer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

type world struct {
	testing.TB
	app                 *app.App
	boss, clerk, reader string        // user ids
	files               string        // folder of the uploads
	every               time.Duration // how often an import is looked at: its job yields to requests
}

func open(o store.Options, workers int, more ...func(*pack.Set)) (*app.App, error) {
	set := &pack.Set{}
	if err := plugintest.Register(set); err != nil {
		return nil, err
	}
	for _, add := range more {
		add(set)
	}
	set.Freeze()
	return app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.FixedZone("CST", 8*3600)},
		Dir: o.Dir, URL: o.URL, Version: apptest.Version, Clock: time.Now, Workers: workers, Files: filesOf(o),
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
}

// filesOf is the folder of a database's files: all processes on it share one.
func filesOf(o store.Options) string {
	if o.Dir != "" {
		return o.Dir + "/files"
	}
	return os.TempDir() + "/" + o.URL[strings.LastIndexByte(o.URL, '/')+1:strings.LastIndexByte(o.URL+"?", '?')]
}

var demo = apptest.Of(plugintest.Register, "testdata/demo")

// each runs a test on both databases.
func each(t *testing.T, f func(t *testing.T, w *world)) {
	eachWith(t, func() (func(*pack.Set), func(*testing.T, *world)) { return func(*pack.Set) {}, f })
}

// eachWith runs a test with code of packs; both are made for each database.
func eachWith(t *testing.T, made func() (hooks func(*pack.Set), f func(t *testing.T, w *world))) {
	demo.Each(t, func(t *testing.T, o store.Options) {
		hooks, f := made()
		a, err := open(o, 2, hooks)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()); _ = os.RemoveAll(filesOf(o)) })
		w := people(t, a)
		w.files = filesOf(o)
		f(t, w)
	})
}

func people(t testing.TB, a *app.App) *world {
	w := &world{TB: t, app: a, every: 30 * time.Millisecond}
	for name, to := range map[string]*string{"boss": &w.boss, "clerk": &w.clerk, "reader": &w.reader} {
		role := map[string]string{"boss": "administrator"}[name]
		if role == "" {
			role = name
		}
		var err error
		*to, err = a.AddUser(t.Context(), name, name, []string{role})
		require.NoError(t, err)
	}
	return w
}

// with returns the world for a test within.
func (w *world) view(user string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), user)
	require.True(w, ok)
	return w.app.State().Policy.View(authn.Principal(w.Context(), w.app.People(), person, "zh"), w.app.Now(), w.app.Zone())
}

// file makes a workbook of texts; "#" begins a number and "@" a date.
func file(t testing.TB, rows ...[]string) []byte { return sheetsOf(t, "A", rows) }

// sheetsOf makes a workbook of worksheets: a name and rows as file has them, and so on.
func sheetsOf(t testing.TB, sheets ...any) []byte {
	var out bytes.Buffer
	w := workbook.NewWriter(&out, workbook.Options{})
	for i := 0; i < len(sheets); i += 2 {
		w.Sheet(workbook.SheetOptions{Name: sheets[i].(string)})
		for _, r := range sheets[i+1].([][]string) {
			require.NoError(t, w.Row(cellsOf(t, r), 0))
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func cellsOf(t testing.TB, r []string) []workbook.Out {
	cells := make([]workbook.Out, len(r))
	for i, text := range r {
		switch {
		case text == "":
		case text[0] == '#':
			cells[i].Cell = property.Cell{Kind: property.CellNumber, Text: text[1:]}
		case text[0] == '@':
			at, err := time.Parse("2006-01-02 15:04", text[1:])
			require.NoError(t, err)
			cells[i].Cell = property.Cell{Kind: property.CellTime, Time: at, Format: "yyyy-mm-dd hh:mm"}
		default:
			cells[i].Cell = property.Cell{Kind: property.CellText, Text: text}
		}
	}
	return cells
}

// upload brings a file.
func (w *world) upload(user, name string, content []byte) string {
	w.Helper()
	up, err := w.app.Importer().Upload(w.Context(), w.view(user), name, bytes.NewReader(content), nil)
	require.NoError(w, err)
	return up.FileName
}

// run imports a file and waits for the end.
func (w *world) run(user string, req importer.Request, dry bool, rows ...[]string) importer.Result {
	w.Helper()
	if req.FileName == "" {
		req.FileName = w.upload(user, "parts.xlsx", file(w, rows...))
	}
	if req.SchemaCode == "" {
		req.SchemaCode = "part"
	}
	if req.Mode == "" {
		if req.Mode = importer.Add; req.QueryField != "" {
			req.Mode = importer.AddOrUpdate
		}
	}
	req.Original = "parts.xlsx"
	id, err := w.app.Importer().Start(w.Context(), w.view(user), req, dry)
	require.NoError(w, err)
	return w.ended(user, id)
}

func (w *world) ended(user, id string) importer.Result {
	w.Helper()
	var out importer.Result
	require.Eventually(w, func() bool {
		var err error
		out, err = w.app.Importer().Result(w.Context(), w.view(user), id)
		require.NoError(w, err)
		return out.ErrorType != nil
	}, 10*time.Minute, w.every)
	return out
}

// parts are the records, as "number title quantity ..." of some properties.
func (w *world) list(user, model string, columns ...string) []string {
	w.Helper()
	size := 500
	answer, err := w.app.Reader().List(w.Context(), w.view(user), query.ListRequest{SchemaCode: model, Size: &size, OrderByFields: []string{columns[0]}, OrderType: 1,
		Options: &query.ListOptions{CustomDisplayColumns: columns}})
	require.NoError(w, err)
	var page struct {
		Content []struct {
			Data map[string]json.RawMessage `json:"data"`
		} `json:"content"`
	}
	require.NoError(w, json.Unmarshal(answer, &page))
	var out []string
	for _, r := range page.Content {
		var texts []string
		for _, c := range columns {
			texts = append(texts, strings.Trim(string(r.Data[c]), `"`))
		}
		out = append(out, strings.Join(texts, " "))
	}
	return out
}

func (w *world) save(user, model string, values map[string]any) string {
	w.Helper()
	set := map[string]json.RawMessage{}
	for code, v := range values {
		text, err := json.Marshal(v)
		require.NoError(w, err)
		set[code] = text
	}
	saved, err := w.app.Writer().Save(w.Context(), w.view(user), record.Change{Model: model, Set: set})
	require.NoError(w, err)
	return saved.ID
}

func TestImport(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "site", map[string]any{"title": "上游", "code": "S1"})
		out := w.run(w.boss, importer.Request{}, false,
			[]string{"编号*", "名称", "数量", "单价", "日期", "时刻", "时间", "完成", "状态", "标签", "经办人", "班组", "工点", "备注"},
			[]string{"P-1", "梁", "1,200.50", "#2", "2026年3月5日", "2026-03-05 8:30", "下午3点", "是", "关闭", "A;C", "boss", "clerk，reader", "S1", "x"},
			[]string{"P-2", "板", "#3.5", "10%", "@2026-11-25 00:00", "@2026-11-25 08:30", "0830", "√", "Open", "B", "CLERK", "", "上游"},
			[]string{})
		require.Equal(t, 1, *out.ErrorType, "%+v", out) // 1,200.50 is over the limit of the rule
		require.Equal(t, int64(1), out.Added)
		require.Equal(t, []string{"备注"}, out.Ignored)
		require.Len(t, out.Rows, 1)
		require.Equal(t, importer.KindRule, out.Rows[0].Errors[0].Kind)
		require.Equal(t, "数量不能多于一千", out.Rows[0].Errors[0].MessageZh)
		require.Equal(t, []string{"P-2 板 3.5 0.1 0.35 2026-11-25 2026-11-25T00:30:00.000Z 08:30:00 true OPEN"},
			w.list(w.boss, "part", "number", "title", "quantity", "price", "amount", "day", "moment", "clock", "done", "state"))

		second, err := w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID, Rows: []importer.Edit{{ID: out.Rows[0].ID, Data: map[string]json.RawMessage{"quantity": json.RawMessage(`"12.5"`)}}}})
		require.NoError(t, err)
		require.Equal(t, 0, *second.ErrorType)
		require.Equal(t, int64(2), second.Added)
		require.Equal(t, []string{"P-1 12.5 15:00:00", "P-2 3.5 08:30:00"}, w.list(w.boss, "part", "number", "quantity", "clock"))
	})
}

// Rows that were refused can be sent back as they came.
func TestSentBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		out := w.run(w.boss, importer.Request{}, false, []string{"编号", "数量", "测点.位置", "测点.数值"}, []string{"B-1", "x", "left", "y"}, []string{"", "", "right", "2"}, []string{"B-2", "z"})
		require.Equal(t, int64(2), out.Errors)
		text, err := json.Marshal(out.Rows)
		require.NoError(t, err)
		d := json.NewDecoder(strings.NewReader(strings.ReplaceAll(string(text), `"x"`, `"1"`)))
		d.DisallowUnknownFields()
		var edits []importer.Edit
		require.NoError(t, d.Decode(&edits))
		second, err := w.app.Importer().Second(t.Context(), w.view(w.boss), importer.Second{ID: out.ID, Rows: edits})
		require.Equal(t, fault.ImportAgain, fault.Of(err))
		require.Equal(t, []string{"2 points.value#0 FORMAT 305040", "4 quantity FORMAT 305040"}, refusedAs(second))
	})
}

// A call says what becomes of records that are there already.
func TestModeIsSaid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		file := w.upload(w.boss, "a.xlsx", file(t, []string{"编号"}, []string{"P-1"}))
		for mode, want := range map[importer.Mode]fault.Code{"": fault.EmptyParameter, "replace": fault.BadParameter, importer.Add: 0} {
			_, err := w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{FileName: file, SchemaCode: "part", Mode: mode}, true)
			require.Equal(t, want, fault.Of(err), mode)
		}
	})
}

func refusedAs(out importer.Result) []string {
	var all []string
	for _, r := range out.Rows {
		for _, e := range r.Errors {
			at := e.PropertyCode
			if e.Row != nil {
				at += fmt.Sprintf("#%d", *e.Row)
			}
			all = append(all, fmt.Sprintf("%d %s %s %d", r.Number, at, e.Kind, e.Code))
		}
	}
	return all
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		_, err := w.app.AddUser(t.Context(), "li1", "李雷", []string{"clerk"})
		require.NoError(t, err)
		_, err = w.app.AddUser(t.Context(), "li2", "李雷", []string{"clerk"})
		require.NoError(t, err)
		w.save(w.boss, "site", map[string]any{"title": "暗", "code": "HIDDEN"})
		w.save(w.boss, "part", map[string]any{"number": "P-0"})
		out := w.run(w.clerk, importer.Request{QueryField: "number", Mode: importer.Add}, false,
			[]string{"编号", "数量", "日期", "状态", "经办人", "工点", "单价", "机密", "标签"},
			[]string{"P-0"},
			[]string{"P-1", "abc"},
			[]string{"P-2", "", "03/04/2026"},
			[]string{"P-3", "", "", "没有"},
			[]string{"P-4", "", "", "", "李雷"},
			[]string{"P-5", "", "", "", "nobody"},
			[]string{"P-6", "", "", "", "boss;clerk"},
			[]string{"P-7", "", "", "", "", "HIDDEN"},
			[]string{"P-8"}, []string{"P-8"},
			[]string{"", "x"},
			[]string{"P-9", "1.234"},
			[]string{"P-10", "", "", "打开;关闭"},
			[]string{"P-11", "", "", "", "李雷（li2）", "", "5", "x"})
		require.Equal(t, []string{
			fmt.Sprintf("2 number REPEAT %d", fault.KeyExists), fmt.Sprintf("3 quantity FORMAT %d", fault.CellNumber), fmt.Sprintf("4 day FORMAT %d", fault.CellDate),
			fmt.Sprintf("5 state NOEXIT %d", fault.FieldOption), fmt.Sprintf("6 agent AMBIGUOUS %d", fault.CellAmbiguous), fmt.Sprintf("7 agent NOEXIT %d", fault.CellNotFound),
			fmt.Sprintf("8 agent SINGLE_SELECT %d", fault.CellSingle), fmt.Sprintf("9 site NOEXIT %d", fault.CellNotFound), fmt.Sprintf("11 number REPEAT %d", fault.KeyTwice),
			fmt.Sprintf("12 quantity FORMAT %d", fault.CellNumber), fmt.Sprintf("12 number EMPTY %d", fault.FieldRequired), fmt.Sprintf("13 quantity FORMAT %d", fault.FieldScale), fmt.Sprintf("14 state SINGLE_SELECT %d", fault.CellSingle),
		}, refusedAs(out))
		require.Len(t, out.Rows[4].Errors[0].Suggestions, 2)
		require.NotEmpty(t, out.Rows[4].Errors[0].Suggestions[0].Detail)
		require.NotEqual(t, out.Rows[4].Errors[0].Suggestions[0].Detail, out.Rows[4].Errors[0].Suggestions[1].Detail)
		require.Equal(t, []string{"单价", "机密"}, out.Ignored) // not this person's to write
		require.Equal(t, int64(2), out.Added)

		open := func() int64 {
			n, err := w.app.Importer().Unresolved(t.Context(), w.view(w.clerk), out.ID)
			require.NoError(t, err)
			return n
		}
		require.Equal(t, int64(3), open())
		rows, err := w.app.Importer().Edit(t.Context(), w.view(w.clerk), out.ID, []importer.Edit{{ID: out.Rows[4].ID, Data: map[string]json.RawMessage{
			"agent": json.RawMessage(`[{"id":"` + out.Rows[4].Errors[0].Suggestions[0].ID + `","name":"李雷","type":3}]`)}}})
		require.NoError(t, err)
		require.Empty(t, rows[0].Errors)
		require.Equal(t, int64(2), open())
		n, err := w.app.Importer().Replace(t.Context(), w.view(w.clerk), importer.Replacement{ID: out.ID, All: true, PropertyCode: "quantity", Value: json.RawMessage(`"7"`),
			Conditions: []importer.Condition{{PropertyCode: "quantity", QueryFilterType: "IsNotNull"}}})
		require.NoError(t, err)
		require.Equal(t, 3, n.Changed)
		require.NoError(t, w.app.Importer().Skip(t.Context(), w.view(w.clerk), out.ID, []string{out.Rows[0].ID}, false, false))
		again, err := w.app.Importer().Second(t.Context(), w.view(w.clerk), importer.Second{ID: out.ID})
		require.Equal(t, fault.ImportAgain, fault.Of(err))
		require.Equal(t, int64(1), again.Skipped)
		require.Equal(t, int64(5), again.Added) // P-8, P-11, and now P-1, P-4 and P-9
		require.Equal(t, int64(8), again.Errors)

		for _, call := range []func() error{
			func() error {
				_, err := w.app.Importer().Start(t.Context(), w.view(w.reader), importer.Request{SchemaCode: "part", FileName: w.upload(w.reader, "a.xlsx", file(t, []string{"编号"}))}, false)
				return err
			},
			func() error { _, err := w.app.Importer().Result(t.Context(), w.view(w.boss), out.ID); return err },
			func() error {
				_, err := w.app.Importer().Start(t.Context(), w.view(w.boss), importer.Request{SchemaCode: "part", FileName: w.upload(w.clerk, "a.xlsx", file(t, []string{"编号"}))}, false)
				return err
			},
		} {
			require.Error(t, call())
		}
	})
}

// recordOf finds a part by its number.
func (w *world) recordOf(number string) (id string, version int64) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		view := w.view(w.boss)
		found, err := w.app.Reader().Match(w.Context(), tx, view, view.Model("part"), []*catalog.Field{view.Model("part").Field("number")}, []string{number})
		if len(found[number]) == 1 {
			id, version = found[number][0].ID, found[number][0].Version
		}
		return err
	}))
	return id, version
}

// points are the rows of the sub-table of a part, as "place value".
func (w *world) points(number string) (out []string) {
	w.Helper()
	id, _ := w.recordOf(number)
	view := w.view(w.boss)
	sheet := view.Model("part").Field("points")
	place, value := sheet.Sheet.Field("place"), sheet.Sheet.Field("value")
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		held, err := w.app.Reader().Holds(w.Context(), tx, view, view.Model("part"), []string{id}, []*catalog.Field{place, value})
		if err != nil || held[id] == nil {
			return err
		}
		for _, r := range held[id].Rows[sheet] {
			text := ""
			if v := r.Values[value]; v != nil {
				text = value.Property.Text(v, property.TextContext{Locale: "zh"})
			}
			out = append(out, fmt.Sprint(r.Values[place], " ", text))
		}
		return nil
	}))
	return out
}
