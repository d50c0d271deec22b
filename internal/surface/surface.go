// Package surface writes down what packs outside this repository compile against.
//
//   - In: the root of the repository.
//   - Out: a line for each exported name of engine, schemas, runtime/packtest and cmd/sluice/command with its type, and for each name that
//     @sluice/sdk exports.
//   - Guarantees: the lines are sorted and depend on declarations alone, neither on comments nor on bodies.
//   - Begin with: Lines.
package surface

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// roots are the folders whose packages are public, with those below them.
var roots = []string{"engine", "schemas", "runtime/packtest", "cmd/sluice/command"}

const sdk = "ui/src/sdk/index.ts"

// Lines are what is exported.
func Lines(root string) (out []string, err error) {
	for _, r := range roots {
		err := filepath.WalkDir(filepath.Join(root, r), func(at string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			if e.Name() == "testdata" || e.Name() == "internal" {
				return fs.SkipDir
			}
			name, err := filepath.Rel(root, at)
			if err != nil {
				return err
			}
			lines, err := ofPackage(at, filepath.ToSlash(name))
			out = append(out, lines...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	text, err := os.ReadFile(filepath.Join(root, sdk))
	if err != nil {
		return nil, err
	}
	out = append(out, ofScript(string(text))...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// ofPackage are the exported declarations of a folder.
func ofPackage(dir, name string) (out []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, at := range files {
		if strings.HasSuffix(at, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, at, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.FileExports(f)
		for _, d := range f.Decls {
			lines, err := declared(set, d)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
			for _, l := range lines {
				out = append(out, name+": "+l)
			}
		}
	}
	return out, nil
}

func declared(set *token.FileSet, d ast.Decl) (out []string, err error) {
	add := func(word string, node any) error {
		var b bytes.Buffer
		err := printer.Fprint(&b, set, node)
		out = append(out, word+strings.Join(strings.Fields(b.String()), " "))
		return err
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
			return nil, nil
		}
		d.Body, d.Doc = nil, nil
		err = add("", d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				s.Doc, s.Comment = nil, nil
				err = add("type ", s)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					typed := ""
					if s.Type != nil {
						var b bytes.Buffer
						err = printer.Fprint(&b, set, s.Type)
						typed = " " + b.String()
					}
					out = append(out, d.Tok.String()+" "+n.Name+typed)
				}
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return out, err
}

// receiver is the name of a method's type.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

var (
	exported = regexp.MustCompile(`(?s)export (type )?\{(.*?)\}`)
	own      = regexp.MustCompile(`(?m)^export (?:const|function|class|type|interface) (\w+)`)
	note     = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
)

// ofScript are the names that a module exports.
func ofScript(text string) (out []string) {
	text = note.ReplaceAllString(text, "")
	for _, m := range exported.FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Split(m[2], ",") {
			word := "value "
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			if rest, is := strings.CutPrefix(name, "type "); is || m[1] != "" {
				word, name = "type ", rest
			}
			if _, as, is := strings.Cut(name, " as "); is {
				name = as
			}
			out = append(out, "@sluice/sdk: "+word+strings.TrimSpace(name))
		}
	}
	for _, m := range own.FindAllStringSubmatch(text, -1) {
		out = append(out, "@sluice/sdk: value "+m[1])
	}
	return out
}
