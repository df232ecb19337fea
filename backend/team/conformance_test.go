package team_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/team"
)

// read reads a team.
func read(t *testing.T, text string) *core.Team {
	t.Helper()
	got, problems := (&config.Settings{Config: config.Default()}).ParseTeam("team.yaml", []byte(text))
	for _, p := range problems {
		t.Fatal(p.Err())
	}
	return &got
}

const abc = `agents:
  - {name: a, prompt: p}
  - {name: b, prompt: p}
  - {name: c, prompt: p}
`

// A row of the conformance table. Each played turn is "AGENT: ANSWER"; what is in square brackets behind the agent is the phase. Further
// lines of a turn are facts: "+signal X", "+wrote F", "+passed C", "+human T", "+tokens N", "+cost N", "+ms N", "+gate WHY" for the result of
// checking the open gates, "+file F TEXT" for a file of the workspace that gates read, "+note T" for what the note of the turn must contain, "+answer AGENT T" for the answer of a branch and "+joined T"
// for the beginning of what joins them.
type row struct {
	name   string
	team   string
	prompt string
	turns  []string
	end    core.TeamEnd // empty: the work continues, and the last turn names the next agent
	why    string
}

func rows() []row {
	const keyword = abc + `selection:
  strategy: keyword
  routes:
    - {signal: TO B, to: b, from: [a]}
    - {signal: TO C, to: c, from: [b], gates: [{wrote: "*.go"}, {passed: go test}]}
    - {signal: REDO, to: a, from: [b, c]}
    - {signal: APPROVED, to: c, from: [c]}
`
	const structured = abc + `selection:
  strategy: structured
  routes:
    - {when: {field: draft, exists: true}, from: [a], to: b}
    - {when: {field: review.verdict, is: "yes"}, from: [b], to: c}
    - {when: {field: review.verdict, is_not: "yes"}, from: [b], to: a}
    - {when: {field: text, contains: done}, from: [c]}
`
	const machine = abc + `selection:
  strategy: state_machine
  states:
    - {name: build, agent: a, transitions: [{to: check, signal: BUILT}]}
    - {name: check, agent: b, transitions: [{to: build, signal: BUGS, max_revisits: 1}, {to: end, signal: OK, gates: [{approve: "Publish?"}]}]}
    - {name: end, agent: c, terminal: true}
`
	const graph = abc + `selection:
  strategy: graph
  states:
    - {name: join, agent: c, after: [left, right], transitions: [{to: left, signal: REDO, max_revisits: 2}]}
    - {name: top, agent: a}
    - {name: left, agent: b, after: [top]}
    - {name: right, agent: a, after: [top]}
`
	fork := func(join string) string {
		return abc + `  - {name: d, prompt: p}
selection:
  strategy: state_machine
  states:
    - {name: plan, agent: a, transitions: [{to: end, targets: [left, right], signal: GO` + join + `}]}
    - {name: left, agent: b}
    - {name: right, agent: c}
    - {name: end, agent: a, terminal: true}
`
	}
	gated := func(gate string) string {
		return abc + "selection:\n  strategy: keyword\n  routes: [{signal: GO, from: [a], to: b, gates: [" + gate + "]}]\n"
	}
	const panel = abc + `selection:
  strategy: state_machine
  start: talk
  states:
    - {name: left, agent: b}
    - {name: right, agent: c}
    - {name: talk, agent: a, targets: [left, right], transitions: [{to: talk, signal: AGAIN}, {to: over, signal: FINE}]}
    - {name: over}
`
	const mapping = abc + `selection:
  strategy: state_machine
  states:
    - {name: split, agent: a, transitions: [{to: end, mapper: b, items: list}]}
    - {name: end, agent: c, terminal: true}
`
	const subGraphs = `Orchestration:
  Agents: [{Name: a, Instructions: p}, {Name: b, Instructions: p}, {Name: c, Instructions: p}]
  Selection:
    Type: graph
    Graph:
      Nodes: [{Id: Talk, SubGraphId: Panel}, {Id: Parts, SubGraphId: Items}, {Id: Work, SubGraphId: Crew}, {Id: End, Agent: a, Terminal: true}]
      Edges:
        - {From: Talk, To: Parts, Keyword: SPLIT}
        - {From: Talk, To: Work, Keyword: BUILD}
        - {From: Parts, To: Talk}
        - {From: Work, To: End, Keyword: BUILT}
      SubGraphs:
        Panel: {ScatterGather: {Participants: [b, c], Synthesizer: a}}
        Items: {MapReduce: {Splitter: b, Mapper: c, Reducer: a}}
        Crew: {Graph: {Nodes: [{Id: draft, Agent: b}, {Id: check, Agent: c, Terminal: true}], Edges: [{From: draft, To: check, Keyword: READY}]}}
`
	const parts = abc + "selection: {strategy: map_reduce, splitter: a, mapper: b, reducer: c, items: work.list}\n"
	const stages = abc + "selection: {strategy: adversarial, rounds: 1, stages: [{author: a, critic: b}, {author: b, critic: c}]}\n"
	const manager = abc + "selection: {strategy: llm, manager: a}\n"
	const planner = abc + "selection: {strategy: planner, manager: a, rounds: 5, stalls: 2, resets: 1}\n"
	const debate = abc + "selection: {strategy: adversarial, author: a, critic: b, rounds: 2}\n"
	robin := func(end string) string { return abc + "selection: round_robin\ntermination: " + end + "\n" }
	return []row{
		{"sequential: each once", abc + "selection: sequential\n", "", []string{"a: x", "b: x", "c: x"}, core.TeamDone, "every agent"},
		{"sequential is the default", abc, "", []string{"a: x", "b: x", "c: x"}, core.TeamDone, ""},
		{"sequential: starts elsewhere", abc + "selection: {strategy: sequential, start: b}\n", "", []string{"b: x", "c: x"}, core.TeamDone, ""},
		{"round_robin: again and again", robin("{max_turns: 5}"), "", []string{"a: x", "b: x", "c: x", "a: x", "b: x"}, core.TeamDone, "termination"},

		{"keyword: a line of its own", keyword, "", []string{"a: I say TO B here.\nand\n**TO B**", "b: "}, "", ""},
		{"keyword: begins a line, with punctuation", keyword, "", []string{"a: TO B: here you are", "b: "}, "", ""},
		{"keyword: a longer word is none", keyword, "", []string{"a: TO BE or not\n+note ", "a: \n+note no signal"}, "", ""},
		{"keyword: inside a sentence is none", keyword, "", []string{"a: I do not say TO B", "a: \n+note TO B"}, "", ""},
		{"keyword: the tool is preferred", keyword, "", []string{"a: x\n+signal TO B", "b: TO C\n+signal REDO", "a: "}, "", ""},
		{"keyword: several are rejected", keyword, "", []string{"a: x\n+signal TO B", "b: TO C\nREDO", "b: \n+note exactly one"}, "", ""},
		{"keyword: one of another agent is rejected", keyword, "", []string{"a: APPROVED", "a: \n+note not yours"}, "", ""},
		{"keyword: three failures end it", keyword, "", []string{"a: x", "a: x", "a: x"}, core.TeamStuck, "no signal"},
		{"keyword: without one the first agent is next", keyword, "", []string{"a: TO B", "b: hm", "a: "}, "", ""},
		{"keyword: to itself is the end", keyword, "", []string{"a: TO B", "b: TO C\n+wrote x.go\n+passed go test ./...", "c: APPROVED"}, core.TeamDone, "APPROVED"},
		{"gate wrote: fails", keyword, "", []string{"a: TO B", "b: TO C\n+wrote x.txt", "b: \n+note no file that matches *.go"}, "", ""},
		{"gate passed: fails", keyword, "", []string{"a: TO B", "b: TO C\n+wrote p/x.go\n+passed ls", "b: \n+note go test"}, "", ""},
		{"gate: never passes", keyword, "", []string{"a: TO B", "b: TO C", "b: TO C", "b: TO C"}, core.TeamStuck, "no file that matches *.go was written"},

		{"structured: exists, is, contains", structured, "", []string{`a: {"draft": "x"}`, "b: ```json\n{\"review\": {\"verdict\": \"Yes\"}}\n```", `c: so {"text": "all done"}`}, core.TeamDone, ""},
		{"structured: is not", structured, "", []string{`a: {"draft": "x"}`, `b: {"review": {"verdict": "no"}}`, "a: "}, "", ""},
		{"structured: null does not exist", structured, "", []string{`a: {"draft": null}`, "a: \n+note draft"}, "", ""},
		{"structured: three failures end it", structured, "", []string{"a: x", "a: {", "a: []"}, core.TeamStuck, "draft"},

		{"state_machine: signals of the state only", machine, "", []string{"a: OK", "a: BUILT\n+note BUILT", "b: OK\n+gate ", "c: x"}, core.TeamDone, "end"},
		{"state_machine: revisits are limited", machine, "", []string{"a: BUILT", "b: BUGS", "a: BUILT", "b: BUGS", "b: \n+note taken 1 times"}, "", ""},
		{"state_machine: no way left ends it", machine, "", []string{"a: BUILT", "b: BUGS", "a: BUILT", "b: BUGS", "b: BUGS", "b: BUGS"}, core.TeamStuck, "may not be taken again"},
		{"gate approve: the user refuses", machine, "", []string{"a: BUILT", "b: OK\n+gate the user has refused", "b: \n+note the user has refused"}, "", ""},
		{
			"state_machine: without a signal", abc + "selection:\n  strategy: state_machine\n  states:\n    - {name: x, agent: a, transitions: [{to: y}]}\n    - {name: y, agent: b, transitions: [{to: z, when: {field: ok, is: \"true\"}}, {to: x}]}\n    - {name: z}\n", "",
			[]string{"a: x", "b: no", "a: x", `b: {"ok": true}`},
			core.TeamDone, "z is reached",
		},

		{"state_machine: branches, joined by union", fork(""), "", []string{"a: GO", "a[branches]: \n+answer b blue\n+answer c red\n+joined ## b  blue  ## c  red", "a: x"}, core.TeamDone, "end"},
		{"state_machine: branches that agree", fork(", join: consensus"), "", []string{"a: GO", "a[branches]: \n+answer b blue\n+answer c **Blue**\n+joined blue  - all 2 agree", "a: x"}, core.TeamDone, ""},
		{"state_machine: branches that differ", fork(", join: consensus"), "", []string{"a: GO", "a[branches]: \n+answer b blue\n+answer c red\n+joined The answers differ.  ## b", "a: x"}, core.TeamDone, ""},
		{"state_machine: branches with a tie of votes", fork(", join: vote"), "", []string{"a: GO", "a[branches]: \n+answer b blue\n+answer c red\n+joined - blue: 1 of 2 (b) - red: 1 of 2 (c)  ## b", "a: x"}, core.TeamDone, ""},
		{"state_machine: branches that a judge ranks", fork(", join: ranking, judge: d"), "", []string{"a: GO", "a[branches]: \n+answer b blue\n+answer c red", "d[join]: c\nb\n+note ## c  red", "a: x"}, core.TeamDone, "end"},
		{"state_machine: branches that a judge reconciles", fork(", join: judge, judge: d"), "", []string{"a: GO", "a[branches]: \n+answer b blue\n+answer c red", "d[join]: violet\n+note where they differ", "a: x"}, core.TeamDone, ""},
		{"state_machine: gates before branches", fork(", gates: [{exists: plan.md}]"), "", []string{"a: GO\n+gate no plan.md", "a: GO\n+note no plan.md\n+gate ", "a[branches]: \n+answer b x\n+answer c x", "a: x"}, core.TeamDone, ""},
		{"state_machine: an agent of a branch is skipped", fork(""), "", []string{"a: GO\n+skip c", "a[branches]: \n+answer b blue\n+joined ## b  blue", "a: x"}, core.TeamDone, ""},

		{"map_reduce: parts, branches, result", parts, "", []string{`a: {"work": {"list": ["one", {"n": 2}]}}` + "\n+note work.list", "b[branches]: \n+answer b 1\n+answer b 2", "c[join]: 3\n+note ## part 2  2"}, core.TeamDone, "joined the parts"},
		{"map_reduce: three answers without parts end it", parts, "", []string{"a: hm", `a: {"work": {"list": []}}`, `a: {"list": ["x"]}` + "\n+note work.list"}, core.TeamStuck, "work.list"},
		{"scatter and gather", abc + "selection: {strategy: parallel, branches: [a, b], join: judge, judge: c}\n", "", []string{"a[branches]: \n+answer a x\n+answer b y", "c[join]: z\n+note ## b  y"}, core.TeamDone, ""},

		{"graph: layers", graph, "", []string{"a: x", "b: x", "a: x", "c: x"}, core.TeamDone, "every node"},
		{"graph: back edge redoes what follows", graph, "", []string{"a: x", "b: x", "a: x", "c: REDO", "b: x", "c: x"}, core.TeamDone, ""},
		{"graph: back edge is limited", graph, "", []string{"a: x", "b: x", "a: x", "c: REDO", "b: x", "c: REDO", "b: x", "c: REDO", "c: \n+note taken 2 times"}, "", ""},

		{"llm: the manager chooses, with its reason", manager, "", []string{`a[choose]: {"agent": "c", "reason": "it knows"}` + "\n+note - b:", "c: x", `a[choose]: {"agent": "DONE", "reason": "enough"}` + "\n+note c had the last turn"}, core.TeamDone, "enough"},
		{"llm: a name in words", manager, "", []string{"a[choose]: Let b continue.", "b: "}, "", ""},
		{"llm: not twice in a row", manager, "", []string{"a[choose]: b", "b: x", "a[choose]: b", "a[choose]: c\n+note one of: c", "c: "}, "", ""},
		{"llm: twice if it may repeat", abc + "selection: {strategy: llm, manager: a, repeat: true}\n", "", []string{"a[choose]: b", "b: x", "a[choose]: b", "b: "}, "", ""},
		{"llm: three failures, then the next of the list", manager, "", []string{"a[choose]: b", "b: x", "a[choose]: d", "a[choose]: b or c", "a[choose]: {}", "c: "}, "", ""},

		{"planner: plan, ledger, turns, result", planner, "", []string{"a[plan]: 1. b", `a[ledger]: {"done": false, "progress": true, "agent": "b", "instruction": "do 1"}` + "\n+note 1. b", "b: x\n+note do 1", `a[ledger]: {"done": true}`, "a[final]: the result"}, core.TeamDone, "result"},
		{"planner: stalls lead to a new plan", planner, "", []string{"a[plan]: P", `a[ledger]: {"agent": "b", "progress": true}`, "b: x", `a[ledger]: {"agent": "b", "progress": false}`, "b: x", `a[ledger]: {"agent": "b", "progress": false}`, "a[plan]: \n+note makes no progress"}, "", ""},
		{"planner: resets are limited", abc + "selection: {strategy: planner, manager: a, rounds: 9, stalls: 1, resets: 1}\n", "", []string{"a[plan]: P", `a[ledger]: {"agent": "b"}`, "b: x", `a[ledger]: {"agent": "b", "progress": false}`, "a[plan]: P", `a[ledger]: {"agent": "b", "progress": false}`}, core.TeamStuck, "no progress after 2 plans"},
		{"planner: rounds are limited", abc + "selection: {strategy: planner, manager: a, rounds: 1}\n", "", []string{"a[plan]: P", `a[ledger]: {"agent": "b"}`, "b: x"}, core.TeamLimit, "1 rounds"},
		{"planner: the user refuses the plan", abc + "selection: {strategy: planner, manager: a, review: true}\n", "", []string{"a[plan]: P\n+gate refused", "a[plan]: Q\n+note refused\n+gate ", "a[ledger]: \n+note Q"}, "", ""},
		{"planner: three bad ledgers end it", planner, "", []string{"a[plan]: P", "a[ledger]: hm", "a[ledger]: {}", `a[ledger]: {"agent": "a"}`}, core.TeamStuck, "ledger"},

		{"adversarial: until it is approved", debate, "", []string{"a: x", "b: bad\n+note APPROVED", "a: y\n+note has not approved", "b: **APPROVED** now"}, core.TeamDone, "approved"},
		{"adversarial: rounds are limited", debate, "", []string{"a: x", "b: bad", "a: y", "b: bad, not APPROVED"}, core.TeamLimit, "2 rounds"},
		{"adversarial: the pattern of an approval", abc + "selection: {strategy: adversarial, author: a, critic: b, approval: '(?i)fine'}\n", "", []string{"a: x", "b: It is fine.\n+note If nothing is, approve it."}, core.TeamDone, ""},

		{"adversarial: stages", stages, "", []string{"a: x", "b: APPROVED", "b: y", "c: APPROVED\n+note the work of b"}, core.TeamDone, "c has approved"},
		{"adversarial: a stage without approval is followed by the next", stages, "", []string{"a: x", "b: bad", "b: y", "c: bad"}, core.TeamLimit, "c has not approved"},

		{"termination: pattern", robin("{pattern: '\\bDONE\\b'}"), "", []string{"a: UNDONE", "b: DONE"}, core.TeamDone, ""},
		{"termination: pattern of an agent", robin("{pattern: DONE, agents: [c]}"), "", []string{"a: DONE", "b: DONE", "c: DONE"}, core.TeamDone, ""},
		{"termination: field", robin("{field: {field: ok, is: \"true\"}, agents: [b]}"), "", []string{`a: {"ok": true}`, `b: {"ok": true}`}, core.TeamDone, ""},
		{"termination: turns", robin("{max_turns: 2}"), "", []string{"a: x", "b: x"}, core.TeamDone, ""},
		{"termination: tokens", robin("{max_tokens: 100}"), "", []string{"a: x\n+tokens 99", "b: x\n+tokens 100"}, core.TeamDone, ""},
		{"termination: cost", robin("{max_cost: 0.50}"), "", []string{"a: x\n+cost 499999999", "b: x\n+cost 500000000"}, core.TeamDone, ""},
		{"termination: time", robin("{max_time: 2s}"), "", []string{"a: x\n+ms 1999", "b: x\n+ms 2000"}, core.TeamDone, ""},
		{"termination: any", robin("{any: [{pattern: DONE}, {max_turns: 2}]}"), "", []string{"a: x", "b: x"}, core.TeamDone, ""},
		{"termination: all", robin("{all: [{pattern: DONE}, {max_turns: 2}]}"), "", []string{"a: DONE", "b: x", "c: DONE"}, core.TeamDone, ""},
		{"termination: all in any", robin("{any: [{all: [{pattern: DONE}, {max_turns: 2}]}, {max_turns: 4}]}"), "", []string{"a: DONE", "b: x", "c: x", "a: x"}, core.TeamDone, ""},
		{"termination: judge agrees", robin("{judge: c, question: Is it good?}"), "", []string{"a: x", "c[judge]: NO, not yet\n+note Is it good?", "b: x", "c[judge]: YES"}, core.TeamDone, "judge c"},
		{"termination: a judge is not asked when another condition decides", robin("{any: [{max_turns: 1}, {judge: c, question: q}]}"), "", []string{"a: x"}, core.TeamDone, "condition"},
		{"termination: nor when all cannot hold", robin("{all: [{max_turns: 2}, {judge: c, question: q}]}"), "", []string{"a: x", "b: x", "c[judge]: YES"}, core.TeamDone, ""},
		{"termination: before the end of the selection", abc + "termination: {pattern: DONE}\n", "", []string{"a: DONE"}, core.TeamDone, "condition"},
		{"termination: gates", robin("{pattern: DONE, gates: [{command: make}]}"), "", []string{"a: DONE\n+gate make fails", "a: DONE\n+note make fails\n+gate "}, core.TeamDone, ""},
		{"termination: a judge agrees to a turn that passes the gates", robin(`{judge: c, question: q, gates: [{wrote: "*.md"}]}`), "", []string{"a: x\n+wrote a.md", "c[judge]: YES"}, core.TeamDone, "judge c"},
		{"termination: a judge agrees to one that does not", robin(`{judge: c, question: q, gates: [{wrote: "*.md"}]}`), "", []string{"a: x", "c[judge]: YES\n+wrote c.md", "a: y\n+note no file that matches *.md\n+wrote a.md", "c[judge]: YES"}, core.TeamDone, "judge c"},
		{"termination: gates after a judge", robin("{judge: c, question: q, gates: [{command: make}]}"), "", []string{"a: x", "c[judge]: YES\n+gate make fails", "a: \n+note make fails"}, core.TeamDone + "?", ""},

		{"gate wrote: a command instead", gated(`{wrote: "*", or_passed: "npm install|git commit"}`), "", []string{"a: GO", "a: GO\n+passed npm install\n+note no file that matches", "b: "}, "", ""},
		{"gate passed: in the session", gated("{passed: make, session: true}"), "", []string{"a: hm\n+passed make all", "a: GO", "b: "}, "", ""},
		{"gate passed: never in the session", gated("{passed: make, session: true}"), "", []string{"a: GO\n+passed ls", "a: GO\n+note in this session"}, "", ""},
		{"gate exists: the fields of a brief", gated("{exists: b.json, fields: [goal, list]}"), "", []string{"a: GO", `a: GO` + "\n+note b.json does not exist\n+file b.json {\"goal\": \"x\", \"list\": []}", "a: \n+note the field list of b.json"}, "", ""},
		{"gate wrote_listed: each file", gated("{wrote_listed: b.json, fields: [files]}"), "", []string{
			`a: GO` + "\n+wrote p/x.go\n+file b.json {\"files\": [\"./p/X.go\", {\"path\": \"y.go\", \"reason\": \"r\"}]}", "a: GO\n+wrote y.go\n+note session: y.go.", "b: ",
		}, "", ""},
		{"gate wrote_listed: without its file", gated("{wrote_listed: b.json, fields: [files]}"), "", []string{"a: GO\n+wrote x", "a: \n+note b.json does not exist"}, "", ""},
		{"gate passed_listed", gated("{passed_listed: b.json, fields: [verify]}"), "", []string{`a: GO` + "\n+file b.json {\"verify\": \"go vet|go test\"}", "a: hm\n+note go vet|go test\n+passed go test ./...", "a: GO", "b: "}, "", ""},
		{"gate report: a test fails", gated("{report: r.json}"), "", []string{`a: GO` + "\n+file r.json {\"results\": [{\"criterion\": \"adds\", \"status\": \"FAIL\"}]}", "a: \n+note is FAIL: adds"}, "", ""},
		{"gate report: it has no results", gated("{report: r.json}"), "", []string{"a: GO\n+file r.json {\"results\": []}", "a: GO\n+note has no results\n+file r.json nonsense", "a: \n+note no report of tests"}, "", ""},
		{"gate report: commands are those of the session", gated("{report: r.json}"), "", []string{
			`a: GO` + "\n+file r.json {\"results\": [{\"criterion\": \"adds\", \"status\": \"PASS\", \"command\": \"make test\"}]}", "a: hm\n+note has not succeeded in this session: make test\n+passed make test -j2", "a: GO", "b: ",
		}, "", ""},
		{"gate report: a command is missing", gated("{report: r.json}"), "", []string{`a: GO` + "\n+file r.json {\"results\": [{\"criterion\": \"adds\", \"status\": \"PASS\"}]}", "a: \n+note PASS without a command"}, "", ""},
		{"gate report: as many results as criteria", gated("{report: r.json, brief: b.json, checks: [criteria]}"), "", []string{
			`a: GO` + "\n+file r.json {\"results\": [{\"status\": \"PASS\"}]}\n+file b.json {\"acceptance_criteria\": [\"one\", {\"criterion\": \"two\"}]}", "a: \n+note 1 entries, and b.json lists 2",
		}, "", ""},
		{"gate report: tests without assertions", gated("{report: r.json, brief: b.json, checks: [assertions]}"), "", []string{
			`a: GO` + "\n+file r.json {\"results\": [{}], \"fake_test_files\": [\"x_test.go\"]}", `a: GO` + "\n+note x_test.go\n+file r.json {\"results\": [{}]}\n+file b.json {\"files_to_change\": [\"x.go\", \"x_test.go\"]}\n+file x_test.go func Test()",
			"a: GO\n+note the test file x_test.go has no assertion\n+file x_test.go assertEqual(1, 2)", "b: ",
		}, "", ""},
		{"gate report: own patterns of assertions", gated("{report: r.json, brief: b.json, checks: [assertions], assertions: ['t\\.Error']}"), "", []string{
			`a: GO` + "\n+file r.json {\"results\": [{}]}\n+file b.json {\"files_to_change\": [\"x_test.go\"]}\n+file x_test.go t.Error(1)", "b: ",
		}, "", ""},
		{"gate judged: verdicts with evidence", gated("{judged: review}"), "", []string{
			"a: GO", `a: {"review": [{"criterion": "adds", "verdict": "PASS"}]}` + "\nGO\n+note judges nothing", `a: {"review": [{"criterion": "adds", "verdict": "FAIL", "evidence": "3"}]}` + "\nGO\n+note needs a criterion, evidence",
		}, core.TeamStuck, "is FAIL: adds"},
		{"gate judged: a command proves it", gated("{judged: review}"), "", []string{
			`a: {"review": [{"criterion": "adds", "verdict": "PASS", "evidence": "ran it"}]}` + "\nGO", `a: {"review": [{"criterion": "adds", "verdict": "PASS", "evidence": "ran it"}]}` + "\nGO\n+note run one that proves it\n+passed make", "b: ",
		}, "", ""},
		{"gate judged: each criterion of the brief", gated("{judged: review, brief: b.json}"), "", []string{
			`a: {"review": [{"criterion": "adds", "verdict": "PASS", "evidence": "e"}]}` + "\nGO\n+passed make\n+file b.json {\"acceptance_criteria\": [\"one\", \"two\"]}", "a: \n+note lists 2 acceptance criteria",
		}, "", ""},
		{"gates of a terminal state", abc + "selection:\n  strategy: state_machine\n  states: [{name: x, agent: a, terminal: true, gates: [{wrote: \"*\"}]}]\n", "", []string{"a: x", "a: y\n+note no file\n+wrote f"}, core.TeamDone, "x is done"},
		{"gates hold although the user speaks to another agent", keyword, "", []string{"a: TO B", "b: TO C\n+wrote x.go\n+passed go test\n+human @a what is this?", "a[addressed]: a test", "c: "}, "", ""},
		{"a gate fails while the user speaks to another agent", keyword, "", []string{"a: TO B", "b: TO C\n+human @a what is this?", "a[addressed]: a test", "b: \n+note no file that matches *.go"}, "", ""},

		{"state_machine: a state that begins with branches", panel, "", []string{"a[branches]: \n+answer b blue\n+answer c red\n+joined ## b  blue  ## c  red", "a: AGAIN", "a[branches]: \n+answer b x\n+answer c y", "a: FINE"}, core.TeamDone, "over"},
		{"state_machine: and a judge joins them", strings.Replace(panel, "targets: [left, right]", "targets: [left, right], join: judge, judge: c", 1), "", []string{"a[branches]: \n+answer b blue\n+answer c red", "c[join]: violet\n+note where they differ", "a: FINE"}, core.TeamDone, "over"},
		{"state_machine: the parts of an answer, each in a branch", mapping, "", []string{
			"a: hm", `a: {"list": ["one", "two"]}` + "\n+note list", "a[branches]: \n+answer b 1\n+answer b 2\n+joined ## part 1  1  ## part 2  2", "c: x",
		}, core.TeamDone, "end"},
		{"graph of fuseraft: nodes that are graphs", subGraphs, "", []string{
			"a[branches]: \n+answer b x\n+answer c y", "a: SPLIT", `b: {"items": ["one", "two"]}`, "b[branches]: \n+answer c 1\n+answer c 2", "a: x", "a[branches]: \n+answer b x\n+answer c y", "a: BUILD", "b: READY",
			"c: READY", "c: BUILT\n+note BUILT", "a: the end",
		}, core.TeamDone, "End"},

		{"skip: the next of the list has the turn", robin("{max_turns: 4}"), "", []string{"a: x\n+skip b", "c: x", "a: x", "c: x"}, core.TeamDone, ""},
		{"skip: and has turns again", robin("{max_turns: 4}"), "", []string{"a: x\n+skip b", "c: x\n+unskip b", "a: x", "b: x"}, core.TeamDone, ""},
		{"skip: the last one in order", abc, "", []string{"a: x\n+skip c", "b: x"}, core.TeamDone, "every agent"},
		{"skip: a route to it leads to the next", keyword, "", []string{"a: TO B\n+skip b", "c: "}, "", ""},
		{"skip: a state is of the next agent", machine, "", []string{"a: BUILT\n+skip b", "c: BUGS", "a: "}, "", ""},
		{"skip: a node counts as done", graph, "", []string{"a: x\n+skip b", "a: x", "c: x"}, core.TeamDone, "every node"},
		{"skip: a manager is not offered it", manager, "", []string{"a[choose]: b\n+skip c", "b: x", "a[choose]: c", "a[choose]: b", "b: "}, "", ""},
		{"a person speaks to one agent", robin("{max_turns: 9}"), "", []string{"a: x\n+human @C what do you think?", "c[addressed]: this", "b: x"}, "", ""},
		{"a prompt for one agent", robin("{max_turns: 9}"), "@b explain", []string{"b[addressed]: so"}, core.TeamDone, "b has answered"},
		{"a person's words keep the team at work", robin("{pattern: DONE}"), "", []string{"a: DONE\n+human not yet", "b: "}, "", ""},
		{"a team that never terminates", robin("{pattern: DONE}"), "", nil, core.TeamLimit, "100 turns"},
	}
}

