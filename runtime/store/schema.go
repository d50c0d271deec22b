package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// schemaRow is the one row of sl_schema: the storage plan that was applied last.
type schemaRow struct {
	ID     int    `gorm:"primaryKey;autoIncrement:false"`
	Digest string `gorm:"not null"`
	Plan   string `gorm:"not null"`

	Version int64 `gorm:"not null;default:0"` // of the documents that were published; raised by each Publish
}

func (schemaRow) TableName() string { return "sl_schema" }

// pendingRow is an index that an apply has promised and EnsureIndexes still has to build.
type pendingRow struct {
	Name  string `gorm:"primaryKey"`
	After string `gorm:"not null"` // gram indexes: the last record that is in it
}

func (pendingRow) TableName() string { return "sl_pending_index" }

// schemaState is the applied storage with what messages need of it.
type schemaState struct {
	stamp
	storage     plan.Storage
	names       *names.Log
	called      names.Set             // by the documents that were applied last
	tables      map[string]plan.Table // by the name in the database
	constraints map[string]constraint // by name
	references  []reference
	columns     sync.Map // *catalog.Model -> []plan.Column: what builder.stored found
}

// reference is a foreign key and the property that it belongs to, also where the key is on a link table.
type reference struct {
	foreign
	owner, property string
}

type constraint struct {
	table   string
	columns []string
}

func (s *schemaState) model(table string) string { return s.tables[physical(table)].Model }

// logical gives a table and columns, as a driver names them, the names that definitions use.
func (s *schemaState) logical(table string, cols []string) (string, []string) {
	t, ok := s.tables[table]
	if !ok {
		return table, cols
	}
	out := slices.Clone(cols)
	for i, name := range cols {
		for _, c := range t.Columns {
			if physical(c.Name) == name {
				out[i] = c.Name
			}
		}
	}
	return t.Name, out
}

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
	err := db.Read(ctx, func(ctx context.Context, tx *Tx) (err error) {
		st, err = db.readSchema(ctx, tx.c)
		return err
	})
	return st, err
}

func (db *DB) readSchema(ctx context.Context, c conn) (*schemaState, error) {
	storage, at, err := readStorage(ctx, c)
	if err != nil || db.nameless() {
		return newSchemaState(storage, at, known{}), err
	}
	names, err := readNames(ctx, c)
	return newSchemaState(storage, at, names), err
}

func readStorage(ctx context.Context, c conn) (s plan.Storage, at stamp, err error) {
	var text string
	err = c.QueryRowContext(ctx, `SELECT digest, version, `+selectNames+`, plan FROM sl_schema WHERE id = 1`).Scan(&at.digest, &at.version, &at.names, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return s, stamp{}, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &s)
	}
	if err != nil {
		return plan.Storage{}, stamp{}, fmt.Errorf("read sl_schema: %w", err)
	}
	return s, at, nil
}

// stamp tells one state of the definitions in a database from others.
type stamp struct {
	digest  string // of the tables; "" before the first apply
	version int64  // of the published documents
	names   string // the last epoch of the log of names; "" = nothing has been renamed or removed since these are kept
}

const (
	selectNames   = `coalesce((SELECT digest FROM sl_schema WHERE id = 3), '')` // namesRow
	selectStamp   = `SELECT digest, version, ` + selectNames + ` FROM sl_schema WHERE id = 1`
	selectVersion = `SELECT version FROM sl_schema WHERE id = 1`
)

func storedStamp(ctx context.Context, c conn) (at stamp, err error) {
	if b, ok := c.(*postgresBatch); ok {
		return b.stamp, nil
	}
	if c, ok := c.(groupConn); ok { // no other process applies while the group has its transaction
		if c.stamp.digest != "" {
			return *c.stamp, nil
		}
		defer func() { *c.stamp = at }()
	}
	err = c.QueryRowContext(ctx, selectStamp).Scan(&at.digest, &at.version, &at.names)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return stamp{}, fmt.Errorf("read sl_schema: %w", err)
	}
	return at, nil
}

// encodeSchema is the storage as sl_schema keeps it, and its digest. It holds what things were renamed from: that tells a rename
// that has been carried out from one that is asked for.
func encodeSchema(s plan.Storage) (text, digest string, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return "", "", fmt.Errorf("encode storage plan: %w", err)
	}
	sum := sha256.Sum256(b)
	return string(b), hex.EncodeToString(sum[:]), nil
}

func newSchemaState(s plan.Storage, at stamp, n known) *schemaState {
	st := &schemaState{stamp: at, storage: s, names: n.log, called: n.set, tables: map[string]plan.Table{}, constraints: map[string]constraint{}}
	for _, t := range s.Tables {
		st.tables[physical(t.Name)] = t
		for _, x := range indexes(s, t) {
			if x.kind == uniqueIndex {
				st.constraints[x.name] = constraint{t.Name, x.columns}
			}
		}
		st.constraints[primaryKey(t.Name)] = constraint{t.Name, []string{"id"}}
		for _, f := range foreignKeys(s, t) {
			r := reference{foreign: f, owner: t.Name, property: f.column}
			for _, c := range links(t) {
				if f.table == LinkTable(t.Name, c.Name) {
					r.property = c.Name
				}
			}
			st.references = append(st.references, r)
			st.constraints[f.name()] = constraint{t.Name, []string{r.property}}
		}
	}
	return st
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

// Adopt makes this process work with the tables as they are, without a plan: for commands that know only some of the
// definitions. It reports whether there were any tables.
func (db *DB) Adopt(ctx context.Context) (bool, error) {
	have, err := db.stored(ctx)
	if err != nil || len(have.storage.Tables) == 0 {
		return false, err
	}
	if outdated(have.storage) {
		return false, ErrFormat
	}
	db.took(have)
	return true, nil
}
