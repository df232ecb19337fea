package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/lists"
)

func teamSettings(t *testing.T) *Settings {
	t.Helper()
	set := &Settings{Config: Default(), Workspace: t.TempDir(), origins: map[string]origin{}}
	if err := set.readAgents(false); err != nil {
		t.Fatal(err)
	}
	return set
}

func parseTeam(t *testing.T, text string) core.Team {
	t.Helper()
	team, problems := teamSettings(t).ParseTeam("team.yaml", []byte(text))
	for _, p := range problems {
		t.Errorf("%v (%s)", p.Err(), p.hint)
	}
	return team
}

func TestTheSmallestTeam(t *testing.T) {
	got := parseTeam(t, `agents:
  - {name: writer, model: openai/gpt-5.5, prompt: "Write."}
  - {name: critic, model: anthropic/claude-sonnet-5, prompt: "Say APPROVED when it is good."}
selection: {strategy: round_robin}
termination: {any: [{pattern: APPROVED, agents: [critic]}, {max_turns: 6}]}
`)
	if len(got.Agents) != 2 || got.Agents[1].Model != "anthropic/claude-sonnet-5" || got.Agents[0].Mode != core.ModeConfirmSensitive {
		t.Errorf("agents: %+v", got.Agents)
	}
	any := got.Termination.Any
	if len(any) != 2 || any[0].Pattern != "APPROVED" || any[0].Agents[0] != "critic" || any[1].MaxTurns != 6 {
		t.Errorf("termination: %+v", got.Termination)
	}
}

func TestTeamsOfNamedAgents(t *testing.T) {
	got := parseTeam(t, `agents: [plan, {name: reader, agent: review, max_steps: 3, view: summary, tools: [read_file]}]
selection: sequential
compaction: {strategy: simple, turns: 12, keep_turns: 4}
budget: 1.50
`)
	if got.Agents[0].Name != "plan" || got.Agents[0].Mode != core.ModePlan || got.Agents[0].Prompt == "" {
		t.Errorf("plan: %+v", got.Agents[0])
	}
	reader := got.Agents[1]
	if reader.Name != "reader" || reader.Mode != core.ModePlan || reader.Limits.Steps != 3 || reader.View != core.ViewSummary || len(reader.Tools) != 1 {
		t.Errorf("reader: %+v", reader)
	}
	if reader.Compaction.Strategy != core.CompactSimple || *reader.Compaction.Turns != 12 || got.Limits.CostNanoUSD != 1_500_000_000 {
		t.Errorf("compaction %+v, limits %+v", reader.Compaction, got.Limits)
	}
}

// The keys are those of fuseraft's documentation.
func TestTeamsOfFuseraft(t *testing.T) {
	got := parseTeam(t, `Orchestration:
  Name: DevTeam
  MaxTotalTokens: 200000
  MaxCostUsd: 2.50
  Compaction:
    TriggerTurnCount: 30
    KeepRecentTurns: 8
  Agents:
    - Name: Developer
      Instructions: You write code.
      Model:
        ModelId: gpt-4o
      Plugins: [FileSystem, Shell, Handoff]
    - Name: Reviewer
      Instructions: You review code.
      Model: claude-opus-4-7
  Selection:
    Type: keyword
    DefaultAgent: Developer
    Routes:
      - Keyword: HANDOFF TO REVIEWER
        Agent: Reviewer
        Validators: [RequireWriteFile, RequireShellPass]
        RequiredCommandPattern: "go build|go test"
        SourceAgents: [Developer]
      - Keyword: APPROVED
        Agent: Reviewer
        RequireHumanApproval: true
        SourceAgents: [Reviewer]
  Termination:
    Type: composite
    Strategies:
      - Type: regex
        Pattern: '\bAPPROVED\b'
        AgentNames: [Reviewer]
      - Type: maxiterations
        MaxIterations: 15
`)
	if got.Name != "DevTeam" || got.Limits.Tokens != 200_000 || got.Limits.CostNanoUSD != 2_500_000_000 || *got.Agents[0].Compaction.Turns != 30 {
		t.Errorf("team: %+v", got)
	}
	developer := got.Agents[0]
	if developer.Model != "openai/gpt-4o" || !developer.Allows("run_command") || !developer.Allows("write_file") || developer.Allows("todo") {
		t.Errorf("developer: %+v", developer)
	}
	routes := got.Selection.Routes
	if got.Selection.Strategy != core.SelectKeyword || got.Selection.Start != "Developer" || len(routes) != 2 || routes[0].Signal != "HANDOFF TO REVIEWER" || routes[0].To != "Reviewer" {
		t.Fatalf("selection: %+v", got.Selection)
	}
	if g := routes[0].Gates; len(g) != 2 || g[0].Wrote != "*" || g[1].Passed != "go build" || routes[1].Gates[0].Approve == "" {
		t.Errorf("gates: %+v %+v", g, routes[1].Gates)
	}
	if end := got.Termination.Any; len(end) != 2 || end[0].Agents[0] != "Reviewer" || end[1].MaxTurns != 15 {
		t.Errorf("termination: %+v", got.Termination)
	}
}

