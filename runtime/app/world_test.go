package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// network is a pack with code: projects with tasks, each with points, and a figure of the project that a hook keeps.
var network = fstest.MapFS{
	"pack.json": {Data: []byte(`{"code": "network", "name": "网络", "name_i18n": {"en": "Network"}, "version": "1.0.0",
		"reasons": [{"code": "rollup", "name": "汇总进度", "name_i18n": {"en": "Roll-up"}, "role": "engine"}]}`)},
	"models/project.json": {Data: []byte(`{"name": "项目", "name_i18n": {"en": "Project"}, "name_plural_i18n": {"en": "Projects"}, "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Title"}, "required": true},
		{"code": "finished", "propertyType": "Number", "name": "完成", "name_i18n": {"en": "Finished"}}],
		"dataRules": [{"propertyCode": "title", "checkType": "hook", "hook": "reads", "message": "规则写了数据", "message_i18n": {"en": "The rule has written"}}]}`)},
	"models/task.json": {Data: []byte(`{"name": "任务", "name_i18n": {"en": "Task"}, "name_plural_i18n": {"en": "Tasks"}, "digest": "{code}", "properties": [
		{"code": "code", "propertyType": "ShortText", "name": "编码", "name_i18n": {"en": "Code"}, "required": true},
		{"code": "project", "propertyType": "RelevanceForm", "name": "项目", "name_i18n": {"en": "Project"}, "relativeCode": "project"},
		{"code": "others", "propertyType": "RelevanceFormEx", "name": "相关项目", "name_i18n": {"en": "Other projects"}, "relativeCode": "project"},
		{"code": "state", "propertyType": "Radio", "name": "状态", "name_i18n": {"en": "State"}, "options": ["OPEN", "DONE"], "defaultValue": "'OPEN'"},
		{"code": "days", "propertyType": "Number", "name": "天", "name_i18n": {"en": "Days"}},
		{"code": "cost", "propertyType": "Number", "name": "费用", "name_i18n": {"en": "Cost"}},
		{"code": "points", "propertyType": "Sheet", "name": "测点", "name_i18n": {"en": "Points"}, "properties": [
			{"code": "label", "propertyType": "ShortText", "name": "点", "name_i18n": {"en": "Point"}},
			{"code": "value", "propertyType": "Number", "name": "值", "name_i18n": {"en": "Value"}}]}]}`)},
	"access/planner.json": {Data: []byte(`{"name": "计划员", "name_i18n": {"en": "Planner"}, "models": [
		{"schemaCode": "task", "actions": ["view", "add", "edit", "delete"], "rows": "code != 'SECRET'", "editRows": "all", "fields": {"cost": "-", "*": "rw"}},
		{"schemaCode": "project", "actions": ["view"], "rows": "title != 'hidden'"}]}`)},
	"access/chief.json":  {Data: []byte(`{"name": "主管", "name_i18n": {"en": "Chief"}, "models": [{"schemaCode": "*", "actions": ["*"], "rows": "all"}]}`)},
	"access/engine.json": {Data: []byte(`{"name": "计算", "name_i18n": {"en": "Engine"}, "models": [{"schemaCode": "project", "actions": ["view", "edit"], "rows": "all"}, {"schemaCode": "task", "actions": ["view"], "rows": "all"}]}`)},
}

