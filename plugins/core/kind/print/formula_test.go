package print_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/plugins/base"
)

const lot = `{"name": "检验批", "name_i18n": {"en": "Lot"}, "name_plural_i18n": {"en": "Lots"}, "properties": [
  {"code": "amount", "propertyType": "Number", "name": "金额", "name_i18n": {"en": "Amount"}, "scale": 2},
  {"code": "checkDate", "propertyType": "Date", "name": "检查日期", "name_i18n": {"en": "Inspection date"}},
  {"code": "hidden", "propertyType": "Logic", "name": "隐蔽工程", "name_i18n": {"en": "Concealed works"}},
  {"code": "part", "propertyType": "ShortText", "name": "部位", "name_i18n": {"en": "Location"}},
  {"code": "result", "propertyType": "Radio", "name": "结论", "name_i18n": {"en": "Result"}, "options": [
    {"code": "OK", "name": "合格", "name_i18n": {"en": "Passed"}}, {"code": "BAD", "name": "不合格", "name_i18n": {"en": "Failed"}}]},
  {"code": "inspector", "propertyType": "StaffSingle", "name": "检查人", "name_i18n": {"en": "Inspector"}},
  {"code": "team", "propertyType": "StaffMulti", "name": "参加人", "name_i18n": {"en": "Participants"}},
  {"code": "unit", "propertyType": "DeptSingle", "name": "施工单位", "name_i18n": {"en": "Construction unit"}},
  {"code": "parties", "propertyType": "DeptMulti", "name": "参加单位", "name_i18n": {"en": "Participating units"}},
  {"code": "photos", "propertyType": "Attachment", "name": "照片", "name_i18n": {"en": "Photos"}}
]}`

// formulas compiles a template with one element for each text.
func formulas(t *testing.T, texts ...string) ([]plan.Expr, diag.List) {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	set.Freeze()
	kinds := compile.Kinds(set)
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	var elements []map[string]any
	for i, text := range texts {
		elements = append(elements, map[string]any{"eleType": "text", "left": 0, "top": i, "widthValue": 10, "text": "x", "displayFormula": text})
	}
	template, err := json.Marshal(map[string]any{"schemaCode": "lot", "name": "纸", "name_i18n": map[string]string{"en": "Paper"}, "pages": []any{map[string]any{"elements": elements}}})
	require.NoError(t, err)
	template = bytes.ReplaceAll(template, []byte(`\u0026`), []byte("&"))
	template = bytes.ReplaceAll(bytes.ReplaceAll(template, []byte(`\u003c`), []byte("<")), []byte(`\u003e`), []byte(">"))
	named := func(zh, en string) string {
		return fmt.Sprintf(`{"name": "%s", "name_i18n": {"en": "%s"}, "name_plural_i18n": {"en": "%[2]ss"}, "properties": [{"code": "name", "propertyType": "ShortText", "name": "姓名", "name_i18n": {"en": "Name"}}]}`, zh, en)
	}
	files := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)}, "models/lot.json": {Data: []byte(lot)},
		"models/user.json": {Data: []byte(named("人员", "Person"))}, "models/department.json": {Data: []byte(named("部门", "Department"))}, "prints/paper.json": {Data: template}}
	p, found := compile.Load(files, "", kinds, schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{Zone: time.UTC})
	found = append(found, more...).Sorted()
	var out []plan.Expr
	if print := c.Print("paper"); print != nil {
		for _, e := range print.Pages[0] {
			out = append(out, e.When)
		}
	}
	return out, slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return !strings.HasPrefix(d.File, "prints/") })
}

// values are a record: by column, and by relation and column; what is not there is empty.
type values struct {
	expression.Scope
	of map[string]any
}

// Column implements expression.Scope.
func (v values) Column(f *plan.Field) any {
	return v.of[strings.Join(append(slices.Clone(f.Path), f.Column), ".")]
}

