package quality_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/app"
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
		"mbs": mbs, "sheets": sheets, "trees": trees, "groups": groups, "excel": excel, "matrix": sheetsByProcess, "concession": concession, "specification": specification, "contractors": contractors, "evaluations": evaluations, "signing": signing, "workflows": workflows, "atOnce": atOnce, "papers": papers, "logged": logged, "sealed": sealed, "unbound": unbound, "bounds": bounds, "complete": complete} {
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

// levels: what a breakdown refuses.
func levels(t *testing.T, s *site) {
	err := s.Do(s.owner, func(ctx context.Context, w world.World) error {
		unit := s.node(ctx, w, "", "UNIT", "单位")
		_, err := w.Create(ctx, "q_qbs", map[string]any{"projectId": s.project, "parentId": unit, "nodeType": "UNIT", "name": "同级"})
		return err
	})
	refused(t, err, quality.WrongLevel)
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		item = s.node(ctx, w, unit, "ITEM", "分项")
	})
	s.do(s.owner, func(ctx context.Context, w world.World) { // without a code it gets the next one, at the top too
		for _, want := range []string{"02", "03"} {
			id := s.make(ctx, w, "q_qbs", map[string]any{"projectId": s.project, "nodeType": "UNIT", "name": "单位 " + want})
			r, err := w.Get(ctx, "q_qbs", id)
			require.NoError(t, err)
			require.Equal(t, want, r.Values["code"])
		}
	})
	add := func(values map[string]any) error {
		return s.Do(s.owner, func(ctx context.Context, w world.World) error {
			values["projectId"], values["name"] = s.project, "x"
			_, err := w.Create(ctx, "q_qbs", values)
			return err
		})
	}
	taken := add(map[string]any{"parentId": unit, "nodeType": "ITEM", "code": "01-01"})
	refused(t, taken, quality.DuplicateCode)
	require.Contains(t, told(taken), "{Errors:[{PropertyCode:code ", "once, although the key has the project too")
	require.NotContains(t, told(taken), "PropertyCode:projectId")
	refused(t, add(map[string]any{"parentId": unit, "nodeType": "ITEM", "stationFrom": "K2+000", "stationTo": "K1+999"}), quality.StationOrder)
	refused(t, add(map[string]any{"parentId": unit, "nodeType": "ITEM", "stationFrom": "2+0"}), quality.StationFormat)
	no := func(code fault.Code, f func(ctx context.Context, w world.World) error) {
		t.Helper()
		refused(t, s.Do(s.owner, f), code)
	}
	creates := func(model string, values map[string]any) func(ctx context.Context, w world.World) error {
		return func(ctx context.Context, w world.World) error { _, err := w.Create(ctx, model, values); return err }
	}
	edits := func(model, id string, values map[string]any) func(ctx context.Context, w world.World) error {
		return func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, values) }
	}
	var elsewhere, other, worked, first, sheet, a, b string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		elsewhere = s.make(ctx, w, "pm_project", map[string]any{"projectKey": "levels2", "projectName": "levels2", "evalRule": "JTS257_2008"})
		other = s.make(ctx, w, "q_qbs", map[string]any{"projectId": elsewhere, "nodeType": "UNIT", "name": "x"})
		worked = s.node(ctx, w, unit, "ITEM", "有工序的分项")
		first = s.make(ctx, w, "q_jbs", map[string]any{"qbsId": worked, "code": "1", "title": "一"})
		sheet = s.make(ctx, w, "q_biz", map[string]any{"ownerType": "QBS", "qbsId": worked, "schemaCode": "q_work", "sheetTitle": "表"})
		base := s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "TEMPLATE", "code": "LV", "title": "模板"})
		a = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "PROCESS", "parentId": base, "code": "LV-1", "title": "甲"})
		b = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "PROCESS", "parentId": base, "code": "LV-2", "title": "乙", "prevIds": []string{a}})
	})
	no(quality.OtherProject, edits("q_qbs", item, map[string]any{"projectId": elsewhere}))
	no(quality.OtherProject, edits("q_qbs", item, map[string]any{"parentId": other}))
	no(quality.ProcessElsewhere, creates("q_jbs", map[string]any{"qbsId": item, "code": "1", "title": "二", "prevIds": []string{first}}))
	no(quality.HasProcesses, creates("q_qbs", map[string]any{"projectId": s.project, "parentId": worked, "nodeType": "LOT", "name": "x"}))
	no(quality.SheetElsewhere, creates("q_work", map[string]any{"bizId": sheet, "qbsId": item, "content": "x"}))
	no(quality.WorkflowUnknown, creates("q_biz", map[string]any{"ownerType": "QBS", "qbsId": worked, "schemaCode": "q_hidden", "sheetTitle": "表", "workflowCode": "nope"}))
	no(quality.ProcessCycle, edits("q_jbs_base", a, map[string]any{"prevIds": []string{b}}))
	_, err = s.inspect(s.owner, item, "GEN", "1")
	require.NoError(t, err)
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", item) })
	refused(t, err, quality.NodeReferenced)
	require.Equal(t, "QUALIFIED", s.eval(item))
}

