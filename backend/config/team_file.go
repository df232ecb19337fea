package config

import (
	"strconv"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
)

// teamFile is a team as a file defines it.
type teamFile struct {
	Name        string        `yaml:"name"`
	Description string        `yaml:"description"`
	Agents      []teamAgent   `yaml:"agents"`
	Selection   teamSelection `yaml:"selection"`
	Termination teamEnd       `yaml:"termination"`
	Compaction  Compaction    `yaml:"compaction"` // of each agent that sets none
	Budget      Dollars       `yaml:"budget"`
	MaxSteps    int64         `yaml:"max_steps"`
	MaxTokens   int64         `yaml:"max_tokens"`
	Timeout     Duration      `yaml:"timeout"`
}

// line is embedded in what a later check reports with its line.
type line struct{ at int }

func (l *line) locate(line int) { l.at = line }

// word is a text with the line that it is in.
type word struct {
	line
	text string
}

// UnmarshalText reads any text.
func (w *word) UnmarshalText(text []byte) error {
	w.text = string(text)
	return nil
}

type teamAgent struct {
	line
	Name        string        `yaml:"name"`
	Agent       word          `yaml:"agent"` // the agent that it is, as agents/*.yaml or Coppice defines it
	Description string        `yaml:"description"`
	Prompt      string        `yaml:"prompt"`
	Model       string        `yaml:"model"`
	Tools       []string      `yaml:"tools"`
	Delegates   []word        `yaml:"delegates"` // agents of the configuration
	Mode        core.Mode     `yaml:"mode"`
	Effort      core.Effort   `yaml:"effort"`
	MaxSteps    int64         `yaml:"max_steps"` // of a turn
	Compaction  Compaction    `yaml:"compaction"`
	View        core.TeamView `yaml:"view"`
}

type teamSelection struct {
	line
	Strategy core.TeamStrategy `yaml:"strategy"`
	Start    word              `yaml:"start"`
	Routes   []teamRoute       `yaml:"routes"`
	States   []teamNode        `yaml:"states"`
	Manager  word              `yaml:"manager"`
	Repeat   bool              `yaml:"repeat"`
	Author   word              `yaml:"author"`
	Critic   word              `yaml:"critic"`
	Approval word              `yaml:"approval"`
	Stages   []teamStage       `yaml:"stages"`
	Branches []word            `yaml:"branches"`
	Join     core.TeamJoin     `yaml:"join"`
	Judge    word              `yaml:"judge"`
	Splitter word              `yaml:"splitter"`
	Mapper   word              `yaml:"mapper"`
	Reducer  word              `yaml:"reducer"`
	Items    string            `yaml:"items"`
	Rounds   int64             `yaml:"rounds"`
	Stalls   int64             `yaml:"stalls"`
	Resets   int64             `yaml:"resets"`
	Review   bool              `yaml:"review"`
}

type teamStage struct {
	line
	Author word `yaml:"author"`
	Critic word `yaml:"critic"`
}

type teamRoute struct {
	line
	Signal string     `yaml:"signal"`
	When   fieldTest  `yaml:"when"`
	From   []word     `yaml:"from"`
	To     word       `yaml:"to"`
	Gates  []teamGate `yaml:"gates"`
}

type teamNode struct {
	line
	Name        string        `yaml:"name"`
	Agent       word          `yaml:"agent"`
	After       []word        `yaml:"after"`
	Transitions []teamEdge    `yaml:"transitions"`
	Terminal    bool          `yaml:"terminal"`
	Gates       []teamGate    `yaml:"gates"`
	Targets     []word        `yaml:"targets"`
	Join        core.TeamJoin `yaml:"join"`
	Judge       word          `yaml:"judge"`
}

