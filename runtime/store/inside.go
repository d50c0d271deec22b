package store

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

// Do is what is done in a transaction. It has to hand on the context that it is given.
type Do = func(ctx context.Context, tx *Tx) error

// insideKey leads to the database of which the caller of a context holds a connection.
type insideKey struct{}

func (db *DB) inside(ctx context.Context) context.Context {
	if db.Inside(ctx) {
		return ctx
	}
	return context.WithValue(ctx, insideKey{}, db)
}

// Inside reports whether the caller is in a transaction of the database. They must wait for nothing that takes a connection: those who hold
// one and wait for another stand still together as soon as there are as many of them as connections.
func (db *DB) Inside(ctx context.Context) bool { return ctx.Value(insideKey{}) == db }

// seconds are the places in the program that asked for a second connection, each told once.
var seconds sync.Map

// second tells of a caller that holds a connection and asks for another one. It ends a test.
func (db *DB) second(ctx context.Context) {
	if !db.Inside(ctx) {
		return
	}
	if testing.Testing() {
		panic("a transaction inside a transaction asks for a second connection")
	}
	var at [8]uintptr
	n := runtime.Callers(3, at[:])
	if _, told := seconds.LoadOrStore(fmt.Sprint(at[:n]), true); !told {
		db.log.Error("a transaction inside a transaction asks for a second connection", "stack", string(debug.Stack()))
	}
}
