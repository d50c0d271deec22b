package store

import "context"

// Lock holds off other write transactions that lock the same name until this one ends: for rules about several records, which
// no row or constraint keeps. What is read after it includes all that they have committed.
func (tx *Tx) Lock(ctx context.Context, name string) error {
	if tx.failed != nil {
		return tx.failed
	}
	if err := tx.db.d.lock(ctx, tx.c, name); err != nil {
		return tx.fail(err)
	}
	return nil
}
