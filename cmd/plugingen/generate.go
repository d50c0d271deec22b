package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// sorts are the folders of a pack that hold extensions, in the order of registration.
var sorts = []string{"property", "action", "kind", "widget", "element", "node"}

// needed are the packs that take part in every program; any other is offered.
var needed = []string{"core", "organisation"}

// plugin is one folder with a Register function.
type plugin struct{ Name, Path string }

// offer is a pack that takes part only where it is asked for, with its extensions.
type offer struct {
	Path  string
	Parts []plugin
}

// base is the folder with the list of what is in every program. It isn't a pack.
const base = "base"

// generate returns the texts of the generated files by their paths: the list of what is in every program has a package of its own,
// so that a test that needs no offered pack doesn't depend on any.
func generate(root string) (map[string][]byte, error) {
	module, err := modulePath(root)
	if err != nil {
		return nil, err
	}
	found, offers, err := find(root)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for name, list := range map[string]*template.Template{"plugins/base/base_gen.go": always, "plugins/plugins_gen.go": offered} {
		var b bytes.Buffer
		err := list.Execute(&b, struct {
			Module  string
			Plugins []plugin
			Offers  []offer
		}{module, found, offers})
		if err != nil {
			return nil, err
		}
		if texts[name], err = format.Source(b.Bytes()); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// modulePath reads the first directive of go.mod.
func modulePath(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(path), nil
		}
	}
	return "", errors.New("go.mod names no module")
}

// find lists the plugins of packs that are always there, core before all others, and the packs that are offered: of each its extensions, then the
// pack itself. A folder whose pack has no Register offers nothing, so that its extensions are always there.
func find(root string) (found []plugin, offers []offer, err error) {
	packs, err := folders(filepath.Join(root, "plugins"))
	if err != nil {
		return nil, nil, err
	}
	var core []plugin
	for _, pack := range packs {
		if pack == base {
			continue
		}
		of, err := findIn(root, pack)
		if err != nil {
			return nil, nil, err
		}
		own := path.Join("plugins", pack)
		switch {
		case pack == "core":
			core = of
		case !slices.Contains(needed, pack) && len(of) > 0 && of[len(of)-1].Path == own:
			offers = append(offers, offer{own, of})
		default:
			found = append(found, of...)
		}
	}
	return append(core, found...), offers, nil
}

func findIn(root, pack string) ([]plugin, error) {
	var out []plugin
	for _, sort := range sorts {
		names, err := folders(filepath.Join(root, "plugins", pack, sort))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, name := range names {
			p := plugin{alias(pack, sort, name), path.Join("plugins", pack, sort, name)}
			switch has, registers, err := inspect(filepath.Join(root, filepath.FromSlash(p.Path))); {
			case err != nil:
				return nil, err
			case has && !registers:
				return nil, fmt.Errorf("%s has Go files but no func Register(*pack.Set) error", p.Path)
			case has:
				out = append(out, p)
			}
		}
	}
	// A pack of documents alone, or one whose Go files only help its extensions, has no Register.
	p := plugin{alias(pack), path.Join("plugins", pack)}
	if _, registers, err := inspect(filepath.Join(root, filepath.FromSlash(p.Path))); err != nil {
		return nil, err
	} else if registers {
		out = append(out, p)
	}
	return out, nil
}

// alias is an import name that no two folders share.
func alias(parts ...string) string {
	clean := func(r rune) rune {
		if r == '-' || r == '.' {
			return '_'
		}
		return r
	}
	return strings.Map(clean, strings.Join(parts, "_"))
}

// folders lists the subfolders that may hold plugins, sorted by name.
func folders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != "internal" && e.Name() != "testdata" && !strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(e.Name(), "_") {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// inspect reports whether a folder has Go files besides tests, and whether one of them declares Register.
func inspect(dir string) (has, registers bool, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return false, false, err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		has = true
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, false, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "Register" {
				registers = true
			}
		}
	}
	return has, registers, nil
}

// generated is the first line of each file.
const generated = "// Code generated by cmd/plugingen from the names of the folders. DO NOT EDIT."

var always = template.Must(template.New("base_gen.go").Parse(generated + `

package base

import (
	"fmt"

	"{{.Module}}/engine/pack"
{{- range .Plugins}}
	{{.Name}} "{{$.Module}}/{{.Path}}"
{{- end}}
)

// Register adds every extension and pack that takes part in each program.
func Register(s *pack.Set) error {
	for _, p := range []struct {
		path     string
		register func(*pack.Set) error
	}{
{{- range .Plugins}}
		{"{{.Path}}", {{.Name}}.Register},
{{- end}}
	} {
		if err := p.register(s); err != nil {
			return fmt.Errorf("register %s: %w", p.path, err)
		}
	}
	return nil
}
`))

var offered = template.Must(template.New("plugins_gen.go").Parse(generated + `

package plugins

import (
	"{{.Module}}/engine/pack"
{{- range .Offers}}
{{- range .Parts}}
	{{.Name}} "{{$.Module}}/{{.Path}}"
{{- end}}
{{- end}}
)

// Offered are the packs that are compiled into the binary and take part only where they are asked for.
func Offered() []pack.Offer {
	return []pack.Offer{
{{- range .Offers}}
		{Path: "{{.Path}}", Parts: []pack.Part{
{{- range .Parts}}
			{Path: "{{.Path}}", Register: {{.Name}}.Register},
{{- end}}
		}},
{{- end}}
	}
}
`))
