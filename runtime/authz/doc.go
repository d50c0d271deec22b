// Package authz answers what a principal may do: which actions, which rows, which fields (SECURITY 1 and 2).
//
// The access documents of the catalog are the only source. Casbin is filled from them and decides "may this role do this
// action on this object"; its decisions are compiled into one bit set a role, because a page asks many times. Row rules and
// field rights are conditions (plan.Expr) that runtime/query and runtime/record put into every statement.
//
// The unit of a right is the grant: a row shows where some grant with "view" shows it, and a field of that row where some
// grant shows both the row and the field. What no grant gives is denied.
package authz