// forged: nobody writes what the pack computes, and what is measured stays.
func forged(t *testing.T, s *site) {
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		item = s.node(ctx, w, unit, "ITEM", "分项")
	})
	admin := s.Person("root", "administrator")
	s.do(admin, func(ctx context.Context, w world.World) {
		now, err := w.Get(ctx, "q_qbs", item)
		require.NoError(t, err)
		_, err = w.Update(ctx, "q_qbs", item, now.Version, map[string]any{"evalStatus": "QUALIFIED", "points": "7", "finalMeasures": "1"})
		require.NoError(t, err, told(err))
	})
	require.Equal(t, "NONE", s.eval(item))
	id, err := s.inspect(s.owner, item, "GEN", "1;2")
	require.NoError(t, err)
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_record", id) })
	refused(t, err, quality.NodeMeasured)
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "q_record", in{"qbsId": item, "items": []in{{"itemId": s.items["GEN"], "values": "1"}, {"itemId": s.items["GEN"], "values": "eins"}}})
		return err
	})
	refused(t, err, fault.FieldType)
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	at := f.Data.(fault.Invalid).Errors[0]
	require.Equal(t, []string{"items.values", "#2"}, []string{at.PropertyCode, at.Row}, "the row that was refused is named")
}

// revision: a rule set that changes leaves what was judged by it as it was.
func revision(t *testing.T, s *site) {
	var unit, a, b string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		a, b = s.node(ctx, w, unit, "ITEM", "甲"), s.node(ctx, w, unit, "ITEM", "乙")
	})
	_, err := s.inspect(s.owner, a, "GEN", "1;1;1;1;11")
	require.NoError(t, err)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_rule", map[string]any{"code": "GB50300_2013", "current": true}, world.All)
		require.NoError(t, err)
		require.Len(t, found, 1)
		now, err := w.Get(ctx, "q_rule", found[0])
		require.NoError(t, err)
		_, err = w.Update(ctx, "q_rule", found[0], now.Version, map[string]any{"generalRate": "0.9"})
		require.NoError(t, err, told(err))
	})
	_, err = s.inspect(s.owner, b, "GEN", "1;1;1;1;11")
	require.NoError(t, err, told(err))
	require.Equal(t, []string{"QUALIFIED", "UNQUALIFIED"}, []string{s.eval(a), s.eval(b)})
	require.Equal(t, []string{"1", "2"}, []string{fmt.Sprint(s.get(s.owner, "q_qbs", a)["ruleRevision"]), fmt.Sprint(s.get(s.owner, "q_qbs", b)["ruleRevision"])})

	// What a transaction has read of rules, project and parent is read again after it has changed them.
	s.do(s.owner, func(ctx context.Context, w world.World) {
		change := func(model, id string, values map[string]any) {
			now, err := w.Get(ctx, model, id)
			require.NoError(t, err)
			_, err = w.Update(ctx, model, id, now.Version, values)
			require.NoError(t, err, told(err))
		}
		s.node(ctx, w, unit, "DIVISION", "分部")
		found, err := w.Find(ctx, "q_rule", map[string]any{"code": "GB50300_2013", "current": true}, world.All)
		require.NoError(t, err)
		change("q_rule", found[0], map[string]any{"levels": []any{map[string]any{"nodeType": "UNIT"}, map[string]any{"nodeType": "LOT"}, map[string]any{"nodeType": "DIVISION"}}})
		lot := s.node(ctx, w, unit, "LOT", "检验批")
		s.node(ctx, w, lot, "DIVISION", "分部") // what this norm allows now
		change("q_qbs", unit, map[string]any{"code": "09"})
		last := s.node(ctx, w, unit, "DIVISION", "分部")
		now, err := w.Get(ctx, "q_qbs", last)
		require.NoError(t, err)
		require.Equal(t, "09-05", now.Values["code"])
		change("pm_project", s.project, map[string]any{"evalRule": "JTS257_2008"})
		s.node(ctx, w, unit, "SUBUNIT", "子单位") // a level that the other norm no longer has
	})
}

