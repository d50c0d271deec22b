package catalog

import "github.com/sluice-platform/sluice/engine/plan"

// Query is a compiled world.Query: rows that code of packs reads.
type Query struct {
	Code    string
	Model   *Model
	Where   plan.Expr // nil = every row
	Args    map[string]plan.Kind
	Columns []Path
	Order   []ListOrder
	Groups  []Path
	Figures []Figure
	Tree    bool   // rows come depth first
	Below   string // the argument that names the top; "" = none
}

// Folds tells whether rows are made of many.
func (q *Query) Folds() bool { return len(q.Groups)+len(q.Figures) > 0 }

// Figure is a value over many rows. Path is nil for their number.
type Figure struct {
	As   string
	Fn   plan.Sum
	Path *Path
}
