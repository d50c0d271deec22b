// Package expression compiles the expressions of documents to plan.Expr and evaluates plan.Expr in memory. It is in
// compile.Plan and is used again by runtime/record; it knows kinds of values, never property types.
//
// expr-lang is lexer and parser only. Names, kinds, literals and functions are checked here, so that an expression means
// the same in memory (Eval), as SQL (runtime/store) and in the browser (JSON, ui/src/lib/expression.ts). One corpus
// (testdata/corpus.json) is fed to Eval and to the browser's evaluator. docs/functions.md lists the functions.
//
// # Meaning
//
// Truth is two-valued (engine/plan/expr.go). Empty operands: comparisons are false, arithmetic and functions of one value
// are empty, concat passes over them, min and max too. "" and empty sets are the empty value. Numbers are exact: at most 24
// integer digits, beyond that an error; products keep 16 fraction digits, quotients 8, half away from zero. Texts compare by
// code point; contains compares Fold of both sides. A day, an hour or a start of day is one of the installation's zone,
// whose name is in the call itself.
//
// # The browser form
//
// JSON gives one object a node. "op" names the node; the other keys are its parts:
//
//	const {kind,value}  field {column,kind,path?,old?,outer?}  var {name,kind}
//	and {of}  or {of}  not {x}  compare {cmp,a,b}  null {x}  match {x,pattern,prefix?}  set {set,f,g}
//	any {sheet,where}  guarded {cond,x}  rank {x,codes}  arith {sign,a,b}  if {cond,then,else}
//	aggregate {fn,sheet,x?,where?,kind}  call {fn,args,kind}
//
// Kinds are the texts of plan.Kind; numbers are decimal texts, instants RFC 3339 in UTC with milliseconds, sets arrays.
// Belongs and LinkText need the server; they appear as {"op":"server"} and are false in a browser.
package expression
