package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server starts the PostgreSQL server and returns the URL of a new database, for benchmarks; the server ends with the process.
func Server(ctx context.Context) (string, error) {
	c, err := started()
	if err != nil {
		return "", err
	}
	return c.fresh(ctx)
}

// Durable is Server with a server of its own that has each commit on the disk before it answers, as one in use has. Its folder is
// in that for temporary files.
func Durable(ctx context.Context) (string, error) {
	c, err := initialized()
	if err != nil {
		return "", err
	}
	if c.stdin, _, err = c.launch(keeper, "fsync=on", "synchronous_commit=on", "full_page_writes=on"); err != nil {
		return "", err
	}
	kept = append(kept, c)
	if err := c.wait(); err != nil {
		return "", err
	}
	return c.fresh(ctx)
}

// kept are the servers of Durable: one whose input is collected ends.
var kept []*cluster

func (c *cluster) fresh(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	db, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("bench%d", c.count.Add(1))
	_, err = db.Exec(ctx, "CREATE DATABASE "+name)
	if e := db.Close(ctx); err == nil {
		err = e
	}
	return c.url(name), err
}
