package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// postgresReader is a reader's connection. Nobody else uses it meanwhile, so rows can be read below database/sql, and as
// text: that is what most values are on their way to JSON.
type postgresReader struct {
	*sql.Conn
	own *pgx.Conn
}

// asText asks for every column in text form.
var asText = pgx.QueryResultFormats{pgx.TextFormatCode}

// each implements rowSource.
func (r postgresReader) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) error {
	rows, err := r.own.Query(ctx, text, append([]any{asText}, args...)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	row := make([]any, len(kinds))
	for rows.Next() {
		raw := rows.RawValues()
		for i, k := range kinds {
			if row[i], err = decodePostgres(k, raw[i]); err != nil {
				return fmt.Errorf("read row: %w", err)
			}
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// decodePostgres reads a value in text form; nil is NULL.
func decodePostgres(k plan.Kind, raw []byte) (any, error) {
	if raw == nil {
		return nil, nil
	}
	switch k {
	case plan.Number:
		return decodeNumeric(raw)
	case plan.Instant:
		return decodeTimestamp(string(raw))
	case plan.Int:
		return strconv.ParseInt(string(raw), 10, 64)
	case plan.Bool:
		return raw[0] == 't', nil
	case plan.Set:
		return strings.Split(string(raw), ";"), nil
	}
	return string(raw), nil
}

// decodeNumeric reads a decimal without fraction zeros at the end; those of usual size without the library's help.
func decodeNumeric(raw []byte) (any, error) {
	const most = 17 // digits that surely fit 64 bits
	if len(raw) > most {
		return parseDecimal(string(raw))
	}
	n, places, negative, point := int64(0), int32(0), false, false
	for i, c := range raw {
		switch {
		case c == '-' && i == 0:
			negative = true
		case c == '.' && !point:
			point = true
		case c >= '0' && c <= '9':
			n = 10*n + int64(c-'0')
			if point {
				places++
			}
		default:
			return parseDecimal(string(raw))
		}
	}
	for ; places > 0 && n%10 == 0; places-- {
		n /= 10
	}
	if negative {
		n = -n
	}
	return decimal.New(n, -places), nil
}

// timestampLayout is how PostgreSQL writes a timestamptz when the session's zone is UTC and DateStyle is ISO.
const timestampLayout = "2006-01-02 15:04:05.999999-07"

func decodeTimestamp(s string) (any, error) {
	// The date and time part reads like SQLite's; what follows the seconds is a fraction of any length and the zone.
	if len(s) >= len("2006-01-02 15:04:05+00") && strings.HasSuffix(s, "+00") {
		if t, ok := plainTime(s[:19]); ok {
			nanos, good := fraction(s[19 : len(s)-3])
			if good {
				return t.Add(nanos), nil
			}
		}
	}
	t, err := time.Parse(timestampLayout, s)
	if err != nil {
		return nil, errors.New("a point in time has an unknown form")
	}
	return t.UTC(), nil
}

// fraction reads ".123456" or nothing.
func fraction(s string) (time.Duration, bool) {
	if s == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(s[1:], 10, 64)
	if err != nil || s[0] != '.' || len(s) > 10 {
		return 0, false
	}
	return time.Duration(n * int64(math.Pow10(10-len(s)))), true
}
