package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// sqliteGrammar writes SQL for SQLite.
type sqliteGrammar struct{}

// listed is how many values of a list are bound one by one; longer lists are one JSON text.
const listed = 24

func (sqliteGrammar) param(dst []byte, n int, _ plan.Kind) []byte {
	return strconv.AppendInt(append(dst, '?'), int64(n), 10)
}

func (sqliteGrammar) encode(k plan.Kind, v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case decimal.Decimal:
		if k == plan.Number {
			return encodeNumber(x), nil
		}
	case time.Time:
		if k == plan.Instant {
			return encodeInstant(x), nil
		}
	case string:
		switch k {
		case plan.ID:
			return packed(x), nil
		case plan.Text, plan.Clock, plan.Date:
			return x, nil
		}
	case bool:
		if k == plan.Bool && x {
			return int64(1), nil
		} else if k == plan.Bool {
			return int64(0), nil
		}
	case int64:
		if k == plan.Int {
			return x, nil
		}
	case []string:
		if k == plan.Set {
			return packedSet(x), nil
		}
	}
	return nil, fmt.Errorf("%T is no %s", v, k)
}

func (sqliteGrammar) decode(k plan.Kind, v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		switch k {
		case plan.Number:
			return parseDecimal(x)
		case plan.Set:
			return strings.Split(x, ";"), nil
		case plan.Instant:
			return decodeInstant(x)
		case plan.Text, plan.ID, plan.Clock, plan.Date:
			return v, nil // as it is: x would be boxed once more
		}
	case []byte:
		switch k {
		case plan.Number:
			return decodeBytes(x)
		case plan.ID, plan.Text:
			return idText(x), nil
		case plan.Set:
			if len(x) > 0 && len(x)%idBytes == 0 {
				return unpackedSet(x), nil
			}
		}
	case int64:
		switch k {
		case plan.Int:
			return v, nil
		case plan.Number:
			return decimal.NewFromInt(x), nil
		case plan.Bool:
			return x != 0, nil
		}
	case bool:
		if k == plan.Bool {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%T is no %s", v, k)
}

func (g sqliteGrammar) in(b *builder, dst []byte, k plan.Kind, values []string) []byte {
	if len(values) > listed {
		return g.values(b, append(dst, " IN "...), k, values, "value")
	}
	dst = append(dst, " IN ("...)
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = b.arg(dst, k, v)
	}
	return append(dst, ')')
}

// member: a link table holds the bytes of what looks like an id, whatever it is.
func (sqliteGrammar) member(plan.Column) plan.Kind { return plan.ID }

func (sqliteGrammar) asText(dst, id []byte) []byte {
	return append(append(append(dst, "id_text("...), id...), ')')
}

func (g sqliteGrammar) sharedRecord(dst, id []byte) []byte { return g.asText(dst, id) }

func (g sqliteGrammar) sharedID(dst, v []byte) []byte { return g.asID(dst, v) }

func (g sqliteGrammar) sharedSet(dst []byte, links, alias string) []byte {
	dst = ident(append(dst, `(SELECT set_pack(group_concat(s."id", ';' ORDER BY s."ordinal")) FROM `...), links)
	return append(g.asText(append(dst, ` AS s WHERE s."v" = `...), []byte(alias+`."id"`)), ')')
}

// fixedInstant cuts at whole milliseconds as encodeInstant does, where strftime alone would round. The driver writes a time with as many digits
// as it needs, and its zone in six.
func (sqliteGrammar) fixedInstant(dst, at []byte) []byte {
	x := string(at)
	return append(dst, "strftime('%Y-%m-%dT%H:%M:%fZ', substr("+x+", 1, min(23, length("+x+") - 6)) || substr("+x+", -6))"...)
}

func (sqliteGrammar) asID(dst, text []byte) []byte {
	return append(append(append(dst, "id_pack("...), text...), ')')
}

func (sqliteGrammar) values(b *builder, dst []byte, k plan.Kind, values []string, name string) []byte {
	text, err := json.Marshal(values)
	if err != nil {
		b.fail("list: %w", err)
	}
	value := "value"
	if k == plan.ID {
		value = "id_pack(value)"
	}
	dst = b.arg(append(dst, "(SELECT "+value+" AS "+name+" FROM json_each("...), plan.Text, string(text))
	return append(dst, "))"...)
}

// manyFolds is how many replaced characters cost more than a call of fold.
const manyFolds = 6

