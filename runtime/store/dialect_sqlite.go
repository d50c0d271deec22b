package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

const busyTimeout = 5 * time.Second // to wait for another process

// sqliteDialect is a file with one writer and several readers (WAL).
type sqliteDialect struct {
	writer, reader *sql.DB
	aside          *sql.DB // one connection that reads, for mirrors
	group          *group
	g              *gorm.DB
	busy           time.Duration
	seen           atomic.Int64 // what the last look found
}

var _ dialect = (*sqliteDialect)(nil)

// zones keeps what day_start has loaded, by name.
var zones sync.Map

// registerTrial adds a function that tries a text as a value of a kind; NULL = it is none.
func registerTrial(name string, to plan.Kind, stored func(any) (driver.Value, error)) error {
	return register(name, 1, func(args []driver.Value) (driver.Value, error) {
		text, ok := args[0].(string)
		if !ok {
			return nil, fmt.Errorf("%T is no text", args[0])
		}
		v := plan.Conversion{From: plan.Text}.Value(text, to)
		if v == nil {
			return nil, nil
		}
		return stored(v)
	})
}

// registerFunctions adds our functions to the driver, which keeps them for the whole process.
var registerFunctions = sync.OnceValue(func() error {
	return errors.Join(registerDecimals(), registerIDs(), registerCalls(), register("fold", 1, func(args []driver.Value) (driver.Value, error) {
		s, ok := args[0].(string)
		if !ok {
			return nil, fmt.Errorf("%T is no text", args[0])
		}
		return Fold(s), nil
	}), register("gram_tokens", 1, func(args []driver.Value) (driver.Value, error) {
		s, ok := args[0].(string)
		if !ok {
			return nil, fmt.Errorf("%T is no text", args[0])
		}
		return GramTokens(s), nil
	}), registerTrial("dec_parse", plan.Number, func(v any) (driver.Value, error) { return EncodeDecimal(v.(decimal.Decimal)) }),
		registerTrial("day_parse", plan.Date, func(v any) (driver.Value, error) { return v, nil }), registerConversions(), register("day_start", 2, func(args []driver.Value) (driver.Value, error) {
			name := fmt.Sprint(args[1])
			zone, known := zones.Load(name)
			if !known {
				loaded, err := time.LoadLocation(name)
				if err != nil {
					return nil, err
				}
				zone, _ = zones.LoadOrStore(name, loaded)
			}
			t, err := plan.StartOfDay(fmt.Sprint(args[0]), zone.(*time.Location))
			return encodeInstant(t), err
		}))
})

