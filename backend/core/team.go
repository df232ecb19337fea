package core

// Team is several agents that work on one conversation: who takes the next turn, and when the work ends.
type Team struct {
	Name        string         `json:"name,omitempty"`
	Description string         `json:"description,omitempty"`
	Agents      []TeamAgent    `json:"agents"`
	Selection   TeamSelection  `json:"selection"`
	Termination *TeamCondition `json:"termination,omitempty"` // nil: the selection alone ends the work
	EndGates    []TeamGate     `json:"endGates,omitempty"`    // to pass before Termination ends the work
	Limits      Budget         `json:"limits"`                // of the whole team; those of an agent are for one turn
}

// TeamAgent is an agent of a team.
type TeamAgent struct {
	Agent
	View TeamView `json:"view,omitempty"` // empty: ViewAll
	// Skipped is set while the user has the agent skipped: it has no turns.
	Skipped bool `json:"skipped,omitempty"`
}

// Find returns the agent with a name.
func (t *Team) Find(name string) (TeamAgent, bool) {
	for i := range t.Agents {
		if t.Agents[i].Name == name {
			return t.Agents[i], true
		}
	}
	return TeamAgent{}, false
}

// TeamView is what an agent sees of the turns of the others.
type TeamView string

// The views.
const (
	ViewAll     TeamView = "all"     // all of their answers
	ViewOwn     TeamView = "own"     // none: only the task, its own turns, and what is addressed to it
	ViewSummary TeamView = "summary" // the beginning of the newest answer of each
	ViewLast    TeamView = "last"    // nothing but the last answer: neither the task nor its own former turns
)

// TeamViews lists every view.
func TeamViews() []TeamView { return []TeamView{ViewAll, ViewOwn, ViewSummary, ViewLast} }

// TeamStrategy is how the agent of the next turn is selected.
type TeamStrategy string

// The strategies.
const (
	SelectSequential   TeamStrategy = "sequential"    // each agent once, in order
	SelectRoundRobin   TeamStrategy = "round_robin"   // in order, again and again
	SelectKeyword      TeamStrategy = "keyword"       // the agent names a signal
	SelectLLM          TeamStrategy = "llm"           // a manager chooses
	SelectStructured   TeamStrategy = "structured"    // conditions on a JSON answer
	SelectStateMachine TeamStrategy = "state_machine" // states and transitions
	SelectGraph        TeamStrategy = "graph"         // nodes after nodes, with back edges
	SelectParallel     TeamStrategy = "parallel"      // all at once, each in a branch, then a join
	SelectAdversarial  TeamStrategy = "adversarial"   // an author and a critic
	SelectPlanner      TeamStrategy = "planner"       // a manager plans and keeps a ledger of the progress
	SelectMapReduce    TeamStrategy = "map_reduce"    // one agent splits the task, another works on all parts at once, a third joins them
)

// TeamStrategies lists every strategy.
func TeamStrategies() []TeamStrategy {
	return []TeamStrategy{
		SelectSequential, SelectRoundRobin, SelectKeyword, SelectLLM, SelectStructured, SelectStateMachine, SelectGraph, SelectParallel,
		SelectAdversarial, SelectPlanner, SelectMapReduce,
	}
}

// TeamJoin is how the answers of parallel branches become one.
type TeamJoin string

// The joins.
const (
	JoinUnion     TeamJoin = "union"     // all of them, one after the other
	JoinConsensus TeamJoin = "consensus" // the last line that all of them have; if they differ, all of them
	JoinVote      TeamJoin = "vote"      // the last line that most of them have; if two are first, all of them
	JoinRanking   TeamJoin = "ranking"   // a judge orders them; the first one counts
	JoinJudge     TeamJoin = "judge"     // a judge answers from them
)

// JoinName is the name in messages of the kind KindMeta that join the answers of branches.
const JoinName = "join"

