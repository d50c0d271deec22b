package world

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Query reads rows of one model. It is registered in pack.Set.Queries and compiled with the documents, so that a wrong name is told by
// `sluice check` and at start, and not by a user.
type Query struct {
	Code  string // "quality.openLots": begins with the pack's code
	Model string // a model, or a sub-table as "inspection.items"
	// Where is a condition as documents write them: "status != 'DONE' and project == args.project". "" = every row.
	Where string
	// Args are the names behind "args." in Where, with their kinds.
	Args map[string]plan.Kind
	// Columns are properties, or paths through relations: "part", "contract.partyB.name". Without GroupBy each row also has its id.
	Columns []string
	// OrderBy are properties or paths, with a "-" before those that run down. Rows that are equal come by their id.
	OrderBy []string
	// Tree makes the rows of a model that is a tree come depth first: behind each row those below it, neighbors in the order of OrderBy. A
	// row whose parent is not among the rows is at the top. The rows are held in memory for that.
	Tree bool
	// Below is an argument of kind plan.ID: with it rows come only of this record and of those below it, at any depth. It needs Tree.
	Below string
	// GroupBy makes one row of all rows that are equal in these columns, in the order of their values; Columns and OrderBy stay empty.
	GroupBy []string
	// Figures are what groups have besides; without GroupBy there is one row, for all.
	Figures []Figure
}

// Figure is a value over many rows.
type Figure struct {
	As     string   // how the Row calls it
	Fn     plan.Sum // plan.SumSum, SumAverage, SumMinimum, SumMaximum, SumCount
	Column string   // a property or path; "" for SumCount: the number of rows
}

// Name implements registry.Entry.
func (q Query) Name() string { return q.Code }

// Options implements registry.Entry.
func (Query) Options() []byte { return nil }

// Args are the values of a query's arguments, in the Go forms of their kinds (plan.Kind): texts and ids string, numbers
// decimal.Decimal, dates "2006-01-02", moments time.Time, sets []string, conditions bool. nil is the empty value.
type Args map[string]any

// Row is a row of a query. Columns are called as the query writes them, figures by their name.
type Row struct {
	ID     string // of the record, or row of a sub-table; "" for groups
	Values map[string]any
	Record string   // of a row of a sub-table: the id of the record that it is in
	Path   []string // of a Tree: the ids of the rows above, from the top
}

// Text is a text or id; "" when it is empty.
func (r Row) Text(column string) string { s, _ := r.Values[column].(string); return s }

// Number is a number, zero when it is empty. Whole numbers of the system are numbers too.
func (r Row) Number(column string) decimal.Decimal {
	switch v := r.Values[column].(type) {
	case decimal.Decimal:
		return v
	case int64:
		return decimal.NewFromInt(v)
	}
	return decimal.Decimal{}
}

// Time is a moment; the zero time when it is empty.
func (r Row) Time(column string) time.Time { t, _ := r.Values[column].(time.Time); return t }

// Is reports whether a yes-or-no value is yes.
func (r Row) Is(column string) bool { b, _ := r.Values[column].(bool); return b }

// Set is a value with several entries.
func (r Row) Set(column string) []string { s, _ := r.Values[column].([]string); return s }

// Empty reports whether a column has no value, or none that the principal may see.
func (r Row) Empty(column string) bool { return r.Values[column] == nil }
