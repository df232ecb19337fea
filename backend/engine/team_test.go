package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coppice/backend/compact"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
	"coppice/backend/team"
)

// crew is a team and the answers of its agents, in order.
type crew struct {
	team    string // as YAML
	answers map[string][]core.Message
	models  map[string]*actor // as they were called
	changes []string          // of the team, requested when the run begins
}

func (c *crew) definition() (core.Team, error) {
	definition, problems := (&config.Settings{Config: config.Default()}).ParseTeam("team.yaml", []byte(c.team))
	if len(problems) > 0 {
		return definition, problems[0].Err()
	}
	return definition, nil
}

// task returns a task for the team, which continues with what the run state of a session has.
func (c *crew) task(b *bench, former *core.TeamRun, prompt string) (engine.Task, error) {
	definition, err := c.definition()
	if err != nil {
		return engine.Task{}, err
	}
	team := &engine.Team{TeamRun: core.TeamRun{Definition: definition}, Agents: map[string]*engine.TeamAgent{}}
	if former != nil {
		team.TeamRun = *former
	}
	c.models = map[string]*actor{}
	for _, a := range definition.Agents {
		c.models[a.Name] = says(c.answers[a.Name]...)
		a.Limits.Steps = 4
		team.Agents[a.Name] = &engine.TeamAgent{
			Agent: a.Agent, System: "You are " + a.Name + ".", ModelRef: "demo/" + a.Name, Model: c.models[a.Name], Info: core.ModelInfo{Provider: "demo", ID: a.Name}, Mode: core.ModeYolo,
		}
	}
	team.Command = command()
	task := b.task(nil, prompt)
	task.Team = team
	if len(c.changes) > 0 {
		c.request(b, &task)
	}
	return task, nil
}

// request requests the changes of the team when a run begins, unless a run before it has taken them. d joins the team.
func (c *crew) request(b *bench, task *engine.Task) {
	var queue []core.QueuedMessage
	observe := task.Observe
	task.Observe = func(e engine.Event) {
		if e.Type == engine.EventStarted {
			for i, text := range c.changes {
				q := core.QueuedMessage{UID: fmt.Sprintf("change-%d", i), RunID: e.RunID, Parts: []core.Part{{Type: core.PartText, Text: text}}}
				if _, err := b.db.Message(context.Background(), e.SessionID, q.UID); err == nil || b.db.Enqueue(context.Background(), q) != nil {
					continue // taken, or still in the queue of the run before
				}
				queue = append(queue, q)
			}
		}
		observe(e)
	}
	task.Steer = func() []core.QueuedMessage {
		taken := queue
		queue = nil
		return taken
	}
	task.Team.Change = func(_ context.Context, crew core.TeamRun, change team.Change) (_ core.TeamRun, _ map[string]*engine.TeamAgent, err error) {
		agents := task.Team.Agents
		switch change.Verb {
		case team.ChangeAdd:
			if _, ok := crew.Definition.Find(change.Agent); !ok {
				crew.Definition.Agents = append(slices.Clip(crew.Definition.Agents), core.TeamAgent{Agent: core.Agent{Name: change.Agent}})
			}
			c.join(agents, change.Agent)
		case team.ChangeModel:
			replaced := *agents[change.Agent]
			replaced.ModelRef = change.Model
			agents = maps.Clone(agents)
			agents[change.Agent] = &replaced
		default:
			crew.Definition, err = team.Skip(crew.Definition, change.Agent, change.Verb == team.ChangeSkip)
		}
		return crew, agents, err
	}
	for i := range task.Team.Definition.Agents { // of a session whose team was changed
		if name := task.Team.Definition.Agents[i].Name; task.Team.Agents[name] == nil {
			c.join(task.Team.Agents, name)
		}
	}
}

func (c *crew) join(agents map[string]*engine.TeamAgent, name string) {
	if agents[name] == nil {
		c.models[name] = says(c.answers[name]...)
		agents[name] = &engine.TeamAgent{
			Agent: core.Agent{Name: name, Limits: core.Budget{Steps: 4}}, System: "You are " + name + ".", ModelRef: "demo/" + name, Model: c.models[name],
			Info: core.ModelInfo{Provider: "demo", ID: name}, Mode: core.ModeYolo,
		}
	}
}

func (c *crew) run(t *testing.T, b *bench, prompt string, change func(*engine.Task)) (engine.Result, error) {
	t.Helper()
	task, err := c.task(b, nil, prompt)
	check(t, err)
	if change != nil {
		change(&task)
	}
	return b.Run(t.Context(), task)
}

// turns writes the answers on the path with their authors.
func (b *bench) turns(tb testing.TB, sessionID string) []string {
	tb.Helper()
	var lines []string
	for m, err := range b.db.PathMessages(tb.Context(), sessionID, "") {
		check(tb, err)
		var words []string
		for _, p := range m.Parts {
			switch p.Type {
			case core.PartToolCall:
				words = append(words, "call:"+p.Name)
			case core.PartToolResult:
				words = append(words, "result:"+p.Result[0].Text)
			default:
				words = append(words, strings.ReplaceAll(p.Text, "\n", " "))
			}
		}
		who := m.Agent
		if m.Role == core.RoleUser {
			who = string(m.Role)
		}
		lines = append(lines, who+": "+strings.Join(words, " "))
	}
	return lines
}

// sent writes the messages of a request.
func sent(q *core.Request) []string {
	var lines []string
	for i := range q.Messages {
		var words []string
		for _, p := range q.Messages[i].Parts {
			switch p.Type {
			case core.PartToolCall:
				words = append(words, "call:"+p.Name)
			case core.PartToolResult:
				words = append(words, "result")
			default:
				words = append(words, strings.ReplaceAll(p.Text, "\n", " "))
			}
		}
		lines = append(lines, string(q.Messages[i].Role)+": "+strings.Join(words, " | "))
	}
	return lines
}

func handing(id, signal string) core.Message {
	arguments, _ := json.Marshal(map[string]string{"signal": signal})
	return core.Message{FinishReason: core.FinishToolCall, Parts: []core.Part{
		{Type: core.PartText, Text: "handing over"}, {Type: core.PartToolCall, ID: id, Name: "handoff", Arguments: arguments},
	}}
}

