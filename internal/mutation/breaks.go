package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// breaksOf finds what can be broken in the files of a package: an operand of && and || is dropped, a comparison is moved by one or
// turned, a guard that leaves early is taken out, a call whose result nobody reads is taken out, true and false are swapped.
func breaksOf(pkg, only string) ([]brokenLine, error) {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []brokenLine
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, ".gen.go") || only != "" && filepath.Base(file) != only {
			continue
		}
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		found, err := breaksIn(file)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

var turned = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.EQL: "!=", token.NEQ: "==", token.ADD: "-", token.SUB: "+",
}

func breaksIn(file string) ([]brokenLine, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []brokenLine
	replace := func(from, to token.Pos, with string) {
		start, end := set.Position(from).Offset, set.Position(to).Offset
		out = append(out, brokenLine{file, set.Position(from), start, end, with, string(source[start:end])})
	}
	text := func(n ast.Node) string {
		return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch with := turned[n.Op]; {
			case n.Op == token.LAND || n.Op == token.LOR:
				replace(n.Pos(), n.End(), text(n.X))
				replace(n.Pos(), n.End(), text(n.Y))
			case with != "" && text(n.Y) != "nil":
				replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), with)
			}
		case *ast.IfStmt:
			if leaves(n) && !passesError(n, text) {
				replace(n.Cond.Pos(), n.Cond.End(), "false && ("+text(n.Cond)+")")
			}
		case *ast.ExprStmt:
			if _, call := n.X.(*ast.CallExpr); call {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				replace(n.Pos(), n.End(), "false")
			case "false":
				replace(n.Pos(), n.End(), "true")
			}
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		}
		return true
	})
	return out, nil
}

// leaves tells whether a statement is a guard: it has no other branch and ends with return, continue or break.
func leaves(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) == 0 {
		return false
	}
	switch n.Body.List[len(n.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// passesError tells whether a guard only passes on an error, which tests bring about with a broken database alone.
func passesError(n *ast.IfStmt, text func(ast.Node) string) bool { return text(n.Cond) == "err != nil" }
