package app_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// planned is a small pack, a property a line.
var planned = map[string]string{
	"pack.json": `{"code": "desk", "name": "工单", "version": "1.0.0"}`,
	"models/ticket.json": `{"name": "工单", "properties": [
  {"code": "title", "propertyType": "ShortText", "name": "标题", "maxLength": 20},
  {"code": "day", "propertyType": "Date", "name": "日期", "required": true},
  {"code": "amount", "propertyType": "Number", "name": "金额", "scale": 3, "min": "0", "max": "100"},
  {"code": "state", "propertyType": "Radio", "name": "状态", "options": ["OPEN", "DONE"]},
  {"code": "tags", "propertyType": "Checkbox", "name": "标签", "options": ["A", "B", "it's"]},
  {"code": "photos", "propertyType": "Attachment", "name": "照片", "maxCount": 3},
  {"code": "place", "propertyType": "Address", "name": "地点"},
  {"code": "site", "propertyType": "RelevanceForm", "name": "工地", "relativeCode": "site"},
  {"code": "lines", "propertyType": "Sheet", "name": "明细", "maxRows": 9, "properties": [
    {"code": "item", "propertyType": "ShortText", "name": "品名"}]}
]}`,
	"models/site.json": `{"name": "工地", "properties": [
  {"code": "title", "propertyType": "ShortText", "name": "名称"},
  {"code": "number", "propertyType": "ShortText", "name": "编号", "unique": true},
  {"code": "keeper", "propertyType": "StaffSingle", "name": "保管人"}
]}`,
}

// rows are three tickets and two sites; the third ticket has little.
var rows = []string{
	`INSERT INTO d_site (id, version, title, number, keeper) VALUES ('@s1', 1, 'one', '1', '@u1'), ('@s2', 1, 'one', '2', NULL)`,
	`INSERT INTO d_ticket (id, version, title, day, state, tags, photos, place, place__detail, site) VALUES
		('@t1', 1, 'short', '2026-11-21', 'OPEN', 'A;B', 'p;q;r', '110101', 'gate', '@s1'), ('@t2', 1, 'longer than others', '2026-11-21', 'DONE', 'it''s', NULL, NULL, 'door', NULL)`,
	`INSERT INTO d_ticket (id, version, day, state) VALUES ('@t3', 1, '2026-11-21', 'OPEN')`,
	`INSERT INTO d_ticket__tags (v, id, ordinal) VALUES ('@t1', 'A', 0), ('@t1', 'B', 1), ('@t2', 'it''s', 0)`,
	`INSERT INTO d_ticket__photos (v, id, ordinal) VALUES ('@t1', 'p', 0), ('@t1', 'q', 1), ('@t1', 'r', 2)`,
	`INSERT INTO d_ticket__lines (id, "parentId", "sortKey", item) VALUES ('@l1', '@t1', 1, 'nail'), ('@l2', '@t1', 2, NULL), ('@l3', '@t2', 1, NULL)`,
}

type planDesk struct {
	t        *testing.T
	db       *store.DB
	set      *pack.Set
	dir      string
	compiled map[string]plan.Storage // by edits
}

