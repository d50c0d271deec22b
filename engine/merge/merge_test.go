package merge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-platform/sluice/engine/merge"
)

// TestJSON merges two changes; want is the merged document, with the pointers of conflicts behind "!".
func TestJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, mine, theirs, want string }{
		"two keys":                    {`{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 1, "b": 2}`, `{"a":2,"b":2}`},
		"the same change":             {`{"a": 1}`, `{"a": 2}`, `{"a": 2}`, `{"a":2}`},
		"one value":                   {`{"x": {"a": 1}}`, `{"x": {"a": 2}}`, `{"x": {"a": 3}}`, `{"x":{"a":2}} ! /x/a`},
		"both add, different":         {`{}`, `{"a": 1}`, `{"b": 1}`, `{"a":1,"b":1}`},
		"both add one key":            {`{}`, `{"a": 1}`, `{"a": 2}`, `{"a":1} ! /a`},
		"mine removes":                {`{"a": 1, "b": 1}`, `{"b": 1}`, `{"a": 1, "b": 2}`, `{"b":2}`},
		"removed and changed":         {`{"a": {"x": 1}}`, `{}`, `{"a": {"x": 2}}`, `{} ! /a`},
		"entries by code":             {`[{"code": "a", "n": 1}, {"code": "b"}]`, `[{"code": "a", "n": 2}, {"code": "b"}]`, `[{"code": "a", "n": 1}, {"code": "b", "n": 3}]`, `[{"code":"a","n":2},{"code":"b","n":3}]`},
		"entries by another code":     {`[{"propertyCode": "a"}]`, `[{"propertyCode": "a", "w": 1}]`, `[{"propertyCode": "a"}, {"propertyCode": "b"}]`, `[{"propertyCode":"a","w":1},{"propertyCode":"b"}]`},
		"short entries":               {`["a", "b"]`, `["a", "x", "b"]`, `["a", "b", "y"]`, `["a","x","b","y"]`},
		"both add entries":            {`[{"code": "a"}]`, `[{"code": "a"}, {"code": "m"}]`, `[{"code": "t"}, {"code": "a"}]`, `[{"code":"t"},{"code":"a"},{"code":"m"}]`},
		"mine removes an entry":       {`[{"code": "a"}, {"code": "b"}]`, `[{"code": "b"}]`, `[{"code": "a"}, {"code": "b"}, {"code": "c"}]`, `[{"code":"b"},{"code":"c"}]`},
		"one entry changed twice":     {`[{"code": "a", "n": 1}]`, `[{"code": "a", "n": 2}]`, `[{"code": "a", "n": 3}]`, `[{"code":"a","n":2}] ! /a/n`},
		"removed and changed entry":   {`[{"code": "a", "n": 1}, {"code": "b"}]`, `[{"code": "b"}]`, `[{"code": "a", "n": 2}, {"code": "b"}]`, `[{"code":"b"}] ! /a`},
		"mine orders, theirs changes": {`[{"code": "a"}, {"code": "b"}]`, `[{"code": "b"}, {"code": "a"}]`, `[{"code": "a", "n": 1}, {"code": "b"}]`, `[{"code":"b"},{"code":"a","n":1}]`},
		"two orders":                  {`["a", "b", "c"]`, `["b", "a", "c"]`, `["a", "c", "b"]`, `["b","a","c"] ! `},
		"plain arrays":                {`[1, 2]`, `[1, 2, 3]`, `[2]`, `[1,2,3] ! `},
		"an array without codes":      {`[{"n": 1}]`, `[{"n": 2}]`, `[{"n": 1}, {"n": 3}]`, `[{"n":2}] ! `},
		"codes that come twice":       {`[{"code": "a"}]`, `[{"code": "a"}, {"code": "a", "n": 1}]`, `[{"code": "a", "n": 2}]`, `[{"code":"a"},{"code":"a","n":1}] ! `},
		"another kind of value":       {`{"a": "x"}`, `{"a": {"code": "x"}}`, `{"a": ["x"]}`, `{"a":{"code":"x"}} ! /a`},
		"numbers keep their text":     {`{"a": 1.10, "b": 1}`, `{"a": 1.10, "b": 2}`, `{"a": 1.10, "b": 1, "c": "<>"}`, `{"a":1.10,"b":2,"c":"<>"}`},
		"several conflicts":           {`{"a": 1, "b": 1}`, `{"a": 2, "b": 2}`, `{"a": 3, "b": 3}`, `{"a":2,"b":2} ! /a /b`},
		"what agrees is taken":        {`{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 3, "b": 4}`, `{"a":2,"b":4} ! /a`},
		"a conflict in an entry": {`[{"code": "a", "n": 1, "m": 1}, {"code": "b"}]`, `[{"code": "a", "n": 2, "m": 1}, {"code": "b"}]`,
			`[{"code": "a", "n": 3, "m": 3}, {"code": "c"}, {"code": "b"}]`, `[{"code":"a","n":2,"m":3},{"code":"c"},{"code":"b"}] ! /a/n`},
		"theirs removes what mine changes": {`[{"code": "a", "n": 1}, {"code": "b", "n": 1}]`, `[{"code": "a", "n": 1}, {"code": "b", "n": 2}]`, `[{"code": "a", "n": 3}]`,
			`[{"code":"a","n":3},{"code":"b","n":2}] ! /b`},
		"both add an entry":             {`{"of": [], "n": 1}`, `{"of": [{"code": "a", "n": 1}], "n": 1}`, `{"of": [{"code": "a", "m": 1}], "n": 2}`, `{"of":[{"code":"a","n":1}],"n":2} ! /of/a`},
		"two orders and a change":       {`["a", "b", "c"]`, `["b", "a", "c"]`, `["a", "c", "x", "b"]`, `["b","a","c","x"] ! `},
		"an array without codes, a key": {`{"of": [1], "n": 1}`, `{"of": [1, 2], "n": 1}`, `{"of": [3], "n": 2}`, `{"of":[1,2],"n":2} ! /of`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, conflicts, ok := merge.JSON([]byte(c.base), []byte(c.mine), []byte(c.theirs))
			if !ok || !json.Valid(text) {
				t.Fatalf("not JSON: %s", text)
			}
			var b strings.Builder
			for line := range strings.SplitSeq(string(text), "\n") {
				b.WriteString(strings.TrimSpace(line))
			}
			got := strings.NewReplacer(": ", ":", ", ", ",").Replace(b.String())
			if len(conflicts) > 0 {
				got += " ! " + strings.Join(conflicts, " ")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, _, ok := merge.JSON([]byte(`{`), []byte(`{}`), []byte(`{"a": 1}`)); ok {
		t.Error("what is not JSON cannot be merged")
	}
	mine := `{ "a":2 }`
	if text, _, _ := merge.JSON([]byte(`{"a": 1}`), []byte(mine), []byte(`{"a": 3}`)); string(text) != mine {
		t.Errorf("nothing of theirs is taken, so the text stays as it is written: %s", text)
	}
}
