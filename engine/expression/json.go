package expression

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// JSON is the browser form of an expression (doc.go). It is stable: the browser keeps it in its cache.
func JSON(e plan.Expr) json.RawMessage {
	if e == nil {
		return json.RawMessage("null")
	}
	out, err := json.Marshal(form(e))
	if err != nil {
		return json.RawMessage(`{"op":"server"}`)
	}
	return out
}

// node is one object of the browser form. Keys stand in this order.
type node struct {
	Op      string   `json:"op"`
	Kind    string   `json:"kind,omitempty"`
	Path    []string `json:"path,omitempty"`
	Column  string   `json:"column,omitempty"`
	Old     bool     `json:"old,omitempty"`
	Outer   bool     `json:"outer,omitempty"`
	Name    string   `json:"name,omitempty"`
	Cmp     string   `json:"cmp,omitempty"`
	Set     string   `json:"set,omitempty"`
	Sign    string   `json:"sign,omitempty"`
	Fn      string   `json:"fn,omitempty"`
	Sheet   string   `json:"sheet,omitempty"`
	Prefix  bool     `json:"prefix,omitempty"`
	Codes   []string `json:"codes,omitempty"`
	Of      []node   `json:"of,omitempty"`
	Args    []node   `json:"args,omitempty"`
	A       *node    `json:"a,omitempty"`
	B       *node    `json:"b,omitempty"`
	X       *node    `json:"x,omitempty"`
	F       *node    `json:"f,omitempty"`
	G       *node    `json:"g,omitempty"`
	Pattern *node    `json:"pattern,omitempty"`
	Where   *node    `json:"where,omitempty"`
	Cond    *node    `json:"cond,omitempty"`
	Then    *node    `json:"then,omitempty"`
	Else    *node    `json:"else,omitempty"`
	Value   any      `json:"value,omitempty"` // missing = empty
}

func part(e plan.Expr) *node {
	if e == nil {
		return nil
	}
	n := form(e)
	return &n
}

func parts(of []plan.Expr) []node {
	out := make([]node, len(of))
	for i, e := range of {
		out[i] = form(e)
	}
	return out
}

func form(e plan.Expr) node {
	switch x := e.(type) {
	case *plan.Const:
		return node{Op: "const", Kind: x.K.String(), Value: wire(x.Value)}
	case *plan.Field:
		return node{Op: "field", Kind: x.K.String(), Path: x.Path, Column: x.Column, Old: x.Old, Outer: x.Outer}
	case *plan.Var:
		return node{Op: "var", Kind: x.K.String(), Name: x.Name}
	case *plan.And:
		return node{Op: "and", Of: parts(x.Of)}
	case *plan.Or:
		return node{Op: "or", Of: parts(x.Of)}
	case *plan.Not:
		return node{Op: "not", X: part(x.X)}
	case *plan.Compare:
		return node{Op: "compare", Cmp: string(x.Op), A: part(x.A), B: part(x.B)}
	case *plan.IsNull:
		return node{Op: "null", X: part(x.X)}
	case *plan.Match:
		return node{Op: "match", X: part(x.X), Pattern: part(x.Pattern), Prefix: x.Prefix}
	case *plan.InSet:
		return node{Op: "set", Set: string(x.Op), F: part(x.F), G: part(x.G)}
	case *plan.AnyRow:
		return node{Op: "any", Sheet: x.Sheet, Where: part(x.Where)}
	case *plan.Guarded:
		return node{Op: "guarded", Cond: part(x.Cond), X: part(x.X)}
	case *plan.Rank:
		return node{Op: "rank", X: part(x.X), Codes: x.Codes}
	case *plan.Arith:
		return node{Op: "arith", Sign: string(x.Op), A: part(x.A), B: part(x.B)}
	case *plan.If:
		return node{Op: "if", Cond: part(x.Cond), Then: part(x.Then), Else: part(x.Else)}
	case *plan.Aggregate:
		if x.Of != nil {
			break // the browser knows the form's values only
		}
		return node{Op: "aggregate", Kind: x.Kind().String(), Fn: string(x.Fn), Sheet: x.Sheet, X: part(x.X), Where: part(x.Where)}
	case *plan.Call:
		if x.Own != nil {
			break // the browser does not have it
		}
		return node{Op: "call", Kind: x.K.String(), Fn: x.Fn, Args: parts(x.Args)}
	}
	return node{Op: "server"}
}

func wire(v any) any {
	switch x := v.(type) {
	case decimal.Decimal:
		return x.String()
	case time.Time:
		return x.UTC().Format(instantFormat)
	}
	return v
}
