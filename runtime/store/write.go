package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// stored are the columns of a model's table: those of its fields, of its storage plan, and the engine's own. The list is not
// to be changed.
func (b *builder) stored(m *catalog.Model) []plan.Column {
	if b.known == nil {
		return b.columns(m)
	}
	if list, ok := b.known.Load(m); ok {
		return list.([]plan.Column)
	}
	list := b.columns(m)
	b.known.Store(m, list)
	return list
}

func (b *builder) columns(m *catalog.Model) []plan.Column {
	var out []plan.Column
	has := map[string]bool{}
	for _, f := range m.Fields {
		if f.Property == nil {
			continue
		}
		for _, c := range f.Columns() {
			out = append(out, c)
			has[c.Name] = true
		}
	}
	for _, c := range b.tableOf(m) {
		if !has[c.Name] {
			out = append(out, c)
			has[c.Name] = true
		}
	}
	for _, name := range []string{catalog.ID, namePinyin, catalog.SheetParent, catalog.SheetOrder} {
		if c, ok := columnOf(m, name); ok && !has[name] {
			out = append(out, c)
		}
	}
	return out
}

// change is one row on its way into a table.
type change struct {
	columns []*plan.Column // of the values, in the order of the model
	row     map[string]any
}

// changeOf refuses columns that the model does not have: a misspelt one must not be lost silently.
func (b *builder) changeOf(m *catalog.Model, row map[string]any) (*change, error) {
	ch := &change{row: row, columns: make([]*plan.Column, 0, len(row))}
	all := b.stored(m)
	for i := range all {
		if _, ok := row[all[i].Name]; ok {
			ch.columns = append(ch.columns, &all[i])
		}
	}
	if len(ch.columns) == len(row) {
		return ch, nil
	}
	for name := range row {
		if !b.hasColumn(m, name) {
			return nil, fmt.Errorf("store: model %s has no column %q", m.Code, name)
		}
	}
	return nil, fmt.Errorf("store: model %s has columns twice", m.Code)
}

// Insert adds a record, or a row of a sub-table. Values are in the Go forms of plan.Kind; the row has its id. The members
// of sets go into their link tables, and searched texts into their search index.
func (tx *Tx) Insert(ctx context.Context, m *catalog.Model, values map[string]any) error {
	id, _ := values[catalog.ID].(string)
	if id == "" {
		return fmt.Errorf("store: row of %s without an id", m.Code)
	}
	b, err := tx.builder()
	if err != nil {
		return err
	}
	ch, err := b.changeOf(m, values)
	if err != nil {
		return err
	}
	names, marks := []byte(nil), []byte(nil)
	add := func(name string, k plan.Kind, v any) {
		if len(b.args) > 0 {
			names, marks = append(names, ", "...), append(marks, ", "...)
		}
		names, marks = ident(names, name), b.store(marks, k, v)
	}
	for _, c := range ch.columns {
		add(c.Name, c.Kind, values[c.Name])
		if searched(c) {
			b.w.searchColumn(c.Name, values[c.Name], add)
		}
	}
	out := table([]byte("INSERT INTO "), m)
	out = append(append(append(out, " ("...), names...), ") VALUES ("...)
	out = append(append(out, marks...), ')')
	if b.err != nil {
		return b.err
	}
	if err := tx.put(ctx, target{table: m.Table, id: id, row: values}, string(out), b.args); err != nil {
		return err
	}
	return tx.writeLinksAndIndex(ctx, m, row{id: id, fresh: true, number: tx.number}, ch)
}

