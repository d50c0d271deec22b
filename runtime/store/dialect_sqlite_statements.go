package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/sluice-platform/sluice/engine/plan"
)

// keptStatements bounds the prepared statements of a connection, keptLength the text of one: an import's are long and come once.
const (
	keptStatements = 96
	keptLength     = 16 << 10
)

// openPool opens a pool whose connections keep their statements prepared. database/sql prepares for the pool, and so would
// take a second connection while a transaction holds one; here a connection keeps its own.
func openPool(name string) *sql.DB { return sql.OpenDB(connector{name}) }

type connector struct{ name string }

// Driver implements driver.Connector.
func (connector) Driver() driver.Driver { return sharedDriver() }

// sharedDriver is the driver that our functions are registered with; its package gives it through a pool only.
var sharedDriver = sync.OnceValue(func() driver.Driver {
	pool, err := sql.Open("sqlite", "")
	if err != nil {
		panic(err) // the import registers the name
	}
	return pool.Driver()
})

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	opened, err := sharedDriver().Open(c.name)
	if err != nil {
		return nil, err
	}
	inner, ok := opened.(driverConn)
	if !ok {
		return nil, fmt.Errorf("the SQLite driver's connection is a %T", opened)
	}
	kept, err := simplelru.NewLRU(keptStatements, func(_ string, k *keptStatement) { k.forget() })
	return &cachingConn{driverConn: inner, kept: kept}, err
}

// driverConn is what the driver's connection can do.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// cachingConn is a connection with its last used statements. database/sql uses it from one goroutine at a time.
type cachingConn struct {
	driverConn
	named []driver.NamedValue // memory of the arguments
	kept  *simplelru.LRU[string, *keptStatement]
}

type keptStatement struct {
	stmt  driverStmt
	order []int // of the arguments, where the statement was prepared without their numbers and names them in another order
	busy  bool  // its rows are being read
	gone  bool  // it is kept no longer
}

// forget closes a statement that is kept no longer, once its rows have been read.
func (k *keptStatement) forget() {
	if k.gone = true; !k.busy {
		_ = k.stmt.Close() // what it failed with has been returned by its last use
	}
}

// arguments are those of a call in the order in which the prepared statement names them.
func (k *keptStatement) arguments(args []driver.NamedValue) []driver.NamedValue {
	if k.order == nil || len(args) != len(k.order) {
		return args
	}
	out := make([]driver.NamedValue, len(args))
	for i, n := range k.order {
		out[i] = args[n-1]
		out[i].Ordinal = i + 1
	}
	return out
}

type driverStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// ExecContext implements driver.ExecerContext.
func (c *cachingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	k, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return c.driverConn.ExecContext(ctx, text, args)
	}
	return k.stmt.ExecContext(ctx, k.arguments(args))
}

// QueryContext implements driver.QueryerContext.
func (c *cachingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	k, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return c.driverConn.QueryContext(ctx, text, args)
	}
	rows, err := k.stmt.QueryContext(ctx, k.arguments(args))
	if err != nil {
		return nil, err
	}
	inner, ok := rows.(driverRows)
	if !ok {
		return nil, fmt.Errorf("the SQLite driver's rows are %T", rows)
	}
	k.busy = true
	return &keptRows{driverRows: inner, of: k}, nil
}

// The readers' begin and commit, which come with every read, are kept prepared too.
const begin, commit = "BEGIN", "COMMIT"

// sqliteSnapshot is a reader's connection while it has a snapshot open. Nobody else uses the connection meanwhile, so rows
// can be read below database/sql, which takes a lock and a conversion for each value.
type sqliteSnapshot struct {
	*sql.Conn
	own *cachingConn
}

// each implements rowSource.
func (s sqliteSnapshot) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) error {
	return s.own.each(ctx, text, args, kinds, f)
}

func (c *cachingConn) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) (err error) {
	named, err := c.namedValues(args)
	if err != nil {
		return err
	}
	rows, err := c.QueryContext(ctx, text, named)
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	values, row := make([]driver.Value, len(rows.Columns())), make([]any, len(kinds))
	var ids idRow
	for {
		switch err := rows.Next(values); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		ids.begin()
		for i, k := range kinds {
			if b, ok := holdsIDs(k, values[i]); ok {
				ids.add(b)
			}
		}
		ids.end()
		for i, k := range kinds {
			if b, ok := holdsIDs(k, values[i]); ok {
				row[i] = ids.take(k, len(b))
			} else if row[i], err = (sqliteGrammar{}).decode(k, values[i]); err != nil {
				return fmt.Errorf("read row: %w", err)
			}
		}
		if err := f(row); err != nil {
			return err
		}
	}
}

