package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm/schema"

	"github.com/sluice-platform/sluice/engine/plan"
)

// DumpColumn is a column of a dumped table. Kind names the Go form of its values: text, id, date, clock (string), number (decimal.Decimal),
// instant (time.Time), bool, int (int64), set ([]string), bytes ([]byte), float (float64).
type DumpColumn struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// DumpTable is a table whose rows are read or written as they are, without rules: for copies of a whole database.
type DumpTable struct {
	Name    string       `json:"name"`
	Columns []DumpColumn `json:"columns"`

	link   *plan.Column // of a link table: the set that it belongs to
	fields []plan.Column
	system bool
	order  []string // columns of the primary key
}

// Kinds of the engine's columns, of which plan.Kind has but the first.
const (
	bytesKind = "bytes"
	floatKind = "float"
)

// ErrUndumped: a table cannot be copied.
var ErrUndumped = errors.New("the table cannot be copied")

// dumpTables are the tables of a storage and of system models, system tables last.
func dumpTables(st plan.Storage, system []any) ([]DumpTable, error) {
	var out []DumpTable
	for _, t := range st.Tables {
		main := DumpTable{Name: t.Name}
		for _, c := range columns(t) {
			main.fields = append(main.fields, c)
			main.Columns = append(main.Columns, DumpColumn{c.Name, c.Kind.String()})
		}
		out = append(out, main)
		for _, c := range links(t) {
			out = append(out, DumpTable{Name: LinkTable(t.Name, c.Name), link: &c,
				Columns: []DumpColumn{{linkRecord, plan.ID.String()}, {linkValue, plan.Text.String()}, {"ordinal", plan.Int.String()}}})
		}
	}
	var parsed sync.Map
	for _, m := range slices.Concat([]any{&droppedRow{}, &nameRow{}, &nameSetRow{}}, system) {
		t, err := dumpSystem(m, &parsed)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

var systemKinds = map[schema.DataType]string{schema.Bool: plan.Bool.String(), schema.Int: plan.Int.String(), schema.Uint: plan.Int.String(),
	schema.Float: floatKind, schema.String: plan.Text.String(), schema.Time: plan.Instant.String(), schema.Bytes: bytesKind,
	"uuid": plan.Text.String()} // written and read as a text

func dumpSystem(model any, parsed *sync.Map) (DumpTable, error) {
	s, err := schema.Parse(model, parsed, schema.NamingStrategy{SingularTable: true})
	if err != nil {
		return DumpTable{}, err
	}
	t := DumpTable{Name: s.Table, system: true}
	for _, f := range s.Fields {
		if f.DBName == "" {
			continue
		}
		kind := systemKinds[f.DataType]
		if kind == "" || f.AutoIncrement && f.PrimaryKey { // a copied number would not move the sequence behind it
			return DumpTable{}, fmt.Errorf("%w: %s.%s", ErrUndumped, s.Table, f.DBName)
		}
		t.Columns = append(t.Columns, DumpColumn{f.DBName, kind})
		if f.PrimaryKey {
			t.order = append(t.order, f.DBName)
		}
	}
	return t, nil
}

// Snapshot is one state of a whole database, whatever others write meanwhile.
type Snapshot struct {
	Storage string // JSON of the applied plan.Storage
	Digest  string // of Storage
	Version int64  // of the published documents
	Tables  []DumpTable

	tx *Tx
}

// Snapshot runs f over one state of all tables of models and of those of system models. While it runs, PostgreSQL changes no table that
// it holds.
func (db *DB) Snapshot(ctx context.Context, system []any, f func(*Snapshot) error) error {
	const tries = 5
	for range tries {
		tables, err := db.toDump(ctx, system)
		if err != nil {
			return err
		}
		err = db.Read(Background(ctx), func(ctx context.Context, tx *Tx) error {
			if err := db.d.pin(ctx, tx.c, dumpNames(tables)); err != nil {
				return err
			}
			s := &Snapshot{tx: tx}
			if err := tx.c.QueryRowContext(ctx, `SELECT digest, version, plan FROM sl_schema WHERE id = 1`).Scan(&s.Digest, &s.Version, &s.Storage); err != nil {
				return fmt.Errorf("read sl_schema: %w", err)
			}
			var st plan.Storage
			if err := json.Unmarshal([]byte(s.Storage), &st); err != nil {
				return fmt.Errorf("read sl_schema: %w", err)
			}
			if outdated(st) {
				return ErrFormat
			}
			if s.Tables, err = dumpTables(st, system); err != nil {
				return err
			}
			if !slices.Equal(dumpNames(tables), dumpNames(s.Tables)) {
				return ErrSchemaMoved
			}
			return f(s)
		})
		if !errors.Is(err, ErrSchemaMoved) {
			return err
		}
	}
	return ErrSchemaMoved
}

func (db *DB) toDump(ctx context.Context, system []any) (out []DumpTable, err error) {
	st, err := db.stored(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := db.Adopt(ctx); err != nil {
		return nil, err
	}
	return dumpTables(st.storage, system)
}

func dumpNames(tables []DumpTable) (out []string) {
	for _, t := range tables {
		out = append(out, t.Name)
	}
	return out
}

// Tx reads other things of the same state.
func (s *Snapshot) Tx() *Tx { return s.tx }

// Rows reads all rows of a table. f must not keep the row.
func (s *Snapshot) Rows(ctx context.Context, t DumpTable, f func(row []any) error) error {
	text := "SELECT "
	for i, c := range t.Columns {
		if i > 0 {
			text += ", "
		}
		text += Ident(c.Name)
	}
	text += " FROM " + Ident(t.Name)
	if t.system {
		return s.system(ctx, t, text+" ORDER BY "+idents(t.order), f)
	}
	kinds := []plan.Kind{plan.ID, plan.Text, plan.Int}
	if t.link == nil {
		kinds = kinds[:0]
		for _, c := range t.fields {
			kinds = append(kinds, c.Kind)
		}
	}
	if err := s.tx.each(ctx, text, nil, kinds, f); err != nil {
		return fmt.Errorf("read %s: %w", t.Name, err)
	}
	return nil
}

func (s *Snapshot) system(ctx context.Context, t DumpTable, text string, f func(row []any) error) error {
	rows, err := s.tx.query(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	row, cells := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range row {
		cells[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(cells...); err != nil {
			return fmt.Errorf("read %s: %w", t.Name, err)
		}
		for i, c := range t.Columns {
			if row[i], err = systemValue(c.Kind, row[i]); err != nil {
				return fmt.Errorf("read %s.%s: %w", t.Name, c.Name, err)
			}
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// systemValue gives a value of a driver the form of its kind.
func systemValue(kind string, v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		switch kind {
		case "text":
			return x, nil
		case bytesKind:
			return []byte(x), nil
		}
	case []byte:
		switch kind {
		case "text":
			return string(x), nil
		case bytesKind:
			return x, nil
		}
	case int64:
		switch kind {
		case "int":
			return x, nil
		case "bool":
			return x != 0, nil
		case floatKind:
			return float64(x), nil
		}
	case bool:
		if kind == "bool" {
			return x, nil
		}
	case float64:
		if kind == floatKind {
			return x, nil
		}
	case time.Time:
		if kind == "instant" {
			return x.UTC(), nil
		}
	}
	return nil, fmt.Errorf("%T is no %s", v, kind)
}

// Holds reports whether a table has a column of this name and kind.
func (t DumpTable) Holds(c DumpColumn) bool { return slices.Contains(t.Columns, c) }

// IsModel reports whether the table is one of a model, and not one of the system.
func (t DumpTable) IsModel() bool { return !t.system && !strings.HasPrefix(t.Name, "sl_") }