// running returns an answer that calls a tool with a command.
func running(id, command string) core.Message {
	arguments, _ := json.Marshal(map[string]string{"text": "x", "command": command})
	return core.Message{FinishReason: core.FinishToolCall, Parts: []core.Part{{Type: core.PartToolCall, ID: id, Name: "read", Arguments: arguments}}}
}

const three = `agents:
  - {name: a, prompt: p}
  - {name: b, prompt: p}
  - {name: c, prompt: p}
`

func TestTeamTakesTurns(t *testing.T) {
	b := newBench(t)
	c := &crew{team: three + "selection: round_robin\ntermination: {pattern: DONE}\n", answers: map[string][]core.Message{
		"a": {calling("c1:read:x"), text("a1"), text("a2")}, "b": {text("b1"), text("b2 DONE")}, "c": {text("c1")},
	}}
	result, err := c.run(t, b, "go", nil)
	check(t, err)
	if result.Run.StopReason != core.StopTeamDone || result.Run.Status != core.StatusSuccess || result.Run.StepCount != 6 || result.Run.CostNanoUSD != 60_000_000 {
		t.Errorf("%+v", result.Run)
	}
	same(t, b.turns(t, result.SessionID), "user: go", "a: call:read", `a: result:read did {"text":"x"}`, "a: a1", "b: b1", "c: c1", "a: a2", "b: b2 DONE")
	same(t, sent(&c.models["b"].requests[1]), "user: go | [a]: a1 | [SYSTEM] It is your turn, b.", "assistant: b1", "user: [c]: c1 | [a]: a2 | [SYSTEM] It is your turn, b.")
	same(t, sent(&c.models["a"].requests[2]), "user: go | [SYSTEM] It is your turn, a.", "assistant: call:read", "tool: result", "assistant: a1", "user: [b]: b1 | [c]: c1 | [SYSTEM] It is your turn, a.")
	if q := c.models["b"].requests[0]; q.System != "You are b." || q.Model != "b" {
		t.Errorf("b was sent %q %q", q.System, q.Model)
	}
	b.sound(t)
}

func TestTeamViews(t *testing.T) {
	b := newBench(t)
	c := &crew{team: `agents:
  - {name: a, prompt: p}
  - {name: b, prompt: p, view: own}
  - {name: c, prompt: p, view: summary}
selection: round_robin
termination: {max_turns: 6}
`, answers: map[string][]core.Message{"a": {text("a1"), text(strings.Repeat("long ", 200))}, "b": {text("b1"), text("b2")}, "c": {text("c1"), text("c2")}}}
	_, err := c.run(t, b, "go", nil)
	check(t, err)
	same(t, sent(&c.models["b"].requests[1]), "user: go | [SYSTEM] It is your turn, b.", "assistant: b1", "user: [SYSTEM] It is your turn, b.")
	last := sent(&c.models["c"].requests[1])
	if len(last) != 3 || strings.Contains(strings.Join(last, " "), "a1") || !strings.Contains(last[2], "[a]: long") || len(last[2]) > 700 || !strings.Contains(last[2], "[b]: b2") {
		t.Errorf("c was sent %q", last)
	}
}

// A critic with the view last judges the newest answer alone: neither the task, nor the turns before, nor its own.
func TestTeamViewsTheLastAnswer(t *testing.T) {
	b := newBench(t)
	c := &crew{team: `agents:
  - {name: a, prompt: p}
  - {name: b, prompt: p, view: last}
selection: {strategy: adversarial, author: a, critic: b, rounds: 3}
`, answers: map[string][]core.Message{"a": {text("a1"), text("a2"), text("a3")}, "b": {calling("c1:read:x"), text("bad")}}}
	_, err := c.run(t, b, "the task", func(task *engine.Task) {
		n := 0
		answers := []core.Message{calling("c1:read:x"), text("bad"), text("still bad"), text("APPROVED")}
		c.models["b"] = &actor{act: func(context.Context, int, core.Request) (core.Message, error) {
			n++
			return answers[n-1], nil
		}}
		task.Team.Agents["b"].Model = c.models["b"]
	})
	check(t, err)
	const note = " | [SYSTEM] It is your turn, b. Name what is wrong with the work of a. If nothing is, begin your answer with APPROVED."
	same(t, sent(&c.models["b"].requests[0]), "user: [a]: a1"+note)
	same(t, sent(&c.models["b"].requests[1]), "user: [a]: a1"+note, "assistant: call:read", "tool: result")
	same(t, sent(&c.models["b"].requests[2]), "user: [a]: a2"+note)
	same(t, sent(&c.models["b"].requests[3]), "user: [a]: a3"+note)
	b.sound(t)
}

// A critic with the view last reads what the user adds to the answer, and all of the conversation if the user speaks to it.
func TestTeamViewsTheLastAnswerAndTheUser(t *testing.T) {
	path := []core.Message{
		{UID: "1", Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: "the task"}}},
		{UID: "2", Role: core.RoleAssistant, Kind: core.KindMessage, Agent: "a", Parts: []core.Part{{Type: core.PartText, Text: "a1"}}},
		{UID: "3", Role: core.RoleAssistant, Kind: core.KindMessage, Agent: "b", Parts: []core.Part{{Type: core.PartText, Text: "bad"}}},
		{UID: "4", Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: "mind the title"}}},
	}
	crew := &core.TeamRun{Definition: core.Team{Agents: []core.TeamAgent{{Agent: core.Agent{Name: "a"}}, {Agent: core.Agent{Name: "b"}, View: core.ViewLast}}}}
	for phase, want := range map[core.TeamPhase]string{core.PhaseWork: "2 4", core.PhaseAddressed: "1 2 3 4"} {
		crew.State = core.TeamState{TeamMove: core.TeamMove{Agent: "b", Phase: phase}, StartUID: "4"}
		var uids []string
		for _, m := range team.Seen(path, crew) {
			if !strings.HasPrefix(m.UID, "turn ") {
				uids = append(uids, m.UID)
			}
		}
		if got := strings.Join(uids, " "); got != want {
			t.Errorf("in the phase %q b sees %s, want %s", phase, got, want)
		}
	}
}