// namedValues are arguments as the driver takes them, until the next call: it binds them before anything else.
func (c *cachingConn) namedValues(args []any) ([]driver.NamedValue, error) {
	out := slices.Grow(c.named[:0], len(args))[:len(args)]
	c.named = out
	for i, a := range args {
		switch a.(type) {
		case nil, string, int64, []byte, bool, float64, time.Time:
		default:
			var err error
			if a, err = driver.DefaultParameterConverter.ConvertValue(a); err != nil {
				return nil, err
			}
		}
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return out, nil
}

// Close implements driver.Conn.
func (c *cachingConn) Close() error {
	for _, k := range c.kept.Values() {
		_ = k.stmt.Close()
	}
	return c.driverConn.Close()
}

// statement finds or prepares a statement; nil when it is not one to keep, or is being read.
func (c *cachingConn) statement(ctx context.Context, text string) (*keptStatement, error) {
	if k, ok := c.kept.Get(text); ok {
		if k.busy {
			return nil, nil
		}
		return k, nil
	}
	if !keeps(text) {
		return nil, nil
	}
	plain, order := unnumbered(text)
	prepared, err := c.PrepareContext(ctx, plain)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(driverStmt)
	if !ok {
		return nil, fmt.Errorf("the SQLite driver's statement is a %T", prepared)
	}
	k := &keptStatement{stmt: stmt, order: order}
	c.kept.Add(text, k)
	return k, nil
}

// unnumbered is a statement with the numbers of its parameters taken out, and the order in which it names them, nil when they come
// one after the other. For a numbered parameter the driver writes down the number of each argument until it finds the one; those
// without a number it finds by their place. A statement that names one twice, or has other parameters, stays.
func unnumbered(text string) (string, []int) {
	out, order, sorted := make([]byte, 0, len(text)), []int(nil), true
	var seen [keptParameters + 1]bool
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c) // of a quote that is written twice, two parts come one after the other
			if end < 0 {
				return text, nil
			}
			out = append(out, text[i:i+end+2]...)
			i += end + 1
			continue
		case '?', '$':
			n, end := 0, i+1
			for ; end < len(text) && text[end] >= '0' && text[end] <= '9' && n <= keptParameters; end++ {
				n = 10*n + int(text[end]-'0')
			}
			if n == 0 || n > keptParameters || seen[n] || end < len(text) && inName(text[end]) {
				return text, nil
			}
			seen[n] = true
			order = append(order, n)
			sorted = sorted && n == len(order)
			out = append(out, '?')
			i = end - 1
			continue
		case ':', '@', '[', '`', '#', '/', '-': // what may begin a parameter, a name or a comment
			if c != '-' && c != '/' || i+1 < len(text) && (text[i+1] == '-' || text[i+1] == '*') {
				return text, nil
			}
		}
		out = append(out, c)
	}
	for n := range order {
		if !seen[n+1] {
			return text, nil
		}
	}
	if sorted {
		order = nil
	}
	return string(out), order
}

// keptParameters bounds the parameters of statements that lose their numbers.
const keptParameters = 400

func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || c == '$' || c == ':'
}

// keeps reports whether a statement is worth keeping: one that reads or writes rows, no DDL, pragma or savepoint with its name.
func keeps(text string) bool {
	if len(text) > keptLength {
		return false
	}
	for _, verb := range []string{"SELECT ", "INSERT ", "UPDATE ", "DELETE ", "SAVEPOINT member", "RELEASE member", begin, commit} {
		if strings.HasPrefix(text, verb) {
			return true
		}
	}
	return false
}

// driverRows is what the driver's rows can do.
type driverRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// keptRows give their statement back when they are closed.
type keptRows struct {
	driverRows
	of     *keptStatement
	closed bool
}

// Close implements driver.Rows.
func (r *keptRows) Close() error {
	if r.closed {
		return nil
	}
	r.closed, r.of.busy = true, false
	err := r.driverRows.Close()
	if r.of.gone {
		err = errors.Join(err, r.of.stmt.Close())
	}
	return err
}
