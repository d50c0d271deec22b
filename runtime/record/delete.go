package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Result codes of DeleteCheck and Delete: the categories of the specification's confirm dialog in their order.
const (
	DeletePossible    = 1000 // business data: can be deleted
	DeleteProcess     = 1001 // process data that no other process refers to: an administrator can delete it
	DeleteParent      = 1002 // process data whose process has started others
	DeleteChild       = 1003 // process data whose process was started by another, and has started none
	DeleteNotPossible = 1004 // process data for ordinary users, no right, no such record, or other records refer to it
)

// Deletable reports whether a result code lets the record be deleted.
func Deletable(code int) bool { return code >= DeletePossible && code < DeleteNotPossible }

// DeleteState is the answer for one record.
type DeleteState struct {
	ObjectID      string  `json:"objectId"`
	RelativeModel *string `json:"relativeModel"` // code of a model whose records refer to it; nil when the principal may not know it
	ResultCode    int     `json:"resultCode"`
	ResultDesc    string  `json:"resultDesc"`
	// Code is the pack's own reason why the record stays, 0 = none. Its text, which the edge fills in, takes precedence over ResultDesc.
	Code fault.Code `json:"errcode,omitempty"`
	Args []any      `json:"-"`
}

// DeleteResult is the answer of Delete.
type DeleteResult struct {
	SuccessCount int           `json:"successCount"`
	ErrorCount   int           `json:"errorCount"`
	Errors       []DeleteState `json:"errors"`
	Recycled     bool          `json:"recycled"` // what was deleted can be brought back
}

// maxDelete is how many records one call may name.
const maxDelete = 500

type deletion struct {
	state DeleteState
	row   map[string]any
}

// DeleteCheck tells for each record whether Delete would remove it.
func (w *Writer) DeleteCheck(ctx context.Context, view *authz.View, model string, ids []string) ([]DeleteState, error) {
	m, err := deletable(view, model, ids)
	if err != nil {
		return nil, err
	}
	out := make([]DeleteState, 0, len(ids))
	err = w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		s := w.session(ctx, tx, view)
		for _, id := range ids {
			d, err := s.judge(m, id)
			if err != nil {
				return err
			}
			out = append(out, d.state)
		}
		return nil
	})
	return out, err
}

func deletable(view *authz.View, model string, ids []string) (*catalog.Model, error) {
	m := view.Model(model)
	switch {
	case m == nil || m.Parent != nil || !view.Can(m, "view"):
		return nil, fault.New(fault.ModelNotFound, model)
	case len(ids) == 0:
		return nil, fault.New(fault.EmptyParameter, "ids")
	case len(ids) > maxDelete:
		return nil, fault.New(fault.BadParameter, "ids")
	}
	return m, nil
}

// Delete removes records with their sub-tables, each in a transaction of its own; what cannot go stays and is named.
func (w *Writer) Delete(ctx context.Context, view *authz.View, model string, ids []string) (DeleteResult, error) {
	m, err := deletable(view, model, ids)
	if err != nil {
		return DeleteResult{}, err
	}
	out, met := DeleteResult{Errors: []DeleteState{}, Recycled: w.keep > 0}, 0
	for _, id := range ids {
		state, err := w.deleteOne(ctx, view, m, id)
		var ref *store.Referenced
		if errors.As(err, &ref) && !ref.Missing {
			state, err = state.referred(view, holder{model: view.Model(ref.Model), pack: ref.Pack}), nil
		}
		if errors.Is(err, store.ErrConflict) {
			state, err = DeleteState{ObjectID: id, ResultCode: DeleteNotPossible, ResultDesc: describe(view, busy)}, nil
			met++
		}
		switch {
		case err != nil:
			return out, fmt.Errorf("delete %s %s: %w", m.Code, id, err)
		case Deletable(state.ResultCode):
			out.SuccessCount++
		default:
			out.ErrorCount++
			out.Errors = append(out.Errors, state)
		}
	}
	if met == len(ids) {
		return out, fault.New(fault.DeleteBusy)
	}
	return out, nil
}

func (w *Writer) deleteOne(ctx context.Context, view *authz.View, m *catalog.Model, id string) (state DeleteState, err error) {
	for range tries {
		err = w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			state, err = w.session(ctx, tx, view).delete(m, id)
			return err
		})
		if !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	return state, err
}

func (s *session) delete(m *catalog.Model, id string) (DeleteState, error) {
	c := &change{session: s, m: m, id: id}
	if err := c.enter(nil); err != nil {
		return DeleteState{}, err
	}
	d, err := s.judge(m, id)
	if err != nil || !Deletable(d.state.ResultCode) {
		return d.state, err
	}
	if d, err = s.end(m, id, d); err != nil || !Deletable(d.state.ResultCode) {
		return d.state, err
	}
	c.old = d.row
	return d.state, c.around(&hook.Record{Delete: true, Old: c.values(d.row)}, func() error { return s.remove(m, id, d.row) })
}

