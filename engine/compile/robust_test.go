package compile_test

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
)

func archive(t *testing.T, file string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Thirty faults in ten files are thirty errors, each at a place of its own, told in one go.
func TestNothingIsMasked(t *testing.T) {
	_, problems := compileArchive(t, archive(t, "testdata/compile/thirty.txtar").Files)
	files, places := map[string]bool{}, map[diag.Position]bool{}
	for _, d := range problems {
		if d.Severity == diag.Error {
			files[d.File], places[d.Position] = true, true
		}
	}
	if len(problems) != 30 || len(places) != 30 || len(files) != 10 {
		t.Errorf("%d problems at %d places of %d files, want 30 at 30 of 10", len(problems), len(places), len(files))
	}
}

// Any value of a good document may be missing or of any type: there is always an answer, and every problem has a place.
func TestAnyValueMayBeWrong(t *testing.T) {
	good := archive(t, "testdata/compile/good.txtar")
	for i, f := range good.Files {
		if path.Ext(f.Name) != ".json" {
			continue
		}
		var root any
		if err := json.Unmarshal(f.Data, &root); err != nil {
			t.Fatal(err)
		}
		replaceEach(root, func(where string, wrong any) {
			data, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			files := slices.Clone(good.Files)
			files[i].Data = data
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("%s%s = %v: %v", f.Name, where, wrong, r)
				}
			}()
			_, problems := compileArchive(t, files)
			for _, d := range problems {
				if d.File == "" || strings.Contains(d.En, "{0}") {
					t.Errorf("%s%s = %v: %+v", f.Name, where, wrong, d)
				}
			}
		})
	}
}

// replaceEach puts nothing, a text or an object in place of each value below v in turn and calls try.
func replaceEach(v any, try func(where string, wrong any)) {
	wrongs := []any{nil, "part", map[string]any{}}
	n := 0
	var walk func(v any, where string)
	swap := func(old any, where string, set func(any)) {
		wrong := wrongs[n%len(wrongs)]
		n++
		set(wrong)
		try(where, wrong)
		set(old)
		walk(old, where)
	}
	walk = func(v any, where string) {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(keys(x)) {
				swap(x[k], where+"/"+k, func(v any) { x[k] = v })
			}
		case []any:
			for i, old := range x {
				swap(old, fmt.Sprintf("%s/%d", where, i), func(v any) { x[i] = v })
			}
		}
	}
	walk(v, "")
}

func TestDigestFollowsDocuments(t *testing.T) {
	files := archive(t, "testdata/compile/good.txtar").Files
	first, _ := compileArchive(t, files)
	again, _ := compileArchive(t, files)
	if first.Digest != again.Digest || first.Digest == "" {
		t.Errorf("the same documents have the digests %q and %q", first.Digest, again.Digest)
	}
	if diff := cmp.Diff(first.Storage, again.Storage); diff != "" {
		t.Error("the same documents have two storages", diff)
	}
	for i := range files {
		if files[i].Name == "models/ncr.json" {
			files[i].Data = append(files[i].Data, ' ')
		}
	}
	if changed, _ := compileArchive(t, files); changed.Digest == first.Digest {
		t.Error("another document has the same digest")
	}
}

func TestMissingTypes(t *testing.T) {
	set := &pack.Set{}
	packs, _ := load(t, nil)
	_, problems := compile.Compile(set, packs, compile.Options{})
	if !slices.ContainsFunc(problems, func(d diag.Diagnostic) bool { return d.Code == "PACK012" }) {
		t.Error("a program without property types compiles as if it had them")
	}
}
