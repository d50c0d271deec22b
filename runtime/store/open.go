package store

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

// Options say which database to open and what to bring with it.
type Options struct {
	URL     string           // postgres://...; "" opens SQLite in Dir
	Dir     string           // folder of sluice.db; made when missing
	Log     *slog.Logger     // nil discards
	Clock   func() time.Time // nil is time.Now
	System  []any            // gorm models of the engine's sl_* tables; Open brings the tables to them by safe steps
	Renamed Renamed          // called with what an apply renames and removes; may be nil
	Nodes   Nodes            // what tells the nodes of workflows where names were kept without; may be nil
	Hold    bool             // leave those steps to Plan and Apply, unless the database is new
	Busy    time.Duration    // to wait for another process that writes into SQLite; 0 is five seconds

	// Readers is how many transactions read SQLite at once; 0 is twice the processors, at least four. For PostgreSQL the URL says
	// pool_max_conns.
	Readers int

	// Patience is how long writes go on waiting for such a process, which is logged; 0 is no longer than Busy.
	Patience time.Duration
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	d        dialect
	log      *slog.Logger
	clock    func() time.Time
	renamed  Renamed
	nodes    Nodes
	changes  changes
	mirrors  mirrors
	outages  outages
	own      ownWrites
	scans    *admission
	totals   *totals
	grouped  *totals // rows of grouped statements
	pacer    *pacer
	works    works
	schema   atomic.Pointer[schemaState]  // that this process works with
	applied  atomic.Pointer[appliedNames] // that were read last
	taken    sync.Mutex
	waiting  *ownPlan      // steps of the engine's tables that Open has left
	news     chan struct{} // closed when schema changes; nil while nobody waits
	follows  atomic.Bool
	applying atomic.Int32
	run      context.Context // ends with Close
	stop     context.CancelFunc
	wg       sync.WaitGroup
}

// Exists reports whether definitions have been applied to a database. It makes nothing, neither folder nor tables.
func Exists(ctx context.Context, o Options) (bool, error) {
	if o.URL == "" {
		return sqliteExists(ctx, o)
	}
	return postgresExists(ctx, o)
}

// Open connects, brings the engine's tables to this version and starts to follow the changes of other nodes.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	d, err := openDialect(ctx, o)
	if err != nil {
		return nil, ended(ctx, err)
	}
	db := &DB{d: d, log: o.Log, clock: o.Clock, renamed: o.Renamed, nodes: o.Nodes, scans: newAdmission(runtime.NumCPU() / 2)}
	db.totals, db.grouped = newTotals(db, keptTotals, false), newTotals(db, keptGroups, true)
	db.pacer = newPacer(d.shared(), time.Now, sleep)
	if err := db.start(ctx, o); err != nil {
		d.close()
		return nil, ended(ctx, err)
	}
	return db, nil
}

func (db *DB) start(ctx context.Context, o Options) error {
	if err := db.bringOwn(ctx, append([]any{&schemaRow{}, &pendingRow{}, &droppedRow{}, &nameRow{}, &nameSetRow{}, &migratedRow{}}, o.System...), o.Hold); err != nil {
		return fmt.Errorf("tables of the engine: %w", err)
	}
	st, err := db.stored(ctx)
	if err != nil {
		return err
	}
	db.took(st)
	run, stop := context.WithCancel(context.Background())
	db.run, db.stop = run, stop
	tail, err := db.d.tail(ctx, db)
	if err != nil {
		stop()
		return fmt.Errorf("follow changes: %w", err)
	}
	db.wg.Go(func() { tail(run) })
	return nil
}

// Close ends the connections. Calls that still run fail.
func (db *DB) Close() error {
	db.stop()
	db.mirrors.close()
	db.wg.Wait()
	return db.d.close()
}

// Dialect is "sqlite" or "postgres".
func (db *DB) Dialect() string { return db.d.name() }

// openGorm puts gorm over an open pool. Its own transactions are off (ours are around everything), and it logs nothing:
// errors are returned, and values do not belong into logs.
func openGorm(d gorm.Dialector) (*gorm.DB, error) {
	return gorm.Open(d, &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		Logger:                 logger.Discard,
		NamingStrategy:         schema.NamingStrategy{SingularTable: true},
		NowFunc:                func() time.Time { return time.Now().UTC().Truncate(time.Millisecond) },
	})
}
