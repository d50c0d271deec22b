package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// EnsureIndexes builds the indexes that an apply has left, and returns when all stand. It may be stopped at any point and
// called again; of several processes one builds and the others wait for it. Reading and writing go on meanwhile. At the end the
// planner of the database knows the tables.
func (db *DB) EnsureIndexes(ctx context.Context) error {
	return db.d.alone(ctx, func(ctx context.Context) error {
		for {
			row, i, err := db.nextPending(ctx)
			if err != nil {
				return err
			}
			if row.Name == "" {
				return db.tend(ctx)
			}
			if i != nil {
				if err := db.build(ctx, *row, *i); err != nil {
					return fmt.Errorf("build index %s: %w", i.name, err)
				}
			}
			if err := db.settle(ctx, row.Name); err != nil {
				return err
			}
		}
	})
}

// Pending lists the indexes that are not built yet, as table and columns; a list that needs one runs as a scan.
func (db *DB) Pending(ctx context.Context) (out []PendingIndex, err error) {
	err = db.Read(ctx, func(ctx context.Context, tx *Tx) error {
		var rows []pendingRow
		if err := tx.System().Order("name").Find(&rows).Error; err != nil {
			return err
		}
		of, err := readIndexes(ctx, tx.c)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if i := of.named(r.Name); i != nil {
				out = append(out, PendingIndex{Table: i.table, Columns: i.columns, Grams: i.kind == gramIndex})
			}
		}
		return nil
	})
	return out, err
}

// PendingIndex is an index that EnsureIndexes has yet to build.
type PendingIndex struct {
	Table   string
	Columns []string
	Grams   bool // of a searched text
}

// nextPending returns the first pending index; i is nil when the storage has none of that name any more, row.Name is ""
// when nothing is pending.
func (db *DB) nextPending(ctx context.Context) (row *pendingRow, i *index, err error) {
	row = &pendingRow{}
	err = db.Read(ctx, func(ctx context.Context, tx *Tx) error {
		if err := tx.System().Order("name").Limit(1).Find(row).Error; err != nil || row.Name == "" {
			return err
		}
		of, err := readIndexes(ctx, tx.c)
		if err != nil {
			return err
		}
		i = of.named(row.Name)
		return nil
	})
	return row, i, err
}

// appliedIndexes are those of models and of the engine that were applied last.
type appliedIndexes []index

func readIndexes(ctx context.Context, c conn) (out appliedIndexes, err error) {
	st, _, err := readStorage(ctx, c)
	if err != nil {
		return nil, err
	}
	engine, _, err := storedOwn(ctx, c)
	for _, s := range []plan.Storage{st, engine} {
		for _, t := range s.Tables {
			out = append(out, indexes(s, t)...)
		}
	}
	return out, err
}

func (of appliedIndexes) named(name string) *index {
	i := slices.IndexFunc(of, func(i index) bool { return i.name == name })
	if i < 0 {
		return nil
	}
	return &of[i]
}

// BuildingIndexes is the kind of Work that builds an index.
const BuildingIndexes = "index"

// build fills the grams in chunks, each remembered in its own transaction, and makes the index.
func (db *DB) build(ctx context.Context, row pendingRow, i index) error {
	total, err := db.toFill(ctx, row, i)
	if err != nil {
		return err
	}
	return db.Work(ctx, BuildingIndexes, i.table+" ("+strings.Join(i.columns, ", ")+")", total, func(ctx context.Context, w *Work) error {
		for after, more := row.After, i.kind == gramIndex; more; {
			n := 0
			err := w.Chunk(ctx, func(ctx context.Context, tx *Tx, rows int) error {
				last, err := db.d.fill(ctx, tx, i, after, rows)
				if err != nil {
					return err
				}
				after, more, n = last, last != "", rows
				if !more {
					return nil
				}
				return tx.System().Model(&pendingRow{}).Where("name = ?", row.Name).Update("after", last).Error
			})
			if err != nil {
				return err
			}
			w.Done(int64(n))
		}
		return db.d.build(ctx, i)
	})
}

// toFill counts the records whose grams are missing; an index of another kind is made in one statement, which tells nothing.
func (db *DB) toFill(ctx context.Context, row pendingRow, i index) (n int64, err error) {
	if i.kind != gramIndex {
		return 0, nil
	}
	err = db.ReadCommitted(Background(ctx), func(ctx context.Context, tx *Tx) error {
		text := "SELECT count(*) FROM " + Ident(i.table)
		if row.After == "" {
			return tx.queryRow(ctx, text, nil, &n)
		}
		return tx.queryRow(ctx, text+` WHERE "id" > $1`, []any{tx.id(row.After)}, &n)
	})
	return n, err
}

func (db *DB) settle(ctx context.Context, name string) error {
	return db.Write(ctx, func(_ context.Context, tx *Tx) error {
		return tx.System().Where("name = ?", name).Delete(&pendingRow{}).Error
	})
}
