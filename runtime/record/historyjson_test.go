package record

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

// TestHistoryJSON: what a write stores is what the library would store, of every member and of odd values.
func TestHistoryJSON(t *testing.T) {
	texts := []string{"", "a", `"quoted" \ <b>&</b>`, "闸室底板\n\t\x01", "\u2028\u2029", "\xff\xfe", "𠮷"}
	values := []any{nil, true, false, int64(0), int64(math.MinInt64), decimal.RequireFromString("-12.50"), time.Date(2026, 11, 27, 8, 9, 10, 5e8, time.FixedZone("", 8*3600)),
		[]string{"a", "<"}, []string{}}
	for _, s := range texts {
		values = append(values, s)
	}
	for _, v := range values {
		want := v
		switch x := v.(type) {
		case decimal.Decimal:
			want = x.String()
		case time.Time:
			want = x.UTC().Format(time.RFC3339Nano)
		}
		if text, err := json.Marshal(want); err != nil || string(text) != string(appendValue(nil, v)) {
			t.Errorf("%#v: %s, want %s (%v)", v, appendValue(nil, v), text, err)
		}
	}

	raw := []json.RawMessage{json.RawMessage(`"x"`), nil, json.RawMessage("1")}
	all := FieldChange{Code: "part", Before: raw, After: raw}
	row := RowChange{Sheet: "items", ID: "7", Kind: Created, Was: 1, Place: 2, Changes: []FieldChange{all, {Code: "b"}}}
	full := Changes{Fields: []FieldChange{all, {Code: texts[2], After: raw[:1]}}, Rows: []RowChange{row, {}}, Remark: texts[3], Reason: "r"}
	for _, v := range []any{full, row, all} { // nothing is left out here when a member comes
		for i := range reflect.ValueOf(v).NumField() {
			if reflect.ValueOf(v).Field(i).IsZero() {
				t.Errorf("%T.%s is not looked at", v, reflect.TypeOf(v).Field(i).Name)
			}
		}
	}
	for _, ch := range []Changes{full, {}, {Remark: "why"}, {Rows: []RowChange{{Sheet: "s", ID: "1", Kind: Deleted, Was: 3}}}} {
		if text, err := json.Marshal(ch); err != nil || string(text) != string(ch.appendJSON(nil)) {
			t.Errorf("%s, want %s (%v)", ch.appendJSON(nil), text, err)
		}
	}
}