func TestConformance(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			p := &player{t: t, team: read(t, r.team), files: map[string]string{}}
			p.state = team.Start(p.team, r.prompt)
			if r.turns == nil {
				p.endless()
			}
			for i, turn := range r.turns {
				p.play(turn, i == len(r.turns)-1 && (r.end == "" || strings.HasSuffix(string(r.end), "?")))
			}
			if end := strings.TrimSuffix(string(r.end), "?"); string(p.state.End) != end && !strings.HasSuffix(string(r.end), "?") {
				t.Fatalf("the state is %+v, want the end %q", p.state, r.end)
			}
			if !strings.Contains(p.state.Why, r.why) {
				t.Errorf("why is %q, want %q", p.state.Why, r.why)
			}
		})
	}
}

type player struct {
	t     *testing.T
	team  *core.Team
	state core.TeamState
	// Of the branches of the present turn.
	answers []team.Answer
	joined  string
	// What the gates are checked against.
	files   map[string]string
	session team.Turn
}

// play checks whose turn it is, and plays it unless it is only looked at.
func (p *player) play(text string, look bool) {
	p.t.Helper()
	if p.state.End != "" {
		p.t.Fatalf("the work has ended: %s", p.state.Why)
	}
	who, rest, _ := strings.Cut(text, ":")
	name, phase, _ := strings.Cut(strings.TrimSuffix(who, "]"), "[")
	if p.state.Agent != name || string(p.state.Phase) != phase {
		p.t.Fatalf("it is the turn of %s[%s], want %s (note %q)", p.state.Agent, p.state.Phase, who, p.state.Note)
	}
	p.answers, p.joined = nil, ""
	turn, gate, gated := p.read(rest)
	if look {
		return
	}
	if p.state.Phase == core.PhaseBranches {
		p.branch(turn)
		return
	}
	p.session.Wrote, p.session.Passed = append(p.session.Wrote, turn.Wrote...), append(p.session.Passed, turn.Passed...)
	p.state = p.survive(team.Next(p.team, p.state, turn))
	for len(p.state.Gates) == 1 && !gated && team.NeedsEvidence(&p.state.Gates[0]) {
		why := team.Check(&p.state.Gates[0], &turn, &team.Evidence{Read: p.file, Wrote: p.session.Wrote, Passed: p.session.Passed})
		p.state = p.survive(team.Gated(p.team, p.state, why))
	}
	if gated != (len(p.state.Gates) > 0) {
		p.t.Fatalf("gates to check: %+v", p.state.Gates)
	}
	if gated {
		p.state = p.survive(team.Gated(p.team, p.state, gate))
	}
}

