package record

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// State is a record at some time: the columns of its row and of the rows of its sub-tables, by the sub-table's code, in the Go
// forms of plan.Kind. What is empty is missing.
type State struct {
	Model  *catalog.Model
	ID     string
	Row    map[string]any
	Sheets map[string][]map[string]any
	Above  *State // of a row of a sub-table: its record
	// cleared are the references to a deleted record that were emptied with it.
	cleared []clearedRef
}

// clearedRef is a reference that was emptied because its record was deleted: in a column of a record, or of a sub-table's row; of
// several references the one at a place.
type clearedRef struct {
	Model  string `json:"model"`
	Column string `json:"column"`
	ID     string `json:"id"`
	At     int    `json:"at,omitempty"`
}

// Version is the version of the state.
func (st State) Version() int64 {
	v, _ := st.Row[catalog.Version].(int64)
	return v
}

// ordered puts the rows of the sub-tables into their order.
func (st State) ordered() State {
	for _, rows := range st.Sheets {
		slices.SortStableFunc(rows, func(a, b map[string]any) int {
			x, _ := a[catalog.SheetOrder].(int64)
			y, _ := b[catalog.SheetOrder].(int64)
			if x != y {
				return int(x - y)
			}
			i, _ := a[catalog.ID].(string)
			j, _ := b[catalog.ID].(string)
			return strings.Compare(i, j)
		})
	}
	return st
}

// stateOf reads a record as it is; nil when there is none.
func (s *session) stateOf(m *catalog.Model, id string) (*State, error) {
	row, err := s.one(m, id, plan.True)
	if err != nil || row == nil {
		return nil, err
	}
	st := &State{Model: m, ID: id, Row: row, Sheets: map[string][]map[string]any{}}
	for _, f := range m.Fields {
		if f.Sheet == nil {
			continue
		}
		if st.Sheets[f.Code], err = s.load(f.Sheet, parentIs(id)); err != nil {
			return nil, err
		}
	}
	return st, nil
}

func parentIs(id string) plan.Expr {
	return &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.SheetParent, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: id}}
}

// keptState is the form in which a state is stored: JSON by column, as Side writes it.
type keptState struct {
	Row    map[string]json.RawMessage              `json:"row"`
	Sheets map[string][]map[string]json.RawMessage `json:"sheets,omitempty"`
	Refs   []clearedRef                            `json:"refs,omitempty"`
}

func (st State) encode() (string, error) {
	out := keptState{Row: keep(st.Model, st.Row), Sheets: map[string][]map[string]json.RawMessage{}, Refs: st.cleared}
	for _, f := range st.Model.Fields {
		for _, row := range st.Sheets[f.Code] {
			out.Sheets[f.Code] = append(out.Sheets[f.Code], keep(f.Sheet, row))
		}
	}
	text, err := json.Marshal(out)
	return string(text), err
}

func keep(m *catalog.Model, row map[string]any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, c := range columns(m) {
		if side := encode([]plan.Column{c}, row); side != nil {
			out[c.Name] = side[0]
		}
	}
	return out
}

// decodeState reads a stored state with the definitions of today: columns and sub-tables that are gone are passed over, and
// a value of another form is empty.
func decodeState(tx *store.Tx, m *catalog.Model, id, text string, then names.Reading) (State, error) {
	var kept keptState
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return State{}, err
	}
	in, err := earlier{tx, then}.state(m, kept)
	if err != nil {
		return State{}, err
	}
	st := State{Model: m, ID: id, Row: unkeep(m, in.Row), Sheets: map[string][]map[string]any{}, cleared: in.Refs}
	for _, f := range m.Fields {
		if f.Sheet == nil {
			continue
		}
		for _, row := range in.Sheets[f.Code] {
			st.Sheets[f.Code] = append(st.Sheets[f.Code], unkeep(f.Sheet, row))
		}
	}
	return st.ordered(), nil
}

func unkeep(m *catalog.Model, in map[string]json.RawMessage) map[string]any {
	row := map[string]any{}
	for _, c := range columns(m) {
		if v := column(c.Kind, in[c.Name]); v != nil {
			row[c.Name] = v
		}
	}
	for _, f := range m.Fields {
		for i, c := range f.Property.Columns() {
			if row[c.Name] != nil {
				continue
			}
			if v := columnOf(f.Property, i, c.Kind, in[c.Name]); v != nil {
				row[c.Name] = v
			}
		}
	}
	return row
}

// files are the ids of the files that the state holds, each once.
func (st State) files() []string {
	var out []string
	take := func(m *catalog.Model, row map[string]any) {
		for _, f := range m.Fields {
			if _, ok := f.Property.(property.FileTaker); !ok {
				continue
			}
			for _, ref := range f.Property.(property.Referrer).Refs(get(row, f)) {
				if ref.Model == "" && !slices.Contains(out, ref.ID) {
					out = append(out, ref.ID)
				}
			}
		}
	}
	take(st.Model, st.Row)
	for _, f := range st.Model.Fields {
		for _, row := range st.Sheets[f.Code] {
			take(f.Sheet, row)
		}
	}
	return out
}

// Judge decides conditions of rights over states, which stand in no table. It belongs to one transaction, and remembers the
// related records that it has read.
type Judge struct {
	s    *session
	vars map[string]any // beside those of the view
	// belongs reports whether one of the people or departments belongs to one of the departments; nil = nobody belongs anywhere.
	belongs func(ids, departments []string) bool
}

