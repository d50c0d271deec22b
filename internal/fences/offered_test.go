package fences

import (
	"slices"
	"strings"
	"testing"
)

// aboutOffered are the packages whose tests depend on packs that are offered: those packs, the whole of plugins, the program, and the data
// of the example that requires quality. A change of such a pack runs their tests again, and no others.
var aboutOffered = []string{"cmd/sluice/command", "internal/tools/lockquality", "plugins", "plugins/quality", "plugins/quality/rule"}

func TestFewTestsNeedOfferedPacks(t *testing.T) {
	var found []string
	for _, p := range packages(t, "-test") {
		of, isTest := strings.CutSuffix(strings.TrimPrefix(p.ImportPath, module), ".test")
		if isTest && slices.ContainsFunc(p.Deps, offered) {
			found = append(found, of)
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, aboutOffered) {
		t.Errorf("tests that depend on offered packs:\n%v, not\n%v\nTake plugintest.Register or base.Register.", found, aboutOffered)
	}
}

// offered reports whether a package is part of a pack that is offered.
func offered(path string) bool {
	rest, ok := strings.CutPrefix(path, module+"plugins/")
	first, _, _ := strings.Cut(rest, "/")
	return ok && slices.Contains(domains, first)
}