type teamEdge struct {
	line
	To          word          `yaml:"to"`
	Signal      string        `yaml:"signal"`
	When        fieldTest     `yaml:"when"`
	Gates       []teamGate    `yaml:"gates"`
	MaxRevisits int64         `yaml:"max_revisits"`
	Targets     []word        `yaml:"targets"`
	Join        core.TeamJoin `yaml:"join"`
	Judge       word          `yaml:"judge"`
	Mapper      word          `yaml:"mapper"`
	Items       string        `yaml:"items"`
}

type fieldTest struct {
	line
	Field    string `yaml:"field"`
	Is       string `yaml:"is"`
	IsNot    string `yaml:"is_not"`
	Contains string `yaml:"contains"`
	Exists   truth  `yaml:"exists"`
}

// truth is true, false or not set.
type truth struct{ is *bool }

// UnmarshalText reads true or false.
func (t *truth) UnmarshalText(text []byte) error {
	value, err := strconv.ParseBool(string(text))
	if err != nil {
		return core.E(core.Invalid, "%q is neither true nor false", text)
	}
	t.is = &value
	return nil
}

type teamGate struct {
	line
	Wrote        string           `yaml:"wrote"`
	Passed       string           `yaml:"passed"`
	Command      string           `yaml:"command"`
	Approve      string           `yaml:"approve"`
	Exists       string           `yaml:"exists"`
	WroteListed  string           `yaml:"wrote_listed"`
	PassedListed string           `yaml:"passed_listed"`
	Report       string           `yaml:"report"`
	Judged       string           `yaml:"judged"`
	Fields       []string         `yaml:"fields"`
	OrPassed     string           `yaml:"or_passed"`
	Session      bool             `yaml:"session"`
	Brief        string           `yaml:"brief"`
	Checks       []core.TeamCheck `yaml:"checks"`
	Assertions   []word           `yaml:"assertions"`
}

// condition is one condition of the termination. Conditions nest two deep, so that the type is not recursive.
type condition struct {
	line
	Pattern   word      `yaml:"pattern"`
	Agents    []word    `yaml:"agents"`
	Field     fieldTest `yaml:"field"`
	Judge     word      `yaml:"judge"`
	Question  string    `yaml:"question"`
	MaxTurns  int64     `yaml:"max_turns"`
	MaxTokens int64     `yaml:"max_tokens"`
	MaxCost   Dollars   `yaml:"max_cost"`
	MaxTime   Duration  `yaml:"max_time"`
}

type conditions struct {
	condition
	Any []condition `yaml:"any"`
	All []condition `yaml:"all"`
}

type teamEnd struct {
	condition
	Any   []conditions `yaml:"any"`
	All   []conditions `yaml:"all"`
	Gates []teamGate   `yaml:"gates"`
}

// teamChecks are the checks of single values of a team.
func teamChecks() map[string]func(string) error {
	checks := map[string]func(string) error{
		"agents.name":                       checkForm(teamAgentForm, "letters, digits, - and _, a letter first"),
		"agents.model":                      CheckModelRef,
		"agents.mode":                       oneOf(core.Modes()...),
		"agents.effort":                     oneOf(core.EffortNone, core.EffortLow, core.EffortMedium, core.EffortHigh),
		"agents.view":                       oneOf(core.TeamViews()...),
		"agents.compaction.strategy":        oneOf(core.CompactionStrategies()...),
		"agents.compaction.model":           CheckModelRef,
		"compaction.strategy":               oneOf(core.CompactionStrategies()...),
		"compaction.model":                  CheckModelRef,
		"selection.strategy":                oneOf(core.TeamStrategies()...),
		"selection.join":                    oneOf(core.TeamJoins()...),
		"selection.states.transitions.join": oneOf(core.TeamJoins()...),
		"selection.states.join":             oneOf(core.TeamJoins()...),
	}
	for _, gates := range []string{"selection.routes", "selection.states", "selection.states.transitions", "termination"} {
		checks[gates+".gates.checks"] = oneOf(core.TeamChecks()...)
	}
	return checks
}

// scalar turns a node into a text.
func scalar(node *yaml.Node, text string) {
	*node = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: node.Line, Column: node.Column}
}
