package merge_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/merge"
)

// tree makes random documents and changes of them.
type tree struct{ *rand.Rand }

func (r tree) value(depth int) any {
	switch n := r.IntN(6); {
	case depth <= 0 || n < 2:
		return float64(r.IntN(3))
	case n == 2:
		return []any{float64(r.IntN(3)), float64(r.IntN(3))}
	case n == 3:
		return r.entries(depth - 1)
	}
	return r.object(depth - 1)
}

func (r tree) object(depth int) map[string]any {
	out := map[string]any{}
	for _, key := range []string{"a", "b", "c", "d"} {
		if r.IntN(3) > 0 {
			out[key] = r.value(depth)
		}
	}
	return out
}

func (r tree) entry(code string, depth int) map[string]any {
	out := r.object(depth)
	out["code"] = code
	return out
}

func (r tree) entries(depth int) []any {
	out := []any{}
	for _, code := range []string{"p", "q", "r", "s"} {
		if r.IntN(3) > 0 {
			out = append(out, r.entry(code, depth))
		}
	}
	return out
}

// isEntries reports whether the entries of a value are told apart by codes.
func isEntries(v any) bool {
	array, ok := v.([]any)
	for _, e := range array {
		_, object := e.(map[string]any)
		ok = ok && object
	}
	return ok
}

// changed is a value with some changes.
func (r tree) changed(v any, depth int) any {
	if r.IntN(8) == 0 {
		return r.value(depth)
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "code" {
				out[key] = v[key]
			} else if r.IntN(8) > 0 {
				out[key] = r.changed(v[key], depth-1)
			}
		}
		if key := string(rune('a' + r.IntN(5))); r.IntN(4) == 0 && out[key] == nil {
			out[key] = r.value(depth - 1)
		}
		return out
	case []any:
		if !isEntries(v) {
			return v
		}
		out := []any{}
		for _, e := range v {
			if r.IntN(6) > 0 {
				changed := r.changed(e, depth-1)
				if object, ok := changed.(map[string]any); ok {
					object["code"] = e.(map[string]any)["code"]
					out = append(out, object)
				}
			}
		}
		if code := string(rune('p' + r.IntN(6))); r.IntN(3) == 0 && !slices.ContainsFunc(out, func(e any) bool { return e.(map[string]any)["code"] == code }) {
			out = slices.Insert(out, r.IntN(len(out)+1), any(r.entry(code, depth-1)))
		}
		if r.IntN(4) == 0 {
			r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		}
		return out
	}
	return v
}

// children are the parts of a value by name; nil for what is one value.
func children(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case []any:
		if isEntries(v) {
			out := map[string]any{}
			for _, e := range v {
				out[e.(map[string]any)["code"].(string)] = e
			}
			return out
		}
	}
	return nil
}

// leaves are the values without parts of a document by their paths.
func leaves(at string, v any, out map[string]string) map[string]string {
	parts := children(v)
	for name, part := range parts {
		leaves(at+"/"+name, part, out)
	}
	if parts == nil {
		out[at] = text(v)
	}
	return out
}

// unit is the shortest path that leads to a leaf and at which the documents have no parts of one kind: what is there is one value.
func unit(at string, docs ...any) (path string, values []any) {
	for _, step := range strings.Split(at, "/")[1:] {
		kinds := map[string]bool{}
		for _, d := range docs {
			kinds[fmt.Sprintf("%T %v", d, children(d) != nil)] = true
		}
		if len(kinds) > 1 || children(docs[0]) == nil {
			break
		}
		path += "/" + step
		for i, d := range docs {
			docs[i] = children(d)[step]
		}
	}
	return path, docs
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func merged(t *testing.T, base, mine, theirs any) (any, []string, string) {
	t.Helper()
	got, conflicts, ok := merge.JSON([]byte(text(base)), []byte(text(mine)), []byte(text(theirs)))
	require.True(t, ok)
	var out any
	require.NoError(t, json.Unmarshal(got, &out))
	return out, conflicts, string(got)
}

// codes is the order of an array's entries, of those that others have too.
func codes(v any, others ...any) (out []string) {
	array, _ := v.([]any)
	for _, e := range array {
		code := e.(map[string]any)["code"].(string)
		if !slices.ContainsFunc(others, func(o any) bool { return children(o)[code] == nil }) {
			out = append(out, code)
		}
	}
	return out
}

// checkOrders compares the orders of arrays of entries, at every depth, with the side that changed them.
func checkOrders(t *testing.T, got, base, mine, theirs any) {
	t.Helper()
	if isEntries(got) && isEntries(base) && isEntries(mine) && isEntries(theirs) {
		want := codes(mine, base, theirs, got)
		if reflect.DeepEqual(want, codes(base, mine, theirs, got)) {
			want = codes(theirs, base, mine, got)
		}
		require.Equal(t, want, codes(got, base, mine, theirs))
	}
	for name, part := range children(got) {
		checkOrders(t, part, children(base)[name], children(mine)[name], children(theirs)[name])
	}
}

// TestRandomChanges merges random changes: what one side changed is that side's, what both changed is mine and named as a conflict.
func TestRandomChanges(t *testing.T) {
	t.Parallel()
	conflicted := 0
	for seed := range uint64(800) {
		r := tree{rand.New(rand.NewPCG(seed, 1))}
		base := any(r.object(2))
		mine, theirs := r.changed(base, 2), r.changed(base, 2)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			got, conflicts, written := merged(t, base, mine, theirs)
			want, told := map[string]string{}, map[string]bool{}
			for _, doc := range []any{base, mine, theirs} {
				for at := range leaves("", doc, map[string]string{}) {
					path, of := unit(at, base, mine, theirs)
					side := of[1]
					if text(of[0]) == text(of[1]) {
						side = of[2]
					} else if text(of[0]) != text(of[2]) && text(of[1]) != text(of[2]) {
						told[path] = true
					}
					if side != nil {
						leaves(path, side, want)
					}
				}
			}
			have := leaves("", got, map[string]string{})
			require.Equal(t, want, have, "%s\n%s\n%s", text(base), text(mine), text(theirs))
			for at := range told {
				require.Contains(t, conflicts, at)
			}
			checkOrders(t, got, base, mine, theirs)
			conflicted += min(1, len(conflicts))

			_, again, twice := merged(t, base, got, theirs)
			require.JSONEq(t, written, twice, "merged once more with the same")
			require.Equal(t, conflicts, again)
			for _, x := range []any{mine, theirs} {
				same, none, _ := merged(t, base, x, x)
				require.Equal(t, x, same)
				require.Empty(t, none)
				same, none, _ = merged(t, base, base, x)
				require.Equal(t, x, same)
				require.Empty(t, none)
			}
		})
	}
	require.Greater(t, conflicted, 200, "the changes meet often enough")
}