const (
	ann, bob   = "01a20e18-3dfb-7d24-a681-4bcad1863447", "01a20e18-3dfb-7d24-a681-4bcad1863448"
	one, other = "01a20e18-3dfb-7d24-a681-4bcad1863449", "01a20e18-3dfb-7d24-a681-4bcad1863450"
)

// row is a record in plain Go; nil and "" are empty.
type row struct {
	amount, day, part, result, status string
	hidden                            *bool
	inspector, unit                   string
	team, parties                     []string
}

var names = map[string]string{ann: "安娜", bob: "鲍勃", one: "一工区", other: "二工区"}

func (r row) scope() values {
	out := map[string]any{}
	put := func(k, v string) {
		if v != "" {
			out[k] = v
		}
	}
	put("checkDate", r.day)
	put("part", r.part)
	put("result", r.result)
	put("sequenceStatus", r.status)
	put("inspector", r.inspector)
	put("inspector.name", names[r.inspector])
	put("unit", r.unit)
	put("unit.name", names[r.unit])
	if r.amount != "" {
		out["amount"] = decimal.RequireFromString(r.amount)
	}
	if r.hidden != nil {
		out["hidden"] = *r.hidden
	}
	if len(r.team) > 0 {
		out["team"] = r.team
	}
	if len(r.parties) > 0 {
		out["parties"] = r.parties
	}
	return values{of: out}
}

func random(r *rand.Rand) row {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	set := func(a, b string) (out []string) {
		for _, v := range []string{a, b} {
			if r.IntN(2) == 0 {
				out = append(out, v)
			}
		}
		return out
	}
	x := row{amount: pick("", "99.99", "100", "100.01", "-5"), day: pick("", "2026-11-25", "2026-11-26", "2026-11-27"), part: pick("", "闸室", "上闸首底板", "闸室底板"),
		result: pick("", "OK", "BAD"), status: pick("", "DRAFT", "PROCESSING", "COMPLETED", "CANCELED"), inspector: pick("", ann, bob), unit: pick("", one, other), team: set(ann, bob), parties: set(one, other)}
	if b := r.IntN(3); b < 2 {
		v := b == 1
		x.hidden = &v
	}
	return x
}

// asked are the operators of the table of types (docs/authoring.md) with what they are called, and what each means for a record.
type asked struct {
	texts []string // with the property for %s
	names []string // of the property
	holds func(r row) bool
}