// TeamJoins lists every join.
func TeamJoins() []TeamJoin {
	return []TeamJoin{JoinUnion, JoinConsensus, JoinVote, JoinRanking, JoinJudge}
}

// TeamSelection is a strategy with its settings. Which fields are used depends on Strategy.
type TeamSelection struct {
	Strategy TeamStrategy `json:"strategy"`
	Start    string       `json:"start,omitempty"`   // the first agent, or state; empty: the first one of the list
	Routes   []TeamRoute  `json:"routes,omitempty"`  // keyword, structured
	States   []TeamNode   `json:"states,omitempty"`  // state_machine, graph
	Manager  string       `json:"manager,omitempty"` // llm, planner
	Repeat   bool         `json:"repeat,omitempty"`  // llm: an agent may have two turns in a row
	Author   string       `json:"author,omitempty"`  // adversarial
	Critic   string       `json:"critic,omitempty"`
	Stages   []TeamStage  `json:"stages,omitempty"`   // adversarial: instead of Author and Critic, one pair after the other
	Approval string       `json:"approval,omitempty"` // adversarial: the regular expression of an approval
	Branches []string     `json:"branches,omitempty"` // parallel: the agents
	Join     TeamJoin     `json:"join,omitempty"`
	Judge    string       `json:"judge,omitempty"`
	Splitter string       `json:"splitter,omitempty"` // map_reduce: the agents
	Mapper   string       `json:"mapper,omitempty"`
	Reducer  string       `json:"reducer,omitempty"`
	Items    string       `json:"items,omitempty"`  // map_reduce: the field of the splitter's JSON that lists the parts; empty: items
	Rounds   int64        `json:"rounds,omitempty"` // adversarial, planner
	Stalls   int64        `json:"stalls,omitempty"` // planner: turns without progress before the next plan
	Resets   int64        `json:"resets,omitempty"` // planner: how many further plans are made
	Review   bool         `json:"review,omitempty"` // planner: the user approves each plan
}

// TeamStage is an author with its critic.
type TeamStage struct {
	Author string `json:"author"`
	Critic string `json:"critic"`
}

// TeamRoute leads from an answer to the agent of the next turn.
type TeamRoute struct {
	Signal string     `json:"signal,omitempty"` // keyword
	When   *FieldTest `json:"when,omitempty"`   // structured
	From   []string   `json:"from,omitempty"`   // the agents that may use it; empty: all
	To     string     `json:"to,omitempty"`     // an agent; empty: the work ends
	Gates  []TeamGate `json:"gates,omitempty"`
}

// TeamNode is a state of a state machine, or a node of a graph.
type TeamNode struct {
	Name        string     `json:"name"`
	Agent       string     `json:"agent,omitempty"` // empty: the work ends there
	After       []string   `json:"after,omitempty"` // graph: the nodes that must be done before it
	Transitions []TeamEdge `json:"transitions,omitempty"`
	Terminal    bool       `json:"terminal,omitempty"` // the work ends after the turn
	Gates       []TeamGate `json:"gates,omitempty"`    // to pass before a terminal state ends the work
	// Targets are states whose agents work in parallel, each in a branch, before Agent; Join and Judge are for their answers.
	Targets []string `json:"targets,omitempty"`
	Join    TeamJoin `json:"join,omitempty"` // empty: JoinUnion
	Judge   string   `json:"judge,omitempty"`
}

// TeamEdge leads from a node to another one. In a graph it leads back.
type TeamEdge struct {
	To         string     `json:"to"`
	Signal     string     `json:"signal,omitempty"`
	When       *FieldTest `json:"when,omitempty"`
	Gates      []TeamGate `json:"gates,omitempty"`
	MaxRevisit int64      `json:"maxRevisits,omitempty"` // how often it may be taken; 0: no limit
	// Targets are states whose agents work in parallel, each in a branch, before To; Join and Judge are for their answers.
	Targets []string `json:"targets,omitempty"`
	Join    TeamJoin `json:"join,omitempty"` // empty: JoinUnion
	Judge   string   `json:"judge,omitempty"`
	// Mapper is the agent that works on each part of the JSON list in the field Items of the answer, in branches; then To follows.
	Mapper string `json:"mapper,omitempty"`
	Items  string `json:"items,omitempty"` // empty: items
}

