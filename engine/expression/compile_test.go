package expression_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// TestProblems shows every code with the words that an author reads.
func TestProblems(t *testing.T) {
	c := readCorpus(t)
	sql := c.env()
	sql.SQL = true
	row := c.env()
	row.Row = model{c, "item"}
	form := c.env()
	form.Form = model{c, "record"}
	for _, k := range []struct {
		text string
		env  expression.Env
		want plan.Kind
		out  []string
	}{
		{"qty < ", c.env(), plan.None, []string{"6 EXPR001 syntax error at end"}},
		{"qty = 1", c.env(), plan.None, []string{`4 EXPR017 "=" is not a comparison operator`}},
		{"'部位' = part and qty > 1", c.env(), plan.None, []string{`9 EXPR017 "=" is not a comparison operator`}},
		{"qty ) 1", c.env(), plan.None, []string{`4 EXPR001 syntax error at ")"`}},
		{"'部位' == ", c.env(), plan.None, []string{"12 EXPR001 syntax error at end"}},
		{strings.Repeat(" ", 4097), c.env(), plan.None, []string{"0 EXPR002 the expression is longer than 4 KB"}},
		{strings.Repeat("!", 60) + "hidden", c.env(), plan.None, []string{"0 EXPR003 the expression is too complex: at most 500 nodes and 50 levels are allowed"}},
		{"qty" + strings.Repeat("+1", 300), c.env(), plan.None, []string{"0 EXPR003 the expression is too complex: at most 500 nodes and 50 levels are allowed"}},
		{"'字' == qtty and prise > 1", c.env(), plan.None, []string{`9 EXPR004 unknown name "qtty" (did you mean "qty"?)`, `18 EXPR004 unknown name "prise" (did you mean "price"?)`}},
		{"contract.titel == 'x'", c.env(), plan.None, []string{`9 EXPR004 unknown name "titel" (did you mean "title"?)`}},
		{"user.role == 'x'", c.env(), plan.None, []string{`5 EXPR004 unknown name "role" (did you mean "roles"?)`}},
		{"checkDate > today", c.env(), plan.None, []string{`12 EXPR022 unknown name "today"`}},
		{"user == 'x'", c.env(), plan.None, []string{`0 EXPR022 unknown name "user"`}},
		{"result == BAD", c.env(), plan.None, []string{`10 EXPR022 unknown name "BAD"`}},
		{"sum(items, value) > 1", c.env(), plan.None, []string{`11 EXPR022 unknown name "value"`}},
		{"qty > 0 and qty == qty", c.env(), plan.None, []string{`12 EXPR024 both sides of == are identical`}},
		{"qty > 0 and price / 0.0 > 1", c.env(), plan.None, []string{"20 EXPR026 division by 0"}},
		{"part == ‘x’", c.env(), plan.None, []string{"8 EXPR023 ‘ is not a quotation mark of expressions"}},
		{"emty(qty)", c.env(), plan.None, []string{`0 EXPR005 unknown function "emty" (did you mean "empty"?)`}},
		{"averge(items, .value)", c.env(), plan.None, []string{`0 EXPR005 unknown function "averge" (did you mean "average"?)`}},
		{"between(qty, 1)", c.env(), plan.None, []string{"0 EXPR006 wrong number of arguments: expected between(x, a, b), got 2"}},
		{"qty and hidden", c.env(), plan.None, []string{"0 EXPR007 and or not expects a condition, but got a number"}},
		{"part contains 3", c.env(), plan.None, []string{"14 EXPR007 contains expects a text, but got a number"}},
		{"qty == part", c.env(), plan.None, []string{"4 EXPR008 operator == can't be used between a number and a text"}},
		{"methods < 'a'", c.env(), plan.None, []string{"8 EXPR008 operator < can't be used between a set and a text"}},
		{"qty * 2", c.env(), plan.Bool, []string{"4 EXPR009 expected a condition, but the expression returns a number"}},
		{"qty == '5'", c.env(), plan.None, []string{"7 EXPR009 expected a number, but the expression returns a text"}},
		{"round(qty, 2) > 1 and hidden ? true : false", sql, plan.Bool, []string{"0 EXPR010 round is evaluated in memory only and can't be used in a condition that runs as SQL"}},
		{"hidden ? true : false", sql, plan.Bool, []string{"0 EXPR010 ?: is evaluated in memory only and can't be used in a condition that runs as SQL"}},
		{"count(items) > 1", sql, plan.Bool, []string{"0 EXPR010 count is evaluated in memory only and can't be used in a condition that runs as SQL"}},
		{"old.qty > 1", sql, plan.Bool, []string{`0 EXPR016 "old." is not available here`}},
		{"part.x == 1", c.env(), plan.None, []string{`0 EXPR011 "part" is not a reference to one record, person or department, so it can't be followed by "."`}},
		{"checkDate > '2026-13-01'", c.env(), plan.None, []string{`12 EXPR012 "2026-13-01" is not a date`}},
		{"startTime == '25:00'", c.env(), plan.None, []string{`13 EXPR012 "25:00" is not a time of day`}},
		{"unit == 'Lin'", c.env(), plan.None, []string{`8 EXPR012 "Lin" is not a record reference`}},
		{"qty > 1e3", c.env(), plan.None, []string{`6 EXPR012 "1e3" is not a number`}},
		{"result == 'BUD'", c.env(), plan.None, []string{`10 EXPR013 "BUD" is not one of the options (did you mean "BAD"?)`}},
		{"result in ['OK', 'NO', 'BUD']", c.env(), plan.None, []string{`17 EXPR013 "NO" is not one of the options`, `23 EXPR013 "BUD" is not one of the options (did you mean "BAD"?)`}},
		{"result == (qty > 1 ? 'OK' : 'BUD')", c.env(), plan.None, []string{`15 EXPR013 "BUD" is not one of the options (did you mean "BAD"?)`}},
		{"methods contains 'zzz'", c.env(), plan.None, []string{`17 EXPR013 "zzz" is not one of the options`}},
		{"part matches '.*'", c.env(), plan.None, []string{"5 EXPR014 matches is not supported in expressions"}},
		{"items.value > 1", c.env(), plan.None, []string{`0 EXPR015 sub-table "items" can't be used this way`}},
		{"items", c.env(), plan.None, []string{`0 EXPR015 sub-table "items" can't be used this way`}},
		{"form.qty > 1", c.env(), plan.None, []string{`0 EXPR016 "form." is not available here`}},
		{"row.value > 1", c.env(), plan.None, []string{`0 EXPR016 "row." is not available here`}},
	} {
		t.Run(k.text[:min(len(k.text), 40)], func(t *testing.T) {
			e, problems := expression.Compile(k.text, k.env, k.want)
			var got []string
			for _, p := range problems {
				got = append(got, fmt.Sprint(p.Offset, " ", p.Code, " ", p.Diagnostic(diag.Position{}).En))
			}
			if e != nil || strings.Join(got, "\n") != strings.Join(k.out, "\n") {
				t.Errorf("got\n%s", strings.Join(got, "\n"))
			}
		})
	}
	for _, k := range []struct {
		text string
		env  expression.Env
		json string
	}{
		{"row.value * record.qty + VALUE", row, `"column":"qty","outer":true`},
		{"unit == form.unit", form, `{"op":"var","kind":"id","name":"form.unit"}`},
		{"checkDate >= addDays(today(), -7)", sql, `"fn":"addDays"`},
		{"pouredAt == today()", sql, `"fn":"dayStart"`},
		{"between(qty + 1, 1, 2) and qty * 2 in [2, 4]", sql, `"op":"or"`},
		{"empty(items) or any(items, .value > qty)", sql, `"op":"any"`},
	} {
		e, problems := expression.Compile(k.text, k.env, plan.None)
		if e == nil || !strings.Contains(string(expression.JSON(e)), k.json) {
			t.Errorf("%s: %v %s", k.text, problems, expression.JSON(e))
		}
	}
}

