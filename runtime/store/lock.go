package store

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// Lock holds off other write transactions that lock the same name until this one ends: for rules about several records, which
// no row or constraint keeps. What is read after it includes all that they have committed.
func (tx *Tx) Lock(ctx context.Context, name string) error { return tx.lock(ctx, name, Alone) }

// LockShared is Lock that keeps out only those who lock the name alone.
func (tx *Tx) LockShared(ctx context.Context, name string) error { return tx.lock(ctx, name, Shared) }

func (tx *Tx) lock(ctx context.Context, name string, how Holding) error {
	if tx.failed != nil {
		return tx.failed
	}
	if err := tx.db.d.lock(ctx, tx.c, name, how); err != nil {
		return tx.fail(err)
	}
	return nil
}

// Holding tells how records are kept as they are.
type Holding int

// The ways of Hold. Those who hold a record shared, to read it, keep out who would change it; who holds it alone, to change
// it, keeps out both.
const (
	Shared Holding = iota
	Alone
)

// Hold keeps records as they are until the transaction ends, and waits for others that hold them otherwise or change them.
// What is read after it includes all that those have committed. Ids that lead nowhere are passed over.
func (tx *Tx) Hold(ctx context.Context, m *catalog.Model, ids []string, how Holding) error {
	if tx.failed != nil {
		return tx.failed
	}
	if len(ids) == 0 {
		return nil
	}
	if err := tx.db.d.hold(ctx, tx.c, m.Table, ids, how); err != nil {
		return tx.fail(err)
	}
	return nil
}