func (p *player) file(name string) ([]byte, error) {
	text, ok := p.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// branch plays the branches of a fork.
func (p *player) branch(turn team.Turn) {
	p.t.Helper()
	branches := team.BranchesOf(p.team, &p.state)
	if len(branches) != len(p.answers) {
		p.t.Fatalf("branches %+v, answers %+v", branches, p.answers)
	}
	for i := range branches {
		if branches[i].Agent != p.answers[i].Agent {
			p.t.Fatalf("branches %+v, answers %+v", branches, p.answers)
		}
		p.answers[i].Agent = branches[i].Title()
	}
	next, text := team.Joined(p.team, p.state, p.answers, turn)
	if !strings.HasPrefix(strings.ReplaceAll(text, "\n", " "), p.joined) {
		p.t.Errorf("joined as %q, want %q", text, p.joined)
	}
	p.state = p.survive(next)
}

func (p *player) read(text string) (turn team.Turn, gate string, gated bool) {
	var answer []string
	for line := range strings.SplitSeq(text, "\n") {
		fact, value, _ := strings.Cut(line, " ")
		switch fact {
		case "+signal":
			turn.Signals = append(turn.Signals, value)
		case "+wrote":
			turn.Wrote = append(turn.Wrote, value)
		case "+file":
			name, text, _ := strings.Cut(value, " ")
			p.files[name] = text
		case "+passed":
			turn.Passed = append(turn.Passed, value)
		case "+human":
			turn.Human = append(turn.Human, value)
		case "+tokens":
			p.number(value, &turn.Tokens)
		case "+cost":
			p.number(value, &turn.CostNanoUSD)
		case "+ms":
			p.number(value, &turn.ElapsedMs)
		case "+skip", "+unskip":
			changed, err := team.Skip(*p.team, value, fact == "+skip")
			if err != nil {
				p.t.Fatal(err)
			}
			p.team = &changed
		case "+answer":
			agent, words, _ := strings.Cut(value, " ")
			p.answers = append(p.answers, team.Answer{Agent: agent, Text: words})
		case "+joined":
			p.joined = value
		case "+gate":
			gate, gated = value, true
		case "+note":
			if !strings.Contains(strings.ReplaceAll(p.state.Note, "\n", " "), value) {
				p.t.Errorf("the note is %q, want %q", p.state.Note, value)
			}
		default:
			answer = append(answer, line)
		}
	}
	turn.Text = strings.TrimSpace(strings.Join(answer, "\n"))
	return turn, gate, gated
}

func (p *player) number(text string, into *int64) {
	if _, err := fmt.Sscan(text, into); err != nil {
		p.t.Fatal(err)
	}
}

// survive returns a state as it is after the program was killed.
func (p *player) survive(s core.TeamState) core.TeamState {
	data, err := json.Marshal(s)
	if err != nil {
		p.t.Fatal(err)
	}
	var back core.TeamState
	if err := json.Unmarshal(data, &back); err != nil {
		p.t.Fatal(err)
	}
	if again, _ := json.Marshal(back); !reflect.DeepEqual(again, data) {
		p.t.Fatalf("the state changes: %s, %s", data, again)
	}
	return back
}

func (p *player) endless() {
	for range 1000 {
		if p.state.End != "" {
			return
		}
		p.state = team.Next(p.team, p.state, team.Turn{Text: "x"})
	}
}

// Next must change nothing of the state that it is given: a run that fails to store a step starts from it again.
func TestNextChangesNothing(t *testing.T) {
	for _, r := range rows() {
		definition := read(t, r.team)
		s := team.Start(definition, r.prompt)
		for range 8 {
			before, _ := json.Marshal(s)
			next := team.Next(definition, s, team.Turn{Text: "x", Signals: []string{"TO B", "BUILT"}})
			if after, _ := json.Marshal(s); string(before) != string(after) {
				t.Fatalf("%s: %s became %s", r.name, before, after)
			}
			if next.End != "" || len(next.Gates) > 0 {
				break
			}
			s = next
		}
	}
}

func TestJoins(t *testing.T) {
	answers := []team.Answer{{"a", "Because.\n**Blue**"}, {"b", "red"}, {"c", `{"vote": "blue", "why": "x"}`}}
	for _, c := range []struct {
		join, text string
		next       core.TeamState
	}{
		{"union", "## a\n\nBecause.\n**Blue**\n\n## b\n\nred\n\n## c\n\n{\"vote\": \"blue\", \"why\": \"x\"}", core.TeamState{TeamMove: core.TeamMove{End: core.TeamDone}}},
		{"vote", "Blue\n\n- Blue: 2 of 3 (a, c)\n- red: 1 of 3 (b)", core.TeamState{TeamMove: core.TeamMove{End: core.TeamDone}}},
		{"judge, judge: c", "", core.TeamState{TeamMove: core.TeamMove{Agent: "c", Phase: core.PhaseJoin}}},
		{"ranking, judge: c", "", core.TeamState{TeamMove: core.TeamMove{Agent: "c", Phase: core.PhaseJoin}}},
	} {
		definition := read(t, abc+"selection: {strategy: parallel, join: "+c.join+"}\n")
		s := team.Start(definition, "")
		if s.Phase != core.PhaseBranches {
			t.Fatalf("%+v", s)
		}
		next, text := team.Joined(definition, s, answers, team.Turn{})
		if text != c.text || next.End != c.next.End || next.Phase != core.PhaseBranches && next.Phase != c.next.Phase || c.next.Agent != "" && next.Agent != c.next.Agent || next.Turns != 3 {
			t.Errorf("%s: %q, %+v", c.join, text, next)
		}
		if c.next.Agent == "" {
			continue
		}
		if !strings.Contains(next.Note, "## b\n\nred") {
			t.Errorf("%s: the judge is not sent the answers: %q", c.join, next.Note)
		}
		if last := team.Next(definition, next, team.Turn{Text: "blue"}); last.End != core.TeamDone {
			t.Errorf("%s: %+v", c.join, last)
		}
	}
}
