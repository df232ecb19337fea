package term

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term/markdown"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/team"
)

// chatCommand is a command of a chat: a line that begins with a slash.
type chatCommand struct {
	name  string
	takes string // the argument; empty: none
	does  string
	run   func(c *chat, ctx context.Context, rest string) error
}

func chatCommands() []chatCommand {
	return []chatCommand{
		{"tree", "", "show the tree of turns", (*chat).tree},
		{"branch", "NODE", "go back to n1, m3 or a label; your next prompt begins a branch there", (*chat).branch},
		{"label", "TEXT", "name this point of the tree", (*chat).label},
		{"checkpoint", "[NAME]", "name this point to return to, or show its checkpoints", (*chat).checkpoint},
		{"checkpoints", "", "list the checkpoints: each answer is one", (*chat).checkpoints},
		{"restore", "CHECKPOINT", "go back to a checkpoint with its model, mode and limits; /restore --undo returns", (*chat).restore},
		{"retry", "", "let the model answer again, beside its last answer", (*chat).retry},
		{"edit", "[TEXT]", "write your last prompt differently, beside it", (*chat).edit},
		{"continue", "", "let the model continue where it was stopped", (*chat).continueRun},
		{"model", "[PROVIDER/MODEL]", "show the model, or use another one; NAME=PROVIDER/MODEL for an agent of the team", (*chat).model},
		{"skip", "NAME", "give an agent of the team no turns; also while it works", (*chat).skip},
		{"unskip", "NAME", "give it turns again", (*chat).unskip},
		{"add", "NAME", "add an agent to the team; also while it works", (*chat).add},
		{"agent", "[NAME]", "show the agents, or use another one", (*chat).agent},
		{"mode", "[MODE]", "show which calls need your permission, or change that", (*chat).mode},
		{"tools", "", "list the tools of the agent", (*chat).tools},
		{"cost", "", "show tokens and cost, by model and by agent", (*chat).cost},
		{"compact", "[FOCUS]", "replace the old part of the context by a summary; FOCUS is what it should keep", (*chat).compactContext},
		{"context", "", "show what the next request contains, in tokens", (*chat).context},
		{"details", "", "print the reasoning and the output of the last turn, unfolded", (*chat).details},
		{"image", "FILE", "add an image to the next prompt", (*chat).image},
		{"team", "[TEAM]", "show the team, or let one work", (*chat).team},
		{"export", "[FILE]", "write this path to a file: .md .html .json .jsonl", (*chat).export},
		{"sessions", "", "list the newest sessions", (*chat).sessions},
		{"resume", "[ID]", "continue another session; without ID, choose one", (*chat).resume},
		{"help", "", "show this", (*chat).help},
		{"quit", "", "end the chat", func(*chat, context.Context, string) error { return quit{} }},
	}
}

// command runs the command on a line that begins with a slash.
func (c *chat) command(ctx context.Context, text string) error {
	name, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "/")), " ")
	name, rest = strings.ToLower(name), strings.TrimSpace(rest)
	if name == "exit" || name == "q" {
		name = "quit"
	}
	for _, command := range chatCommands() {
		if command.name != name {
			continue
		}
		switch {
		case rest != "" && command.takes == "":
			return core.E(core.Invalid, "/%s takes no argument", name)
		case rest == "" && command.takes != "" && !strings.HasPrefix(command.takes, "["):
			return core.E(core.Invalid, "/%s needs %s", name, command.takes)
		}
		return command.run(c, ctx, rest)
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if prompt, own := c.ready.env.Expand(text); own != nil {
		c.Say("%s", c.paint(present.Dim, "· "+own.Source))
		return c.send(ctx, prompt, "", false)
	}
	return core.E(core.Invalid, "unknown command /%s", name).WithHint("/help lists them; a prompt may begin with a slash after a space")
}

