// Package directory keeps the people, departments and roles of the organisation in memory: names for pages, memberships
// for rights, and the search of pickers. It reads the reserved models of the pack organisation and is at most one second
// stale (docs/architecture.md).
package directory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Codes of the reserved models.
const (
	User       = "user"
	Department = "department"
	Role       = "role"
)

// Directory implements principal.Directory.
type Directory struct {
	db      *store.DB
	catalog atomic.Pointer[catalog.Catalog]
	tables  atomic.Pointer[[]string] // of the models that are read
	mirror  *store.Mirror[*snapshot]
	sounds  hearing
}

var _ principal.Directory = (*Directory)(nil)

// New reads the organisation.
func New(ctx context.Context, db *store.DB, c *catalog.Catalog) (*Directory, error) {
	d := &Directory{db: db}
	d.mirror = store.NewMirror(db, d.moment, d.read)
	d.Use(c)
	return d, d.Refresh(ctx)
}

// Use takes the models of a new catalog.
func (d *Directory) Use(c *catalog.Catalog) {
	var tables []string
	for _, code := range []string{User, Department, Role} {
		if m := c.Model(code); m != nil {
			tables = append(tables, m.Table)
		}
	}
	d.catalog.Store(c)
	d.tables.Store(&tables)
	d.db.NoteRows(tables...)
}

// Catalog is the one whose models are read.
func (d *Directory) Catalog() *catalog.Catalog { return d.catalog.Load() }

// Refresh reads everything again, also what no news of other processes has come about yet.
func (d *Directory) Refresh(ctx context.Context) error { return d.mirror.Refresh(ctx) }

func (d *Directory) moment() store.Moment {
	return store.Moment{Version: d.version(), Catalog: d.catalog.Load()}
}

// read makes a snapshot out of one before, which may be nil.
func (d *Directory) read(ctx context.Context, tx *store.Tx, at store.Moment, before *snapshot) (*snapshot, error) {
	c := at.Catalog.(*catalog.Catalog)
	s, err := read(ctx, d.db, tx, c, before)
	if err != nil {
		return nil, fmt.Errorf("read the organisation: %w", err)
	}
	s.catalog = c
	return s, nil
}

// Version changes with every write to the organisation.
func (d *Directory) Version() uint64 { return d.version() }

// version changes with every write to the models that the directory reads.
func (d *Directory) version() uint64 { return d.db.Versions(*d.tables.Load()...) }

// snapshot returns the organisation as it is now, or the last one that could be read.
func (d *Directory) snapshot(ctx context.Context) *snapshot {
	s, _ := d.mirror.Now(ctx)
	return s
}

// Fresh waits until the organisation is known as it is now, for at most a second: rights are decided by nothing older. It fails with
// store.ErrStale.
func (d *Directory) Fresh(ctx context.Context) error {
	_, err := d.mirror.Now(ctx)
	return err
}

// Person returns a user by id.
func (d *Directory) Person(ctx context.Context, id string) (principal.Person, bool) {
	p, ok := d.snapshot(ctx).people[id]
	return p, ok
}

// PersonByName returns a user by the sign-in name, compared without case.
func (d *Directory) PersonByName(ctx context.Context, username string) (principal.Person, bool) {
	s := d.snapshot(ctx)
	id, ok := s.byUsername[fold(username)]
	return s.people[id], ok
}

// ByEmail returns the people with an address, compared without the case of ASCII letters: others have look-alikes that become the same
// (the Kelvin sign and k). Disabled people are among them.
func (d *Directory) ByEmail(ctx context.Context, email string) (out []principal.Person) {
	want := lowerASCII(strings.TrimSpace(email))
	if want == "" {
		return nil
	}
	for _, p := range d.snapshot(ctx).people {
		if lowerASCII(p.Email) == want {
			out = append(out, p)
		}
	}
	return out
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// People lists everybody, also those who are disabled, by username.
func (d *Directory) People(ctx context.Context) []principal.Person {
	of := d.snapshot(ctx).people
	out := make([]principal.Person, 0, len(of))
	for _, p := range of {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b principal.Person) int { return strings.Compare(a.Username, b.Username) })
	return out
}

// Department returns a department by id.
func (d *Directory) Department(ctx context.Context, id string) (principal.Department, bool) {
	dep, ok := d.snapshot(ctx).departments[id]
	return dep, ok
}

// RoleID returns the id of the record of a role.
func (d *Directory) RoleID(ctx context.Context, code string) (string, bool) {
	id, ok := d.snapshot(ctx).roleIDs[fold(code)]
	return id, ok
}

// RoleCodes returns the codes of all roles.
func (d *Directory) RoleCodes(ctx context.Context) []string {
	return slices.Clone(d.snapshot(ctx).roles)
}

// Below returns departments and all below them, each once, in the order of the tree.
func (d *Directory) Below(ctx context.Context, departments []string) []string {
	s := d.snapshot(ctx)
	var out []string
	seen := map[string]bool{}
	var walk func(ids []string)
	walk = func(ids []string) {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
				walk(s.children[id])
			}
		}
	}
	walk(departments)
	return out
}