func cases() []asked {
	null := []string{"%s 为空", "%s null", "%s is null"}
	filled := []string{"%s 不为空", "%s not null", "%s is not null"}
	var out []asked
	add := func(names []string, texts []string, holds func(r row) bool) {
		out = append(out, asked{texts, names, holds})
	}
	amount, day := []string{"amount", "金额", "Amount", "{amount}", "${金额}"}, []string{"checkDate", "检查日期", "Inspection date"}
	for _, c := range []struct {
		labels []string
		holds  func(sign int) bool
	}{
		{[]string{"等于", "=", "equals"}, func(s int) bool { return s == 0 }},
		{[]string{"大于", ">", "greater than"}, func(s int) bool { return s > 0 }},
		{[]string{"大于等于", ">=", "≥", "greater than or equal to"}, func(s int) bool { return s >= 0 }},
		{[]string{"小于", "<", "less than"}, func(s int) bool { return s < 0 }},
		{[]string{"小于等于", "<=", "≤", "less than or equal to"}, func(s int) bool { return s <= 0 }},
	} {
		var numbers, days []string
		for _, l := range c.labels {
			numbers, days = append(numbers, "%s "+l+" 100"), append(days, "%s "+l+" 2026-11-26")
		}
		add(amount, numbers, func(r row) bool {
			return r.amount != "" && c.holds(decimal.RequireFromString(r.amount).Cmp(decimal.NewFromInt(100)))
		})
		add(day, days, func(r row) bool { return r.day != "" && c.holds(strings.Compare(r.day, "2026-11-26")) })
	}
	add(amount, []string{"%s 不等于 100", "%s != 100", "%s not equal to 100"}, func(r row) bool { return r.amount != "100" })
	add(day, []string{"%s 不等于 2026-11-26", "%s != '2026-11-26'"}, func(r row) bool { return r.day != "2026-11-26" })
	add(amount, null, func(r row) bool { return r.amount == "" })
	add(amount, filled, func(r row) bool { return r.amount != "" })
	add(day, null, func(r row) bool { return r.day == "" })
	add(day, filled, func(r row) bool { return r.day != "" })

	hidden := []string{"hidden", "隐蔽工程", "Concealed works"}
	add(hidden, []string{"%s 等于 是", "%s = true", "%s equals yes", "%s = 1"}, func(r row) bool { return r.hidden != nil && *r.hidden })
	add(hidden, []string{"%s 等于 否", "%s = false", "%s equals no", "%s = 0"}, func(r row) bool { return r.hidden != nil && !*r.hidden })

	part := []string{"part", "部位", "Location"}
	add(part, null, func(r row) bool { return r.part == "" })
	add(part, filled, func(r row) bool { return r.part != "" })
	add(part, []string{"%s 等于 闸室", "%s = '闸室'", `%s equals "闸室"`}, func(r row) bool { return r.part == "闸室" })
	add(part, []string{"%s 不等于 闸室", "%s != 闸室", "%s not equals 闸室"}, func(r row) bool { return r.part != "闸室" })
	add(part, []string{"%s 包含 底板", "%s contains 底板"}, func(r row) bool { return strings.Contains(r.part, "底板") })
	in := func(v string, of ...string) bool { return slices.Contains(of, v) }
	add(part, []string{"%s 属于 闸室、闸室底板", "%s in 闸室,闸室底板", "%s 在 闸室；闸室底板"}, func(r row) bool { return in(r.part, "闸室", "闸室底板") })
	add(part, []string{"%s 不属于 闸室、闸室底板", "%s not in 闸室,闸室底板", "%s 不在 闸室，闸室底板"}, func(r row) bool { return !in(r.part, "闸室", "闸室底板") })
	result := []string{"result", "结论", "Result"}
	add(result, []string{"%s 等于 不合格", "%s = BAD", "%s equals Failed"}, func(r row) bool { return r.result == "BAD" })
	add(result, []string{"%s 属于 合格、不合格", "%s in OK,BAD"}, func(r row) bool { return r.result != "" })

	status := []string{"sequenceStatus", "F0000020"}
	add(status, null, func(r row) bool { return r.status == "" })
	add(status, filled, func(r row) bool { return r.status != "" })
	for code, words := range map[string][]string{"DRAFT": {"草稿", "draft", "DRAFT"}, "PROCESSING": {"进行中", "in progress", "running"}, "COMPLETED": {"已完成", "completed", "finished"}, "CANCELED": {"已作废", "voided", "canceled"}} {
		var is, isnt []string
		for _, w := range words {
			is, isnt = append(is, "%s 等于 "+w, "%s = "+w), append(isnt, "%s 不等于 "+w, "%s != "+w)
		}
		add(status, is, func(r row) bool { return r.status == code })
		add(status, isnt, func(r row) bool { return r.status != code })
	}

	single := func(names []string, of func(r row) string, id, name, second string) {
		add(names, null, func(r row) bool { return of(r) == "" })
		add(names, filled, func(r row) bool { return of(r) != "" })
		add(names, []string{"%s 包含 " + name, "%s contains " + id, "%s have " + name, "%s 含有 " + id}, func(r row) bool { return of(r) == id })
		add(names, []string{"%s 不包含 " + name, "%s not contains " + id, "%s not have " + name}, func(r row) bool { return of(r) != id })
		add(names, []string{"%s 属于 " + name + "、" + second, "%s in " + id + "," + second, "%s of " + name + ";" + second}, func(r row) bool { return of(r) != "" })
		add(names, []string{"%s 不属于 " + name, "%s not in " + id, "%s not of " + name}, func(r row) bool { return of(r) != id })
	}
	single([]string{"inspector", "检查人", "Inspector"}, func(r row) string { return r.inspector }, ann, "安娜", "鲍勃")
	single([]string{"unit", "施工单位", "Construction unit"}, func(r row) string { return r.unit }, one, "一工区", other)
	several := func(names []string, of func(r row) []string, a, b string) {
		has := func(r row, id string) bool { return slices.Contains(of(r), id) }
		add(names, null, func(r row) bool { return len(of(r)) == 0 })
		add(names, filled, func(r row) bool { return len(of(r)) > 0 })
		add(names, []string{"%s 包含 " + a, "%s contains " + a, "%s have " + a}, func(r row) bool { return has(r, a) })
		add(names, []string{"%s 包含 " + a + "、" + b, "%s have " + a + "," + b}, func(r row) bool { return has(r, a) && has(r, b) })
		add(names, []string{"%s 不包含 " + a, "%s not contains " + a, "%s not have " + a}, func(r row) bool { return !has(r, a) })
		add(names, []string{"%s 属于 " + a + "、" + b, "%s in " + a + "," + b, "%s of " + a + "," + b}, func(r row) bool { return has(r, a) || has(r, b) })
		add(names, []string{"%s 不属于 " + a, "%s not in " + a, "%s not of " + a}, func(r row) bool { return !has(r, a) })
	}
	several([]string{"team", "参加人", "Participants"}, func(r row) []string { return r.team }, ann, bob)
	several([]string{"parties", "参加单位", "Participating units"}, func(r row) []string { return r.parties }, one, other)
	return out
}

