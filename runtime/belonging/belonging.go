// Package belonging says what can be done with the things that a person has: they are counted, ended, or given to somebody else. Packages that
// keep such things offer them as Things; the register in runtime/app says for each kind what happens to them when their person is disabled,
// deleted or hands over (docs/adr/0071).
package belonging

import (
	"context"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Things are what people have of one kind. Each function works in a transaction of its caller, who has judged the right to it.
type Things struct {
	Count func(ctx context.Context, tx *store.Tx, person string) (int, error)
	// End makes them act and hold no longer, and returns how many they were. nil = they are not ended.
	End func(ctx context.Context, tx *store.Tx, person string) (int, error)
	// Give makes them somebody else's, as far as that person can have them, and returns how many. nil = they are nobody else's.
	Give func(ctx context.Context, tx *store.Tx, from, to string) (int, error)
}

// Counted is the Count of rows that a query finds.
func Counted(rows func(tx *store.Tx, person string) *gorm.DB) func(context.Context, *store.Tx, string) (int, error) {
	return func(_ context.Context, tx *store.Tx, person string) (int, error) {
		var n int64
		err := rows(tx, person).Count(&n).Error
		return int(n), err
	}
}

// Changed is an End that sets columns of the rows that a query finds.
func Changed(rows func(tx *store.Tx, person string) *gorm.DB, set func() map[string]any) func(context.Context, *store.Tx, string) (int, error) {
	return func(_ context.Context, tx *store.Tx, person string) (int, error) {
		done := rows(tx, person).UpdateColumns(set())
		return int(done.RowsAffected), done.Error
	}
}

// Removed is an End that deletes the rows that a query finds.
func Removed(rows func(tx *store.Tx, person string) *gorm.DB, model any) func(context.Context, *store.Tx, string) (int, error) {
	return func(_ context.Context, tx *store.Tx, person string) (int, error) {
		done := rows(tx, person).Delete(model)
		return int(done.RowsAffected), done.Error
	}
}

// Given is a Give that writes the new person into a column of the rows that a query finds.
func Given(rows func(tx *store.Tx, person string) *gorm.DB, column string) func(context.Context, *store.Tx, string, string) (int, error) {
	return func(_ context.Context, tx *store.Tx, from, to string) (int, error) {
		done := rows(tx, from).UpdateColumn(column, to)
		return int(done.RowsAffected), done.Error
	}
}
