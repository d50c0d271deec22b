package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// postgresGrammar writes SQL for PostgreSQL. Every placeholder has a cast, so that a type never depends on its neighbours.
type postgresGrammar struct{}

var postgresCast = map[plan.Kind]string{plan.Text: "text", plan.ID: "uuid", plan.Clock: "text", plan.Set: "text", plan.Number: "numeric",
	plan.Date: "date", plan.Instant: "timestamptz", plan.Bool: "boolean", plan.Int: "bigint", plan.Rows: "text[]"}

func (postgresGrammar) param(dst []byte, n int, k plan.Kind) []byte {
	dst = strconv.AppendInt(append(dst, '$'), int64(n), 10)
	return append(append(dst, "::"...), postgresCast[k]...)
}

func (postgresGrammar) encode(k plan.Kind, v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case decimal.Decimal:
		if k == plan.Number {
			return x.String(), nil
		}
	case time.Time:
		if k == plan.Instant {
			return x.UTC().Truncate(time.Millisecond), nil
		}
	case string:
		switch k {
		case plan.ID:
			if !isUUID(x) {
				return noID, nil
			}
			return x, nil
		case plan.Text, plan.Clock, plan.Date:
			return x, nil
		}
	case bool:
		if k == plan.Bool {
			return x, nil
		}
	case int64:
		if k == plan.Int {
			return x, nil
		}
	case []string:
		if k == plan.Set {
			return joined(x), nil
		}
		if k == plan.Rows {
			return array(x), nil
		}
	}
	return nil, fmt.Errorf("%T is no %s", v, k)
}

