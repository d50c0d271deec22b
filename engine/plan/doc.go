// Package plan is what definitions compile to: immutable, printable data that says what to do (docs/architecture.md, Words).
//
// Its three parts are the expressions (expr.go: one form, evaluated in memory by engine/expression, as SQL by
// runtime/store and in the browser from its JSON), the query (query.go: what one read call fetches, rights included) and
// the storage (storage.go: tables, columns and indexes). It knows kinds of values, never property types; it holds no
// behaviour besides walking and printing.
package plan