// stored: after random work every status is what a computation from nothing gives.
func stored(t *testing.T, s *site) {
	r := rand.New(rand.NewPCG(7, 11))
	var nodes, leaves []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit := s.node(ctx, w, "", "UNIT", "单位")
		nodes = append(nodes, unit)
		for range 2 {
			division := s.node(ctx, w, unit, "DIVISION", "分部")
			nodes = append(nodes, division)
			for range 2 {
				item := s.node(ctx, w, division, "ITEM", "分项")
				leaves = append(leaves, item)
			}
		}
	})
	nodes = append(nodes, leaves...)
	var records, bound []string
	for range 60 {
		leaf := leaves[r.IntN(len(leaves))]
		switch r.IntN(7) {
		case 0, 1:
			if id, err := s.inspect(s.owner, leaf, []string{"GEN", "MAIN"}[r.IntN(2)], []string{"1;2", "1;11", "20"}[r.IntN(3)]); err == nil {
				records = append(records, id)
			}
		case 2:
			if len(records) > 0 {
				id := records[r.IntN(len(records))]
				_ = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_record", id) })
			}
		case 3:
			_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
				id, err := w.Create(ctx, "q_biz", map[string]any{"qbsId": nodes[r.IntN(len(nodes))], "schemaCode": "q_hidden", "required": r.IntN(2) == 0, "bizKind": []string{"HIDDEN", "TEST"}[r.IntN(2)]})
				bound = append(bound, id)
				return err
			})
		case 4:
			if len(bound) > 0 {
				_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
					_, err := w.Create(ctx, "q_hidden", map[string]any{"bizId": bound[r.IntN(len(bound))], "qbsId": leaf, "content": "x"})
					return err
				})
			}
		case 6:
			_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
				_, err := w.Create(ctx, "q_qbs", map[string]any{"projectId": s.project, "parentId": leaf, "nodeType": "LOT", "name": "检验批"})
				return err
			})
		case 5:
			_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
				found, err := w.Find(ctx, "q_ncr", map[string]any{"qbsId": leaf}, 10)
				if err != nil || len(found) == 0 {
					return err
				}
				one := found[r.IntN(len(found))]
				now, err := w.Get(ctx, "q_ncr", one)
				if err != nil {
					return err
				}
				_, err = w.Update(ctx, "q_ncr", one, now.Version, map[string]any{"status": []string{"FIXED", "REVIEWED", "REJECTED"}[r.IntN(3)]})
				return err
			})
		}
	}
	require.NotEmpty(t, records)
	changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
	require.NoError(t, err)
	require.Zero(t, changed)
}

// call answers a route with the rights of a person.
func (s *site) call(who principal.Principal, method, path, body string) (string, error) {
	s.t.Helper()
	route, _, _ := s.State().Catalog.RouteOf(method, path)
	require.NotNil(s.t, route, path)
	view := s.View(who)
	if !view.Call(route) {
		return "", fault.New(fault.Forbidden)
	}
	out, err := s.Call(context.Background(), view, route, app.Input{Body: []byte(body)})
	return string(out), err
}