// edits are replacements in the files, "file: old -> new"; "file: -> text" makes one and "file: old ->" with all its text drops it.
func (d *planDesk) compile(edits ...string) plan.Storage {
	d.t.Helper()
	key := strings.Join(edits, "\x00")
	if s, ok := d.compiled[key]; ok {
		return s
	}
	docs := map[string]string{}
	for name, text := range planned {
		docs[name] = text
	}
	for _, e := range edits {
		name, change, _ := strings.Cut(e, ": ")
		old, now, ok := strings.Cut(change, " -> ")
		switch {
		case !ok:
			delete(docs, name)
		case old == "":
			docs[name] = now
		default:
			require.Equal(d.t, 1, strings.Count(docs[name], old), "%s in %s", old, name)
			docs[name] = strings.Replace(docs[name], old, now, 1)
		}
	}
	require.NoError(d.t, os.RemoveAll(d.dir))
	for name, text := range docs {
		path := filepath.Join(d.dir, name)
		require.NoError(d.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(d.t, os.WriteFile(path, []byte(text), fs.FileMode(0o644)))
	}
	c, list, err := app.Documents{Set: d.set, Dirs: []string{d.dir}, NoEmbedded: true, Zone: time.UTC}.Compile()
	require.NoError(d.t, err)
	require.NotNil(d.t, c, "%v", list)
	d.compiled[key] = c.Storage
	return c.Storage
}

func (d *planDesk) plan(edits ...string) *store.Plan {
	d.t.Helper()
	p, err := d.db.Plan(d.t.Context(), d.compile(edits...), store.PlanOptions{})
	require.NoError(d.t, err)
	return p
}

// lines are what `sluice plan` prints, with short paths.
func (d *planDesk) lines(p *store.Plan, locale string) []string {
	text := app.PlanText(p, locale, func(store.Step) bool { return true })
	out := []string{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line != "" {
			out = append(out, strings.Replace(line, d.dir+"/", "", 1))
		}
	}
	return out
}

var mark = regexp.MustCompile(`'@(\w)(\d)'`)

// sql runs a statement in which '@t1' represents an id, in the form that the database keeps.
func (d *planDesk) sql(text string, args ...any) {
	d.t.Helper()
	text = mark.ReplaceAllStringFunc(text, func(m string) string {
		id := fmt.Sprintf("%02x00000%c-0000-7000-8000-000000000001", m[2], m[3])
		if d.db.Dialect() == "sqlite" {
			return "x'" + strings.ReplaceAll(id, "-", "") + "'"
		}
		return "'" + id + "'"
	})
	require.NoError(d.t, d.db.Write(d.t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Exec(text, args...).Error }))
}

func (d *planDesk) apply(p *store.Plan, o store.ApplyOptions) {
	d.t.Helper()
	require.NoError(d.t, d.db.Apply(d.t.Context(), p, o))
	require.NoError(d.t, d.db.EnsureIndexes(d.t.Context()))
}

func eachDesk(t *testing.T, f func(d *planDesk)) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := &planDesk{t: t, db: db, set: &pack.Set{}, dir: filepath.Join(t.TempDir(), "desk"), compiled: map[string]plan.Storage{}}
		require.NoError(t, plugintest.Register(d.set))
		d.set.Freeze()
		d.apply(d.plan(), store.ApplyOptions{})
		for _, text := range rows {
			d.sql(text)
		}
		for id, n := range map[string]string{"t1": "1.234", "t2": "50"} {
			d.sql(`UPDATE d_ticket SET amount = ? WHERE id = '@`+id+`'`, d.number(n))
		}
		f(d)
	})
}

// number is a decimal as the database keeps it.
func (d *planDesk) number(text string) any {
	if d.db.Dialect() == "postgres" {
		return text
	}
	b, err := store.EncodeDecimal(decimal.RequireFromString(text))
	require.NoError(d.t, err)
	return b
}

const ticket, site = "models/ticket.json: ", "models/site.json: "

