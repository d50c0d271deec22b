package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm/schema"
)

// migratedRow tells that the system tables have all that some set of models wants. Nothing is ever taken from them, so it
// stays true.
type migratedRow struct {
	Digest string `gorm:"primaryKey;size:64"`
}

func (migratedRow) TableName() string { return "sl_migrated" }

// migrate brings the system tables to their models. It looks first: most openings find nothing to do, and need not wait for a
// process that writes.
func (db *DB) migrate(ctx context.Context, models []any) error {
	digest, err := digestOf(models)
	if err != nil {
		return err
	}
	if db.migrated(ctx, digest) {
		return nil
	}
	return db.d.migrate(ctx, models, func(c conn) error {
		_, err := c.ExecContext(ctx, "INSERT INTO sl_migrated (digest) VALUES ($1) ON CONFLICT DO NOTHING", digest)
		return err
	})
}

// migrated is false also where that cannot be told, of a new database for one: migrate says what is wrong.
func (db *DB) migrated(ctx context.Context, digest string) bool {
	n := 0
	err := db.d.read(ctx, false, func(c conn) error {
		return c.QueryRowContext(ctx, "SELECT count(*) FROM sl_migrated WHERE digest = $1", digest).Scan(&n)
	})
	return err == nil && n > 0
}

// digestOf tells what models want of their tables from what others want.
func digestOf(models []any) (string, error) {
	parts := []string{changeTable}
	var parsed sync.Map
	for _, m := range models {
		s, err := schema.Parse(m, &parsed, schema.NamingStrategy{SingularTable: true})
		if err != nil {
			return "", err
		}
		for _, f := range s.Fields {
			if f.DBName != "" {
				parts = append(parts, fmt.Sprint(s.Table, ".", f.DBName, " ", f.DataType, " ", f.Size, " ", f.Precision, " ", f.Scale, " ", f.PrimaryKey, " ",
					f.AutoIncrement, " ", f.NotNull, " ", f.Unique, " ", f.HasDefaultValue, " ", f.DefaultValue))
			}
		}
		for _, i := range s.ParseIndexes() {
			text := fmt.Sprint(s.Table, " ", i.Name, " ", i.Class, " ", i.Type, " ", i.Where)
			for _, f := range i.Fields {
				text += fmt.Sprint(" ", f.DBName, " ", f.Expression, " ", f.Sort, " ", f.Collate, " ", f.Length)
			}
			parts = append(parts, text)
		}
	}
	slices.Sort(parts)
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:]), nil
}