// Update changes columns of a record that where lets the caller change and that still has the version (a negative one is
// not looked at), and tells how many rows that were: 0 or 1. The version becomes one higher unless set says it.
func (tx *Tx) Update(ctx context.Context, m *catalog.Model, id string, version int64, where plan.Expr, set map[string]any) (int64, error) {
	b, err := tx.builder()
	if err != nil {
		return 0, err
	}
	ch, err := b.changeOf(m, set)
	if err != nil {
		return 0, err
	}
	t := b.root(m)
	out := append(table([]byte("UPDATE "), m), " AS t SET "...)
	n := 0
	add := func(name string, k plan.Kind, v any) {
		if n++; n > 1 {
			out = append(out, ", "...)
		}
		out = b.store(append(ident(out, name), " = "...), k, v)
	}
	for _, c := range ch.columns {
		add(c.Name, c.Kind, set[c.Name])
		if searched(c) {
			b.w.searchColumn(c.Name, set[c.Name], add)
		}
	}
	if _, given := set[catalog.Version]; !given && b.hasColumn(m, catalog.Version) {
		if n++; n > 1 {
			out = append(out, ", "...)
		}
		out = append(out, `"version" = t."version" + 1`...)
	}
	if n == 0 {
		return 0, fmt.Errorf("store: nothing to change in %s", m.Code)
	}
	out = t.one(out, id, version, where)
	if b.err != nil {
		return 0, b.err
	}
	changed, err := tx.exec(ctx, target{table: m.Table, id: id, row: set}, string(out), b.args...)
	if err != nil || changed == 0 {
		return changed, err
	}
	return changed, tx.writeLinksAndIndex(ctx, m, row{id: id}, ch)
}

// Delete removes a record with its sub-rows and links, under the same conditions as Update.
func (tx *Tx) Delete(ctx context.Context, m *catalog.Model, id string, version int64, where plan.Expr) (int64, error) {
	b, err := tx.builder()
	if err != nil {
		return 0, err
	}
	// Looked at first: what hangs on the record goes before it.
	t := b.root(m)
	out := append(append([]byte("SELECT 1 FROM "), table(nil, m)...), " AS t"...)
	out = t.one(out, id, version, where)
	if b.err != nil {
		return 0, b.err
	}
	var one int
	switch err := tx.queryRow(ctx, string(out), b.args, &one); {
	case errors.Is(err, sql.ErrNoRows):
		return 0, nil
	case err != nil:
		return 0, err
	}
	if err := tx.clear(ctx, m, id); err != nil {
		return 0, err
	}
	b, err = tx.builder()
	if err != nil {
		return 0, err
	}
	t = b.root(m)
	out = append(append([]byte("DELETE FROM "), table(nil, m)...), " AS t"...)
	out = t.one(out, id, version, where)
	n, err := tx.exec(ctx, target{table: m.Table, id: id}, string(out), b.args...)
	if err == nil && n == 0 {
		// Another transaction changed it in between; what went before it must come back.
		return 0, tx.fail(ErrConflict)
	}
	return n, err
}

// ErrConflict: another transaction changed the record at the same moment; the whole transaction can be tried again.
var ErrConflict = errors.New("the record was changed by another transaction")

