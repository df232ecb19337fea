package app

import (
	"context"
	"errors"
	"io"
	"strings"
)

// resolveTrust asks the user at the terminal whether a workspace is trusted, the first time it brings something.
func (s *shell) resolveTrust(ctx context.Context, workspace string) error {
	if s.person == nil {
		return nil
	}
	set, err := readSettings(workspace, s.trust)
	if err != nil || !set.trust.isOpen() {
		return err
	}
	answer, err := s.person.askTrust(ctx, &set.trust)
	if err != nil || answer == "" {
		return err
	}
	return s.trust.remember(workspace, set.trust.Digest, answer)
}

// askTrust shows what a workspace brings and asks whether it is trusted; empty where the user does not answer.
func (p *person) askTrust(ctx context.Context, w *WorkspaceTrust) (trustAnswer, error) {
	lines := append([]string{""}, p.trustLines(w)...)
	seen, err := p.showQuestion(ctx, lines)
	if err != nil || !seen {
		return "", err
	}
	p.forgetTyped()
	for {
		word, err := p.ask(ctx, "Trust this workspace?  [y] yes  [o] only now  [n] no: ")
		switch word = strings.ToLower(strings.TrimSpace(word)); {
		case errors.Is(err, io.EOF):
			return "", nil
		case err != nil:
			return "", err
		case word == "y" || word == "yes":
			return trustYes, nil
		case word == "o" || word == "once":
			return trustOnce, nil
		case word == "n" || word == "no":
			return trustNo, nil
		}
	}
}

// trustLines returns what a workspace brings as lines of the screen, nothing of it cut.
func (p *person) trustLines(w *WorkspaceTrust) []string {
	lines := p.exactLines("The workspace "+w.Workspace+" has settings of its own, or MCP servers would start in it:", "", bold)
	for _, one := range w.Brings {
		lines = append(lines, p.exactLines(one.words(), lineIndent, "")...)
	}
	return append(lines, p.exactLines("None of this is used in a workspace that you do not trust; its instructions are shown to the model as text of the repository. "+
		"MCP servers run outside the sandbox of commands.", "", dim)...)
}

// words returns a contribution as one line.
func (c *Contribution) words() string {
	kinds := map[string]string{bringsSetting: "setting", bringsAgent: "agent", bringsServer: "MCP server", bringsInstructions: "instructions"}
	line := kinds[c.Kind] + " " + c.Name
	if c.Detail != "" {
		line += ": " + c.Detail
	}
	if c.Source != "" {
		line += "  (" + c.Source + ")"
	}
	return line
}
