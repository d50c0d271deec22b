package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/record"
)

// changesOf follows what a person's page hears of a model.
func (w *world) changesOf(t *testing.T, ctx context.Context, actor, model string) <-chan []change {
	t.Helper()
	b := newBrowser(t)
	request, err := http.NewRequestWithContext(ctx, "GET", b.base+"/api/events?watch="+model, nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+w.token(t, actor))
	response, err := b.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	require.Equal(t, http.StatusOK, response.StatusCode)
	out := make(chan []change, 100)
	go func() {
		defer close(out)
		name := ""
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if of, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = of
			} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && name == "changes" {
				var e struct {
					SchemaCode string
					Changes    []change
				}
				if json.Unmarshal([]byte(data), &e) == nil && e.SchemaCode == model {
					out <- e.Changes
				}
			}
		}
	}()
	return out
}

// TestChanges: a page hears what others write in the model that it watches, of records that its reader may see, and of nothing
// else: not what they wrote themselves, not records beyond their rows, not those of other models.
func TestChanges(t *testing.T) {
	w := shared
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	reader := w.person(t, "changes.reader")
	his := w.changesOf(t, ctx, reader, "drawing")
	own := w.changesOf(t, ctx, administrator, "drawing")
	sites := w.changesOf(t, ctx, administrator, "site")
	hidden := w.changesOf(t, ctx, reader, "site") // may not view the model
	next := func(from <-chan []change) []change {
		select {
		case got := <-from:
			return got
		case <-ctx.Done():
			t.Fatal("no event")
			return nil
		}
	}
	save := func(body string) (id string, version int64) {
		var saved struct {
			ID      string
			Version int64
		}
		w.post(t, administrator, savePath, body).into(t, &saved)
		return saved.ID, saved.Version
	}
	me, ok := w.app.People().PersonByName(ctx, administrator)
	require.True(t, ok)
	require.NotEmpty(t, me.Name)
	review, _ := save(`{"schemaCode":"drawing","data":{"number":"CH-1","name":"x","discipline":"GATES","status":"REVIEW"}}`)
	open, version := save(`{"schemaCode":"drawing","data":{"number":"CH-2","name":"y","discipline":"GATES","status":"ISSUED"}}`)
	require.Equal(t, []change{{ID: open, Kind: "create", By: me.Name}}, next(his), "not the one under review, %s", review)
	save(`{"schemaCode":"drawing","id":"` + open + `","version":1,"data":{"name":"z"}}`)
	require.EqualValues(t, 1, version)
	require.Equal(t, []change{{ID: open, Kind: "update", By: me.Name}}, next(his))
	site := w.addSite(t, "CHANGES-1")
	// Deleted records can no longer be judged: a reader with conditions on rows hears nothing of them.
	require.Zero(t, w.post(t, administrator, "/api/runtime/query/delete", `{"schemaCode":"drawing","ids":["`+open+`"]}`).Errcode)
	last, _ := save(`{"schemaCode":"drawing","data":{"number":"CH-3","name":"y","discipline":"GATES","status":"ISSUED"}}`)
	require.Equal(t, []change{{ID: last, Kind: "create", By: me.Name}}, next(his))
	require.NotEmpty(t, site)
	require.Never(t, func() bool { return len(own)+len(sites)+len(hidden)+len(his) > 0 }, 300*time.Millisecond, 50*time.Millisecond,
		"nobody hears of what he wrote himself or may not see")
}

// TestWatchLimit: a page watches so many models.
func TestWatchLimit(t *testing.T) {
	path := "/api/events?watch=a" + strings.Repeat("&watch=a", maxWatched)
	shared.refused(t, fault.BadParameter, call{method: "GET", path: path, actor: viewer})
}

// TestUnseenChangesAreNoNumber: however many records change that a reader may not see, their event says nothing of them.
func TestUnseenChangesAreNoNumber(t *testing.T) {
	w := shared
	person, ok := w.app.People().PersonByName(t.Context(), w.person(t, "changes.counter"))
	require.True(t, ok)
	me, ok := w.app.People().PersonByName(t.Context(), administrator)
	require.True(t, ok)
	var seen struct{ ID string }
	w.post(t, administrator, savePath, `{"schemaCode":"drawing","data":{"number":"CH-9","name":"y","discipline":"GATES","status":"ISSUED"}}`).into(t, &seen)
	written := []record.Written{{Record: seen.ID, Kind: record.Created}}
	for i := range 3 * maxChanges {
		written = append(written, record.Written{Record: fmt.Sprintf("00000000-0000-7000-8000-%012d", i), Kind: record.Updated})
	}
	// Who may see all of the model hears who deleted a record; who may see some of it hears nothing of it.
	gone := app.Event{Watched: "drawing", Written: []record.Written{{Record: seen.ID, Kind: record.Deleted, UserID: person.ID}}}
	require.False(t, w.tellChanges(t.Context(), authn.Principal(t.Context(), w.app.People(), person, ""), &gone))
	require.True(t, w.tellChanges(t.Context(), authn.Principal(t.Context(), w.app.People(), me, ""), &gone))
	require.JSONEq(t, `{"schemaCode": "drawing", "changes": [{"id": "`+seen.ID+`", "kind": "delete", "by": "`+person.Name+`"}], "more": false}`, gone.Data)
	e := app.Event{Watched: "drawing", Written: written}
	require.True(t, w.tellChanges(t.Context(), authn.Principal(t.Context(), w.app.People(), person, ""), &e))
	require.JSONEq(t, `{"schemaCode": "drawing", "changes": [{"id": "`+seen.ID+`", "kind": "create", "by": "`+me.Name+`"}], "more": false}`, e.Data)
}
