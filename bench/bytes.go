package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// object is a table or an index with what it takes on the disk.
type object struct {
	name, of string // of: the table that an index belongs to
	bytes    int64
}

// measureBytes prints how many bytes a record takes in each table and index of a seeded database, on both databases.
func measureBytes(ctx context.Context, o options) error {
	if o.rows > 0 {
		p, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, fmt.Sprint(o.rows))}, o.rows)
		if err != nil {
			return err
		}
		found, err := objects(ctx, "sqlite", "file:"+filepath.Join(p.dir, "sluice.db")+"?mode=ro", sqliteObjects)
		if err != nil {
			return err
		}
		printBytes("SQLite", found, o.rows)
	}
	if o.postgres == 0 {
		return nil
	}
	url := o.server
	if url == "" {
		var err error
		if url, err = storetest.Server(ctx); err != nil {
			return fmt.Errorf("PostgreSQL: %w", err)
		}
	}
	if _, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, "postgres"), url: url}, o.postgres); err != nil {
		return err
	}
	found, err := objects(ctx, "pgx", url, postgresObjects)
	if err != nil {
		return err
	}
	printBytes("PostgreSQL", found, o.postgres)
	return nil
}

// The tables of a full text index on SQLite are told as one object; those of PostgreSQL with their long values.
const (
	sqliteObjects = `SELECT CASE WHEN f.name IS NULL THEN d.name ELSE f.name END, COALESCE(f.name, s.tbl_name, d.name), sum(d.pgsize)
		FROM dbstat AS d LEFT JOIN sqlite_schema AS s ON s.name = d.name
		LEFT JOIN sqlite_schema AS f ON f.sql LIKE 'CREATE VIRTUAL TABLE%' AND d.name LIKE f.name || '\_%' ESCAPE '\'
		AND substr(d.name, length(f.name) + 2) IN ('data', 'idx', 'content', 'docsize', 'config')
		WHERE d.aggregate = TRUE GROUP BY 1, 2`
	postgresObjects = `SELECT c.relname, c.relname, pg_table_size(c.oid) FROM pg_class AS c
		WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
		UNION ALL SELECT c.relname, t.relname, pg_relation_size(c.oid) FROM pg_index AS i
		JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
		WHERE t.relnamespace = 'public'::regnamespace`
)

func objects(ctx context.Context, driver, source, query string) (out []object, err error) {
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one object
		if err := rows.Scan(&one.name, &one.of, &one.bytes); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, rows.Err()
}

// printBytes writes the objects in Markdown, the largest first; those below a byte a record are one row.
func printBytes(where string, found []object, rows int) {
	slices.SortFunc(found, func(a, b object) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), strings.Compare(a.name, b.name)) })
	fmt.Printf("\n%s, %d records\n\n| object | of | bytes a record | MB for 1,000,000 |\n| --- | --- | --- | --- |\n", where, rows)
	line := func(name, of string, bytes int64) {
		each := float64(bytes) / float64(rows)
		fmt.Printf("| %s | %s | %.0f | %.0f |\n", name, of, each, each)
	}
	var total, rest int64
	for _, one := range found {
		total += one.bytes
		if one.bytes < int64(rows) {
			rest += one.bytes
			continue
		}
		of := one.of
		if of == one.name {
			of = ""
		}
		line(one.name, of, one.bytes)
	}
	line("the others", "", rest)
	line("**all**", "", total)
}