// contains: LIKE ignores the case of A to Z and of nothing else. The few other characters that matter are replaced first.
func (g sqliteGrammar) contains(b *builder, dst, x []byte, f folding) []byte {
	switch {
	case len(f.from) > manyFolds:
		dst = append(append(append(dst, "instr(fold("...), x...), "), "...)
		return append(b.arg(dst, plan.Text, f.pattern), ") > 0"...)
	case !f.ascii:
		dst = sqliteReplace(append(dst, "instr("...), x, f)
		return append(b.arg(append(dst, ", "...), plan.Text, f.pattern), ") > 0"...)
	}
	dst = sqliteReplace(dst, x, f)
	pattern := "%" + likeEscape.Replace(f.pattern) + "%"
	return append(b.arg(append(dst, " LIKE "...), plan.Text, pattern), ` ESCAPE '\'`...)
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// sqliteReplace writes x with the characters of f replaced. They are constants of Unicode, none of them a quote.
func sqliteReplace(dst, x []byte, f folding) []byte {
	for range f.from {
		dst = append(dst, "replace("...)
	}
	dst = append(dst, x...)
	for i := range f.from {
		dst = append(dst, ", '"+string(f.from[i])+"', '"+string(f.to[i])+"')"...)
	}
	return dst
}

func (sqliteGrammar) containsValue(_ *builder, dst, x, pattern []byte) []byte {
	dst = append(append(append(dst, "instr(fold("...), x...), "), fold("...)
	return append(append(dst, pattern...), ")) > 0"...)
}

func (sqliteGrammar) grams(b *builder, dst []byte, alias, table, column, text string) []byte {
	name := GramTable(table, column)
	dst = ident(append(dst, alias+`."rid" IN (SELECT rowid FROM `...), name)
	dst = ident(append(dst, " WHERE "...), name)
	return append(b.arg(append(dst, " MATCH "...), plan.Text, gramQuery(text)), ')')
}

// rareShare is the part of a table from which testing all its rows in their order costs less than fetching some by number.
const rareShare = "4"

// rare counts in the gram index alone, no further than matters; the largest rid represents the number of rows.
func (sqliteGrammar) rare(b *builder, table, column, text string) []byte {
	rows := string(ident([]byte(`(SELECT max("rid") FROM `), table)) + ")"
	dst := append([]byte("SELECT (SELECT count(*) FROM ("), hitsIn(b, table, column, text)...)
	return append(dst, " LIMIT "+rows+" / "+rareShare+" + 1)) * "+rareShare+" < "+rows...)
}

// hits asks the index alone: SQLite collects all that a subquery of IN finds before it looks at the first row.
func (sqliteGrammar) hits(b *builder, table, column, text string, most int) []byte {
	return limits(hitsIn(b, table, column, text), most)
}

// hitsIn selects the rows of the gram index that have all pieces of a text.
func hitsIn(b *builder, table, column, text string) []byte {
	name := GramTable(table, column)
	dst := ident([]byte("SELECT rowid FROM "), name)
	dst = ident(append(dst, " WHERE "...), name)
	return b.arg(append(dst, " MATCH "...), plan.Text, gramQuery(text))
}

// byHits keeps SQLite from walking a sort index and testing each of its rows: without statistics it takes any equality for
// rarer than the hits. Rows are still found by rid.
func (sqliteGrammar) byHits() string { return " NOT INDEXED" }

func (sqliteGrammar) searchColumn(string, any, func(string, plan.Kind, any)) {}

// search keeps the gram tables, which are keyed by rid.
func (d *sqliteDialect) search(ctx context.Context, tx *Tx, table string, of row, texts map[string]*string) error {
	rid := of.number
	if rid == 0 {
		if err := tx.queryRow(ctx, `SELECT "rid" FROM `+Ident(table)+` WHERE "id" = $1`, []any{tx.id(of.id)}, &rid); err != nil {
			return err
		}
	}
	for column, text := range texts {
		if err := d.putGrams(ctx, tx, table, column, rid, text, of.fresh); err != nil {
			return err
		}
	}
	return nil
}

func (sqliteGrammar) collate() string { return "" }

func (sqliteGrammar) weighs() bool { return false }

func (sqliteGrammar) nulls(descending bool) string {
	if descending {
		return " DESC"
	}
	return ""
}

var sqliteArith = map[byte]string{'+': "dec_add(", '-': "dec_sub(", '*': "dec_mul(", '/': "dec_div("}

func (sqliteGrammar) arith(s *scope, dst []byte, x *plan.Arith) []byte {
	f, ok := sqliteArith[x.Op]
	if !ok {
		s.fail("unknown operator %q", x.Op)
		return dst
	}
	dst = s.operand(append(dst, f...), x.A, plan.Number)
	dst = s.operand(append(dst, ", "...), x.B, plan.Number)
	return append(dst, ')')
}

func (sqliteGrammar) number(dst, whole []byte) []byte {
	return append(append(append(dst, "dec_of("...), whole...), ')')
}

func (sqliteGrammar) aggregate(dst []byte, fn plan.Sum, k plan.Kind, x []byte) []byte {
	name := string(fn)
	switch {
	case fn == plan.SumSum:
		name = "dec_sum"
	case fn == plan.SumAverage:
		name = "dec_avg"
	case fn == plan.SumMinimum:
		name = "min"
	case fn == plan.SumMaximum:
		name = "max"
	case fn == plan.SumDistinct:
		return append(append(append(dst, "count(DISTINCT "...), x...), ')')
	}
	return append(append(append(dst, name+"("...), x...), ')')
}
