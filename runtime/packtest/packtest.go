// Package packtest boots a pack for its own tests: the whole product on a database in a temporary folder, with the pack's documents and
// code in it. It is for packs outside this repository as well.
//
//	s := packtest.Boot(t, plugins.Register, quality.Register)
//	err := s.Do(s.Person("chen", "inspector"), func(ctx context.Context, w world.World) error { ... })
package packtest

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
)

// Zone is the time zone of the systems that Boot makes.
var Zone = time.FixedZone("CST", 8*3600)

// System is a running product with packs. It ends with its test.
type System struct {
	*app.App
	Dir   string // of the files
	t     testing.TB
	ahead atomic.Int64 // of the true time, nanoseconds
}

// Advance moves the system's clock.
func (s *System) Advance(by time.Duration) { s.ahead.Add(int64(by)) }

// Boot starts a product with the packs that the registrars add: plugins.Register for those of the program, which are always needed, and the
// pack under test. Documents or code with an error end the test.
func Boot(t testing.TB, register ...pack.Registrar) *System {
	t.Helper()
	return BootOn(t, Database{Dir: t.TempDir()}, register...)
}

// Database is where a system keeps its data: PostgreSQL at URL, or SQLite in Dir. Files lie in Dir.
type Database struct{ URL, Dir string }

// BootOn is Boot on a database.
func BootOn(t testing.TB, at Database, register ...pack.Registrar) *System {
	t.Helper()
	if at.Dir == "" {
		at.Dir = t.TempDir()
	}
	set := &pack.Set{}
	for _, r := range register {
		if err := r(set); err != nil {
			t.Fatal(err)
		}
	}
	set.Freeze()
	s := &System{t: t, Dir: at.Dir}
	clock := func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Zone: Zone}, URL: at.URL, Dir: at.Dir,
		Clock: clock, Log: slog.New(slog.DiscardHandler), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	s.App = a
	return s
}

// Person makes a user with roles and returns the principal.
func (s *System) Person(username string, roles ...string) principal.Principal {
	s.t.Helper()
	if _, err := s.AddUser(context.Background(), username, username, roles); err != nil {
		s.t.Fatal(err)
	}
	p, ok := s.Caller(context.Background(), username)
	if !ok {
		s.t.Fatalf("%s is not there", username)
	}
	return p
}

// Do runs f in one transaction with the rights of a person. It is stored when f returns nil.
func (s *System) Do(who principal.Principal, f func(ctx context.Context, w world.World) error) error {
	ctx := context.Background()
	return s.Act(ctx, who, func(w world.World) error { return f(ctx, w) })
}

// History reads what is told of a record's writes, the latest first.
func (s *System) History(t testing.TB, who principal.Principal, model, id string) []query.HistoryEntry {
	t.Helper()
	state := s.State()
	page, err := s.Reader().History(context.Background(), state.Policy.View(who, s.Now(), Zone), query.HistoryRequest{SchemaCode: model, BizObjectID: id})
	if err != nil {
		t.Fatal(err)
	}
	return page.Content
}
