package lockquality

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/record"
)

var update = flag.Bool("update", false, "write examples/lock-quality/data")

const (
	root = "../../../"
	code = "lockquality" // of the pack
	home = root + "examples/lock-quality"
)

func boot(t *testing.T, folder string) *packtest.System {
	t.Helper()
	return packtest.Boot(t, plugintest.Register, plugins.With("quality"), func(s *pack.Set) error {
		s.AddFolder("examples/ship-lock", os.DirFS(root+"examples/ship-lock"))
		s.AddFolder("examples/lock-quality", os.DirFS(folder))
		return nil
	})
}

// TestData: what the example shows is what the pack computes from its facts. With -update it writes the files.
func TestData(t *testing.T) {
	if *update {
		write(t)
	}
	s := boot(t, home)
	owner, ok := s.Caller(t.Context(), "hanchengzhi")
	require.True(t, ok)
	count := map[string]int{}
	status := map[string]int{}
	require.NoError(t, s.Do(owner, func(ctx context.Context, w world.World) error {
		for row, err := range w.Rows(ctx, "quality.tree", world.Args{"project": record.DataID(nil, code, "pm_project", project)}) {
			require.NoError(t, err)
			count[row.Text("nodeType")]++
			status[row.Text("evalStatus")]++
		}
		return nil
	}))
	require.Greater(t, count["LOT"], 2500)
	require.Greater(t, status["QUALIFIED"], 250)
	require.Positive(t, status["UNQUALIFIED"])
	require.Positive(t, status["REWORK"])
	route, _, _ := s.State().Catalog.RouteOf("PUT", "/api/quality/check/refresh/record/status")
	out, err := s.Call(t.Context(), s.View(owner), route, app.Input{Body: []byte("{}")})
	require.NoError(t, err)
	require.JSONEq(t, `{"recomputed": 0}`, string(out), "the states that the files bring are those that a computation from nothing gives")
}

// write makes the files: it lets the pack work on the facts and writes down what came of it.
func write(t *testing.T) {
	nodes, lots := breakdown()
	docs := facts(nodes, id)
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "data"), 0o755))
	head, err := os.ReadFile(home + "/pack.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "pack.json"), head, 0o644))
	save(t, folder, docs)
	s := boot(t, folder)
	w := &work{System: s, t: t, who: s.Person("builder", "R_OWNER"), random: rand.New(rand.NewPCG(2026, 11)), bindings: map[string][]string{}}
	for n, l := range lots {
		w.lot(n, l)
	}
	w.random = rand.New(rand.NewPCG(2026, 12))
	for n, l := range lots {
		if l.started == len(l.template.steps)-2 {
			w.requested(n, l)
		}
	}
	w.above()
	results := w.results()
	records := results["q_record"]
	records.Start = requests(records.Rows)
	results["q_record"] = records
	signed := results["q_eval"]
	for _, r := range signed.Rows {
		if r["evalStatus"] == "QUALIFIED" { // waits for the supervisor
			signed.Start = append(signed.Start, start{Workflow: "q_evaluation", Initiator: "fengxiaodong", Rows: [][]string{{fmt.Sprint(r["qbsId"])}}})
		}
	}
	results["q_eval"] = signed
	began(results["q_qbs"].Rows, lots)
	maps.Copy(docs, results)
	save(t, home, docs)
}

func save(t *testing.T, folder string, docs map[string]document) {
	t.Helper()
	schemas, err := compile.Schemas(&pack.Set{})
	require.NoError(t, err)
	for name, d := range docs {
		if table, ok := d.table(); ok {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "data", name+".csv"), table, 0o644))
			continue
		}
		text, err := json.Marshal(d)
		require.NoError(t, err)
		parsed, problems := source.Parse(name, text)
		require.False(t, problems.HasErrors())
		require.NoError(t, os.WriteFile(filepath.Join(folder, "data", name+".json"), source.Format(parsed, schemas.Layout(def.KindData)), 0o644))
	}
}

// manyRows is from how many rows on a file is a table, where its rows fit into one.
const manyRows = 100