func (c *chat) help(ctx context.Context, _ string) error {
	if err := c.prepare(ctx); err != nil { // the built-in commands work anyway
		c.Report(err)
	}
	t := present.Table{Columns: []present.Column{{Title: "COMMAND"}, {Title: "DOES", Flex: true}}}
	longest := 0
	for _, command := range chatCommands() {
		longest = max(longest, len("/"+command.name+" "+command.takes))
	}
	for _, command := range chatCommands() {
		does := []string{command.does}
		if c.Width > 0 {
			does = markdown.Wrap(command.does, c.Width-longest-2)
		}
		for i, line := range does {
			name := ""
			if i == 0 {
				name = strings.TrimSpace("/" + command.name + " " + command.takes)
			}
			t.Add(name, line)
		}
	}
	for _, own := range c.ownCommands() {
		does := own.Description
		if isBuiltIn(own.Name) {
			does = "not used: a built-in command has this name"
		}
		t.Add(present.OneLine("/"+own.Name+" "+own.Takes), present.OneLine(does)+" ("+own.Source+")")
	}
	return t.Write(c.Out, c.Width)
}

// ownCommands returns the commands that the user, or a trusted workspace, has defined.
func (c *chat) ownCommands() []config.Command {
	if c.ready == nil {
		return nil
	}
	return c.ready.env.Commands
}

func isBuiltIn(name string) bool {
	return slices.ContainsFunc(chatCommands(), func(command chatCommand) bool { return command.name == name })
}

// there returns a Conflict error if the session has no messages yet.
func (c *chat) there() error {
	if c.session.ID == "" {
		return core.E(core.Conflict, "the chat has no messages yet")
	}
	return nil
}

func (c *chat) tree(ctx context.Context, _ string) error {
	if err := c.there(); err != nil {
		return err
	}
	tree, err := c.db.Tree(ctx, c.session.ID)
	if err != nil {
		return err
	}
	return core.Wrap(core.Unavailable, present.DrawTree(c.Out, tree, c.Width, c.Color), "write the result")
}

func (c *chat) branch(ctx context.Context, ref string) error {
	if err := c.there(); err != nil {
		return err
	}
	node, err := find.Node(ctx, c.db, c.session, ref)
	if err != nil {
		return err
	}
	session, err := c.db.MoveHead(ctx, c.session.ID, node.UID)
	if err != nil {
		return err
	}
	c.session = session
	name := fmt.Sprintf("n%d", node.Turn)
	if strings.HasPrefix(ref, "m") && find.IsNumber(ref[1:]) {
		name = ref
	}
	c.Say("Branched from %s (%s)", name, present.Count(node.Depth+1, "message"))
	return nil
}

func (c *chat) label(ctx context.Context, text string) error {
	if err := c.there(); err != nil {
		return err
	}
	if err := c.db.SetLabel(ctx, c.session.ID, c.session.HeadUID, text); err != nil {
		return err
	}
	c.Say("Labeled current node.")
	return nil
}

// lastPrompt returns the last prompt of the user on the current path.
func (c *chat) lastPrompt(ctx context.Context) (core.Message, error) {
	if err := c.there(); err != nil {
		return core.Message{}, err
	}
	for uid := c.session.HeadUID; uid != ""; {
		m, err := c.db.Message(ctx, c.session.ID, uid)
		if err != nil || m.IsPrompt() {
			return m, err
		}
		uid = m.ParentUID
	}
	return core.Message{}, core.E(core.Conflict, "no prompt on this path")
}

func (c *chat) retry(ctx context.Context, _ string) error {
	prompt, err := c.lastPrompt(ctx)
	if err != nil {
		return err
	}
	return c.send(ctx, "", prompt.UID, false)
}

func (c *chat) edit(ctx context.Context, text string) error {
	prompt, err := c.lastPrompt(ctx)
	if err != nil {
		return err
	}
	if err := c.db.Hydrate(ctx, &prompt); err != nil {
		return err
	}
	if text == "" {
		if c.Prompter == nil {
			return core.E(core.Invalid, "/edit needs the new text without a terminal")
		}
		if text, err = c.line(ctx, "edit> ", present.Text(prompt.Parts)); err != nil || strings.TrimSpace(text) == "" {
			return nil // the user has canceled
		}
	}
	for i := range prompt.Parts {
		if media := prompt.Parts[i].Media; media != nil && media.Blob != "" {
			image, err := launch.StoredImage(ctx, c.db, media)
			if err != nil {
				return err
			}
			c.request.Images = append(c.request.Images, image)
		}
	}
	return c.send(ctx, text, prompt.ParentUID, prompt.ParentUID == "")
}

