package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// Keys of the advisory locks, any fixed numbers: "sluice" and a digit.
const (
	lockSchema  = 0x736c75696365_02 // shared by every write, alone for an apply
	lockIndexes = 0x736c75696365_03 // who builds indexes
	lockNamed   = 0x736c7569        // first of the two numbers of a named lock, which are a space of their own
)

const postgresConns = 16

// LeastConns is how many connections to PostgreSQL a pool needs: one listens, one holds the lock of who builds indexes, and one reads or
// writes. Nobody who holds one waits for another, so that with these everything ends.
const LeastConns = 3

// connectTimeout is shorter than a call's deadline: a server that does not answer is away, and the call is not to blame.
const connectTimeout = 4 * time.Second

// postgresDialect is a pool of connections to one PostgreSQL database, shared with the other nodes.
type postgresDialect struct {
	node string // of this process, any word that no other has
	pool *pgxpool.Pool
	db   *sql.DB
	// asides is one connection that reads, for mirrors; aside leads to it.
	asides *pgxpool.Pool
	aside  *sql.DB
	g      *gorm.DB
	wake   chan struct{} // a write of this process wants others to look

	groups sync.Map      // name -> *postgresGroup
	slots  chan struct{} // groups at work, each of which takes two connections
	hurry  time.Duration // after which a group takes no further caller

	building chan struct{} // holds who builds indexes, or waits for another process that does
}

var _ dialect = (*postgresDialect)(nil)

