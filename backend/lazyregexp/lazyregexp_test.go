package lazyregexp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestCompiledOnFirstUse(t *testing.T) {
	t.Parallel()
	r := New(`^a+$`)
	if r.compiled != nil {
		t.Error("it is compiled before it is used")
	}
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() {
			if !r.MatchString("aaa") || r.MatchString("b") {
				t.Error("it matches something else")
			}
		})
	}
	users.Wait()
}

// TestExpressionsAreValid compiles the expressions of all packages: the program itself finds a mistake only when it uses
// the expression.
func TestExpressionsAreValid(t *testing.T) {
	t.Parallel()
	checked := 0
	root := filepath.Join("..", "..")
	for _, folder := range []string{"app", "backend"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, expression := range expressions(file) {
				checked++
				text, ok := constant(expression)
				if _, err := regexp.Compile(text); err != nil || !ok {
					t.Errorf("%s: %q: constant: %v: %v", path, text, ok, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 70 {
		t.Errorf("only %d expressions are found", checked)
	}
}

// expressions returns the arguments of the calls of New in a file of another package.
func expressions(file *ast.File) []ast.Expr {
	var found []ast.Expr
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "New" {
			if name, ok := f.X.(*ast.Ident); ok && name.Name == "lazyregexp" {
				found = append(found, call.Args...)
			}
		}
		return true
	})
	return found
}

// constant returns the value of a string literal, or of several that are joined with +.
func constant(expression ast.Expr) (string, bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, leftOK := constant(e.X)
		right, rightOK := constant(e.Y)
		return left + right, leftOK && rightOK
	default:
		return "", false
	}
}
