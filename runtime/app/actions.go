package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Call answers the call of a pack's route with the JSON of its data: rights, input, the action in one transaction, output.
// GET calls only read, so they run beside writers. Another call with a token runs once: a repeat gets the first one's answer.
func (a *App) Call(ctx context.Context, s *State, rt *authz.Rights, r *catalog.Route, input []byte, token string) (json.RawMessage, error) {
	if !rt.Call(r) {
		return nil, fault.New(fault.Forbidden)
	}
	var mismatch *action.Mismatch
	if err := r.Input.Check(input); errors.As(err, &mismatch) {
		return nil, fault.Wrap(err, fault.BadParameter, mismatch)
	} else if err != nil {
		return nil, fault.Wrap(err, fault.BadJSON, err)
	}
	call := action.Call{Principal: rt.Principal(), Body: input, Now: a.Now()}
	if r.Model != nil {
		call.Model = r.Model.Code
	}
	base := records{app: a, c: s.Catalog, rt: rt}
	if r.Method == http.MethodGet {
		var out []byte
		err := a.db.Read(ctx, func(tx *store.Tx) (err error) {
			base.tx = tx
			call.Records = &base
			out, err = answer(ctx, r, call)
			return err
		})
		return out, err
	}
	var out []byte
	err := a.writer.Together(ctx, s.Catalog, rt, func(b *record.Batch) (err error) {
		rec := base
		rec.tx, rec.batch = b.Tx(), b
		call.Records = &rec
		out, err = b.Once(token, r.Method+" "+r.Path+" "+string(input), func() ([]byte, error) { return answer(ctx, r, call) })
		return err
	})
	return out, err
}

// answer runs the action and compares what it returns with what it promised.
func answer(ctx context.Context, r *catalog.Route, call action.Call) ([]byte, error) {
	data, err := r.Action.Run(ctx, call)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(data)
	if err == nil {
		err = r.Output.Check(out)
	}
	if err != nil {
		return nil, fmt.Errorf("the answer of action %s: %w", r.Action.Name(), err)
	}
	return out, nil
}

// records are what an action sees of the records: the caller's rights, in one transaction.
type records struct {
	app   *App
	c     *catalog.Catalog
	rt    *authz.Rights
	tx    *store.Tx
	batch *record.Batch // nil: only reading
}

var _ action.Records = (*records)(nil)

// errReadOnly: browsers and proxies repeat GET calls as they like.
var errReadOnly = errors.New("the action of a GET route cannot write")

func (r *records) Get(ctx context.Context, model, id string) (action.Record, error) {
	found, err := r.app.reader.Record(ctx, r.tx, r.c, r.rt, model, id)
	if err != nil {
		return action.Record{}, err
	}
	out := action.Record{ID: found.ID, Version: found.Version}
	d := json.NewDecoder(bytes.NewReader(found.Data))
	d.UseNumber()
	return out, d.Decode(&out.Values)
}

func (r *records) Find(ctx context.Context, model string, equal map[string]any, limit int) ([]string, error) {
	values, err := wire(equal)
	if err != nil {
		return nil, err
	}
	return r.app.reader.Find(ctx, r.tx, r.c, r.rt, model, values, limit)
}

func (r *records) Create(_ context.Context, model string, values map[string]any) (string, error) {
	saved, err := r.save(record.Change{Model: model}, values)
	return saved.ID, err
}

func (r *records) Update(_ context.Context, model, id string, version int64, values map[string]any) (int64, error) {
	if id == "" {
		return 0, fault.New(fault.RecordNotFound)
	}
	saved, err := r.save(record.Change{Model: model, ID: id, Version: &version}, values)
	return saved.Version, err
}

func (r *records) save(ch record.Change, values map[string]any) (record.Saved, error) {
	if r.batch == nil {
		return record.Saved{}, errReadOnly
	}
	var err error
	if ch.Set, err = wire(values); err != nil {
		return record.Saved{}, err
	}
	return r.batch.Save(ch)
}

func (r *records) Delete(_ context.Context, model, id string) error {
	if r.batch == nil {
		return errReadOnly
	}
	return r.batch.Delete(model, id)
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
