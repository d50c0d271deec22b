package packtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/rename"
)

// Declared fails for each text in the Go files of a folder that is a code of the documents, is where code names something of a record or a
// document, and is not the constant of a declaration (pack.Codes). What callers send and get may have the same words: the keys of maps that are
// answered, and of what is decoded, are free.
func Declared(t testing.TB, dir string, register ...pack.Registrar) {
	t.Helper()
	codes := codesOf(t, register)
	found, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %d Go files: %v", dir, len(found), err)
	}
	for _, path := range found {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range undeclared(file, codes) {
			t.Errorf("%s: %s is a code of the documents: declare it (pack.Codes)", files.Position(one.Pos()), one.Value)
		}
	}
}

// codesOf are the codes that the documents of packs define, with the kinds that have them.
func codesOf(t testing.TB, register []pack.Registrar) map[string][]names.Kind {
	t.Helper()
	set := &pack.Set{}
	for _, r := range register {
		if err := r(set); err != nil {
			t.Fatal(err)
		}
	}
	set.Freeze()
	schemas, err := compile.Schemas(set)
	if err != nil {
		t.Fatal(err)
	}
	packs := rename.Packs{Set: set, Schemas: schemas, Options: compile.Options{Zone: time.UTC, Cache: &compile.Cache{}}}
	for _, f := range set.Folders() {
		packs.Folders = append(packs.Folders, rename.Folder{Folder: compile.Folder{Code: compile.CodeOf(f.FS, f.Path), Dir: f.Path, FS: f.FS}, Embedded: true})
	}
	out := map[string][]names.Kind{}
	for _, thing := range packs.Read().Things() {
		code := thing.Path[strings.LastIndexAny(thing.Path, ".:")+1:]
		out[code] = append(out[code], thing.Kind)
	}
	return out
}

// undeclared are the literals of a file that name something.
func undeclared(file *ast.File, codes map[string][]names.Kind) (out []*ast.BasicLit) {
	look := func(e ast.Expr, kinds ...names.Kind) {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return
		}
		text, err := strconv.Unquote(l.Value)
		if err == nil && slices.ContainsFunc(codes[text], func(k names.Kind) bool { return slices.Contains(kinds, k) }) && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	var free []ast.Node // lists of words that callers send
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if valued[last(n.X)] {
				look(n.Index, names.Property)
			}
		case *ast.CallExpr:
			free = append(free, inCall(n, look)...)
		case *ast.CompositeLit:
			if list, ok := n.Type.(*ast.ArrayType); ok && last(list.Elt) == "string" && !slices.Contains(free, ast.Node(n)) {
				for _, e := range n.Elts {
					look(e, names.Property, names.Option, names.Model, names.Role)
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				look(valuesOption(n.X, n.Y), names.Option)
				look(valuesOption(n.Y, n.X), names.Option)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if at, ok := to.(*ast.IndexExpr); ok && valued[last(at.X)] && len(n.Rhs) == len(n.Lhs) {
					look(n.Rhs[i], names.Option)
				}
			}
		case *ast.KeyValueExpr:
			if key := last(n.Key); key == "Model" || key == "Subject" || key == "Property" || key == "Column" {
				look(n.Value, names.Model, names.Property)
			}
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				inConstants(n, look)
			}
		}
		return true
	})
	return out
}

// valued are what code calls the values of a record: the last name of an expression.
var valued = map[string]bool{"Set": true, "Old": true, "New": true, "Values": true, "values": true, "now": true, "old": true, "row": true, "Row": true, "Record": true}

// Reads of rows and records, whose argument is a property; and calls of a World, whose arguments are models and values.
var (
	reads  = map[string]bool{"Text": true, "Number": true, "Time": true, "Is": true, "Set": true, "Empty": true, "Decode": true, "refuse": true}
	writes = map[string]bool{"Get": true, "Find": true, "Create": true, "CreateAll": true, "Update": true, "update": true, "Delete": true, "List": true, "Allowed": true, "ModelOf": true, "On": true, "Document": true}
)

// inCall looks at the arguments of a call; it returns those that are free.
func inCall(call *ast.CallExpr, look func(ast.Expr, ...names.Kind)) (free []ast.Node) {
	name := last(call.Fun)
	if name == "Contains" {
		for _, one := range call.Args {
			free = append(free, ast.Node(one))
		}
	}
	if _, method := call.Fun.(*ast.SelectorExpr); (method || name == "refuse") && reads[name] && len(call.Args) > 0 {
		look(call.Args[0], names.Property)
	}
	if !writes[name] {
		return free
	}
	for _, one := range call.Args {
		look(one, names.Model)
		values, ok := one.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, e := range values.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				look(pair.Key, names.Property)
				look(pair.Value, names.Option)
			}
		}
	}
	return free
}

// inConstants looks at constants: a code of a model is declared and not defined again.
func inConstants(of *ast.GenDecl, look func(ast.Expr, ...names.Kind)) {
	for _, spec := range of.Specs {
		if one, ok := spec.(*ast.ValueSpec); ok {
			for _, v := range one.Values {
				look(v, names.Model)
			}
		}
	}
}

// valuesOption is a literal that is compared with a value of a record; nil when the other side is none.
func valuesOption(literal, with ast.Expr) ast.Expr {
	switch with := with.(type) {
	case *ast.IndexExpr:
		if valued[last(with.X)] {
			return literal
		}
	case *ast.CallExpr:
		if name := last(with.Fun); name == "Text" {
			return literal
		}
		if len(with.Args) == 1 { // text(e.Old["status"])
			return valuesOption(literal, with.Args[0])
		}
	}
	return nil
}

// last is the last name of an expression: Set of e.Set, New of e.New().
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return last(e.Fun)
	}
	return ""
}
