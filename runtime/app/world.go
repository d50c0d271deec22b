package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// transaction is the World of code of packs.
type transaction struct {
	app *App

	view  *authz.View
	tx    *store.Tx
	batch *record.Batch // nil: only reading
	keeps bool          // the answer of the call is kept for a repeat
	memo  world.Memo    // of one that only reads; the others' is the batch's
}

var _ world.World = (*transaction)(nil)

// errReadOnly: browsers and proxies repeat GET calls as they like, and rules only judge.
var errReadOnly = errors.New("the action of a GET route, and a rule, cannot write")

// within is the World of a batch.
func (a *App) within(b *record.Batch, reads bool) world.World {
	t := &transaction{app: a, view: b.View(), tx: b.Tx()}
	if !reads {
		t.batch = b
	}
	return t
}

// Act runs f in one transaction with the rights of a principal: what f wrote is stored when it returns nil.
func (a *App) Act(ctx context.Context, who principal.Principal, f func(w world.World) error) error {
	s := a.State()
	return a.writer.Together(ctx, s.Policy.View(who, a.Now(), a.cfg.Zone), func(b *record.Batch) error { return f(a.within(b, false)) })
}

// Caller is a person by the sign-in name, with the roles and departments of this moment; false when there is none or the account is
// disabled.
func (a *App) Caller(ctx context.Context, username string) (principal.Principal, bool) {
	person, known := a.people.PersonByName(ctx, username)
	if !known {
		return principal.Principal{}, false
	}
	return a.caller(ctx, person.ID)
}

func (t *transaction) Principal() principal.Principal { return t.view.Principal() }

func (t *transaction) Now() time.Time { return t.app.Now() }

func (t *transaction) Zone() *time.Location { return t.app.cfg.Zone }

func (t *transaction) Lock(ctx context.Context, name string) error {
	if t.batch == nil {
		return errReadOnly
	}
	return t.tx.Lock(ctx, "pack "+name)
}

func (t *transaction) Memo() world.Memo {
	if t.batch != nil {
		return t.batch.Memo()
	}
	if t.memo == nil {
		t.memo = world.Memo{}
	}
	return t.memo
}

func (t *transaction) Document(kind, code string) (any, bool) {
	d := t.view.Document(kind, code)
	if !t.view.Reads(d) || d.Value == nil {
		return nil, false
	}
	return d.Value, true
}

func (t *transaction) Allowed(ctx context.Context, right, model, id string) error {
	if id != "" {
		return t.app.writer.AllowedIn(ctx, t.tx, t.view, model, id, right)
	}
	m := t.view.Model(model)
	if m == nil || !t.view.Offers(m, right) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

func (t *transaction) As(reason string) (world.World, error) {
	r := t.view.Reason(reason)
	if r == nil {
		return nil, fmt.Errorf("no pack.json declares the reason %q", reason)
	}
	who := t.view.Principal()
	if who.UserID == "" { // a rule of the system
		who.Name, who.Locale = r.Label.In("zh"), "zh"
	}
	who.Roles, who.System, who.Reason = []string{r.Role}, "", r.Code
	out := *t
	out.memo = nil
	out.view = t.view.Of(who, t.app.Now(), t.app.cfg.Zone)
	if t.batch != nil {
		out.batch = t.batch.As(out.view)
	}
	return &out, nil
}

func (t *transaction) Rows(ctx context.Context, query string, args world.Args) iter.Seq2[world.Row, error] {
	return func(yield func(world.Row, error) bool) {
		q := t.view.Query(query)
		if q == nil {
			yield(world.Row{}, fmt.Errorf("there is no query %q", query))
			return
		}
		going := true
		err := t.app.reader.Rows(ctx, t.tx, t.view, q, args, func(row world.Row) bool {
			going = yield(row, nil)
			return going
		})
		if err != nil && going {
			yield(world.Row{}, err)
		}
	}
}

func (t *transaction) List(ctx context.Context, code string, o world.ListOptions) iter.Seq2[world.ListRow, error] {
	return func(yield func(world.ListRow, error) bool) {
		req, err := t.listRequest(code, o)
		if err != nil {
			yield(world.ListRow{}, err)
			return
		}
		going, columns := true, []world.ListColumn(nil)
		err = t.app.reader.Stream(ctx, t.tx, t.view, req, func(rows *query.Rows) bool {
			if columns == nil {
				for _, c := range rows.Columns() {
					columns = append(columns, world.ListColumn{Code: c.Code, Label: c.Label, Kind: c.Field.Property.Kind()})
				}
			}
			for i := 0; i < rows.Len() && going; i++ {
				row := world.ListRow{ID: rows.ID(i), Cells: make([]world.Cell, len(columns))}
				for k := range columns {
					row.Cells[k] = world.Cell{Column: &columns[k], Value: rows.Value(i, k), Text: rows.Text(i, k)}
				}
				going = yield(row, nil)
			}
			return going
		})
		if err != nil && going {
			yield(world.ListRow{}, err)
		}
	}
}

func (t *transaction) listRequest(code string, o world.ListOptions) (query.ListRequest, error) {
	l := t.view.List(code)
	if l == nil {
		return query.ListRequest{}, fmt.Errorf("there is no list %q", code)
	}
	req := query.ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code, Keyword: o.Keyword, OrderByFields: o.OrderBy}
	if len(o.OrderBy) > 0 {
		req.OrderType = 1
		if o.Descending {
			req.OrderType = 2
		}
	}
	for _, f := range o.Filters {
		value, err := json.Marshal(f.Value)
		if err != nil {
			return req, fmt.Errorf("the filter on %s: %w", f.Property, err)
		}
		operator, err := json.Marshal(f.Operator)
		if err != nil {
			return req, err
		}
		req.Filters = append(req.Filters, query.Filter{PropertyCode: f.Property, QueryFilterType: operator, PropertyValue: value})
	}
	return req, nil
}

