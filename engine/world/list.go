package world

import "github.com/sluice-platform/sluice/engine/plan"

// ListOptions say what of a list is read, besides what the list itself shows.
type ListOptions struct {
	Filters []Filter // all of them hold
	Keyword string   // as typed into the search of the list
	// OrderBy are columns or paths; none keeps the list's own order. Descending turns all of them.
	OrderBy    []string
	Descending bool
}

// Filter is a condition on a column or path of the list's model. Operator is a name such as "Equal" or "Between"; Value is in the wire form
// of the filter panel.
type Filter struct {
	Property, Operator string
	Value              any
}

// ListRow is a row of a list as the principal sees it, in the list's columns.
type ListRow struct {
	ID    string // of the record
	Cells []Cell // one for each column
}

// Cell is a value of a list.
type Cell struct {
	Column *ListColumn
	Value  any    // in the Go form of the property; nil is empty, or hidden from the principal on this row
	Text   string // as the list shows it, in the principal's language; names of people and records are in it
}

// ListColumn is a column of a list. Columns that the principal may not read are left out.
type ListColumn struct {
	Code  string // "part", "contract.partyB"
	Label plan.Label
	Kind  plan.Kind // of expressions on it: plan.Number, plan.Date, …; plan.None = none
}