// TestOldFormulas: each operator of each type, under each of its names, holds for the records for which plain Go says so; and joined ones by && and ||.
func TestOldFormulas(t *testing.T) {
	var texts []string
	var holds []func(r row) bool
	r := rand.New(rand.NewPCG(16, 5))
	all := cases()
	for _, c := range all {
		for _, text := range c.texts {
			for _, name := range c.names {
				texts, holds = append(texts, fmt.Sprintf(text, name)), append(holds, c.holds)
			}
		}
	}
	alone := len(texts)
	for i := range 300 {
		a, b, d := r.IntN(alone), r.IntN(alone), r.IntN(alone)
		x, y, z := holds[a], holds[b], holds[d]
		if i%2 == 0 {
			texts, holds = append(texts, texts[a]+" && "+texts[b]+"&&"+texts[d]), append(holds, func(r row) bool { return x(r) && y(r) && z(r) })
		} else {
			texts, holds = append(texts, texts[a]+" || "+texts[b]+"||"+texts[d]), append(holds, func(r row) bool { return x(r) || y(r) || z(r) })
		}
	}
	never := []string{} // two that exclude each other are an error of their own
	compiled, found := formulas(t, texts...)
	for _, d := range found {
		require.Equal(t, "KIND005", d.Code, d.En)
		never = append(never, d.Pointer)
	}
	if len(never) > 0 {
		keep := func(i int) bool {
			return !slices.Contains(never, fmt.Sprintf("/pages/0/elements/%d/displayFormula", i))
		}
		var kept []string
		var keptHolds []func(r row) bool
		for i := range texts {
			if keep(i) {
				kept, keptHolds = append(kept, texts[i]), append(keptHolds, holds[i])
			}
		}
		require.Greater(t, len(kept), len(texts)-40)
		texts, holds = kept, keptHolds
		compiled, found = formulas(t, texts...)
		require.Empty(t, found)
	}
	require.Len(t, compiled, len(texts))
	for range 60 {
		record := random(r)
		for i, text := range texts {
			got, err := expression.Holds(compiled[i], record.scope())
			require.NoError(t, err, text)
			require.Equal(t, holds[i](record), got, "%s of %+v", text, record)
		}
	}
}

