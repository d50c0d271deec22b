package expression

import "github.com/sluice-platform/sluice/engine/plan"

// Values is a Scope of plain maps: what runtime/record and tests have. Keys are column names.
type Values struct {
	Columns map[string]any
	Old     map[string]any
	Vars    map[string]any
	Sheets  map[string][]map[string]any // by the sub-table's code
	// Related gives a column at the end of a path; nil when no path is known. old: start from Old.
	Related func(path []string, column string, old bool) any
	// InSheet gives a column at the end of a path that begins at a row of a sub-table; nil when no path is known.
	InSheet func(sheet string, row map[string]any, path []string, column string) any
	// Folded gives the columns of the records that plan.Records names; nil when none are known.
	Folded func(of *plan.Records) []map[string]any
	// InStore folds records where they are stored; nil, or done = false, when the rows are to be folded one by one.
	InStore func(x *plan.Aggregate) (v any, done bool, err error)
}

// Folder is a Scope that may fold records without handing them over. Fold gives what the evaluator would.
type Folder interface {
	Fold(x *plan.Aggregate) (v any, done bool, err error)
}

// Fold implements Folder.
func (v Values) Fold(x *plan.Aggregate) (any, bool, error) {
	if v.InStore == nil {
		return nil, false, nil
	}
	return v.InStore(x)
}

// Column implements Scope.
func (v Values) Column(f *plan.Field) any {
	switch {
	case len(f.Path) > 0:
		if v.Related == nil {
			return nil
		}
		return v.Related(f.Path, f.Column, f.Old)
	case f.Old:
		return v.Old[f.Column]
	}
	return v.Columns[f.Column]
}

// Var implements Scope.
func (v Values) Var(name string) any { return v.Vars[name] }

// Rows implements Scope.
func (v Values) Rows(sheet string) []Scope {
	out := make([]Scope, len(v.Sheets[sheet]))
	for i, r := range v.Sheets[sheet] {
		row := Values{Columns: r, Vars: v.Vars}
		if v.InSheet != nil {
			row.Related = func(path []string, column string, _ bool) any { return v.InSheet(sheet, r, path, column) }
		}
		out[i] = row
	}
	return out
}

// Records implements Scope.
func (v Values) Records(of *plan.Records) []Scope {
	if v.Folded == nil {
		return nil
	}
	rows := v.Folded(of)
	out := make([]Scope, len(rows))
	for i, r := range rows {
		out[i] = Values{Columns: r, Vars: v.Vars}
	}
	return out
}

// Belongs implements Scope; no text of the language compiles to it.
func (v Values) Belongs(_, _ []string) bool { return false }

// LinkTexts implements Scope; no text of the language compiles to it.
func (v Values) LinkTexts(_, _ string, _ []string) []string { return nil }
