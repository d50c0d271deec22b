package record

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// appendJSON writes what json.Marshal writes of it: each write of a record does so, and its values are JSON already.
func (ch Changes) appendJSON(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.changes("fields", ch.Fields)
	if len(ch.Rows) > 0 {
		o.key("rows")
		for i, r := range ch.Rows {
			o.dst = append(o.dst, "[,"[min(i, 1)])
			o.dst = r.appendJSON(o.dst)
		}
		o.dst = append(o.dst, ']')
	}
	o.text("remark", ch.Remark)
	o.text("reason", ch.Reason)
	return append(o.dst, '}')
}

func (r RowChange) appendJSON(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.key("sheet")
	o.dst = appendValue(o.dst, r.Sheet)
	o.key("id")
	o.dst = appendValue(o.dst, r.ID)
	o.key("kind")
	o.dst = appendValue(o.dst, string(r.Kind))
	o.number("was", r.Was)
	o.number("place", r.Place)
	o.changes("changes", r.Changes)
	return append(o.dst, '}')
}

// object is JSON of an object that is being written; members without a value are left out.
type object struct {
	dst []byte
	any bool // member has been written
}

func (o *object) key(name string) {
	if o.any {
		o.dst = append(o.dst, ',')
	}
	o.any = true
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

func (o *object) text(name, v string) {
	if v != "" {
		o.key(name)
		o.dst = appendValue(o.dst, v)
	}
}

func (o *object) number(name string, v int64) {
	if v != 0 {
		o.key(name)
		o.dst = strconv.AppendInt(o.dst, v, 10)
	}
}

func (o *object) changes(name string, list []FieldChange) {
	if len(list) == 0 {
		return
	}
	o.key(name)
	for i, f := range list {
		o.dst = append(o.dst, "[,"[min(i, 1)])
		member := object{dst: append(o.dst, '{')}
		member.key("code")
		member.dst = appendValue(member.dst, f.Code)
		member.side("before", f.Before)
		member.side("after", f.After)
		o.dst = append(member.dst, '}')
	}
	o.dst = append(o.dst, ']')
}

func (o *object) side(name string, side []json.RawMessage) {
	if len(side) == 0 {
		return
	}
	o.key(name)
	for i, raw := range side {
		o.dst = append(o.dst, "[,"[min(i, 1)])
		if raw == nil {
			raw = json.RawMessage("null")
		}
		o.dst = append(o.dst, raw...)
	}
	o.dst = append(o.dst, ']')
}

// appendValue writes a column's value as JSON. What most values are is written without the library, which costs several times as much.
func appendValue(dst []byte, v any) json.RawMessage {
	switch x := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, x)
	case int64:
		return strconv.AppendInt(dst, x, 10)
	case decimal.Decimal:
		return append(append(append(dst, '"'), x.String()...), '"')
	case time.Time:
		return append(x.UTC().AppendFormat(append(dst, '"'), time.RFC3339Nano), '"')
	case string:
		if plainText(x) {
			return append(append(append(dst, '"'), x...), '"')
		}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, raw...)
}

// plainText reports whether a text is its own JSON between quotes.
func plainText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return utf8.ValidString(s) && !strings.ContainsAny(s, "\u2028\u2029")
}
