package merge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sluice-platform/sluice/engine/merge"
)

// TestJSON merges two changes; want is the merged document, or the pointers of the conflict behind "!".
func TestJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, mine, theirs, want string }{
		"two keys":                    {`{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 1, "b": 2}`, `{"a":2,"b":2}`},
		"the same change":             {`{"a": 1}`, `{"a": 2}`, `{"a": 2}`, `{"a":2}`},
		"one value":                   {`{"x": {"a": 1}}`, `{"x": {"a": 2}}`, `{"x": {"a": 3}}`, `! /x/a`},
		"both add, different":         {`{}`, `{"a": 1}`, `{"b": 1}`, `{"a":1,"b":1}`},
		"both add one key":            {`{}`, `{"a": 1}`, `{"a": 2}`, `! /a`},
		"mine removes":                {`{"a": 1, "b": 1}`, `{"b": 1}`, `{"a": 1, "b": 2}`, `{"b":2}`},
		"removed and changed":         {`{"a": {"x": 1}}`, `{}`, `{"a": {"x": 2}}`, `! /a`},
		"entries by code":             {`[{"code": "a", "n": 1}, {"code": "b"}]`, `[{"code": "a", "n": 2}, {"code": "b"}]`, `[{"code": "a", "n": 1}, {"code": "b", "n": 3}]`, `[{"code":"a","n":2},{"code":"b","n":3}]`},
		"entries by another code":     {`[{"propertyCode": "a"}]`, `[{"propertyCode": "a", "w": 1}]`, `[{"propertyCode": "a"}, {"propertyCode": "b"}]`, `[{"propertyCode":"a","w":1},{"propertyCode":"b"}]`},
		"short entries":               {`["a", "b"]`, `["a", "x", "b"]`, `["a", "b", "y"]`, `["a","x","b","y"]`},
		"both add entries":            {`[{"code": "a"}]`, `[{"code": "a"}, {"code": "m"}]`, `[{"code": "t"}, {"code": "a"}]`, `[{"code":"t"},{"code":"a"},{"code":"m"}]`},
		"mine removes an entry":       {`[{"code": "a"}, {"code": "b"}]`, `[{"code": "b"}]`, `[{"code": "a"}, {"code": "b"}, {"code": "c"}]`, `[{"code":"b"},{"code":"c"}]`},
		"one entry changed twice":     {`[{"code": "a", "n": 1}]`, `[{"code": "a", "n": 2}]`, `[{"code": "a", "n": 3}]`, `! /a/n`},
		"removed and changed entry":   {`[{"code": "a", "n": 1}, {"code": "b"}]`, `[{"code": "b"}]`, `[{"code": "a", "n": 2}, {"code": "b"}]`, `! /a`},
		"mine orders, theirs changes": {`[{"code": "a"}, {"code": "b"}]`, `[{"code": "b"}, {"code": "a"}]`, `[{"code": "a", "n": 1}, {"code": "b"}]`, `[{"code":"b"},{"code":"a","n":1}]`},
		"two orders":                  {`["a", "b", "c"]`, `["b", "a", "c"]`, `["a", "c", "b"]`, `! `},
		"plain arrays":                {`[1, 2]`, `[1, 2, 3]`, `[2]`, `! `},
		"an array without codes":      {`[{"n": 1}]`, `[{"n": 2}]`, `[{"n": 1}, {"n": 3}]`, `! `},
		"codes that come twice":       {`[{"code": "a"}]`, `[{"code": "a"}, {"code": "a", "n": 1}]`, `[{"code": "a", "n": 2}]`, `! `},
		"another kind of value":       {`{"a": "x"}`, `{"a": {"code": "x"}}`, `{"a": ["x"]}`, `! /a`},
		"numbers keep their text":     {`{"a": 1.10, "b": 1}`, `{"a": 1.10, "b": 2}`, `{"a": 1.10, "b": 1, "c": "<>"}`, `{"a":1.10,"b":2,"c":"<>"}`},
		"several conflicts":           {`{"a": 1, "b": 1}`, `{"a": 2, "b": 2}`, `{"a": 3, "b": 3}`, `! /a /b`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, conflicts, ok := merge.JSON([]byte(c.base), []byte(c.mine), []byte(c.theirs))
			got := "! " + strings.Join(conflicts, " ")
			if ok {
				var b strings.Builder
				for line := range strings.SplitSeq(string(text), "\n") {
					b.WriteString(strings.TrimSpace(line))
				}
				got = strings.NewReplacer(": ", ":", ", ", ",").Replace(b.String())
				if !json.Valid(text) {
					t.Fatalf("no JSON: %s", text)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, _, ok := merge.JSON([]byte(`{`), []byte(`{}`), []byte(`{"a": 1}`)); ok {
		t.Error("what is no JSON cannot be merged")
	}
}
