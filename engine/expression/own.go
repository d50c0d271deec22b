package expression

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/sluice-platform/sluice/engine/plan"
)

var ownName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]{1,62}$`)

// CheckOwn tells what is wrong with a function that a pack registers.
func CheckOwn(f plan.Function) error {
	switch _, taken := functionByName[f.Code]; {
	case !ownName.MatchString(f.Code):
		return fmt.Errorf("function %q: the name begins with a small letter and has letters and digits only", f.Code)
	case taken:
		return fmt.Errorf("function %s belongs to the language", f.Code)
	case f.Eval == nil || f.Result == plan.None || f.Result == plan.Rows:
		return fmt.Errorf("function %s needs Eval and a kind of value as Result", f.Code)
	case f.Zh == "" || f.En == "":
		return fmt.Errorf("function %s needs a description in Chinese and English", f.Code)
	}
	return nil
}

// own finds a function of a pack.
func (e Env) own(word string) (*Function, bool) {
	if e.Function == nil {
		return nil, false
	}
	f, ok := e.Function(word)
	if !ok {
		return nil, false
	}
	kinds := make([]string, len(f.Args))
	for i, k := range f.Args {
		kinds[i] = k.String()
	}
	return &Function{Name: f.Code, Signature: f.Code + "(" + strings.Join(kinds, ", ") + ")", Min: len(f.Args), Max: len(f.Args), MemoryOnly: true, Zh: f.Zh, En: f.En, build: buildOwn(f)}, true
}

func (e Env) owned() []string {
	if e.Functions == nil {
		return nil
	}
	return e.Functions()
}

func buildOwn(own plan.Function) func(*checker, ast.Node, *Function, []operand) operand {
	return func(c *checker, n ast.Node, f *Function, args []operand) operand {
		out := make([]plan.Expr, len(args))
		for i, a := range args {
			if a = c.need(a, f.Name, own.Args[i]); a.bad {
				return a
			}
			out[i] = a.e
		}
		e := &plan.Call{Fn: own.Code, Args: out, K: own.Result, Own: &own}
		if c.env.SQL && !closed(e) {
			return c.problem(n, "EXPR010", own.Code)
		}
		return operand{e: fold(e), node: n}
	}
}
