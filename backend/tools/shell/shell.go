// Package shell judges a command line by its syntax tree, without running any of it: which simple commands it consists
// of, whether it only reads, what a user must approve, and what must not run at all.
//
// It is not a confinement: a command that writes a program and runs it reveals nothing about what the program does. The
// package ensures that what looks harmless is harmless, and that a stored permission covers no more than was meant.
package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Verdict is what is known about a line before it runs.
type Verdict struct {
	Commands  []Command // in the order of the text, including nested ones; never empty
	Safe      bool      // it only reads what Files reports as open
	Risk      string    // why no stored permission may cover it; empty: one may
	Forbidden string    // why it must never run; empty: it may
}

// Command is a simple command: a program and its arguments, without the programs that only start another one (env,
// nohup, timeout).
type Command struct {
	Text   string // its words, quoted for the shell, joined by one space
	Prefix string // the words that define what it does: git commit, npm run build; empty if they do not define enough
	Safe   bool   // by itself
	Input  bool   // it reads arguments from its input, so Text does not show what it works on
}

const (
	maxLineBytes = 32 << 10
	maxDepth     = 8 // of scripts in the arguments of scripts
	maxNodes     = 20_000
	maxNesting   = 400 // of nodes; a pipe of n commands has 2n
)

// Judge judges a line for bash.
func Judge(line string, files Files) Verdict {
	j := &judge{files: files, safe: true, folders: []string{""}, wrappers: wrappers(), piped: map[*syntax.BinaryCmd]bool{}}
	j.script(line)
	v := Verdict{Commands: j.commands, Risk: j.risk, Forbidden: j.forbidden}
	if len(v.Commands) == 0 {
		v.Commands = []Command{{Text: strings.TrimSpace(line)}}
		j.safe = false
	}
	v.Safe = j.safe && v.Risk == "" && v.Forbidden == ""
	for _, c := range v.Commands {
		v.Safe = v.Safe && c.Safe
	}
	return v
}

// judge collects findings about a line. It stores the first risk and the first reason to forbid the line.
type judge struct {
	files     Files
	commands  []Command
	safe      bool // only simple commands with known words so far
	risk      string
	forbidden string
	depth     int
	folders   []string // where the current command may run; the first is the folder of the line
	lost      bool     // it may run in other folders too
	folder    word     // the last one changed to
	wrappers  map[string]wrapper
	piped     map[*syntax.BinaryCmd]bool // pipes that begin a pipe judged already
}

// fits reports whether a script is small enough to be judged at once: some nodes are visited once for each node that
// contains them.
func fits(file *syntax.File) bool {
	nodes, depth, deepest := 0, 0, 0
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		nodes, depth = nodes+1, depth+1
		deepest = max(deepest, depth)
		return true
	})
	return nodes <= maxNodes && deepest <= maxNesting
}

func (j *judge) warn(format string, args ...any) {
	if j.risk == "" {
		j.risk = fmt.Sprintf(format, args...)
	}
}

func (j *judge) forbid(reason string) {
	if j.forbidden == "" {
		j.forbidden = reason
	}
}

// script judges a whole script: the line, or a script in an argument.
func (j *judge) script(text string) {
	if len(text) > maxLineBytes || j.depth >= maxDepth {
		j.warn("it is too long or too deeply nested to be judged")
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		j.warn("it cannot be read as a shell script: %v", err)
		return
	}
	if !fits(file) {
		j.warn("it is too long or too deeply nested to be judged")
		return
	}
	j.depth++
	defer func() { j.depth-- }()
	for node := range syntax.Preorder(file) {
		j.node(node)
	}
}

// node judges one node; the nodes below it are visited on their own.
func (j *judge) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.File, *syntax.Subshell, *syntax.Block, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, *syntax.Comment:
	case *syntax.Stmt:
		j.statement(n)
	case *syntax.Redirect:
		j.redirect(n)
	case *syntax.CallExpr:
		for _, a := range n.Assigns {
			j.assign(a)
		}
		if len(n.Args) > 0 {
			j.call(wordsOf(n.Args), n.Args)
		}
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			j.pipe(n)
		}
	case *syntax.DeclClause:
		j.declare(n)
	case *syntax.FuncDecl:
		j.function(n)
	case *syntax.WordIter:
		j.safe = false
		j.variable(n.Name.Value)
	case *syntax.ParamExp:
		j.safe = false
		j.parameter(n)
	case *syntax.CoprocClause:
		j.safe = false
		j.warn("it leaves a process in the background")
	default:
		j.safe = false // loops, conditions, arithmetic, substitutions: their contents are judged, but only reading is known to be safe
	}
}

