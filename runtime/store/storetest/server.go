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
