package term

import (
	"context"
	"errors"
	"io"

	"coppice/app/internal/present"
	"coppice/backend/config"
)

// ResolveTrust asks the user at the terminal whether a workspace is trusted, unless the user has answered before or
// the workspace contributes no settings, agents, commands, skills, MCP servers or instructions.
func (s *Shell) ResolveTrust(ctx context.Context, workspace string) error {
	if s.Prompter == nil {
		return nil
	}
	set, err := config.Read(workspace, s.Trust)
	if err != nil || !set.Trust.IsOpen() {
		return err
	}
	answer, err := s.Prompter.askTrust(ctx, s.Signals, &set.Trust)
	if err != nil || answer == "" {
		return err
	}
	return s.Trust.Remember(workspace, set.Trust.Digest, answer)
}

// askTrust shows what a workspace contributes and asks whether it is trusted. The answer is empty if the user does not
// answer.
func (p *Prompter) askTrust(ctx context.Context, heard *signals, w *config.WorkspaceTrust) (config.Answer, error) {
	lines := append([]string{""}, p.trustLines(w)...)
	seen, err := p.showQuestion(ctx, heard, lines)
	if err != nil || !seen {
		return "", err
	}
	p.forgetTyped()
	for {
		word, err := p.key(ctx, heard, "Trust this workspace?  [y] yes  [o] only now  [n] no: ")
		switch {
		case errors.Is(err, io.EOF):
			return "", nil
		case err != nil:
			return "", err
		case word == "y":
			return config.AnswerYes, nil
		case word == "o":
			return config.AnswerOnce, nil
		case word == "n":
			return config.AnswerNo, nil
		}
	}
}

// trustLines returns what a workspace contributes as lines of the screen, uncut.
func (p *Prompter) trustLines(w *config.WorkspaceTrust) []string {
	lines := p.exactLines("The workspace "+w.Workspace+" brings its own settings, commands or skills, or MCP servers would start in it:", "", present.Bold)
	for _, one := range w.Brings {
		lines = append(lines, p.exactLines(ContributionLine(&one), lineIndent, "")...)
	}
	return append(lines, p.exactLines("None of this is used in a workspace that you do not trust; its instructions are shown to the model as text of the repository. "+
		"MCP servers run outside the sandbox of commands.", "", present.Dim)...)
}

// ContributionLine returns what a workspace contributes as one line.
func ContributionLine(c *config.Contribution) string {
	kinds := map[string]string{config.ContributesSetting: "setting", config.ContributesAgent: "agent", config.ContributesTeam: "team", config.ContributesCommand: "command", config.ContributesSkill: "skill", config.ContributesServer: "MCP server", config.ContributesInstructions: "instructions"}
	line := kinds[c.Kind] + " " + c.Name
	if c.Detail != "" {
		line += ": " + c.Detail
	}
	if c.Source != "" {
		line += "  (" + c.Source + ")"
	}
	return line
}
