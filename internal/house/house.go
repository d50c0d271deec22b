// Package house counts what makes code hard to read and to find, so that new lines are held to more than the old ones.
//
//   - In: the root of a tree of source files.
//   - Out: findings, each with its fence, its area (a Go package or a folder of the interface), file and line; and a table of how many each
//     area may have (testdata/counts.txt).
//   - Guarantees: a finding depends on its file alone, except those of routes, which are compared with schemas/api.yaml. An area that the table
//     does not name may have none: what is new is held to every fence.
//   - Begin with: Fences, which lists what is counted and why; Look reads a tree, Table.Over compares.
package house

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Fence is something that is counted.
type Fence struct {
	Name string
	Why  string // and what to do in its place
	find func(f *file) []Finding
}

// Fences are what is counted, in the order of reports.
func Fences() []Fence {
	return []Fence{
		{"wide", "lines over 140 columns as drawn: divide them", wide},
		{"routes", "addresses of calls that a search does not find, and route literals of more than two lines: write the whole address, name the handler", routes},
		{"keys", "keys of texts that are put together: write them out where they are used, or in one table", keys},
		{"verbs", "Go files named with an ordinary verb or pronoun: name what is in them", verbs},
		{"words", "words of comments that read as riddles (internal/words/words.json)", advised},
		{"heads", "Go packages whose comment does not say what goes in, what comes out, what is guaranteed and where to begin", heads},
		{"zeros", "`?? 0` of the interface: draw a dash, or nothing, where a figure is hidden or not known yet", zeros},
	}
}

// Finding is a place that a fence counts.
type Finding struct {
	Fence, Area, File string
	Line              int // from 1; 0 = the whole file
	Text              string
}

// file is a source text.
type file struct {
	name  string // from the root, with slashes
	text  string
	lines []string
	tree  *tree
}

// tree is what findings of a file know of others.
type tree struct {
	addresses map[string]bool // of schemas/api.yaml
	heads     map[string]bool // areas whose package comment answers what a reader asks
	first     map[string]string
}

// area is the package or folder that a file belongs to.
func (f *file) area() string {
	parts := strings.Split(path.Dir(f.name), "/")
	if ext := path.Ext(f.name); ext != ".go" {
		parts = parts[:min(len(parts), 4)]
	}
	return strings.Join(parts, "/")
}

func (f *file) found(fence string, line int, text string) Finding {
	return Finding{Fence: fence, Area: f.area(), File: f.name, Line: line, Text: strings.TrimSpace(text)}
}

// test reports whether a file only tests.
func (f *file) test() bool {
	return strings.HasSuffix(f.name, "_test.go") || strings.Contains(f.name, ".test.") || strings.HasPrefix(f.name, "ui/e2e/") || strings.Contains(f.name, "/testdata/")
}

// generated reports whether a program writes the file.
func (f *file) generated() bool {
	return strings.HasSuffix(f.name, "_gen.go") || strings.Contains(f.name, ".gen.") || strings.HasPrefix(f.text, "// Code generated")
}

// Look reads the source files below a root: Go, TypeScript and styles, without dependencies and what is built.
func Look(root string) (out []Finding, err error) {
	all, err := read(root)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.generated() {
			continue
		}
		for _, fence := range Fences() {
			out = append(out, fence.find(f)...)
		}
	}
	return out, nil
}

func read(root string) (all []*file, err error) {
	t := &tree{addresses: map[string]bool{}, heads: map[string]bool{}, first: map[string]string{}}
	err = filepath.WalkDir(root, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := e.Name()
		if e.IsDir() {
			if at != root && (strings.HasPrefix(base, ".") || slices.Contains([]string{"node_modules", "dist", "bin", "testdata", "vendor"}, base)) {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".ts", ".tsx", ".mjs", ".css"}, path.Ext(base)) || strings.HasSuffix(base, ".d.ts") {
			return nil
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		f := &file{name: filepath.ToSlash(name), text: string(text), lines: strings.Split(string(text), "\n"), tree: t}
		t.head(f)
		all = append(all, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b *file) int { return cmp.Compare(a.name, b.name) })
	return all, t.readAddresses(root)
}

// Lines counts the lines of Go below a root, without what programs write.
func Lines(root string) (n int, err error) {
	all, err := read(root)
	for _, f := range all {
		if path.Ext(f.name) == ".go" && !f.generated() {
			n += len(f.lines)
		}
	}
	return n, err
}