func openPostgres(ctx context.Context, o Options) (dialect, error) {
	cfg, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, errors.New("database URL cannot be read") // the error would print the URL
	}
	if !strings.Contains(o.URL, "pool_max_conns=") {
		cfg.MaxConns = postgresConns
	}
	if cfg.MaxConns < LeastConns {
		return nil, fmt.Errorf("pool_max_conns of the database URL is %d, and at least %d connections are needed", cfg.MaxConns, LeastConns)
	}
	cfg.ConnConfig.RuntimeParams["timezone"] = "UTC"
	cfg.ConnConfig.RuntimeParams["client_encoding"] = "UTF8"
	cfg.ConnConfig.RuntimeParams["application_name"] = "sluice"
	if !strings.Contains(o.URL, "connect_timeout=") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		// To compile a statement takes a tenth of a second, for each of its workers, and saves less of statements such as ours.
		_, err := c.Exec(ctx, "SET jit = off")
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	d := &postgresDialect{node: rand.Text(), pool: pool, db: openPinned(pool), wake: make(chan struct{}, 1),
		slots: make(chan struct{}, max(1, cfg.MaxConns/4)), hurry: groupTime,
		building: make(chan struct{}, 1)}
	one := cfg.Copy()
	one.MinConns, one.MinIdleConns, one.MaxConns = 0, 0, 1
	if d.asides, err = pgxpool.NewWithConfig(ctx, one); err != nil {
		d.close()
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	d.aside = openPinned(d.asides)
	if err := pool.Ping(ctx); err != nil {
		d.close()
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	if d.g, err = openGorm(postgres.New(postgres.Config{Conn: d.db})); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// connectOne opens a connection beside a pool. Its address may have the settings of one, such as pool_max_conns.
func connectOne(ctx context.Context, url string) (*pgx.Conn, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("database URL cannot be read") // the error would print the URL
	}
	return pgx.ConnectConfig(ctx, cfg.ConnConfig)
}

func postgresExists(ctx context.Context, o Options) (bool, error) {
	c, err := connectOne(ctx, o.URL)
	if err != nil {
		return false, fmt.Errorf("open PostgreSQL: %w", err)
	}
	defer c.Close(context.WithoutCancel(ctx))
	has, n := false, 0
	if err := c.QueryRow(ctx, `SELECT to_regclass('sl_schema') IS NOT NULL`).Scan(&has); err != nil || !has {
		return false, err
	}
	err = c.QueryRow(ctx, `SELECT count(*) FROM sl_schema WHERE id = 1`).Scan(&n)
	return n > 0, err
}

func (d *postgresDialect) name() string  { return "postgres" }
func (d *postgresDialect) orm() *gorm.DB { return d.g }

func (d *postgresDialect) writing() *sql.DB { return d.db }
func (d *postgresDialect) shared() bool     { return true }

func (d *postgresDialect) close() error {
	d.groups.Range(func(_, g any) bool { _ = g.(*postgresGroup).close(); return true })
	err := d.db.Close()
	d.pool.Close()
	if d.asides != nil {
		err = errors.Join(err, d.aside.Close())
		d.asides.Close()
	}
	return err
}

func (d *postgresDialect) read(ctx context.Context, how look, f func(conn) error) error {
	pool, one := d.db, how.one
	if how.aside {
		pool = d.aside
	}
	c, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	own, err := pgxOf(c)
	if err != nil {
		return err
	}
	if one {
		if _, err := own.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
	}
	err = f(postgresReader{c, own})
	if !one {
		return err
	}
	return d.ended(ctx, own, err)
}

// ended ends a read transaction. A caller who depends on the version of the documents learns with the same trip whether it is still what it
// was: asked inside, the transaction would answer what it was at its beginning.
func (d *postgresDialect) ended(ctx context.Context, own *pgx.Conn, err error) error {
	over := context.WithoutCancel(ctx) // nothing was written: a connection that fails is thrown away
	want, asks := reading(ctx)
	if !asks {
		_, _ = own.Exec(over, "COMMIT")
		return err
	}
	q := &pgx.Batch{}
	q.Queue("COMMIT")
	var now int64
	q.Queue(selectVersion).QueryRow(func(row pgx.Row) error { return row.Scan(&now) })
	e := own.SendBatch(over, q).Close()
	if !own.IsClosed() && own.PgConn().TxStatus() != 'I' { // after a failure no statement can be prepared
		_, _ = own.Exec(over, "ROLLBACK")
	}
	switch {
	case e == nil && now != want:
		return errors.Join(ErrSchemaMoved, err)
	case err == nil && !errors.Is(e, pgx.ErrNoRows):
		return e
	}
	return err
}

func (d *postgresDialect) write(ctx context.Context, how sharing, f func(conn) error) error {
	if err := d.commit(ctx, how, f); err != nil {
		return err
	}
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}

func (d *postgresDialect) commit(ctx context.Context, how sharing, f func(conn) error) error {
	if g := d.group(how.name); g != nil {
		return g.write(ctx, f)
	}
	return d.writeAlone(ctx, f)
}

// begin takes the schema lock as one of many; an apply waits for all of them and they for it.
func (d *postgresDialect) begin(ctx context.Context, c conn) error {
	if _, ok := c.(*postgresBatch); ok { // it has the lock
		return nil
	}
	_, err := c.ExecContext(ctx, "SELECT pg_advisory_xact_lock_shared($1)", lockSchema)
	return err
}

// lock takes a lock by the hash of its name; names that meet in it wait for each other needlessly.
func (d *postgresDialect) lock(ctx context.Context, c conn, name string, how Holding) error {
	f := map[Holding]string{Shared: "pg_advisory_xact_lock_shared", Alone: "pg_advisory_xact_lock"}[how]
	_, err := c.ExecContext(ctx, "SELECT "+f+"($1::int, hashtext($2))", lockNamed, name)
	return err
}

func (*postgresDialect) id(id string) any {
	if !isUUID(id) {
		return noID
	}
	return id
}

// hold takes the rows in the order of their ids: two that hold the same ones do not wait for each other.
func (d *postgresDialect) hold(ctx context.Context, c conn, table string, ids []string, how Holding) error {
	text := "SELECT count(*) FROM (SELECT 1 FROM " + Ident(table) + ` WHERE "id" = ANY($1) ORDER BY "id" FOR `
	text += map[Holding]string{Shared: "SHARE", Alone: "NO KEY UPDATE"}[how] + ") AS held"
	_, err := c.ExecContext(ctx, text, array(uuids(ids)))
	return err
}

func (d *postgresDialect) conflict(err error) bool {
	var e *pgconn.PgError
	if errors.As(err, &e) && (e.Code == "40P01" || e.Code == "40001") { // deadlock, serialization failure
		return true
	}
	return errors.Is(err, errUndone) || errors.Is(err, errApart)
}

func (d *postgresDialect) refused(err error) (refusal, bool) {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return refusal{}, false
	}
	switch e.Code {
	case "23505":
		return refusal{unique: true, constraint: e.ConstraintName, table: e.TableName}, true
	case "23503", "23001":
		return refusal{constraint: e.ConstraintName, table: e.TableName}, true
	}
	return refusal{}, false
}
