package backup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Target is where an installation is made of a backup.
type Target struct {
	Store   store.Options // with the gorm models of the system tables
	Files   string        // place of uploaded files, as blob.Open takes it
	Replace bool          // an installation that is there may be replaced

	// Key is the key of the installation, given that of the backup, "" where there is none; NewKeys does without it.
	Key     func(kept secret.Text) (secret.Text, error)
	NewKeys bool
	// Swapping is called when all is ready and nothing has been replaced.
	Swapping func() error
	// Note is called in the transaction that fills the new database.
	Note func(context.Context, *store.Tx, Head) error
}

// ErrOccupied: there is an installation already.
var ErrOccupied = errors.New("there is an installation already; --replace puts the backup in its place and keeps the old database beside it")

// Restored tells what was done.
type Restored struct {
	Head     Head
	Manifest Manifest
	Kept     string // where the old database is; "" = there was none
}

// Restore makes an installation of a backup, which open opens from its beginning, beside what is there, and puts it in its place when all
// of it has been read, compared and written. Uploaded files are added before: nobody knows of them until then.
func Restore(ctx context.Context, open func() (io.ReadCloser, error), to Target) (out Restored, err error) {
	r := &restoring{Target: to, open: open}
	if out.Head, out.Manifest, err = r.pass(sink{}); err != nil {
		return out, err
	}
	r.head, r.manifest = out.Head, out.Manifest
	place, err := store.NewPlace(ctx, to.Store, func(name string, swapped bool) error { return r.forgotten(ctx, name, swapped) })
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	if place.Occupied() && !to.Replace {
		return out, ErrOccupied
	}
	files, err := blob.Open(ctx, nil, to.Files, to.Store.Clock)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, r.settle(context.WithoutCancel(ctx), files, err == nil)) }()
	r.name = place.Name()
	if err := r.fill(ctx, place.Options(), files); err != nil {
		return out, err
	}
	if to.Swapping != nil {
		if err := to.Swapping(); err != nil {
			return out, err
		}
	}
	out.Kept, err = place.Swap(ctx)
	return out, err
}

// forgotten takes away the files that a restore brought which was killed, unless its database is in place.
func (r *restoring) forgotten(ctx context.Context, name string, swapped bool) error {
	files, err := blob.Open(ctx, nil, r.Files, r.Store.Clock)
	if err != nil {
		return err
	}
	if swapped {
		err = files.Stay(ctx, name)
	} else {
		err = files.Withdraw(ctx, name)
	}
	return errors.Join(err, files.Close())
}

// Sweep removes what restores of the target left that were killed: new databases, the files that they brought and their lists. It leaves alone one
// that is under way. held says that this process holds the folder of SQLite. Who is not sure where the files are takes away only what has its list there:
// without it nobody would find the files.
func Sweep(ctx context.Context, to Target, held, sure bool) error {
	r := &restoring{Target: to}
	var lists []string
	if _, err := os.Stat(to.Files); err == nil || strings.Contains(to.Files, "://") { // opening a folder makes it
		files, err := blob.Open(ctx, nil, to.Files, to.Store.Clock)
		if err != nil {
			return err
		}
		lists, err = files.Lists(ctx)
		if err := errors.Join(err, files.Close()); err != nil {
			return err
		}
	}
	left := func(name string, swapped bool) error {
		if !sure && !slices.Contains(lists, name) {
			return store.ErrLeave
		}
		return r.forgotten(ctx, name, swapped)
	}
	return store.Sweep(ctx, to.Store, held, len(lists) > 0, left, func() error {
		for _, name := range lists { // what has a new database no more was put in place
			if err := r.forgotten(ctx, name, true); err != nil {
				return err
			}
		}
		return nil
	})
}

// settle is the end of a restore for its files.
func (r *restoring) settle(ctx context.Context, files *blob.Service, done bool) error {
	var err error
	if done {
		err = files.Stay(ctx, r.name)
	} else {
		err = files.Withdraw(ctx, r.name)
	}
	return errors.Join(err, files.Close())
}