// FieldTest is a condition on a field of a JSON answer.
type FieldTest struct {
	Field    string `json:"field"` // names joined by dots
	Is       string `json:"is,omitempty"`
	IsNot    string `json:"isNot,omitempty"`
	Contains string `json:"contains,omitempty"`
	Exists   *bool  `json:"exists,omitempty"`
}

// TeamGate must be passed before a hand-over or the end. One of the first nine fields is set.
type TeamGate struct {
	Wrote   string `json:"wrote,omitempty"`   // the agent changed a file that matches this pattern in its turn
	Passed  string `json:"passed,omitempty"`  // a command of the turn that contains this text succeeded
	Command string `json:"command,omitempty"` // this command succeeds when the gate is checked
	Approve string `json:"approve,omitempty"` // the user answers this question with yes
	Exists  string `json:"exists,omitempty"`  // this file exists in the workspace and is not empty
	// WroteListed and PassedListed are JSON files: each file that Fields list was changed in the session, and for each of the Fields a command
	// with one of its texts succeeded.
	WroteListed  string `json:"wroteListed,omitempty"`
	PassedListed string `json:"passedListed,omitempty"`
	// Report is a JSON file with the results of tests that satisfies Checks.
	Report string `json:"report,omitempty"`
	// Judged is the field of the JSON of the answer that lists a verdict with evidence for each criterion.
	Judged string `json:"judged,omitempty"`

	// Fields are those that the JSON in the file of Exists must have, and not empty, or that WroteListed and PassedListed read.
	Fields []string `json:"fields,omitempty"`
	// OrPassed passes the gate instead of Wrote: a command of the turn that contains this text succeeded.
	OrPassed string `json:"orPassed,omitempty"`
	// Session is set if Wrote and Passed hold for all turns of the session.
	Session bool `json:"session,omitempty"`
	// Brief is a JSON file whose fields acceptance_criteria and files_to_change Report and Judged are compared with; empty: none.
	Brief string `json:"brief,omitempty"`
	// Checks are what Report must satisfy; empty: all.
	Checks []TeamCheck `json:"checks,omitempty"`
	// Assertions are regular expressions, one of which is found in each test file; empty: those of the package team.
	Assertions []string `json:"assertions,omitempty"`
}

// TeamCheck is what a report of tests must satisfy.
type TeamCheck string

// The checks.
const (
	CheckFailures   TeamCheck = "failures"   // no result is FAIL
	CheckCommands   TeamCheck = "commands"   // the commands of results succeeded in the session
	CheckAssertions TeamCheck = "assertions" // test files have assertions
	CheckCriteria   TeamCheck = "criteria"   // there are as many results as acceptance criteria
)

// TeamChecks lists every check.
func TeamChecks() []TeamCheck {
	return []TeamCheck{CheckFailures, CheckCommands, CheckAssertions, CheckCriteria}
}

// TeamCondition ends the work of a team. Either Any, All or one condition is set.
type TeamCondition struct {
	Any            []TeamCondition `json:"any,omitempty"`
	All            []TeamCondition `json:"all,omitempty"`
	Pattern        string          `json:"pattern,omitempty"` // a regular expression that is found in the answer
	Agents         []string        `json:"agents,omitempty"`  // whose answers Pattern and Field are for; empty: those of all
	Field          *FieldTest      `json:"field,omitempty"`
	Judge          string          `json:"judge,omitempty"` // the agent that is asked Question
	Question       string          `json:"question,omitempty"`
	MaxTurns       int64           `json:"maxTurns,omitempty"`
	MaxTokens      int64           `json:"maxTokens,omitempty"`
	MaxCostNanoUSD int64           `json:"maxCostNanoUsd,omitempty"`
	MaxMs          int64           `json:"maxMs,omitempty"`
}