func (c *chat) continueRun(ctx context.Context, _ string) error {
	if err := c.there(); err != nil {
		return err
	}
	return c.send(ctx, "", "", false)
}

// change prepares a task for a changed request. If that fails, the request and the task stay as they were.
func (c *chat) change(ctx context.Context, change func(*launch.RunRequest)) error {
	request, ready := c.request, c.ready
	change(&c.request)
	c.ready = nil
	if err := c.prepare(ctx); err != nil {
		c.request, c.ready = request, ready
		return err
	}
	if ready != nil {
		ready.release()
	}
	c.Say("%s", c.paint(present.Dim, "· "+strings.Join([]string{c.ready.Agent.Name, c.ready.ModelRef, string(c.ready.Mode)}, " · ")))
	return nil
}

func (c *chat) skip(ctx context.Context, name string) error { return c.changeTeam(ctx, "/skip "+name) }

func (c *chat) unskip(ctx context.Context, name string) error {
	return c.changeTeam(ctx, "/unskip "+name)
}

func (c *chat) add(ctx context.Context, name string) error { return c.changeTeam(ctx, "/add "+name) }

// changeTeam changes the team for the next run, which stores it with the session.
func (c *chat) changeTeam(ctx context.Context, change string) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if c.ready.Team == nil {
		return core.E(core.Conflict, "one agent works alone here").WithHint("begin with --team TEAM")
	}
	return c.change(ctx, func(r *launch.RunRequest) { r.TeamChanges = append(slices.Clip(r.TeamChanges), change) })
}

