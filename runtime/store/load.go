package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/plan"
)

// ErrNotEmpty: rows can only be loaded into a database without any.
var ErrNotEmpty = errors.New("the database is not empty")

// Build makes the tables of a storage, as Snapshot gave it, in a database that has none, without the indexes that only make reading
// faster: EnsureIndexes builds them when the rows are there.
func (db *DB) Build(ctx context.Context, storage, digest string) error {
	if sum := sha256.Sum256([]byte(storage)); hex.EncodeToString(sum[:]) != digest {
		return errors.New("the tables do not have their digest")
	}
	var st plan.Storage
	if err := json.Unmarshal([]byte(storage), &st); err != nil {
		return fmt.Errorf("read the tables: %w", err)
	}
	p, err := db.Plan(ctx, st, PlanOptions{})
	if err != nil {
		return err
	}
	if p.Have != "" {
		return ErrNotEmpty
	}
	if err := db.Apply(ctx, p, ApplyOptions{}); err != nil {
		return err
	}
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		for _, t := range st.Tables {
			for _, i := range indexes(st, t) {
				if i.kind == uniqueIndex {
					continue
				}
				after, err := db.d.deferIndex(ctx, tx, i)
				if err != nil {
					return tx.fail(fmt.Errorf("put off index %s: %w", i.name, err))
				}
				if _, err := tx.change(ctx, `INSERT INTO sl_pending_index (name, "after") VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET "after" = $2`, i.name, after); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Loader puts rows into a database that Build made.
type Loader struct {
	tables []DumpTable
	tx     *Tx
}

// Load runs f in one transaction in which references between rows are not looked at; they are all checked at its end. The published
// documents have the given version then.
func (db *DB) Load(ctx context.Context, system []any, version int64, f func(*Loader) error) error {
	st := db.schema.Load().storage
	tables, err := dumpTables(st, system)
	if err != nil {
		return err
	}
	off, on := db.d.keys(st)
	return db.d.apply(ctx, false, func(c conn) error {
		ctx := db.inside(ctx)
		tx := &Tx{db: db, ctx: ctx, c: c, write: true, touched: map[string]*changedRows{}}
		quiet := func(string) {}
		if err := run(ctx, c, off, quiet); err != nil {
			return err
		}
		if _, err := tx.change(ctx, `DELETE FROM sl_name_set`); err != nil { // what Build kept: the dump brings its own
			return err
		}
		if err := f(&Loader{tables: tables, tx: tx}); err != nil {
			return err
		}
		if tx.failed != nil {
			return tx.failed
		}
		if _, err := tx.change(ctx, `UPDATE sl_schema SET version = $1 WHERE id = 1`, version); err != nil {
			return err
		}
		return run(ctx, c, on, quiet)
	}, func() {})
}

// Tx writes other things in the same transaction.
func (l *Loader) Tx() *Tx { return l.tx }

// Table finds a table of the database.
func (l *Loader) Table(name string) (DumpTable, bool) {
	i := slices.IndexFunc(l.tables, func(t DumpTable) bool { return t.Name == name })
	if i < 0 {
		return DumpTable{}, false
	}
	return l.tables[i], true
}

// Rows adds rows that have values for some columns of a table, in their order and in the Go forms of their kinds.
func (l *Loader) Rows(ctx context.Context, t DumpTable, columns []DumpColumn, rows [][]any) error {
	w, err := l.tx.grammar()
	if err != nil {
		return err
	}
	in := &loading{tx: l.tx, t: t, w: w}
	names, width := []byte(nil), 0
	name := func(n string, _ plan.Kind, _ any) {
		if width++; width > 1 {
			names = append(names, ", "...)
		}
		names = ident(names, n)
	}
	for _, c := range columns {
		if !t.Holds(c) {
			return fmt.Errorf("%s has no column %s of the kind %s", t.Name, c.Name, c.Kind)
		}
		of := plan.Column{Name: c.Name}
		if i := slices.IndexFunc(t.fields, func(f plan.Column) bool { return f.Name == c.Name }); i >= 0 {
			of = t.fields[i]
		}
		in.columns = append(in.columns, of)
		name(c.Name, of.Kind, nil)
		if searched(&of) {
			w.searchColumn(of.Name, nil, name)
		}
	}
	head := "INSERT INTO " + Ident(t.Name) + " (" + string(names) + ") VALUES "
	for part := range slices.Chunk(rows, max(1, min(l.tx.db.d.rowsAtOnce(), maxArguments/max(1, width)))) {
		if err := in.insert(ctx, head, part); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
	}
	return nil
}

type loading struct {
	tx      *Tx
	t       DumpTable
	w       grammar
	columns []plan.Column
}

func (in *loading) insert(ctx context.Context, head string, rows [][]any) error {
	b := &builder{w: in.w}
	out := []byte(head)
	for i, row := range rows {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, '(')
		first := true
		add := func(_ string, k plan.Kind, v any) {
			if !first {
				out = append(out, ", "...)
			}
			first = false
			out = in.value(b, out, k, v)
		}
		for n, c := range in.columns {
			v := row[n]
			if in.t.link != nil && c.Name == linkValue {
				v, _ = row[n].(string)
				out = append(out, ", "...)
				b.args = append(b.args, in.tx.member(*in.t.link)(v.(string)))
				out = fmt.Appendf(out, "$%d", len(b.args))
				continue
			}
			add(c.Name, in.kind(c), v)
			if searched(&c) {
				in.w.searchColumn(c.Name, v, add)
			}
		}
		out = append(out, ')')
	}
	if b.err != nil {
		return b.err
	}
	_, err := in.tx.change(ctx, string(out), b.args...)
	return err
}

// kind is None for columns of system tables, whose values are bound as they are.
func (in *loading) kind(c plan.Column) plan.Kind {
	if in.t.link == nil {
		return c.Kind
	}
	if c.Name == linkRecord {
		return plan.ID
	}
	return plan.Int
}

func (in *loading) value(b *builder, dst []byte, k plan.Kind, v any) []byte {
	if k != plan.None {
		return b.store(dst, k, v)
	}
	b.args = append(b.args, v)
	return fmt.Appendf(dst, "$%d", len(b.args))
}
