package store

import (
	"context"
	"errors"
	"time"
)

// Errors of places.
var (
	// ErrInUse: a program works with the database that is to be replaced.
	ErrInUse = errors.New("the database is in use by another program; stop all servers and commands first")
	// ErrLeave: a new database of a killed restore stays.
	ErrLeave = errors.New("it stays for somebody else")
	// ErrForeign: the database holds more than what this program made.
	ErrForeign = errors.New("the database also holds tables that are not of Sluice")
)

// Place is where a database is made beside the one that Options lead to, to take its place as a whole. Whatever ends the process, the
// Options lead to the old database or to the new one.
type Place interface {
	// Name is that of the new database, which no other one has ever had.
	Name() string
	// Options lead to the new database.
	Options() Options
	// Occupied reports whether there is an old one.
	Occupied() bool
	// Swap puts the new database, which nobody may have open, into the place of the old one, and tells where that is kept; "" = there was none.
	Swap(ctx context.Context) (kept string, err error)
	// Close ends the work, and removes a new database that was not swapped in.
	Close() error
}

// NewPlace makes room for a new database beside that of the options. It refuses with ErrServed or ErrInUse while another program works
// there, and removes what was left by one that was killed: before that it calls left with the name of each new database, and whether that was swapped in.
func NewPlace(ctx context.Context, o Options, left func(name string, swapped bool) error) (Place, error) {
	if o.URL == "" {
		return newFolder(ctx, o, left)
	}
	return newNamespace(ctx, o, left)
}

// Sweep removes what restores left that were killed, as NewPlace does, unless one is under way or, on SQLite, another process works in the folder;
// held says that this process does. Before a new database is removed it calls left; ErrLeave keeps it. With more there is something else to look at, for which then is
// called while no restore can begin.
func Sweep(ctx context.Context, o Options, held, more bool, left func(name string, swapped bool) error, then func() error) error {
	if o.URL == "" {
		return sweepFolder(ctx, o.Dir, held, more, left, then)
	}
	return sweepNamespaces(ctx, o.URL, more, left, then)
}

// moment is a time in a name.
func moment(o Options) string {
	now := time.Now
	if o.Clock != nil {
		now = o.Clock
	}
	return now().UTC().Format("20060102t150405z")
}