func TestTeamHandsOver(t *testing.T) {
	b := newBench(t)
	c := &crew{team: three + `selection:
  strategy: keyword
  routes:
    - {signal: TO B, to: b, from: [a], gates: [{wrote: "*.txt"}, {command: check it}]}
    - {signal: APPROVED, to: b, from: [b], gates: [{approve: "Publish?"}]}
`, answers: map[string][]core.Message{
		"a": {handing("h1", "TO B"), calling("c2:write:x"), handing("h2", "TO B")}, "b": {text("fine\n\nAPPROVED")},
	}}
	var asked []string
	result, err := c.run(t, b, "go", func(task *engine.Task) {
		w := writer()
		w.run = func(context.Context, core.ToolCall) core.ToolResult {
			r := core.TextResult("written")
			r.Changes = []core.FileChange{{Path: "sub/x.txt"}}
			return r
		}
		task.Tools[1] = w
		task.Ask = func(_ context.Context, q engine.Question) (engine.Answer, error) {
			asked = append(asked, q.Access.Title)
			return engine.Answer{Decision: core.DecisionAllow}, nil
		}
	})
	check(t, err)
	if result.Run.StopReason != core.StopTeamDone || !slices.Equal(asked, []string{"Publish?"}) {
		t.Errorf("%+v, asked %q", result.Run, asked)
	}
	if names := c.models["b"].requests[0].Tools; names[len(names)-1].Name != "handoff" || !strings.Contains(string(names[len(names)-1].Parameters), `["APPROVED"]`) {
		t.Errorf("b was offered %+v", names)
	}
	if q := sent(&c.models["a"].requests[1]); !strings.Contains(q[len(q)-1], "The hand-over is blocked: no file that matches *.txt") {
		t.Errorf("a was sent %q", q)
	}
	if len(c.models["c"].requests) > 0 {
		t.Error("an agent without a turn was called")
	}
	b.sound(t)
}

func TestTeamEnds(t *testing.T) {
	machine := func(gate string) string {
		return three + "selection:\n  strategy: state_machine\n  states:\n    - {name: x, agent: a, transitions: [{to: y, gates: [" + gate + "]}]}\n    - {name: y}\n"
	}
	yes := func(context.Context, engine.Question) (engine.Answer, error) {
		return engine.Answer{Decision: core.DecisionAllow}, nil
	}
	no := func(context.Context, engine.Question) (engine.Answer, error) {
		return engine.Answer{Decision: core.DecisionDeny}, nil
	}
	same3 := map[string][]core.Message{"a": {text("a1"), text("a2"), text("a3")}}
	for name, c := range map[string]struct {
		crew   crew
		ask    func(context.Context, engine.Question) (engine.Answer, error)
		reason core.StopReason
		err    string
		steps  int64
	}{
		"a gate never passes":               {crew{team: machine("{wrote: x}"), answers: same3}, nil, core.StopError, "the team cannot go on: a failed 3 times in a row: The hand-over is blocked: no file that matches x", 3},
		"a gate that the user overrules":    {crew{team: machine("{wrote: x}"), answers: same3}, yes, core.StopTeamDone, "", 3},
		"an approval without a user":        {crew{team: machine("{approve: Go?}"), answers: same3}, nil, core.StopRefused, "", 1},
		"an approval that the user refuses": {crew{team: machine("{approve: Go?}"), answers: same3}, no, core.StopError, "the user has refused: Go?", 3},
		"a command that is not permitted":   {crew{team: three + "selection: {strategy: sequential}\ntermination: {pattern: a1, gates: [{command: c}]}\n", answers: same3}, nil, core.StopTeamDone, "", 1},
		"turns":                             {crew{team: three + "selection: round_robin\ntermination: {max_turns: 4}\n", answers: nil}, nil, core.StopTeamDone, "", 4},
		"never, but for the limit":          {crew{team: three + "selection: round_robin\ntermination: {pattern: NEVER}\n", answers: nil}, nil, core.StopMaxSteps, "", 100},
		"budget":                            {crew{team: three + "selection: round_robin\ntermination: {max_cost: 0.03}\n", answers: nil}, nil, core.StopTeamDone, "", 3},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			result, err := c.crew.run(t, b, "go", func(task *engine.Task) { task.Ask = c.ask })
			if c.err == "" {
				check(t, err)
			} else if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if result.Run.StopReason != c.reason || result.Run.StepCount != c.steps {
				t.Errorf("%+v", result.Run)
			}
			b.sound(t)
		})
	}
}

// An agent that does not end its turn is asked to, and the next one has its turn.
func TestTeamLimitsTurns(t *testing.T) {
	b := newBench(t)
	c := &crew{team: three, answers: map[string][]core.Message{
		"a": {calling("c1:read:1"), calling("c2:read:2"), calling("c3:read:3"), calling("c4:read:4"), text("closing")}, "b": {text("b1")}, "c": {text("c1")},
	}}
	result, err := c.run(t, b, "go", nil)
	check(t, err)
	if q := c.models["a"].requests[4]; q.ToolChoice != core.ToolChoiceNone || result.Run.StepCount != 7 || result.Run.StopReason != core.StopTeamDone {
		t.Errorf("%+v, %q", result.Run, sent(&q))
	}
	if q := c.models["b"].requests[0]; q.ToolChoice == core.ToolChoiceNone {
		t.Error("the next agent may call no tools")
	}
	b.sound(t)
}