var queries = []world.Query{
	{Code: "network.open", Model: "task", Where: "state == args.state and project == args.project", Args: map[string]plan.Kind{"state": plan.Text, "project": plan.ID},
		Columns: []string{"code", "days", "cost", "project.title", "state"}, OrderBy: []string{"-days", "code"}},
	{Code: "network.all", Model: "task", Columns: []string{"code"}},
	{Code: "network.projects", Model: "task", Where: "code == 'D'", Columns: []string{"code", "project"}},
	{Code: "network.others", Model: "task", Where: "code != 'C'", Columns: []string{"code", "others"}, OrderBy: []string{"code"}},
	{Code: "network.states", Model: "task", GroupBy: []string{"project.title", "state"},
		Figures: []world.Figure{{As: "n", Fn: plan.SumCount}, {As: "days", Fn: plan.SumSum, Column: "days"}, {As: "cost", Fn: plan.SumSum, Column: "cost"}}},
	{Code: "network.total", Model: "task", Figures: []world.Figure{{As: "n", Fn: plan.SumCount}, {As: "longest", Fn: plan.SumMaximum, Column: "days"}}},
	{Code: "network.points", Model: "task.points", Where: "value > args.above", Args: map[string]plan.Kind{"above": plan.Number}, Columns: []string{"label", "value"}, OrderBy: []string{"value"}},
	{Code: "network.finished", Model: "task", Where: "state == 'DONE' and project == args.project", Args: map[string]plan.Kind{"project": plan.ID},
		Figures: []world.Figure{{As: "days", Fn: plan.SumSum, Column: "days"}}},
}

// rollup keeps the project's figure: a planner may not write projects, the pack's own right may.
func rollup(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil {
		return err
	}
	project, _ := e.New()["project"].(string)
	if project == "" {
		return nil
	}
	w, err := e.World.As("rollup")
	if err != nil {
		return err
	}
	if err := w.Lock(ctx, "network."+project); err != nil {
		return err
	}
	for row, err := range w.Rows(ctx, "network.finished", world.Args{"project": project}) {
		if err != nil {
			return err
		}
		p, err := w.Get(ctx, "project", project)
		if err != nil {
			return err
		}
		if _, err := w.Update(ctx, "project", project, p.Version, map[string]any{"finished": row.Number("days").String()}); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses tasks whose measured points lie too far apart, whether they came with the change or not.
func judge(_ context.Context, e *hook.Record, next func() error) error {
	if e.Delete {
		return next()
	}
	if err := next(); err != nil {
		return err
	}
	rows, err := e.Stored("points")
	if err != nil {
		return err
	}
	for _, r := range rows {
		if v, ok := r["value"].(decimal.Decimal); ok && v.GreaterThan(decimal.NewFromInt(100)) {
			return fault.Refuse("测点超限", fmt.Sprintf("point %v is out of range", r["label"]))
		}
	}
	return nil
}

// onBoth runs a test with the pack on both databases.
func onBoth(t *testing.T, f func(t *testing.T, s *packtest.System)) {
	t.Helper()
	t.Parallel()
	onBothWith(t, f)
}

func onBothWith(t *testing.T, f func(t *testing.T, s *packtest.System), more ...pack.Registrar) {
	t.Helper()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		f(t, bootNetwork(t, packtest.Database{URL: o.URL, Dir: o.Dir}, more...))
	})
}

// reads is a rule that tries to write; it holds when it cannot.
func reads(ctx context.Context, c hook.Checked) (bool, error) {
	if c.Value != "a rule that writes" {
		return true, nil
	}
	_, err := c.World.Create(ctx, "task", map[string]any{"code": "of a rule"})
	return err != nil && c.World.Lock(ctx, "network.rule") != nil, nil
}

// TestRulesOnlyRead: a rule judges a record and changes nothing.
func TestRulesOnlyRead(t *testing.T) {
	t.Parallel()
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)})
	chief := s.Person("chief", "chief")
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "project", map[string]any{"title": "a rule that writes"})
		return err
	}))
	require.Empty(t, codesOf(t, s, chief))
}

func bootNetwork(t *testing.T, at packtest.Database, more ...pack.Registrar) *packtest.System {
	t.Helper()
	return packtest.BootOn(t, at, append([]pack.Registrar{plugintest.Register, func(s *pack.Set) error {
		s.AddFolder("network", network)
		errs := []error{s.Rules.Add(hook.NewRule("reads", reads))}
		s.On("task").AfterWrite.Add(rollup)
		s.On("Task").AfterWrite.Add(judge)
		for _, q := range queries {
			errs = append(errs, s.Queries.Add(q))
		}
		return errors.Join(errs...)
	}}, more...)...)
}

