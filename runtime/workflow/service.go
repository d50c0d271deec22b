package workflow

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// AdminPermission is the platform permission of those who administer workflows.
const AdminPermission = authz.Workflows

// Config is what a Service works with.
type Config struct {
	DB     *store.DB
	Reader *query.Reader
	Writer *record.Writer
	People *directory.Directory
	Notify *notify.Service
	Clock  func() time.Time
	Zone   *time.Location
	Log    *slog.Logger
	// Caller is a person with the roles of this moment; false for those who may not sign in.
	Caller func(ctx context.Context, user string) (principal.Principal, bool)
	Policy func() *authz.Policy
	// Work runs code of packs inside a transaction: with the role that pack.json declares for a reason, in the name of a person; without a
	// reason with the person's rights.
	Work     func(ctx context.Context, tx *store.Tx, user, reason string, f func(w world.World) error) error
	Services func(name string) (world.Service, bool)
	Rules    func(name string) (hook.Rule, bool)
	HTTP     *http.Client // of runtime/outbound; nil = nothing outside is called
	// Sources say who is in groups and projects; World is what they look at.
	Sources []world.ParticipantSource
	World   func(view *authz.View, tx *store.Tx) world.World
	// Proposed compiles a document that somebody proposes for a workflow.
	Proposed func(ctx context.Context, pack, code string, document []byte) (*catalog.Workflow, error)
}

// Service runs workflows. It is safe for concurrent use.
type Service struct {
	cfg   Config
	notes *notes // of a Service that rehearses; nil = it is in earnest

	// Stirred tells that something of another instance, or in the background, is due: Fire should run soon.
	Stirred chan struct{}

	mu      sync.Mutex
	current map[string]version           // by code: what new instances run
	old     map[string]*catalog.Workflow // by code and version, linked against the catalog of
	are     map[string]bool              // by code and version, whether it is what of defines
	of      *catalog.Catalog

	calendars *store.Mirror[calendars]
	missing   sync.Map // codes of calendars that were told to be missing

	following sync.Mutex
	followed  followed
}

// version is a workflow with the number that instances keep.
type version struct {
	number int
	digest string
	epoch  int64 // at which that was found
}

// New makes a Service.
func New(cfg Config) *Service {
	s := fresh(cfg)
	cfg.Reader.LetReadFiles(s.readsFile)
	cfg.Reader.LetReadThroughTasks(s.readsThroughTask)
	cfg.Reader.LetSeal(s.Sealed)
	cfg.Reader.LetStart(s.canStart)
	cfg.DB.OnChange(s.stirred)
	return s
}

// fresh is a Service that nobody else knows of.
func fresh(cfg Config) *Service {
	s := &Service{cfg: cfg, Stirred: make(chan struct{}, 1), current: map[string]version{}, old: map[string]*catalog.Workflow{}}
	s.calendars = store.NewMirror(cfg.DB, s.calendarsAt, s.readCalendars)
	return s
}

