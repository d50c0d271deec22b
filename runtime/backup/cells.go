package backup

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// appendRow writes a row as one line: a JSON array with a cell for each column. Numbers are decimal texts, instants RFC 3339 in UTC, bytes
// base64; whole numbers are JSON numbers.
func appendRow(dst []byte, columns []store.DumpColumn, row []any) ([]byte, error) {
	dst = append(dst, '[')
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendCell(dst, c.Kind, row[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return append(dst, "]\n"...), nil
}

func appendCell(dst []byte, kind string, v any) ([]byte, error) {
	switch x := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return property.AppendQuoted(dst, x), nil
	case int64:
		return strconv.AppendInt(dst, x, 10), nil
	case bool:
		return strconv.AppendBool(dst, x), nil
	case decimal.Decimal:
		return property.AppendQuoted(dst, x.String()), nil
	case time.Time:
		return append(x.UTC().AppendFormat(append(dst, '"'), time.RFC3339Nano), '"'), nil
	case []byte:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), x), '"'), nil
	case float64:
		return strconv.AppendFloat(dst, x, 'g', -1, 64), nil
	case []string:
		dst = append(dst, '[')
		for i, s := range x {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = property.AppendQuoted(dst, s)
		}
		return append(dst, ']'), nil
	}
	return nil, fmt.Errorf("%T cannot be a %s", v, kind)
}

// parseRow reads what appendRow wrote.
func parseRow(line []byte, columns []store.DumpColumn) ([]any, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var cells []any
	if err := d.Decode(&cells); err != nil {
		return nil, err
	}
	if len(cells) != len(columns) {
		return nil, fmt.Errorf("%d cells for %d columns", len(cells), len(columns))
	}
	for i, c := range columns {
		var err error
		if cells[i], err = parseCell(c.Kind, cells[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return cells, nil
}

func parseCell(kind string, v any) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		switch kind {
		case "text", "id", "date", "clock":
			return x, nil
		case "number":
			return decimal.NewFromString(x)
		case "instant":
			return time.Parse(time.RFC3339Nano, x)
		case "bytes":
			return base64.StdEncoding.DecodeString(x)
		}
	case json.Number:
		switch kind {
		case "int":
			return x.Int64()
		case "float":
			return x.Float64()
		}
	case bool:
		if kind == "bool" {
			return x, nil
		}
	case []any:
		if kind == "set" {
			set := make([]string, len(x))
			for i, m := range x {
				s, ok := m.(string)
				if !ok {
					return nil, fmt.Errorf("%T in a set", m)
				}
				set[i] = s
			}
			return set, nil
		}
	}
	return nil, fmt.Errorf("%T cannot be a %s", v, kind)
}
