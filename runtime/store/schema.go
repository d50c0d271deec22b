package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// schemaRow is the one row of sl_schema: the storage plan that was applied last.
type schemaRow struct {
	ID     int    `gorm:"primaryKey;autoIncrement:false"`
	Digest string `gorm:"not null"`
	Plan   string `gorm:"not null"`
}

func (schemaRow) TableName() string { return "sl_schema" }

// pendingRow is an index that an apply has promised and EnsureIndexes still has to build.
type pendingRow struct {
	Name string `gorm:"primaryKey"`
	Spec string `gorm:"not null"`
}

func (pendingRow) TableName() string { return "sl_pending_index" }

// schemaState is the applied storage with what messages need of it.
type schemaState struct {
	digest      string
	storage     plan.Storage
	models      map[string]string // table -> model
	constraints map[string]constraint
	foreign     []foreign
}

type constraint struct {
	table   string
	columns []string
}

// foreign is a reference; refuses: it keeps its target from being deleted.
type foreign struct {
	table, column, target string
	refuses               bool
}

func (s *schemaState) model(table string) string { return s.models[table] }

// Schema returns the storage plan that was applied last, and its digest; "" before the first apply.
func (db *DB) Schema(ctx context.Context) (plan.Storage, string, error) {
	st, err := db.stored(ctx)
	if err != nil {
		return plan.Storage{}, "", err
	}
	return st.storage, st.digest, nil
}

func (db *DB) stored(ctx context.Context) (*schemaState, error) {
	var st *schemaState
	err := db.Read(ctx, func(tx *Tx) (err error) {
		st, err = readSchema(ctx, tx.c)
		return err
	})
	return st, err
}

func readSchema(ctx context.Context, c conn) (*schemaState, error) {
	var digest, text string
	err := c.QueryRowContext(ctx, `SELECT digest, plan FROM sl_schema WHERE id = 1`).Scan(&digest, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return newSchemaState(plan.Storage{}, ""), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read sl_schema: %w", err)
	}
	var s plan.Storage
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return nil, fmt.Errorf("read sl_schema: %w", err)
	}
	return newSchemaState(s, digest), nil
}

func storedDigest(ctx context.Context, c conn) (string, error) {
	var digest string
	err := c.QueryRowContext(ctx, `SELECT digest FROM sl_schema WHERE id = 1`).Scan(&digest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read sl_schema: %w", err)
	}
	return digest, nil
}

// encodeSchema is the storage as sl_schema keeps it, without what speaks of a change (renamedFrom), and its digest.
func encodeSchema(s plan.Storage) (text, digest string, err error) {
	out := plan.Storage{Tables: make([]plan.Table, len(s.Tables))}
	for i, t := range s.Tables {
		t.RenamedFrom = ""
		t.Columns = append([]plan.Column(nil), t.Columns...)
		for j := range t.Columns {
			t.Columns[j].RenamedFrom = ""
		}
		out.Tables[i] = t
	}
	b, err := json.Marshal(out)
	if err != nil {
		return "", "", fmt.Errorf("encode storage plan: %w", err)
	}
	sum := sha256.Sum256(b)
	return string(b), hex.EncodeToString(sum[:]), nil
}

func newSchemaState(s plan.Storage, digest string) *schemaState {
	st := &schemaState{digest: digest, storage: s, models: map[string]string{}, constraints: map[string]constraint{}}
	for _, t := range s.Tables {
		st.models[t.Name] = t.Model
		for _, u := range t.Unique {
			st.constraints[physical(indexName("u", t.Name, u.Columns))] = constraint{t.Name, u.Columns}
		}
		st.constraints[physical(t.Name+"_pkey")] = constraint{t.Name, []string{"id"}}
		for _, f := range foreignKeys(s, t) {
			st.foreign = append(st.foreign, f)
			st.constraints[physical(indexName("f", f.table, []string{f.column}))] = constraint{f.table, []string{f.column}}
		}
	}
	return st
}

// foreignKeys lists the references of a table's own columns and of its link tables to their members. References to tables
// outside the storage plan (files) are checked by who writes them.
func foreignKeys(s plan.Storage, t plan.Table) []foreign {
	var out []foreign
	if t.Parent != "" {
		out = append(out, foreign{table: t.Name, column: "parentId", target: t.Parent})
	}
	for _, c := range t.Columns {
		to := referenced(s, c)
		if to == "" || c.Name == "parentId" && t.Parent != "" {
			continue
		}
		f := foreign{table: t.Name, column: c.Name, target: to, refuses: c.OnDelete == "" || c.OnDelete == "refuse"}
		if c.Kind == plan.Set {
			f.table, f.column = LinkTable(t.Name, c.Name), "id"
		}
		out = append(out, f)
	}
	return out
}

// referenced is the table that a column refers to, written as table or as model; "" when it is none of the plan's.
func referenced(s plan.Storage, c plan.Column) string {
	if c.References == "" {
		return ""
	}
	for _, t := range s.Tables {
		if t.Name == c.References || strings.EqualFold(t.Model, c.References) {
			return t.Name
		}
	}
	return ""
}
