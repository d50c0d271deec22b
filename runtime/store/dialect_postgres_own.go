package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// ground is what an apply needs before there are tables: it tells other nodes of itself.
func (*postgresDialect) ground() script { return script{{text: changeTable}} }

var postgresKinds = map[string]plan.Kind{"text": plan.Text, "bigint": plan.Int, "boolean": plan.Bool, "timestamp with time zone": plan.Instant,
	"bytea": plan.Bytes, "uuid": plan.ID}

// varchar is how PostgreSQL writes the type of a text that has a limit.
const varchar = "character varying("

func (*postgresDialect) describe(ctx context.Context, c conn, tables []string) (out plan.Storage, err error) {
	r := &description{}
	err = eachRow(ctx, c, `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
			COALESCE(array_position(p.indkey::int2[], a.attnum) + 1, 0)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
		LEFT JOIN pg_index p ON p.indrelid = c.oid AND p.indisprimary
		WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) AND c.relname = ANY($1) ORDER BY c.relname, a.attnum`, array(tables), func(scan func(...any) error) error {
		var table, kind string
		var col described
		if err := scan(&table, &col.Name, &kind, &col.NotNull, &col.expression, &col.key); err != nil {
			return err
		}
		col.Kind = postgresKinds[kind]
		if size, ok := strings.CutPrefix(kind, varchar); ok {
			col.Kind = plan.Text
			col.MaxLength, _ = strconv.Atoi(strings.TrimSuffix(size, ")"))
		}
		r.column(table, col)
		return nil
	})
	if err != nil {
		return out, err
	}
	err = eachRow(ctx, c, `SELECT c.relname, i.relname, x.indisunique, a.attname
		FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
		CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(num, place) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.num
		WHERE pg_table_is_visible(c.oid) AND c.relname = ANY($1) AND NOT x.indisprimary AND x.indisvalid AND x.indexprs IS NULL AND k.place <= x.indnkeyatts
		ORDER BY c.relname, i.relname, k.place`, array(tables), r.index)
	return r.storage(), err
}
