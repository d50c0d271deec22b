package quality

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
)

// refuse is the refusal of one property.
func refuse(property string, code fault.Code, args ...any) error {
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{1},
		Data: fault.Invalid{Errors: []fault.FieldError{{PropertyCode: property, Code: code, Args: args}}}}
}

// text is a text, or the id of a relation, of a Go or wire value; "" when it is empty.
func text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case map[string]any:
		s, _ := x["id"].(string)
		return s
	}
	return ""
}

// ids are the ids of a relation to several records, or the codes of a choice of several.
func ids(v any) (out []string) {
	switch x := v.(type) {
	case []string:
		return x
	case []any:
		for _, one := range x {
			if s := text(one); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// number reads a number of a Go or wire value; nil when it is empty.
func number(v any) *decimal.Decimal {
	var d decimal.Decimal
	var err error
	switch x := v.(type) {
	case decimal.Decimal:
		return &x
	case *decimal.Decimal:
		return x
	case int64:
		d = decimal.NewFromInt(x)
	case int:
		d = decimal.NewFromInt(int64(x))
	case string:
		d, err = decimal.NewFromString(x)
	case json.Number:
		d, err = decimal.NewFromString(x.String())
	default:
		return nil
	}
	if err != nil || !sized(d) {
		return nil
	}
	return &d
}

// mostPlaces is how many digits a number has before and behind its point at most. Of 1e999999999 the digits alone would fill the memory.
const mostPlaces = 40

// sized reports whether a number can be written out.
func sized(d decimal.Decimal) bool { return d.Exponent() <= mostPlaces && d.Exponent() >= -mostPlaces }

// whole is a number without a fraction; 0 when it is empty, and the last one on its side when no int64 holds it.
func whole(v any) int64 {
	d := number(v)
	switch {
	case d == nil:
		return 0
	case d.GreaterThan(decimal.NewFromInt(math.MaxInt64)):
		return math.MaxInt64
	case d.LessThan(decimal.NewFromInt(math.MinInt64)):
		return math.MinInt64
	}
	return d.IntPart()
}

// is reports whether a yes-or-no value is yes.
func is(v any) bool { b, _ := v.(bool); return b }

// itoa is a count in the wire form of numbers.
func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// orNil is the empty value for an empty text.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// rows collects the rows of a query.
func rows(ctx context.Context, w world.World, query string, args world.Args) (out []world.Row, err error) {
	for row, err := range w.Rows(ctx, query, args) {
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// first is the first row of a query; false when it has none.
func first(of iter.Seq2[world.Row, error]) (world.Row, bool, error) {
	for row, err := range of {
		return row, err == nil, err
	}
	return world.Row{}, false, nil
}

// isFault reports whether an error is a fault of a code.
func isFault(err error, code fault.Code) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == code
}

// update changes a record as it is now.
func update(ctx context.Context, w world.World, model, id string, values map[string]any) error {
	found, err := w.Get(ctx, model, id)
	if err != nil {
		return err
	}
	_, err = w.Update(ctx, model, id, found.Version, values)
	return err
}

// unique are texts without those that come again.
func unique(list []string) (out []string) {
	seen := map[string]bool{}
	for _, one := range list {
		if !seen[one] {
			out = append(out, one)
		}
		seen[one] = true
	}
	return out
}
