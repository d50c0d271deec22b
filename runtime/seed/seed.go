// Package seed fills a model with many rows, the same ones for the same number: data for benchmarks and for trying how the
// product feels when it is full. It knows kinds and options, no property types; it writes below the write path, in large
// transactions, and is reached from the command line only.
package seed

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	batch     = 2000
	putOff    = 10_000 // new rows from which building the indexes again is faster than keeping them up
	sheetRows = 3
)

// Fill adds rows that the model accepts until it has n, and builds the indexes that it put off for it. progress is called after each
// batch. Rows get the values of their formulas; those that read other records, here or elsewhere, are computed when the system
// catches up next.
func Fill(ctx context.Context, db *store.DB, c *catalog.Catalog, m *catalog.Model, n int, progress func(done int)) error {
	f := &filler{c: c, m: m, refs: map[*catalog.Model][]string{}, offers: map[*catalog.Field][]string{}, local: record.Local(m), now: time.Now().UTC(),
		patterns: map[string]*regexp.Regexp{}, forms: map[*catalog.Field]*pattern{}, known: map[*catalog.Field]bool{}}
	have, err := f.prepare(ctx, db)
	if err != nil {
		return err
	}
	if n <= have {
		return db.EnsureIndexes(ctx)
	}
	f.tables() // before two goroutines ask
	if n-have >= putOff {
		if err := db.PutOffIndexes(ctx, m); err != nil {
			return err
		}
	}
	if err := f.fill(ctx, db, have, n, progress); err != nil {
		return err
	}
	err = db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		computed, err := record.IsComputed(tx, c, m)
		if err != nil {
			return err
		}
		for _, feed := range m.Dependents {
			if err := record.OutOfDate(tx, feed.To); err != nil {
				return err
			}
		}
		switch {
		case f.local && (have == 0 || computed):
			return record.Computed(tx, c, m)
		case computed:
			return record.OutOfDate(tx, m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return db.EnsureIndexes(ctx)
}

// fill makes the rows of the next batch while one is written.
func (f *filler) fill(ctx context.Context, db *store.DB, from, to int, progress func(done int)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan [][][]any, 1)
	go func() {
		defer close(batches)
		for i := from; i < to; i += batch {
			select {
			case batches <- f.batch(i, min(i+batch, to)):
			case <-ctx.Done():
				return
			}
		}
	}()
	for rows := range batches {
		err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			for k, t := range f.tables() {
				if err := tx.InsertRows(ctx, t.model, t.columns, rows[k]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("rows from %d: %w", from, err)
		}
		from += len(rows[0])
		progress(from)
	}
	return ctx.Err()
}

type filler struct {
	c    *catalog.Catalog
	m    *catalog.Model
	refs map[*catalog.Model][]string // ids that references choose from

	offers   map[*catalog.Field][]string // the same for fields whose condition offers only some
	now      time.Time
	patterns map[string]*regexp.Regexp
	forms    map[*catalog.Field]*pattern
	known    map[*catalog.Field]bool

	local  bool // formulas are computed here
	filled []filled
}

// prepare counts the rows and reads the ids of everything that the model refers to.
func (f *filler) prepare(ctx context.Context, db *store.DB) (have int, err error) {
	err = db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		id := &plan.Field{Column: catalog.ID, K: plan.ID}
		n, err := tx.Count(ctx, f.c, &plan.Query{Model: f.m.Code, Where: plan.True, Select: []plan.Expr{id}})
		if err != nil {
			return err
		}
		have = int(n)
		for _, model := range append([]*catalog.Model{f.m}, f.m.Sheets...) {
			for _, field := range model.Fields {
				target := field.Target
				if target == nil || target == f.m {
					continue
				}
				q := &plan.Query{Model: target.Code, Where: plan.True, Order: []plan.Order{{By: id}}}
				if f.refs[target] == nil {
					if f.refs[target], err = tx.Ids(ctx, f.c, q); err != nil {
						return err
					}
				}
				if field.Choosable == nil || len(catalog.FormCodes(field.Choosable)) > 0 {
					continue
				}
				q.Where = field.Choosable
				if f.offers[field], err = tx.Ids(ctx, f.c, q); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return have, err
}

// start is the first createdTime of seeded rows.
var start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// filled is a table with the columns that rows get.
type filled struct {
	model   *catalog.Model
	columns []string
}

// tables are those of the model and of its sub-tables.
func (f *filler) tables() []filled {
	if f.filled != nil {
		return f.filled
	}
	of := func(m *catalog.Model, system ...string) filled {
		t := filled{model: m, columns: []string{catalog.ID}}
		for _, code := range system {
			if field := m.Field(code); m.Parent != nil || field != nil && field.System { // some models have a name of their own
				t.columns = append(t.columns, code)
			}
		}
		if m.Parent == nil && m.Field(catalog.Name) != nil {
			t.columns = append(t.columns, record.NamePinyin)
		}
		for _, field := range m.Fields {
			if field.System || field.Sheet != nil || field == m.Tree {
				continue
			}
			for _, col := range field.Columns() {
				t.columns = append(t.columns, col.Name)
			}
		}
		return t
	}
	f.filled = append(f.filled, of(f.m, catalog.Name, catalog.SequenceNo, catalog.Creator, catalog.Owner, catalog.OwnerDept, catalog.CreatedTime,
		catalog.ModifiedTime, catalog.Modifier, catalog.SequenceStatus, catalog.Version))
	for _, sheet := range f.m.Sheets {
		if len(sheet.Fields) == 0 { // the engine's own writers fill it
			continue
		}
		f.filled = append(f.filled, of(sheet, catalog.SheetParent, catalog.SheetOrder))
	}
	return f.filled
}

// batch makes the rows from one number to before another, table by table.
func (f *filler) batch(from, to int) [][][]any {
	tables, vars := f.tables(), f.vars()
	out := make([][][]any, len(tables))
	for i := from; i < to; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 20261121))
		main, sheets := f.main(r, i), map[string][]map[string]any{}
		for k, t := range tables[1:] {
			code := f.codeOf(t.model)
			own := expression.Values{Columns: main, Vars: vars}
			for n := range sheetRows {
				row := f.row(r, t.model, i)
				f.suits(r, t.model, row, i, expression.Row(expression.Values{Columns: row, Vars: vars}, own))
				row[catalog.ID], row[catalog.SheetParent], row[catalog.SheetOrder] = rowID(i, 1+k*sheetRows+n), rowID(i, 0), int64(n+1)
				sheets[code] = append(sheets[code], row)
			}
		}
		f.suits(r, f.m, main, i, expression.Values{Columns: main, Vars: vars, Sheets: sheets})
		if f.local {
			record.Compute(f.m, main, sheets)
		}
		record.Name(f.m, main)
		out[0] = append(out[0], tables[0].row(main))
		for k, t := range tables[1:] {
			for _, row := range sheets[f.codeOf(t.model)] {
				out[k+1] = append(out[k+1], t.row(row))
			}
		}
	}
	return out
}

// codeOf is the property that holds the rows of a sub-table.
func (f *filler) codeOf(sheet *catalog.Model) string {
	i := slices.IndexFunc(f.m.Fields, func(p *catalog.Field) bool { return p.Sheet == sheet })
	return f.m.Fields[i].Code
}

// row puts values in the order of the columns.
func (t filled) row(values map[string]any) []any {
	out := make([]any, len(t.columns))
	for i, c := range t.columns {
		out[i] = values[c]
	}
	return out
}

// main makes a record.
func (f *filler) main(r *rand.Rand, i int) map[string]any {
	row := f.row(r, f.m, i)
	created := start.Add(time.Duration(i) * 61 * time.Second)
	owner := f.some(r, f.c.Model("user"))
	for code, v := range map[string]any{catalog.ID: rowID(i, 0), catalog.Name: fmt.Sprintf("%s %07d", f.m.Label.Zh, i),
		catalog.SequenceNo: fmt.Sprintf("SEED-%08d", i), catalog.Creator: owner, catalog.Owner: owner,
		catalog.OwnerDept: f.some(r, f.c.Model("department")), catalog.CreatedTime: created, catalog.ModifiedTime: created,
		catalog.Modifier: owner, catalog.SequenceStatus: "COMPLETED", catalog.Version: int64(1)} {
		if field := f.m.Field(code); code == catalog.ID || field != nil && field.System {
			row[code] = v
		}
	}
	return row
}

// rowID is a UUID that follows from the row's number, in the order of the numbers.
func rowID(i, k int) string {
	var u uuid.UUID
	binary.BigEndian.PutUint32(u[2:6], uint32(i))
	u[6], u[8] = 0x70, 0x80
	binary.BigEndian.PutUint16(u[14:], uint16(k))
	return u.String()
}

func (f *filler) row(r *rand.Rand, m *catalog.Model, i int) map[string]any {
	row := map[string]any{}
	for _, field := range m.Fields {
		if field.System || field.Sheet != nil || field == m.Tree {
			continue
		}
		f.put(r, field, row, i, field.Required)
	}
	return row
}

// put gives a property a value; one in twelve stays empty where it may.
func (f *filler) put(r *rand.Rand, field *catalog.Field, row map[string]any, i int, must bool) {
	if !f.knows(field) || !must && !field.Unique && r.IntN(12) == 0 {
		return
	}
	col := field.Columns()[0]
	if v := f.value(r, field, col, i); v != nil {
		row[col.Name] = v
	}
}

var words = []string{"上闸首", "下闸首", "闸室", "引航道", "底板", "边墩", "廊道", "闸墙", "护岸", "靠船墩", "启闭机", "人字门", "混凝土", "钢筋", "模板", "基坑", "止水", "沉降", "监测", "防渗"}

// value makes a value of a column.
func (f *filler) value(r *rand.Rand, field *catalog.Field, col plan.Column, i int) any {
	if choices, ok := field.Property.(property.Chooser); ok && len(choices.Choices()) > 0 {
		code := choices.Choices()[r.IntN(len(choices.Choices()))].Code
		if col.Kind == plan.Set {
			return []string{code}
		}
		return code
	}
	switch col.Kind {
	case plan.Text:
		return f.text(r, field, col, i)
	case plan.Number:
		return number(r, col)
	case plan.Date:
		return start.AddDate(0, 0, (i+r.IntN(2)*r.IntN(days))%min(days, f.past())).Format(time.DateOnly)
	case plan.Instant:
		return start.Add(time.Duration(i) * time.Minute)
	case plan.Clock:
		return fmt.Sprintf("%02d:%02d:00", r.IntN(24), r.IntN(60))
	case plan.Bool:
		return r.IntN(3) == 0
	case plan.ID:
		return f.offered(r, field)
	case plan.Set:
		if one, ok := f.offered(r, field).(string); ok {
			return []string{one}
		}
	}
	return nil
}

// number is one that a column takes, not all too large.
func number(r *rand.Rand, col plan.Column) decimal.Decimal {
	scale := int32(min(col.Scale, 2))
	least, err := decimal.NewFromString(col.Min)
	if err != nil {
		least = decimal.Zero
	}
	most, err := decimal.NewFromString(col.Max)
	if err != nil {
		most = least.Add(decimal.New(1_000_000, 0))
	}
	low, high := least.Shift(scale).Ceil().IntPart(), most.Shift(scale).Floor().IntPart()
	if high <= low {
		return least
	}
	return decimal.New(low+r.Int64N(high-low+1), -scale)
}

// days is how many days the dates of rows span.
const days = 1000

// past is how many of them are over.
func (f *filler) past() int { return max(1, int(f.now.Sub(start)/(24*time.Hour))) }

// offered is a record that a field may refer to.
func (f *filler) offered(r *rand.Rand, field *catalog.Field) any {
	if ids, ok := f.offers[field]; ok {
		if len(ids) == 0 {
			return nil
		}
		return ids[r.IntN(len(ids))]
	}
	return f.some(r, field.Target)
}

func (f *filler) some(r *rand.Rand, m *catalog.Model) any {
	ids := f.refs[m]
	if len(ids) == 0 {
		return nil
	}
	return ids[r.IntN(len(ids))]
}

func (f *filler) text(r *rand.Rand, field *catalog.Field, col plan.Column, i int) any {
	if p := f.form(field); p != nil {
		return p.nth(uint64(i))
	}
	if field.Unique {
		return fmt.Sprintf("S%09d", i)
	}
	text := fmt.Sprintf("%s%s第%d仓", words[r.IntN(len(words))], words[r.IntN(len(words))], i)
	if i%10000 == 0 {
		text += "（复检）" // a rare word
	}
	if runes := []rune(text); col.MaxLength > 0 && len(runes) > col.MaxLength {
		text = string(runes[:col.MaxLength])
	}
	return text
}
