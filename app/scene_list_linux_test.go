package app

import (
	"os"
	"strings"

	"coppice/app/internal/exit"
)

// scene is something that a user does at a terminal, up to the moment that is recorded.
type scene struct {
	widths []uint16 // of the terminals; empty: a narrow and a wide one
	play   func(s *stage)
}

// scenes returns the scenes by name.
func scenes() map[string]scene {
	return map[string]scene{
		"run":         {play: playRun, widths: []uint16{20, 40, 80, 140}},
		"plain":       {play: playPlain},
		"permission":  {play: playPermission, widths: []uint16{40, 80, 140}},
		"command":     {play: playCommandQuestion},
		"resumed":     {play: playResumed},
		"reasoning":   {play: playReasoning},
		"streaming":   {play: playStreaming, widths: []uint16{40, 80, 140}},
		"working":     {play: playWorking},
		"steering":    {play: playSteering},
		"interrupted": {play: playInterrupted},
		"picker":      {play: playPicker, widths: []uint16{40, 80, 140}},
		"context":     {play: playContext},
		"errors":      {play: playErrors},
		"team":        {play: playTeam},
	}
}

func playRun(s *stage) {
	s.open(s.command("run", "edit it", "--model", "script/s.json", "--mode", "yolo"))
	s.ends(exit.OK)
	s.compare()
}

func playPlain(s *stage) {
	s.open(s.command("run", "edit it", "--model", "script/s.json", "--mode", "yolo", "--plain"))
	s.ends(exit.OK)
	s.compare()
}

func playPermission(s *stage) {
	s.open(s.command("run", "review it", "--model", "script/s.json"))
	s.see("[n] no: ")
	s.enter("y")
	s.ends(exit.OK)
	s.compare()
}

// playCommandQuestion permits a command for longer, and stops at the question what that covers.
func playCommandQuestion(s *stage) {
	m := newPacedModel(s.T, []piece{
		{text: "I run the tests."},
		{tool: "run_command", arguments: `{"command":"go test -count=1 -timeout=10m -run='TestParser|TestPrinter|TestEverythingElse' ./internal/parser/... ./internal/printer/..."}`},
	})
	s.open(m.command(s.home, "run", "test it", "--mode", "confirm-all"))
	s.see("[n] no: ")
	s.enter("w")
	s.see("[t] this only: ")
	s.compare()
}

func playResumed(s *stage) {
	s.coppice("run", "hello", "--model", "script/s.json")
	s.open(s.command("chat", "--resume", s.sessions(s.T)[0].ID))
	s.see("you> ")
	s.see("you> ")
	s.enter("and then\r")
	s.see("· done · ")
	s.see("you> ")
	s.enter("\x04")
	s.ends(exit.OK)
	s.compare()
}

func playReasoning(s *stage) {
	m := newPacedModel(s.T, []piece{{reasoning: "The user wants to know which of the two is faster.\n\nI could measure both, but without the data of the user that says little. " +
		"First I look at how each reads its input: one reads line by line, the other maps the file. Then at what they do with it. " +
		"The second allocates less, since it keeps offsets instead of copies, and so the garbage collector has less to do. "}, pause})
	s.open(m.command(s.home, "run", "which is faster?"))
	s.see("it keeps offsets")
	s.compare()
}

// playStreaming stops in the middle of an answer: a list is finished, a table is not.
func playStreaming(s *stage) {
	m := newPacedModel(s.T, []piece{
		{reasoning: "A short thought."},
		{text: "## How it works\n\nThe *parser* reads the file **line by line**, see [the documentation](https://example.org/docs):\n\n" +
			"1. it skips blank lines\n2. it calls `next()` for each of the others, which returns what follows the last separator, without spaces\n   - and once more at the end\n\n" +
			"```python\ndef next(self, line: str) -> str:\n    # what follows the last separator\n    return line.rsplit(\",\", 1)[-1].strip() if line else \"\"\n```\n\n" +
			"- [x] done\n- [ ] not yet\n\n" +
			"| input | result | remark |\n|:--|--:|---|\n| `a,b` | b | the usual case, in which a line has one separator |\n| `a` | a | no separator: "},
		{text: "the whole li"},
		pause,
	})
	s.open(m.command(s.home, "run", "explain it"))
	s.see("whole li")
	s.compare()
}