// rowsOf reads a query as text, a row a line.
func rowsOf(ctx context.Context, w world.World, query string, args world.Args, columns ...string) (out []string, err error) {
	for row, err := range w.Rows(ctx, query, args) {
		if err != nil {
			return out, err
		}
		var cells []string
		for _, c := range columns {
			cells = append(cells, fmt.Sprint(row.Values[c]))
		}
		out = append(out, strings.Join(cells, " "))
	}
	return out, nil
}

// TestWorldRows: conditions with arguments, paths, order, groups and figures, each with the rights of the caller.
func TestWorldRows(t *testing.T) { onBoth(t, testWorldRows) }

func testWorldRows(t *testing.T, s *packtest.System) {
	chief, planner := s.Person("chief", "chief"), s.Person("planner", "planner")
	var lock, hidden string
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) (err error) {
		if lock, err = w.Create(ctx, "project", map[string]any{"title": "lock"}); err != nil {
			return err
		}
		if hidden, err = w.Create(ctx, "project", map[string]any{"title": "hidden"}); err != nil {
			return err
		}
		for i, v := range []map[string]any{
			{"code": "A", "project": lock, "days": "3", "cost": "10", "points": []map[string]any{{"label": "a1", "value": "7"}, {"label": "a2", "value": "2"}}},
			{"code": "B", "project": lock, "days": "12", "cost": "20", "others": []string{hidden, lock}},
			{"code": "C", "project": lock, "days": "3", "state": "DONE", "points": []map[string]any{{"label": "c1", "value": "9"}}},
			{"code": "SECRET", "project": lock, "days": "99", "points": []map[string]any{{"label": "s1", "value": "50"}}},
			{"code": "D", "project": hidden, "days": "1", "others": []string{hidden}},
		} {
			if _, err := w.Create(ctx, "task", v); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	}))
	open := world.Args{"state": "OPEN", "project": lock}
	for name, c := range map[string]struct {
		who     any
		query   string
		args    world.Args
		columns []string
		want    []string
	}{
		"chief":                {"chief", "network.open", open, []string{"code", "days", "cost", "project.title"}, []string{"SECRET 99 <nil> lock", "B 12 20 lock", "A 3 10 lock"}},
		"planner":              {"planner", "network.open", open, []string{"code", "days", "cost", "project.title"}, []string{"B 12 <nil> lock", "A 3 <nil> lock"}},
		"a hidden id":          {"planner", "network.projects", nil, []string{"code", "project"}, []string{"D <nil>"}},
		"sets":                 {"chief", "network.others", nil, []string{"code", "others"}, []string{"A <nil>", "B [" + hidden + " " + lock + "]", "D [" + hidden + "]", "SECRET <nil>"}},
		"sets with rights":     {"planner", "network.others", nil, []string{"code", "others"}, []string{"A <nil>", "B [" + lock + "]", "D <nil>"}},
		"a hidden reference":   {"planner", "network.open", world.Args{"state": "OPEN", "project": hidden}, []string{"code"}, nil},
		"an empty argument":    {"chief", "network.open", world.Args{"state": "OPEN"}, []string{"code"}, nil},
		"groups":               {"chief", "network.states", nil, []string{"project.title", "state", "n", "days", "cost"}, []string{"hidden OPEN 1 1 <nil>", "lock DONE 1 3 <nil>", "lock OPEN 3 114 30"}},
		"groups with rights":   {"planner", "network.states", nil, []string{"project.title", "state", "n", "days", "cost"}, []string{"<nil> OPEN 1 1 <nil>", "lock DONE 1 3 <nil>", "lock OPEN 2 15 <nil>"}},
		"one figure":           {"planner", "network.total", nil, []string{"n", "longest"}, []string{"4 12"}},
		"rows of a sub-table":  {"chief", "network.points", world.Args{"above": decimal.NewFromInt(5)}, []string{"label", "value"}, []string{"a1 7", "c1 9", "s1 50"}},
		"rows with rights":     {"planner", "network.points", world.Args{"above": decimal.NewFromInt(5)}, []string{"label", "value"}, []string{"a1 7", "c1 9"}},
		"rows without a value": {"planner", "network.points", nil, []string{"label"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			who := chief
			if c.who == "planner" {
				who = planner
			}
			require.NoError(t, s.Do(who, func(ctx context.Context, w world.World) error {
				if c.query == "network.points" {
					for row, err := range w.Rows(ctx, c.query, c.args) {
						require.NoError(t, err)
						of, err := w.Get(ctx, "task", row.Record)
						require.NoError(t, err)
						require.Contains(t, fmt.Sprint(of.Values["points"]), row.Text("label"))
					}
				}
				got, err := rowsOf(ctx, w, c.query, c.args, c.columns...)
				require.Equal(t, c.want, got)
				return err
			}))
		})
	}
	for name, c := range map[string]struct {
		query string
		args  world.Args
		want  string
	}{
		"no such query":       {"network.nothing", nil, "there is no query"},
		"no such argument":    {"network.open", world.Args{"status": "OPEN"}, "has no argument"},
		"another kind":        {"network.points", world.Args{"above": "5"}, "is a string"},
		"a number of its own": {"network.points", world.Args{"above": 5}, "is a int"},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, s.Do(planner, func(ctx context.Context, w world.World) error {
				_, err := rowsOf(ctx, w, c.query, c.args)
				return err
			}), c.want)
		})
	}
}

