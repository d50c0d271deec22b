package audit_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestLog: entries are stored with what they tell of or not at all, come back in the order of time, by person, kind and time, page by
// page, and go only when they are old.
func TestLog(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		var now atomic.Pointer[time.Time]
		begin := time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)
		now.Store(&begin)
		o.System, o.Clock = audit.Tables(), func() time.Time { return *now.Load() }
		db := storetest.Open(t, o)
		log := audit.Log{DB: db}
		ctx := audit.From(t.Context(), audit.Origin{Address: func() string { return "192.0.2.7" }, Actor: "chen", Name: "陈"})
		write := func(ctx context.Context, e audit.Entry) {
			t.Helper()
			require.NoError(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return audit.Write(ctx, tx, e) }))
			at := now.Load().Add(time.Minute)
			now.Store(&at)
		}
		write(ctx, audit.Entry{Kind: audit.PasswordSet, Subject: "wang", About: "王"})
		write(t.Context(), audit.Entry{Kind: audit.SignInFailed, Address: "192.0.2.8", Failed: true})
		write(audit.ByCommand(t.Context()), audit.Entry{Kind: audit.TokenMade, Subject: "chen", Detail: map[string]string{"label": strings.Repeat("长", 400)}})
		write(ctx, audit.Entry{Kind: audit.Exported, Subject: "contract"})

		given := errors.New("given up")
		require.ErrorIs(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			require.NoError(t, audit.Write(ctx, tx, audit.Entry{Kind: audit.Exported}))
			return given
		}), given)
		require.Error(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return audit.Write(ctx, tx, audit.Entry{Kind: "something"})
		}))

		kinds := func(q audit.Query) (out []audit.Kind) {
			for q.Size = 2; ; {
				p, err := log.Page(t.Context(), q)
				require.NoError(t, err)
				require.LessOrEqual(t, len(p.Entries), 2)
				for _, e := range p.Entries {
					out = append(out, e.Kind)
				}
				if q.Cursor = p.Next; q.Cursor == "" {
					return out
				}
			}
		}
		require.Equal(t, []audit.Kind{audit.Exported, audit.TokenMade, audit.SignInFailed, audit.PasswordSet}, kinds(audit.Query{}))
		require.Equal(t, []audit.Kind{audit.Exported, audit.TokenMade, audit.PasswordSet}, kinds(audit.Query{Person: "chen"}))
		require.Equal(t, []audit.Kind{audit.TokenMade, audit.PasswordSet}, kinds(audit.Query{Kinds: []audit.Kind{audit.TokenMade, audit.PasswordSet}}))
		require.Equal(t, []audit.Kind{audit.TokenMade, audit.SignInFailed}, kinds(audit.Query{From: begin.Add(time.Minute), To: begin.Add(3 * time.Minute)}))
		_, err := log.Page(t.Context(), audit.Query{Cursor: "' OR 1=1", Size: 1})
		require.ErrorIs(t, err, audit.ErrCursor)

		p, err := log.Page(t.Context(), audit.Query{Size: 10})
		require.NoError(t, err)
		first, command := p.Entries[3], p.Entries[1]
		require.Equal(t, audit.Entry{ID: first.ID, At: begin, Kind: audit.PasswordSet, Actor: "chen", Name: "陈", Address: "192.0.2.7", Subject: "wang", About: "王", Detail: map[string]string{}}, first)
		require.Equal(t, audit.CommandLine, command.Address)
		require.Len(t, []rune(command.Detail["label"]), 300)

		gone, err := log.Sweep(t.Context(), begin.Add(2*time.Minute))
		require.NoError(t, err)
		require.EqualValues(t, 2, gone)
		require.Equal(t, []audit.Kind{audit.Exported, audit.TokenMade}, kinds(audit.Query{}))
	})
}