func TestStateMachinesOfFuseraft(t *testing.T) {
	got := parseTeam(t, `Orchestration:
  Agents:
    - {Name: Developer, Instructions: Write., Model: gpt-4o}
    - {Name: Tester, Instructions: Test., Model: gpt-4o}
  Selection:
    Type: statemachine
    StateMachine:
      Initial: Implementation
      States:
        Implementation:
          Agent: Developer
          Transitions:
            - {To: Testing, Signal: HANDOFF TO TESTER}
        Testing:
          Agent: Tester
          Transitions:
            - {To: Implementation, Signal: BUGS FOUND, MaxRevisits: 2}
            - {To: Done, Signal: APPROVED}
        Done: {Agent: Tester, Terminal: true}
`)
	s := got.Selection
	if s.Strategy != core.SelectStateMachine || s.Start != "Implementation" || len(s.States) != 3 || s.States[1].Name != "Testing" || s.States[1].Transitions[0].MaxRevisit != 2 || !s.States[2].Terminal {
		t.Errorf("selection: %+v", s)
	}
}

func TestMistakesInTeams(t *testing.T) {
	const two = "agents:\n  - {name: a, prompt: p}\n  - {name: b, prompt: p}\n"
	for _, c := range []struct{ name, text, want, hint string }{
		{"empty", "", "team.yaml: the file is empty", "agents"},
		{"no agents", "selection: sequential\n", "line 1: the team has no agents", "agents:"},
		{"unknown key", two + "selction: sequential\n", `team.yaml line 4: unknown key "selction"`, "did you mean selection?"},
		{"unknown strategy", two + "selection: {strategy: roundabout}\n", `line 4: selection.strategy: unknown value "roundabout"`, "round_robin"},
		{"unknown agent", two + "selection:\n  strategy: keyword\n  routes:\n    - {signal: X, to: c}\n", `line 7: selection.routes.to: unknown agent "c"`, "one of: a, b"},
		{"unknown named agent", "agents: [nobody]\n", `line 1: unknown agent "nobody"`, "build"},
		{"agent without prompt", "agents:\n  - {name: nobody}\n", `line 2: unknown agent "nobody"`, "give it a prompt"},
		{"twice", "agents:\n  - {name: a, prompt: p}\n  - {name: a, prompt: p}\n", `line 3: two agents have the name "a"`, ""},
		{"bad name", "agents:\n  - {name: a b, prompt: p}\n", `line 2: agents.name: "a b" is not such a name`, "letters"},
		{"no routes", two + "selection: keyword\n", "line 4: selection: the strategy keyword needs routes", "routes:"},
		{"no manager", two + "selection: llm\n", "the strategy llm needs a manager", "one of: a, b"},
		{"no critic", two + "selection: {strategy: adversarial, author: a}\n", "needs an author and a critic", "a, b"},
		{"never ends", two + "selection: round_robin\n", "the team never ends", "max_turns"},
		{"no join", two + "selection: parallel\n", "the strategy parallel needs join", "union, vote, ranking, judge"},
		{"no judge", two + "selection: {strategy: parallel, join: judge}\n", "the join judge needs a judge", "a, b"},
		{"cycle", two + "selection:\n  strategy: graph\n  states:\n    - {name: x, agent: a, after: [y]}\n    - {name: y, agent: b, after: [x]}\n", "the nodes are in a circle: x after y after x", "transitions with a signal"},
		{"unknown state", two + "selection:\n  strategy: graph\n  states:\n    - {name: x, agent: a, after: [z]}\n", `line 7: selection.states.after: unknown state "z"`, "one of: x"},
		{"endless machine", two + "selection:\n  strategy: state_machine\n  states:\n    - {name: x, agent: a, transitions: [{to: x}]}\n", "no state ends the work", "terminal: true"},
		{"two conditions", two + "termination: {pattern: X, max_turns: 3}\n", "line 4: termination: want one condition, found 2", "any or all"},
		{"bad pattern", two + "termination: {pattern: '('}\n", `line 4: invalid pattern "("`, "regular expression"},
		{"bad field", two + "termination: {field: {field: x, is: a, contains: b}}\n", "needs field and one of", "verdict"},
		{"bad gate", two + "termination: {max_turns: 3, gates: [{wrote: x, command: y}]}\n", "invalid gate: want exactly one check", "wrote"},
		{"judge without question", two + "termination: {judge: a}\n", "a judge needs a question", ""},
		{"bad compaction", two + "compaction: {strategy: llm, turns: 3, keep_turns: 9}\n", "keep_turns", ""},
		{"unknown validator", "Orchestration:\n  Agents:\n    - {Name: A, Instructions: p}\n  Selection:\n    Type: keyword\n    Routes:\n      - {Keyword: X, Agent: A, Validator: RequireBrief}\n", `line 7: unknown key "selection.routes.validators RequireBrief"`, ""},
		{"YAML", "agents: [\n", "line", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := teamSettings(t).ParseTeam("team.yaml", []byte(c.text))
			if len(problems) == 0 {
				t.Fatal("no problem was found")
			}
			err := problems[0].Err()
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(core.HintOf(err), c.hint) {
				t.Errorf("got %q, hint %q; want %q, hint %q", err, core.HintOf(err), c.want, c.hint)
			}
		})
	}
}

