package term

import (
	"context"
	"errors"
	"io"
	"strings"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render/plain"
)

// ReviewQuestion is the question after each answer of a run with --hitl.
const ReviewQuestion = "[HITL] Press Enter to continue, type a message to inject it, or 'q' to quit:"

// permit asks the user whether a call may run.
func (p *Prompter) permit(ctx context.Context, heard *signals, q engine.Question) (engine.Answer, error) {
	p.forgetTyped()
	p.Write("\n")
	seen, err := p.showQuestion(ctx, heard, p.questionLines(&q))
	if err != nil || !seen {
		return engine.Answer{Decision: core.DecisionDeny, Scope: core.ScopeOnce}, err
	}
	p.forgetTyped()
	choices, legend := permissionChoices(&q.Access)
	for {
		word, err := p.key(ctx, heard, legend)
		if errors.Is(err, io.EOF) {
			return engine.Answer{Decision: core.DecisionDeny, Scope: core.ScopeOnce}, nil
		}
		if err != nil {
			return engine.Answer{}, err
		}
		scope, known := choices[word]
		switch {
		case word == "n":
			reason, err := p.Ask(ctx, "Why not? The model is told (Enter: no reason): ")
			if err != nil && !errors.Is(err, io.EOF) {
				return engine.Answer{}, err
			}
			return engine.Answer{Decision: core.DecisionDeny, Scope: core.ScopeOnce, Reason: strings.TrimSpace(reason)}, nil
		case !known:
			continue
		}
		answer := engine.Answer{Decision: core.DecisionAllow, Scope: scope}
		if covered := engine.Coverage(&q.Access); scope != core.ScopeOnce && len(covered) > 0 {
			answer.Wide, err = p.widen(ctx, heard, covered)
		}
		return answer, err
	}
}

// permissionChoices returns the keys that permit a call, with their scopes, and a legend of these keys. A risky call is
// asked about every time, so only "once" is offered for it.
func permissionChoices(a *core.Access) (choices map[string]core.ApprovalScope, legend string) {
	if a.Risk != "" {
		return map[string]core.ApprovalScope{"y": core.ScopeOnce}, "[y] once  [n] no: "
	}
	if a.NamesFiles() { // a file of this workspace, so "always" is not offered
		return map[string]core.ApprovalScope{
			"y": core.ScopeOnce, "s": core.ScopeSession, "w": core.ScopeWorkspace,
		}, "[y] once  [s] this session  [w] this workspace  [n] no: "
	}
	return map[string]core.ApprovalScope{
		"y": core.ScopeOnce, "s": core.ScopeSession, "w": core.ScopeWorkspace, "a": core.ScopeAlways,
	}, "[y] once  [s] this session  [w] this workspace  [a] always  [n] no: "
}

// widen asks whether a permission that is stored may cover more than the call.
func (p *Prompter) widen(ctx context.Context, heard *signals, covered []string) (wide bool, err error) {
	for i, words := range covered {
		covered[i] = plain.ExactText(words)
	}
	for {
		word, err := p.key(ctx, heard, "Remember it for  [p] "+strings.Join(covered, ", ")+"  [t] this only: ")
		switch {
		case errors.Is(err, io.EOF), err == nil && word == "t":
			return false, nil
		case err != nil:
			return false, err
		case word == "p":
			return true, nil
		}
	}
}

// review asks the user after an answer whether the run continues.
func (p *Prompter) review(ctx context.Context, _ core.Message) (engine.Review, error) {
	p.forgetTyped()
	word, err := p.Ask(ctx, "\n"+ReviewQuestion+" ")
	if errors.Is(err, io.EOF) {
		return engine.Review{Quit: true}, nil
	}
	word = strings.TrimSpace(word)
	if strings.EqualFold(word, "q") {
		return engine.Review{Quit: true}, err
	}
	return engine.Review{Text: word}, err
}