// TestNewFormulas: what is an expression stays one, also where it looks like the old form.
func TestNewFormulas(t *testing.T) {
	texts := []string{"amount > 100", "part == '闸室' && amount >= 100", "not empty(part) || hidden", "result in ['OK', 'BAD']", "part contains '底板'", "amount > 50 and (hidden or result == 'OK')", "inspector.name == '安娜'"}
	compiled, found := formulas(t, texts...)
	require.Empty(t, found)
	yes := true
	record := row{amount: "100.01", part: "闸室", result: "OK", hidden: &yes, inspector: ann}
	for i, want := range []bool{true, true, true, true, false, true, true} {
		got, err := expression.Holds(compiled[i], record.scope())
		require.NoError(t, err)
		require.Equal(t, want, got, texts[i])
	}
}

// TestExpressionsBesideShortForms: the value of a condition of other systems is one word or date. What goes on as an expression is one, whichever
// word or sign goes on.
func TestExpressionsBesideShortForms(t *testing.T) {
	texts := []string{
		"amount > 0 or hidden", "amount > 200 or amount > 5", "amount > 0 and not hidden", "amount > 5 + 3", "amount > amount - 1", "amount > 2*3",
		`result == "BAD" or result == "OK"`, "result == 'BAD' or amount > 1 && part == '闸室'", "amount > -amount", "amount > 0 or hidden == true",
	}
	compiled, found := formulas(t, texts...)
	for _, d := range found {
		require.Fail(t, d.En, d.Pointer)
	}
	no := false
	record := row{amount: "100.01", part: "闸室", result: "OK", hidden: &no}
	for i, text := range texts {
		got, err := expression.Holds(compiled[i], record.scope())
		require.NoError(t, err, text)
		require.True(t, got, text)
	}
	// What no expression names stays a value, also one with a sign in it.
	record.part = "K0+100"
	compiled, found = formulas(t, "part == K0+100", "part == K0+200", "checkDate == 2026-11-26")
	require.Empty(t, found)
	for i, want := range []bool{true, false, false} {
		got, err := expression.Holds(compiled[i], record.scope())
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, found = formulas(t, "amount > 0 or nothing > 0")
	require.Len(t, found, 1)
	require.NotEqual(t, "PRINT015", found[0].Code, "the name that is wrong is told, not the value that nobody wrote")
}

// TestUnreadableFormulas: what cannot be read is told with the place in the text.
func TestUnreadableFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"金额 大于 100 && 部位 等于 闸室 || 隐蔽工程 等于 是": "23 PRINT016",
		"金额 大于 很多":             "7 PRINT015",
		"金额 包含 1":              "4 PRINT014",
		"隐蔽工程 大于 是":            "6 PRINT014",
		"部位 等于 闸室 && 某某 等于 1":  "13 PRINT013",
		"部位 等于 闸室 && 金额 约 1":   "13 PRINT013",
		"检查日期 等于 昨天":           "9 PRINT015",
		"结论 等于 一般":             "7 PRINT015",
		"参加人 包含 安娜":            "8 PRINT015",
		"照片 等于 1":              "4 PRINT014",
		"F0000020 等于 不知道":      "13 PRINT015",
		"施工单位 包含 一工区 && 金额 大于": "16 PRINT013",
		"amout = 1":            "7 EXPR017",
	} {
		_, found := formulas(t, text)
		require.NotEmpty(t, found, text)
		line := 0
		for _, d := range found {
			if d.Pointer == "/pages/0/elements/0/displayFormula" {
				_, none := formulas(t, "x")
				start := none[0].Col // of the first character of the text
				require.Equal(t, want, fmt.Sprintf("%d %s", d.Col-start+1, d.Code), "%s: %s", text, d.En)
				line++
			}
		}
		require.Equal(t, 1, line, text)
	}
	_, found := formulas(t, "金额 包含 1", "金额 大于 很多")
	require.Equal(t, `property "amount" (Number) has no operator "包含"`, found[0].En)
	require.Equal(t, "available: null, not null, =, !=, >, >=, <, <=", found[0].Repair.En)
	require.Equal(t, `“很多”不是数据项 "amount"（Number）的值`, found[1].Zh)
	require.Equal(t, "写数字，如 12.5", found[1].Repair.Zh)
}