func openSQLite(ctx context.Context, o Options) (dialect, error) {
	if err := registerFunctions(); err != nil {
		return nil, err
	}
	if o.Dir == "" {
		return nil, errors.New("SQLite needs a folder")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("database folder: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(o.Dir, "sluice.db"))
	if err != nil {
		return nil, err
	}
	if err := writable(path); err != nil {
		return nil, err
	}
	busy := cmp.Or(o.Busy, busyTimeout)
	if o.Patience > 0 {
		busy = min(busy, time.Second)
	}
	d := &sqliteDialect{busy: busy, writer: openPool(sqliteName(path, busy, "_txlock=immediate", "journal_mode(WAL)", "synchronous(FULL)"))}
	d.writer.SetMaxOpenConns(1)
	d.writer.SetMaxIdleConns(1)
	d.group = newGroup(d.writer)
	d.group.patience, d.group.log = o.Patience, o.Log
	if err = firstContact(ctx, d.writer, busy); err != nil {
		d.writer.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	d.reader = openPool(sqliteName(path, busy, "mode=ro", "query_only(1)"))
	readers := cmp.Or(o.Readers, max(4, 2*runtime.NumCPU()))
	d.reader.SetMaxOpenConns(readers)
	d.reader.SetMaxIdleConns(readers)
	d.aside = openPool(sqliteName(path, busy, "mode=ro", "query_only(1)"))
	d.aside.SetMaxOpenConns(1)
	d.aside.SetMaxIdleConns(1)
	if d.g, err = openGorm(sqliteGorm{d.writer}); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// firstContact makes the first connection, which switches a new file to its journal. Two processes that do that at once would wait for each other, so
// SQLite refuses one at once instead of waiting as it does elsewhere.
func firstContact(ctx context.Context, db *sql.DB, busy time.Duration) error {
	for begun := time.Now(); ; {
		err := db.PingContext(ctx)
		if !locked(err) || time.Since(begun) > busy {
			return err
		}
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// writable says in the system's words why a file cannot be written, which SQLite tells as a number.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return f.Close()
}

// ErrServed: another process serves the SQLite folder.
var ErrServed = errors.New("another process serves this folder")

// Hold marks a SQLite folder as served by this process until release; a second holder gets ErrServed. The mark is a lock of the
// operating system on the file sluice.lock, so it ends with the process, however that ends; the file stays and means nothing.
func Hold(ctx context.Context, dir string) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("database folder: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(dir, "sluice.lock"))
	if err != nil {
		return nil, err
	}
	if err := writable(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?_txlock=exclusive")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	// The transaction writes nothing and outlives the call that begins it: release ends it.
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		_ = db.Close()
		if locked(err) {
			return nil, fmt.Errorf("%s: %w", dir, ErrServed)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() error { return errors.Join(tx.Rollback(), db.Close()) }, nil
}

// locked tells that another process has the lock.
func locked(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

func sqliteExists(ctx context.Context, o Options) (bool, error) {
	path, err := filepath.Abs(filepath.Join(o.Dir, "sluice.db"))
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("database folder: %w", err)
	}
	db := openPool(sqliteName(path, busyTimeout, "mode=ro", "query_only(1)"))
	defer db.Close()
	n := 0
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'sl_schema'`).Scan(&n); err != nil || n == 0 {
		return false, err
	}
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM sl_schema WHERE id = 1`).Scan(&n)
	return n > 0, err
}

// sqliteName is the driver's name of a database file: the driver takes pragmas and lock mode from the query.
func sqliteName(path string, busy time.Duration, mode string, pragmas ...string) string {
	var b strings.Builder
	b.WriteString("file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + mode + "&_time_format=sqlite&_timezone=UTC&_dqs=0")
	for _, p := range append([]string{fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()), "foreign_keys(1)", "cache_size(-8000)"}, pragmas...) {
		b.WriteString("&_pragma=" + url.QueryEscape(p))
	}
	return b.String()
}

func (d *sqliteDialect) name() string  { return "sqlite" }
func (d *sqliteDialect) orm() *gorm.DB { return d.g }

func (d *sqliteDialect) writing() *sql.DB { return d.writer }
func (d *sqliteDialect) shared() bool     { return false }

// close ends with a connection that nothing interrupted: what was interrupted last writes the log into the file no more.
func (d *sqliteDialect) close() error {
	err := errors.Join(d.reader.Close(), d.aside.Close(), d.group.close())
	_ = d.writer.PingContext(context.Background()) // opens a connection where an interrupted one is gone; the log is whole without
	return errors.Join(err, d.writer.Close())
}

func (d *sqliteDialect) begin(context.Context, conn) error { return nil } // the one write lock holds apply off

func (d *sqliteDialect) read(ctx context.Context, how look, f func(conn) error) error {
	pool, one := d.reader, how.one
	if how.aside {
		pool = d.aside
	}
	c, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var own *cachingConn
	if err := c.Raw(func(x any) error { own = x.(*cachingConn); return nil }); err != nil {
		return err
	}
	if one {
		if _, err := own.ExecContext(context.Background(), begin, nil); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer func() {
			if _, err := own.ExecContext(context.Background(), commit, nil); err != nil { // its snapshot must serve nobody else
				_ = c.Raw(func(any) error { return driver.ErrBadConn })
			}
		}()
	}
	s := sqliteSnapshot{c, own}
	err = f(s)
	if want, ok := reading(ctx); ok && one {
		var now int64 // in the same snapshot, tables included
		e := s.each(context.Background(), selectVersion, nil, countKinds, func(row []any) error { now, _ = row[0].(int64); return nil })
		if e == nil && now != want {
			return errors.Join(ErrSchemaMoved, err)
		}
	}
	return err
}

// lock has nothing to do: there is one writer.
func (d *sqliteDialect) lock(context.Context, conn, string, Holding) error {
	return nil
}

func (*sqliteDialect) id(id string) any { return packed(id) }

// hold has nothing to do either.
func (d *sqliteDialect) hold(context.Context, conn, string, []string, Holding) error { return nil }

func (d *sqliteDialect) conflict(err error) bool { return errors.Is(err, errUndone) }

func (d *sqliteDialect) write(ctx context.Context, how sharing, f func(conn) error) error {
	return d.group.write(ctx, how.again, f)
}

// changed has nobody to tell inside the transaction: other processes see data_version move.
func (d *sqliteDialect) changed(context.Context, conn, []string) error { return nil }

// tail looks four times a second whether another process (an apply, an import on the command line) has written.
func (d *sqliteDialect) tail(ctx context.Context, db *DB) (func(context.Context), error) {
	if err := d.look(ctx, db); err != nil {
		return nil, err
	}
	return func(ctx context.Context) {
		tick := time.NewTicker(tailEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			_ = d.look(ctx, db) // the next one comes
		}
	}, nil
}

// look notes what another process has written since it was called last.
func (d *sqliteDialect) look(ctx context.Context, db *DB) error {
	c, err := d.writer.Conn(ctx) // always the same: the number is one of a connection
	if err != nil {
		return err
	}
	defer c.Close()
	var now int64
	if err := c.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA data_version").Scan(&now); err != nil { // interrupted it would take the connection along
		return err
	}
	if d.seen.Swap(now) != now {
		db.changes.bumpAll()
	}
	return nil
}

// refused reads "UNIQUE constraint failed: table.column, table.column"; of foreign keys SQLite tells nothing.
func (d *sqliteDialect) refused(err error) (refusal, bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return refusal{}, false
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY, sqlite3.SQLITE_CONSTRAINT_TRIGGER:
		return refusal{}, true
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
	default:
		return refusal{}, false
	}
	r := refusal{unique: true}
	_, list, _ := strings.Cut(e.Error(), "constraint failed: UNIQUE constraint failed: ")
	list, _, _ = strings.Cut(list, " (")
	for _, part := range strings.Split(list, ", ") {
		if i := strings.LastIndexByte(part, '.'); i > 0 {
			r.table = part[:i]
			r.columns = append(r.columns, part[i+1:])
		}
	}
	return r, true
}
