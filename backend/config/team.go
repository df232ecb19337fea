package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/lists"
	"coppice/backend/team"
)

// TeamsFolder holds teams, one file each, in the folder of the configuration and in that of a workspace.
const TeamsFolder = "teams"

var teamAgentForm = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`)

// TeamFile is a file that defines a team.
type TeamFile struct {
	Name string
	Path string // as it is shown
	data []byte
}

// TeamFiles returns the files of the teams that can be named here, sorted by name. Those of a workspace that the user does not trust are
// not among them; the workspace's replace the user's.
func (s *Settings) TeamFiles() ([]TeamFile, error) {
	files, err := teamsIn(os.DirFS(Folder()), TeamsFolder)
	if err != nil || !s.Trusted {
		return files, err
	}
	theirs, err := s.workspaceTeams()
	files = slices.DeleteFunc(files, func(a TeamFile) bool {
		return slices.ContainsFunc(theirs, func(b TeamFile) bool { return b.Name == a.Name })
	})
	files = append(files, theirs...)
	slices.SortFunc(files, func(a, b TeamFile) int { return cmp.Compare(a.Name, b.Name) })
	return files, err
}

func (s *Settings) workspaceTeams() ([]TeamFile, error) {
	root, err := openWorkspace(s.Workspace)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return teamsIn(root.FS(), path.Join(WorkspaceFolder, TeamsFolder))
}

// teamsIn returns the teams of a folder; none if it does not exist.
func teamsIn(files fs.FS, folder string) ([]TeamFile, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, core.Wrap(core.Invalid, err, "read the teams in %s", folder)
	}
	var found []TeamFile
	for _, entry := range entries {
		extension := path.Ext(entry.Name())
		if !entry.IsDir() && (extension == ".yaml" || extension == ".yml") {
			shown := path.Join(folder, entry.Name())
			data, err := readBounded(files, shown)
			if err != nil {
				return nil, core.Wrap(core.Invalid, err, "read the team %s", shown)
			}
			found = append(found, TeamFile{Name: strings.TrimSuffix(entry.Name(), extension), Path: shown, data: data})
			if len(found) == maxAgents {
				break
			}
		}
	}
	return found, nil
}

// Team returns the team of a name or a file: one that ends in .yaml, .yml or .json, or that has a slash. The error is the first mistake
// in it, with file and line.
func (s *Settings) Team(ref string) (core.Team, error) {
	t, problems, err := s.ReadTeam(ref)
	if err == nil && len(problems) > 0 {
		err = problems[0].Err()
	}
	return t, err
}

// ReadTeam returns the team of a name or a file, with all mistakes in it.
func (s *Settings) ReadTeam(ref string) (core.Team, []Problem, error) {
	switch path.Ext(ref) {
	case ".yaml", ".yml", ".json":
		return s.readTeamFile(ref)
	}
	if strings.ContainsRune(filepath.ToSlash(ref), '/') {
		return s.readTeamFile(ref)
	}
	files, err := s.TeamFiles()
	if err != nil {
		return core.Team{}, nil, err
	}
	names := make([]string, 0, len(files))
	for _, file := range files {
		if file.Name == ref {
			t, problems := s.ParseTeam(file.Path, file.data)
			t.Name = cmp.Or(t.Name, ref)
			return t, problems, nil
		}
		names = append(names, file.Name)
	}
	unknown := core.E(core.Invalid, "unknown team %q", ref)
	if len(names) == 0 {
		return core.Team{}, nil, unknown.WithHint("Name a file such as ./team.yaml")
	}
	return core.Team{}, nil, unknown.WithHint("one of: %s; or a file such as ./team.yaml", strings.Join(names, ", "))
}

func (s *Settings) readTeamFile(file string) (core.Team, []Problem, error) {
	data, err := core.ReadRegular(file, maxFileBytes)
	if err != nil {
		return core.Team{}, nil, core.Wrap(core.Invalid, err, "read the team %s", file)
	}
	t, problems := s.ParseTeam(file, data)
	t.Name = cmp.Or(t.Name, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	return t, problems, nil
}

// ParseTeam reads a team from YAML or JSON. file is its name in problems.
func (s *Settings) ParseTeam(file string, data []byte) (core.Team, []Problem) {
	reader := &strictYAML{file: file, checks: teamChecks(), origins: map[string]origin{}}
	node := reader.parse(data)
	if node == nil {
		if len(reader.problems) == 0 {
			reader.fail(0, "a team has agents: a list of {name, prompt, model}", "the file is empty")
		}
		return core.Team{}, reader.problems
	}
	adoptTeam(node)
	var f teamFile
	reader.put(node, reflect.ValueOf(&f).Elem(), "")
	b := &teamBuilder{strictYAML: reader, settings: s, file: &f}
	t := b.build()
	slices.SortStableFunc(reader.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return t, reader.problems
}

// teamBuilder makes a team of a file, and finds what is wrong with it as a whole.
type teamBuilder struct {
	*strictYAML
	settings *Settings
	file     *teamFile
	names    []string
}

func (b *teamBuilder) build() core.Team {
	f := b.file
	t := core.Team{
		Name: f.Name, Description: f.Description,
		Limits: core.Budget{CostNanoUSD: int64(f.Budget), Steps: f.MaxSteps, Tokens: f.MaxTokens, TimeoutMs: f.Timeout.Milliseconds()},
	}
	shared := f.Compaction.settings(func(key string) bool { _, set := b.origins[key]; return set })
	if err := checkCompaction(shared); err != nil {
		b.fail(firstOrigin(b.origins, "").Line, core.HintOf(err), "%s", err.Error())
	}
	for i := range f.Agents {
		b.names = append(b.names, f.Agents[i].called())
	}
	if len(f.Agents) == 0 {
		b.fail(1, "agents: is a list of {name, model, prompt}", "the team has no agents")
	}
	for i := range f.Agents {
		if agent, ok := b.agent(&f.Agents[i], shared, slices.Index(b.names, b.names[i]) < i); ok {
			t.Agents = append(t.Agents, agent)
		}
	}
	t.Selection = b.selection()
	if end := f.Termination; end.set() || len(end.Any)+len(end.All) > 0 {
		t.Termination = b.end(&end)
	}
	t.EndGates = b.gates(f.Termination.Gates)
	if len(b.problems) == 0 {
		b.whole(&t)
	}
	return t
}

// called returns the name of an agent: its own, or that of the agent that it is.
func (a *teamAgent) called() string { return cmp.Or(a.Name, a.Agent.text) }

func (b *teamBuilder) agent(a *teamAgent, shared core.CompactionSettings, twice bool) (core.TeamAgent, bool) {
	name := a.called()
	switch {
	case name == "":
		b.fail(a.at, "", "the agent has no name")
		return core.TeamAgent{}, false
	case twice:
		b.fail(a.at, "", "two agents have the name %q", name)
		return core.TeamAgent{}, false
	}
	base := core.Agent{Mode: b.settings.Mode, Effort: b.settings.Effort, Limits: core.Budget{Steps: defaultSteps}, Compaction: b.settings.compaction()}
	if of := cmp.Or(a.Agent.text, name); a.Agent.text != "" || strings.TrimSpace(a.Prompt) == "" {
		found, err := b.settings.Resolve(of)
		if err != nil {
			hint := core.HintOf(err)
			if a.Agent.text == "" {
				hint = "give it a prompt, or the name of an agent: " + strings.TrimPrefix(hint, "one of: ")
			}
			b.fail(cmp.Or(a.Agent.at, a.at), hint, "%s", err.Error())
			return core.TeamAgent{}, false
		}
		base = found
	}
	base.Name = name
	base.Description, base.Prompt = cmp.Or(a.Description, base.Description), cmp.Or(a.Prompt, base.Prompt)
	base.Model, base.Mode, base.Effort = cmp.Or(a.Model, base.Model), cmp.Or(a.Mode, base.Mode), cmp.Or(a.Effort, base.Effort)
	base.Limits = core.Budget{Steps: cmp.Or(a.MaxSteps, base.Limits.Steps)} // the others are the team's
	if a.Tools != nil {
		base.Tools = a.Tools
	}
	for _, w := range a.Delegates {
		if _, err := b.settings.Resolve(w.text); err != nil {
			b.fail(w.at, core.HintOf(err), "agents.delegates: %s", err.Error())
		}
		base.Delegates = append(slices.Clip(base.Delegates), w.text)
	}
	set := fieldsOf(reflect.ValueOf(a.Compaction))
	own := a.Compaction.settings(func(key string) bool { return !set[strings.TrimPrefix(key, "compaction.")].IsZero() })
	if err := checkCompaction(own); err != nil {
		b.fail(a.at, core.HintOf(err), "%s", err.Error())
	}
	base.Compaction = own.Over(shared).Over(base.Compaction)
	return core.TeamAgent{Agent: base, View: a.View}, true
}

// known returns the name of an agent of the team.
func (b *teamBuilder) known(w word, key string) string {
	if w.text != "" && !slices.Contains(b.names, w.text) {
		b.fail(w.at, "one of: "+strings.Join(b.names, ", "), "%s: unknown agent %q", key, w.text)
	}
	return w.text
}

func (b *teamBuilder) knownAll(words []word, key string) []string {
	var names []string
	for _, w := range words {
		names = append(names, b.known(w, key))
	}
	return names
}

func (b *teamBuilder) selection() core.TeamSelection {
	f := &b.file.Selection
	s := core.TeamSelection{
		Strategy: cmp.Or(f.Strategy, core.SelectSequential), Start: f.Start.text, Manager: b.known(f.Manager, "selection.manager"), Repeat: f.Repeat,
		Author: b.known(f.Author, "selection.author"), Critic: b.known(f.Critic, "selection.critic"), Approval: b.pattern(f.Approval),
		Branches: b.knownAll(f.Branches, "selection.branches"), Join: f.Join, Judge: b.known(f.Judge, "selection.judge"),
		Splitter: b.known(f.Splitter, "selection.splitter"), Mapper: b.known(f.Mapper, "selection.mapper"), Reducer: b.known(f.Reducer, "selection.reducer"), Items: f.Items,
		Rounds: f.Rounds, Stalls: f.Stalls, Resets: f.Resets, Review: f.Review,
	}
	for _, stage := range f.Stages {
		s.Stages = append(s.Stages, core.TeamStage{Author: b.known(stage.Author, "selection.stages.author"), Critic: b.known(stage.Critic, "selection.stages.critic")})
		if stage.Author.text == "" || stage.Critic.text == "" || stage.Author.text == stage.Critic.text {
			b.fail(stage.at, "one of: "+strings.Join(b.names, ", "), "selection.stages: a stage needs an author and a critic")
		}
	}
	var states []string
	for i := range f.States {
		states = append(states, f.States[i].Name)
	}
	if len(states) == 0 {
		b.known(f.Start, "selection.start")
	} else {
		b.state(f.Start, states, "selection.start")
	}
	for i := range f.Routes {
		r := &f.Routes[i]
		route := core.TeamRoute{Signal: r.Signal, When: b.field(&r.When), From: b.knownAll(r.From, "selection.routes.from"), To: b.known(r.To, "selection.routes.to"), Gates: b.gates(r.Gates)}
		switch {
		case s.Strategy == core.SelectKeyword && route.Signal == "":
			b.fail(r.at, "", "selection.routes: a route of the strategy keyword needs a signal")
		case s.Strategy == core.SelectStructured && route.When == nil:
			b.fail(r.at, "", "selection.routes: a route of the strategy structured needs when")
		}
		s.Routes = append(s.Routes, route)
	}
	for i := range f.States {
		s.States = append(s.States, b.node(&f.States[i], states, slices.Index(states, states[i]) < i))
	}
	return s
}

func (b *teamBuilder) node(n *teamNode, states []string, twice bool) core.TeamNode {
	if n.Name == "" {
		b.fail(n.at, "", "selection.states: a state needs a name")
	} else if twice {
		b.fail(n.at, "", "selection.states: two states have the name %q", n.Name)
	}
	node := core.TeamNode{Name: n.Name, Agent: b.known(n.Agent, "selection.states.agent"), Terminal: n.Terminal, Gates: b.gates(n.Gates)}
	f := b.fan(fan{n.line, "selection.states.", "state", word{text: n.Name}, n.Targets, n.Join, n.Judge}, states)
	node.Targets, node.Join, node.Judge = f.Targets, f.Join, f.Judge
	if len(n.Targets) > 0 && n.Agent.text == "" {
		b.fail(n.at, "the agent that continues with what is joined", "selection.states: a state with targets needs an agent")
	}
	if len(n.Gates) > 0 && !n.Terminal && len(n.Transitions) > 0 {
		b.fail(n.Gates[0].at, "put them into its transitions", "selection.states: gates of a state are for one that ends the work")
	}
	for _, before := range n.After {
		node.After = append(node.After, b.state(before, states, "selection.states.after"))
	}
	for i := range n.Transitions {
		e := &n.Transitions[i]
		if e.To.text == "" {
			b.fail(e.at, "", "selection.states.transitions: a transition needs to")
		}
		node.Transitions = append(node.Transitions, b.edge(e, states))
	}
	return node
}

func (b *teamBuilder) edge(e *teamEdge, states []string) core.TeamEdge {
	const key = "selection.states.transitions."
	edge := b.fan(fan{e.line, key, "transition", e.To, e.Targets, e.Join, e.Judge}, states)
	edge.To, edge.Signal, edge.When, edge.Gates, edge.MaxRevisit = b.state(e.To, states, key+"to"), e.Signal, b.field(&e.When), b.gates(e.Gates), e.MaxRevisits
	edge.Mapper, edge.Items = b.known(e.Mapper, key+"mapper"), e.Items
	switch {
	case edge.Mapper != "" && len(e.Targets) > 0:
		b.fail(e.Mapper.at, "", "a transition has targets or a mapper, not both")
	case edge.Mapper == "" && e.Items != "":
		b.fail(e.at, "one of: "+strings.Join(b.names, ", "), "a transition with items needs a mapper")
	}
	return edge
}

// fan is a fork into branches, of a transition or at the beginning of a state.
type fan struct {
	line
	key, of string
	to      word // the state after the branches
	targets []word
	join    core.TeamJoin
	judge   word
}

// fan checks a fork.
func (b *teamBuilder) fan(f fan, states []string) core.TeamEdge {
	edge := core.TeamEdge{Join: f.join, Judge: b.known(f.judge, f.key+"judge")}
	agents := map[string]string{} // and the target of each
	for _, target := range f.targets {
		name := b.state(target, states, f.key+"targets")
		edge.Targets = append(edge.Targets, name)
		at := slices.IndexFunc(b.file.Selection.States, func(n teamNode) bool { return n.Name == name })
		switch {
		case at < 0:
			continue
		case name == f.to.text:
			b.fail(target.at, "the state after the branches is another one", "%stargets: %q is also the state after the branches", f.key, name)
		case b.file.Selection.States[at].Agent.text == "":
			b.fail(target.at, "", "%stargets: the state %q has no agent", f.key, name)
		}
		agents[b.file.Selection.States[at].Agent.text] = name
	}
	switch {
	case len(f.targets) == 0 && (f.join != "" || edge.Judge != ""):
		b.fail(f.at, "such as targets: [left, right]", "a %s with join or judge needs targets", f.of)
	case len(agents) < len(f.targets):
		b.fail(f.at, "the states of targets need agents that differ", "%stargets: two of the states have the same agent", f.key)
	case (f.join == core.JoinJudge || f.join == core.JoinRanking) && edge.Judge == "":
		b.fail(f.at, "one of: "+strings.Join(b.names, ", "), "the join %s needs a judge", f.join)
	}
	return edge
}

func (b *teamBuilder) state(w word, states []string, key string) string {
	if w.text != "" && !slices.Contains(states, w.text) {
		b.fail(w.at, "one of: "+strings.Join(states, ", "), "%s: unknown state %q", key, w.text)
	}
	return w.text
}

func (b *teamBuilder) pattern(w word) string {
	if _, err := regexp.Compile(w.text); err != nil {
		b.fail(w.at, "a regular expression of Go", "invalid pattern %q: %v", w.text, err)
	}
	return w.text
}

func (b *teamBuilder) field(f *fieldTest) *core.FieldTest {
	if f.at == 0 {
		return nil
	}
	set := 0
	for _, is := range []bool{f.Is != "", f.IsNot != "", f.Contains != "", f.Exists.is != nil} {
		if is {
			set++
		}
	}
	if f.Field == "" || set != 1 {
		b.fail(f.at, "such as {field: verdict, is: approved}", "a condition on a field needs field and one of is, is_not, contains, exists")
	}
	return &core.FieldTest{Field: f.Field, Is: f.Is, IsNot: f.IsNot, Contains: f.Contains, Exists: f.Exists.is}
}

func (b *teamBuilder) gates(files []teamGate) []core.TeamGate {
	var gates []core.TeamGate
	for i := range files {
		g := &files[i]
		gate := core.TeamGate{
			Wrote: g.Wrote, Passed: g.Passed, Command: g.Command, Approve: g.Approve, Exists: g.Exists, WroteListed: g.WroteListed, PassedListed: g.PassedListed,
			Report: g.Report, Judged: g.Judged, Fields: g.Fields, OrPassed: g.OrPassed, Session: g.Session, Brief: g.Brief, Checks: g.Checks,
		}
		for _, w := range g.Assertions {
			gate.Assertions = append(gate.Assertions, b.pattern(w))
		}
		set := 0
		for _, text := range []string{gate.Wrote, gate.Passed, gate.Command, gate.Approve, gate.Exists, gate.WroteListed, gate.PassedListed, gate.Report, gate.Judged} {
			if text != "" {
				set++
			}
		}
		if _, err := path.Match(gate.Wrote, ""); set != 1 || err != nil {
			b.fail(g.at, `one of: {wrote: "*.go"}, {passed: go test}, {command: make check}, {approve: Publish it?}, {exists: plan.json, fields: [goal]}`, "invalid gate: want exactly one check")
		}
		b.checkGate(g, &gate)
		gates = append(gates, gate)
	}
	return gates
}

// checkGate finds keys of a gate that have no effect, and files outside of the workspace.
func (b *teamBuilder) checkGate(g *teamGate, gate *core.TeamGate) {
	for _, file := range []string{gate.Exists, gate.WroteListed, gate.PassedListed, gate.Report, gate.Brief} {
		if file != "" && !filepath.IsLocal(filepath.FromSlash(file)) {
			b.fail(g.at, "a path relative to the workspace", "gate: %s is not in the workspace", file)
		}
	}
	listed := gate.WroteListed != "" || gate.PassedListed != ""
	for _, c := range []struct {
		key  string
		lost bool
		hint string
	}{
		{"fields", len(gate.Fields) > 0 && gate.Exists == "" && !listed, "exists, wrote_listed or passed_listed"},
		{"or_passed", gate.OrPassed != "" && gate.Wrote == "", "wrote"},
		{"session", gate.Session && gate.Wrote == "" && gate.Passed == "", "wrote or passed"},
		{"brief", gate.Brief != "" && gate.Report == "" && gate.Judged == "", "report or judged"},
		{"checks", len(gate.Checks) > 0 && gate.Report == "", "report"},
		{"assertions", len(gate.Assertions) > 0 && gate.Report == "", "report"},
	} {
		if c.lost {
			b.fail(g.at, "write it beside "+c.hint, "gate: %s needs %s", c.key, c.hint)
		}
	}
	if listed && len(gate.Fields) == 0 {
		b.fail(g.at, "such as fields: [files_to_change]", "gate: wrote_listed and passed_listed need fields")
	}
}

// set reports whether a condition has anything but Any and All.
func (c *condition) set() bool { return c.count() > 0 || len(c.Agents) > 0 || c.Question != "" }

// count returns how many conditions it is.
func (c *condition) count() int {
	n := 0
	for _, is := range []bool{c.Pattern.text != "", c.Field.at > 0, c.Judge.text != "", c.MaxTurns > 0, c.MaxTokens > 0, c.MaxCost > 0, c.MaxTime > 0} {
		if is {
			n++
		}
	}
	return n
}

func (b *teamBuilder) end(e *teamEnd) *core.TeamCondition {
	return b.group(&e.condition, len(e.Any), len(e.All), func(i int) *core.TeamCondition { return b.inner(&e.Any[i]) }, func(i int) *core.TeamCondition { return b.inner(&e.All[i]) })
}

func (b *teamBuilder) inner(c *conditions) *core.TeamCondition {
	return b.group(&c.condition, len(c.Any), len(c.All), func(i int) *core.TeamCondition { return b.condition(&c.Any[i]) }, func(i int) *core.TeamCondition { return b.condition(&c.All[i]) })
}

// group returns a condition that joins others, or is one.
func (b *teamBuilder) group(own *condition, anys, alls int, anyOf, allOf func(int) *core.TeamCondition) *core.TeamCondition {
	if anys+alls == 0 {
		return b.condition(own)
	}
	if own.set() || anys > 0 && alls > 0 {
		b.fail(own.at, "put the conditions into the list of any or of all", "termination: one of any, all, or one condition")
	}
	c := &core.TeamCondition{}
	for i := range anys {
		c.Any = append(c.Any, *anyOf(i))
	}
	for i := range alls {
		c.All = append(c.All, *allOf(i))
	}
	return c
}

func (b *teamBuilder) condition(c *condition) *core.TeamCondition {
	if c.count() != 1 {
		b.fail(c.at, "join conditions with any or all: pattern, field, judge, max_turns, max_tokens, max_cost, max_time", "termination: want one condition, found %d", c.count())
	}
	if c.Judge.text != "" && c.Question == "" {
		b.fail(c.at, "such as: Is the text ready to be published?", "termination: a judge needs a question")
	}
	return &core.TeamCondition{
		Pattern: b.pattern(c.Pattern), Agents: b.knownAll(c.Agents, "termination.agents"), Field: b.field(&c.Field), Judge: b.known(c.Judge, "termination.judge"),
		Question: c.Question, MaxTurns: c.MaxTurns, MaxTokens: c.MaxTokens, MaxCostNanoUSD: int64(c.MaxCost), MaxMs: c.MaxTime.Milliseconds(),
	}
}

// whole finds what no single value shows.
func (b *teamBuilder) whole(t *core.Team) {
	s := &t.Selection
	at := cmp.Or(b.file.Selection.at, 1)
	need := func(missing bool, hint, format string, args ...any) {
		if missing {
			b.fail(at, hint, "selection: "+format, args...)
		}
	}
	switch s.Strategy {
	case core.SelectKeyword, core.SelectStructured:
		need(len(s.Routes) == 0, "such as routes: [{signal: DONE, to: reviewer}]", "the strategy %s needs routes", s.Strategy)
	case core.SelectLLM, core.SelectPlanner:
		need(s.Manager == "", "one of: "+strings.Join(b.names, ", "), "the strategy %s needs a manager", s.Strategy)
		need(len(t.Agents) < 2, "", "the strategy %s needs an agent besides the manager", s.Strategy)
	case core.SelectMapReduce:
		need(s.Splitter == "" || s.Mapper == "" || s.Reducer == "", "one of: "+strings.Join(b.names, ", "), "the strategy map_reduce needs a splitter, a mapper and a reducer")
	case core.SelectAdversarial:
		need(len(s.Stages) > 0 && s.Author+s.Critic != "", "write all pairs below stages", "author and critic are given beside stages")
		need(len(s.Stages) == 0 && (s.Author == "" || s.Critic == "" || s.Author == s.Critic), "one of: "+strings.Join(b.names, ", "), "the strategy adversarial needs an author and a critic")
	case core.SelectStateMachine:
		need(len(s.States) == 0, "such as states: [{name: draft, agent: writer, transitions: [{to: review}]}]", "the strategy state_machine needs states")
		need(len(s.States) > 0 && !reachesEnd(s) && t.Termination == nil, "give a state terminal: true, or no transitions; or write a termination", "no state ends the work, and there is no termination")
	case core.SelectGraph:
		need(len(s.States) == 0, "such as states: [{name: draft, agent: writer}, {name: review, agent: critic, after: [draft]}]", "the strategy graph needs states")
		if cycle := team.Cycle(s.States); cycle != nil {
			need(true, "use transitions with a signal for the way back", "the nodes are in a circle: %s", strings.Join(cycle, " after "))
		}
		for i := range s.States {
			for _, edge := range s.States[i].Transitions {
				need(edge.Signal == "" && edge.When == nil, "such as {to: draft, signal: REVISE, max_revisits: 3}", "the way back from %s to %s needs a signal or when", s.States[i].Name, edge.To)
			}
			need(s.States[i].Agent == "", "", "the node %s needs an agent", s.States[i].Name)
			need(len(s.States[i].Targets) > 0, "use the strategy state_machine", "nodes of a graph have no targets")
		}
	case core.SelectParallel:
		need(s.Join == "", "one of: "+lists.Join(core.TeamJoins()), "the strategy parallel needs join")
		need((s.Join == core.JoinJudge || s.Join == core.JoinRanking) && s.Judge == "", "one of: "+strings.Join(b.names, ", "), "the join %s needs a judge", s.Join)
	case core.SelectSequential, core.SelectRoundRobin:
	}
	if b.endless(t) {
		b.fail(at, fmt.Sprintf("write a termination, such as {max_turns: 6}; without one the team stops after %d turns", team.MaxTurns), "the team never ends: the strategy round_robin needs a termination")
	}
}

// endless reports whether nothing but the limit of turns ends the work.
func (b *teamBuilder) endless(t *core.Team) bool {
	return t.Selection.Strategy == core.SelectRoundRobin && t.Termination == nil && t.Limits == (core.Budget{})
}

// reachesEnd reports whether a state machine has an end, or something else ends it.
func reachesEnd(s *core.TeamSelection) bool {
	return slices.ContainsFunc(s.States, func(n core.TeamNode) bool { return n.Terminal || n.Agent == "" || len(n.Transitions) == 0 })
}
