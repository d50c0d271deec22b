package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sluice-platform/sluice/engine/plan"
)

// pin locks the tables as pg_dump does: a table that is written again is empty to a snapshot from before. It is the first statement,
// so that the snapshot begins after it.
func (*postgresDialect) pin(ctx context.Context, c conn, tables []string) error {
	if len(tables) == 0 {
		return nil
	}
	_, err := c.ExecContext(ctx, "LOCK TABLE "+idents(tables)+" IN ACCESS SHARE MODE")
	return err
}

func (d *postgresDialect) keys(st plan.Storage) (off, on script) {
	for _, t := range st.Tables {
		for _, f := range foreignKeys(st, t) {
			off.add("ALTER TABLE ", Ident(f.table), " DROP CONSTRAINT IF EXISTS ", quote(f.name()))
			d.createKey(&on, &storageDiff{}, tableDiff{}, f)
		}
	}
	return off, on
}

// lockRestore is held by who makes a new database beside the old one.
const lockRestore = 0x736c75696365_04

// namespace is a schema in which a new database is made, and which then gets the name of the old one's.
type namespace struct {
	c         *pgx.Conn // holds the lock
	at, made  string    // names of schemas
	o         Options
	occupied  bool
	swappedIn bool
}

func newNamespace(ctx context.Context, o Options, left func(string, bool) error) (Place, error) {
	c, err := connectOne(ctx, o.URL)
	if err != nil {
		return nil, errors.New("open PostgreSQL: the server cannot be reached, or refuses") // the error would print the URL
	}
	n := &namespace{c: c, o: o, made: restoringSchema + strings.ToLower(rand.Text())}
	if err := n.open(ctx, left); err != nil {
		return nil, errors.Join(err, c.Close(context.WithoutCancel(ctx)))
	}
	return n, nil
}

const restoringSchema = "sluice_restoring_"

func (n *namespace) open(ctx context.Context, forgotten func(string, bool) error) error {
	u, err := url.Parse(n.o.URL)
	if err != nil {
		return errors.New("database URL cannot be read")
	}
	q := u.Query()
	q.Set("search_path", n.made)
	u.RawQuery = q.Encode()
	n.o.URL = u.String()
	if err := n.unused(ctx, "pg_try_advisory_lock($1)", lockRestore); err != nil {
		return err
	}
	if err := n.unused(ctx, noOthers); err != nil {
		return err
	}
	var at *string
	if err := n.c.QueryRow(ctx, "SELECT current_schema()").Scan(&at); err != nil {
		return err
	}
	if at == nil {
		return errors.New("the role finds no schema in its search_path")
	}
	n.at = *at
	foreign, err := n.list(ctx, `SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename !~ '^(sl_|d_|river_)' ORDER BY 1`, n.at)
	if err != nil {
		return err
	}
	if len(foreign) > 0 {
		return fmt.Errorf("%w: %s", ErrForeign, strings.Join(foreign, ", "))
	}
	if err := n.c.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_tables WHERE schemaname = $1", n.at).Scan(&n.occupied); err != nil {
		return err
	}
	if err := n.clear(ctx, forgotten); err != nil {
		return err
	}
	_, err = n.c.Exec(ctx, "CREATE SCHEMA "+quote(n.made))
	return err
}

// left are the new databases of restores, those that were killed among them.
func (n *namespace) left(ctx context.Context) ([]string, error) {
	return n.list(ctx, `SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1)`, restoringSchema)
}

// clear removes what killed restores left. The connection holds lockRestore.
func (n *namespace) clear(ctx context.Context, forgotten func(string, bool) error) error {
	left, err := n.left(ctx)
	for _, name := range left {
		if err == nil {
			err = forgotten(name, false)
		}
		if errors.Is(err, ErrLeave) {
			err = nil
			continue
		}
		if err == nil {
			_, err = n.c.Exec(ctx, "DROP SCHEMA "+quote(name)+" CASCADE")
		}
	}
	return err
}

func sweepNamespaces(ctx context.Context, url string, more bool, forgotten func(string, bool) error, then func() error) error {
	c, err := connectOne(ctx, url)
	if err != nil {
		return errors.New("open PostgreSQL: the server cannot be reached, or refuses") // the error would print the URL
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }()
	n := &namespace{c: c}
	left, err := n.left(ctx)
	if err != nil || len(left) == 0 && !more {
		return err
	}
	alone := false
	if err := c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lockRestore).Scan(&alone); err != nil || !alone {
		return err
	}
	if err := n.clear(ctx, forgotten); err != nil {
		return err
	}
	return then()
}

// noOthers: no program of ours is connected, servers above all.
const noOthers = `NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sluice' AND pid <> pg_backend_pid())`

// unused waits a little for a condition: connections of a program that ended are there for a moment.
func (n *namespace) unused(ctx context.Context, condition string, args ...any) error {
	const patience, pause = 3 * time.Second, 50 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		var ok bool
		if err := n.c.QueryRow(ctx, "SELECT "+condition, args...).Scan(&ok); err != nil || ok {
			return err
		}
		if time.Now().After(end) {
			return ErrInUse
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (n *namespace) list(ctx context.Context, text string, args ...any) ([]string, error) {
	rows, err := n.c.Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (n *namespace) Name() string     { return n.made }
func (n *namespace) Options() Options { return n.o }
func (n *namespace) Occupied() bool   { return n.occupied }

func (n *namespace) Swap(ctx context.Context) (kept string, err error) {
	if err := n.unused(ctx, noOthers); err != nil { // the new database was closed a moment ago
		return "", err
	}
	err = pgx.BeginFunc(ctx, n.c, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", lockSchema); err != nil {
			return err
		}
		away := "DROP SCHEMA " + quote(n.at)
		if n.occupied {
			kept = "sluice_before_" + moment(n.o)
			away = "ALTER SCHEMA " + quote(n.at) + " RENAME TO " + quote(kept)
		}
		for _, text := range []string{away, "ALTER SCHEMA " + quote(n.made) + " RENAME TO " + quote(n.at)} {
			if _, err := tx.Exec(ctx, text); err != nil {
				return fmt.Errorf("%s (the role must own the schema): %w", text, err)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	n.swappedIn = true
	return kept, nil
}

func (n *namespace) Close() error {
	ctx := context.Background()
	var err error
	if !n.swappedIn {
		_, err = n.c.Exec(ctx, "DROP SCHEMA IF EXISTS "+quote(n.made)+" CASCADE")
	}
	return errors.Join(err, n.c.Close(ctx))
}
