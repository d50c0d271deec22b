package quality_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// site is a system with a project and people.
type site struct {
	*packtest.System
	t       *testing.T
	owner   principal.Principal
	project string
	key     string            // of the project
	items   map[string]string // check items by code
}

// TestQuality runs the tests that share one system, on each database; each has a project of its own.
func TestQuality(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { onSystem(t, packtest.Database{URL: o.URL, Dir: o.Dir}) })
}

func onSystem(t *testing.T, at packtest.Database) {
	s := begin(t, at)
	for name, f := range map[string]func(t *testing.T, s *site){"slab": slab, "levels": levels, "forged": forged, "revision": revision, "stored": stored, "calls": calls,
		"mbs": mbs, "sheets": sheets, "trees": trees, "groups": groups, "excel": excel, "matrix": sheetsByProcess, "concession": concession, "specification": specification, "contractors": contractors, "evaluations": evaluations, "signing": signing, "workflows": workflows, "atOnce": atOnce, "papers": papers, "fitting": fitting, "logged": logged, "sealed": sealed, "unbound": unbound, "bounds": bounds, "demands": demands, "rounds": rounds, "follows": follows, "due": due, "answers": answers, "order": order, "complete": complete, "answered": answered, "placed": placed, "inParts": inParts, "numbers": numbers, "foretold": foretold, "ofComponents": ofComponents, "oneIdentity": oneIdentity, "heads": heads, "generated": generated, "counted": counted, "boundTwice": boundTwice, "arguments": arguments, "figures": figures, "ways": ways, "waysRound": waysRound, "dueAtRandom": dueAtRandom, "othersSheets": othersSheets, "designs": designs, "inspectors": inspectors, "partsDue": partsDue, "channeled": channeled, "ownOrder": ownOrder, "persons": persons, "hiddenBy": hiddenBy, "libraryChanges": libraryChanges, "waysMore": waysMore} {
		t.Run(name, func(t *testing.T) {
			own := *s
			own.t, own.key = t, name
			own.do(s.owner, func(ctx context.Context, w world.World) {
				norm := "JTS257_2008"
				if name == "revision" { // which changes its rule set
					norm = "GB50300_2013"
				}
				own.project = own.make(ctx, w, "pm_project", map[string]any{"projectKey": name, "projectName": name, "evalRule": norm})
			})
			f(t, &own)
		})
	}
	t.Run("without", func(t *testing.T) { without(t, s, at) })
}

func begin(t *testing.T, at packtest.Database) *site {
	t.Helper()
	s := &site{System: packtest.BootOn(t, at, plugins.Register, plugins.With("quality"), flows), t: t, items: map[string]string{}}
	s.owner = s.Person("owner", "R_OWNER")
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for _, one := range []map[string]any{
			{"code": "GEN", "itemName": "表面平整度", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-10", "devHigh": "10"},
			{"code": "MAIN", "itemName": "顶面高程", "itemClass": "MAIN", "evalMethod": "POINT", "devLow": "-10", "devHigh": "10"}} {
			s.items[one["code"].(string)] = s.make(ctx, w, "q_check_item", one)
		}
		s.make(ctx, w, "q_due_set", in{"code": "ANY", "title": "任意一项", "kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
		sets, err := w.Find(ctx, "q_rule", in{"current": true}, 9)
		require.NoError(s.t, err)
		for _, id := range sets {
			set, err := w.Get(ctx, "q_rule", id)
			require.NoError(s.t, err)
			levels := set.Values["levels"].([]any)
			for _, one := range levels {
				one.(in)["dueCode"] = "ANY"
			}
			require.NoError(s.t, edit(ctx, w, "q_rule", id, in{"levels": levels}))
		}
	})
	return s
}

func (s *site) do(who principal.Principal, f func(ctx context.Context, w world.World)) {
	s.t.Helper()
	require.NoError(s.t, s.Do(who, func(ctx context.Context, w world.World) error { f(ctx, w); return nil }))
}

func (s *site) make(ctx context.Context, w world.World, model string, values map[string]any) string {
	s.t.Helper()
	id, err := w.Create(ctx, model, values)
	require.NoError(s.t, err, told(err))
	return id
}

// told spells a refusal out.
func told(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return fmt.Sprintf("%d %v %+v", f.Code, f.Args, f.Data)
	}
	return fmt.Sprint(err)
}

// node adds a node below another.
func (s *site) node(ctx context.Context, w world.World, parent, nodeType, name string) string {
	values := map[string]any{"projectId": s.project, "nodeType": nodeType, "name": name}
	if parent != "" {
		values["parentId"] = parent
	} else {
		values["code"] = "01"
	}
	return s.make(ctx, w, "q_qbs", values)
}

func (s *site) get(who principal.Principal, model, id string) map[string]any {
	s.t.Helper()
	var out map[string]any
	s.do(who, func(ctx context.Context, w world.World) {
		found, err := w.Get(ctx, model, id)
		require.NoError(s.t, err)
		out = found.Values
	})
	return out
}

// inspect adds a record of one item with readings.
func (s *site) inspect(who principal.Principal, node, item, readings string) (id string, err error) {
	err = s.Do(who, func(ctx context.Context, w world.World) (err error) {
		id, err = w.Create(ctx, "q_record", map[string]any{"qbsId": node, "items": []map[string]any{{"itemId": s.items[item], "values": readings}}})
		return err
	})
	return id, err
}

// checkItem adds a check item with a tolerance of 20 both ways.
func (s *site) checkItem(code, method, unit string) (id string) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "q_check_item", in{"code": code, "itemName": code, "itemClass": "GENERAL", "evalMethod": method, "unit": unit, "devLow": "-20", "devHigh": "20"})
	})
	return id
}

