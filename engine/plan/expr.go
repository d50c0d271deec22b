package plan

// Expr is a node of an expression. All conditions of the product (list filters, row rights, data rules, display formulas,
// routes) and all formulas are trees of these nodes. The set is closed: every evaluator handles each.
//
// Truth is two-valued. A comparison with an empty (nil) operand is false, and Not is the exact complement of what it
// holds; so negative operators select empty values (docs/adr/0003). Arithmetic with an empty operand is empty.
// The SQL evaluator reaches the same with "(x) IS NOT TRUE" for Not.
type Expr interface {
	Kind() Kind
	node()
}

// Const is a literal. Value follows the table of Kind; nil is the empty value.
type Const struct {
	K     Kind `json:"kind"`
	Value any  `json:"value"`
}

// Field is a column of the record, of a related record or of the current sub-table row.
type Field struct {
	Path   []string `json:"path,omitempty"` // relation properties to follow from the scope's record, in order
	Column string   `json:"column"`         // column name in the last model of the path
	K      Kind     `json:"kind"`
	Old    bool     `json:"old,omitempty"` // the record before the change (memory only)
	Outer  bool     `json:"outer,omitempty"`
	// Outer: inside AnyRow, Aggregate or a sub-table's own formula, the parent record instead of the row.
}

// Var is a value that the request brings: user.id, user.name, user.roles, user.departments, user.departmentTree,
// user.mainDepartment, today, now, and form.<code> in option conditions. Bind replaces Vars by Consts before SQL is made.
type Var struct {
	Name string `json:"name"`
	K    Kind   `json:"kind"`
}

// CompareOp orders two scalars of one kind.
type CompareOp string

// The comparisons. There is no NotEqual: it is Not of Equal.
const (
	EQ CompareOp = "=="
	LT CompareOp = "<"
	LE CompareOp = "<="
	GT CompareOp = ">"
	GE CompareOp = ">="
)

type (
	// And is true when all are; And of nothing is true.
	And struct{ Of []Expr }
	// Or is true when one is; Or of nothing is false.
	Or struct{ Of []Expr }
	// Not is the complement; it is never empty.
	Not struct{ X Expr }
	// Compare orders A and B, of one kind: Text and ID by bytes, Number as decimals, the others by time, Bool false first.
	Compare struct {
		Op   CompareOp
		A, B Expr
	}
	// IsNull is true when X is empty (nil, an empty set, no rows).
	IsNull struct{ X Expr }
	// Match is true when text X contains Pattern (Fold: Unicode simple folding on both; Prefix: starts with it, no folding).
	Match struct {
		X, Pattern Expr
		Prefix     bool
	}
	// InSet compares F (a Set, or a scalar Text or ID as a set of one) with G (a Set): see SetOp.
	InSet struct {
		Op   SetOp
		F, G Expr
	}
	// Belongs is the operator Of (docs/authoring.md, Operators): some person of X is a member of, or some department of X is or lies below, a department
	// of the Set Departments.
	Belongs struct{ X, Departments Expr }
	// LinkText compares the texts in Column of the rows of table Table that the Set X refers to: file names of attachments. It is
	// true when some text contains Pattern (folded), or with Whole, when the texts are exactly those of the Set Pattern (by
	// bytes).
	LinkText struct {
		X             Expr
		Table, Column string
		Pattern       Expr
		Whole         bool
	}
	// AnyRow is true when some row of the sub-table satisfies Where, whose Fields speak of the row.
	AnyRow struct {
		Sheet string
		Where Expr
	}
	// Guarded is X where Cond holds and empty elsewhere: field rights that differ by row.
	Guarded struct{ Cond, X Expr }
	// Rule is the condition X of an access document, inside a Query only: relations in it are followed as they are, not as the
	// caller sees them (Query.Joins).
	Rule struct{ X Expr }
	// Visible is the Set F without the ids whose row of Model does not satisfy Where, inside a Query only: links as the caller
	// sees them.
	Visible struct {
		F     Expr
		Model string
		Where Expr
	}
	// Rank is the place (Int, from 0) of the text X in Codes; empty when it is none of them: the order of options.
	Rank struct {
		X     Expr
		Codes []string
	}
	// Arith is + - * / on Numbers (division: 8 fraction digits, half away from zero, empty when B is zero).
	Arith struct {
		Op   byte
		A, B Expr
	}
	// If is Then or Else (memory only).
	If struct{ Cond, Then, Else Expr }
	// Aggregate folds X over the rows of a sub-table, or over the Records Of, that satisfy Where (memory only): sum, average,
	// minimum, maximum, count.
	Aggregate struct {
		Fn    Sum
		Sheet string   // "" with Of
		Of    *Records // nil with Sheet
		X     Expr     // nil for count
		Where Expr     // nil for all
	}
	// Call is a function of docs/functions.md that is none of the nodes above: round, abs, days, length, concat, upper, lower, trim,
	// year, month, day, ... MemoryOnly functions are refused in conditions that run as SQL.
	Call struct {
		Fn   string
		Args []Expr
		K    Kind
		Own  *Function `json:"-"` // of a pack; nil = of the language
	}
)