func (t *transaction) Get(ctx context.Context, model, id string) (world.Record, error) {
	found, err := t.app.reader.Record(ctx, t.tx, t.view, model, id)
	if err != nil {
		return world.Record{}, err
	}
	out := world.Record{ID: found.ID, Version: found.Version}
	d := json.NewDecoder(bytes.NewReader(found.Data))
	d.UseNumber()
	return out, d.Decode(&out.Values)
}

func (t *transaction) Find(ctx context.Context, model string, equal map[string]any, limit int) ([]string, error) {
	values, err := wire(equal)
	if err != nil {
		return nil, err
	}
	return t.app.reader.Find(ctx, t.tx, t.view, model, values, limit)
}

func (t *transaction) Create(_ context.Context, model string, values map[string]any) (string, error) {
	saved, err := t.save(record.Change{Model: model}, values)
	return saved.ID, err
}

func (t *transaction) CreateAll(_ context.Context, model string, rows []map[string]any) ([]string, error) {
	ids := make([]string, len(rows))
	for i, values := range rows {
		saved, err := t.save(record.Change{Model: model}, values)
		if err != nil {
			return nil, &world.RowError{Row: i, Err: err}
		}
		ids[i] = saved.ID
	}
	return ids, nil
}

func (t *transaction) Update(_ context.Context, model, id string, version int64, values map[string]any) (int64, error) {
	if id == "" {
		return 0, fault.New(fault.RecordNotFound)
	}
	saved, err := t.save(record.Change{Model: model, ID: id, Version: &version}, values)
	return saved.Version, err
}

func (t *transaction) save(ch record.Change, values map[string]any) (record.Saved, error) {
	if t.batch == nil {
		return record.Saved{}, errReadOnly
	}
	var err error
	if ch.Set, err = wire(values); err != nil {
		return record.Saved{}, err
	}
	return t.batch.Save(ch)
}

func (t *transaction) Delete(_ context.Context, model, id string) error {
	if t.batch == nil {
		return errReadOnly
	}
	return t.batch.Delete(model, id)
}

func (t *transaction) Stays(ctx context.Context, model string, ids []string) (map[string]string, error) {
	return t.app.writer.Stays(ctx, t.tx, t.view, model, ids)
}

func wire(values map[string]any) (map[string]json.RawMessage, error) {
	out := make(map[string]json.RawMessage, len(values))
	for code, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("value of %s: %w", code, err)
		}
		out[code] = text
	}
	return out, nil
}
