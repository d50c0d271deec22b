// Package directory keeps the organisation in memory: people, departments and roles for rights, names for pages, the
// search of pickers, and the names of administrative divisions. It reads the reserved models by their codes and is at
// most one second stale (DESIGN section 5); it stands beside runtime/query, which asks it instead of joining.
package directory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Codes of the reserved models.
const (
	User       = "user"
	Department = "department"
	Role       = "role"
)

// Directory implements principal.Directory. It reads the models again when one of their tables has changed.
type Directory struct {
	db      *store.DB
	catalog atomic.Pointer[catalog.Catalog]
	current atomic.Pointer[organisation]
	loading sync.Mutex
}

var _ principal.Directory = (*Directory)(nil)

// New reads the organisation of a catalog's reserved models.
func New(ctx context.Context, db *store.DB, c *catalog.Catalog) (*Directory, error) {
	d := &Directory{db: db}
	d.Use(c)
	return d, d.Refresh(ctx)
}

// Use takes the models of a new catalog.
func (d *Directory) Use(c *catalog.Catalog) { d.catalog.Store(c) }

// Refresh reads everything again.
func (d *Directory) Refresh(ctx context.Context) error {
	d.loading.Lock()
	defer d.loading.Unlock()
	return d.load(ctx)
}

func (d *Directory) load(ctx context.Context) error {
	c := d.catalog.Load()
	version := d.version(c)
	o, err := readOrganisation(ctx, d.db, c)
	if err != nil {
		return fmt.Errorf("read the organisation: %w", err)
	}
	o.version, o.of = version, c
	d.current.Store(o)
	return nil
}

func (d *Directory) version(c *catalog.Catalog) uint64 {
	var tables []string
	for _, code := range []string{User, Department, Role} {
		if m := c.Model(code); m != nil {
			tables = append(tables, m.Table)
		}
	}
	return d.db.Versions(tables...)
}

// organisation returns what is known now. A failed reading leaves the last one in use.
func (d *Directory) organisation(ctx context.Context) *organisation {
	fresh := func() (*organisation, bool) {
		o, c := d.current.Load(), d.catalog.Load()
		return o, o.of == c && o.version == d.version(c)
	}
	if o, ok := fresh(); ok {
		return o
	}
	d.loading.Lock()
	defer d.loading.Unlock()
	o, ok := fresh()
	if !ok && d.load(context.WithoutCancel(ctx)) == nil {
		o = d.current.Load()
	}
	return o
}

// Person returns a user by id.
func (d *Directory) Person(ctx context.Context, id string) (principal.Person, bool) {
	p, ok := d.organisation(ctx).people[id]
	return p, ok
}

// PersonByName returns a user by the sign-in name, compared without case.
func (d *Directory) PersonByName(ctx context.Context, username string) (principal.Person, bool) {
	o := d.organisation(ctx)
	p, ok := o.people[o.byUsername[store.Fold(username)]]
	return p, ok
}

// Department returns a department's name and the one above it.
func (d *Directory) Department(ctx context.Context, id string) (principal.Department, bool) {
	dep, ok := d.organisation(ctx).departments[id]
	return dep, ok
}

// RoleID returns the id of the record of a role.
func (d *Directory) RoleID(ctx context.Context, code string) (string, bool) {
	id, ok := d.organisation(ctx).roles[strings.ToLower(code)]
	return id, ok
}

// Below returns the departments and all below them, each once.
func (d *Directory) Below(ctx context.Context, departments []string) []string {
	o := d.organisation(ctx)
	out := slices.Clone(departments)
	seen := map[string]bool{}
	for _, id := range out {
		seen[id] = true
	}
	for i := 0; i < len(out); i++ {
		for _, id := range o.children[out[i]] {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// Knows tells whether Name answers for records of a model. The names of people and departments are open to everybody who
// is signed in; all else about them follows the rights to the two models.
func Knows(model string) bool {
	return strings.EqualFold(model, User) || strings.EqualFold(model, Department)
}

// Name returns the display name of a person or department.
func (d *Directory) Name(ctx context.Context, ref plan.Ref) (property.Named, bool) {
	o := d.organisation(ctx)
	if strings.EqualFold(ref.Model, User) {
		p, ok := o.people[ref.ID]
		return property.Named{Name: p.Name, ImageURL: p.ImageURL}, ok
	}
	if strings.EqualFold(ref.Model, Department) {
		dep, ok := o.departments[ref.ID]
		return property.Named{Name: dep.Name}, ok
	}
	return property.Named{}, false
}
