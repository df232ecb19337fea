package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
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
	if g := routes[0].Gates; len(g) != 2 || g[0].Wrote != "*" || g[1].Passed != "go build|go test" || routes[1].Gates[0].Approve == "" {
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

// forked returns a state machine with a transition that has these keys.
func forked(transition string) string {
	return "selection:\n  strategy: state_machine\n  states:\n    - {name: x, agent: a, transitions: [{" + transition + "}]}\n    - {name: y, agent: b}\n    - {name: z, agent: a}\n"
}

// One configuration for each strategy that fuseraft documents, with the keys of its documentation.
func TestStrategiesOfFuseraft(t *testing.T) {
	const head = `Orchestration:
  Name: Crew
  Models: {quick: {ModelId: gpt-4o-mini}}
  Agents:
    - {Name: Planner, Instructions: Plan., Model: quick, FunctionChoice: required, Plugins: [FileSystem, Handoff]}
    - {Name: Builder, Instructions: Build., Model: {ModelId: claude-sonnet-4-6}, ContextWindow: {TextOnly: true}}
    - {Name: Checker, Instructions: Check., Model: gpt-4o, Plugins: [Handoff]}
`
	for name, c := range map[string]struct {
		text  string
		check func(t *testing.T, got *core.Team) bool
	}{
		"sequential": {
			"  Selection: {Type: sequential}\n  Termination: {Type: regex, Pattern: FINISHED, MaxIterations: 7}\n",
			func(_ *testing.T, got *core.Team) bool {
				end := got.Termination.Any
				return len(end) == 2 && end[0].Pattern == "FINISHED" && end[1].MaxTurns == 7 && got.Agents[0].Model == "openai/gpt-4o-mini" && got.Agents[1].Model == "anthropic/claude-sonnet-4-6"
			},
		},
		"agents without plugins have no tools": {
			"  Selection: {Type: sequential}\n",
			func(_ *testing.T, got *core.Team) bool {
				return got.Agents[0].Allows("write_file") && !got.Agents[1].Allows("read_file") && !got.Agents[2].Allows("run_command")
			},
		},
		"structured termination": {
			"  Selection: {Type: roundrobin}\n  Termination: {Type: composite, Strategies: [{Type: structured, Condition: {Field: ok, Is: \"yes\"}, AgentNames: [Checker]}, {Type: composite, Strategies: [{Type: maxiterations, MaxIterations: 4}]}]}\n",
			func(_ *testing.T, got *core.Team) bool {
				end := got.Termination.Any
				return len(end) == 2 && end[0].Field.Is == "yes" && end[0].Agents[0] == "Checker" && end[1].Any[0].MaxTurns == 4
			},
		},
		"roundrobin": {
			"  Selection: {Type: roundrobin}\n  Termination: {Type: composite, MaxIterations: 9, Strategies: [{Type: regex, Pattern: OK, AgentNames: [Checker]}, {Type: tokenbudget, MaxTokens: 500}]}\n",
			func(_ *testing.T, got *core.Team) bool {
				end := got.Termination.Any
				return len(end) == 3 && end[0].Agents[0] == "Checker" && end[1].MaxTokens == 500 && end[2].MaxTurns == 9
			},
		},
		"keyword": {
			"  Selection: {Type: keyword, DefaultAgent: Planner, Routes: [{Keyword: GO, Agent: Builder, Validator: RequireBrief, SourceAgents: [Planner]}]}\n",
			func(_ *testing.T, got *core.Team) bool {
				g := got.Selection.Routes[0].Gates
				return len(g) == 1 && g[0].Exists == ".fuseraft/artifacts/brief.json" && len(g[0].Fields) == 4
			},
		},
		"structured": {
			"  Selection: {Type: structured, DefaultAgent: Planner, StructuredRoutes: [{Agent: Builder, Condition: {Field: plan.ready, IsNot: \"no\"}, SourceAgents: [Planner]}]}\n",
			func(_ *testing.T, got *core.Team) bool {
				r := got.Selection.Routes[0]
				return r.When.Field == "plan.ready" && r.When.IsNot == "no" && r.To == "Builder" && got.Selection.Start == "Planner"
			},
		},
		"statemachine with contracts and branches": {
			`  Contracts:
    - Name: Planned
      Requires: [{FileExists: {Path: plan.md}}, {CommandSucceeded: {Pattern: make}}]
  Selection:
    Type: statemachine
    StateMachine:
      Initial: Plan
      States:
        Plan:
          Agent: Planner
          Transitions:
            - {To: Check, Targets: [Left, Right], Parallel: true, Signal: GO, Contract: Planned, Merge: {Strategy: semantic_diff, Agent: Checker}}
        Left: {Agent: Builder}
        Right: {Agent: Planner}
        Check: {Agent: Checker, Terminal: true}
`,
			func(_ *testing.T, got *core.Team) bool {
				e := got.Selection.States[0].Transitions[0]
				return e.To == "Check" && len(e.Targets) == 2 && e.Join == core.JoinJudge && e.Judge == "Checker" && len(e.Gates) == 2 && e.Gates[0].Exists == "plan.md" && e.Gates[1].Passed == "make"
			},
		},
		"graph": {
			`  Selection:
    Type: graph
    Graph:
      EntryNode: plan
      Nodes: [{Id: plan, Agent: Planner}, {Id: left, Agent: Builder, Parallel: true}, {Id: right, Agent: Checker, Parallel: true}, {Id: check, Agent: Checker}, {Id: end, Agent: Checker, Terminal: true}]
      Edges:
        - {From: plan, To: left, Keyword: GO, Validators: [RequireWriteFile]}
        - {From: plan, To: right, Keyword: GO}
        - {From: left, To: check}
        - {From: right, To: check}
        - {From: check, To: end, Keyword: FINE, RequireHumanApproval: true}
        - {From: check, To: plan, Keyword: AGAIN}
      MaxRetries: 4
`,
			func(_ *testing.T, got *core.Team) bool {
				s := got.Selection
				fork := s.States[0].Transitions
				back := s.States[3].Transitions
				return s.Strategy == core.SelectStateMachine && s.Start == "plan" && len(fork) == 1 && strings.Join(fork[0].Targets, " ") == "left right" && fork[0].To == "check" &&
					fork[0].Gates[0].Wrote == "*" && len(s.States[1].Transitions) == 0 && back[0].Gates[0].Approve != "" && back[1].To == "plan" && s.States[4].Terminal
			},
		},
		"scattergather": {
			"  Selection: {Type: scattergather, ScatterGather: {Participants: [Planner, Builder], Synthesizer: Checker, MaxConcurrency: 0}}\n  Termination: {Type: maxiterations, MaxIterations: 1}\n",
			func(_ *testing.T, got *core.Team) bool {
				s := got.Selection
				return s.Strategy == core.SelectParallel && len(s.Branches) == 2 && s.Join == core.JoinJudge && s.Judge == "Checker" && got.Termination == nil
			},
		},
		"mapreduce": {
			"  Selection: {Type: mapreduce, MapReduce: {Splitter: Planner, Mapper: Builder, Reducer: Checker, ItemsJsonPath: work.list, MaxConcurrency: 2, MaxSplitterRetries: 3}}\n",
			func(_ *testing.T, got *core.Team) bool {
				s := got.Selection
				return s.Strategy == core.SelectMapReduce && s.Splitter == "Planner" && s.Mapper == "Builder" && s.Reducer == "Checker" && s.Items == "work.list"
			},
		},
		"llm": {
			"  Selection: {Type: llm, Model: quick, Prompt: \"Pick from {{$agents}}.\"}\n",
			func(_ *testing.T, got *core.Team) bool {
				m, _ := got.Find("Manager")
				return got.Selection.Manager == "Manager" && m.Model == "openai/gpt-4o-mini" && m.Prompt == "Pick from that you are given." && !m.Allows("read_file")
			},
		},
		"magentic": { //nolint:misspell // the name that fuseraft gives it
			"  Selection: {Type: magentic, Magentic: {Model: {ModelId: o3}, Instructions: Lead., MaxRoundCount: 5, MaxStallCount: 2, MaxResetCount: 1, EnablePlanReview: true}}\n  Termination: {Type: maxiterations, MaxIterations: 1}\n", //nolint:misspell // the name that fuseraft gives it
			func(_ *testing.T, got *core.Team) bool {
				s := got.Selection
				m, _ := got.Find(s.Manager)
				return s.Strategy == core.SelectPlanner && s.Rounds == 5 && s.Stalls == 2 && s.Resets == 1 && s.Review && m.Model == "openai/o3" && m.Prompt == "Lead." && got.Termination == nil
			},
		},
		"adversarial": {
			"  Selection: {Type: adversarial, Adversarial: {Rounds: 2, PassKeyword: \"SHIP IT\", Stages: [{Generator: Planner, Critic: Checker, Label: Plan}, {Generator: Builder, Critic: Checker}]}}\n",
			func(t *testing.T, got *core.Team) bool {
				s := got.Selection
				approved, err := regexp.MatchString(s.Approval, "**ship it**, please")
				if err != nil {
					t.Fatal(err)
				}
				critic, _ := got.Find("Checker")
				author, _ := got.Find("Builder")
				return len(s.Stages) == 2 && s.Stages[1].Author == "Builder" && s.Rounds == 2 && approved && critic.View == core.ViewLast && author.View == ""
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := parseTeam(t, head+c.text); !c.check(t, &got) {
				t.Errorf("%+v\n%+v", got.Selection, got.Termination)
			}
		})
	}
}

// A graph of fuseraft with graphs as nodes becomes one state machine.
func TestSubGraphsOfFuseraft(t *testing.T) {
	got := parseTeam(t, `Orchestration:
  Agents: [{Name: A, Instructions: p}, {Name: B, Instructions: p}, {Name: C, Instructions: p}]
  Selection:
    Type: graph
    Graph:
      EntryNode: Review
      Nodes:
        - {Id: Review, SubGraphId: Experts}
        - {Id: Parts, SubGraphId: Items}
        - {Id: Work, SubGraphId: Crew}
        - {Id: End, Agent: C, Terminal: true, Validators: [RequireShellPass]}
      Edges:
        - {From: Review, To: Parts, Keyword: SPLIT}
        - {From: Review, To: Work, Keyword: BUILD}
        - {From: Parts, To: Review}
        - {From: Work, To: End, Keyword: BUILT, Validator: RequireWriteFile, ShellFallbackPattern: npm install}
        - {From: Work, To: Review, Keyword: ASK}
      SubGraphs:
        Experts: {ScatterGather: {Participants: [A, B], Synthesizer: C}}
        Items: {MapReduce: {Splitter: A, Mapper: B, Reducer: C, ItemsJsonPath: work.list}}
        Crew:
          Graph:
            EntryNode: draft
            Nodes: [{Id: draft, Agent: A}, {Id: check, Agent: B, Terminal: true, Validators: [RequireBrief]}]
            Edges: [{From: draft, To: check, Keyword: READY}]
`)
	s := got.Selection
	var lines []string
	for _, n := range s.States {
		line := n.Name + "=" + n.Agent
		for _, target := range n.Targets {
			line += " +" + target
		}
		for _, e := range n.Transitions {
			line += " " + e.Signal + ">" + e.To
			if e.Mapper != "" {
				line += "(" + e.Mapper + " " + e.Items + ")"
			}
		}
		lines = append(lines, line)
	}
	want := []string{
		"Review/A=A", "Review/B=B", "Review=C +Review/A +Review/B SPLIT>Parts BUILD>Work/draft", "Parts=A >Parts/result(B work.list)", "Parts/result=C >Review",
		"Work/draft=A READY>Work/check", "Work/check=B BUILT>End ASK>Review", "End=C",
	}
	if s.Strategy != core.SelectStateMachine || s.Start != "Review" || !slices.Equal(lines, want) {
		t.Errorf("%s from %s:\n%s\nwant\n%s", s.Strategy, s.Start, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	built := s.States[6].Transitions[0].Gates
	if len(built) != 2 || built[0].OrPassed != "git commit|npm install" || built[1].Exists == "" || len(s.States[7].Gates) != 1 {
		t.Errorf("gates: %+v, %+v", built, s.States[7].Gates)
	}
}

// The validators and contracts of fuseraft, with the files that its configuration names for them.
func TestValidatorsOfFuseraft(t *testing.T) {
	gates := func(route, rest string) []core.TeamGate {
		t.Helper()
		got := parseTeam(t, "Orchestration:\n  Agents: [{Name: A, Instructions: p}]\n  ChangeTracking: {Path: changes.json}\n  EvidenceStore: {Path: evidence.json}\n  Selection: {Type: keyword, Routes: [{Keyword: X, Agent: A, "+route+"}]}\n"+rest)
		return got.Selection.Routes[0].Gates
	}
	contract := func(predicate string) string {
		return "  Contracts: [{Name: Ready, Requires: [{" + predicate + "}]}]\n"
	}
	const brief, named = ".fuseraft/artifacts/brief.json", "  Validation: {BriefPath: b.json, TestReportPath: r.json, ChangeLogPath: c.json, TestAssertionPatterns: [must]}\n"
	for name, c := range map[string]struct {
		got, want []core.TeamGate
	}{
		"TestReportValid":        {gates("Validator: TestReportValid", named), []core.TeamGate{{Report: "r.json", Brief: "b.json", Assertions: []string{"must"}}}},
		"RequireAllFilesWritten": {gates("Validators: [RequireAllFilesWritten]", ""), []core.TeamGate{{WroteListed: brief, Fields: []string{"files_to_change"}}}},
		"RequireReviewJudgement": {gates("Validators: [RequireReviewJudgement]", ""), []core.TeamGate{{Judged: "review"}}},
		"with a brief":           {gates("Validators: [RequireReviewJudgement]", named), []core.TeamGate{{Judged: "review", Brief: "b.json"}}},
		"RequireBrief":           {gates("Validator: RequireBrief", named), []core.TeamGate{{Exists: "b.json", Fields: []string{"goal", "files_to_change", "acceptance_criteria", "implementation"}}}},
		"RequireWriteFile":       {gates("Validator: RequireWriteFile", ""), []core.TeamGate{{Wrote: "*", OrPassed: "git commit"}}},
		"FilesWritten":           {gates("Contracts: [Ready]", contract("FilesWritten: {Source: b.json, Field: files}")), []core.TeamGate{{WroteListed: "b.json", Fields: []string{"files"}}}},
		"CommandSucceeded":       {gates("Contract: Ready", contract("CommandSucceeded: {Pattern: go test}")), []core.TeamGate{{Passed: "go test", Session: true}}},
		"a command of the brief": {gates("Contract: Ready", contract("CommandSucceeded: {PatternField: verify_command}")), []core.TeamGate{{PassedListed: brief, Fields: []string{"verify_command"}}}},
		"TestReport": {
			gates("Contract: Ready", contract("TestReport: {NoFailures: true, HasAssertions: true}")),
			[]core.TeamGate{{Report: ".fuseraft/artifacts/test-report.json", Brief: brief, Checks: []core.TeamCheck{core.CheckFailures, core.CheckAssertions}}},
		},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, c.got, c.want)
		}
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
		{"no join", two + "selection: parallel\n", "the strategy parallel needs join", "union, consensus, vote, ranking, judge"},
		{"no judge", two + "selection: {strategy: parallel, join: judge}\n", "the join judge needs a judge", "a, b"},
		{"cycle", two + "selection:\n  strategy: graph\n  states:\n    - {name: x, agent: a, after: [y]}\n    - {name: y, agent: b, after: [x]}\n", "the nodes are in a circle: x after y after x", "transitions with a signal"},
		{"unknown state", two + "selection:\n  strategy: graph\n  states:\n    - {name: x, agent: a, after: [z]}\n", `line 7: selection.states.after: unknown state "z"`, "one of: x"},
		{"endless machine", two + "selection:\n  strategy: state_machine\n  states:\n    - {name: x, agent: a, transitions: [{to: x}]}\n", "no state ends the work", "terminal: true"},
		{"two conditions", two + "termination: {pattern: X, max_turns: 3}\n", "line 4: termination: want one condition, found 2", "any or all"},
		{"bad pattern", two + "termination: {pattern: '('}\n", `line 4: invalid pattern "("`, "regular expression"},
		{"fork to itself", two + forked("to: x, targets: [x]"), `"x" is also the state after the branches`, "another one"},
		{"fork of one agent", two + forked("to: y, targets: [x, z]"), "two of the states have the same agent", "differ"},
		{"fork to nowhere", two + forked("to: y, targets: [nobody]"), `unknown state "nobody"`, "one of: x, y, z"},
		{"fork without judge", two + forked("to: y, targets: [x], join: judge"), "the join judge needs a judge", "a, b"},
		{"join without fork", two + forked("to: y, join: vote"), "needs targets", "targets:"},
		{"no reducer", two + "selection: {strategy: map_reduce, splitter: a, mapper: b}\n", "needs a splitter, a mapper and a reducer", "a, b"},
		{"stage without critic", two + "selection: {strategy: adversarial, stages: [{author: a}]}\n", "a stage needs an author and a critic", "a, b"},
		{"unknown contract", "Orchestration:\n  Agents:\n    - {Name: A, Instructions: p}\n  Contracts:\n    - Name: Tested\n      Requires:\n        - ChecklistComplete: {Source: brief.json, Field: execution_checklist}\n", `line 7: unknown key "contracts checklist_complete"`, ""},
		{"contract without settings", "Orchestration:\n  Agents:\n    - {Name: A, Instructions: p}\n  Contracts:\n    - {Name: Tested, Requires: [RelatedTestsPass]}\n", `line 5: unknown key "contracts RelatedTestsPass"`, ""},
		{"unknown sub-graph", "Orchestration:\n  Agents:\n    - {Name: A, Instructions: p}\n  Selection:\n    Type: graph\n    Graph:\n      Nodes: [{Id: x, SubGraphId: y}]\n      Edges: []\n      SubGraphs: {z: {Magentic: {}}}\n", `line 7: unknown key "selection.states.sub_graph"`, ""}, //nolint:misspell // the name that fuseraft gives it
		{"bad field", two + "termination: {field: {field: x, is: a, contains: b}}\n", "needs field and one of", "verdict"},
		{"bad gate", two + "termination: {max_turns: 3, gates: [{wrote: x, command: y}]}\n", "invalid gate: want exactly one check", "wrote"},
		{"judge without question", two + "termination: {judge: a}\n", "a judge needs a question", ""},
		{"bad compaction", two + "compaction: {strategy: llm, turns: 3, keep_turns: 9}\n", "keep_turns", ""},
		{"unknown validator", "Orchestration:\n  Agents:\n    - {Name: A, Instructions: p}\n  Selection:\n    Type: keyword\n    Routes:\n      - {Keyword: X, Agent: A, Validator: RequireRelatedTestsPass}\n", `line 7: unknown key "selection.routes.validators RequireRelatedTestsPass"`, ""},
		{"file outside", two + "termination: {max_turns: 3, gates: [{exists: ../x}]}\n", "../x is not in the workspace", "relative"},
		{"fields without a file", two + "termination: {max_turns: 3, gates: [{wrote: x, fields: [a]}]}\n", "fields needs exists", "beside"},
		{"list without fields", two + "termination: {max_turns: 3, gates: [{wrote_listed: x}]}\n", "need fields", "files_to_change"},
		{"unknown check", two + "termination: {max_turns: 3, gates: [{report: x, checks: [speed]}]}\n", `unknown value "speed"`, "failures, commands, assertions, criteria"},
		{"items without mapper", two + forked("to: y, items: list"), "needs a mapper", "a, b"},
		{"gates of a state with transitions", two + "selection:\n  strategy: state_machine\n  states:\n    - {name: x, agent: a, gates: [{wrote: x}], transitions: [{to: y}]}\n    - {name: y}\n", "for one that ends the work", "transitions"},
		{"targets of a graph", two + "selection:\n  strategy: graph\n  states:\n    - {name: x, agent: a, targets: [y]}\n    - {name: y, agent: b}\n", "nodes of a graph have no targets", "state_machine"},
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
		"route": {schema.Defs["route"], teamRoute{}}, "state": {schema.Defs["state"], teamNode{}}, "transition": {schema.Defs["transition"], teamEdge{}}, "stage": {schema.Defs["stage"], teamStage{}},
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
