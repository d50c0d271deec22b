package expression

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// typed checks a value that a Scope gave against its kind, so that nothing behind it can meet another Go type.
func typed(k plan.Kind, v any, name string) (any, error) {
	ok := true
	switch x := v.(type) {
	case nil:
	case string:
		ok = k == plan.Text || k == plan.ID || k == plan.Date || k == plan.Clock
		if x == "" {
			v = nil
		}
	case decimal.Decimal:
		ok = k == plan.Number
	case int64:
		ok = k == plan.Int
	case time.Time:
		ok = k == plan.Instant
	case bool:
		ok = k == plan.Bool
	case []string:
		ok = k == plan.Set
		if len(x) == 0 {
			v = nil
		}
	default:
		ok = false
	}
	if !ok {
		return nil, fmt.Errorf("%s: %T is no %s", name, v, k)
	}
	return v, nil
}

// order compares two values of one kind; numbers of both Go forms are of one kind.
func order(a, b any) (int, error) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), nil
		}
	case time.Time:
		if y, ok := b.(time.Time); ok {
			return x.Compare(y), nil
		}
	case bool:
		if y, ok := b.(bool); ok {
			return cmp.Compare(bit(x), bit(y)), nil
		}
	default:
		m, okA := decimalOf(a)
		n, okB := decimalOf(b)
		if okA && okB {
			return m.Cmp(n), nil
		}
	}
	return 0, fmt.Errorf("cannot compare %T with %T", a, b)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func decimalOf(v any) (decimal.Decimal, bool) {
	switch x := v.(type) {
	case decimal.Decimal:
		return x, true
	case int64:
		return decimal.NewFromInt(x), true
	}
	return decimal.Decimal{}, false
}

// members reads a value as a set; a scalar is a set of one.
func members(v any) ([]string, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{x}, nil
	case []string:
		return x, nil
	}
	return nil, fmt.Errorf("%T is no set", v)
}

func contains(set []string, s string) bool { return slices.Contains(set, s) }

func within(a, b []string) bool {
	for _, s := range a {
		if !contains(b, s) {
			return false
		}
	}
	return true
}

// Text is a value as the function text gives it: canonical, without locale.
func Text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case decimal.Decimal:
		return x.String()
	case int64:
		return fmt.Sprint(x)
	case bool:
		return fmt.Sprint(x)
	case time.Time:
		return x.UTC().Format(instantFormat)
	case []string:
		return strings.Join(x, ";")
	}
	return ""
}

const instantFormat = "2006-01-02T15:04:05.000Z"