// Function is a function that a pack brings to expressions. It runs in memory only. Eval gets the values in the forms of their kinds, nil for
// empty ones, and is to be pure: the same arguments give the same value.
type Function struct {
	Code   string // as expressions write it
	Args   []Kind
	Result Kind
	Zh, En string // what it does
	Eval   func(args []any) (any, error)
}

// Name implements registry.Entry.
func (f Function) Name() string { return f.Code }

// Options implements registry.Entry.
func (Function) Options() []byte { return nil }

// Records are those of Model whose relation Property refers to the record or, with Own, those that the record's own property
// Own refers to.
type Records struct {
	Model, Property, Own string
	Read                 []*Field // what the formula reads of them
}

// SetOp is a comparison of sets (docs/authoring.md, Operators: F the field's, G the given).
type SetOp string

// The set operations. In SQL and in memory an empty F satisfies only SetEqual with an empty G.
const (
	SetEqual      SetOp = "equal"      // F = G
	SetIntersects SetOp = "intersects" // F ∩ G ≠ ∅
	SetHas        SetOp = "has"        // G ⊆ F
	SetWithin     SetOp = "within"     // F ≠ ∅ and F ⊆ G
)

// Kind of each node.
func (e *Const) Kind() Kind     { return e.K }
func (e *Field) Kind() Kind     { return e.K }
func (e *Var) Kind() Kind       { return e.K }
func (e *And) Kind() Kind       { return Bool }
func (e *Or) Kind() Kind        { return Bool }
func (e *Not) Kind() Kind       { return Bool }
func (e *Compare) Kind() Kind   { return Bool }
func (e *IsNull) Kind() Kind    { return Bool }
func (e *Match) Kind() Kind     { return Bool }
func (e *InSet) Kind() Kind     { return Bool }
func (e *Belongs) Kind() Kind   { return Bool }
func (e *LinkText) Kind() Kind  { return Bool }
func (e *AnyRow) Kind() Kind    { return Bool }
func (e *Guarded) Kind() Kind   { return e.X.Kind() }
func (e *Rule) Kind() Kind      { return Bool }
func (e *Visible) Kind() Kind   { return Set }
func (e *Rank) Kind() Kind      { return Int }
func (e *Arith) Kind() Kind     { return Number }
func (e *If) Kind() Kind        { return e.Then.Kind() }
func (e *Call) Kind() Kind      { return e.K }
func (e *Aggregate) Kind() Kind { return e.Fn.Of(e.X) }

func (*Const) node()     {}
func (*Field) node()     {}
func (*Var) node()       {}
func (*And) node()       {}
func (*Or) node()        {}
func (*Not) node()       {}
func (*Compare) node()   {}
func (*IsNull) node()    {}
func (*Match) node()     {}
func (*InSet) node()     {}
func (*Belongs) node()   {}
func (*LinkText) node()  {}
func (*AnyRow) node()    {}
func (*Guarded) node()   {}
func (*Rule) node()      {}
func (*Visible) node()   {}
func (*Rank) node()      {}
func (*Arith) node()     {}
func (*If) node()        {}
func (*Call) node()      {}
func (*Aggregate) node() {}

// True and False are the constants of conditions.
var (
	True  Expr = &Const{K: Bool, Value: true}
	False Expr = &Const{K: Bool, Value: false}
)

// IsTrue and IsFalse report whether a condition is that constant.
func IsTrue(e Expr) bool  { c, ok := e.(*Const); return ok && c.Value == true }
func IsFalse(e Expr) bool { c, ok := e.(*Const); return ok && c.Value == false && c.K == Bool }

// AllOf joins conditions with And, folding constants: nil and True disappear, one False wins.
func AllOf(of ...Expr) Expr {
	var out []Expr
	for _, e := range of {
		switch {
		case e == nil || IsTrue(e):
		case IsFalse(e):
			return False
		default:
			if a, ok := e.(*And); ok {
				out = append(out, a.Of...)
				continue
			}
			out = append(out, e)
		}
	}
	switch len(out) {
	case 0:
		return True
	case 1:
		return out[0]
	}
	return &And{Of: out}
}

// AnyOf joins conditions with Or, folding constants: nil and False disappear, one True wins.
func AnyOf(of ...Expr) Expr {
	var out []Expr
	for _, e := range of {
		switch {
		case e == nil || IsFalse(e):
		case IsTrue(e):
			return True
		default:
			if o, ok := e.(*Or); ok {
				out = append(out, o.Of...)
				continue
			}
			out = append(out, e)
		}
	}
	switch len(out) {
	case 0:
		return False
	case 1:
		return out[0]
	}
	return &Or{Of: out}
}

// Negate returns the complement, folding constants and double negation.
func Negate(e Expr) Expr {
	switch x := e.(type) {
	case *Not:
		return x.X
	case *Const:
		if IsTrue(x) {
			return False
		}
		return True
	}
	return &Not{X: e}
}
