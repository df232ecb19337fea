package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
)

// asked runs one call in a mode and returns whether the user was asked and whether the call ran.
func asked(t *testing.T, b *bench, sessionID string, mode core.Mode, with tool, target string, answer *engine.Answer) (session string, asks int, ran bool) {
	t.Helper()
	with.run = func(context.Context, core.ToolCall) core.ToolResult { ran = true; return core.TextResult("ok") }
	step := 0
	model := &actor{act: func(context.Context, int, core.Request) (core.Message, error) {
		step++
		if step == 1 {
			return calling("c" + target + ":" + with.name + ":" + target), nil
		}
		return text("done"), nil
	}}
	task := b.task(model, "go")
	task.SessionID, task.Mode, task.Tools = sessionID, mode, []engine.Tool{with}
	if answer != nil {
		task.Ask = func(context.Context, engine.Question) (engine.Answer, error) { asks++; return *answer, nil }
	}
	result, err := b.Run(t.Context(), task)
	check(t, err)
	return result.SessionID, asks, ran
}

func TestModes(t *testing.T) {
	safe := command()
	safe.access.Safe = true
	risky := writer()
	risky.access.Risk = "it is a private key"
	forbidden := command()
	forbidden.access.Forbidden = "it would erase everything"
	todo := tool{name: "todo", access: core.Access{Effect: core.EffectNone}}
	fetch := tool{name: "fetch", access: core.Access{Effect: core.EffectNetwork}}
	allow := &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeOnce}
	for _, c := range []struct {
		mode core.Mode
		tool tool
		asks int
		ran  bool
	}{
		{core.ModeConfirmAll, todo, 0, true},
		{core.ModeConfirmAll, reader(), 1, true},
		{core.ModeConfirmAll, writer(), 1, true},
		{core.ModeConfirmSensitive, reader(), 0, true},
		{core.ModeConfirmSensitive, writer(), 1, true},
		{core.ModeConfirmSensitive, command(), 1, true},
		{core.ModeConfirmSensitive, safe, 0, true},
		{core.ModeConfirmSensitive, risky, 1, true},
		{core.ModeConfirmSensitive, forbidden, 0, false},
		{core.ModePlan, reader(), 0, true},
		{core.ModePlan, safe, 0, true},
		{core.ModePlan, writer(), 0, false},
		{core.ModePlan, command(), 0, false},
		{core.ModePlan, fetch, 1, true},
		{core.ModeConfirmSensitive, fetch, 1, true},
		{core.ModeYolo, fetch, 0, true},
		{core.ModeYolo, writer(), 0, true},
		{core.ModeYolo, risky, 0, true},
		{core.ModeYolo, forbidden, 0, false},
	} {
		_, asks, ran := asked(t, newBench(t), "", c.mode, c.tool, "x", allow)
		if asks != c.asks || ran != c.ran {
			t.Errorf("%s %s: asked %d times, ran %t", c.mode, c.tool.name, asks, ran)
		}
	}
}

// Without a user a call is refused and nothing waits.
func TestNoUserToAsk(t *testing.T) {
	b := newBench(t)
	id, _, ran := asked(t, b, "", core.ModeConfirmSensitive, writer(), "x", nil)
	if ran {
		t.Error("it ran unasked")
	}
	notice := slices.IndexFunc(b.events, func(e engine.Event) bool { return e.Type == engine.EventNotice })
	if notice < 0 || !strings.Contains(b.events[notice].Text, "the mode yolo permits everything") {
		t.Error("no hint")
	}
	if path := b.path(t, id); !strings.Contains(path[2], "Permission denied: no user is available") {
		t.Error(path)
	}
	s := must(b.db.Session(t.Context(), id))(t)
	if s.Status != core.StatusPartial || s.StopReason != string(core.StopRefused) {
		t.Errorf("the session ended as %s, %s", s.Status, s.StopReason)
	}
}

// An answer is stored, in the session and for the run that resumes it.
func TestAnswersAreRemembered(t *testing.T) {
	b := newBench(t)
	runs := command()
	runs.access.Prefixes = []string{"go test"}
	wide := &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeSession, Wide: true}
	id, asks, ran := asked(t, b, "", core.ModeConfirmSensitive, runs, "go test ./core", wide)
	if asks != 1 || !ran {
		t.Fatalf("asked %d times, ran %t", asks, ran)
	}
	for target, want := range map[string]int{"go test ./sqlite": 0, "go test": 0, "go testing": 1, "go build": 1} {
		if _, asks, _ := asked(t, b, id, core.ModeConfirmSensitive, runs, target, &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeOnce}); asks != want {
			t.Errorf("%s: asked %d times", target, asks)
		}
	}
	if _, asks, _ := asked(t, b, "", core.ModeConfirmSensitive, runs, "go test ./core", wide); asks != 1 {
		t.Error("a permission of one session holds in another")
	}
	deny := &engine.Answer{Decision: core.DecisionDeny, Scope: core.ScopeSession, Reason: "use make"}
	if _, asks, ran := asked(t, b, id, core.ModeConfirmSensitive, runs, "go build", deny); asks != 1 || ran {
		t.Errorf("asked %d times, ran %t", asks, ran)
	}
	if _, asks, ran := asked(t, b, id, core.ModeYolo, runs, "go build", nil); asks != 0 || ran {
		t.Error("a refusal is forgotten")
	}
	if path := b.path(t, id); !strings.HasSuffix(path[len(path)-2], "Permission denied: use make") {
		t.Error(path[len(path)-2])
	}
}

