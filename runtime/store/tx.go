package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// ErrSchemaMoved is returned where a call was prepared with definitions that the database no longer has: others were published, or another
// process changed the tables. Nothing of the transaction was stored.
var ErrSchemaMoved = errors.New("the definitions were changed meanwhile")

// Tx is one transaction. It belongs to one goroutine and ends with the function it was given to.
type Tx struct {
	db      *DB
	ctx     context.Context // of the call, for System
	version int64           // of the published documents, in transactions that write
	c       conn
	orm     *gorm.DB
	write   bool
	since   uint64 // of a reader: changes up to this number are in its snapshot
	failed  error  // the first statement that failed; the transaction can only roll back
	tries   int
	writes  int // statements that may have changed something
	touched map[string]*changedRows
	number  int64                   // that SQLite gave to the last row that was inserted
	found   map[*Fixed][]string     // ids of what queries without an index seek; nil where they are many
	filled  map[string]bool         // gram indexes of which a reader has seen that they are filled
	hitting map[gramSearch]gramHits // what a reader has found in gram indexes
	givenUp []func()                // what Undone was told
	stored  []func()                // what Stored was told
}

// Read runs f over one snapshot of the database.
func (db *DB) Read(ctx context.Context, f Do) error {
	return db.read(ctx, look{one: true}, f)
}

// ReadCommitted is Read where each statement may see a newer state than the one before: for callers to whom that makes no
// difference, it saves beginning and ending a transaction.
func (db *DB) ReadCommitted(ctx context.Context, f Do) error {
	return db.read(ctx, look{}, f)
}

func (db *DB) read(ctx context.Context, how look, f Do) error {
	if !how.aside {
		db.second(ctx)
		db.begin(ctx)
	}
	defer db.pacer.read(ctx)()
	since := db.changes.now()
	in := db.inside(ctx)
	err := db.d.read(ctx, how, func(c conn) error { return f(in, &Tx{db: db, ctx: in, c: c, since: since}) })
	return db.told(ctx, db.outdated(ctx, err))
}

