package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Call answers the call of a pack's route with the JSON of its data: rights, input, the action in one transaction, output.
// GET calls only read, so they run beside writers. Another call with a token runs once: a repeat gets the first one's answer.
func (a *App) Call(ctx context.Context, view *authz.View, r *catalog.Route, in Input) (json.RawMessage, error) {
	call, err := callOf(view, r, in)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodGet {
		var out []byte
		err = a.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			call.World = &transaction{app: a, view: view, tx: tx}
			out, err = answer(ctx, r, call)
			return err
		})
		return out, err
	}
	var out []byte
	err = a.together(ctx, view, func(b *record.Batch) error {
		call.World = &transaction{app: a, view: b.View(), tx: b.Tx(), batch: b, keeps: in.Token != ""}
		first, err := b.Once(in.Token, r.Method+" "+r.Path+" "+string(in.Body)+in.sum(), func() (data []byte, err error) {
			data, err = answer(ctx, r, call)
			out = data
			return data, err
		})
		if err == nil {
			out = first
		}
		return err
	})
	return out, err
}

// together runs f in one transaction. What an action wrote that only tried is not stored, and its answer is given all the same.
func (a *App) together(ctx context.Context, view *authz.View, f func(b *record.Batch) error) error {
	err := a.writer.Together(ctx, view, func(b *record.Batch) error {
		err := f(b)
		if errors.Is(err, action.ErrRehearsed) {
			b.Rehearse()
			return nil
		}
		return err
	})
	if errors.Is(err, record.ErrRehearsed) {
		return nil
	}
	return err
}

// Input is what a caller of a pack's route sends.
type Input struct {
	Body  []byte // one JSON object
	Token string // of calls that are repeated
	File  *blob.File
	Sum   string // of the file's bytes: a repeat has the same
}

func (in Input) sum() string {
	if in.File == nil {
		return ""
	}
	return " " + in.Sum
}

// May reports whether a caller may call a route: what comes before a body is read.
func (a *App) May(view *authz.View, r *catalog.Route) error {
	if !view.Call(r) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

// callOf checks the rights and the input of a call.
func callOf(view *authz.View, r *catalog.Route, in Input) (action.Call, error) {
	if !view.Call(r) {
		return action.Call{}, fault.New(fault.Forbidden)
	}
	var mismatch *action.Mismatch
	if err := r.Input.Check(in.Body); errors.As(err, &mismatch) {
		return action.Call{}, fault.Wrap(err, fault.BadParameter, mismatch)
	} else if err != nil {
		return action.Call{}, fault.Wrap(err, fault.BadJSON, err)
	}
	call := action.Call{Body: in.Body}
	if r.Model != nil {
		call.Model = r.Model.Code
	}
	if in.File != nil {
		f := fileOf(*in.File)
		call.Upload = &f
	}
	return call, nil
}

// Download answers the call of a route whose action gives a file: it writes the file to a place of the caller's and returns its name. After an
// error what was written is not a file.
func (a *App) Download(ctx context.Context, view *authz.View, r *catalog.Route, in Input, to io.Writer) (name string, err error) {
	call, err := callOf(view, r, in)
	if err != nil {
		return "", err
	}
	err = a.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		call.World = &transaction{app: a, view: view, tx: tx}
		out, err := r.Action.Run(ctx, call)
		if err != nil {
			return err
		}
		f, ok := out.(action.File)
		if !ok || f.Name == "" || f.Write == nil {
			return fmt.Errorf("the answer of action %s is no file with a name", r.Action.Name())
		}
		name = f.Name
		return f.Write(to)
	})
	return name, err
}

// answer runs the action and compares what it returns with what it promised. A rehearsal has an answer beside its error.
func answer(ctx context.Context, r *catalog.Route, call action.Call) ([]byte, error) {
	data, rehearsed := r.Action.Run(ctx, call)
	if rehearsed != nil && !errors.Is(rehearsed, action.ErrRehearsed) {
		return nil, rehearsed
	}
	out, err := json.Marshal(data)
	if err == nil {
		err = r.Output.Check(out)
	}
	if err != nil {
		return nil, fmt.Errorf("the answer of action %s: %w", r.Action.Name(), err)
	}
	return out, rehearsed
}