// calls builds a breakdown by calls, binds a template, and reads it back; two contractors see their own contracts only.
func calls(t *testing.T, s *site) {
	must := func(who principal.Principal, method, path, body string) string {
		t.Helper()
		out, err := s.call(who, method, path, body)
		require.NoError(t, err, told(err))
		return out
	}
	contracts, people := map[string]string{}, map[string]principal.Principal{}
	var template string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		template = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "TEMPLATE", "code": "SLAB", "title": "底板混凝土"})
		before := ""
		for i, name := range []string{"放样", "浇筑"} {
			values := map[string]any{"kind": "PROCESS", "parentId": template, "code": "SLAB-" + name, "title": name, "sortKey": strconv.Itoa(i)}
			if before != "" {
				values["prevIds"] = []string{before}
			}
			before = s.make(ctx, w, "q_jbs_base", values)
			s.make(ctx, w, "q_biz_base", map[string]any{"jbsBaseId": before, "schemaCode": "q_work", "sheetTitle": name, "bizKind": "RECORD"})
		}
	})
	admin := s.Person("chief", "administrator")
	for _, name := range []string{"a", "b"} {
		var department string
		s.do(admin, func(ctx context.Context, w world.World) {
			department = s.make(ctx, w, "department", map[string]any{"name": "施工 " + name})
			person := s.make(ctx, w, "user", map[string]any{"username": "qc" + name, "name": name, "mainDepartment": department, "departments": []string{department}})
			roles, err := w.Find(ctx, "role", map[string]any{"code": "R_CQC"}, 1)
			require.NoError(t, err)
			require.NoError(t, edit(ctx, w, "user", person, map[string]any{"roles": roles}))
			contracts[name] = s.make(ctx, w, "c_contract", map[string]any{"projectId": s.project, "code": name, "contractName": "合同 " + name, "partyADept": department, "partyBDept": department, "contractAmount": "1"})
		})
		var ok bool
		people[name], ok = s.Caller(t.Context(), "qc"+name)
		require.True(t, ok)
	}
	root := `{"projectKey": "calls", "name": "闸首", "code": "0%s", "nodeType": "UNIT", "contractId": %q}`
	must(people["a"], "POST", v2+"/qbs/add", fmt.Sprintf(root, "9", contracts["a"]))
	_, err := s.call(people["a"], "POST", v2+"/qbs/add", `{"projectKey": "calls", "name": "闸首", "code": "08", "nodeType": "UNIT"}`)
	refused(t, err, fault.NoAddPermission) // without a contract
	_, err = s.call(people["a"], "POST", v2+"/qbs/add", fmt.Sprintf(root, "8", contracts["b"]))
	require.Error(t, err, "somebody else's contract")
	lonely := s.Person("lonely", "R_CQC")
	require.Contains(t, must(lonely, "GET", v2+"/qbs/authority", `{}`), `"canAdd":false`, "somebody of no department has no contract")
	require.Contains(t, must(people["a"], "GET", v2+"/qbs/authority", `{}`), `"canAdd":true`)
	must(s.owner, "POST", v2+"/qbs/add", `{"projectKey": "calls", "name": "船闸", "code": "01", "nodeType": "UNIT"}`)
	var top []struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(must(s.owner, "GET", v2+"/qbs/treeList", `{"projectKey": "calls", "keyword": "船闸"}`)), &top))
	require.Len(t, top, 1)
	var added struct{ IDs []string }
	require.NoError(t, json.Unmarshal([]byte(must(s.owner, "POST", v2+"/qbs/add", fmt.Sprintf(`{"projectKey": "calls", "nodes": [
		{"parentId": %[1]q, "name": "甲段", "nodeType": "DIVISION", "contractId": %[2]q}, {"parentId": %[1]q, "name": "乙段", "nodeType": "DIVISION", "contractId": %[3]q}]}`, top[0].ID, contracts["a"], contracts["b"]))), &added))
	must(s.owner, "POST", v2+"/qbs/add", fmt.Sprintf(`{"projectKey": "calls", "parentId": %q, "name": "底板", "nodeType": "ITEM"}`, added.IDs[0]))
	var found []struct{ ID, Code string }
	require.NoError(t, json.Unmarshal([]byte(must(s.owner, "GET", v2+"/qbs/treeList", `{"projectKey": "calls", "keyword": "底板"}`)), &found))
	require.Equal(t, "01-01-01", found[0].Code)
	item := found[0].ID
	require.Equal(t, contracts["a"], s.get(s.owner, "q_qbs", item)["contractId"].(map[string]any)["id"], "a node has the contract of its parent")
	require.JSONEq(t, `{"created": 1, "skipped": 0}`, must(s.owner, "POST", v2+"/qbs/jbs", fmt.Sprintf(`{"qbsIds": [%q], "jbsBaseId": %q}`, item, template)))
	require.JSONEq(t, `{"created": 0, "skipped": 1}`, must(s.owner, "POST", v2+"/qbs/jbs", fmt.Sprintf(`{"qbsIds": [%q], "jbsBaseId": %q}`, item, template)))
	var processes []struct {
		Status string
		Biz    []struct{ SchemaCode string }
	}
	require.NoError(t, json.Unmarshal([]byte(must(people["a"], "GET", v2+"/jbs/node", fmt.Sprintf(`{"qbsId": %q}`, item))), &processes))
	require.Equal(t, []string{"OPEN", "LOCKED"}, []string{processes[0].Status, processes[1].Status})
	require.Equal(t, "q_work", processes[1].Biz[0].SchemaCode)

	for name, other := range map[string]string{"a": "乙段", "b": "甲段"} {
		for _, path := range []string{v2 + "/qbs/complete/tree", check + "/evaluation/tree", v2 + "/analyse/node"} {
			require.NotContains(t, must(people[name], "GET", path, `{"projectKey": "calls"}`), other, path)
		}
	}
	require.Contains(t, must(s.owner, "GET", v2+"/qbs/complete/tree", `{"projectKey": "calls"}`), `"bizCount":{"total":2,"done":0}`)
	require.NotContains(t, must(people["b"], "GET", v2+"/qbs/complete/tree", `{"projectKey": "calls"}`), `"total":2`, "nor what other contracts add up to")
	_, err = s.call(people["b"], "GET", v2+"/qbs/log", fmt.Sprintf(`{"qbsId": %q}`, item))
	require.NoError(t, err)
	_, err = s.call(people["b"], "PUT", v2+"/qbs/log", fmt.Sprintf(`{"qbsId": %q, "action": "seen"}`, item))
	refused(t, err, fault.RecordNotFound)
	require.JSONEq(t, `{"canAdd": true, "canEdit": true, "canDelete": true, "canImport": true, "canBind": true, "canReview": false}`, must(people["a"], "GET", v2+"/qbs/authority", fmt.Sprintf(`{"qbsId": %q}`, item)))
	require.JSONEq(t, `{"canAdd": false, "canEdit": false, "canDelete": false, "canImport": false, "canBind": false, "canReview": false}`, must(people["b"], "GET", v2+"/qbs/authority", fmt.Sprintf(`{"qbsId": %q}`, item)))
	for _, one := range []struct {
		who  principal.Principal
		node string
		bind bool
	}{{people["a"], top[0].ID, false}, {people["a"], added.IDs[1], false}, {s.Person("modeller", "R_BIM"), top[0].ID, true}, {s.owner, top[0].ID, true}} {
		require.Contains(t, must(one.who, "GET", v2+"/qbs/authority", fmt.Sprintf(`{"qbsId": %q}`, one.node)), fmt.Sprintf(`"canBind":%t`, one.bind), one.who.Name)
	}
}

func edit(ctx context.Context, w world.World, model, id string, values map[string]any) error {
	now, err := w.Get(ctx, model, id)
	if err != nil {
		return err
	}
	_, err = w.Update(ctx, model, id, now.Version, values)
	return err
}
