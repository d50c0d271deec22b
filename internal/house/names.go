package house

import (
	_ "embed"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

//go:embed verbs.txt
var verbList string

// ordinary are verbs and pronouns of everyday speech with their forms. Words of the field (import, print, publish) are not among them.
var ordinary = func() map[string]bool {
	out := map[string]bool{}
	for _, line := range strings.Split(verbList, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			out[word] = true
		}
	}
	return out
}()

// verbs are Go files whose name is one ordinary word.
func verbs(f *file) (out []Finding) {
	if path.Ext(f.name) != ".go" {
		return nil
	}
	if name := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.name), ".go"), "_test"); ordinary[name] {
		out = append(out, f.found("verbs", 0, name))
	}
	return out
}

// asked are what the comment of a package answers, as the beginnings of its points.
var asked = []string{"In:", "Out:", "Guarantees:", "Begin with:"}

// head notes whether a file has the comment of its package.
func (t *tree) head(f *file) {
	if path.Ext(f.name) != ".go" || strings.HasSuffix(f.name, "_test.go") || f.generated() {
		return
	}
	area := f.area()
	if t.first[area] == "" || f.name < t.first[area] {
		t.first[area] = f.name
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || parsed.Doc == nil {
		return
	}
	text := parsed.Doc.Text()
	t.heads[area] = t.heads[area] || !slices.ContainsFunc(asked, func(point string) bool { return !strings.Contains(text, "- "+point) })
}

// heads are packages whose comment leaves a question open. Programs and tests have other readers.
func heads(f *file) (out []Finding) {
	area := f.area()
	if f.tree.first[area] != f.name || f.tree.heads[area] || strings.Contains(f.text, "\npackage main\n") || strings.HasPrefix(f.text, "package main\n") {
		return nil
	}
	return []Finding{f.found("heads", 0, "- "+strings.Join(asked, ", - "))}
}