// Branches are siblings; what joins them cites them, and continues from where they fork.
func TestTeamWorksInBranches(t *testing.T) {
	answers := func() map[string][]core.Message {
		return map[string][]core.Message{"a": {calling("c1:read:x"), text("blue")}, "b": {text("red")}, "c": {text("blue")}, "d": {text("Blue")}, "judge": {text("It is blue.")}}
	}
	const five = three + "  - {name: d, prompt: p}\n  - {name: judge, prompt: p}\nselection: {strategy: parallel, "
	for name, c := range map[string]struct {
		end, last string
		steps     int64
	}{
		"vote":  {"branches: [a, b, c, d], join: vote}\n", "user: blue  - blue: 3 of 4 (a, c, d) - red: 1 of 4 (b)", 5},
		"union": {"branches: [a, b], join: union}\n", "user: ## a  blue  ## b  red", 3},
		"judge": {"join: judge, judge: judge}\n", "judge: It is blue.", 6},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			c1 := &crew{team: five + c.end, answers: answers()}
			result, err := c1.run(t, b, "which color?", nil)
			check(t, err)
			same(t, b.turns(t, result.SessionID), "user: which color?", c.last)
			s := must(b.db.Session(t.Context(), result.SessionID))(t)
			if result.Run.StopReason != core.StopTeamDone || s.StepCount != c.steps || *s.CostNanoUSD != c.steps*10_000_000 {
				t.Errorf("%+v, %d steps, %d", result.Run, s.StepCount, *s.CostNanoUSD)
			}
			named := 0
			for i := range b.events {
				e := &b.events[i]
				agent, answered := strings.CutSuffix(e.Text, " has answered")
				if e.Type != engine.EventNotice || !answered {
					continue
				}
				if named++; b.events[i+1].Message == nil || b.events[i+1].Message.Agent != agent {
					t.Errorf("after %q follows %+v", e.Text, b.events[i+1])
				}
			}
			if named != len(c1.branches(t)) {
				t.Errorf("%d answers of branches are named", named)
			}
			var cites []string
			for m, err := range b.db.PathMessages(t.Context(), result.SessionID, "") {
				check(t, err)
				cites = m.Cites()
			}
			for _, uid := range cites {
				m, err := b.db.Message(t.Context(), result.SessionID, uid)
				if err != nil || m.Role != core.RoleAssistant {
					t.Errorf("it cites %+v, %v", m, err)
				}
			}
			if want := int64(len(cites)); want != int64(len(c1.branches(t))) || s.BranchCount < want {
				t.Errorf("%d cited, %d branches", want, s.BranchCount)
			}
			if name == "judge" {
				q := sent(&c1.models["judge"].requests[0])
				if !strings.Contains(q[0], "## b  red") || len(q) != 1 {
					t.Errorf("the judge was sent %q", q)
				}
			}
			b.sound(t)
		})
	}
}

// The message that joins branches cites the answers of these, and no other message does.
func TestJoinsCiteTheirBranches(t *testing.T) {
	b := newBench(t)
	result, err := crews()["state_machine"].run(t, b, "go", nil)
	check(t, err)
	var cited []string
	joins := 0
	for m, err := range b.db.PathMessages(t.Context(), result.SessionID, "") {
		check(t, err)
		if m.Name != core.JoinName {
			if len(m.Cites()) > 0 {
				t.Errorf("the answer of %s cites %q", m.Agent, m.Cites())
			}
			continue
		}
		joins++
		for _, uid := range m.Cites() {
			branch := must(b.db.Message(t.Context(), result.SessionID, uid))(t)
			cited = append(cited, fmt.Sprintf("%d %s", joins, branch.Agent))
		}
	}
	same(t, cited, "1 b", "1 c", "2 b", "2 c")
	b.sound(t)
}

func (c *crew) branches(t *testing.T) []team.Branch {
	t.Helper()
	definition, err := c.definition()
	check(t, err)
	return team.BranchesOf(&definition, &core.TeamState{})
}

// The user reviews turns, not steps; speaks to one agent; and may quit, after which the next agent continues.
func TestTeamAndItsUser(t *testing.T) {
	b := newBench(t)
	c := &crew{team: three + "selection: round_robin\ntermination: {max_turns: 5}\n", answers: map[string][]core.Message{
		"a": {calling("c1:read:x"), text("a1"), text("a2")}, "b": {text("b1")}, "c": {text("c1"), text("c2")},
	}}
	words := []engine.Review{{Text: "@c what now?"}, {}, {Quit: true}}
	result, err := c.run(t, b, "go", func(task *engine.Task) {
		task.Review = func(context.Context, core.Message) (engine.Review, error) {
			word := words[0]
			words = words[1:]
			return word, nil
		}
	})
	check(t, err)
	if result.Run.StopReason != core.StopHITLQuit {
		t.Errorf("%+v", result.Run)
	}
	resumed := c.resume(t, b, result.SessionID)
	if resumed.Run.StopReason != core.StopTeamDone {
		t.Errorf("%+v", resumed.Run)
	}
	turns := b.turns(t, result.SessionID)
	same(t, turns, "user: go", "a: call:read", `a: result:read did {"text":"x"}`, "a: a1", "user: @c what now?", "c: c1", "b: b1", "c: c2", "a: a2")
	b.sound(t)
}

// A further prompt begins new work; one for one agent is answered by that alone.
func TestTeamIsPromptedAgain(t *testing.T) {
	b := newBench(t)
	c := &crew{team: three, answers: map[string][]core.Message{"a": {text("a1"), text("a2")}, "b": {text("b1"), text("b2"), text("b3")}, "c": {text("c1"), text("c2")}}}
	result, err := c.run(t, b, "go", nil)
	check(t, err)
	for _, prompt := range []string{"@B why?", "again"} {
		task, err := c.task(b, b.former(t, result.SessionID), prompt)
		check(t, err)
		task.SessionID = result.SessionID
		_, err = b.Run(t.Context(), task)
		check(t, err)
	}
	same(t, b.turns(t, result.SessionID), "user: go", "a: a1", "b: b1", "c: c1", "user: @B why?", "b: b2", "user: again", "a: a2", "b: b3", "c: c2")
}

// former returns what the run state of a session has of its team.
func (b *bench) former(tb testing.TB, sessionID string) *core.TeamRun {
	tb.Helper()
	state, _, err := b.db.StateAt(tb.Context(), sessionID, "")
	check(tb, err)
	return state.Team
}

func (c *crew) resume(t *testing.T, b *bench, sessionID string) engine.Result {
	t.Helper()
	task, err := c.task(b, b.former(t, sessionID), "")
	check(t, err)
	task.SessionID = sessionID
	result, err := b.Run(t.Context(), task)
	check(t, err)
	return result
}

// The context of each agent is compacted by itself.
func TestTeamCompacts(t *testing.T) {
	b := newBench(t)
	answers := map[string][]core.Message{}
	for _, name := range []string{"a", "b", "c"} {
		for i := range 8 {
			answers[name] = append(answers[name], text(fmt.Sprintf("%s%d %s", name, i, strings.Repeat("word ", 100))))
		}
	}
	c := &crew{team: three + "selection: round_robin\ntermination: {max_turns: 12}\n", answers: answers}
	result, err := c.run(t, b, "go", func(task *engine.Task) {
		// says counts answers, which a summary hides.
		n := 0
		task.Team.Agents["b"].Model = &actor{act: func(context.Context, int, core.Request) (core.Message, error) { n++; return answers["b"][n-1], nil }}
		task.Team.Agents["b"].Context = core.ContextPlan{Strategy: core.CompactSimple, TriggerTurns: 3, KeepTurns: 1}
	})
	check(t, err)
	compactions := 0
	for m, err := range b.db.PathMessages(t.Context(), result.SessionID, "") {
		check(t, err)
		if m.Kind == core.KindCompaction {
			if compactions++; m.Agent != "b" {
				t.Errorf("a compaction of %s", m.Agent)
			}
		}
	}
	if compactions == 0 {
		t.Fatal("nothing was compacted")
	}
	last := c.models["a"].requests[3]
	if all := strings.Join(sent(&last), "\n"); !strings.Contains(all, "[b]: b0") || !strings.Contains(all, "[c]: c0") {
		t.Errorf("a was sent %.300q", all)
	}
	b.sound(t)
}

