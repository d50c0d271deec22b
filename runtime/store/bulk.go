package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// PutOffIndexes takes away the indexes of a model's tables that only make reading faster and notes them as pending, so that
// many rows can be added without keeping them up. EnsureIndexes builds them again; so does the next start when this process
// dies in between. Unique indexes stay.
func (db *DB) PutOffIndexes(ctx context.Context, m *catalog.Model) error {
	return db.Write(ctx, func(ctx context.Context, tx *Tx) error {
		st, _, err := readStorage(ctx, tx.c)
		if err != nil {
			return err
		}
		names := []string{m.Table}
		for _, s := range m.Sheets {
			names = append(names, s.Table)
		}
		for _, t := range st.Tables {
			if !slices.Contains(names, t.Name) {
				continue
			}
			for _, i := range indexes(st, t) {
				if i.kind == uniqueIndex {
					continue
				}
				after, err := tx.db.d.deferIndex(ctx, tx, i)
				if err != nil {
					return fmt.Errorf("put off index %s: %w", i.name, err)
				}
				_, err = tx.c.ExecContext(ctx, `INSERT INTO sl_pending_index (name, "after") VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET "after" = $2`, i.name, after)
				if err != nil {
					return tx.fail(err)
				}
			}
		}
		return nil
	})
}

// maxArguments is what both databases take in one statement, with a margin.
const maxArguments = 30_000

// InsertRows adds many records of a model, or rows of one of its sub-tables: what Insert does for one. Each row holds values
// for the same columns, in their order, in the Go forms of plan.Kind. Searched texts whose gram index is pending from the
// start are left to EnsureIndexes.
func (tx *Tx) InsertRows(ctx context.Context, m *catalog.Model, columns []string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	b, err := tx.builder()
	if err != nil {
		return err
	}
	in := &rowsInsert{tx: tx, m: m, of: make([]plan.Column, len(columns)), id: slices.Index(columns, catalog.ID)}
	if in.id < 0 {
		return fmt.Errorf("store: rows of %s without ids", m.Code)
	}
	stored := b.stored(m)
	for i, name := range columns {
		at := slices.IndexFunc(stored, func(c plan.Column) bool { return c.Name == name })
		if at < 0 {
			return fmt.Errorf("store: model %s has no column %q", m.Code, name)
		}
		in.of[i] = stored[at]
	}
	return in.run(ctx, rows)
}

// rowsInsert writes rows of equal form with as few statements as the database likes best.
type rowsInsert struct {
	tx *Tx
	m  *catalog.Model
	of []plan.Column
	id int // place of the id among them
}

func (in *rowsInsert) run(ctx context.Context, rows [][]any) error {
	if err := in.table(ctx, rows); err != nil {
		return err
	}
	for i, c := range in.of {
		var err error
		switch {
		case c.Kind == plan.Set:
			err = in.links(ctx, c.Name, i, rows)
		case searched(&c):
			err = in.search(ctx, c.Name, i, rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// chunk is how many rows of a width one statement takes.
func (in *rowsInsert) chunk(width int) int {
	return max(1, min(in.tx.db.d.rowsAtOnce(), maxArguments/width))
}

func (in *rowsInsert) table(ctx context.Context, rows [][]any) error {
	w, err := in.tx.grammar()
	if err != nil {
		return err
	}
	names := []byte(nil)
	width := 0
	name := func(n string, _ plan.Kind, _ any) {
		if width++; width > 1 {
			names = append(names, ", "...)
		}
		names = ident(names, n)
	}
	for _, c := range in.of {
		name(c.Name, c.Kind, nil)
		if searched(&c) {
			w.searchColumn(c.Name, nil, name)
		}
	}
	head := append(append(append(table([]byte("INSERT INTO "), in.m), " ("...), names...), ") VALUES "...)
	at := target{table: in.m.Table}
	n := in.chunk(width)
	b := &builder{w: w}
	text, of := "", 0
	for part := range slices.Chunk(rows, n) {
		b.args = b.args[:0]
		if len(part) != of {
			out := slices.Clone(head)
			for i, row := range part {
				if i > 0 {
					out = append(out, ", "...)
				}
				out = in.values(b, append(out, '('), row)
				out = append(out, ')')
			}
			text, of = string(out), len(part)
		} else { // the same text again for every full part
			for _, row := range part {
				in.bind(b, row)
			}
		}
		if b.err != nil {
			return b.err
		}
		if _, err := in.tx.exec(ctx, at, text, b.args...); err != nil {
			return err
		}
	}
	return nil
}

// values writes one row's placeholders and binds its values.
func (in *rowsInsert) values(b *builder, dst []byte, row []any) []byte {
	first := true
	add := func(_ string, k plan.Kind, v any) {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = b.store(dst, k, v)
	}
	for i, c := range in.of {
		add(c.Name, c.Kind, row[i])
		if searched(&c) {
			b.w.searchColumn(c.Name, row[i], add)
		}
	}
	return dst
}

// bind binds the values of one row, as values does.
func (in *rowsInsert) bind(b *builder, row []any) {
	add := func(_ string, k plan.Kind, v any) {
		x, err := b.keep(k, v)
		if err != nil {
			b.fail("%w", err)
		}
		b.args = append(b.args, x)
	}
	for i, c := range in.of {
		add("", c.Kind, row[i])
		if searched(&c) {
			b.w.searchColumn(c.Name, row[i], add)
		}
	}
}

// links writes the members of a set column.
func (in *rowsInsert) links(ctx context.Context, column string, at int, rows [][]any) error {
	where := target{table: LinkTable(in.m.Table, column)}
	head := "INSERT INTO " + Ident(where.table) + ` ("v", "id", "ordinal") VALUES `
	const width = 3
	n := in.chunk(width)
	args := make([]any, 0, n*width)
	flush := func() error {
		if len(args) == 0 {
			return nil
		}
		out := []byte(head)
		for i := 0; i < len(args); i += width {
			if i > 0 {
				out = append(out, ", "...)
			}
			for k := range width {
				if k == 0 {
					out = append(out, '(')
				} else {
					out = append(out, ", "...)
				}
				out = strconv.AppendInt(append(out, '$'), int64(i+k+1), 10)
			}
			out = append(out, ')')
		}
		_, err := in.tx.exec(ctx, where, string(out), args...)
		args = args[:0]
		return err
	}
	member := in.tx.member(in.of[at])
	for _, row := range rows {
		set, _ := row[at].([]string)
		id, _ := row[in.id].(string)
		record := in.tx.id(id)
		for ordinal, v := range set {
			args = append(args, record, member(v), int64(ordinal))
			if len(args) == n*width {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// search adds the rows' grams where they are kept beside the table, unless EnsureIndexes has yet to begin with them.
func (in *rowsInsert) search(ctx context.Context, column string, at int, rows [][]any) error {
	begun := 0
	err := in.tx.queryRow(ctx, `SELECT count(*) FROM sl_pending_index WHERE name = $1 AND "after" = ''`, []any{physical(GramTable(in.m.Table, column))}, &begun)
	if err != nil || begun > 0 {
		return err
	}
	for _, one := range rows {
		texts := map[string]*string{}
		if s, _ := one[at].(string); s != "" {
			texts[column] = &s
		}
		if err := in.tx.db.d.search(ctx, in.tx, in.m.Table, row{id: one[in.id].(string), fresh: true}, texts); err != nil {
			return err
		}
	}
	return nil
}
