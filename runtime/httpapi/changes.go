package httpapi

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
)

const (
	maxWatched = 20  // models of one page
	maxChanges = 200 // records of one event
)

// change is a record that somebody else has written.
type change struct {
	ID   string      `json:"id"`
	Kind record.Kind `json:"kind"`
	By   string      `json:"by,omitempty"` // the name of who wrote it, when the reader may know
}

// tellChanges writes into an event what its reader may know of it: the records that others wrote and that he may see. A record
// that is gone can no longer be judged, so only those hear of it who may see all of the model. False = there is nothing to tell.
func (s *Server) tellChanges(ctx context.Context, p principal.Principal, e *app.Event) bool {
	state := s.app.State()
	view := state.Policy.View(p, s.app.Now(), s.app.Zone())
	kinds, deleters, order := map[string]record.Kind{}, map[string]string{}, []string{}
	for _, w := range e.Written {
		if w.UserID == p.UserID {
			continue
		}
		before, known := kinds[w.Record]
		if !known {
			order = append(order, w.Record)
		}
		if w.Kind == record.Deleted {
			deleters[w.Record] = w.UserID
		}
		if w.Kind == record.Derived {
			w.Kind = record.Updated
		}
		switch kinds[w.Record] = w.Kind; {
		case before == record.Created && w.Kind == record.Updated, w.Kind == record.Restored: // it was not there before
			kinds[w.Record] = record.Created
		}
	}
	seen := map[string]string{}
	for ids := range slices.Chunk(order, maxChanges) {
		part, err := s.app.Reader().Seen(ctx, view, e.Watched, ids)
		if err != nil {
			return false // the model may not be viewed, or not any more
		}
		maps.Copy(seen, part)
	}
	all, who := query.SeesAll(view, e.Watched)
	out := []change{}
	for _, id := range order {
		by, sees := seen[id]
		if who && kinds[id] == record.Deleted {
			by = deleters[id]
		}
		if sees || all && kinds[id] == record.Deleted {
			out = append(out, change{ID: id, Kind: kinds[id], By: s.nameOf(ctx, by)})
		}
	}
	if len(out) == 0 {
		return false
	}
	more := len(out) > maxChanges // of those that he may see: the others shall not show, not even as a number
	if more {
		out = out[len(out)-maxChanges:]
	}
	data, err := json.Marshal(map[string]any{"schemaCode": e.Watched, "changes": out, "more": more})
	e.Data = string(data)
	return err == nil
}

// nameOf is the name of a person, "" of nobody.
func (s *Server) nameOf(ctx context.Context, id string) string {
	if id == "" {
		return ""
	}
	person, _ := s.app.People().Person(ctx, id)
	return person.Name
}
