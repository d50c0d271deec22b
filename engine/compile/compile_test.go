package compile_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/base"
)

// the product's schemas, composed once.
var composed = sync.OnceValues(func() (*schema.Schemas, error) {
	set := &pack.Set{}
	if err := base.Register(set); err != nil {
		return nil, err
	}
	return compile.Schemas(set)
})

// stars is a function of a pack.
func stars(args []any) (any, error) {
	text, _ := args[0].(string)
	return decimal.NewFromInt(int64(strings.Count(text, "*"))), nil
}

// product is a set with the extensions of the product and two actions.
func product(t testing.TB) *pack.Set {
	t.Helper()
	set := &pack.Set{}
	if err := base.Register(set); err != nil {
		t.Fatal(err)
	}
	set = compiletest.Extensions(set)
	for _, a := range []action.Action{
		endpoint{"closeLot", `{"properties": {"id": {}}}`, `{}`}, endpoint{"qbsAdd", `{}`, `{}`}, named("onlyButton"), action.NewUpload("take", action.Upload{}, `{}`, `{}`, func(context.Context, action.Call, world.File, struct{}) (int, error) { return 0, nil }),
		action.NewDownload("give", `{}`, "text/csv", func(context.Context, action.Call, struct{}) (action.File, error) { return action.File{}, nil }), endpoint{"badInput", `{"type": 1}`, `{}`},
	} {
		if err := set.Actions.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := set.Functions.Add(plan.Function{Code: "stars", Args: []plan.Kind{plan.Text}, Result: plan.Number, Zh: "星数", En: "the number of stars", Eval: stars}); err != nil {
		t.Fatal(err)
	}
	if err := set.Rules.Add(hook.NewRule("qualifiedWelder", nil)); err != nil {
		t.Fatal(err)
	}
	for _, k := range []kind.Kind{checklistKind(), {Code: "memo", Label: plan.Label{Zh: "备忘", I18n: map[string]string{"en": "memo"}}, Folder: "memos", Schema: []byte(`{"type": "object"}`)}} {
		if err := set.Kinds.Add(k); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range wrongQueries {
		if err := set.Queries.Add(q); err != nil {
			t.Fatal(err)
		}
	}
	offered := pack.Offer{Path: "plugins/depot", Parts: []pack.Part{{Path: "plugins/depot", Register: func(s *pack.Set) error {
		s.AddFolder("plugins/depot", fstest.MapFS{"pack.json": {Data: []byte(`{"code": "depot"}`)}})
		return nil
	}}}}
	if err := set.Take([]pack.Offer{offered}, nil); err != nil {
		t.Fatal(err)
	}
	set.Freeze()
	return set
}

type named string

func (n named) Name() string  { return string(n) }
func (named) Options() []byte { return nil }

// endpoint is an action whose schemas are given.
type endpoint struct {
	named
	input, output string
}

func (endpoint) Run(context.Context, action.Call) (any, error) { return nil, nil }
func (e endpoint) Input() []byte                               { return []byte(e.input) }
func (e endpoint) Output() []byte                              { return []byte(e.output) }

// load reads the packs of an archive: each folder with a pack.json, and the root when it has one. The models of people
// and departments come from testdata/organisation.txtar.
func load(t testing.TB, files []txtar.File) ([]*def.Pack, diag.List) {
	t.Helper()
	s, err := composed()
	if err != nil {
		t.Fatal(err)
	}
	return loadWith(t, product(t), s, files)
}

// loadWith is load with another set than the product's.
func loadWith(t testing.TB, set *pack.Set, s *schema.Schemas, files []txtar.File) ([]*def.Pack, diag.List) {
	t.Helper()
	base, err := txtar.ParseFile("testdata/organisation.txtar")
	if err != nil {
		t.Fatal(err)
	}
	roots := map[string]fstest.MapFS{}
	for _, f := range slices.Concat(base.Files, files) {
		if filepath.Base(f.Name) == "pack.json" {
			roots[filepath.Dir(f.Name)] = fstest.MapFS{}
		}
	}
	for _, f := range slices.Concat(base.Files, files) {
		if strings.HasPrefix(f.Name, "want.") {
			continue
		}
		root, rest, nested := strings.Cut(f.Name, "/")
		if roots[root] == nil || !nested {
			root, rest = ".", f.Name
		}
		roots[root][rest] = &fstest.MapFile{Data: f.Data}
	}
	var packs []*def.Pack
	var out diag.List
	for _, dir := range slices.Sorted(keys(roots)) {
		p, problems := compile.Load(roots[dir], strings.TrimPrefix(dir, "."), compile.Kinds(set), s)
		packs, out = append(packs, p), append(out, problems...)
	}
	return packs, out
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func compileArchive(t testing.TB, files []txtar.File) (*catalog.Catalog, diag.List) {
	t.Helper()
	set := product(t)
	packs, problems := load(t, files)
	shanghai := time.FixedZone("Asia/Shanghai", 8*3600)
	c, more := compile.Compile(set, packs, compile.Options{Zone: shanghai})
	return c, append(problems, more...).Sorted()
}

// ours are the groups of codes that this package reports; the others belong to the loader, the types and expressions.
var ours = []string{"NAME", "PACK", "QUERY", "KIND", "APP", "MODEL", "REL011", "REL012", "PROP02", "LIST", "FORM", "ACCESS", "DICT", "SCRIPT", "STYLE"}

// Each file of testdata/compile holds documents, good and bad, and what is said about them in both languages.
func TestDiagnostics(t *testing.T) {
	cases, err := filepath.Glob("testdata/compile/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	seen := map[string]bool{}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "want.") {
					want[f.Name] = string(f.Data)
				}
			}
			_, got := compileArchive(t, archive.Files)
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
	elsewhere := map[string]bool{"PACK012": true, "SCRIPT003": true, "PACK032": true, "PACK033": true, "FORM031": true} // TestMissingTypes, TestFilesBeside, workflows of plugins/core/kind, words_test.go
	for _, code := range diag.Codes() {
		mine := slices.ContainsFunc(ours, func(p string) bool { return strings.HasPrefix(code, p) })
		if mine && !seen[code] && !elsewhere[code] {
			t.Errorf("%s has no case", code)
		}
	}
}