// table is the document as a table of a spreadsheet, the key first.
func (d document) table() ([]byte, bool) {
	if len(d.Key) != 1 || len(d.Rows) < manyRows {
		return nil, false
	}
	columns := map[string]bool{}
	for _, row := range d.Rows {
		for code, v := range row {
			if list, ok := v.([]any); ok && len(list) > 0 {
				if _, nested := list[0].(Row); nested {
					return nil, false
				}
			}
			columns[code] = true
		}
	}
	delete(columns, d.Key[0])
	head := append([]string{d.Key[0]}, slices.Sorted(maps.Keys(columns))...)
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	lines := [][]string{head}
	for _, row := range d.Rows {
		line := make([]string, len(head))
		for i, code := range head {
			switch v := row[code].(type) {
			case nil:
			case []any:
				var parts []string
				for _, one := range v {
					parts = append(parts, fmt.Sprint(one))
				}
				line[i] = strings.Join(parts, ";")
			default:
				line[i] = fmt.Sprint(v)
			}
		}
		lines = append(lines, line)
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, false
	}
	return out.Bytes(), true
}

// work does what people did in three months.
type work struct {
	*packtest.System
	t      *testing.T
	who    principal.Principal
	random *rand.Rand
	// bindings are the sheets of each lot, in the order of its processes.
	bindings map[string][]string
}

func id(model string, key ...string) string { return record.DataID(nil, code, model, key...) }

// person is somebody of the parties.
func (w *work) person(username string) principal.Principal {
	who, ok := w.Caller(w.t.Context(), username)
	require.True(w.t, ok, username)
	return who
}

func (w *work) create(by principal.Principal, model string, values map[string]any) (out string) {
	w.t.Helper()
	require.NoError(w.t, w.Do(by, func(ctx context.Context, in world.World) (err error) {
		out, err = in.Create(ctx, model, values)
		return err
	}), fmt.Sprint(model, values))
	return out
}

func (w *work) change(by principal.Principal, model, id string, values map[string]any) {
	w.t.Helper()
	require.NoError(w.t, w.Do(by, func(ctx context.Context, in world.World) error { return set(ctx, in, model, id, values) }), fmt.Sprint(model, values))
}

func set(ctx context.Context, in world.World, model, id string, values map[string]any) error {
	now, err := in.Get(ctx, model, id)
	if err != nil {
		return err
	}
	_, err = in.Update(ctx, model, id, now.Version, values)
	return err
}

// approved is what the end of a workflow leaves: files bring no workflows that have ended.
func (w *work) approved(model, id, binding, flow string) {
	w.t.Helper()
	require.NoError(w.t, w.Do(w.who, func(ctx context.Context, in world.World) error {
		own, err := in.As("qualityEngine")
		if err != nil {
			return err
		}
		if model == "q_record" {
			if err := set(ctx, own, model, id, map[string]any{"state": "COMPLETED", "signedBy": flow}); err != nil {
				return err
			}
		}
		if binding != "" {
			if err := set(ctx, own, "q_biz", binding, map[string]any{"status": "COMPLETED", "signedBy": flow}); err != nil {
				return err
			}
		}
		column := "remark"
		if model == "q_doccheck" {
			column = "part"
		}
		return set(ctx, in, model, id, map[string]any{column: "符合要求"}) // from which the pack computes what follows
	}), model)
}

// lot attaches the processes of its template, and fills the sheets of those that were done.
func (w *work) lot(n int, l lot) {
	node := id("q_qbs", l.code)
	before := ""
	for i, s := range l.template.steps {
		values := map[string]any{"qbsId": node, "code": fmt.Sprintf("%02d", i+1), "title": s.title, "qbsType": l.template.title, "sortKey": i + 1, "baseId": id("q_jbs_base", l.template.stepCode(i)), "baseVersion": 1}
		if before != "" {
			values["prevIds"] = []string{before}
		}
		before = w.create(w.who, "q_jbs", values)
		bound := map[string]any{"ownerType": "JBS", "qbsId": node, "jbsId": before, "schemaCode": s.sheet, "bizKind": s.kind, "sheetTitle": titles[s.sheet], "fillRole": []string{"R_CQC"},
			"auditRole": []string{"R_SUP"}, "sortKey": i + 1, "baseId": id("q_biz_base", l.template.stepCode(i), s.sheet)}
		if flow := flows[s.kind]; flow != "" {
			bound["workflowCode"] = flow
		}
		w.bindings[l.code] = append(w.bindings[l.code], w.create(w.who, "q_biz", bound))
	}
	for i := range l.started {
		w.sheet(n, l, i, false)
	}
}

