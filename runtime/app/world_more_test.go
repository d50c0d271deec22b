package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/packtest"
)

// yard is a pack with a tree, a list, and files.
func yard(set *pack.Set) error {
	set.AddFolder("site", fstest.MapFS{
		"pack.json": {Data: []byte(`{"code": "site", "name": "现场", "name_i18n": {"en": "Site"}, "version": "1.0.0"}`)},
		"models/part.json": {Data: []byte(`{"name": "部位", "name_i18n": {"en": "Part"}, "digest": "{title}", "properties": [
			{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Title"}, "required": true},
			{"code": "above", "propertyType": "RelevanceForm", "name": "上级", "name_i18n": {"en": "Above"}, "relativeCode": "part"},
			{"code": "boss", "propertyType": "StaffSingle", "name": "负责人", "name_i18n": {"en": "Person in charge"}},
			{"code": "length", "propertyType": "Number", "name": "长度", "name_i18n": {"en": "Length"}, "scale": 2},
			{"code": "cost", "propertyType": "Number", "name": "费用", "name_i18n": {"en": "Cost"}},
			{"code": "checkDigit", "propertyType": "Number", "name": "校验位", "name_i18n": {"en": "Check digit"}, "computeFormula": "digitSum(title) + digitSum('12')"},
			{"code": "drawing", "propertyType": "Attachment", "name": "图纸", "name_i18n": {"en": "Drawing"}}], "tree": "above"}`)},
		"lists/board.json": {Data: []byte(`{"schemaCode": "part", "name": "看板", "name_i18n": {"en": "Board"}, "condition": "length > 0",
			"queryColumns": ["title", "above", "boss", "length", "cost"], "orderBy": [{"propertyCode": "length", "direction": "descending"}], "queryConditions": ["title"]}`)},
		"rules/open.json":   {Data: []byte(`{"name": "公开", "name_i18n": {"en": "Open"}}`)},
		"rules/closed.json": {Data: []byte(`{"name": "内部", "name_i18n": {"en": "Closed"}, "read": ["chief"]}`)},
		"access/viewer.json": {Data: []byte(`{"name": "查看", "name_i18n": {"en": "Viewer"}, "models": [
			{"schemaCode": "part", "actions": ["view", "add"], "rows": "title != 'SECRET'", "fields": {"cost": "-", "*": "rw"}},
			{"schemaCode": "user", "actions": ["view"], "rows": "all"}]}`)},
		"access/builder.json": {Data: []byte(`{"name": "建造", "name_i18n": {"en": "Builder"}, "models": [{"schemaCode": "*", "actions": ["*"], "rows": "all"}]}`)},
	})
	return errors.Join(
		set.Kinds.Add(kind.Kind{Code: "rule", Label: plan.Label{Zh: "规程", I18n: map[string]string{"en": "rule"}}, Folder: "rules", Readers: true,
			Schema:  []byte(`{"type": "object", "properties": {"name": {"$ref": "#/$defs/text"}, "name_i18n": {"$ref": "#/$defs/texts"}}, "additionalProperties": false}`),
			Compile: func(_ kind.Linker, d def.Document) any { return d.Header().Code }}),
		set.Functions.Add(plan.Function{Code: "digitSum", Args: []plan.Kind{plan.Text}, Result: plan.Number, Zh: "各位数字之和", En: "the sum of the digits", Eval: digitSum}),
		set.Queries.Add(world.Query{Code: "site.tree", Model: "part", Where: "title != args.not", Args: map[string]plan.Kind{"top": plan.ID, "not": plan.Text}, Columns: []string{"title"}, OrderBy: []string{"title"}, Tree: true, Below: "top"}),
		set.Queries.Add(world.Query{Code: "site.titles", Model: "part", Columns: []string{"title"}}),
	)
}

// digitSum is a function that formulas call.
func digitSum(args []any) (any, error) {
	text, ok := args[0].(string)
	if !ok {
		return nil, nil
	}
	sum := int64(0)
	for _, r := range text {
		if r >= '0' && r <= '9' {
			sum += int64(r - '0')
		}
	}
	return decimal.NewFromInt(sum), nil
}

