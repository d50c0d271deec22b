package query

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/shopspring/decimal"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// cursor is a place in a sorted result. It is opaque to callers, signed, and good only for the query that made it.
type cursor struct {
	Before bool      `json:"b,omitempty"`
	Keys   []*string `json:"k"`
	Page   int       `json:"p"` // page that it leads to, for the offset of jumps
	// At is the time by which the first page was sorted, where the order depends on it: the pages of a list that is read over midnight
	// follow each other.
	At *time.Time `json:"t,omitempty"`
}

const signature = 16 // bytes of the HMAC that a cursor carries

func (r *Reader) sign(shape, body []byte) []byte {
	mac := hmac.New(sha256.New, r.cursor)
	mac.Write(shape)
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)[:signature]
}

func (r *Reader) encodeCursor(shape []byte, order []plan.Order, row []any, before bool, page int, at *time.Time) (string, error) {
	c := cursor{Before: before, Page: page, At: at}
	for i, o := range order {
		key, err := keyText(o.By.Kind(), row[i])
		if err != nil {
			return "", err
		}
		c.Keys = append(c.Keys, key)
	}
	body, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(append(r.sign(shape, body), body...)), nil
}

// openCursor reads a cursor of a request; its keys are texts.
func (r *Reader) openCursor(shape []byte, text string) (c cursor, err error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(data) <= signature || !hmac.Equal(data[:signature], r.sign(shape, data[signature:])) || json.Unmarshal(data[signature:], &c) != nil {
		return cursor{}, fault.New(fault.BadParameter, "cursor")
	}
	return c, nil
}

func (r *Reader) decodeCursor(shape []byte, order []plan.Order, text string) (cursor, []any, error) {
	bad := fault.New(fault.BadParameter, "cursor")
	c, err := r.openCursor(shape, text)
	if err != nil || len(c.Keys) != len(order) {
		return cursor{}, nil, bad
	}
	keys := make([]any, len(order))
	for i, o := range order {
		if keys[i], err = keyValue(o.By.Kind(), c.Keys[i]); err != nil {
			return cursor{}, nil, bad
		}
	}
	return c, keys, nil
}

// keyText and keyValue write and read a sort key's value; nil is the empty value.
func keyText(k plan.Kind, v any) (*string, error) {
	var s string
	switch x := v.(type) {
	case nil:
		return nil, nil
	case string:
		s = x
	case bool:
		s = fmt.Sprint(x)
	case int64:
		s = fmt.Sprint(x)
	case decimal.Decimal:
		s = x.String()
	case time.Time:
		s = x.UTC().Format(time.RFC3339Nano)
	default:
		return nil, fmt.Errorf("a %s of type %T is no sort key", k, v)
	}
	return &s, nil
}

func keyValue(k plan.Kind, s *string) (any, error) {
	if s == nil {
		return nil, nil
	}
	switch k {
	case plan.Number:
		return decimal.NewFromString(*s)
	case plan.Instant:
		return time.Parse(time.RFC3339Nano, *s)
	case plan.Bool:
		return *s == "true", nil
	case plan.Int:
		var n int64
		_, err := fmt.Sscan(*s, &n)
		return n, err
	}
	return *s, nil
}
