package config

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestCommandPrompt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ prompt, arguments, want string }{
		{"Review $ARGUMENTS now.", "a.go  b.go", "Review a.go  b.go now."},
		{"From $1 to $2; $3.", `main "my branch"`, "From main to my branch; ."},
		{"Say $1.", "it's", "Say it's."},
		{"Say $1 and $ARGUMENTS.", "$2 $ARGUMENTS", "Say $2 and $2 $ARGUMENTS."},
		{"It costs $100 and $ARGUMENTSx.", "", "It costs 00 and $ARGUMENTSx."},
		{"Check.", "all of it", "Check.\n\nall of it"},
		{"Check.", " ", "Check."},
	} {
		command := Command{prompt: c.prompt}
		if got := command.Prompt(c.arguments); got != c.want {
			t.Errorf("%q with %q is %q", c.prompt, c.arguments, got)
		}
	}
}

func TestReadCommands(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"commands/review.md": {Data: []byte("---\r\ndescription: >-\r\n  Looks at\r\n  a file\r\nargument-hint: [file]\r\nallowed-tools: Bash(git:*)\r\n---\r\n\r\nReview $1.\r\n")},
		"commands/loose.md":  {Data: []byte("---\ndescription: Looks: at it\nargument-hint: [file] [line]\n---\nLook at $1:$2.")},
		"commands/plain.md":  {Data: []byte("# Fix the tests\n\nRun them first.")},
		"commands/line.md":   {Data: []byte("---\nNot closed")},
		"commands/empty.md":  {Data: []byte("---\ndescription: x\n---\n")},
		"commands/Bad.md":    {Data: []byte("x")},
		"commands/notes.txt": {Data: []byte("x")},
		"commands/sub/a.md":  {Data: []byte("x")},
	}
	s := &Settings{}
	commands, err := s.readCommandFolder(1, files, CommandsFolder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range commands {
		got = append(got, strings.Join([]string{c.Name, c.Takes, c.Description, c.prompt}, "|"))
	}
	want := []string{"line|||", "loose|[file] [line]|Looks: at it|Look at $1:$2.", "plain||Fix the tests|# Fix the tests\n\nRun them first.", "review|[file]|Looks at a file|Review $1."}
	want[0] = "line||---|---\nNot closed"
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", got)
	}
	var problems []string
	for _, p := range s.Problems {
		problems = append(problems, p.Err().Error())
	}
	if got := strings.Join(problems, "|"); got != "commands/Bad.md: invalid name of a command|commands/empty.md: the command has no prompt" {
		t.Errorf("%q", got)
	}
}
