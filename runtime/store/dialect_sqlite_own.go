package store

import (
	"context"
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/plan"
)

// ground: nothing has to be there before the tables.
func (*sqliteDialect) ground() script { return nil }

var sqliteKinds = map[string]plan.Kind{"TEXT": plan.Text, "INTEGER": plan.Int, "DATETIME": plan.Instant, "BLOB": plan.Bytes, "uuid": plan.ID}

func (*sqliteDialect) describe(ctx context.Context, c conn, tables []string) (out plan.Storage, err error) {
	names, err := json.Marshal(tables)
	if err != nil {
		return out, err
	}
	r := &description{}
	err = eachRow(ctx, c, `SELECT m.name, p.name, p.type, p."notnull", p.dflt_value, p.pk FROM sqlite_schema m JOIN pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name IN (SELECT value FROM json_each($1)) ORDER BY m.name, p.cid`, string(names), func(scan func(...any) error) error {
		var table, kind string
		var col described
		if err := scan(&table, &col.Name, &kind, &col.NotNull, &col.expression, &col.key); err != nil {
			return err
		}
		col.Kind = sqliteKinds[kind]
		r.column(table, col)
		return nil
	})
	if err != nil {
		return out, err
	}
	err = eachRow(ctx, c, `SELECT m.name, l.name, l."unique", i.name FROM sqlite_schema m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i
		WHERE m.type = 'table' AND l.origin = 'c' AND m.name IN (SELECT value FROM json_each($1)) ORDER BY m.name, l.name, i.seqno`, string(names), r.index)
	return r.storage(), err
}