// The teams of the kill tests. They have tools, signals, a manager with a plan, and a judge.
func crews() map[string]*crew {
	return map[string]*crew{
		"keyword": {
			team:    three + "selection:\n  strategy: keyword\n  routes:\n    - {signal: TO B, to: b, from: [a]}\n    - {signal: TO A, to: a, from: [b]}\n    - {signal: END, to: a, from: [a]}\n",
			answers: map[string][]core.Message{"a": {calling("c1:read:x"), handing("h1", "TO B"), text("END")}, "b": {text("hm"), text("TO A")}},
		},
		"planner": {
			team: three + "selection: {strategy: planner, manager: a, stalls: 1, resets: 2}\n",
			answers: map[string][]core.Message{
				"a": {text("plan 1"), text(`{"agent": "b", "instruction": "try"}`), text(`{"agent": "c", "progress": false}`), text("plan 2"), text(`{"agent": "c"}`), text(`{"done": true}`), text("the result")},
				"b": {calling("c2:read:y"), text("b1")}, "c": {text("c1")},
			},
		},
		"branches": {
			team:    three + "  - {name: d, prompt: p}\nselection: {strategy: parallel, join: judge, judge: d}\n",
			answers: map[string][]core.Message{"a": {calling("c1:read:x"), text("a1")}, "b": {text("b1")}, "c": {text("c1")}, "d": {text("d1")}},
		},
		"sequential": {
			team:    three,
			answers: map[string][]core.Message{"a": {calling("c1:read:x"), text("a1")}, "b": {calling("c2:read:x"), text("b1")}, "c": {text("c1")}},
		},
		"structured": {
			team:    three + "selection:\n  strategy: structured\n  routes:\n    - {when: {field: ok, is: \"no\"}, from: [b], to: a}\n    - {when: {field: draft, exists: true}, from: [a], to: b}\n    - {when: {field: ok, is: \"yes\"}, from: [b]}\n",
			answers: map[string][]core.Message{"a": {text("hm"), text(`{"draft": 1}`), calling("c1:read:x"), text(`{"draft": 2}`)}, "b": {text(`{"ok": "no"}`), text(`{"ok": "yes"}`)}},
		},
		"state_machine": {
			team: three + "  - {name: d, prompt: p}\nselection:\n  strategy: state_machine\n  states:\n    - {name: plan, agent: a, transitions: [{to: end, targets: [left, right], signal: GO}]}\n" +
				"    - {name: left, agent: b}\n    - {name: right, agent: c}\n    - {name: end, agent: d, transitions: [{to: plan, signal: AGAIN, max_revisits: 1}, {to: over, signal: DONE}]}\n    - {name: over}\n",
			answers: map[string][]core.Message{"a": {handing("h1", "GO"), text("GO")}, "b": {calling("c1:read:x"), text("b1"), text("b2")}, "c": {text("c1"), text("c2")}, "d": {text("AGAIN"), text("DONE")}},
		},
		"graph": {
			team:    three + "selection:\n  strategy: graph\n  states:\n    - {name: top, agent: a}\n    - {name: left, agent: b, after: [top]}\n    - {name: end, agent: c, after: [left], transitions: [{to: left, signal: REDO, max_revisits: 2}]}\n",
			answers: map[string][]core.Message{"a": {calling("c1:read:x"), text("a1")}, "b": {text("b1"), text("b2")}, "c": {text("REDO"), text("fine")}},
		},
		"llm": {
			team:    three + "selection: {strategy: llm, manager: a}\n",
			answers: map[string][]core.Message{"a": {text("b"), text("nobody"), text(`{"agent": "c", "reason": "it knows"}`), text("DONE")}, "b": {calling("c1:read:x"), text("b1")}, "c": {text("c1")}},
		},
		"adversarial": {
			team:    strings.Replace(three, "name: c, prompt: p", "name: c, prompt: p, view: last", 1) + "selection: {strategy: adversarial, rounds: 2, stages: [{author: a, critic: b}, {author: b, critic: c}]}\n",
			answers: map[string][]core.Message{"a": {calling("c1:read:x"), text("a1"), text("a2")}, "b": {text("bad"), text("still bad"), text("b3")}, "c": {text("APPROVED")}},
		},
		"map_reduce": {
			team: three + "selection: {strategy: map_reduce, splitter: a, mapper: b, reducer: c}\n",
			answers: map[string][]core.Message{
				"a": {text(`{"items": ["one", "two", "three"]}`)}, "b": {calling("c1:read:x"), text("done")}, "c": {calling("c2:read:x"), text("the sum")},
			},
		},
		"sub_graphs": { // of fuseraft: branches, parts of an answer and states within a state machine
			team: "Agents: [{Name: a, Instructions: p, Plugins: [FileSystem]}, {Name: b, Instructions: p}, {Name: c, Instructions: p}]\nSelection:\n  Type: graph\n  Graph:\n" +
				"    Nodes: [{Id: Talk, SubGraphId: Panel}, {Id: Parts, SubGraphId: Items}, {Id: Work, SubGraphId: Crew}, {Id: End, Agent: a, Terminal: true}]\n" +
				"    Edges: [{From: Talk, To: Parts, Keyword: SPLIT}, {From: Parts, To: Work}, {From: Work, To: End, Keyword: BUILT}]\n" +
				"    SubGraphs:\n      Panel: {ScatterGather: {Participants: [b, c], Synthesizer: a}}\n      Items: {MapReduce: {Splitter: b, Mapper: c, Reducer: a}}\n" +
				"      Crew: {Graph: {Nodes: [{Id: draft, Agent: b}, {Id: check, Agent: c, Terminal: true}], Edges: [{From: draft, To: check, Keyword: READY}]}}\n",
			answers: map[string][]core.Message{
				"a": {text("SPLIT"), text("the sum"), text("the end")}, "b": {text("b1"), text(`{"items": ["one", "two"]}`), handing("h1", "READY")}, "c": {text("c1"), text("hm"), text("BUILT")},
			},
		},
		"evidence": {
			team:    three + "selection:\n  strategy: keyword\n  routes: [{signal: GO, from: [a], to: b, gates: [{passed: make, session: true}]}, {signal: END, from: [b], gates: [{judged: review}]}]\n",
			answers: map[string][]core.Message{"a": {text("GO"), running("c1", "make all"), text("hm"), text("GO")}, "b": {text("END"), running("c2", "check"), text(`{"review": [{"criterion": "c", "verdict": "PASS", "evidence": "e"}]}` + "\nEND")}},
		},
		"judge": {
			team:    three + "selection: round_robin\ntermination: {any: [{judge: c, question: Enough?}, {max_turns: 9}]}\n",
			answers: map[string][]core.Message{"a": {text("a1"), text("a2")}, "b": {text("b1")}, "c": {text("NO"), text("NO"), text("c1"), text("NO"), text("YES")}},
		},
		"changed": {
			team:    three + "selection: round_robin\ntermination: {max_turns: 6}\n",
			answers: map[string][]core.Message{"a": {text("a1"), text("a2")}, "b": {text("b1"), text("b2")}, "c": {text("c1")}, "d": {text("d1"), text("d2")}},
			changes: []string{"/skip c", "/add d", "/skip nobody"},
		},
	}
}

