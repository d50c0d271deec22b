// Package schema is the second stage of docs/architecture.md: it composes the base schemas of schemas/ with the options of
// every registered property type and action, and checks documents against them. What a validator says is turned into
// diagnostics that name the key or value at fault, once each. The same composed schemas serve editors and the formatter.
//
// It knows no references between documents; that is engine/compile's part.
package schema
