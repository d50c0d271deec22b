// Package fences holds the tests that keep the shape of the code: which package may import which (docs/architecture.md, Map and import directions).
package fences

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/internal/inputs"
)

const module = "github.com/sluice-platform/sluice/"

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// sources are the folders with code.
var sources = []string{
	"../../bench", "../../cmd", "../../engine", "../../examples", "../../internal", "../../plugins", "../../runtime",
	"../../schemas", "../../ui",
}

// known are the lists of packages that go list gave, by its arguments.
var known = map[string][]listed{}

// packages lists the packages, with further arguments also those of tests.
func packages(t *testing.T, more ...string) (all []listed) {
	t.Helper()
	if all, ok := known[strings.Join(more, " ")]; ok {
		return all
	}
	inputs.Of(t, sources, ".go")
	cmd := exec.Command("go", append(append([]string{"list", "-json=ImportPath,Imports,Deps"}, more...), module+"...")...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	d := json.NewDecoder(strings.NewReader(string(out)))
	for d.More() {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 20 {
		t.Fatalf("go list found %d packages only", len(all))
	}
	known[strings.Join(more, " ")] = all
	return all
}

// layer is the first part of a package's path below the module.
func layer(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, module), "/")
	return first
}

// mayImport lists, for each layer, the layers of ours that it may import besides itself.
var mayImport = map[string][]string{
	"schemas":  {},
	"engine":   {"schemas"},
	"runtime":  {"schemas", "engine"},
	"plugins":  {"engine", "schemas"},
	"ui":       {},
	"cmd":      {"schemas", "engine", "runtime", "plugins", "ui"},
	"bench":    {"schemas", "engine", "runtime", "plugins", "ui", "internal"},
	"internal": {"schemas", "engine", "plugins"},
}

func TestLayers(t *testing.T) {
	for _, p := range packages(t) {
		from := layer(p.ImportPath)
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s stands in no known layer", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if !strings.HasPrefix(imported, module) || layer(imported) == from {
				continue
			}
			if !contains(allowed, layer(imported)) {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
		}
	}
}

// TestLeaves keeps the packages that import nothing of ours.
func TestLeaves(t *testing.T) {
	leaves := []string{"engine/diag", "engine/fault", "engine/registry"}
	for _, p := range packages(t) {
		if !contains(leaves, strings.TrimPrefix(p.ImportPath, module)) {
			continue
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) {
				t.Errorf("%s must import nothing of ours, not %s", p.ImportPath, imported)
			}
		}
	}
}

// TestPacksStandApart: no pack imports another pack.
func TestPacksStandApart(t *testing.T) {
	pack := func(path string) string {
		rest, ok := strings.CutPrefix(path, module+"plugins/")
		if !ok {
			return ""
		}
		first, _, _ := strings.Cut(rest, "/")
		if first == "base" { // the list of what is in every program
			return ""
		}
		return first
	}
	for _, p := range packages(t) {
		from := pack(p.ImportPath)
		if from == "" {
			continue
		}
		for _, imported := range p.Imports {
			if to := pack(imported); to != "" && to != from {
				t.Errorf("%s must not import %s of another pack", p.ImportPath, imported)
			}
		}
	}
}

// TestEngineIsPure: no SQL, HTTP or clock below the runtime.
func TestEngineIsPure(t *testing.T) {
	banned := []string{"database/sql", "net/http", "gorm.io/gorm", "os", "os/exec", "github.com/labstack/echo/v5"}
	for _, p := range packages(t) {
		if layer(p.ImportPath) != "engine" || strings.HasSuffix(p.ImportPath, "test") {
			continue
		}
		for _, imported := range p.Imports {
			if contains(banned, imported) {
				t.Errorf("%s must not import %s", p.ImportPath, imported)
			}
		}
	}
}

// TestHeavyLibraries: each heavy library has one home.
// What weakens a product to make its tests cheap is for tests.
func TestSeamsAreForTests(t *testing.T) {
	const seam = module + "runtime/authn/authntest"
	found := false
	for _, p := range packages(t) {
		found = found || p.ImportPath == seam
		if contains(p.Imports, seam) && !strings.HasSuffix(p.ImportPath, "test") {
			t.Errorf("%s must not import %s", p.ImportPath, seam)
		}
		if contains(p.Imports, module+"runtime/authn/internal/cost") && p.ImportPath != seam && p.ImportPath != module+"runtime/authn" {
			t.Errorf("%s must not import the cost of sign-ins", p.ImportPath)
		}
		// A package for tests that takes the seam brings it along. Measurements (bench) are no product.
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) && strings.HasSuffix(imported, "test") && !strings.HasSuffix(p.ImportPath, "test") && layer(p.ImportPath) != "bench" {
				t.Errorf("%s must not import %s, which is for tests", p.ImportPath, imported)
			}
		}
	}
	if !found {
		t.Errorf("no package %s", seam)
	}
}

func TestHeavyLibraries(t *testing.T) {
	homes := map[string]string{
		"gorm.io/driver/postgres":      "runtime/store",
		"modernc.org/sqlite":           "runtime/store",
		"github.com/labstack/echo/v5":  "runtime/httpapi",
		"github.com/casbin/casbin/v3":  "runtime/authz",
		"github.com/golang-jwt/jwt/v5": "runtime/authn",
		"github.com/expr-lang/expr":    "engine/expression",
		"github.com/xuri/excelize/v2":  "runtime/workbook",

		"gocloud.dev/blob":                   "runtime/blob",
		"gocloud.dev/blob/s3blob":            "runtime/blob",
		"gocloud.dev/blob/fileblob":          "runtime/blob",
		"github.com/gabriel-vasile/mimetype": "runtime/blob",

		"github.com/riverqueue/river":                              "runtime/job",
		"github.com/riverqueue/river/rivermigrate":                 "runtime/job",
		"github.com/riverqueue/river/rivertype":                    "runtime/job",
		"github.com/riverqueue/river/riverdriver":                  "runtime/job",
		"github.com/riverqueue/river/riverdriver/riversqlite":      "runtime/job",
		"github.com/riverqueue/river/riverdriver/riverdatabasesql": "runtime/job",
	}
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			home, heavy := homes[imported]
			if heavy && strings.TrimPrefix(p.ImportPath, module) != home && layer(p.ImportPath) != "bench" {
				t.Errorf("%s must not import %s, which is the matter of %s", p.ImportPath, imported, home)
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