// The user skips an agent and adds one while the team works. No agent is sent the commands, and a mistake changes nothing.
func TestTeamIsChanged(t *testing.T) {
	b := newBench(t)
	c := crews()["changed"]
	result, err := c.run(t, b, "go", nil)
	check(t, err)
	same(t, b.turns(t, result.SessionID), "user: go", "user: /skip c", "user: /add d", "user: /skip nobody", "a: a1", "b: b1", "d: d1", "a: a2", "b: b2", "d: d2")
	for _, line := range sent(&c.models["b"].requests[0]) {
		if strings.Contains(line, "/skip") {
			t.Errorf("the agent is sent %q", line)
		}
	}
	if notices := b.notices(); !slices.Contains(notices, "the team is changed: /skip c") || !slices.ContainsFunc(notices, func(n string) bool { return strings.HasPrefix(n, "the team is not changed: unknown agent") }) {
		t.Errorf("%q", notices)
	}
	if former := b.former(t, result.SessionID); len(former.Definition.Agents) != 4 || !former.Definition.Agents[2].Skipped {
		t.Errorf("the session has the team %+v", former.Definition.Agents)
	}
	b.sound(t)
}

const childTeam = "COPPICE_TEST_TEAM" // which of crews

func teamChild(path string) error {
	at, err := strconv.Atoi(os.Getenv(childKill))
	if err != nil {
		return err
	}
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &engine.Engine{Store: &mortal{DB: db, at: at}, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
	task, err := crews()[os.Getenv(childTeam)].task(b, nil, "go")
	if err != nil {
		return err
	}
	task.Name = "story"
	_, err = b.Run(context.Background(), task)
	return err
}

// A team that is killed at any of its writes continues as one that was not: the same agents, the same plan and counters, the same messages,
// and each model is sent the same.
func TestTeamKilledAtEveryWrite(t *testing.T) {
	covered := map[core.TeamStrategy]bool{}
	for name, c := range crews() {
		definition, err := c.definition()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		covered[definition.Selection.Strategy] = true
	}
	for _, strategy := range core.TeamStrategies() {
		if !covered[strategy] {
			t.Errorf("no team has the strategy %s", strategy)
		}
	}
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	for _, name := range slices.Sorted(maps.Keys(crews())) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			whole, err := crews()[name].run(t, b, "go", nil)
			check(t, err)
			want := outcome{b.turns(t, whole.SessionID), b.former(t, whole.SessionID), whole.Run.StopReason, must(b.db.Session(t.Context(), whole.SessionID))(t).StepCount}
			died := 0
			for n := 1; teamKilledAt(t, name, n, want); n++ {
				teamKilledAt(t, name, -n, want)
				died++
			}
			if died < 15 {
				t.Errorf("killed at %d writes: does the test still see them all?", died)
			}
		})
	}
}

// outcome is what a team leaves.
type outcome struct {
	turns  []string
	state  *core.TeamRun
	reason core.StopReason
	steps  int64
}

func teamKilledAt(t *testing.T, name string, at int, want outcome) (died bool) {
	t.Helper()
	path := libraryIn(t, t.TempDir())
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childLibrary+"="+path, childKill+"="+strconv.Itoa(at), childTeam+"="+name)
	if out, err := cmd.CombinedOutput(); err == nil {
		return false
	} else if cmd.ProcessState.Exited() {
		t.Fatalf("%d: %v: %s", at, err, out)
	}
	b := benchAt(t, path)
	sessions, err := b.db.Sessions(t.Context(), core.SessionFilter{})
	check(t, err)
	if len(sessions) == 0 {
		return true
	}
	session := sessions[0]
	before := b.turns(t, session.ID)
	prompt := ""
	if len(before) == 0 {
		prompt = "go"
		for i := range crews()[name].changes { // the user types the prompt and the changes again
			check(t, b.db.DropQueued(t.Context(), fmt.Sprintf("change-%d", i)))
		}
	}
	task, err := crews()[name].task(b, b.former(t, session.ID), prompt)
	check(t, err)
	task.SessionID = session.ID
	result, err := b.Run(t.Context(), task)
	switch {
	case session.Status == core.StatusSuccess && core.CodeOf(err) == core.Conflict: // it was killed after its end
	case err != nil, result.Run.StopReason != want.reason:
		t.Fatalf("%d: %+v, %v", at, result.Run, err)
	}
	if got := b.turns(t, session.ID); !slices.Equal(got, want.turns) {
		t.Errorf("%d: is\n  %s\nwant\n  %s", at, strings.Join(got, "\n  "), strings.Join(want.turns, "\n  "))
	}
	if got := b.former(t, session.ID); encoded(t, got) != encoded(t, want.state) {
		t.Errorf("%d: the state is\n%s\nwant\n%s", at, encoded(t, got), encoded(t, want.state))
	}
	total := must(b.db.Session(t.Context(), session.ID))(t)
	if total.StepCount != want.steps || *total.CostNanoUSD != want.steps*10_000_000 {
		t.Errorf("%d: %d steps, %d", at, total.StepCount, *total.CostNanoUSD)
	}
	b.sound(t)
	return true
}

