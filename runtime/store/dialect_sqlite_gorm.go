package store

import (
	"database/sql"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/migrator"
	"gorm.io/gorm/schema"
)

// sqliteGorm is gorm's dialector over modernc.org/sqlite, for the structs of the engine's tables: what gorm needs to build statements.
// The tables are made by this package's own.
type sqliteGorm struct{ pool *sql.DB }

// Name is the dialect's name for gorm.
func (sqliteGorm) Name() string { return "sqlite" }

// Initialize sets the pool and the clauses that SQLite knows.
func (s sqliteGorm) Initialize(db *gorm.DB) error {
	db.ConnPool = s.pool
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{
		CreateClauses:        []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"},
		UpdateClauses:        []string{"UPDATE", "SET", "FROM", "WHERE", "RETURNING"},
		DeleteClauses:        []string{"DELETE", "FROM", "WHERE", "RETURNING"},
		LastInsertIDReversed: true,
	})
	db.ClauseBuilders["FOR"] = func(clause.Clause, clause.Builder) {} // the writer is alone; there are no row locks
	return nil
}

// Migrator looks at tables; it is not there to make them.
func (s sqliteGorm) Migrator(db *gorm.DB) gorm.Migrator {
	return sqliteMigrator{migrator.Migrator{Config: migrator.Config{DB: db, Dialector: s}}}
}

// DataTypeOf is asked for by migrations only.
func (sqliteGorm) DataTypeOf(f *schema.Field) string { return string(f.DataType) }

// DefaultValueOf represents a value that the database shall choose.
func (sqliteGorm) DefaultValueOf(*schema.Field) clause.Expression { return clause.Expr{SQL: "NULL"} }

// BindVarTo writes a placeholder.
func (sqliteGorm) BindVarTo(w clause.Writer, _ *gorm.Statement, _ any) { _ = w.WriteByte('?') }

// QuoteTo writes a name, of two parts when it has a dot: gorm joins table and column so.
func (sqliteGorm) QuoteTo(w clause.Writer, name string) {
	_ = w.WriteByte('"')
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '"':
			_, _ = w.WriteString(`""`)
		case '.':
			_, _ = w.WriteString(`"."`)
		default:
			_ = w.WriteByte(name[i])
		}
	}
	_ = w.WriteByte('"')
}

// Explain is the statement with its values, for gorm's dry runs.
func (sqliteGorm) Explain(text string, vars ...any) string {
	return logger.ExplainSQL(text, nil, `'`, vars...)
}

// SavePoint and RollbackTo are gorm's nested transactions.
func (sqliteGorm) SavePoint(tx *gorm.DB, name string) error {
	return tx.Exec("SAVEPOINT " + quote(name)).Error
}

// RollbackTo undoes to a savepoint.
func (sqliteGorm) RollbackTo(tx *gorm.DB, name string) error {
	return tx.Exec("ROLLBACK TO " + quote(name)).Error
}

// Translate turns violated constraints into gorm's errors, the driver's inside.
func (sqliteGorm) Translate(err error) error {
	r, ok := (&sqliteDialect{}).refused(err)
	switch {
	case !ok:
		return err
	case r.unique:
		return fmt.Errorf("%w: %w", gorm.ErrDuplicatedKey, err)
	}
	return fmt.Errorf("%w: %w", gorm.ErrForeignKeyViolated, err)
}

// sqliteMigrator asks SQLite's catalogue where gorm's own asks an information schema.
type sqliteMigrator struct{ migrator.Migrator }

func (m sqliteMigrator) has(kind, table, name string) bool {
	n := 0
	_ = m.DB.Raw("SELECT count(*) FROM sqlite_master WHERE type = ? AND tbl_name = ? AND name = ?", kind, table, name).Row().Scan(&n) // a failure reads as 0
	return n > 0
}

// HasTable reports whether a table exists.
func (m sqliteMigrator) HasTable(value any) (found bool) {
	_ = m.RunWithValue(value, func(st *gorm.Statement) error { found = m.has("table", st.Table, st.Table); return nil })
	return found
}

// HasIndex reports whether an index exists.
func (m sqliteMigrator) HasIndex(value any, name string) (found bool) {
	_ = m.RunWithValue(value, func(st *gorm.Statement) error { found = m.has("index", st.Table, name); return nil })
	return found
}