// sheet fills the sheet of a process, some days before the inspection.
func (w *work) sheet(n int, l lot, i int, waits bool) {
	s := l.template.steps[i]
	day := date(l.day.AddDate(0, 0, i+1-len(l.template.steps)))
	by, node, binding := w.person(checker[l.contractor]), id("q_qbs", l.code), w.bindings[l.code][i]
	values := map[string]any{"qbsId": node, "bizId": binding, "part": l.name, "workDate": day}
	if l.template.code == "T-CONC" && i == 3 {
		w.create(w.person("lvsiqi"), "q_consent", map[string]any{"qbsId": node, "dueCode": "POUR", "consentDate": day, "remark": "钢筋、模板已验收，同意浇筑"})
	}
	switch s.sheet {
	case "q_setout":
		values["instrument"], values["surveyor"] = "全站仪 TS16", by.UserID
	case "q_hidden":
		values["content"], values["checker"] = "钢筋规格、间距、保护层与图纸一致", id("user", "lvsiqi")
	case "q_work":
		values["team"], values["weather"], values["temperature"] = fmt.Sprintf("%d 班", 1+n%4), []string{"晴", "多云", "阴", "小雨"}[w.random.IntN(4)], fmt.Sprint(26-n/30+w.random.IntN(5))
		values["quantity"], values["unit"] = fmt.Sprintf("%.1f", l.quantity), l.unit
		values["content"], values["foreman"] = s.title+"按方案完成", by.UserID
	case "q_record":
		delete(values, "workDate")
		w.inspect(n, l, values, waits)
		return
	}
	filled := w.create(by, s.sheet, values)
	if s.sheet == "q_hidden" {
		w.change(w.who, s.sheet, filled, map[string]any{"accepted": true})
		w.approved(s.sheet, filled, binding, flows[s.kind])
	}
}

// requested fills the last two sheets of a lot: its inspection waits for the supervisor, who is asked when the example starts.
func (w *work) requested(n int, l lot) {
	for i := l.started; i < len(l.template.steps); i++ {
		w.sheet(n-n%17, l, i, true)
	}
}

