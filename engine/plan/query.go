package plan

import "slices"

// Op is a filter operator of the specification, by name.
type Op string

// The 18 operators; their numbers are in docs/formats.md.
const (
	Equal              Op = "Equal"
	NotEqual           Op = "NotEqual"
	GreaterThan        Op = "GreaterThan"
	LessThan           Op = "LessThan"
	GreaterThanOrEqual Op = "GreaterThanOrEqual"
	LessThanOrEqual    Op = "LessThanOrEqual"
	Contains           Op = "Contains"
	NotContains        Op = "NotContains"
	OpIsNull           Op = "IsNull"
	IsNotNull          Op = "IsNotNull"
	Of                 Op = "Of"
	NotOf              Op = "NotOf"
	Have               Op = "Have"
	NotHave            Op = "NotHave"
	In                 Op = "In"
	NotIn              Op = "NotIn"
	Between            Op = "Between"
	NotBetween         Op = "NotBetween"
)

// Ops lists the operators in the order of their wire numbers, from 1.
var Ops = []Op{Equal, NotEqual, GreaterThan, LessThan, GreaterThanOrEqual, LessThanOrEqual, Contains, NotContains,
	OpIsNull, IsNotNull, Of, NotOf, Have, NotHave, In, NotIn, Between, NotBetween}

// Positive returns the operator whose complement o is, and true; or o and false when o is positive itself.
func (o Op) Positive() (Op, bool) {
	switch o {
	case NotEqual:
		return Equal, true
	case NotContains:
		return Contains, true
	case IsNotNull:
		return OpIsNull, true
	case NotOf:
		return Of, true
	case NotHave:
		return Have, true
	case NotIn:
		return In, true
	case NotBetween:
		return Between, true
	}
	return o, false
}

// Sum is an aggregate of a column over the whole result (sumType).
type Sum string

// The aggregates.
const (
	SumSum     Sum = "sum"
	SumAverage Sum = "average"
	SumMinimum Sum = "minimum"
	SumMaximum Sum = "maximum"
	SumCount   Sum = "count"
	// SumDistinct is how many different values there are: of reports only, no wire number.
	SumDistinct Sum = "distinct"
)

// Sums lists the aggregates in the order of their wire numbers, from 1.
var Sums = []Sum{SumSum, SumAverage, SumMinimum, SumMaximum, SumCount}

// Wire is the aggregate's number on the wire.
func (s Sum) Wire() int { return slices.Index(Sums, s) + 1 }

// Of gives the kind of the aggregate's result. average has 8 fraction digits, half away from zero.
func (s Sum) Of(x Expr) Kind {
	if s == SumCount || s == SumDistinct || x == nil {
		return Number
	}
	return x.Kind()
}

// Query is one read of one model, rights already rewritten into it: Where, guards and joins are all there is between the
// caller and the rows.
type Query struct {
	Model     string            `json:"model"` // model or sub-table model code
	Select    []Expr            `json:"select"`
	Where     Expr              `json:"where"`
	Order     []Order           `json:"order"`
	Joins     map[string]Expr   `json:"joins,omitempty"` // relation path ("contract", "contract.project") -> condition on the joined row; missing = true
	Aggregate []AggregateOutput `json:"aggregate,omitempty"`
	Group     []Expr            `json:"group,omitempty"` // of Tx.Groups: one row for all that are equal in these, with Aggregate
	Limit     int               `json:"limit"`
	Offset    int               `json:"offset"`
	After     []any             `json:"after,omitempty"`  // keyset: the values of Order of the row before the page
	Before    []any             `json:"before,omitempty"` // keyset: the values of Order of the row behind the page
	Top       int               `json:"top,omitempty"`    // of rows with the same first selected value only so many, in Order; each row gets one value more, the number (Int) of all of them. Not with a page
}

// Order is one sort key; empty values come first ascending and last descending on both databases.
type Order struct {
	By         Expr `json:"by"`
	Descending bool `json:"descending"`
}

// AggregateOutput is one footer figure.
type AggregateOutput struct {
	Fn Sum  `json:"fn"`
	X  Expr `json:"x"`
}

// Ref names something whose display name a text needs: a person or department or record of a model, or a file.
type Ref struct {
	Model   string // model code; "" for files
	ID      string
	Display string // property of the model whose text is the name; "" = its name
}