// TestWorldOfASite: lists with names and texts, trees, files and messages, and many records at once.
func TestWorldOfASite(t *testing.T) {
	t.Parallel()
	onBothWith(t, func(t *testing.T, s *packtest.System) {
		chief, viewer := s.Person("chief", "chief"), s.Person("viewer", "viewer")
		ids := map[string]string{}
		require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
			for _, v := range [][]any{{"B", "", 0}, {"A", "", 3}, {"A2", "A", 2}, {"A1", "A", 12.5}, {"A1x", "A1", 1}, {"SECRET", "A", 7}, {"S1", "SECRET", 8}} {
				values := map[string]any{"title": v[0], "length": fmt.Sprint(v[2]), "cost": "5", "boss": viewer.UserID}
				if above := v[1].(string); above != "" {
					values["above"] = ids[above]
				}
				id, err := w.Create(ctx, "part", values)
				if err != nil {
					return err
				}
				ids[v[0].(string)] = id
			}
			return nil
		}))
		t.Run("list", func(t *testing.T) { listOfSite(t, s, ids) })
		t.Run("tree", func(t *testing.T) { treeOfSite(t, s, ids) })
		t.Run("files", func(t *testing.T) { filesOfSite(t, s) })
		t.Run("messages", func(t *testing.T) { messagesOfSite(t, s, ids) })
		t.Run("documents", func(t *testing.T) { documentsOfSite(t, s) })
		t.Run("many", func(t *testing.T) { manyOfSite(t, s) })
	}, yard)
}

// documentsOfSite: a document opens for the roles that it names, and is not there for others.
func documentsOfSite(t *testing.T, s *packtest.System) {
	for name, want := range map[string][]bool{"chief": {true, true, false}, "viewer": {true, false, false}} {
		who, ok := s.Caller(t.Context(), name)
		require.True(t, ok)
		require.NoError(t, s.Do(who, func(_ context.Context, w world.World) error {
			for i, code := range []string{"open", "CLOSED", "missing"} {
				_, found := w.Document("rule", code)
				require.Equal(t, want[i], found, "%s opens %s", name, code)
			}
			return nil
		}))
	}
}

func listOfSite(t *testing.T, s *packtest.System, ids map[string]string) {
	read := func(who string, o world.ListOptions, most int) (out []string) {
		p, _ := s.Caller(t.Context(), who)
		require.NoError(t, s.Do(p, func(ctx context.Context, w world.World) error {
			for row, err := range w.List(ctx, "board", o) {
				if err != nil {
					return err
				}
				require.NotEmpty(t, row.ID)
				var cells []string
				for _, c := range row.Cells {
					cells = append(cells, c.Column.Code+"="+c.Text)
				}
				if out = append(out, strings.Join(cells, " ")); len(out) == most {
					break
				}
			}
			return nil
		}))
		return out
	}
	require.Equal(t, []string{"title=A1 above=A boss=viewer length=12.50 cost=5", "title=S1 above=SECRET boss=viewer length=8.00 cost=5"}, read("chief", world.ListOptions{}, 2))
	require.Equal(t, []string{"title=A1 above=A boss=viewer length=12.50", "title=S1 above= boss=viewer length=8.00", "title=A above= boss=viewer length=3.00"},
		read("viewer", world.ListOptions{}, 3), "a hidden column is left out, a hidden record has no name, and its row does not come")
	require.Equal(t, []string{"title=A1x above=A1 boss=viewer length=1.00"}, read("viewer", world.ListOptions{Filters: []world.Filter{{Property: "above", Operator: "Equal", Value: ids["A1"]}}}, 0))
	require.Len(t, read("viewer", world.ListOptions{Keyword: "A1"}, 0), 2)
	require.Equal(t, "title=A1x above=A1 boss=viewer length=1.00", read("viewer", world.ListOptions{OrderBy: []string{"length"}}, 1)[0])
	p, _ := s.Caller(t.Context(), "viewer")
	for o, want := range map[string]world.ListOptions{"": {}, "cost": {Filters: []world.Filter{{Property: "cost", Operator: "Equal", Value: "5"}}}} {
		code := "board"
		if o == "" {
			code = "nothing"
		}
		require.Error(t, s.Do(p, func(ctx context.Context, w world.World) error {
			for _, err := range w.List(ctx, code, want) {
				if err != nil {
					return err
				}
			}
			return nil
		}), o)
	}
}

func treeOfSite(t *testing.T, s *packtest.System, ids map[string]string) {
	read := func(who, top, not string) (out []string) {
		p, _ := s.Caller(t.Context(), who)
		require.NoError(t, s.Do(p, func(ctx context.Context, w world.World) error {
			args := world.Args{"not": not}
			if top != "" {
				args["top"] = ids[top]
			}
			for row, err := range w.Rows(ctx, "site.tree", args) {
				if err != nil {
					return err
				}
				out = append(out, fmt.Sprint(strings.Repeat("-", len(row.Path)), row.Text("title")))
			}
			return nil
		}))
		return out
	}
	require.Equal(t, []string{"A", "-A1", "--A1x", "-A2", "-SECRET", "--S1", "B"}, read("chief", "", ""))
	require.Equal(t, []string{"A", "-A1", "--A1x", "-A2", "B", "S1"}, read("viewer", "", ""), "what lies below a hidden record stands at the top")
	require.Equal(t, []string{"A1", "-A1x"}, read("chief", "A1", ""))
	require.Empty(t, read("viewer", "SECRET", ""))
	require.Equal(t, []string{"A", "-A2", "-SECRET", "--S1", "A1x", "B"}, read("chief", "", "A1"), "below a row that the condition leaves out")
}