func digestOf(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// number returns the version of a workflow as it is defined now, and keeps its document when instances run it for the first time.
func (s *Service) number(tx *store.Tx, c *catalog.Catalog, w *catalog.Workflow) (int, error) {
	digest := digestOf(w.Document)
	s.mu.Lock()
	known := s.current[w.Template.Code]
	s.mu.Unlock()
	if known.digest == digest && known.epoch == tx.Epoch() {
		return known.number, nil
	}
	number, _, err := s.versionOf(tx, c, w)
	if err == nil && number == 0 {
		if err := tx.Lock(tx.Context(), "workflow template "+w.Template.Code); err != nil {
			return 0, err
		}
		var last int
		if number, last, err = s.versionOf(tx, c, w); err == nil && number == 0 {
			row := template{Code: w.Template.Code, Version: last + 1, Pack: w.Pack, Digest: digest, Document: w.Document, Created: s.cfg.Clock().UTC(), Epoch: tx.Epoch(), Seals: w.Final}
			return row.Version, tx.System().Create(&row).Error // remembered when another transaction finds it committed
		}
	}
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current[w.Template.Code] = version{number, digest, tx.Epoch()}
	return number, nil
}

// versionOf finds the newest version that a workflow of now is, and the number of the last one; 0 where there is none.
func (s *Service) versionOf(tx *store.Tx, c *catalog.Catalog, w *catalog.Workflow) (number, last int, err error) {
	var rows []template
	if err := tx.System().Omit("document").Where("code = ?", w.Template.Code).Order("version DESC").Find(&rows).Error; err != nil {
		return 0, 0, err
	}
	for _, row := range rows {
		last = max(last, row.Version)
		if same, err := s.same(tx, c, w, row); err != nil || same {
			return row.Version, last, err
		}
	}
	return 0, last, nil
}

// workflow returns the version of a workflow that an instance runs, linked against a catalog (docs/adr/0072). Of a version of which nothing can
// be made there is the state alone: its template has no nodes, and the instance can be voided, moved to another version or deleted.
func (s *Service) workflow(tx *store.Tx, c *catalog.Catalog, code string, number int) (*catalog.Workflow, error) {
	now := c.Workflow(code)
	key := fmt.Sprintf("%s@%d", code, number)
	s.mu.Lock()
	known, old := s.current[code], s.old[key]
	if s.of != c {
		old = nil
	}
	s.mu.Unlock()
	if now != nil && known.number == number && known.epoch == tx.Epoch() && known.digest == digestOf(now.Document) {
		return now, nil
	}
	if old != nil {
		return old, nil
	}
	var row template
	found := tx.System().Where("code = ? AND version = ?", code, number).Limit(1).Find(&row)
	if found.Error != nil {
		return nil, fmt.Errorf("version %d of workflow %s: %w", number, code, found.Error)
	}
	if found.RowsAffected == 0 {
		return s.unreadable(template{Code: code, Version: number}, nil), nil
	}
	if now != nil {
		if same, err := s.same(tx, c, now, row); err != nil {
			return nil, err
		} else if same {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.current[code] = version{number, digestOf(now.Document), tx.Epoch()}
			return now, nil
		}
	}
	w := s.earlier(c, row)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look(c)
	s.old[key] = w
	return w, nil
}

// earlier links a version.
func (s *Service) earlier(c *catalog.Catalog, of template) *catalog.Workflow {
	w, found := linkedAgain(c, s.cfg.DB.NamesFor(c.Storage.Names), of)
	if w == nil {
		return s.unreadable(of, found)
	}
	return w
}

// linkedAgain links a version against a catalog whose names a log leads to; nil, with what was found, where nothing can be made of it.
func linkedAgain(c *catalog.Catalog, log *names.Log, of template) (*catalog.Workflow, diag.List) {
	value, found := c.Earlier(catalog.KindWorkflow, of.Pack, of.Code, of.Document, log.Since(of.Epoch, of.Created))
	w, _ := value.(*catalog.Workflow)
	return w, found
}

// unreadable is a version of which nothing is known but its code.
func (s *Service) unreadable(of template, found diag.List) *catalog.Workflow {
	s.cfg.Log.Error("a version of a workflow cannot be read: its instances can be moved to another version, voided or deleted", "workflow", of.Code, "version", of.Version, "found", found)
	return &catalog.Workflow{Template: &flow.Template{Code: of.Code, Version: of.Version}, Pack: of.Pack, Label: plan.Label{Zh: of.Code}, AdminVoids: true, Nodes: map[string]*catalog.WorkflowNode{}, Document: of.Document}
}

// Person is somebody in an answer (api.yaml CommentPerson).
type Person struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ImageURL *string `json:"imgUrl"`
}

func (s *Service) person(ctx context.Context, id string) Person {
	who, _ := s.cfg.People.Name(ctx, plan.Ref{Model: directory.User, ID: id})
	p := Person{ID: id, Name: who.Name}
	if who.ImageURL != "" {
		p.ImageURL = &who.ImageURL
	}
	return p
}

func (s *Service) persons(ctx context.Context, ids []string) []Person {
	out := []Person{}
	for _, id := range ids {
		if id != "" {
			out = append(out, s.person(ctx, id))
		}
	}
	return out
}

func (s *Service) someone(ctx context.Context, id string) *Person {
	if id == "" {
		return nil
	}
	p := s.person(ctx, id)
	return &p
}

// systemView reads and writes for the workflow itself.
func (s *Service) systemView() *authz.View {
	return s.cfg.Policy().View(principal.System("workflow"), s.cfg.Clock(), s.cfg.Zone)
}

// admins are the people who may administer workflows.
func (s *Service) admins(ctx context.Context) (out []string) {
	policy := s.cfg.Policy()
	for _, permission := range []string{AdminPermission, "ADMIN", "SYS_MNG"} {
		var roles []string
		for _, r := range policy.Catalog().Roles {
			if policy.Permits([]string{r.Code}, permission) {
				roles = append(roles, r.Code)
			}
		}
		for _, p := range s.cfg.People.People(ctx) {
			if !p.Disabled && holds(p.Roles, roles) {
				out = append(out, p.ID)
			}
		}
		if len(out) > 0 {
			break // the next permission only where nobody has this one
		}
	}
	slices.Sort(out)
	return out
}

// Administered reports whether somebody gets the tasks for which nobody else is found.
func (s *Service) Administered(ctx context.Context) bool { return len(s.admins(ctx)) > 0 }

func holds(have, want []string) bool {
	return slices.ContainsFunc(want, func(w string) bool {
		return slices.ContainsFunc(have, func(h string) bool { return strings.EqualFold(h, w) })
	})
}

// administers reports whether a caller may administer workflows.
func administers(view *authz.View) bool { return view.Has(AdminPermission) }

// Verify returns the state that is kept of an instance and the one that its events make, which are the same (docs/adr/0053).
func (s *Service) Verify(ctx context.Context, id string) (kept, rebuilt *flow.State, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var row instance
		if err := tx.System().Where("id = ?", id).Take(&row).Error; err != nil {
			return err
		}
		if kept, err = row.state(tx.NameLog()); err != nil {
			return err
		}
		made, broken, failed := rebuiltOf(tx, row)
		rebuilt = made
		return cmp.Or(failed, broken)
	})
	return kept, rebuilt, err
}