// TestPlanOfEveryChange: each kind of change that docs/operations.md names is one line, with the rows that it concerns and the
// place that asks for it, on both databases.
func TestPlanOfEveryChange(t *testing.T) {
	cases := []struct {
		name  string
		edits []string
		lines []string
	}{
		{"nothing", nil, nil},
		{"new model", []string{`models/extra.json:  -> {"name": "别的", "tree": "parent", "properties": [{"code": "parent", "propertyType": "RelevanceForm", "name": "上级", "relativeCode": "extra"}, {"code": "rows", "propertyType": "Sheet", "name": "行", "required": true, "properties": []}]}`},
			[]string{"safe  models/extra.json:1:1  create the table of extra"}},
		{"new property", []string{ticket + `  {"code": "day" -> {"code": "home", "propertyType": "Address", "name": "家", "unique": true},
  {"code": "day"`}, []string{"safe  models/ticket.json:3:1  add home to ticket"}},
		{"new required property", []string{ticket + `{"code": "day" -> {"code": "boss", "propertyType": "StaffMulti", "name": "负责人", "required": true},
  {"code": "day"`}, []string{"needs-confirmation  models/ticket.json:3:3  add boss to ticket (required; 3 records have no value)"}},
		{"new required sub-table", []string{ticket + `{"code": "day" -> {"code": "parts", "propertyType": "Sheet", "name": "部件", "required": true, "properties": [{"code": "part", "propertyType": "ShortText", "name": "部件"}]},
  {"code": "day"`}, []string{"needs-confirmation  models/ticket.json:3:3  create the table of ticket.parts (required; 3 records have no row)"}},
		{"drop a property of two columns", []string{ticket + `  {"code": "place", "propertyType": "Address", "name": "地点"},
 -> `}, []string{"destructive  models/ticket.json:1:1  drop place of ticket; 2 records lose a value"}},
		{"drop a model and what refers to it", []string{ticket + `  {"code": "site", "propertyType": "RelevanceForm", "name": "工地", "relativeCode": "site"},
 -> `, "models/site.json"}, []string{"destructive  models/ticket.json:1:1  drop site of ticket; 1 record loses a value", "destructive  drop the table of site with its 2 records"}},
		{"rename a property of two columns", []string{ticket + `"place", -> "spot", "renamedFrom": "place",`},
			[]string{"needs-confirmation  models/ticket.json:8:3  rename place of ticket to spot, keeping its data"}},
		{"rename a model", []string{"models/site.json", `models/yard.json:  -> ` + strings.Replace(planned["models/site.json"], `"properties"`, `"renamedFrom": "site", "properties"`, 1), ticket + `"relativeCode": "site" -> "relativeCode": "yard"`},
			[]string{"needs-confirmation  models/yard.json:1:1  rename table d_site to d_yard, keeping its data"}},
		{"two properties change names", []string{ticket + `"title", -> "state", "renamedFrom": "title",`, ticket + `"state", "propertyType" -> "title", "renamedFrom": "state", "propertyType"`},
			[]string{"needs-confirmation  models/ticket.json:2:3  rename title of ticket to state, keeping its data", "needs-confirmation  models/ticket.json:5:3  rename state of ticket to title, keeping its data"}},
		{"required, some lack it", []string{ticket + `"maxLength": 20 -> "maxLength": 20, "required": true`}, []string{"needs-confirmation  models/ticket.json:2:3  make title of ticket required; 1 record has no value"}},
		{"required, all have it", []string{ticket + `["OPEN", "DONE"] -> ["OPEN", "DONE"], "required": true`}, []string{"safe  models/ticket.json:5:3  make state of ticket required"}},
		{"required set", []string{ticket + `"maxCount": 3 -> "maxCount": 3, "required": true`}, []string{"needs-confirmation  models/ticket.json:7:3  make photos of ticket required; 2 records have no value"}},
		{"required in a sub-table", []string{ticket + `"name": "品名" -> "name": "品名", "required": true`}, []string{"needs-confirmation  models/ticket.json:11:5  make item of ticket.lines required; 2 records have no value"}},
		{"required sub-table", []string{ticket + `"maxRows": 9 -> "maxRows": 9, "required": true`}, []string{"needs-confirmation  models/ticket.json:10:3  make lines of ticket required; 1 record has no value"}},
		{"computed values are nobody's to give", []string{ticket + `"scale": 3 -> "scale": 3, "required": true, "computeFormula": "1"`},
			[]string{"needs-confirmation  models/ticket.json:4:3  compute amount of ticket by a formula; it overwrites what people entered in 2 records"}},
		{"typed values that a formula with the time replaces", []string{ticket + `"scale": 3 -> "scale": 3, "computeFormula": "days(day, today())"`}, []string{"destructive  models/ticket.json:1:1  compute amount of ticket when it is read; 2 records lose a stored value"}},
		{"required by a formula", []string{ticket + `"maxLength": 20 -> "maxLength": 20, "requiredFormula": "state == 'DONE'"`}, nil},
		{"optional", []string{ticket + `, "required": true -> `}, []string{"safe  models/ticket.json:3:3  make day of ticket optional"}},
		{"longer", []string{ticket + `"maxLength": 20 -> "maxLength": 30`}, []string{"safe  models/ticket.json:2:3  widen title of ticket: maxLength 20 → 30"}},
		{"shorter", []string{ticket + `"maxLength": 20 -> "maxLength": 17`}, []string{"needs-confirmation  models/ticket.json:2:3  narrow title of ticket: maxLength 20 → 17; 1 record is outside"}},
		{"fewer digits", []string{ticket + `"scale": 3 -> "scale": 2`}, []string{"needs-confirmation  models/ticket.json:4:3  narrow amount of ticket: scale 3 → 2; 1 record is outside"}},
		{"larger least value", []string{ticket + `"min": "0" -> "min": "1.235"`}, []string{"needs-confirmation  models/ticket.json:4:3  narrow amount of ticket: min 0 → 1.235; 1 record is outside"}},
		{"other range and digits", []string{ticket + `"scale": 3, "min": "0", "max": "100" -> "scale": 2, "min": "-5", "max": "49.99"`},
			[]string{"needs-confirmation  models/ticket.json:4:3  narrow amount of ticket: scale 3 → 2, min 0 → -5, max 100 → 49.99; 2 records are outside"}},
		{"no range", []string{ticket + `, "min": "0", "max": "100" -> `}, []string{"safe  models/ticket.json:4:3  widen amount of ticket: min 0 → none, max 100 → none"}},
		{"the same range, written otherwise", []string{ticket + `"max": "100" -> "max": "100.00"`}, nil},
		{"option removed", []string{ticket + `["OPEN", "DONE"] -> ["DONE"]`}, []string{"needs-confirmation  models/ticket.json:5:3  narrow state of ticket: options −OPEN; 2 records are outside"}},
		{"option added", []string{ticket + `["OPEN", "DONE"] -> ["LATER", "OPEN", "DONE"]`}, []string{"safe  models/ticket.json:5:3  widen state of ticket: options +LATER"}},
		{"options in another order", []string{ticket + `["OPEN", "DONE"] -> ["DONE", "OPEN"]`}, nil},
		{"option of a set removed", []string{ticket + `"B", "it's" -> "it's", "C"`}, []string{"needs-confirmation  models/ticket.json:6:3  narrow tags of ticket: options −B +C; 1 record is outside"}},
		{"free text becomes a choice", []string{ticket + `"ShortText", "name": "标题", "maxLength": 20 -> "Radio", "name": "标题", "options": ["short"]`},
			[]string{"needs-confirmation  models/ticket.json:2:3  narrow title of ticket: options +short; 1 record is outside: “longer than others”"}},
		{"fewer files", []string{ticket + `"maxCount": 3 -> "maxCount": 2`}, []string{"needs-confirmation  models/ticket.json:7:3  narrow photos of ticket: maxCount 3 → 2; 1 record is outside"}},
		{"fewer rows", []string{ticket + `"maxRows": 9 -> "maxRows": 1`}, []string{"needs-confirmation  models/ticket.json:10:3  narrow lines of ticket: maxRows 9 → 1; 1 record is outside"}},
		{"more rows", []string{ticket + `"maxRows": 9 -> "minRows": 2, "maxRows": 10`}, []string{"needs-confirmation  models/ticket.json:10:3  narrow lines of ticket: minRows none → 2, maxRows 9 → 10; 2 records are outside"}},
		{"another kind", []string{ticket + `"Number", "name": "金额", "scale": 3, "min": "0", "max": "100" -> "ShortText", "name": "金额"`},
			[]string{"safe  models/ticket.json:4:3  convert amount of ticket: number → text; 2 records keep their values in the new form"}},
		{"number to a short text", []string{ticket + `"Number", "name": "金额", "scale": 3, "min": "0", "max": "100" -> "ShortText", "name": "金额", "maxLength": 4`},
			[]string{"safe  models/ticket.json:4:3  convert amount of ticket: number → text; 2 records keep their values in the new form",
				"needs-confirmation  models/ticket.json:4:3  narrow amount of ticket: maxLength none → 4; 1 record is outside"}},
		{"text to number", []string{ticket + `"ShortText", "name": "标题", "maxLength": 20 -> "Number", "name": "标题"`},
			[]string{"destructive  models/ticket.json:2:3  convert title of ticket: text → number; 0 records keep their values in the new form, 2 records lose a value that doesn't fit: “longer than others”, “short”"}},
		{"text to number, every value fits", []string{site + `"ShortText", "name": "编号" -> "Number", "name": "编号"`},
			[]string{"needs-confirmation  models/site.json:3:3  convert number of site: text → number; 2 records keep their values in the new form"}},
		{"text to a number with limits", []string{site + `"ShortText", "name": "编号" -> "Number", "max": "1", "name": "编号"`},
			[]string{"needs-confirmation  models/site.json:3:3  convert number of site: text → number; 2 records keep their values in the new form",
				"needs-confirmation  models/site.json:3:3  narrow number of site: max none → 1; 1 record is outside"}},
		{"text that is no number to a required one", []string{ticket + `"ShortText", "name": "标题", "maxLength": 20 -> "Number", "name": "标题", "required": true`},
			[]string{"destructive  models/ticket.json:2:3  convert title of ticket: text → number; 0 records keep their values in the new form, 2 records lose a value that doesn't fit: “longer than others”, “short”",
				"needs-confirmation  models/ticket.json:2:3  make title of ticket required; 3 records have no value"}},
		{"day to text", []string{ticket + `"Date", "name": "日期" -> "ShortText", "name": "日期"`},
			[]string{"safe  models/ticket.json:3:3  convert day of ticket: date → text; 3 records keep their values in the new form"}},
		{"day to a short text", []string{ticket + `"Date", "name": "日期" -> "ShortText", "maxLength": 9, "name": "日期"`},
			[]string{"safe  models/ticket.json:3:3  convert day of ticket: date → text; 3 records keep their values in the new form",
				"needs-confirmation  models/ticket.json:3:3  narrow day of ticket: maxLength none → 9; 3 records are outside"}},
		{"text to day", []string{site + `"ShortText", "name": "名称" -> "Date", "name": "名称"`},
			[]string{"destructive  models/site.json:2:3  convert title of site: text → date; 0 records keep their values in the new form, 2 records lose a value that doesn't fit: “one” (2)"}},
		{"one option to several", []string{ticket + `"Radio", "name": "状态" -> "Checkbox", "name": "状态"`},
			[]string{"safe  models/ticket.json:5:3  convert state of ticket: text → set; 3 records keep their values in the new form"}},
		{"one option to several others", []string{ticket + `"Radio", "name": "状态", "options": ["OPEN", "DONE"] -> "Checkbox", "name": "状态", "required": true, "options": ["OPEN"]`},
			[]string{"safe  models/ticket.json:5:3  convert state of ticket: text → set; 3 records keep their values in the new form",
				"needs-confirmation  models/ticket.json:5:3  narrow state of ticket: options −DONE; 1 record is outside", "safe  models/ticket.json:5:3  make state of ticket required"}},
		{"several options to one", []string{ticket + `"Checkbox" -> "Radio"`},
			[]string{"destructive  models/ticket.json:6:3  convert tags of ticket: set → text; 1 record keeps its value in the new form, 1 record loses a value that doesn't fit: “A;B”"}},
		{"free text to several options", []string{ticket + `"ShortText", "name": "标题", "maxLength": 20 -> "Checkbox", "name": "标题", "options": ["short"]`},
			[]string{"safe  models/ticket.json:2:3  convert title of ticket: text → set; 2 records keep their values in the new form",
				"needs-confirmation  models/ticket.json:2:3  narrow title of ticket: options +short; 1 record is outside: “longer than others”"}},
		{"one record to several", []string{ticket + `"RelevanceForm" -> "RelevanceFormEx"`},
			[]string{"safe  models/ticket.json:9:3  convert site of ticket: id → d_site → set → d_site; 1 record keeps its value in the new form"}},
		{"one record to several of another model", []string{ticket + `"RelevanceForm", "name": "工地", "relativeCode": "site" -> "StaffMulti", "name": "工地"`},
			[]string{"destructive  models/ticket.json:9:3  change the type of site of ticket: id → d_site → set → user; 1 record loses a value"}},
		{"one person to several", []string{site + `"StaffSingle" -> "StaffMulti"`},
			[]string{"safe  models/site.json:4:3  convert keeper of site: id → user → set → user; 1 record keeps its value in the new form"}},
		{"person to department", []string{site + `"StaffSingle" -> "DeptSingle"`},
			[]string{"destructive  models/site.json:4:3  change the type of keeper of site: id → user → id → department; 1 record loses a value"}},
		{"person to departments", []string{site + `"StaffSingle" -> "DeptMulti"`},
			[]string{"destructive  models/site.json:4:3  change the type of keeper of site: id → user → set → department; 1 record loses a value"}},
		{"day to moment", []string{ticket + `"name": "日期" -> "name": "日期", "displayFormat": "yyyy-MM-dd HH:mm"`},
			[]string{"safe  models/ticket.json:3:3  convert day of ticket: date → instant; 3 records keep their values in the new form"}},
		{"typed values become computed", []string{ticket + `"maxLength": 20 -> "maxLength": 20, "computeFormula": "'x'"`},
			[]string{"needs-confirmation  models/ticket.json:2:3  compute title of ticket by a formula; it overwrites what people entered in 2 records"}},
		{"nothing typed becomes computed", []string{site + `"name": "名称"}, -> "name": "名称"}, {"code": "sum", "propertyType": "Number", "name": "计", "computeFormula": "1"},`},
			[]string{"safe  models/site.json:2:65  add sum to site"}},
		{"a type of fewer columns", []string{ticket + `"Address" -> "ShortText"`}, []string{"destructive  models/ticket.json:8:3  change the type of place of ticket: text → text; 2 records lose a value",
			"destructive  models/ticket.json:8:3  drop place__detail of ticket; 2 records lose a value"}},
		{"another target", []string{ticket + `"relativeCode": "site" -> "relativeCode": "user"`},
			[]string{"destructive  models/ticket.json:9:3  change the type of site of ticket: id → d_site → id → d_user; 1 record loses a value"}},
		{"on delete", []string{ticket + `"relativeCode": "site" -> "relativeCode": "site", "onDelete": "clear"`}, []string{"safe  models/ticket.json:9:3  change the reference of site of ticket"}},
		{"unique, twice there", []string{site + `"name": "名称" -> "name": "名称", "unique": true`}, []string{"impossible  models/site.json:2:12  make title of site unique; 2 records have duplicates: “one” (2)"}},
		{"unique, once there", []string{ticket + `"maxLength": 20 -> "maxLength": 20, "unique": true`}, []string{"safe  models/ticket.json:2:12  make title of ticket unique"}},
		{"no longer unique", []string{site + `, "unique": true -> `}, []string{"safe  make number of site no longer unique"}},
		{"an index takes over from a unique one", []string{site + `, "unique": true} -> }`, site + "\n]} -> \n], \"indexes\": [[\"number\"]]}"}, []string{"safe  make number of site no longer unique"}},
		{"index", []string{ticket + "\n]} -> \n], \"indexes\": [[\"site\", \"day\"]]}"}, []string{"safe  models/ticket.json:12:16  index ticket by site, day"}},
		{"search", []string{ticket + `"maxLength": 20 -> "maxLength": 20, "search": true`}, []string{"safe  models/ticket.json:2:3  index ticket by title"}},
	}
	eachDesk(t, func(d *planDesk) {
		for _, c := range cases {
			if c.lines == nil {
				c.lines = []string{}
			}
			p := d.plan(c.edits...)
			assert.Equal(d.t, c.lines, d.lines(p, "en"), c.name)
			for i, line := range d.lines(p, "zh") {
				require.Regexp(d.t, `\p{Han}`, line, c.name)
				n := p.Steps[i].Count - p.Steps[i].Lost // of those that lose nothing, where some do
				require.Equal(d.t, n > 0, strings.Contains(line, fmt.Sprint(n)) && n > 0, "%s: the number stands in %s", c.name, line)
			}
		}
		require.Empty(d.t, d.plan().Steps, "a plan changes nothing")
	})
}

// A requirement that records break is confirmed once. Records without a value stay as they are.
func TestRequiredIsConfirmedOnce(t *testing.T) {
	required := ticket + `"maxLength": 20 -> "maxLength": 20, "required": true`
	eachDesk(t, func(d *planDesk) {
		p := d.plan(required)
		require.Equal(d.t, store.Confirm, p.Class())
		require.ErrorIs(d.t, d.db.Apply(d.t.Context(), p, store.ApplyOptions{}), store.ErrConfirm)
		require.Equal(d.t, store.Confirm, d.plan(required).Class(), "a refused apply accepts nothing")
		d.apply(p, store.ApplyOptions{Yes: true})
		require.Empty(d.t, d.plan(required).Steps)
		require.Equal(d.t, []string{"safe  models/ticket.json:2:3  make title of ticket optional"}, d.lines(d.plan(), "en"))
		d.apply(d.plan(), store.ApplyOptions{})
		d.sql(`UPDATE d_ticket SET title = 'now' WHERE title IS NULL`)
		require.Equal(d.t, []string{"safe  models/ticket.json:2:3  make title of ticket required"}, d.lines(d.plan(required), "en"))
	})
}
