package store

import "context"

// smallFile is up to how many bytes a file's tables are measured, which reads all of it.
const smallFile = 256 << 20

func (d *sqliteDialect) extent(ctx context.Context) (out Extent, err error) {
	var pages, size, free int64
	for name, to := range map[string]*int64{"page_count": &pages, "page_size": &size, "freelist_count": &free} {
		if err := d.reader.QueryRowContext(ctx, "PRAGMA "+name).Scan(to); err != nil {
			return out, err
		}
	}
	out.Bytes, out.Free = pages*size, free*size
	if out.Bytes > smallFile {
		return out, nil
	}
	out.Tables, err = tableSizes(d.reader.QueryContext(ctx, `SELECT m.tbl_name, SUM(s.pgsize), -1 FROM dbstat AS s JOIN sqlite_schema AS m ON m.name = s.name
		WHERE s.aggregate = TRUE GROUP BY m.tbl_name ORDER BY 2 DESC, 1 LIMIT ?`, mostTables))
	return out, err
}
