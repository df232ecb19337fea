package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"coppice/app/term"
)

// TestBackendNamesNoCommands requires that no text of the backend names a command or a flag of Coppice. An error has a
// core.Remedy instead, which the terminal and the window express in their own terms.
func TestBackendNamesNoCommands(t *testing.T) {
	t.Parallel()
	names := commandLine()
	err := filepath.WalkDir("../../backend", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(literal.Value)
			if found := names.FindString(text); found != "" && !isPattern(path) {
				t.Errorf("%s: %q names %q: use core.Remedy", path, text, found)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isPattern reports whether the texts of a file are patterns for commands of other programs.
func isPattern(path string) bool {
	return strings.Contains(filepath.ToSlash(path), "/redact/")
}

// commandLine returns a pattern that matches the commands and flags of Coppice in a sentence.
func commandLine() *regexp.Regexp {
	var commands, flags []string
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, one := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.PersistentFlags()} {
			one.VisitAll(func(f *pflag.Flag) { flags = append(flags, regexp.QuoteMeta(f.Name)) })
		}
		for _, below := range cmd.Commands() {
			commands = append(commands, regexp.QuoteMeta(below.Name()))
			walk(below)
		}
	}
	walk(newRootCmd(&term.Shell{}, nil))
	all := strings.Join(flags, "|")
	return regexp.MustCompile(`\bcoppice (` + strings.Join(commands, "|") + `)\b|[a-z,:;] --(` + all + `)\b|--(` + all + `) [a-z]`)
}
