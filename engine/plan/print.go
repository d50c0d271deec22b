package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Format writes an expression for people: close to what authors write, with what the engine added. It is for `explain`
// and for tests; nothing reads it back.
func Format(e Expr) string {
	switch x := e.(type) {
	case nil:
		return "nothing"
	case *Const:
		return formatConst(x.Value)
	case *Field:
		return formatField(x)
	case *Var:
		return x.Name
	case *And:
		return formatList(x.Of, " and ", "true")
	case *Or:
		return formatList(x.Of, " or ", "false")
	case *Not:
		return "not " + Format(x.X)
	case *Compare:
		return Format(x.A) + " " + string(x.Op) + " " + Format(x.B)
	case *IsNull:
		return "empty(" + Format(x.X) + ")"
	case *Match:
		word := "contains"
		if x.Prefix {
			word = "startsWith"
		}
		return Format(x.X) + " " + word + " " + Format(x.Pattern)
	case *InSet:
		return string(x.Op) + "(" + Format(x.F) + ", " + Format(x.G) + ")"
	case *Belongs:
		return "of(" + Format(x.X) + ", " + Format(x.Departments) + ")"
	case *LinkText:
		if x.Whole {
			return x.Table + "." + x.Column + " of " + Format(x.X) + " are " + Format(x.Pattern)
		}
		return x.Table + "." + x.Column + " of " + Format(x.X) + " contains " + Format(x.Pattern)
	case *AnyRow:
		return "any(" + x.Sheet + ", " + Format(x.Where) + ")"
	case *Guarded:
		return "(" + Format(x.X) + " where " + Format(x.Cond) + ")"
	case *Rule:
		return Format(x.X)
	case *Visible:
		return "visible(" + Format(x.F) + ", " + x.Model + " where " + Format(x.Where) + ")"
	case *Rank:
		return "rank(" + Format(x.X) + ")"
	case *Arith:
		return "(" + Format(x.A) + " " + string(x.Op) + " " + Format(x.B) + ")"
	case *If:
		return Format(x.Cond) + " ? " + Format(x.Then) + " : " + Format(x.Else)
	case *Aggregate:
		rows := formatRows(x)
		if x.Where != nil && !IsTrue(x.Where) {
			rows = "filter(" + rows + ", " + Format(x.Where) + ")"
		}
		if x.X == nil {
			return string(x.Fn) + "(" + rows + ")"
		}
		return string(x.Fn) + "(" + rows + ", " + Format(x.X) + ")"
	case *Call:
		args := make([]string, len(x.Args))
		for i, a := range x.Args {
			args[i] = Format(a)
		}
		return x.Fn + "(" + strings.Join(args, ", ") + ")"
	}
	return fmt.Sprintf("%T", e)
}

func formatRows(a *Aggregate) string {
	switch {
	case a.Of == nil:
		return a.Sheet
	case a.Of.Own != "":
		return a.Of.Own
	}
	return fmt.Sprintf("related(%q, %q)", a.Of.Model, a.Of.Property)
}

func formatField(f *Field) string {
	name := strings.Join(append(append([]string(nil), f.Path...), f.Column), ".")
	switch {
	case f.Old:
		return "old." + name
	case f.Outer:
		return "record." + name
	}
	return name
}

func formatList(of []Expr, word, none string) string {
	if len(of) == 0 {
		return none
	}
	parts := make([]string, len(of))
	for i, e := range of {
		parts[i] = Format(e)
	}
	return "(" + strings.Join(parts, word) + ")"
}

func formatConst(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case string:
		return strconv.Quote(x)
	case []string:
		parts := make([]string, len(x))
		for i, s := range x {
			parts[i] = strconv.Quote(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case time.Time:
		return x.Format(time.RFC3339)
	}
	return fmt.Sprint(v)
}
