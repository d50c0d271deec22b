package expression_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// swapped is a record whose options OK and BAD have changed places since the texts were written.
type swapped struct{ expression.Record }

func now(code string) string {
	return map[string]string{"OK": "BAD", "BAD": "OK"}[code] + map[string]string{"NO": "NO"}[code]
}

func (s swapped) Property(code string) (expression.Property, bool) {
	p, ok := s.Record.Property(code)
	if p.Choices != nil {
		p.Options = options(p.Code)
	}
	return p, ok
}

func options(of string) expression.Options {
	return expression.Options{Choices: []string{"OK", "BAD", "NO"}, Of: of, Now: now}
}

// TestOptionsOfThen: a literal that means an option is the code of now, once, wherever it is written, and its place is told.
func TestOptionsOfThen(t *testing.T) {
	c := readCorpus(t)
	for text, want := range map[string]struct {
		literals string
		places   string
		kind     plan.Kind
	}{
		"result == 'OK'":                            {`["BAD"]`, "[result.OK]", plan.Bool},
		"'BAD' != result":                           {`["OK"]`, "[result.BAD]", plan.Bool},
		"result in ['OK', 'NO']":                    {`["BAD","NO"]`, "[result.OK result.NO]", plan.Bool},
		"result == (qty > 1 ? 'OK' : 'BAD')":        {`["BAD","OK"]`, "[result.OK result.BAD]", plan.Bool},
		"(result ?? 'OK') == 'BAD'":                 {`["BAD","OK"]`, "[result.OK result.BAD]", plan.Bool},
		"(qty > 1 ? result : 'OK') == 'BAD'":        {`["BAD","OK"]`, "[result.OK result.BAD]", plan.Bool},
		"methods == ['BAD', 'OK']":                  {`["OK","BAD"]`, "[methods.BAD methods.OK]", plan.Bool},
		"has(['OK'], result)":                       {`["BAD"]`, "[result.OK]", plan.Bool},
		"has(methods, 'OK')":                        {`["BAD"]`, "[methods.OK]", plan.Bool},
		"methods contains 'NO'":                     {`["NO"]`, "[methods.NO]", plan.Bool},
		"qty > 1 ? 'OK' : (qty > 2 ? 'NO' : 'BAD')": {`["BAD","NO","OK"]`, "[wanted.OK wanted.NO wanted.BAD]", plan.Text},
		"'OK'":           {`["BAD"]`, "[wanted.OK]", plan.Text},
		"result":         {`[]`, "[]", plan.Text},
		"result ?? 'OK'": {`["BAD"]`, "[result.OK]", plan.Text},
		"part == 'OK'":   {`["OK"]`, "[]", plan.Bool},
		"part startsWith 'OK' and upper(part) == 'NO'": {`["OK","NO"]`, "[]", plan.Bool},
	} {
		env := c.env()
		env.Record = swapped{env.Record}
		if want.kind == plan.Text {
			env.Options = options("wanted")
		}
		places := []string{}
		env.Found = func(n expression.Name) {
			if n.Option != "" {
				written := text[n.Offset : n.Offset+n.Length]
				places = append(places, fmt.Sprintf("%s.%s", n.Options, written))
				require.Equal(t, strings.NewReplacer("OK", "BAD", "BAD", "OK").Replace(written), n.Option, "what it means now")
			}
		}
		e, problems := expression.Compile(text, env, want.kind)
		require.Empty(t, problems, text)
		literals := []string{}
		plan.Walk(e, func(x plan.Expr) {
			if k, ok := x.(*plan.Const); ok {
				switch v := k.Value.(type) {
				case string:
					literals = append(literals, v)
				case []string:
					literals = append(literals, v...)
				}
			}
		})
		b, err := json.Marshal(literals)
		require.NoError(t, err)
		require.Equal(t, want.literals, string(b), text)
		require.Equal(t, want.places, fmt.Sprint(places), text)
	}
}

// worded is a record whose text part was a choice when the expression was written.
type worded struct{ expression.Record }

func (s worded) Property(code string) (expression.Property, bool) {
	p, ok := s.Record.Property(code)
	if code == "part" {
		p.Options = expression.Options{Now: now}
	}
	return p, ok
}

// TestOptionsThatAreTextsNow: an earlier text compares with an option of then, and the property has its word now; what was no option stays.
func TestOptionsThatAreTextsNow(t *testing.T) {
	c := readCorpus(t)
	for text, want := range map[string]string{
		"part == 'OK'":                    `BAD`,
		"'OK' != part":                    `BAD`,
		"part in ['OK', 'NO']":            `BAD NO`,
		"part == (qty > 1 ? 'OK' : 'NO')": `BAD NO`,
	} {
		env := c.env()
		env.Record = worded{env.Record}
		e, problems := expression.Compile(text, env, plan.Bool)
		require.Empty(t, problems, text)
		var literals []string
		plan.Walk(e, func(x plan.Expr) {
			if k, ok := x.(*plan.Const); ok {
				switch v := k.Value.(type) {
				case string:
					literals = append(literals, v)
				case []string:
					literals = append(literals, v...)
				}
			}
		})
		require.Equal(t, want, strings.Join(literals, " "), text)
	}
}
