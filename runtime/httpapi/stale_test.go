package httpapi

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	platform "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// dismisses takes somebody's roles.
func (w *world) dismisses(t *testing.T, name string) {
	t.Helper()
	root, active := w.app.Caller(t.Context(), administrator)
	require.True(t, active)
	id := w.id(t, name)
	require.NoError(t, w.app.Act(t.Context(), root, func(s platform.World) error {
		now, err := s.Get(t.Context(), "user", id)
		if err == nil {
			_, err = s.Update(t.Context(), "user", id, now.Version, map[string]any{"roles": []any{}})
		}
		return err
	}))
}

func openAgents(t *testing.T, o store.Options) *world {
	t.Helper()
	w := openTickets(t, app.Config{Dir: o.Dir, URL: o.URL})
	require.NoError(t, w.addAdministrator(t.Context()))
	return w
}

// TestStaleOrganisation: while the organisation cannot be read again, a call is answered with 503 after a second, and never with the rights of before; when
// it can, with those of now.
func TestStaleOrganisation(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := openAgents(t, o)
		token, list := w.token(t, "agent"), `{"schemaCode":"ticket"}`
		require.Zero(t, w.withToken(t, token, "POST", listPath, list).Errcode)

		// Another reading holds the connection of what is kept in memory.
		holds, frees := make(chan bool, 1), make(chan bool)
		free := sync.OnceFunc(func() { close(frees) })
		t.Cleanup(free) // or nothing closes
		other := store.NewMirror(w.app.Store(), func() store.Moment { return store.Moment{} }, func(context.Context, *store.Tx, store.Moment, int) (int, error) {
			holds <- true
			<-frees
			return 0, nil
		})
		go func() { _, _ = other.Now(context.Background()) }()
		<-holds
		w.dismisses(t, "agent")
		for range 2 {
			begun := time.Now()
			w.unavailable(t, w.withToken(t, token, "POST", listPath, list), fault.Unavailable)
			require.Greater(t, time.Since(begun), 900*time.Millisecond)
			require.Less(t, time.Since(begun), 3*time.Second)
		}
		require.Equal(t, 200, w.get(t, anonymous, "/healthz").Code)
		free()
		require.Eventually(t, func() bool {
			code := w.withToken(t, token, "POST", listPath, list).Errcode
			require.NotZero(t, code)
			return code == fault.ModelNotFound
		}, 20*time.Second, 10*time.Millisecond)
	})
}

// TestRevokedRight: the first call after a role was taken away is refused, and on another node soon after, not only when somebody signs in again.
func TestRevokedRight(t *testing.T) {
	t.Parallel()
	const list = `{"schemaCode":"ticket"}`
	t.Run("here", func(t *testing.T) {
		w := openAgents(t, store.Options{})
		token := w.token(t, "agent")
		require.Zero(t, w.withToken(t, token, "POST", listPath, list).Errcode)
		w.dismisses(t, "agent")
		require.Equal(t, fault.ModelNotFound, w.withToken(t, token, "POST", listPath, list).Errcode)
	})
	t.Run("elsewhere", func(t *testing.T) {
		here, there := twoNodes(t)
		require.NoError(t, here.addAdministrator(t.Context()))
		token := here.token(t, "agent")
		require.NoError(t, there.app.People().Refresh(t.Context()))
		require.Zero(t, there.withToken(t, token, "POST", listPath, list).Errcode)
		here.dismisses(t, "agent")
		begun := time.Now()
		require.Eventually(t, func() bool { return there.withToken(t, token, "POST", listPath, list).Errcode == fault.ModelNotFound }, time.Second, time.Millisecond)
		t.Log("refused on the other node after", time.Since(begun))
	})
}
