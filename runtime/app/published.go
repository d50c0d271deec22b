package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// renewTime is how long a call waits for this node to take over what another one published.
const renewTime = 5 * time.Second

// takeOverAgain is when a node tries again that could not take over a version.
const takeOverAgain = 2 * time.Second

// Behind is why a node does not serve the definitions that the database has. It refuses writes until it does.
type Behind struct {
	Version int64 // that it could not take over
	Err     error
}

func (b *Behind) Error() string {
	return fmt.Sprintf("this node cannot serve version %d of the definitions: %v", b.Version, b.Err)
}

// Unwrap gives the reason.
func (b *Behind) Unwrap() error { return b.Err }

// readPublished makes the documents of the configuration those that the database has now.
func (d *Documents) readPublished(ctx context.Context, db *store.DB) (err error) {
	d.following, d.packWas = nil, nil
	if d.Published, d.Version, err = publish.Current(ctx, db); err != nil || len(d.Published) == 0 {
		return err
	}
	return d.followPacks()
}

// followPacks gives what was published in packs that have another code now to these: the rows follow when the rename is applied.
func (d *Documents) followPacks() error {
	own, _, err := d.own()
	if err != nil {
		return err
	}
	for _, f := range own {
		text, err := overlay.Text(f.Base, packFile)
		if err != nil || d.published(f.Code) != nil {
			continue // what cannot be read, the compiler reports
		}
		for _, was := range former(text) {
			of := d.published(was)
			if of == nil || slices.ContainsFunc(own, func(o Folder) bool { return strings.EqualFold(o.Code, was) }) {
				continue
			}
			if d.packWas == nil {
				d.packWas = map[string]string{}
			}
			d.packWas[f.Code] = was
			maps.DeleteFunc(d.Published, func(code string, _ []overlay.Document) bool { return strings.EqualFold(code, was) })
			d.Published[f.Code] = of
			break
		}
	}
	return nil
}

// packInDatabase is the code that rows of a pack have as long as its rename is not applied.
func (d *Documents) packInDatabase(code string) string { return cmp.Or(d.packWas[code], code) }

// WithPublished is the documents with those that were published into a database. These follow what the packs' own files rename.
func (d Documents) WithPublished(ctx context.Context, db *store.DB) (Documents, error) {
	err := d.readPublished(ctx, db)
	if err == nil {
		err = d.followRenames(ctx, db)
	}
	return d, err
}

// tablesChanged follows the changes of all nodes: new tables, or documents that were published.
func (a *App) tablesChanged(tables []string) {
	if tables == nil || slices.Contains(tables, store.SchemaTable) {
		a.lookAgain()
	}
	if tables == nil || slices.Contains(tables, setting{}.TableName()) {
		select {
		case a.branded <- struct{}{}:
		default: // it is about to
		}
	}
}

func (a *App) lookAgain() {
	select {
	case a.look <- struct{}{}:
	default: // it is about to
	}
}

// followPublished takes over what other nodes publish.
func (a *App) followPublished() {
	for {
		var again <-chan time.Time
		if err := a.takeOver(a.background); err != nil && a.background.Err() == nil {
			if b := (*Behind)(nil); !errors.As(err, &b) {
				a.cfg.Log.Warn("look for published definitions", "error", err)
			}
			again = time.After(takeOverAgain)
		}
		select {
		case <-a.background.Done():
			return
		case <-a.look:
		case <-again:
		}
	}
}

// takeOver serves the definitions that the database has, if these are not the ones that it serves. It takes no step: the one who published
// has. The error is *Behind where this node cannot.
func (a *App) takeOver(ctx context.Context) error {
	a.swap.Lock()
	defer a.swap.Unlock()
	version, moved, err := a.db.Moved(ctx)
	if err != nil {
		return err
	}
	if !moved && version == a.State().Catalog.Version {
		a.behind.Store(nil)
		return nil
	}
	d := a.cfg.Documents
	if err := d.readPublished(ctx, a.db); err != nil {
		return err
	}
	c, list, err := a.compiled(d)
	if err == nil && c == nil {
		err = &Faulty{List: list}
	}
	folders, _, _ := d.Folders() // which were read for the list
	a.tellConflicts(folders, list)
	if err == nil {
		err = a.fits(ctx, c)
	}
	if errors.Is(err, store.ErrMoved) { // meanwhile
		a.lookAgain()
		return nil
	}
	if err != nil {
		return a.fallBehind(&Behind{Version: d.Version, Err: err})
	}
	_, err = a.use(ctx, c)
	if errors.Is(err, store.ErrSchemaMoved) { // the next version is there already
		a.lookAgain()
		return nil
	}
	if err != nil {
		return a.fallBehind(&Behind{Version: d.Version, Err: err})
	}
	a.cfg.Log.Info("took over the published definitions", "version", c.Version)
	a.announce("catalog", c.Digest)
	a.catchUp()
	return nil
}

// fits makes the process work with tables that are just what a catalog wants.
func (a *App) fits(ctx context.Context, c *catalog.Catalog) error {
	p, err := a.db.Plan(ctx, c.Storage, store.PlanOptions{Dev: a.cfg.Dev, Version: c.Version, SameNames: true})
	if err != nil {
		return err
	}
	if p.Have != p.Want {
		return &Pending{Plan: p}
	}
	return a.db.Apply(ctx, p, store.ApplyOptions{})
}

func (a *App) fallBehind(b *Behind) error {
	if old := a.behind.Swap(b); old == nil || old.Error() != b.Error() {
		a.cfg.Log.Error("this node refuses writes until it can serve the published definitions", "version", b.Version, "error", b.Err)
		var faulty *Faulty
		if errors.As(b.Err, &faulty) {
			for _, d := range faulty.List {
				a.cfg.Log.Error(d.En, "code", d.Code, "at", d.Position.String())
			}
		}
	}
	a.swapped.ring()
	return b
}

// Renewed waits until the system serves other definitions than those of a state, and reports whether it does.
func (a *App) Renewed(ctx context.Context, old *State) bool {
	a.lookAgain()
	late := time.NewTimer(renewTime)
	defer late.Stop()
	for {
		next := a.swapped.wait()
		if a.State() != old {
			return true
		}
		if a.behind.Load() != nil {
			return false
		}
		select {
		case <-next:
		case <-ctx.Done():
			return false
		case <-late.C:
			return false
		}
	}
}

// bell wakes all who wait for it.
type bell struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait returns what is closed at the next ring.
func (b *bell) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}
