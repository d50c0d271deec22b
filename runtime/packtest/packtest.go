// Package packtest boots a pack for its own tests: the whole product on a database in a temporary folder, with the pack's documents and
// code in it. It is for packs outside this repository as well.
//
//	s := packtest.Boot(t, plugins.Register, quality.Register)
//	err := s.Do(s.Person("chen", "inspector"), func(ctx context.Context, w world.World) error { ... })
package packtest

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn/authntest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
)

func init() { authntest.Cheapen() }

// Zone is the time zone of the systems that Boot makes.
var Zone = time.FixedZone("CST", 8*3600)

// System is a running product with packs. It ends with its test.
type System struct {
	*app.App
	Dir   string // of the files
	set   *pack.Set
	t     testing.TB
	ahead atomic.Int64 // of the true time, nanoseconds
	ended sync.Once
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
	return boot(t, at, false, register)
}

// Serve is BootOn for a product that serves, as with sluice serve: it also does what starts with a server.
func Serve(t testing.TB, at Database, register ...pack.Registrar) *System {
	t.Helper()
	return boot(t, at, true, register)
}

func boot(t testing.TB, at Database, serving bool, register []pack.Registrar) *System {
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
	s := &System{t: t, Dir: at.Dir, set: set}
	clock := func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Zone: Zone}, URL: at.URL, Dir: at.Dir,
		Clock: clock, Log: slog.New(slog.DiscardHandler), Workers: 1, Serving: serving})
	if err != nil {
		if faulty := (*app.Faulty)(nil); errors.As(err, &faulty) {
			_ = diag.WriteText(t.Output(), faulty.List, "en")
		}
		t.Fatal(err)
	}
	s.App = a
	t.Cleanup(s.End)
	return s
}

// End closes the system before its test is over, so that another one can be booted on its database.
func (s *System) End() {
	s.ended.Do(func() {
		if err := s.Close(); err != nil {
			s.t.Error(err)
		}
	})
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

// View is what a person sees at this moment, for the readers of the product.
func (s *System) View(who principal.Principal) *authz.View {
	return s.State().Policy.View(who, s.Now(), Zone)
}

// patience bounds the waits for jobs; pause is how often a wait looks.
const (
	patience = 5 * time.Minute
	pause    = 100 * time.Millisecond
)

// Wait returns a job of a person when it has ended.
func (s *System) Wait(t testing.TB, who principal.Principal, id string) job.Job {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		j, err := s.Jobs().Get(aside(), who.UserID, id)
		if err != nil {
			t.Fatal(err)
		}
		if j.Finished != nil {
			return j
		}
	}
	t.Fatalf("the job %s has not ended", id)
	return job.Job{}
}

// RunDue starts the jobs whose schedule is due by the system's clock, and returns when no job is queued or running.
func (s *System) RunDue(t testing.TB) {
	t.Helper()
	if err := s.StartDue(context.Background()); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		counts, err := s.Jobs().Counts(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if counts[job.Queued]+counts[job.Running] == 0 {
			return
		}
	}
	t.Fatal("the jobs have not ended")
}

// History reads what is told of a record's writes, the latest first.
func (s *System) History(t testing.TB, who principal.Principal, model, id string) []query.HistoryEntry {
	t.Helper()
	page, err := s.Reader().History(context.Background(), s.View(who), query.HistoryRequest{SchemaCode: model, BizObjectID: id})
	if err != nil {
		t.Fatal(err)
	}
	return page.Content
}
