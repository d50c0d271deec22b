package expression_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// corpus is testdata/corpus.json: cases for every evaluator. Each case carries, beside its text, the browser form that this
// package compiles it to, which ui/src/lib/expression.test.ts runs.
type corpus struct {
	Zone    string                                `json:"zone"`
	Models  map[string]map[string]json.RawMessage `json:"models"`
	Vars    map[string]any                        `json:"vars"`
	Records map[string]map[string]any             `json:"records"`
	Cases   []corpusCase                          `json:"cases"`
}

type corpusCase struct {
	Expression string          `json:"expression"`
	Record     string          `json:"record"`
	Expected   any             `json:"expected"` // {"error": true}: evaluation refuses
	Form       json.RawMessage `json:"form"`
}

const corpusFile = "testdata/corpus.json"

func readCorpus(t testing.TB) *corpus {
	t.Helper()
	data, err := os.ReadFile(corpusFile)
	if err != nil {
		t.Fatal(err)
	}
	c := &corpus{}
	if err := json.Unmarshal(data, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// model is a Record of the corpus.
type model struct {
	c    *corpus
	name string
}

var kindByName = func() map[string]plan.Kind {
	out := map[string]plan.Kind{}
	for k := plan.None; k <= plan.Rows; k++ {
		out[k.String()] = k
	}
	return out
}()

func (m model) Codes() []string {
	var out []string
	for code := range m.c.Models[m.name] {
		out = append(out, code)
	}
	slices.Sort(out)
	return out
}

func (m model) Property(code string) (expression.Property, bool) {
	for own, raw := range m.c.Models[m.name] {
		if !strings.EqualFold(own, code) {
			continue
		}
		p := expression.Property{Code: own, Column: own}
		var long struct {
			Kind, Target, Sheet string
			Codes               []string
		}
		var short string
		if json.Unmarshal(raw, &short) == nil {
			p.Kind = kindByName[short]
			return p, true
		}
		if err := json.Unmarshal(raw, &long); err != nil {
			panic(err)
		}
		p.Kind, p.Choices = kindByName[long.Kind], long.Codes
		if long.Target != "" {
			p.Target = model{m.c, long.Target}
		}
		if long.Sheet != "" {
			p.Kind, p.Sheet = plan.Rows, model{m.c, long.Sheet}
		}
		return p, true
	}
	return expression.Property{}, false
}

func (c *corpus) env() expression.Env {
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		panic(err)
	}
	return expression.Env{Record: model{c, "record"}, Zone: zone}
}

// value reads a JSON value as a kind.
func value(k plan.Kind, v any) any {
	switch x := v.(type) {
	case string:
		switch k {
		case plan.Number:
			return decimal.RequireFromString(x)
		case plan.Instant:
			t, err := time.Parse(time.RFC3339, x)
			if err != nil {
				panic(err)
			}
			return t.UTC()
		}
		return x
	case float64:
		return int64(x)
	case []any:
		var out []string
		for _, s := range x {
			out = append(out, fmt.Sprint(s))
		}
		return out
	}
	return v
}

func (c *corpus) row(name string, in map[string]any) map[string]any {
	out := map[string]any{}
	for code, v := range in {
		if p, ok := (model{c, name}).Property(code); ok && p.Kind != plan.Rows {
			out[code] = value(p.Kind, v)
		}
	}
	return out
}

func (c *corpus) scope(record string) expression.Values {
	in := c.Records[record]
	s := expression.Values{Columns: c.row("record", in), Vars: map[string]any{}, Sheets: map[string][]map[string]any{}}
	rows, _ := in["items"].([]any)
	for _, r := range rows {
		s.Sheets["items"] = append(s.Sheets["items"], c.row("item", r.(map[string]any)))
	}
	for name, v := range c.Vars {
		k := plan.Text
		if name == "now" {
			k = plan.Instant
		}
		s.Vars[name] = value(k, v)
	}
	s.Related = func(path []string, column string, _ bool) any {
		p, _ := (model{c, path[len(path)-1]}).Property(column)
		return value(p.Kind, in[strings.Join(path, ".")+"."+column])
	}
	return s
}

// plainValue is a result as the corpus writes it.
func plainValue(v any) any {
	switch x := v.(type) {
	case decimal.Decimal:
		return x.String()
	case time.Time:
		return expression.Text(x)
	case []string:
		out := []any{}
		for _, s := range x {
			out = append(out, s)
		}
		return out
	}
	return v
}

func TestCorpus(t *testing.T) {
	c := readCorpus(t)
	for i, k := range c.Cases {
		t.Run(k.Record+" "+k.Expression, func(t *testing.T) {
			e, problems := expression.Compile(k.Expression, c.env(), plan.None)
			if len(problems) > 0 {
				t.Fatalf("problems %+v", problems)
			}
			c.Cases[i].Form = expression.JSON(e)
			scope := c.scope(k.Record)
			got, err := expression.Eval(e, scope)
			if _, refused := k.Expected.(map[string]any); refused {
				if err == nil {
					t.Fatalf("got %v, want an error", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(k.Expected, plainValue(got)); d != "" {
				t.Error(d)
			}
			// Binding first, as it is done for SQL, must not change the answer.
			bound, err := expression.Eval(expression.Bind(e, scope.Vars), scope)
			if err != nil || plainValue(bound) != nil && !cmp.Equal(plainValue(bound), plainValue(got)) {
				t.Errorf("bound: %v %v", bound, err)
			}
		})
	}
	if *update {
		writeCorpus(t, c)
		return
	}
	for _, k := range readCorpus(t).Cases {
		if e, _ := expression.Compile(k.Expression, c.env(), plan.None); string(k.Form) != compact(expression.JSON(e)) {
			t.Errorf("%s: the browser form in %s is stale; run go test -update", k.Expression, corpusFile)
		}
	}
}