// ended makes an error of a transaction tell that its caller ended it: a driver calls that by names of its own, pgx for one
// a write that timed out.
func ended(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// Remembers reports whether what the transaction reads may be kept for a version of its tables: not when its snapshot may be
// older than their last change, nor when it writes itself.
func (tx *Tx) Remembers(version uint64) bool { return !tx.write && version <= tx.since }

// Write runs f in one transaction and commits when f returns nil; everything f did is undone when it returns an error. On
// SQLite, calls that come together share one commit, each undone alone unless the commit itself or the search index fails;
// there f should be short, as all writers wait for it. With a context of Background it yields to requests.
func (db *DB) Write(ctx context.Context, f Do) error {
	if m := mannerOf(ctx); m == yielding || m == awaited {
		return db.pacer.chunk(ctx, func() (time.Duration, error) { return db.held(ctx, f) })
	}
	defer db.pacer.write(ctx)()
	return db.writeNow(ctx, sharing{}, f)
}

// Attempt is Write for a caller who comes again, with Write, when it returns ErrConflict: another's failure may then have undone what
// f did. That nobody undoes what others did with the same commit costs SQLite a fifth of a save.
//
// On PostgreSQL callers with the same name share a transaction; "" represents one of the caller's own. Those with a name should do
// no more than read and insert: who locks rows, changes or deletes them is sent to come again.
func (db *DB) Attempt(ctx context.Context, name string, f Do) error {
	if m := mannerOf(ctx); m == yielding || m == awaited {
		return db.Write(ctx, f)
	}
	defer db.pacer.write(ctx)()
	return db.writeNow(ctx, sharing{again: true, name: name}, f)
}

// Ahead runs f as ReadCommitted does, while others with the name of an Attempt have their turn. Where nobody has one, it does nothing:
// what f reads is as soon read in the turn.
func (db *DB) Ahead(ctx context.Context, name string, f Do) error {
	if !db.d.waits(name) {
		return nil
	}
	return db.ReadCommitted(ctx, f)
}

// held writes and tells how long it held the writer. What the search index is to be told belongs to it.
func (db *DB) held(ctx context.Context, f Do) (took time.Duration, err error) {
	err = db.writeNow(ctx, sharing{}, func(ctx context.Context, tx *Tx) error {
		begun := time.Now()
		defer func() { took = time.Since(begun) }()
		if err := f(ctx, tx); err != nil {
			return err
		}
		if c, ok := tx.c.(groupConn); ok {
			return c.grams.flush(c)
		}
		return nil
	})
	return took, err
}

func (db *DB) writeNow(ctx context.Context, how sharing, f Do) error {
	if c := callerOf(ctx); c != nil && c.ReadOnly {
		return ErrReadOnly
	}
	db.begin(ctx)
	known := db.schema.Load()
	begun := false
	err := db.writeOnce(ctx, how, func(ctx context.Context, tx *Tx) error { begun = true; return f(ctx, tx) })
	if begun || !errors.Is(err, ErrSchemaMoved) || atVersion(ctx) != nil || !db.awaitSchema(ctx, known) {
		return err
	}
	return db.writeOnce(ctx, how, f)
}

func (db *DB) writeOnce(ctx context.Context, how sharing, f Do) error {
	var (
		tables []string
		rows   map[string]*changedRows
		after  []func()
	)
	db.second(ctx)
	err := db.d.write(ctx, how, func(c conn) (err error) {
		ctx := db.inside(ctx)
		tx := &Tx{db: db, ctx: ctx, c: c, write: true, touched: map[string]*changedRows{}}
		kept := false
		defer func() {
			if !kept {
				tx.giveUp()
			}
		}()
		if err := db.checkSchema(ctx, tx); err != nil {
			return err
		}
		if err := f(ctx, tx); err != nil {
			return err
		}
		if tx.failed != nil {
			return fmt.Errorf("a statement of the transaction failed: %w", tx.failed)
		}
		rows, tables, after = tx.touched, slices.Sorted(maps.Keys(tx.touched)), tx.stored
		if len(tables) > 0 {
			err = db.d.changed(ctx, c, tables)
		}
		kept = err == nil
		return err
	})
	if err == nil {
		db.own.note(callerOf(ctx), tables, db.changes.bump(tables, rows))
		if at := atVersion(ctx); at != nil {
			at.wrote.Store(true)
		}
		for _, f := range after {
			f()
		}
	} else if db.d.conflict(err) {
		err = fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return db.told(ctx, err)
}

// Undone runs f when the transaction is given up before its commit, for what was done outside the database. When the commit itself fails f
// does not run: whether the transaction is stored is not certain then.
func (tx *Tx) Undone(f func()) { tx.givenUp = append(tx.givenUp, f) }

// Stored runs f once the transaction is committed, and never when it is not: for those who wait for what it stores. f does not fail and is short.
func (tx *Tx) Stored(f func()) { tx.stored = append(tx.stored, f) }

func (tx *Tx) giveUp() {
	for _, f := range tx.givenUp {
		f()
	}
}

// checkSchema refuses a write of a process that does not know the tables as they are.
func (db *DB) checkSchema(ctx context.Context, tx *Tx) error {
	if err := db.d.begin(ctx, tx.c); err != nil {
		return err
	}
	at, err := storedStamp(ctx, tx.c)
	if err != nil {
		return err
	}
	known := db.schema.Load()
	if tx.version = at.version; at.digest != known.digest || at.names != known.stamp.names {
		return ErrSchemaMoved
	}
	if want := atVersion(ctx); want != nil && want.version.Load() != at.version {
		return ErrSchemaMoved
	}
	return nil
}

// System gives gorm for the fixed sl_* struct models, inside the transaction. Models of definitions never pass through it.
// Its failures count as failures of the transaction.
func (tx *Tx) System() *gorm.DB {
	if tx.orm == nil {
		tx.orm = tx.db.d.orm().Session(&gorm.Session{NewDB: true, Context: tx.ctx}) // the context makes it a copy
		tx.orm.Statement.ConnPool = systemConn{tx}
	}
	return tx.orm.Session(&gorm.Session{NewDB: true})
}

// Try runs f as an island: when it fails, what it did is undone and the transaction goes on.
func (tx *Tx) Try(ctx context.Context, f func() error) error {
	if tx.failed != nil {
		return tx.failed
	}
	tx.tries++
	name := fmt.Sprintf("try%d", tx.tries)
	if _, err := tx.c.ExecContext(ctx, "SAVEPOINT "+name); err != nil {
		return tx.fail(err)
	}
	back := func() {}
	if c, ok := tx.c.(groupConn); ok {
		begun := c.grams.mark()
		back = func() { c.grams.back(begun) }
	}
	givenUp, stored := len(tx.givenUp), len(tx.stored)
	err := f()
	if err == nil {
		err = tx.failed
	}
	if err != nil {
		tx.failed = nil
		for _, undo := range tx.givenUp[givenUp:] { // what was done outside the database goes with it
			undo()
		}
		tx.givenUp, tx.stored = tx.givenUp[:givenUp], tx.stored[:stored]
		if _, e := tx.c.ExecContext(ctx, "ROLLBACK TO "+name); e != nil {
			return tx.fail(e)
		}
		back()
	}
	if _, e := tx.c.ExecContext(ctx, "RELEASE "+name); e != nil {
		return tx.fail(e)
	}
	return err
}

// Touch tells that the transaction changed a system table whose version (DB.Versions) others follow.
func (tx *Tx) Touch(systemTable string) { tx.touch(target{table: systemTable}) }

// Context is the one that the transaction was begun with.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Now is the time of the database's clock.
func (tx *Tx) Now() time.Time { return tx.db.clock() }

// touch marks a table as changed by this transaction, in one row where the target names it.
func (tx *Tx) touch(at target) {
	rows := tx.touched[at.table]
	if rows == nil {
		rows = &changedRows{}
		tx.touched[at.table] = rows
	}
	rows.note(at.id)
}

// exec runs a statement that changes rows of a table of a model and tells how many. A refusal by a constraint comes back as
// *Duplicate or *Referenced.
func (tx *Tx) exec(ctx context.Context, at target, text string, args ...any) (int64, error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	tx.touch(at)
	tx.writes++
	res, err := tx.c.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, tx.fail(tx.explain(ctx, at, err))
	}
	if n, err := res.LastInsertId(); err == nil { // PostgreSQL has none
		tx.number = n
	}
	return res.RowsAffected()
}

// put is exec for inserts: where they are collected, nobody waits for them.
func (tx *Tx) put(ctx context.Context, at target, text string, args []any) error {
	if tx.later(at.table, text, args) {
		tx.touch(at)
		return nil
	}
	_, err := tx.exec(ctx, at, text, args...)
	return err
}

// collector is a connection that sends inserts later, together with others.
type collector interface {
	// later notes an insert and reports whether it did.
	later(table, text string, args []any) bool
}

func (tx *Tx) later(table, text string, args []any) bool {
	c, ok := tx.c.(collector)
	if !ok || tx.failed != nil || !c.later(table, text, args) {
		return false
	}
	tx.writes++
	return true
}

// Together runs f, whose inserts need not be answered one by one: on PostgreSQL they are sent together, before the next statement of
// another kind and at the end. What the database refuses of them fails the transaction then, and the error does not tell which it was.
func (tx *Tx) Together(ctx context.Context, f func() error) error {
	w, ok := tx.c.(*postgresWriter)
	if !ok || w.collecting {
		return f()
	}
	w.collecting = true
	defer func() { w.collecting = false }()
	if err := f(); err != nil {
		return err
	}
	if err := w.flush(ctx); err != nil {
		return tx.fail(tx.explain(ctx, target{}, err))
	}
	return nil
}

// Changed reports whether the transaction has changed rows of a model, or what is kept beside them.
func (tx *Tx) Changed(m *catalog.Model) bool {
	for table := range tx.touched {
		if rest, of := strings.CutPrefix(table, m.Table); of && (rest == "" || strings.HasPrefix(rest, "__")) {
			return true
		}
	}
	return false
}

// Writes counts the statements of the transaction that may have changed something: where it did not rise, there is nothing to undo.
func (tx *Tx) Writes() int { return tx.writes }

// Failed is the statement's error with which the transaction can only be given up; nil while it goes on.
func (tx *Tx) Failed() error { return tx.failed }

// query runs a statement that answers rows; the caller closes them.
func (tx *Tx) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if tx.failed != nil {
		return nil, tx.failed
	}
	rows, err := tx.c.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, tx.fail(err)
	}
	return rows, nil
}