// The schema for editors names the same keys and values as the reader.
func TestTeamSchema(t *testing.T) {
	type object struct {
		Properties map[string]struct {
			Enum []string `json:"enum"`
		} `json:"properties"`
		Enum []string `json:"enum"`
	}
	var schema struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(TeamSchema()), &schema); err != nil {
		t.Fatal(err)
	}
	nested := schema.Defs["condition"]
	for name, c := range map[string]struct {
		of   object
		file any
	}{
		"team": {schema.object, teamFile{}}, "agent": {schema.Defs["agent"], teamAgent{}}, "selection": {schema.Defs["selection"], teamSelection{}},
		"route": {schema.Defs["route"], teamRoute{}}, "state": {schema.Defs["state"], teamNode{}}, "transition": {schema.Defs["transition"], teamEdge{}},
		"field": {schema.Defs["field"], fieldTest{}}, "gate": {schema.Defs["gate"], teamGate{}}, "condition": {nested, conditions{}},
		"termination": {schema.Defs["termination"], teamEnd{}}, "compaction": {schema.Defs["compaction"], Compaction{}},
	} {
		keys := slices.Sorted(maps.Keys(c.of.Properties))
		if want := keysOf(fieldsOf(reflect.ValueOf(c.file)), ""); !slices.Equal(keys, want) {
			t.Errorf("%s: the schema has %v, the reader %v", name, keys, want)
		}
	}
	for name, c := range map[string]struct{ got, want string }{
		"strategies": {strings.Join(schema.Defs["strategy"].Enum, ", "), lists.Join(core.TeamStrategies())},
		"joins":      {strings.Join(schema.Defs["selection"].Properties["join"].Enum, ", "), lists.Join(core.TeamJoins())},
		"views":      {strings.Join(schema.Defs["agent"].Properties["view"].Enum, ", "), lists.Join(core.TeamViews())},
		"modes":      {strings.Join(schema.Defs["agent"].Properties["mode"].Enum, ", "), lists.Join(core.Modes())},
		"compaction": {strings.Join(schema.Defs["compaction"].Properties["strategy"].Enum, ", "), lists.Join(core.CompactionStrategies())},
	} {
		if c.got != c.want {
			t.Errorf("%s: the schema has %s, want %s", name, c.got, c.want)
		}
	}
}