// requests are the starts of the inspections that are still drafts, each by who inspected.
func requests(records []Row) (out []start) {
	for _, person := range slices.Sorted(maps.Values(checker)) {
		one := start{Workflow: "q_lot", Initiator: person}
		for _, r := range records {
			if r["state"] == "DRAFT" && r["inspector"] == id("user", person) {
				one.Rows = append(one.Rows, []string{fmt.Sprint(r["qbsId"]), fmt.Sprint(r["recordKind"]), fmt.Sprint(r["round"])})
			}
		}
		if len(one.Rows) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// inspect adds the inspection, with what the laboratory and the supervisor add to it. One in 17 fails; most of those were mended and inspected again.
func (w *work) inspect(n int, l lot, values map[string]any, waits bool) {
	by := w.person(checker[l.contractor])
	bad := n%17 == 5
	rows := func(kind string, bad bool) (items []map[string]any) {
		for k, it := range l.template.items {
			if it.laboratory() != (kind == "TEST") || kind == "SUP" && it.class != "MAIN" {
				continue
			}
			failing := 0
			if it.class == "GENERAL" && it.points >= 12 && w.random.IntN(5) == 0 {
				failing = 1
			}
			if bad && kind == "SELF" && k == l.template.failing() {
				failing = (it.points*3 + 9) / 10
			}
			row := map[string]any{"itemId": id("q_check_item", it.code), "values": readings(w.random, it, failing)}
			items = append(items, row)
		}
		return items
	}
	round := func(bad bool, later int) string {
		one := maps.Clone(values)
		one["recordKind"], one["inspector"], one["checkDate"], one["items"] = "SELF", by.UserID, date(l.day.AddDate(0, 0, later)), rows("SELF", bad)
		out := w.create(by, "q_record", one)
		if !waits {
			w.approved("q_record", out, values["bizId"].(string), "q_lot")
		}
		return out
	}
	other := func(kind, username string) {
		who := w.person(username)
		if items := rows(kind, false); len(items) > 0 {
			w.create(who, "q_record", map[string]any{"qbsId": values["qbsId"], "recordKind": kind, "inspector": who.UserID, "checkDate": date(l.day), "part": l.name, "items": items})
		}
	}
	first := round(bad, 0)
	if waits {
		return
	}
	if !bad {
		other("TEST", "hejing")
		if n%8 == 0 || strings.HasSuffix(l.code, "1") {
			other("SUP", "lvsiqi")
		}
		return
	}
	var found []string
	require.NoError(w.t, w.Do(w.who, func(ctx context.Context, in world.World) (err error) {
		found, err = in.Find(ctx, "q_ncr", map[string]any{"recordId": first}, world.All)
		return err
	}))
	require.Len(w.t, found, 1, l.code)
	steps := []map[string]any{{"status": "FIXED", "result": "已按方案处理，见处理前后照片。"}, {"status": "REVIEWED", "reviewResult": "复查合格，同意关闭。"}}
	again := false
	switch n / 17 % 6 {
	case 1: // nothing was done yet
		steps = nil
	case 3:
		steps = steps[:1]
	case 5:
		w.concede(values["qbsId"].(string))
	default:
		again = true
	}
	for _, step := range steps {
		w.change(w.who, "q_ncr", found[0], step)
	}
	if again {
		round(false, 6)
	}
	if again || n/17%6 == 5 {
		other("TEST", "hejing")
	}
}

// failing is the item that fails where a lot does: the last one that points are measured of.
func (t template) failing() (at int) {
	for i, it := range t.items {
		if it.method == "POINT" {
			at = i
		}
	}
	return at
}

// concede signs a concession, each for themselves; the employer accepts it.
func (w *work) concede(node string) {
	var by []string
	for _, username := range []string{"fangzhiyuan", "shenmingzhe", "hanchengzhi"} {
		who := w.person(username)
		by = append(by, who.UserID)
		values := map[string]any{"concessionBy": slices.Clone(by)}
		if len(by) == 3 {
			values["concession"] = true
		}
		w.change(who, "q_qbs", node, values)
	}
}

// above adds what is due of the divisional works that are done, and the evaluation of their work items that was signed.
func (w *work) above() {
	supervisor := w.person("fangzhiyuan")
	for _, code := range []string{"CZ-10-01", "CZ-10-02"} {
		node := id("q_qbs", code)
		binding := w.create(w.who, "q_biz", map[string]any{"ownerType": "QBS", "qbsId": node, "schemaCode": "q_doccheck", "bizKind": "RECORD", "sheetTitle": "质量控制资料核查", "workflowCode": "q_doccheck", "sortKey": 1})
		if code == "CZ-10-02" { // is due still
			continue
		}
		filled := w.create(w.who, "q_doccheck", map[string]any{"qbsId": node, "bizId": binding, "workDate": date(begin.AddDate(0, 0, 60)), "complete": true, "checker": supervisor.UserID, "items": []map[string]any{
			{"document": "图纸会审、设计变更", "due": 3, "found": 3, "ok": true}, {"document": "原材料合格证和试验报告", "due": 12, "found": 12, "ok": true}, {"document": "施工记录和隐蔽工程验收记录", "due": 64, "found": 64, "ok": true}}})
		w.approved("q_doccheck", filled, binding, "q_doccheck")
	}
	for _, code := range []string{"CZ-10-01-01", "CZ-10-01-02"} {
		w.create(w.person("fengxiaodong"), "q_eval", map[string]any{"qbsId": id("q_qbs", code), "workDate": date(begin.AddDate(0, 0, 62)), "opinionText": "自评合格，报请评定。"})
	}
}

// results are the files of what was done, and of the nodes with the states that followed.
func (w *work) results() map[string]document {
	keys := map[string][]string{"q_qbs": {"code"}, "q_jbs": {"qbsId", "code"}, "q_biz": {"qbsId", "schemaCode", "sortKey"}, "q_setout": {"bizId"}, "q_work": {"bizId"}, "q_hidden": {"bizId"},
		"q_record": {"qbsId", "recordKind", "round"}, "q_ncr": {"recordId"}, "q_consent": {"qbsId", "dueCode"}, "q_doccheck": {"bizId"}, "q_eval": {"qbsId"}}
	out, ids := map[string]document{}, map[string]string{}
	for _, model := range []string{"q_qbs", "q_jbs", "q_biz", "q_setout", "q_work", "q_hidden", "q_record", "q_ncr", "q_consent", "q_doccheck", "q_eval"} { // targets first
		rows := map[string]Row{}
		for _, r := range w.all(model) {
			row := w.row(model, r.values, ids)
			key := make([]string, len(keys[model]))
			for i, k := range keys[model] {
				key[i] = fmt.Sprint(row[k])
			}
			rows[strings.Join(key, "\x00")] = row
			ids[r.id] = id(model, key...)
		}
		d := document{Key: keys[model]}
		for _, key := range slices.Sorted(maps.Keys(rows)) {
			d.Rows = append(d.Rows, rows[key])
		}
		out[model] = d
	}
	// A binding names its latest record, which has its id only now.
	for _, row := range out["q_biz"].Rows {
		if object, ok := row["objectId"].(string); ok {
			row["objectId"] = ids[object]
		}
	}
	return out
}

// began gives nodes the days on which their first sheet was filled and their last inspection was, where the pack took the day of this run.
func began(nodes []Row, lots []lot) {
	from, until := map[string]string{}, map[string]string{}
	for _, l := range lots {
		first := date(l.day.AddDate(0, 0, 1-len(l.template.steps)))
		for code := l.code; ; code = code[:strings.LastIndexByte(code, '-')] {
			if from[code] == "" || first < from[code] {
				from[code] = first
			}
			until[code] = max(until[code], date(l.day))
			if !strings.Contains(code, "-") {
				break
			}
		}
	}
	for _, n := range nodes {
		code := n["code"].(string)
		if n["actStart"] != nil {
			n["actStart"] = from[code]
		}
		if n["actFinish"] != nil {
			n["actFinish"] = until[code]
		}
	}
}

type stored struct {
	id     string
	values map[string]any
}

func (w *work) all(model string) (out []stored) {
	require.NoError(w.t, w.Do(w.who, func(ctx context.Context, in world.World) error {
		found, err := in.Find(ctx, model, nil, world.All)
		require.NoError(w.t, err)
		for _, one := range found {
			r, err := in.Get(ctx, model, one)
			require.NoError(w.t, err)
			out = append(out, stored{one, r.Values})
		}
		return nil
	}))
	return out
}

// row is a record as a data file writes it: what a new record has by itself is left out, records are named by the ids that the file gives them.
func (w *work) row(model string, values map[string]any, ids map[string]string) Row {
	return w.cells(w.State().Catalog.Model(model), values, ids)
}

func (w *work) cells(m *catalog.Model, values map[string]any, ids map[string]string) Row {
	out := Row{}
	for _, f := range m.Fields {
		if f.System || f.Compute != nil || f.Code == catalog.ID {
			continue
		}
		switch v := w.cell(f, values[f.Code], ids).(type) {
		case nil:
		case string, bool:
			if v != usual[f.Code] {
				out[f.Code] = v
			}
		default:
			out[f.Code] = v
		}
	}
	return out
}

// usual are the values that new records have by themselves.
var usual = map[string]any{"workStatus": "NOT_STARTED", "evalStatus": "NONE", "ncrState": "NONE", "status": "NONE", "state": "COMPLETED", "ownerType": "QBS", "required": true, "active": true, "syncFlag": true,
	"baseVersion": "1", "level": "NORMAL", "ncrKind": "QUALITY"}

func (w *work) cell(f *catalog.Field, v any, ids map[string]string) any {
	named := func(id string) string {
		if to, ok := ids[id]; ok {
			return to
		}
		return id
	}
	switch v := v.(type) {
	case decimal.Decimal:
		if v.IsZero() {
			return nil
		}
		return v.String()
	case bool:
		if !v {
			return nil
		}
		return v
	case string:
		if v == "" {
			return nil
		}
		return named(v)
	case map[string]any: // a record with its name
		return named(fmt.Sprint(v["id"]))
	case []any: // the rows of a sub-table, or several values
		var out []any
		for _, one := range v {
			row, ok := one.(map[string]any)
			switch {
			case f.Sheet != nil:
				out = append(out, w.cells(f.Sheet, row, ids))
			case ok: // a record with its name
				out = append(out, named(fmt.Sprint(row["id"])))
			default:
				out = append(out, named(fmt.Sprint(one)))
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return v
}