func (postgresGrammar) decode(k plan.Kind, v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		switch k {
		case plan.Number:
			return parseDecimal(x)
		case plan.Set:
			return strings.Split(x, ";"), nil
		case plan.Text, plan.ID, plan.Clock, plan.Date:
			return v, nil // as it is: x would be boxed once more
		}
	case time.Time:
		switch k {
		case plan.Date:
			return x.Format(time.DateOnly), nil
		case plan.Instant:
			return x.UTC(), nil
		}
	case int64:
		switch k {
		case plan.Int:
			return v, nil
		case plan.Number:
			return decimal.NewFromInt(x), nil
		}
	case bool:
		if k == plan.Bool {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%T is no %s", v, k)
}

// array is the text form of an array: one argument whatever the number of values.
func array(values []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		for _, c := range []byte(v) {
			if c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

func (postgresGrammar) in(b *builder, dst []byte, k plan.Kind, values []string) []byte {
	return append(b.list(append(dst, " = ANY("...), k, values), ')')
}

// member: only what refers to records is surely ids.
func (postgresGrammar) member(c plan.Column) plan.Kind {
	if c.References != "" {
		return plan.ID
	}
	return plan.Text
}

func (postgresGrammar) asText(dst, id []byte) []byte {
	return append(append(append(dst, '('), id...), `)::text COLLATE "C"`...)
}

// sharedRecord: shared link tables hold ids as the tables of models do. Where they were texts the planner knew nothing of what it joined, and read
// all records.
func (postgresGrammar) sharedRecord(dst, id []byte) []byte { return append(dst, id...) }

func (postgresGrammar) sharedID(dst, v []byte) []byte { return append(dst, v...) }

func (g postgresGrammar) sharedSet(dst []byte, links, alias string) []byte {
	dst = ident(append(dst, `(SELECT string_agg(s."id", ';' ORDER BY s."ordinal") FROM `...), links)
	return append(append(dst, ` AS s WHERE s."v" = `+alias+`."id"`...), ')')
}

// fixedInstant cuts at whole milliseconds, as encode does.
func (postgresGrammar) fixedInstant(dst, at []byte) []byte {
	return append(append(append(dst, "date_trunc('milliseconds', "...), at...), ')')
}

// uuidPattern is what packID reads.
const uuidPattern = "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$"

// asID is empty for a text that is not an id.
func (postgresGrammar) asID(dst, text []byte) []byte {
	dst = append(append(append(dst, "CASE WHEN ("...), text...), ") ~ '"+uuidPattern+"' THEN ("...)
	return append(append(dst, text...), ")::uuid END"...)
}

// list binds an array of texts or of ids.
func (b *builder) list(dst []byte, k plan.Kind, values []string) []byte {
	if k != plan.ID {
		return b.texts(dst, values)
	}
	b.args = append(b.args, array(uuids(values)))
	return append(strconv.AppendInt(append(dst, '$'), int64(len(b.args)), 10), "::uuid[]"...)
}

// texts binds an array.
func (b *builder) texts(dst []byte, values []string) []byte {
	for _, v := range values {
		if strings.IndexByte(v, 0) >= 0 {
			b.fail("text with U+0000: %w", ErrValue)
		}
	}
	return b.bind(dst, plan.Rows, array(values))
}

func (postgresGrammar) values(b *builder, dst []byte, k plan.Kind, values []string, name string) []byte {
	dst = b.list(append(dst, "(SELECT unnest("...), k, values)
	return append(dst, ") AS "+name+")"...)
}

func (postgresGrammar) contains(b *builder, dst, x []byte, f folding) []byte {
	dst = append(dst, "strpos("...)
	dst = postgresFold(b, dst, x, f)
	dst = b.arg(append(dst, ", "...), plan.Text, f.pattern)
	return append(dst, ") > 0"...)
}

// postgresFold folds A to Z by the locale C, and the few others by name.
func postgresFold(b *builder, dst, x []byte, f folding) []byte {
	if len(f.from) > 0 {
		dst = append(dst, "translate("...)
	}
	if f.ascii {
		dst = append(append(append(dst, "lower("...), x...), ` COLLATE "C")`...)
	} else {
		dst = append(dst, x...)
	}
	if len(f.from) > 0 {
		dst = b.arg(append(dst, ", "...), plan.Text, string(f.from))
		dst = append(b.arg(append(dst, ", "...), plan.Text, string(f.to)), ')')
	}
	return dst
}

func (postgresGrammar) containsValue(b *builder, dst, x, pattern []byte) []byte {
	f := foldingOfAll()
	dst = postgresFold(b, append(dst, "strpos("...), x, f)
	dst = postgresFold(b, append(dst, ", "...), pattern, f)
	return append(dst, ") > 0"...)
}

// byHits is nothing: PostgreSQL has statistics.
func (postgresGrammar) byHits() string { return "" }

func (postgresGrammar) grams(b *builder, dst []byte, alias, _, column, text string) []byte {
	dst = ident(append(append(dst, alias...), '.'), GramColumn(column))
	return b.texts(append(dst, " @> "...), Grams(text))
}

func (postgresGrammar) rare(*builder, string, string, string) []byte { return nil }

func (postgresGrammar) hits(*builder, string, string, string, int) []byte { return nil }

func (postgresGrammar) searchColumn(column string, text any, add func(string, plan.Kind, any)) {
	if s, _ := text.(string); s != "" {
		add(GramColumn(column), plan.Rows, Grams(s))
		return
	}
	add(GramColumn(column), plan.Rows, nil)
}

// search has nothing left to do: the grams stand in a column of the row.
func (*postgresDialect) search(context.Context, *Tx, string, row, map[string]*string) error {
	return nil
}

func (postgresGrammar) collate() string { return ` COLLATE "C"` }

func (postgresGrammar) weighs() bool { return true }

func (postgresGrammar) nulls(descending bool) string {
	if descending {
		return " DESC NULLS LAST"
	}
	return " NULLS FIRST"
}

// arith: products keep 16 fraction digits and quotients 8, both half away from zero, as in memory. A quotient is computed
// to 48 digits first, which no rounding of two decimals of this size can tell from the exact one.
func (g postgresGrammar) arith(s *scope, dst []byte, x *plan.Arith) []byte {
	switch x.Op {
	case '+', '-':
		dst = s.operand(append(dst, '('), x.A, plan.Number)
		dst = s.operand(append(dst, ' ', x.Op, ' '), x.B, plan.Number)
		return append(dst, ')')
	case '*':
		dst = s.operand(append(dst, "round("...), x.A, plan.Number)
		dst = s.operand(append(dst, " * "...), x.B, plan.Number)
		return append(dst, ", 16)"...)
	case '/':
		dst = s.operand(append(dst, "round(round("...), x.A, plan.Number)
		dst = s.operand(append(dst, ", 48) / NULLIF("...), x.B, plan.Number)
		return append(dst, ", 0), 8)"...)
	}
	s.fail("unknown operator %q", x.Op)
	return dst
}

func (postgresGrammar) number(dst, whole []byte) []byte {
	return append(append(append(dst, '('), whole...), ")::numeric"...)
}

func (g postgresGrammar) aggregate(dst []byte, fn plan.Sum, k plan.Kind, x []byte) []byte {
	if k == plan.ID { // of a uuid there is no least
		x = g.asText(nil, x)
	}
	switch fn {
	case plan.SumSum:
		return append(append(append(dst, "sum("...), x...), ')')
	case plan.SumAverage:
		dst = append(append(append(dst, "round(round(sum("...), x...), "), 48) / NULLIF(count("...)
		return append(append(dst, x...), "), 0), 8)"...)
	case plan.SumMinimum:
		return append(append(append(dst, "min("...), x...), ')')
	case plan.SumMaximum:
		return append(append(append(dst, "max("...), x...), ')')
	case plan.SumDistinct:
		return append(append(append(dst, "count(DISTINCT "...), x...), ')')
	}
	return append(append(append(dst, "count("...), x...), ')')
}
