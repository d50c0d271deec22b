package store

import (
	"container/list"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

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
	return &cachingConn{driverConn: inner, known: map[string]*list.Element{}, order: list.New()}, nil
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
	known map[string]*list.Element
	order *list.List // of *keptStatement, the last used first
}

type keptStatement struct {
	text string
	stmt driverStmt
	busy bool // its rows are being read
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
	return k.stmt.ExecContext(ctx, args)
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
	rows, err := k.stmt.QueryContext(ctx, args)
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
func (s sqliteSnapshot) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) (err error) {
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	rows, err := s.own.QueryContext(ctx, text, named)
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

// Close implements driver.Conn.
func (c *cachingConn) Close() error {
	for e := c.order.Front(); e != nil; e = e.Next() {
		e.Value.(*keptStatement).stmt.Close()
	}
	return c.driverConn.Close()
}

// statement finds or prepares a statement; nil when it is not one to keep, or is being read.
func (c *cachingConn) statement(ctx context.Context, text string) (*keptStatement, error) {
	if e, ok := c.known[text]; ok {
		k := e.Value.(*keptStatement)
		if k.busy {
			return nil, nil
		}
		c.order.MoveToFront(e)
		return k, nil
	}
	if !keeps(text) {
		return nil, nil
	}
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(driverStmt)
	if !ok {
		return nil, fmt.Errorf("the SQLite driver's statement is a %T", prepared)
	}
	k := &keptStatement{text: text, stmt: stmt}
	c.known[text] = c.order.PushFront(k)
	return k, c.shrink()
}

// keeps tells whether a statement is worth keeping: one that reads or writes rows, no DDL, pragma or savepoint with its name.
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

func (c *cachingConn) shrink() error {
	for e := c.order.Back(); e != nil && c.order.Len() > keptStatements; {
		before := e.Prev()
		if k := e.Value.(*keptStatement); !k.busy {
			c.order.Remove(e)
			delete(c.known, k.text)
			if err := k.stmt.Close(); err != nil {
				return err
			}
		}
		e = before
	}
	return nil
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
	of *keptStatement
}

// Close implements driver.Rows.
func (r *keptRows) Close() error {
	r.of.busy = false
	return r.driverRows.Close()
}