// encoded returns a state as JSON, without the uids of messages.
func encoded(t *testing.T, r *core.TeamRun) string {
	t.Helper()
	run := *r
	run.State.StartUID, run.State.Cites = "", nil
	data, err := json.Marshal(run)
	check(t, err)
	return string(data)
}

// A team of five on servers of five protocols: four branches and a judge. The totals are what the servers have counted.
func TestTeamOnServersOfSeveralProtocols(t *testing.T) {
	b := newBench(t)
	c := &crew{team: three + "  - {name: d, prompt: p}\n  - {name: judge, prompt: p}\nselection: {strategy: parallel, join: judge, judge: judge}\n"}
	speaks := map[string]string{"a": "anthropic.messages", "b": "google.genai", "c": "openai.chat", "d": "ollama.chat", "judge": "openai.responses"}
	var bills []func() (int64, int64)
	result, err := c.run(t, b, "tell it", func(task *engine.Task) {
		for name, protocol := range speaks {
			p := protocols()[protocol]
			handler, billed := p.serve()
			server := httptest.NewServer(handler)
			t.Cleanup(server.Close)
			agent := task.Team.Agents[name]
			agent.Model, agent.BaseURL, agent.ModelRef, agent.Info.ID = p.open(server.URL), server.URL, "demo/one", "one"
			bills = append(bills, billed)
		}
	})
	check(t, err)
	if result.Run.StopReason != core.StopTeamDone || result.Answer != "the end" {
		t.Errorf("%+v", result)
	}
	var input, output int64
	for _, billed := range bills {
		in, out := billed()
		input, output = input+in, output+out
	}
	s := must(b.db.Session(t.Context(), result.SessionID))(t)
	if s.InputTokens != input || s.OutputTokens != output || s.StepCount != 15 || *s.CostNanoUSD != 150_000_000 {
		t.Errorf("%d and %d tokens, %d steps, %d; the servers have counted %d and %d", s.InputTokens, s.OutputTokens, s.StepCount, *s.CostNanoUSD, input, output)
	}
	b.sound(t)
}

// What turns add to the library is small: their messages, their requests, and the state of the selection.
func TestTeamStatesAreSmall(t *testing.T) {
	size := func(turns int64) int64 {
		path := libraryIn(t, t.TempDir())
		db := must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
		b := &bench{Engine: &engine.Engine{Store: db, Price: cents{}, Now: clock(), Owner: engine.Self()}, db: db}
		agents := "agents:\n"
		for _, name := range []string{"a", "b", "c"} {
			agents += "  - {name: " + name + ", prompt: \"" + strings.Repeat("Do this and that. ", 100) + "\"}\n"
		}
		c := &crew{team: agents + fmt.Sprintf("selection: round_robin\ntermination: {max_turns: %d}\n", turns)}
		result, err := c.run(t, b, "go", nil)
		check(t, err)
		if result.Run.StepCount != turns {
			t.Fatalf("%+v", result.Run)
		}
		check(t, db.Close())
		info, err := os.Stat(path)
		check(t, err)
		return info.Size()
	}
	const most = 1500 // bytes of a turn
	if few, many := size(10), size(110); many-few > 100*most {
		t.Errorf("100 turns add %d bytes", many-few)
	} else {
		t.Logf("100 turns add %d bytes", many-few)
	}
}

// reading counts the messages that a run reads.
type reading struct {
	*sqlite.DB
	messages int
}

func (r *reading) count(path []core.Message, err error) ([]core.Message, error) {
	r.messages += len(path)
	return path, err
}

func (r *reading) Conversation(ctx context.Context, sessionID, uid string) ([]core.Message, error) {
	return r.count(r.DB.Conversation(ctx, sessionID, uid))
}

func (r *reading) ContextPath(ctx context.Context, sessionID, uid string) ([]core.Message, error) {
	return r.count(r.DB.ContextPath(ctx, sessionID, uid))
}

func (r *reading) AgentPath(ctx context.Context, sessionID, uid, agent, since string) ([]core.Message, error) {
	return r.count(r.DB.AgentPath(ctx, sessionID, uid, agent, since))
}

func (r *reading) PathSince(ctx context.Context, sessionID, uid, since string) ([]core.Message, error) {
	return r.count(r.DB.PathSince(ctx, sessionID, uid, since))
}

// A turn reads what its agent's newest compaction keeps, not the whole conversation: turns cost the same however many there were. That is so
// with the compaction of a team that defines none, and for each view.
func TestTeamTurnsReadTheSame(t *testing.T) {
	byDefault, err := compact.Plan(core.CompactionSettings{}, false, false)
	check(t, err)
	for _, view := range core.TeamViews() {
		for name, plan := range map[string]core.ContextPlan{"default": byDefault, "turns": {Strategy: core.CompactSimple, TriggerTurns: 6, KeepTurns: 2}} {
			t.Run(string(view)+" "+name, func(t *testing.T) {
				b := newBench(t)
				store := &reading{DB: b.db}
				b.Store = store
				agents := strings.ReplaceAll(three, "prompt: p", "prompt: p, view: "+string(view))
				c := &crew{team: agents + "selection: round_robin\ntermination: {max_turns: 240}\n"}
				var turns []int // the messages that were read by the beginning of each turn
				_, err := c.run(t, b, "go", func(task *engine.Task) {
					for name, agent := range task.Team.Agents {
						n := 0
						agent.Model = &actor{act: func(context.Context, int, core.Request) (core.Message, error) {
							turns = append(turns, store.messages)
							n++
							return text(fmt.Sprintf("%s%d %s", name, n, strings.Repeat("word ", 100))), nil
						}}
						agent.Context = plan
					}
				})
				check(t, err)
				if len(turns) != 240 {
					t.Fatalf("%d turns", len(turns))
				}
				early, late := turns[120]-turns[60], turns[239]-turns[179]
				if late > early*3/2 {
					t.Errorf("60 turns read %d messages after 60 turns, and %d after 179", early, late)
				}
				t.Logf("60 turns read %d messages after 60 turns, and %d after 179", early, late)
				b.sound(t)
			})
		}
	}
}