// queryRow reads one row into dest; sql.ErrNoRows when there is none.
func (tx *Tx) queryRow(ctx context.Context, text string, args []any, dest ...any) error {
	if tx.failed != nil {
		return tx.failed
	}
	err := tx.c.QueryRowContext(ctx, text, args...).Scan(dest...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return tx.fail(err)
	}
	return err
}

// fail remembers the first failure: PostgreSQL takes no further statement after it, and SQLite shall not either.
func (tx *Tx) fail(err error) error {
	if tx.write && tx.failed == nil {
		tx.failed = err
	}
	return err
}

// systemConn is the transaction as gorm sees it; it notes failures.
type systemConn struct{ tx *Tx }

func (s systemConn) PrepareContext(ctx context.Context, q string) (*sql.Stmt, error) {
	s.changes(q)
	st, err := s.tx.c.PrepareContext(ctx, q)
	return st, s.note(err)
}

func (s systemConn) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	if s.tx.failed != nil {
		return nil, s.tx.failed
	}
	s.tx.writes++
	res, err := s.tx.c.ExecContext(ctx, q, args...)
	return res, s.note(err)
}

func (s systemConn) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	if s.tx.failed != nil {
		return nil, s.tx.failed
	}
	s.changes(q)
	rows, err := s.tx.c.QueryContext(ctx, q, args...)
	return rows, s.note(err)
}

func (s systemConn) QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row {
	s.changes(q)
	return s.tx.c.QueryRowContext(ctx, q, args...)
}

// changes counts a statement that is not a plain question: an insert may be asked for what it made.
func (s systemConn) changes(q string) {
	if !strings.HasPrefix(q, "SELECT ") {
		s.tx.writes++
	}
}

func (s systemConn) note(err error) error {
	if err != nil {
		return s.tx.fail(s.tx.explain(s.tx.ctx, target{}, err))
	}
	return nil
}