// NewJudge makes a Judge of what a principal may do.
func NewJudge(ctx context.Context, tx *store.Tx, view *authz.View) *Judge {
	return &Judge{s: newSession(ctx, tx, view)}
}

// With gives conditions more variables than the view has.
func (j *Judge) With(vars map[string]any) *Judge {
	return &Judge{s: j.s, vars: vars, belongs: j.belongs}
}

// Among gives conditions the organization.
func (j *Judge) Among(belongs func(ids, departments []string) bool) *Judge {
	return &Judge{s: j.s, vars: j.vars, belongs: belongs}
}

// State reads a record as it is now; nil when there is none. No rights are asked.
func (j *Judge) State(m *catalog.Model, id string) (*State, error) { return j.s.stateOf(m, id) }

// Value computes an expression on a state.
func (j *Judge) Value(st State, e plan.Expr) (any, error) {
	look := &looked{}
	v, err := expression.Eval(e, j.scope(st, look))
	return v, cmp.Or(look.err, err)
}

func (j *Judge) scope(st State, look *looked) expression.Scope {
	own := stateScope{j, look, st.Model, st.Row, st.Sheets}
	if st.Above == nil {
		return own
	}
	return expression.Row(own, stateScope{j, look, st.Above.Model, st.Above.Row, st.Above.Sheets})
}

func newSession(ctx context.Context, tx *store.Tx, view *authz.View) *session {
	return &session{ctx: ctx, tx: tx, view: view, rows: map[string]map[string]any{}, held: map[string]bool{}, going: map[string]bool{}, known: map[string]map[string]bool{}, numbers: map[string]*numbers{}, nested: &nested{}}
}

// Holds reports whether a state satisfies a condition. One that asks for a related record that is gone cannot be decided, and
// counts as not met.
func (j *Judge) Holds(st State, cond plan.Expr) (bool, error) {
	if cond == nil || plan.IsTrue(cond) || plan.IsFalse(cond) {
		return !plan.IsFalse(cond), nil
	}
	look := &looked{}
	ok, err := expression.Holds(cond, j.scope(st, look))
	if look.err != nil {
		return false, look.err
	}
	return ok && !look.gone, err
}

// May reports whether the principal may see the state of a record that was deleted: where they could have seen and deleted it.
func (j *Judge) May(st State) (bool, error) {
	view, m := j.s.view, st.Model
	if !view.Can(m, "view") || !view.Can(m, "delete") {
		return false, nil
	}
	if ok, err := j.Holds(st, view.Rows(m)); err != nil || !ok {
		return false, err
	}
	return j.Holds(st, view.EditRows(m, "delete"))
}

// Shows reports whether the principal may read a field of the state.
func (j *Judge) Shows(st State, f *catalog.Field) (bool, error) {
	right, guard := j.s.view.Field(f)
	if right == catalog.Hidden {
		return false, nil
	}
	return j.Holds(st, guard)
}

// looked is what following relations met.
type looked struct {
	gone bool
	err  error
}

// stateScope gives conditions the values of a state; relations are followed to the records of today.
type stateScope struct {
	j      *Judge
	look   *looked
	m      *catalog.Model
	row    map[string]any
	sheets map[string][]map[string]any
}

// Column implements expression.Scope.
func (v stateScope) Column(f *plan.Field) any {
	m, row := v.m, v.row
	for _, code := range f.Path {
		field := m.Field(code)
		if field == nil || field.Target == nil || len(field.Columns()) == 0 {
			v.look.gone = true
			return nil
		}
		id, _ := row[field.Property.Columns()[0].Name].(string)
		if id == "" {
			return nil
		}
		m = field.Target
		key := m.Code + " " + id
		next, known := v.j.s.rows[key]
		if !known {
			var err error
			if next, err = v.j.s.one(m, id, plan.True); err != nil {
				v.look.err = err
				return nil
			}
			v.j.s.rows[key] = next
		}
		if row = next; row == nil {
			v.look.gone = true
			return nil
		}
	}
	return row[f.Column]
}

// Var implements expression.Scope.
func (v stateScope) Var(name string) any {
	if value, own := v.j.vars[name]; own {
		return value
	}
	return v.j.s.view.Vars()[name]
}

// Rows implements expression.Scope.
func (v stateScope) Rows(sheet string) []expression.Scope {
	sheet = sheet[strings.LastIndexByte(sheet, '.')+1:]
	var out []expression.Scope
	for _, f := range v.m.Fields {
		if f.Sheet == nil || !strings.EqualFold(f.Code, sheet) {
			continue
		}
		for _, row := range v.sheets[f.Code] {
			out = append(out, stateScope{v.j, v.look, f.Sheet, row, nil})
		}
	}
	return out
}

// Records implements expression.Scope. Who referred to a record that was deleted is not kept, so nothing can be decided.
func (v stateScope) Records(*plan.Records) []expression.Scope {
	v.look.gone = true
	return nil
}

// Belongs implements expression.Scope.
func (v stateScope) Belongs(ids, departments []string) bool {
	return v.j.belongs != nil && v.j.belongs(ids, departments)
}

// LinkTexts implements expression.Scope; no condition of rights compiles to it.
func (v stateScope) LinkTexts(_, _ string, _ []string) []string { return nil }
