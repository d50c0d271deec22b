// Package query is the one reader of records (docs/architecture.md, A list request; SECURITY.md). A request becomes a plan.Query that
// holds all rights, the store runs it, and the rows are appended to the answer.
//
//	request -> graph (what this principal may name) -> plan.Query -> store -> names -> bytes
//
// The graph is where rights enter: a field that the principal may not read, or that does not exist, resolves to nothing,
// and both give the same answer. Every expression that a caller can name comes out of it with its guards.
package query
