package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/plan"
)

// conn is one transaction of a database/sql driver, as gorm wants it.
type conn = gorm.ConnPool

// dialect is one database. Everything that differs between databases is behind it.
type dialect interface {
	name() string
	close() error
	orm() *gorm.DB
	// writing is the pool that writes; shared reports whether other processes may serve the database too.
	writing() *sql.DB
	shared() bool
	// read runs f on a connection that cannot write.
	read(ctx context.Context, how look, f func(conn) error) error
	// write runs f in a transaction and commits when it returns nil. f runs once, on the goroutine of the caller.
	write(ctx context.Context, how sharing, f func(conn) error) error
	// waits reports whether a caller with a name would wait for others with it, and could read meanwhile what they cannot change.
	waits(name string) bool
	// describe reads tables of the engine from the database, those that are there, and ownType is the type of one of their columns.
	describe(ctx context.Context, c conn, tables []string) (plan.Storage, error)
	ownType(c plan.Column) string
	// ground is run before the tables of the engine are made in a database that has none.
	ground() script
	// begin is called first in every write transaction: it holds off a concurrent apply until the transaction ends.
	begin(ctx context.Context, c conn) error
	// lock holds off other transactions that lock the same name, or with Shared those that lock it alone, until this one ends.
	lock(ctx context.Context, c conn, name string, how Holding) error
	// id is an id as an argument for a column of ids.
	id(id string) any
	// hold locks rows of a table, until this transaction ends.
	hold(ctx context.Context, c conn, table string, ids []string, how Holding) error
	// conflict reports whether a statement or a commit failed only because of what other transactions did.
	conflict(err error) bool
	// trouble reports whether a call failed because of the state of the database; "" otherwise.
	trouble(err error) Trouble
	// changed tells other nodes, inside the transaction, that the tables changed.
	changed(ctx context.Context, c conn, tables []string) error
	// tail returns the loop that bumps db's versions for changes of other processes until its context ends. Changes that
	// commit after tail returned are not missed.
	tail(ctx context.Context, db *DB) (func(context.Context), error)
	// look does at once what tail does from time to time, where changes are not told when they happen.
	look(ctx context.Context, db *DB) error
	// extent is the room that the database takes.
	extent(ctx context.Context) (Extent, error)
	// search keeps what is searched beside a record's columns; nil is an empty text, and all nil a record that goes.
	search(ctx context.Context, tx *Tx, table string, of row, texts map[string]*string) error
	// rowsAtOnce is how many rows one INSERT takes best.
	rowsAtOnce() int
	// deferIndex takes an index away until build makes it again, and returns the id behind which fill has to begin.
	deferIndex(ctx context.Context, tx *Tx, i index) (after string, err error)
	// refused tells which constraint a failed statement met; ok is false when it failed for another reason.
	refused(err error) (r refusal, ok bool)

	// script is what turns the tables of x.have into those of x.want inside one transaction, and the names of the indexes
	// that are left for later.
	script(x *storageDiff) (s script, pending []string, err error)
	// apply runs f in a transaction in which nobody else writes; committing is called before the commit. same tells that the tables of
	// models stay as they are.
	apply(ctx context.Context, same bool, f func(conn) error, committing func()) error
	// literal is the default of a column as it is in SQL.
	literal(c plan.Column) (string, error)
	// converted is the value of a column in another form, for kind to; column is quoted.
	converted(c plan.Conversion, to plan.Kind, column string) string
	// hasOthers is an SQL condition: a set, an expression of texts with semicolons, has members other than those.
	hasOthers(set string, than []string) string
	// shown is a value of a kind, an SQL expression, as a text that people read.
	shown(k plan.Kind, value string) string
	// memberLiterals are codes as the link table of a set of options holds them, as literals; packedSet is the set of a row of these texts with semicolons, an SQL expression.
	memberLiterals(codes []string) string
	packedSet(texts string) string
	// finer is the condition that a stored number has more fraction digits than scale; column is quoted.
	finer(column string, scale int) string
	// build makes a pending index outside any transaction, once grams are filled; only one process does so at a time.
	build(ctx context.Context, i index) error
	// alone runs f while no other process builds indexes.
	alone(ctx context.Context, f func(context.Context) error) error
	// unknown lists those of some tables that are large and that the planner knows nothing of; gather tells it, and goes gently
	// beside requests if it is to.
	unknown(ctx context.Context, tables []string, bytes int64) ([]string, error)
	gather(ctx context.Context, table string, gently bool) error
	// pin makes the tables stay as they are until a reader's transaction ends, before it has read anything.
	pin(ctx context.Context, c conn, tables []string) error
	// keys are the statements that take foreign keys away while rows are loaded by apply, and put them back; none where apply itself
	// looks at them at the end only.
	keys(st plan.Storage) (off, on script)
	// fill adds the grams of up to n records behind the one with id after, and returns the last id; "" when there are no more.
	fill(ctx context.Context, tx *Tx, i index, after string, n int) (string, error)
}

// sharing is with whom a write may share a transaction.
type sharing struct {
	again bool   // the caller comes again after a conflict, which may then be somebody else's failure
	name  string // with callers of the same name, where the database keeps others apart; "" = with nobody there
}

// look is how a caller reads.
type look struct {
	one   bool // all statements see the same snapshot
	aside bool // on the connection that is there for mirrors alone
}

// refusal is what a driver tells of a violated constraint; empty members are unknown.
type refusal struct {
	unique     bool // otherwise a foreign key
	constraint string
	table      string
	columns    []string
}

func openDialect(ctx context.Context, o Options) (dialect, error) {
	if o.URL == "" {
		return openSQLite(ctx, o)
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("database URL cannot be read") // the error would print the password
	}
	switch u.Scheme {
	case "postgres", "postgresql":
		return openPostgres(ctx, o)
	}
	return nil, fmt.Errorf("database URL scheme %q is not postgres", u.Scheme)
}

// inTx runs f in a database/sql transaction.
func inTx(ctx context.Context, pool *sql.DB, o *sql.TxOptions, f func(*sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() // no effect after Commit
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// quote writes a name so that every character of it counts.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