func (s *site) eval(node string) string { return s.get(s.owner, "q_qbs", node)["evalStatus"].(string) }

// refused asserts that an error is a refusal with a code, of the record or of one of its fields.
func refused(t *testing.T, err error, code fault.Code) {
	t.Helper()
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	if invalid, ok := f.Data.(fault.Invalid); ok {
		require.Equal(t, code, invalid.Errors[0].Code, told(err))
		return
	}
	require.Equal(t, code, f.Code, told(err))
}

// slab is acceptance scenario 1: the floor slab of a lock chamber, from setting out to qualified, with one failed round.
func slab(t *testing.T, s *site) {
	var unit, division, item, other string
	bound := map[string]string{}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "船闸主体")
		division = s.node(ctx, w, unit, "DIVISION", "闸室")
		item, other = s.node(ctx, w, division, "ITEM", "闸室底板"), s.node(ctx, w, division, "ITEM", "闸墙")
		before := ""
		for i, name := range []string{"测量放样", "钢筋", "浇筑"} {
			values := map[string]any{"qbsId": item, "code": strconv.Itoa(i + 1), "title": name, "sortKey": strconv.Itoa(i)}
			if before != "" {
				values["prevIds"] = []string{before}
			}
			before = s.make(ctx, w, "q_jbs", values)
			bound[name] = s.make(ctx, w, "q_biz", map[string]any{"ownerType": "JBS", "qbsId": item, "jbsId": before, "schemaCode": "q_work"})
		}
	})
	require.Equal(t, "01-01-01", s.get(s.owner, "q_qbs", item)["code"])
	work := func(name string) error {
		return s.Do(s.owner, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_work", map[string]any{"bizId": bound[name], "qbsId": item, "content": name})
			return err
		})
	}
	refused(t, work("浇筑"), quality.ProcessLocked)
	require.Equal(t, "NOT_STARTED", s.get(s.owner, "q_qbs", unit)["workStatus"])
	for _, name := range []string{"测量放样", "钢筋", "浇筑"} {
		require.NoError(t, work(name), name)
		require.Equal(t, "COMPLETED", s.get(s.owner, "q_biz", bound[name])["status"])
	}
	refused(t, work("浇筑"), quality.SheetSingle)
	require.Equal(t, "DOING", s.get(s.owner, "q_qbs", unit)["workStatus"], "the other item has not begun")
	require.Equal(t, "DONE", s.get(s.owner, "q_qbs", item)["workStatus"])
	require.Equal(t, "PENDING", s.eval(item))

	fifty := func(bad int) string { return strings.Repeat("11;", bad) + strings.Repeat("1;", 50-bad) }
	first, err := s.inspect(s.owner, item, "GEN", fifty(11)) // 78 %
	require.NoError(t, err, told(err))
	require.Equal(t, "NOT_OK", s.get(s.owner, "q_record", first)["conclusion"])
	require.Equal(t, "UNQUALIFIED", s.eval(item))
	require.Equal(t, "PENDING", s.eval(unit))
	var action string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", map[string]any{"recordId": first}, world.All)
		require.NoError(t, err)
		require.Len(t, found, 1)
		action = found[0]
	})
	step := func(status string) error {
		return s.Do(s.owner, func(ctx context.Context, w world.World) error {
			now, err := w.Get(ctx, "q_ncr", action)
			if err != nil {
				return err
			}
			_, err = w.Update(ctx, "q_ncr", action, now.Version, map[string]any{"status": status})
			return err
		})
	}
	refused(t, step("REVIEWED"), quality.NCRState)
	require.NoError(t, step("FIXED"))
	require.Equal(t, "REWORK", s.eval(item))
	second, err := s.inspect(s.owner, item, "GEN", fifty(7)) // 86 %
	require.NoError(t, err)
	require.Equal(t, "2", fmt.Sprint(s.get(s.owner, "q_record", second)["round"]))
	require.Equal(t, "PENDING", s.eval(item), "the corrective action is open")
	require.NoError(t, step("REVIEWED"))
	require.Equal(t, "QUALIFIED", s.eval(item))
	require.Equal(t, "PENDING", s.eval(unit))
	require.Equal(t, "0.86", strings.TrimRight(fmt.Sprint(s.get(s.owner, "q_qbs", unit)["passRate"]), "0"))
	_, err = s.inspect(s.owner, other, "MAIN", "1;2;3")
	require.NoError(t, err)
	require.Equal(t, "QUALIFIED", s.eval(division))
	require.Equal(t, "PENDING", s.eval(unit), "a unit needs tests and its appearance")
	ours, err := json.Marshal([]string{s.project})
	require.NoError(t, err)
	data, err := s.Reports().Data(t.Context(), s.View(s.owner), reporting.Request{Report: "acceptance", Sets: []string{"lowest"}, Filters: []query.Filter{{PropertyCode: "project", PropertyValue: ours}}})
	require.NoError(t, err)
	require.NoError(t, data[0].Err)
	require.Equal(t, []string{"53", "46"}, []string{fmt.Sprint(data[0].Rows[0].Values[0]), fmt.Sprint(data[0].Rows[0].Values[1])}, "of the latest round, as the tree counts")
}

func edit(ctx context.Context, w world.World, model, id string, values map[string]any) error {
	now, err := w.Get(ctx, model, id)
	if err != nil {
		return err
	}
	_, err = w.Update(ctx, model, id, now.Version, values)
	return err
}
