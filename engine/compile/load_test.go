package compile_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func schemas(t *testing.T) *schema.Schemas {
	t.Helper()
	s, err := compile.Schemas(schematest.Set())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each file of testdata/load is a pack, with faults and their good neighbours, and what is said about it in both languages.
func TestLoadDiagnostics(t *testing.T) {
	s := schemas(t)
	files, err := filepath.Glob("testdata/load/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			want := map[string]string{}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "want.") {
					want[f.Name] = string(f.Data)
					continue
				}
				if name, target, link := strings.Cut(f.Name, " -> "); link {
					fsys[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
					continue
				}
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			_, got := compile.Load(fsys, "examples/demo", compile.Kinds(schematest.Set()), s)
			for _, d := range got {
				seen[d.Code] = true
			}
			texts := map[string]string{"want.en": text(t, got, "en"), "want.zh": text(t, got, "zh")}
			if *update {
				rewrite(t, file, archive, texts)
				return
			}
			if diff := cmp.Diff(want, texts); diff != "" {
				t.Error(diff)
			}
		})
	}
	// Cases that no text file can hold are in TestLoadFiles and in engine/source; SCHEMA017 represents rules of other people's
	// extensions and is tested in engine/schema.
	elsewhere := map[string]bool{"DOC003": true, "DOC004": true, "DOC005": true, "DOC009": true, "SCHEMA017": true}
	for _, code := range diag.Codes() {
		if (strings.HasPrefix(code, "SCHEMA") || strings.HasPrefix(code, "DOC")) && !seen[code] && !elsewhere[code] {
			t.Errorf("%s has no case", code)
		}
	}
}

func text(t *testing.T, l diag.List, locale string) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.WriteText(&b, l, locale); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func rewrite(t *testing.T, file string, a *txtar.Archive, texts map[string]string) {
	t.Helper()
	var kept []txtar.File
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			kept = append(kept, f)
		}
	}
	for _, name := range slices.Sorted(keys(texts)) {
		kept = append(kept, txtar.File{Name: name, Data: []byte(texts[name])})
	}
	a.Files = kept
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLoadGoesOnAfterFaults(t *testing.T) {
	fsys := fstest.MapFS{
		"pack.json":           {Data: []byte(`{"code": "demo", "requires": ["organisation"]}`)},
		"app.json":            {Data: []byte(`{"name": "演示", "menu": [{"code": "a", "type": "BizModel"}]}`)},
		"models/a.json":       {Data: []byte(`{"name": "甲", "colour": 1, "properties": [{"code": "x", "propertyType": "ShortText", "maxLength": "long"}]}`)},
		"models/b.json":       {Data: []byte(`{"name": `)},
		"lists/a.json":        {Data: []byte(`{"schemaCode": "a", "queryColumns": ["x", {"propertyCode": "y", "width": 90}], "queryActions": ["add"]}`)},
		"dictionaries/c.json": {Data: []byte(`{"items": ["雪", {"code": "R", "name": "雨"}]}`)},
		"data/a.csv":          {Data: []byte("x,y\n一,\"多\n行\"\n二,\n")},
		"data/b.json":         {Data: []byte(`{"key": ["x"], "rows": [{"x": "1", "n": 2.50}]}`)},
		"widget/whatever.x":   {Data: []byte("?")},
	}
	p, problems := compile.Load(fsys, "packs/demo", compile.Kinds(schematest.Set()), schemas(t))
	var codes []string
	for _, d := range problems {
		codes = append(codes, d.Code)
	}
	if diff := cmp.Diff([]string{"SCHEMA001", "SCHEMA004", "DOC001"}, codes); diff != "" {
		t.Errorf("codes: %s", diff)
	}
	if p.Code != "demo" || len(def.Of[*def.App](p)) != 1 || def.Of[*def.App](p)[0].Code != "demo" || def.Of[*def.App](p)[0].Menu[0].Code != "a" {
		t.Errorf("pack or application not read: %+v", p)
	}
	if len(def.Of[*def.Model](p)) != 1 || def.Of[*def.Model](p)[0].Properties[0].Code != "x" || def.Of[*def.Model](p)[0].Pack != "demo" {
		t.Error("a model with a fault was not decoded")
	}
	if len(p.Broken) != 1 || p.Broken[0].Code != "b" || p.Broken[0].File != "packs/demo/models/b.json" {
		t.Errorf("broken: %+v", p.Broken)
	}
	columns := def.Of[*def.List](p)[0].Columns
	if columns[0].PropertyCode != "x" || columns[1].Width != 90 || def.Of[*def.List](p)[0].Actions[0].QueryActionType != "add" {
		t.Error("short and long forms of a list were not read alike")
	}
	if diff := cmp.Diff([]map[string]any{{"x": "一", "y": "多\n行"}, {"x": "二"}}, def.Of[*def.Data](p)[0].Rows); diff != "" {
		t.Errorf("rows of the table: %s", diff)
	}
	if at := def.Of[*def.Data](p)[0].Node.At("rows", "1", "x").Pos().String(); at != "packs/demo/data/a.csv:4:1" {
		t.Errorf("cell stands at %s", at)
	}
	if def.Of[*def.Data](p)[0].Key[0] != "x" || len(def.Of[*def.Data](p)) != 2 {
		t.Error("key of the table")
	}
}

func TestLoadAll(t *testing.T) {
	s := schemas(t)
	one := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "one"}`)}}
	if packs, out := compile.LoadAll(one, "dir", compile.Kinds(schematest.Set()), s); len(packs) != 1 || len(out) != 0 {
		t.Errorf("a pack folder: %d packs, %v", len(packs), out)
	}
	many := fstest.MapFS{
		"a/pack.json":    {Data: []byte(`{"code": "one"}`)},
		"b/pack.json":    {Data: []byte(`{"code": 1}`)},
		"notes/x.txt":    {Data: []byte("")},
		".git/pack.json": {Data: []byte("")},
	}
	packs, out := compile.LoadAll(many, "dir", compile.Kinds(schematest.Set()), s)
	if len(packs) != 2 || packs[1].Code != "b" || len(out) != 1 || out[0].Position.String() != "dir/b/pack.json:1:10" {
		t.Errorf("a folder of packs: %v", out)
	}
	if _, out := compile.LoadAll(fstest.MapFS{}, "dir", compile.Kinds(schematest.Set()), s); len(out) != 1 || out[0].Code != "DOC008" {
		t.Errorf("an empty folder: %v", out)
	}
	if _, out := compile.LoadAll(os.DirFS("testdata/nowhere"), "dir", compile.Kinds(schematest.Set()), s); len(out) != 1 || out[0].Code != "DOC009" {
		t.Errorf("a missing folder: %v", out)
	}
}