func (c *chat) model(ctx context.Context, ref string) error {
	if _, ok := team.ParseChange("/model " + ref); ok {
		return c.changeTeam(ctx, "/model "+ref)
	}
	if ref != "" {
		return c.change(ctx, func(r *launch.RunRequest) { r.Model, r.BaseURL = ref, "" })
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	return c.Printf("%s\n", present.OneLine(c.ready.ModelRef))
}

func (c *chat) agent(ctx context.Context, name string) error {
	if name != "" {
		return c.change(ctx, func(r *launch.RunRequest) { r.Agent, r.Mode = name, "" })
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	t := present.Table{Columns: []present.Column{{Title: "AGENT"}, {Title: "DOES", Flex: true}, {Title: ""}}}
	for _, a := range c.ready.env.AllAgents() {
		mark := ""
		if a.Name == c.ready.Agent.Name {
			mark = "◂"
		}
		t.Add(a.Name, present.OneLine(a.Description), mark)
	}
	return t.Write(c.Out, c.Width)
}

func (c *chat) mode(ctx context.Context, mode string) error {
	if mode != "" {
		return c.change(ctx, func(r *launch.RunRequest) { r.Mode = mode })
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	return c.Printf("%s (one of: %s)\n", c.ready.Mode, lists.Join(core.Modes()))
}

func (c *chat) tools(ctx context.Context, _ string) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	t := present.Table{Columns: []present.Column{{Title: "TOOL"}, {Title: "DOES", Flex: true}}}
	for _, tool := range sortedTools(c.ready.Task) {
		does, _, _ := strings.Cut(present.OneLine(tool.Description), ". ")
		t.Add(present.OneLine(tool.Name), strings.TrimSuffix(core.Preview(does, 120), "."))
	}
	return t.Write(c.Out, c.Width)
}

// sortedTools returns the current tools of the agent by name.
func sortedTools(task engine.Task) []core.ToolSpec {
	tools := task.Tools
	if task.Renew != nil {
		tools = task.Renew()
	}
	specs := make([]core.ToolSpec, len(tools))
	for i, tool := range tools {
		specs[i] = tool.Spec()
	}
	slices.SortFunc(specs, func(a, b core.ToolSpec) int { return cmp.Compare(a.Name, b.Name) })
	return specs
}

func (c *chat) compactContext(ctx context.Context, focus string) error {
	if err := c.there(); err != nil {
		return err
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	task := c.ready.Task
	task.SessionID = c.session.ID
	within, finish := c.Signals.within(ctx)
	done, err := c.compact(within, c.ready.env, task, focus)
	finish()
	if err != nil {
		return err
	}
	if c.session, err = c.db.Session(ctx, c.session.ID); err != nil {
		return err
	}
	c.Say("%s", done.Notice())
	return nil
}

func (c *chat) cost(ctx context.Context, _ string) error {
	if err := c.there(); err != nil {
		return err
	}
	costs, err := c.db.ModelCosts(ctx, c.session.ID)
	if err != nil {
		return err
	}
	t := costTable("MODEL")
	var total core.Run
	for i := range costs {
		part := costOf(&costs[i])
		t.Add(costRow(cmp.Or(present.OneLine(costs[i].Model), "unknown"), part)...)
		total.StepCount += part.StepCount
		total.InputTokens += part.InputTokens
		total.OutputTokens += part.OutputTokens
		total.CostNanoUSD += part.CostNanoUSD
		total.UnpricedSteps += part.UnpricedSteps
	}
	if len(costs) > 1 {
		t.Add(costRow("in all", total)...)
	}
	if err := t.Write(c.Out, c.Width); err != nil {
		return err
	}
	return c.agentCosts(ctx)
}

// agentCosts shows what each agent took of a session in which several answer.
func (c *chat) agentCosts(ctx context.Context) error {
	costs, err := c.db.AgentCosts(ctx, c.session.ID)
	if err != nil || len(costs) < 2 {
		return err
	}
	t := costTable("AGENT")
	for i := range costs {
		t.Add(costRow(cmp.Or(present.OneLine(costs[i].Agent), "none"), costOf(&costs[i].ModelCost))...)
	}
	if err := c.Printf("\n"); err != nil {
		return err
	}
	return t.Write(c.Out, c.Width)
}

func costTable(first string) present.Table {
	return present.Table{Columns: []present.Column{
		{Title: first, Flex: true}, {Title: "STEPS", Right: true}, {Title: "IN", Right: true}, {Title: "OUT", Right: true}, {Title: "COST", Right: true},
	}}
}

func costOf(one *core.ModelCost) core.Run {
	part := core.Run{StepCount: one.StepCount, InputTokens: one.InputTokens, OutputTokens: one.OutputTokens, UnpricedSteps: one.UnpricedSteps}
	if one.CostNanoUSD != nil {
		part.CostNanoUSD = *one.CostNanoUSD
	}
	return part
}

func costRow(name string, r core.Run) []string {
	return []string{name, humanize.Comma(r.StepCount), humanize.Comma(r.InputTokens), humanize.Comma(r.OutputTokens), present.Cost(r)}
}

func (c *chat) export(ctx context.Context, file string) error {
	if err := c.there(); err != nil {
		return err
	}
	e := export.Plan{Sessions: []core.Session{c.session}, Format: export.Markdown, Scope: "path"}
	if file == "" {
		return e.To(ctx, c.db, c.Out)
	}
	if ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), "."); ending != "" {
		e.Format = ending
	}
	if err := e.Check(); err != nil {
		return err
	}
	return c.ExportTo(ctx, c.db, e, config.HomePath(file))
}

// listedSessions is the number of sessions that a chat lists.
const listedSessions = 15

func (c *chat) sessions(ctx context.Context, _ string) error {
	sessions, err := c.db.Sessions(ctx, core.SessionFilter{Limit: listedSessions})
	if err != nil {
		return err
	}
	return c.PrintSessions(ctx, c.db, sessions)
}

func (c *chat) resume(ctx context.Context, ref string) (err error) {
	var session core.Session
	if ref == "" {
		if session, err = c.PickSession(ctx, c.db, core.SessionFilter{}); core.CodeOf(err) == core.Canceled && ctx.Err() == nil {
			c.Say("no session was chosen")
			return nil
		}
	} else {
		session, err = find.Session(ctx, c.db, ref)
	}
	if err != nil {
		return err
	}
	c.forget()
	c.session, c.flags.Branch = session, ""
	return c.resumed(ctx)
}