type restoring struct {
	Target
	name     string // of the new database
	open     func() (io.ReadCloser, error)
	head     Head
	manifest Manifest
	kept     secret.Text
	differ   map[string]bool // files that are there with other contents
	known    hash.Hash       // of the ids of files in the table
	brought  hash.Hash       // and of those in the backup
}

func (r *restoring) pass(to sink) (Head, Manifest, error) {
	from, err := r.open()
	if err != nil {
		return Head{}, Manifest{}, err
	}
	head, m, err := read(from, to)
	return head, m, errors.Join(err, from.Close())
}

// fill makes the new database.
func (r *restoring) fill(ctx context.Context, at store.Options, files *blob.Service) (err error) {
	db, err := store.Open(ctx, at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Build(ctx, r.head.Storage, r.head.Digest); err != nil {
		return err
	}
	if err := db.Load(ctx, at.System, r.head.Version, func(l *store.Loader) error { return r.load(ctx, l, files) }); err != nil {
		return err
	}
	if len(r.differ) > 0 {
		_, _, err := r.pass(sink{file: func(id string, size int64, from io.Reader, check func() error) error {
			if !r.differ[id] {
				return nil
			}
			return files.Bring(ctx, id, size, from, true, check)
		}})
		if err != nil {
			return err
		}
	}
	return db.EnsureIndexes(ctx)
}

func (r *restoring) load(ctx context.Context, l *store.Loader, files *blob.Service) error {
	r.known, r.brought, r.differ = sha256.New(), sha256.New(), map[string]bool{}
	missing := map[string]bool{}
	for _, id := range r.manifest.Missing {
		missing[id] = true
	}
	for _, t := range r.head.Tables {
		if err := r.fits(l, t); err != nil {
			return err
		}
	}
	list, err := files.Bringing(ctx, r.name)
	if err != nil {
		return err
	}
	defer list.Abort()
	_, _, err = r.pass(sink{
		key: func(key secret.Text) error { r.kept = key; return nil },
		rows: func(t store.DumpTable, rows [][]any) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			have, _ := l.Table(t.Name)
			if t.Name == (blob.File{}).TableName() {
				id := slices.IndexFunc(t.Columns, func(c store.DumpColumn) bool { return c.Name == "id" })
				for _, row := range rows {
					if name, _ := row[id].(string); !missing[name] {
						fmt.Fprintln(r.known, name)
						if err := list.Note(ctx, name); err != nil {
							return err
						}
					}
				}
			}
			return l.Rows(ctx, have, t.Columns, rows)
		},
		ended: func() error {
			if err := list.Keep(); err != nil {
				return err
			}
			return r.renew(ctx, l.Tx())
		},
		file: func(id string, size int64, from io.Reader, check func() error) error {
			fmt.Fprintln(r.brought, id)
			err := files.Bring(ctx, id, size, from, false, check)
			if errors.Is(err, blob.ErrDiffers) {
				r.differ[id] = true
				return nil
			}
			return err
		},
	})
	if err == nil && string(r.known.Sum(nil)) != string(r.brought.Sum(nil)) {
		err = damaged("the files are not those that the database names")
	}
	return err
}

// fits refuses a table of a newer program.
func (r *restoring) fits(l *store.Loader, t store.DumpTable) error {
	have, ok := l.Table(t.Name)
	for _, c := range t.Columns {
		ok = ok && have.Holds(c)
	}
	if !ok {
		return &VersionError{Format: r.head.Format, Program: r.head.Program, Table: t.Name}
	}
	return nil
}

// renew ends what must not go on in a copy: tokens of the original. Jobs go on, from where they were.
func (r *restoring) renew(ctx context.Context, tx *store.Tx) error {
	if err := authn.Renew(tx, r.NewKeys); err != nil {
		return err
	}
	if !r.NewKeys {
		if err := authn.Opens(tx, func(bool) (secret.Text, error) { return r.Key(r.kept) }); err != nil {
			return fmt.Errorf("%w; --new-keys restores without them", err)
		}
	}
	if err := job.Restored(tx); err != nil || r.Note == nil {
		return err
	}
	return r.Note(ctx, tx, r.head)
}