// TestWorldRowsAreAll: no row is left out and none comes twice, whatever the pack writes meanwhile.
func TestWorldRowsAreAll(t *testing.T) {
	t.Parallel()
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)})
	chief := s.Person("chief", "chief")
	const many = 1200
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		for i := range many {
			if _, err := w.Create(ctx, "task", map[string]any{"code": fmt.Sprint("T", i), "days": fmt.Sprint(i % 7)}); err != nil {
				return err
			}
		}
		seen := map[string]bool{}
		for row, err := range w.Rows(ctx, "network.all", nil) {
			if err != nil {
				return err
			}
			require.Empty(t, row.Record)
			require.False(t, seen[row.ID], row.Text("code"))
			seen[row.ID] = true
			if len(seen) == 10 {
				if _, err := w.Create(ctx, "project", map[string]any{"title": "meanwhile"}); err != nil {
					return err
				}
			}
		}
		require.Len(t, seen, many)
		first := 0
		for _, err := range w.Rows(ctx, "network.all", nil) {
			if err != nil {
				return err
			}
			if first++; first == 3 {
				break
			}
		}
		require.Equal(t, 3, first)
		return nil
	}))
}

// TestWorldOfHooks: a hook writes with the pack's own right, reads the rows of a sub-table, refuses, and undoes all that was written.
func TestWorldOfHooks(t *testing.T) { onBoth(t, testWorldOfHooks) }

func testWorldOfHooks(t *testing.T, s *packtest.System) {
	chief, planner := s.Person("chief", "chief"), s.Person("planner", "planner")
	var project string
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) (err error) {
		project, err = w.Create(ctx, "project", map[string]any{"title": "lock"})
		return err
	}))
	finished := func() (out any) {
		require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
			p, err := w.Get(ctx, "project", project)
			out = p.Values["finished"]
			return err
		}))
		return out
	}
	require.NoError(t, s.Do(planner, func(ctx context.Context, w world.World) error {
		for _, days := range []string{"3", "4"} {
			if _, err := w.Create(ctx, "task", map[string]any{"code": "T" + days, "project": project, "days": days, "state": "DONE"}); err != nil {
				return err
			}
		}
		_, err := w.Create(ctx, "task", map[string]any{"code": "open", "project": project, "days": "50"})
		return err
	}))
	require.Equal(t, "7", finished())

	for name, f := range map[string]func(ctx context.Context, w world.World) error{
		"a project is not the planner's to write": func(ctx context.Context, w world.World) error {
			p, err := w.Get(ctx, "project", project)
			if err != nil {
				return err
			}
			_, err = w.Update(ctx, "project", project, p.Version, map[string]any{"finished": "1000"})
			return err
		},
		"a point out of range": func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "task", map[string]any{"code": "far", "project": project, "days": "1000", "state": "DONE", "points": []map[string]any{{"label": "p", "value": "101"}}})
			return err
		},
		"a refusal that is passed over": func(ctx context.Context, w world.World) error {
			_, _ = w.Create(ctx, "task", map[string]any{"project": project, "days": "1000", "state": "DONE"})
			return nil
		},
		"a reason that nobody declared": func(_ context.Context, w world.World) error {
			_, err := w.As("anything")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, s.Do(planner, f))
			require.Equal(t, "7", finished())
		})
	}
}

