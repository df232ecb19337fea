package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call judges a simple command. args are its words in the syntax tree.
func (j *judge) call(words []word, args []*syntax.Word) {
	u := j.unwrap(words)
	for _, risk := range u.risks {
		j.warn("%s: %s", risk, words[0].shown)
	}
	for _, name := range u.sets {
		j.variable(name)
	}
	at := len(j.commands) // commands inside it come after it
	j.commands = append(j.commands, Command{Text: join(u.words)})
	switch {
	case u.opaque:
		j.commands[at].Text = join(words)
	case !u.words[0].literal || u.words[0].pattern || u.words[0].braces:
		j.warn("what runs is not known before it does: %s", u.words[0].shown)
	default:
		j.commands[at] = j.command(u, args)
	}
	if u.input {
		j.commands[at].Text = "xargs " + j.commands[at].Text
	}
	if u.input || len(u.risks) > 0 {
		j.commands[at].Prefix, j.commands[at].Safe = "", false
	}
	j.commands[at].Input = u.input
}

// command judges a command whose program is known.
func (j *judge) command(u unwrapped, args []*syntax.Word) Command {
	words, program := u.words, programOf(u.words)
	if reason := forbidden(program, words, j.folder); reason != "" {
		j.forbid(reason)
	}
	if risk := riskOf(program, words); risk != "" {
		j.warn("%s", risk)
	}
	j.secrets(program, words)
	c := Command{Text: join(words), Prefix: prefixOf(program, words)}
	c.Safe = j.readsOnly(program, words)
	if readsContents(program) && !j.openAll(words[1:], useOf(program, words)) {
		c.Prefix = "" // it reads what read_file would ask for: a permission covers only that
	}
	switch {
	case isShell(program):
		j.shell(u, args)
	case isInterpreter(program) && !c.Safe: // it may only be asked for its version
		j.interpreter(u, args)
	case program == "eval", program == "trap":
		j.evaluate(program, words[1:], args)
	case program == "source", program == ".":
		j.warn("it runs a script inside the shell: %s", c.Text)
		j.download(args)
	case program == "cd", program == "pushd":
		j.enter(words[1:])
	case program == "find":
		j.found(words)
	case program == "su", program == "runuser", program == "pkexec":
		j.warn("%s: %s", becomes, words[0].shown)
	}
	return c
}

// found judges the commands that find would run.
func (j *judge) found(words []word) {
	for i := 1; i < len(words); i++ {
		if !slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, words[i].text) {
			continue
		}
		rest := words[i+1:]
		end := slices.IndexFunc(rest, func(w word) bool { return w.text == ";" || w.text == "+" })
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			j.call(rest[:end], nil)
		}
		i += end
	}
}

// shell judges what a shell would run: the script in its arguments, a file, or its input.
func (j *judge) shell(u unwrapped, args []*syntax.Word) {
	j.download(args)
	script, how := programIn(u.words)
	switch {
	case how == fromInput:
		j.warn("a shell runs what it reads: %s", join(u.words))
	case how == unknown, how == fromArgument && !script.plain(), u.input:
		j.warn("a shell runs what is not known before it does: %s", join(u.words))
	case how == fromArgument && !isPOSIX(programOf(u.words)):
		j.warn("its script cannot be judged: %s", join(u.words))
	case how == fromArgument:
		j.safe = false
		j.script(script.text)
	}
}

func (j *judge) interpreter(u unwrapped, args []*syntax.Word) {
	j.download(args)
	if _, how := programIn(u.words); how == fromInput {
		j.warn("it runs what it reads: %s", join(u.words))
	}
}

// evaluate judges the script in the arguments of eval and trap.
func (j *judge) evaluate(program string, words []word, args []*syntax.Word) {
	j.safe = false
	j.download(args)
	if program == "trap" {
		words = words[:min(len(words), 1)]
	}
	texts := make([]string, len(words))
	for i, w := range words {
		if !w.plain() {
			j.warn("%s runs what is not known before it does", program)
			return
		}
		texts[i] = w.text
	}
	j.script(strings.Join(texts, " "))
}

// download forbids running what is downloaded inside an argument.
func (j *judge) download(args []*syntax.Word) {
	for _, a := range args {
		for node := range syntax.Preorder(a) {
			if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				if u := j.unwrap(wordsOf(call.Args)); isDownloader(programOf(u.words)) {
					j.forbid("it runs what it downloads, unseen")
				}
			}
		}
	}
}

// pipe forbids running what an earlier command of the pipe downloads. For a long pipe it is called with the last
// command first, and all the others to its left.
func (j *judge) pipe(p *syntax.BinaryCmd) {
	if j.piped[p] {
		return
	}
	var runs bool // a command to the right does
	for at := p; ; {
		runs = runs || slices.ContainsFunc(j.callsIn(at.Y), runsInput)
		former, isPipe := at.X.Cmd.(*syntax.BinaryCmd)
		isPipe = isPipe && (former.Op == syntax.Pipe || former.Op == syntax.PipeAll)
		var left []unwrapped
		if isPipe {
			left = j.callsIn(former.Y)
		} else {
			left = j.callsIn(at.X)
		}
		if runs && slices.ContainsFunc(left, func(u unwrapped) bool { return isDownloader(programOf(u.words)) }) {
			j.forbid("it runs what it downloads, unseen")
		}
		if !isPipe {
			return
		}
		j.piped[former] = true
		at = former
	}
}

// runsInput reports whether a command is a shell or an interpreter that reads its program from its input.
func runsInput(u unwrapped) bool {
	program := programOf(u.words)
	if !isShell(program) && !isInterpreter(program) {
		return false
	}
	_, how := programIn(u.words)
	return how == fromInput || u.input
}

func (j *judge) callsIn(s *syntax.Stmt) []unwrapped {
	var all []unwrapped
	for node := range syntax.Preorder(s) {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			all = append(all, j.unwrap(wordsOf(call.Args)))
		}
	}
	return all
}
