package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// openPinned makes a pool one of database/sql. Its connections keep the rules of pinnedConn.
func openPinned(pool *pgxpool.Pool) *sql.DB {
	db := sql.OpenDB(pinned{stdlib.GetPoolConnector(pool)})
	db.SetMaxIdleConns(0) // the pool keeps them
	return db
}

// pinned makes connections that database/sql does not take away from who holds them.
type pinned struct{ driver.Connector }

// Connect implements driver.Connector.
func (p pinned) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return pinnedConn{c.(*stdlib.Conn)}, nil
}

// pinnedConn is a connection that stays with its holder when the context of a statement is over before the statement is sent. The library calls such
// a connection bad, so that another one is tried; database/sql would give it back to the pool at once, in the middle of a transaction, while its holder
// goes on using what is below database/sql (pgxOf).
type pinnedConn struct{ *stdlib.Conn }

// pgxOf is the connection below database/sql of somebody who holds c.
func pgxOf(c *sql.Conn) (out *pgx.Conn, err error) {
	err = c.Raw(func(x any) error { out = x.(pinnedConn).Conn.Conn(); return nil })
	return out, err
}

// ExecContext implements driver.ExecerContext.
func (c pinnedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	res, err := c.Conn.ExecContext(ctx, text, args)
	return res, notBad(ctx, err)
}

// QueryContext implements driver.QueryerContext.
func (c pinnedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.Conn.QueryContext(ctx, text, args)
	return rows, notBad(ctx, err)
}

// notBad is the error of a statement; where its context is over that is why, and not the connection.
func notBad(ctx context.Context, err error) error {
	if errors.Is(err, driver.ErrBadConn) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
