package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Trouble is why a database could not do its work although nothing was wrong with what it was asked.
type Trouble string

// The troubles.
const (
	Away Trouble = "away" // it cannot be reached, is starting or stopping, or takes no writes
	Busy Trouble = "busy" // another process held it for too long
	Full Trouble = "full" // there is no room on its disk
)

// Outage is the error of a call that may succeed when it is made again later. Nothing of it was stored.
type Outage struct {
	Trouble Trouble
	Err     error
}

func (e *Outage) Error() string { return fmt.Sprintf("the database is %s: %v", e.Trouble, e.Err) }

// Unwrap gives the driver's error.
func (e *Outage) Unwrap() error { return e.Err }

// outages counts the calls that failed so.
type outages struct{ away, busy, full atomic.Uint64 }

// Outages tells how many calls each trouble has ended since the start.
func (db *DB) Outages() map[Trouble]uint64 {
	return map[Trouble]uint64{Away: db.outages.away.Load(), Busy: db.outages.busy.Load(), Full: db.outages.full.Load()}
}

// told is the error of a call as its caller should see it: one that the caller ended says so, one of the database's troubles is
// an *Outage.
func (db *DB) told(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ended(ctx, err)
	}
	var known *Outage
	if errors.As(err, &known) {
		return err
	}
	trouble := db.d.trouble(err)
	switch trouble {
	case Away:
		db.outages.away.Add(1)
	case Busy:
		db.outages.busy.Add(1)
	case Full:
		db.outages.full.Add(1)
	default:
		return err
	}
	return &Outage{Trouble: trouble, Err: err}
}

// trouble reads SQLite's codes; what is added to them in the upper bits makes no difference here.
func (d *sqliteDialect) trouble(err error) Trouble {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return ""
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return Busy
	case sqlite3.SQLITE_FULL:
		return Full
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PROTOCOL:
		return Away
	}
	return ""
}

// trouble reads PostgreSQL's codes (appendix A of its manual) and the ends of connections.
func (d *postgresDialect) trouble(err error) Trouble {
	var refused *pgconn.ConnectError
	var said *pgconn.PgError
	var line net.Error
	switch {
	case errors.As(err, &said):
		switch said.Code {
		case "53100": // disk_full
			return Full
		case "55P03": // lock_not_available
			return Busy
		case "25006", // read_only_sql_transaction: a standby
			"53000", "53200", "53300", "53400", // out of connections or memory
			"57P01", "57P02", "57P03", "57P05", // shut down, crashed, starting, idle for too long
			"58000", "58030": // system_error, io_error
			return Away
		}
		if said.Code[:min(2, len(said.Code))] == "08" { // connection_exception
			return Away
		}
		return ""
	case errors.As(err, &refused), errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, pgconn.ErrConnClosed),
		pgconn.SafeToRetry(err):
		return Away
	case errors.As(err, &line):
		return Away
	}
	return ""
}