func TestWanted(t *testing.T) {
	c := readCorpus(t)
	for _, k := range []struct {
		text string
		want plan.Kind
		json string
	}{
		{"'2026-11-21'", plan.Date, `{"op":"const","kind":"date","value":"2026-11-21"}`},
		{"'2026-11-21'", plan.Instant, `{"op":"const","kind":"instant","value":"2026-11-20T16:00:00.000Z"}`},
		{"'a'", plan.Set, `{"op":"const","kind":"set","value":["a"]}`},
		{"nil", plan.Number, `{"op":"const","kind":"number"}`},
		{"user.id", plan.Set, `{"op":"call","kind":"set","fn":"set","args":[{"op":"var","kind":"id","name":"user.id"}]}`},
		{"now()", plan.Date, `{"op":"call","kind":"date","fn":"date","args":[{"op":"var","kind":"instant","name":"now"},{"op":"const","kind":"text","value":"Asia/Shanghai"}]}`},
		{"version", plan.Number, `{"op":"field","kind":"int","column":"version"}`},
	} {
		e, problems := expression.Compile(k.text, c.env(), k.want)
		if got := string(expression.JSON(e)); got != k.json {
			t.Errorf("%s as %s: %s %v", k.text, k.want, got, problems)
		}
	}
}

func TestBind(t *testing.T) {
	c := readCorpus(t)
	env := c.env()
	env.SQL = true
	vars := c.scope("full").Vars
	for text, want := range map[string]string{
		"pouredAt >= today()":                `{"op":"compare","cmp":">=","a":{"op":"field","kind":"instant","column":"pouredAt"},"b":{"op":"const","kind":"instant","value":"2026-11-20T16:00:00.000Z"}}`,
		"checkDate > addDays(today(), -7)":   `{"op":"compare","cmp":">","a":{"op":"field","kind":"date","column":"checkDate"},"b":{"op":"const","kind":"date","value":"2026-11-14"}}`,
		"has(user.roles, 'staff')":           `{"op":"const","kind":"bool","value":true}`,
		"hidden or has(user.roles, 'owner')": `{"op":"field","kind":"bool","column":"hidden"}`,
		"unit in user.nothing":               "",
	} {
		e, problems := expression.Compile(text, env, plan.Bool)
		if want == "" {
			if len(problems) == 0 {
				t.Errorf("%s compiles", text)
			}
			continue
		}
		got := strings.NewReplacer(`\u003e`, ">").Replace(string(expression.JSON(expression.Bind(e, vars))))
		if got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	e, _ := expression.Compile("unit in user.departments and not has(user.roles, 'x')", env, plan.Bool)
	if got := expression.Bind(e, nil); !plan.IsFalse(got) {
		t.Errorf("without values: %s", expression.JSON(got))
	}
}

func TestContradiction(t *testing.T) {
	c := readCorpus(t)
	for text, want := range map[string]bool{
		"qty == 1 and qty == 2": true, "qty > 5 and qty < 3": true, "qty > 5 and qty < 5.1": false, "qty >= 5 and qty < 5": true,
		"5 < qty and qty <= 5": true, "qty == 1 and qty != 1": true, "result == 'OK' and result in ['BAD']": true, "result == 'OK' or result == 'BAD'": false,
		"result in ['OK'] and result in ['BAD']": true, "result in []": true, "qty == nil and qty > 1": true, "qty == nil and qty != nil": true, "qty == nil": false,
		"1 > 2": true, "hidden": false, "false": true, "(qty == 1 and qty == 2) or (price > 1 and price < 0)": true, "any(items, .value > 2 and .value < 1)": true,
		"qty == 1 and price == 2": false, "qty + 1 == 1 and qty + 1 == 2": false, "not (qty == 1) and qty == 2": false, "checkDate > '2026-01-02' and checkDate < '2026-01-01'": true,
	} {
		e, problems := expression.Compile(text, c.env(), plan.Bool)
		if len(problems) > 0 || expression.Contradiction(e) != want {
			t.Errorf("%s: want %v %v", text, want, problems)
		}
	}
}

func FuzzCompile(f *testing.F) {
	c := readCorpus(f)
	for _, k := range c.Cases {
		f.Add(k.Expression)
	}
	f.Add("a < (b < (c ? 1 : 2) < 3 ? 1 : 2) < 3")
	env, scope := c.env(), c.scope("full")
	f.Fuzz(func(t *testing.T, text string) {
		e, problems := expression.Compile(text, env, plan.None)
		if (e == nil) == (len(problems) == 0) {
			t.Fatalf("%q: %v %v", text, e, problems)
		}
		for _, p := range problems {
			if p.Offset < 0 || p.Offset > len(text) {
				t.Fatalf("%q: offset %d", text, p.Offset)
			}
		}
		if e != nil {
			expression.JSON(e)
			expression.Contradiction(expression.Bind(e, scope.Vars))
			_, _ = expression.Eval(e, scope)
		}
	})
}