// A risky call is asked about each time, whatever was permitted.
func TestRiskIsAskedEachTime(t *testing.T) {
	b := newBench(t)
	risky := writer()
	risky.access.Risk = "it is a private key"
	always := &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeAlways}
	id, _, _ := asked(t, b, "", core.ModeConfirmSensitive, risky, "id_rsa", always)
	if _, asks, _ := asked(t, b, id, core.ModeConfirmSensitive, risky, "id_rsa", always); asks != 1 {
		t.Errorf("asked %d times", asks)
	}
}

// A permission covers what its words describe: grant it, then make calls that it covers and calls that it does not.
func TestPermissionsCoverTheirDescription(t *testing.T) {
	for _, c := range []struct {
		tool          tool
		target        string
		prefix        string
		scope         core.ApprovalScope
		wide          bool
		words         string
		covered, rest []string
	}{
		{writer(), "a.txt", "./**", core.ScopeSession, false, "every file of this workspace", []string{"a.txt"}, []string{"b.txt", "a.txt2", "docs/a.txt"}},
		{writer(), "a.txt", "./**", core.ScopeSession, true, "every file of this workspace", []string{"a.txt", "b.txt", "docs/a.txt"}, nil},
		{writer(), "docs/a.md", "docs/**", core.ScopeWorkspace, true, "every file below docs/ of this workspace", []string{"docs/b.md", "docs/x/c.md"}, []string{"a.md", "docs2/a.md", "docs"}},
		{command(), "go test ./a", "go test", core.ScopeAlways, true, "every command that begins with go test", []string{"go test", "go test ./b"}, []string{"go testing", "go build"}},
		{command(), "go test ./a", "go test", core.ScopeAlways, false, "every command that begins with go test", []string{"go test ./a"}, []string{"go test", "go test ./a -v"}},
		{
			tool{name: "fetch", access: core.Access{Effect: core.EffectNetwork}},
			"a.org //a.org/x", "a.org", core.ScopeAlways, true, "every page of a.org",
			[]string{"a.org //a.org/y"},
			[]string{"b.a.org //b.a.org/", "a.organic //a.organic/", "//a.org //a.org/x"},
		},
		{command(), "cat x | xargs ls", "", core.ScopeSession, true, "", []string{"cat x | xargs ls"}, []string{"cat y | xargs ls"}},
	} {
		b := newBench(t)
		c.tool.access.Prefixes = []string{c.prefix}
		access := c.tool.access
		access.Targets = []string{c.target}
		if got := strings.Join(engine.Coverage(&access), "; "); got != c.words {
			t.Errorf("%s is said to cover %q, not %q", c.target, got, c.words)
		}
		id, asks, _ := asked(t, b, "", core.ModeConfirmSensitive, c.tool, c.target, &engine.Answer{Decision: core.DecisionAllow, Scope: c.scope, Wide: c.wide})
		if asks != 1 {
			t.Fatalf("asked %d times", asks)
		}
		once := &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeOnce}
		for i, targets := range [][]string{c.covered, c.rest} {
			for _, target := range targets {
				if _, asks, _ := asked(t, b, id, core.ModeConfirmSensitive, c.tool, target, once); asks != i {
					t.Errorf("after %s (wide %t): %s is asked %d times", c.target, c.wide, target, asks)
				}
			}
		}
	}
}

// A permission for files that is always valid holds in their workspace, and "*" of earlier versions permits nothing.
func TestPermissionsForFilesStayInTheirWorkspace(t *testing.T) {
	b := newBench(t)
	files := writer()
	files.access.Prefixes = []string{"./**"}
	id, _, _ := asked(t, b, "", core.ModeConfirmSensitive, files, "a.txt", &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeAlways, Wide: true})
	for _, workspace := range []string{"/elsewhere", ""} {
		stored, err := b.db.Approvals(t.Context(), "none", workspace)
		check(t, err)
		for _, word := range stored {
			if word.Scope == core.ScopeAlways {
				t.Errorf("stored for every workspace: %+v", word)
			}
		}
	}
	check(t, b.db.Approve(t.Context(), core.Approval{Scope: core.ScopeAlways, Tool: "run", Matcher: "*", Decision: core.DecisionAllow}))
	if _, asks, _ := asked(t, b, id, core.ModeConfirmSensitive, command(), "make", &engine.Answer{Decision: core.DecisionAllow, Scope: core.ScopeOnce}); asks != 1 {
		t.Error("a permission for * still holds")
	}
}