// TestWorldTellsItsReason: the history says why the pack's code wrote, beside the person for whom it did.
func TestWorldTellsItsReason(t *testing.T) {
	t.Parallel()
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)})
	chief, planner := s.Person("chief", "chief"), s.Person("planner", "planner")
	var project string
	require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) (err error) {
		project, err = w.Create(ctx, "project", map[string]any{"title": "lock"})
		return err
	}))
	require.NoError(t, s.Do(planner, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "task", map[string]any{"code": "T", "project": project, "days": "2", "state": "DONE"})
		return err
	}))
	entries := s.History(t, chief, "project", project)
	require.Len(t, entries, 2)
	require.Equal(t, "planner", *entries[0].Creator)
	require.Equal(t, "汇总进度", *entries[0].Remark)
}

// TestMemo: what a hook keeps is there for the other writes of its transaction and for the same right, and for nothing else.
func TestMemo(t *testing.T) {
	t.Parallel()
	var seen []any
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)}, func(set *pack.Set) error {
		set.On("project").BeforeWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			own, err := e.World.As("rollup")
			if err != nil {
				return err
			}
			seen = append(seen, e.World.Memo()["network.title"], own.Memo()["network.title"])
			own.Memo()["network.title"] = e.Set["title"]
			return next()
		})
		return nil
	})
	chief := s.Person("chief", "chief")
	for _, titles := range [][]string{{"a", "b"}, {"c"}} {
		require.NoError(t, s.Do(chief, func(ctx context.Context, w world.World) error {
			for _, title := range titles {
				if _, err := w.Create(ctx, "project", map[string]any{"title": title}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	require.Equal(t, []any{nil, nil, nil, "a", nil, nil}, seen)
}

// TestHooksThatPassOver: what a hook wrote and was refused undoes the write that it hooks, though the hook says nothing of it.
func TestHooksThatPassOver(t *testing.T) {
	t.Parallel()
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)}, func(set *pack.Set) error {
		set.On("project").BeforeWrite.Add(func(ctx context.Context, e *hook.Record, next func() error) error {
			_, _ = e.World.Create(ctx, "task", map[string]any{"code": ""})
			return next()
		})
		return nil
	})
	state := s.State()
	var refused *fault.Error
	_, err := s.Writer().Save(t.Context(), state.Policy.View(s.Person("chief", "chief"), s.Now(), packtest.Zone),
		record.Change{Model: "project", Set: map[string]json.RawMessage{"title": json.RawMessage(`"lock"`)}})
	require.ErrorAs(t, err, &refused)
	require.Equal(t, fault.RecordInvalid, refused.Code)
}

// TestHooksThatNeverEnd: writes of hooks whose writes have hooks end with an error.
func TestHooksThatNeverEnd(t *testing.T) {
	t.Parallel()
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)}, func(set *pack.Set) error {
		set.On("project").AfterWrite.Add(func(ctx context.Context, e *hook.Record, _ func() error) error {
			_, err := e.World.Create(ctx, "project", map[string]any{"title": "again"})
			return err
		})
		return nil
	})
	chief := s.Person("chief", "chief")
	require.ErrorContains(t, s.Do(chief, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "project", map[string]any{"title": "one"})
		return err
	}), "deep")
}