// remove deletes the row with its sub-rows into the recycle bin and writes the history; ErrConflict when the rights or the row have
// changed meanwhile.
func (s *session) remove(m *catalog.Model, id string, row map[string]any) error {
	var rows []RowChange
	st := State{Model: m, ID: id, Row: row, Sheets: map[string][]map[string]any{}}
	for _, f := range m.Fields {
		if f.Sheet == nil {
			continue
		}
		stored, err := s.load(f.Sheet, parentIs(id))
		if err != nil {
			return err
		}
		st.Sheets[f.Code] = stored
		if len(f.Sheet.Own) > 0 { // no history tells of what only the engine writes
			continue
		}
		for _, r := range stored {
			rowID, _ := r[catalog.ID].(string)
			rows = append(rows, RowChange{Sheet: f.Code, ID: rowID, Kind: Deleted, Was: placeOf(r), Changes: differences(f.Sheet, r, nil)})
		}
	}
	s.going[m.Code+" "+id] = true
	if err := (&change{session: s, m: m, id: id, old: row}).lockDependents(); err != nil {
		return err
	}
	var due derivations
	if err := s.affected(&due, m, id, row, nil); err != nil {
		return err
	}
	var err error
	if st.cleared, err = s.clear(m, id); err != nil {
		return err
	}
	version, _ := row[catalog.Version].(int64)
	n, err := s.tx.Delete(s.ctx, m, id, version, s.view.EditRows(m, "delete"))
	if err == nil && n == 0 {
		err = store.ErrConflict // what was cleared must come back
	}
	if err != nil {
		return err
	}
	s.forget(m, id)
	s.record(m, id, version+1, Deleted, differences(m, row, nil), rows)
	if err := s.shelve(st); err != nil {
		return err
	}
	if err := s.settle(&due); err != nil {
		return err
	}
	return s.flush()
}

// judge reads a record and decides whether it may be deleted.
func (s *session) judge(m *catalog.Model, id string) (deletion, error) {
	d := deletion{state: DeleteState{ObjectID: id, ResultCode: DeleteNotPossible}}
	row, err := s.one(m, id, s.view.Rows(m))
	if err != nil {
		return d, err
	}
	if row == nil {
		d.state.ResultDesc = describe(s.view, notFound)
		return d, nil
	}
	ok := s.view.Can(m, "delete")
	if ok {
		ok, err = s.holds(m, id, s.view.EditRows(m, "delete"))
	}
	if err != nil || !ok {
		d.state.ResultDesc = describe(s.view, notAllowed)
		return d, err
	}
	if ok, err = s.manages(m, row); err != nil || !ok {
		d.state.ResultDesc = describe(s.view, above)
		return d, err
	}
	holders, err := s.holders(m, id)
	if err != nil {
		return d, err
	}
	if len(holders) > 0 {
		d.state = d.state.referred(s.view, holders...)
		d.state.Code, d.state.Args = s.reason(m, holders)
		return d, nil
	}
	if instance, _ := row[catalog.WorkflowInstance].(string); instance == "" {
		d.row, d.state.ResultCode, d.state.ResultDesc = row, DeletePossible, describe(s.view, possible)
	} else if administersProcesses(s.view) {
		code, words, err := s.linked(instance)
		if err != nil {
			return d, err
		}
		d.row, d.state.ResultCode, d.state.ResultDesc = row, code, describe(s.view, words)
	} else {
		d.state.ResultDesc = describe(s.view, processRefused)
	}
	return d, nil
}

// linked sorts process data by the other processes that its own belongs together with.
func (s *session) linked(instance string) (int, outcome, error) {
	if s.w.links == nil {
		return DeleteProcess, process, nil
	}
	parent, child, err := s.w.links(s.tx, instance)
	switch {
	case err != nil:
		return 0, outcome{}, err
	case parent:
		return DeleteParent, processParent, nil
	case child:
		return DeleteChild, processChild, nil
	}
	return DeleteProcess, process, nil
}

// administersProcesses tells ordinary users from those who may delete process data.
func administersProcesses(view *authz.View) bool {
	return view.Has(authz.Workflows)
}

// Stays says of each record that could not be deleted together with the others why, inside a transaction of the caller's.
func (w *Writer) Stays(ctx context.Context, tx *store.Tx, view *authz.View, model string, ids []string) (map[string]string, error) {
	m := view.Model(model)
	if m == nil || m.Parent != nil || !view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound, model)
	}
	s, out := w.session(ctx, tx, view), map[string]string{}
	s.along = ids
	for _, id := range ids {
		d, err := s.judge(m, id)
		if err != nil {
			return nil, err
		}
		if !Deletable(d.state.ResultCode) {
			out[id] = d.state.ResultDesc
		}
	}
	return out, nil
}

// DeleteIn removes a record inside a transaction of the caller's. The result says why it stays; then nothing was done.
func (w *Writer) DeleteIn(ctx context.Context, tx *store.Tx, view *authz.View, model, id string) (state DeleteState, err error) {
	m, err := deletable(view, model, []string{id})
	if err != nil {
		return state, err
	}
	err = tx.Try(ctx, func() (err error) {
		state, err = w.session(ctx, tx, view).delete(m, id)
		return err
	})
	var ref *store.Referenced
	if errors.As(err, &ref) && !ref.Missing {
		return state.referred(view, holder{model: view.Model(ref.Model), pack: ref.Pack}), nil
	}
	return state, err
}

func root(m *catalog.Model) *catalog.Model {
	for m.Parent != nil {
		m = m.Parent
	}
	return m
}

// outcome is why a record can or cannot be deleted, in both languages.
type outcome struct{ zh, en string }

var (
	possible       = outcome{"可以删除", "can be deleted"}
	notFound       = outcome{"数据不存在", "does not exist"}
	notAllowed     = outcome{"没有删除权限", "not permitted"}
	process        = outcome{"未关联的流程数据", "process data that nothing is linked to"}
	processParent  = outcome{"父流程数据", "process data of a parent process"}
	processChild   = outcome{"子流程数据", "process data of a child process"}
	processRefused = outcome{"流程数据，普通用户不能删除", "process data; ordinary users cannot delete it"}
	above          = outcome{"对方的权限超出您可授予的范围", "it carries rights that you could not grant"}
	busy           = outcome{"正被他人修改", "somebody is changing it at the moment"}
	referenced     = outcome{"被其他数据引用，不能删除", "other records refer to it"}
)

func describe(view *authz.View, o outcome) string {
	if view.Principal().Locale == "en" {
		return o.en
	}
	return o.zh
}