// clear removes what belongs to a record: link rows, search entries and the rows of its sub-tables.
func (tx *Tx) clear(ctx context.Context, m *catalog.Model, id string) error {
	for _, s := range m.Sheets {
		rows, err := tx.query(ctx, `SELECT "id" FROM `+Ident(s.Table)+` WHERE "parentId" = $1`, tx.id(id))
		if err != nil {
			return err
		}
		ids, err := idsOf(rows)
		if err != nil {
			return tx.fail(err)
		}
		for _, row := range ids {
			if err := tx.clear(ctx, s, row); err != nil {
				return err
			}
		}
		if len(ids) > 0 {
			if _, err := tx.exec(ctx, target{table: s.Table}, `DELETE FROM `+Ident(s.Table)+` WHERE "parentId" = $1`, tx.id(id)); err != nil {
				return err
			}
		}
	}
	b, err := tx.builder()
	if err != nil {
		return err
	}
	gone := map[string]*string{}
	for _, c := range b.stored(m) {
		if c.Kind == plan.Set {
			if err := tx.unlink(ctx, m, id, c.Name); err != nil {
				return err
			}
		}
		if searched(&c) {
			gone[c.Name] = nil
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return tx.db.d.search(ctx, tx, m.Table, row{id: id}, gone)
}

func idsOf(rows *sql.Rows) (out []string, err error) {
	defer rows.Close()
	for rows.Next() {
		var id sql.RawBytes
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, idText(id))
	}
	return out, rows.Err()
}

func (tx *Tx) builder() (*builder, error) {
	w, err := tx.grammar()
	st := tx.db.schema.Load()
	return &builder{w: w, storage: &st.storage, known: &st.columns}, err
}

// store binds a value that is kept; numbers must fit their column.
func (b *builder) store(dst []byte, k plan.Kind, v any) []byte {
	x, err := b.keep(k, v)
	if err != nil {
		b.fail("%w", err)
		return dst
	}
	return b.bind(dst, k, x)
}

// keep gives a value that is kept the database's form.
func (b *builder) keep(k plan.Kind, v any) (any, error) {
	if v == nil || v == "" || k == plan.Set && without(v) {
		return nil, nil
	}
	if id, ok := v.(string); ok && k == plan.ID && !isUUID(id) {
		return nil, fmt.Errorf("%q is no id: %w", id, ErrValue)
	}
	if err := fits(k, v); err != nil {
		return nil, err
	}
	return encodeArg(b.w, k, v)
}

// without reports whether a set has no members.
func without(v any) bool {
	set, ok := v.([]string)
	return ok && len(set) == 0
}

// one writes the condition on the one record that a statement is about. Conditions that follow relations are looked up in
// a sub-select.
func (s *scope) one(dst []byte, id string, version int64, where plan.Expr) []byte {
	dst = s.arg(append(dst, ` WHERE t."id" = `...), plan.ID, id)
	if version >= 0 {
		dst = s.arg(append(dst, ` AND t."version" = `...), plan.Int, version)
	}
	if where == nil || plan.IsTrue(where) {
		return dst
	}
	return s.within(append(dst, " AND "...), s.model, "t", where)
}

func searched(c *plan.Column) bool { return c.Search && c.Kind == plan.Text }

// row is what things are kept beside.
type row struct {
	id     string
	fresh  bool  // nothing is kept beside it yet
	number int64 // that SQLite gave it; 0 = not known
}

// writeLinksAndIndex writes what is kept beside a row: the link tables of its sets and the search indexes of its texts.
func (tx *Tx) writeLinksAndIndex(ctx context.Context, m *catalog.Model, of row, ch *change) error {
	var texts map[string]*string
	for _, c := range ch.columns {
		switch {
		case c.Kind == plan.Set:
			set, _ := ch.row[c.Name].([]string)
			if !of.fresh {
				if err := tx.unlink(ctx, m, of.id, c.Name); err != nil {
					return err
				}
			}
			if err := tx.link(ctx, m, of.id, c, set); err != nil {
				return err
			}
		case searched(c):
			if texts == nil {
				texts = map[string]*string{}
			}
			texts[c.Name] = nil
			if s, _ := ch.row[c.Name].(string); s != "" {
				texts[c.Name] = &s
			}
		}
	}
	if texts == nil {
		return nil
	}
	return tx.db.d.search(ctx, tx, m.Table, of, texts)
}

func (tx *Tx) unlink(ctx context.Context, m *catalog.Model, id, column string) error {
	at := target{table: LinkTable(m.Table, column)}
	_, err := tx.exec(ctx, at, "DELETE FROM "+Ident(at.table)+` WHERE "v" = $1`, tx.id(id))
	return err
}

// linkChunk is how many links one statement writes at most. On SQLite it is one: a statement of several rows makes SQLite write
// down the search indexes' new words at once, for it may have to be undone by itself.
const linkChunk = 500

func (tx *Tx) link(ctx context.Context, m *catalog.Model, id string, column *plan.Column, set []string) error {
	if len(set) == 0 {
		return nil
	}
	at := target{table: LinkTable(m.Table, column.Name), row: map[string]any{}}
	record, member := tx.id(id), tx.member(*column)
	n := min(linkChunk, tx.db.d.rowsAtOnce())
	text, of := "", 0
	for begin := 0; begin < len(set); begin += n {
		chunk := set[begin:min(begin+n, len(set))]
		args := append(make([]any, 0, 1+2*len(chunk)), record)
		for i, v := range chunk {
			args = append(args, member(v), int64(begin+i))
		}
		if len(chunk) != of { // the same text again for every full part
			text, of = linkInsert(at.table, len(chunk)), len(chunk)
		}
		at.row["id"] = chunk[0]
		if err := tx.put(ctx, at, text, args); err != nil {
			return err
		}
	}
	return nil
}

// linkInsert is the statement that adds so many members of one record's set to a link table: $1 is the record.
func linkInsert(table string, members int) string {
	out := []byte("INSERT INTO " + Ident(table) + ` ("v", "id", "ordinal") VALUES `)
	for i := range members {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = strconv.AppendInt(append(out, "($1, $"...), int64(2*i+2), 10)
		out = strconv.AppendInt(append(out, ", $"...), int64(2*i+3), 10)
		out = append(out, ')')
	}
	return string(out)
}