// playWorking stops while a command runs, after a call that failed.
func playWorking(s *stage) {
	m := newPacedModel(s.T,
		[]piece{{text: "I look first."}, {tool: "list_files", arguments: `{"path":"."}`}},
		[]piece{{text: "It has no Go file yet."}, {tool: "read_file", arguments: `{"path":"missing.go"}`}},
		[]piece{{text: "Then I build it."}, {tool: "run_command", arguments: `{"command":"for i in 1 2 3 4 5 6 7; do echo \"compiling package number $i of a number that is not known yet, which takes a while\"; done; until [ -e go ]; do sleep 0.05; done"}`}},
	)
	s.open(m.command(s.home, "run", "build it", "--mode", "yolo"))
	s.see("number 7")
	s.compare()
	if err := os.WriteFile(s.dir+"/go", nil, 0o600); err != nil {
		s.Fatal(err)
	}
	s.ends(exit.OK)
}

// playSteering types two messages while the model works. The second is not entered yet.
func playSteering(s *stage) {
	m := newPacedModel(s.T, []piece{{text: "I begin with the parser. It is the longest part, and so it takes a while.\n\nThen "}, pause})
	s.open(m.command(s.home, "chat"))
	s.see("you> ")
	s.enter("rewrite it\r")
	s.see("Then")
	s.enter("but leave the tests as they are\r")
	s.see("before its next step")
	s.enter("and when you are done, write down what you have changed, in a few words for")
	s.see("down what you")
	s.compare()
}

// playInterrupted stops an answer with Ctrl+C, and continues it.
func playInterrupted(s *stage) {
	m := newPacedModel(s.T,
		[]piece{{text: "First I look at the parser.\n\nIt has two"}, pause},
		[]piece{{text: "It has two states, and a third one at the end."}},
	)
	s.open(m.command(s.home, "chat"))
	s.see("you> ")
	s.enter("explain it\r")
	s.see("It has two")
	s.enter("\x03")
	s.see("you> ")
	s.enter("/continue\r")
	s.see("a third one")
	s.see("you> ")
	s.compare()
	if got := m.request(); !strings.Contains(got, `First I look at the parser.\n\nIt has two`) {
		s.Errorf("the model did not receive what it had written: %s", got)
	}
}

func playPicker(s *stage) {
	for _, one := range []struct{ task, name string }{
		{"explain the parser of the configuration, and what it does with a value that it does not know", "parser"},
		{"write a haiku about coppicing", ""},
		{"why does the parser need two passes over the file?", ""},
	} {
		args := []string{"run", one.task, "--model", "script/s.json"}
		if one.name != "" {
			args = append(args, "--name", one.name)
		}
		s.coppice(args...)
	}
	s.open(s.command("chat", "--resume"))
	s.see("write a haiku")
	s.enter("parser\x1b[B")
	s.compare()
	s.enter("\r")
	s.see("you> ")
}

func playContext(s *stage) {
	s.open(s.command("chat", "--model", "script/s.json", "--mode", "yolo"))
	s.see("you> ")
	for _, line := range []string{"hello", "/checkpoint begin", "edit it", "/context", "/checkpoints", "/cost", "/tree"} {
		s.enter(line + "\r")
		s.see(map[bool]string{false: "· done · ", true: "\r\n\r\n"}[line[0] == '/'])
		s.see("you> ")
	}
	s.compare()
}

// playErrors makes the mistakes that a new user makes.
func playErrors(s *stage) {
	cmd := s.command("chat", "--model", "script/s.json")
	cmd.Env = append(cmd.Env, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere") // no keyring, whatever the machine has
	s.open(cmd)
	s.see("you> ")
	for _, line := range []string{"/model openai/gpt-5.2", "/model nothing/x", "/branch n7", "/restore c99", "/unknown", "/image nothing.png", "/mode free", "/team nobody"} {
		s.enter(line + "\r")
		s.see("coppice:")
		s.see("you> ")
	}
	s.compare()
}

func playTeam(s *stage) {
	if err := os.CopyFS(s.dir+"/docs/teams", os.DirFS("../docs/teams")); err != nil {
		s.Fatal(err)
	}
	s.open(s.command("chat", "--model", "script/demo"))
	s.see("you> ")
	s.enter("/team docs/teams/pair.yaml\r")
	s.see("· confirm-sensitive\x1b[0m\r\n")
	s.see("you> ")
	s.enter("write a haiku about coppicing\r")
	s.see("· done · ")
	s.see("you> ")
	s.enter("/team\r")
	s.see("you> ")
	s.see("you> ")
	s.compare()
}