// Strategies that need no model make no call: only the agents whose turn it is are called, once for each of their answers. boss, who may
// judge, manage and summarize, is never called.
func TestSelectionWithoutModels(t *testing.T) {
	const four = three + "  - {name: boss, prompt: p}\n"
	routes := "routes: [{signal: TO B, to: b, from: [a]}, {signal: TO C, to: c, from: [b]}, {signal: END, from: [c]}]"
	states := func(first string) string {
		return "selection:\n  strategy: state_machine\n  start: one\n  manager: boss\n  judge: boss\n  states:\n    - {name: left, agent: b}\n    - {name: right, agent: c}\n    - {name: one, agent: a, " + first + "}\n    - {name: end, agent: b, terminal: true}\n"
	}
	three := map[string][]core.Message{"a": {text("TO B")}, "b": {text("TO C")}, "c": {text("END")}}
	for name, c := range map[string]struct {
		team  string
		says  map[string][]core.Message
		calls map[string]int
	}{
		"sequential":                   {"selection: {strategy: sequential}\n", three, map[string]int{"a": 1, "b": 1, "c": 1}},
		"round_robin":                  {"selection: {strategy: round_robin}\ntermination: {any: [{pattern: NEVER}, {max_turns: 5}]}\n", nil, map[string]int{"a": 2, "b": 2, "c": 1}},
		"keyword":                      {"selection: {strategy: keyword, manager: boss, " + routes + "}\n", three, map[string]int{"a": 1, "b": 1, "c": 1}},
		"keyword with the tool":        {"selection: {strategy: keyword, manager: boss, " + routes + "}\n", map[string][]core.Message{"a": {handing("h1", "TO B")}, "b": {handing("h2", "TO C")}, "c": {handing("h3", "END")}}, map[string]int{"a": 1, "b": 1, "c": 1}},
		"structured":                   {"selection: {strategy: structured, manager: boss, routes: [{when: {field: to, is: b}, from: [a], to: b}, {when: {field: to, exists: true}, from: [b]}]}\n", map[string][]core.Message{"a": {text("hm"), text(`{"to": "b"}`)}, "b": {text(`{"to": 1}`)}}, map[string]int{"a": 2, "b": 1}},
		"state_machine":                {states("transitions: [{to: end}]"), nil, map[string]int{"a": 1, "b": 1}},
		"state_machine with branches":  {states("transitions: [{to: end, targets: [left, right], join: vote, judge: boss}]"), nil, map[string]int{"a": 1, "b": 2, "c": 1}},
		"a state with branches":        {states("targets: [left, right], join: consensus, judge: boss"), nil, map[string]int{"a": 1, "b": 1, "c": 1}},
		"state_machine with a mapper":  {states("transitions: [{to: end, mapper: c}]"), map[string][]core.Message{"a": {text(`{"items": ["x", "y"]}`)}}, map[string]int{"a": 1, "b": 1, "c": 2}},
		"graph":                        {"selection:\n  strategy: graph\n  manager: boss\n  states: [{name: x, agent: a}, {name: y, agent: b, after: [x], transitions: [{to: x, signal: REDO}]}, {name: z, agent: c, after: [y]}]\n", map[string][]core.Message{"b": {text("REDO"), text("fine")}}, map[string]int{"a": 2, "b": 2, "c": 1}},
		"parallel with union":          {"selection: {strategy: parallel, branches: [a, b, c], join: union, judge: boss}\n", nil, map[string]int{"a": 1, "b": 1, "c": 1}},
		"parallel with vote":           {"selection: {strategy: parallel, branches: [a, b, c], join: vote, judge: boss}\n", map[string][]core.Message{"a": {text("red")}, "b": {text("blue")}, "c": {text("red")}}, map[string]int{"a": 1, "b": 1, "c": 1}},
		"parallel with consensus":      {"selection: {strategy: parallel, branches: [a, b], join: consensus, judge: boss}\n", map[string][]core.Message{"a": {text("red")}, "b": {text("blue")}}, map[string]int{"a": 1, "b": 1}},
		"adversarial":                  {"selection: {strategy: adversarial, author: a, critic: b, manager: boss}\n", map[string][]core.Message{"a": {text("x"), text("y")}, "b": {text("bad"), text("APPROVED")}}, map[string]int{"a": 2, "b": 2}},
		"map_reduce":                   {"selection: {strategy: map_reduce, splitter: a, mapper: b, reducer: c, judge: boss}\n", map[string][]core.Message{"a": {text(`{"items": ["x", "y", "z"]}`)}}, map[string]int{"a": 1, "b": 3, "c": 1}},
		"a judge beside a reached end": {"selection: round_robin\ntermination: {any: [{judge: boss, question: Enough?}, {max_turns: 1}]}\n", nil, map[string]int{"a": 1}},
		"a judge of what cannot hold":  {"selection: {strategy: sequential}\ntermination: {all: [{judge: boss, question: Enough?}, {pattern: NEVER}]}\n", nil, map[string]int{"a": 1, "b": 1, "c": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			crew := &crew{team: four + c.team, answers: c.says}
			result, err := crew.run(t, b, "go", func(task *engine.Task) {
				boss := &actor{act: func(context.Context, int, core.Request) (core.Message, error) {
					t.Error("a model was called to select")
					return text("DONE"), nil
				}}
				if skipped, err := team.Skip(task.Team.Definition, "boss", true); err == nil { // else the selection names it for what needs a model
					task.Team.Definition = skipped
				}
				task.Team.Agents["boss"].Model, crew.models["boss"] = boss, boss
				for _, a := range task.Team.Agents {
					a.Context, a.Summarizer = core.ContextPlan{Strategy: core.CompactLLM, TriggerTurns: 50, KeepTurns: 10}, &engine.Summarizer{Ref: "demo/boss", Model: boss}
				}
			})
			check(t, err)
			if result.Run.StopReason != core.StopTeamDone {
				t.Errorf("%+v", result.Run)
			}
			calls := map[string]int{}
			for name, model := range crew.models {
				if n := len(model.requests); n > 0 {
					calls[name] = n
				}
			}
			if !maps.Equal(calls, c.calls) {
				t.Errorf("models were called %v, want %v", calls, c.calls)
			}
			b.sound(t)
		})
	}
}
