package exporter

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Action is the word of access documents and lists that lets somebody export. It is also the kind of the jobs.
const Action = "export"

// Limits of exports.
const (
	largest   = 1 << 30 // bytes of a file
	mostKept  = 4 << 30 // bytes of a person's files
	underWay  = 5       // unfinished exports of a person
	holder    = "sl_export"
	keepUsual = 30 * 24 * time.Hour
)

// Config of a Service.
type Config struct {
	DB     *store.DB
	Reader *query.Reader
	Policy func() *authz.Policy
	// Caller is the principal of a person as they are now; false when they may not act any more.
	Caller func(ctx context.Context, user string) (principal.Principal, bool)
	Clock  func() time.Time
	Zone   *time.Location
	// Address is the installation's address, such as https://sluice.example.com; without it files link to nothing.
	Address string
	// Keep is how long files stay; 0 = 30 days.
	Keep time.Duration
}

// Service exports lists, and keeps the files of other makers in the same way. It is safe for concurrent use.
type Service struct {
	Config
	jobs  *job.Queue
	files *blob.Service
	// perFile and perPerson are largest and mostKept; tests make them smaller.
	perFile, perPerson int64
	makers             map[string]Maker // by kind
}

// New makes a Service; Use gives it its queue and the place of files.
func New(c Config) *Service {
	if c.Keep == 0 {
		c.Keep = keepUsual
	}
	s := &Service{Config: c, perFile: largest, perPerson: mostKept, makers: map[string]Maker{}}
	s.Add(lists{s})
	return s
}

// Use tells the queue that does the work and where files are kept; without files nothing can be exported.
func (s *Service) Use(q *job.Queue, files *blob.Service) { s.jobs, s.files = q, files }

// Workers do the jobs, by kind.
func (s *Service) Workers() map[string]job.Worker {
	out := map[string]job.Worker{}
	for kind := range s.makers {
		out[kind] = job.WorkerFunc(s.work)
	}
	return out
}