// TeamPhase is what a turn is for.
type TeamPhase string

// The phases.
const (
	PhaseWork      TeamPhase = ""          // the agent does its part
	PhaseAddressed TeamPhase = "addressed" // the user has addressed the agent; the selection waits
	PhaseChoose    TeamPhase = "choose"    // the manager names the next agent
	PhasePlan      TeamPhase = "plan"      // the manager writes a plan
	PhaseLedger    TeamPhase = "ledger"    // the manager judges the progress
	PhaseFinal     TeamPhase = "final"     // the manager writes the result
	PhaseJudge     TeamPhase = "judge"     // a judge decides whether the work ends
	PhaseBranches  TeamPhase = "branches"  // the agents of the branches work in parallel
	PhaseBranch    TeamPhase = "branch"    // in a run of its own: the agent of a branch works
	PhaseJoin      TeamPhase = "join"      // a judge joins the answers of the branches
)

// TeamEnd is why the work of a team ended.
type TeamEnd string

// The ends.
const (
	TeamDone  TeamEnd = "done"
	TeamLimit TeamEnd = "limit" // a limit of the definition is reached
	TeamStuck TeamEnd = "stuck" // it cannot continue without the user
)

// TeamMove is a hand-over, or the end of the work.
type TeamMove struct {
	Agent string     `json:"agent,omitempty"` // empty: the work ends
	Node  string     `json:"node,omitempty"`
	Phase TeamPhase  `json:"phase,omitempty"`
	Note  string     `json:"note,omitempty"`
	Edge  int64      `json:"edge,omitempty"`  // state_machine: the transition of Node that is taken in parallel, from 1 on
	Parts []string   `json:"parts,omitempty"` // what the branches of map_reduce, or of a mapper, work on
	Gates []TeamGate `json:"gates,omitempty"`
	End   TeamEnd    `json:"end,omitempty"`
	Why   string     `json:"why,omitempty"` // of the end, for the user
}

// TeamState is the state of a selection. It changes between two turns only.
type TeamState struct {
	TeamMove
	StartUID string           `json:"startUid,omitempty"` // the last message before the turn
	Turns    int64            `json:"turns,omitempty"`    // that are finished
	Done     []string         `json:"done,omitempty"`     // graph: the nodes that are done
	Visits   map[string]int64 `json:"visits,omitempty"`   // how often each edge was taken
	Round    int64            `json:"round,omitempty"`
	Stage    int64            `json:"stage,omitempty"`    // adversarial: how many stages are finished
	Failures int64            `json:"failures,omitempty"` // in a row, of the same step
	Plan     string           `json:"plan,omitempty"`
	Stalls   int64            `json:"stalls,omitempty"`
	Resets   int64            `json:"resets,omitempty"`
	// Held is what follows when the gates are passed, or when the judge or the addressed agent has answered.
	Held *TeamMove `json:"held,omitempty"`
	// Unmet is why the turn that a judge is asked about does not pass a gate of the end.
	Unmet string `json:"unmet,omitempty"`
	// Cites are the last messages of the branches that the agent joins.
	Cites []string `json:"cites,omitempty"`
}

// TeamRun is what the run state holds of a team.
type TeamRun struct {
	Definition Team         `json:"definition"`
	State      TeamState    `json:"state"`
	Members    []TeamMember `json:"members"`
}

// TeamMember is what an agent of a team runs with.
type TeamMember struct {
	Name    string `json:"name"`
	Model   string `json:"model"`             // PROVIDER/MODEL
	BaseURL string `json:"baseUrl,omitempty"` // of the server that is called; empty: none
	Mode    Mode   `json:"mode"`
	Effort  Effort `json:"effort,omitempty"`
}