func (j *judge) statement(s *syntax.Stmt) {
	if s.Background || s.Coprocess || s.Disown {
		j.safe = false
		j.warn("it leaves a process in the background")
	}
}

// parameter looks for expansions that run or write the value of a variable.
func (j *judge) parameter(p *syntax.ParamExp) {
	if p.Exp == nil {
		return
	}
	switch p.Exp.Op {
	case syntax.OtherParamOps:
		j.warn("it expands a variable as a program: %s", show(p))
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if p.Param != nil {
			j.variable(p.Param.Value)
		}
	default:
	}
}

func (j *judge) assign(a *syntax.Assign) {
	j.safe = false
	if a.Name != nil {
		j.variable(a.Name.Value)
	}
}

func (j *judge) declare(d *syntax.DeclClause) {
	j.safe = false
	j.commands = append(j.commands, Command{Text: show(d)})
	for _, a := range d.Args {
		j.assign(a)
		if a.Name == nil && a.Value != nil {
			w := wordOf(a.Value)
			name, _, _ := strings.Cut(w.text, "=")
			j.variable(name)
			if !w.literal {
				j.warn("it sets a variable whose name is not known before it runs")
			}
		}
	}
}

// variable records a risk if a variable changes what other commands do.
func (j *judge) variable(name string) {
	j.safe = false
	if isLoaded(name) {
		j.warn("it sets %s, which changes what other commands run", name)
	}
}

// isLoaded reports whether programs load libraries, programs or options from a variable.
func isLoaded(name string) bool {
	upper := strings.ToUpper(name)
	for _, prefix := range []string{
		"LD_", "DYLD_", "GIT_", "BASH_", "PYTHON", "PERL5", "RUBY", "NPM_CONFIG_", "CARGO_", "GCONV_", "DOCKER_", "SSH_", "LESS", "XDG_",
	} {
		if strings.HasPrefix(upper, prefix) {
			return true
		}
	}
	switch upper {
	case "PATH", "ENV", "IFS", "PS4", "PS1", "PROMPT_COMMAND", "SHELL", "SHELLOPTS", "BASHOPTS", "HOME", "CDPATH", "NODE_OPTIONS", "NODE_PATH",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "GOFLAGS", "GOROOT", "GOENV", "GOPROXY",
		"GOTOOLCHAIN", "CC", "CXX", "AR", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS", "MAKEFLAGS", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER",
		"MANOPT", "FPATH", "ZDOTDIR", "RIPGREP_CONFIG_PATH", "GREP_OPTIONS", "LOCPATH", "TERMINFO", "KUBECONFIG", "PHPRC", "INPUTRC":
		return true
	}
	return false
}

// function looks for a function that calls itself in the background: a fork bomb.
func (j *judge) function(f *syntax.FuncDecl) {
	j.safe = false
	if f.Name == nil {
		return
	}
	calls, background := false, false
	for node := range syntax.Preorder(f.Body) {
		switch node := node.(type) {
		case *syntax.CallExpr:
			calls = calls || len(node.Args) > 0 && wordOf(node.Args[0]).text == f.Name.Value
		case *syntax.Stmt:
			background = background || node.Background
		}
	}
	if calls && background {
		j.forbid("a function that starts itself without end is a fork bomb")
	}
}

// redirect judges the targets of output and the sources of input.
func (j *judge) redirect(r *syntax.Redirect) {
	if r.Word == nil {
		return
	}
	w := wordOf(r.Word)
	if !w.literal {
		j.safe = false
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	case syntax.DplIn, syntax.DplOut:
		if w.literal && strings.Trim(w.text, "0123456789-") == "" {
			return
		}
	default:
	}
	if strings.HasPrefix(w.text, "/dev/tcp/") || strings.HasPrefix(w.text, "/dev/udp/") {
		j.warn("it opens a network connection: %s", w.shown)
	}
	if r.Op == syntax.RdrIn || r.Op == syntax.DplIn {
		j.safe = j.safe && w.plain() && j.open(w, UseContents)
		j.secret(w, UseContents)
		if !w.literal || w.braces {
			j.warn("what it reads is not known before it runs: %s", w.shown)
		}
		return
	}
	if w.literal && isSink(w.text) {
		return
	}
	j.safe = false
	j.warn("it writes to a file: %s", w.shown)
	if isDisk(w.text) {
		j.forbid("it overwrites a disk")
	}
}

func isSink(path string) bool {
	return path == "/dev/null" || path == "/dev/stdout" || path == "/dev/stderr"
}