func filesOfSite(t *testing.T, s *packtest.System) {
	chief, _ := s.Caller(t.Context(), "chief")
	viewer, _ := s.Caller(t.Context(), "viewer")
	var kept, lost world.File
	var part string
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) (err error) {
		if kept, err = w.PutFile(ctx, "plan.txt", strings.NewReader("the plan")); err != nil {
			return err
		}
		part, err = w.Create(ctx, "part", map[string]any{"title": "with a file", "drawing": []map[string]any{{"refId": kept.ID}}})
		return err
	}))
	require.NotEmpty(t, part)
	require.NoError(t, s.Do(viewer, func(ctx context.Context, w world.World) error {
		f, err := w.File(ctx, kept.ID)
		if err != nil {
			return err
		}
		require.Equal(t, world.File{ID: kept.ID, Name: "plan.txt", Mime: "text/plain", Size: 8}, f)
		r, err := w.OpenFile(ctx, kept.ID)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(r)
		require.Equal(t, "the plan", string(text))
		return errors.Join(err, r.Close())
	}))
	undone := errors.New("undone")
	require.ErrorIs(t, s.Do(chief, func(ctx context.Context, w world.World) (err error) {
		if lost, err = w.PutFile(ctx, "lost.txt", strings.NewReader("lost")); err != nil {
			return err
		}
		return undone
	}), undone)
	require.Equal(t, fault.FileNotFound, fault.Of(s.Do(chief, func(ctx context.Context, w world.World) error { _, err := w.File(ctx, lost.ID); return err })))
	require.Equal(t, 1, bytesOf(t, s), "the bytes of a transaction that was given up are removed")
	require.Equal(t, fault.FileContent, fault.Of(s.Do(chief, func(ctx context.Context, w world.World) error {
		_, err := w.PutFile(ctx, "no.png", strings.NewReader("no picture"))
		return err
	})))
}

// bytesOf counts the files in the place of files.
func bytesOf(t *testing.T, s *packtest.System) (n int) {
	t.Helper()
	require.NoError(t, fstestWalk(s.Dir+"/files", &n))
	return n
}

func fstestWalk(dir string, n *int) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, fstestWalk(dir+"/"+e.Name(), n))
			continue
		}
		*n++
	}
	return err
}

func messagesOfSite(t *testing.T, s *packtest.System, ids map[string]string) {
	chief, _ := s.Caller(t.Context(), "chief")
	viewer, _ := s.Caller(t.Context(), "viewer")
	title := plan.Label{Zh: "请复测", I18n: map[string]string{"en": "Please measure again"}}
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		return errors.Join(w.Tell(ctx, world.Message{To: []string{viewer.UserID, viewer.UserID}, Title: title, Text: "point 3", Model: "part", Record: ids["A"]}),
			w.Tell(ctx, world.Message{To: []string{viewer.UserID}, Title: title, Text: "of a hidden record", Model: "part", Record: ids["SECRET"]}))
	}))
	require.Error(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		return w.Tell(ctx, world.Message{To: []string{viewer.UserID}})
	}), "a message has a title")
	viewer.Locale = "en"
	page, err := s.Messages().Search(t.Context(), s.State().Policy.View(viewer, s.Now(), packtest.Zone), notify.Search{Size: 10})
	require.NoError(t, err)
	require.Len(t, page.Content, 2)
	for _, m := range page.Content {
		require.Equal(t, "Please measure again", m.Title)
	}
	require.ElementsMatch(t, []string{"", "point 3"}, []string{page.Content[0].Content, page.Content[1].Content}, "who does not see the record does not read the text")
}

func manyOfSite(t *testing.T, s *packtest.System) {
	chief, _ := s.Caller(t.Context(), "chief")
	rows := make([]map[string]any, 1100)
	for i := range rows {
		rows[i] = map[string]any{"title": fmt.Sprintf("row %04d", i), "length": "1"}
	}
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		ids, err := w.CreateAll(ctx, "part", rows)
		if err != nil {
			return err
		}
		require.Len(t, ids, len(rows))
		first, err := w.Get(ctx, "part", ids[1099])
		require.Equal(t, "row 1099", first.Values["title"])
		require.Equal(t, "22", first.Values["checkDigit"], "a formula calls a function of the pack")
		return err
	}))
	seen := 0
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		for _, err := range w.List(ctx, "board", world.ListOptions{Keyword: "row"}) {
			if err != nil {
				return err
			}
			seen++
		}
		return nil
	}))
	require.Equal(t, len(rows), seen, "a list is read to its end, over pages")
	rows[700]["title"] = nil
	err := s.Do(chief, func(ctx context.Context, w world.World) error { _, err := w.CreateAll(ctx, "part", rows); return err })
	var refused *world.RowError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, 700, refused.Row)
	require.Equal(t, fault.RecordInvalid, fault.Of(err))
}
