package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"coppice/backend/core"
)

// verdict is the decision of the rules on a call before the user is asked.
type verdict struct {
	decision core.Decision // empty: the user must decide
	reason   string        // of a refusal, for the model
	unasked  bool          // allowed only because it reads
}

// judge applies the rules in order: what is never done, what was refused for good, what only reads in a read-only mode,
// what was permitted, and then what the mode allows.
func judge(mode core.Mode, tool string, a *core.Access, approvals []core.Approval) verdict {
	if a.Forbidden != "" {
		return verdict{decision: core.DecisionDeny, reason: a.Forbidden}
	}
	if reason, refused := refusal(tool, a, approvals); refused {
		return verdict{decision: core.DecisionDeny, reason: reason}
	}
	quiet := a.Safe || a.Effect == core.EffectNone || a.Effect == core.EffectRead
	switch {
	case mode == core.ModePlan && !quiet && a.Effect != core.EffectNetwork:
		return verdict{decision: core.DecisionDeny, reason: "this mode allows no changes: only read, and describe what you would change"}
	case mode == core.ModeYolo:
		return verdict{decision: core.DecisionAllow}
	case a.Risk != "":
		return verdict{}
	case permitted(tool, a, approvals), a.Effect == core.EffectNone:
		return verdict{decision: core.DecisionAllow}
	case quiet && mode != core.ModeConfirmAll:
		return verdict{decision: core.DecisionAllow, unasked: true}
	}
	return verdict{}
}

// refusal returns the reason of a stored refusal of any of the targets.
func refusal(tool string, a *core.Access, approvals []core.Approval) (reason string, refused bool) {
	for _, word := range approvals {
		if word.Decision != core.DecisionDeny || word.Tool != tool {
			continue
		}
		for _, target := range a.Targets {
			if word.Matcher == "*" || covers(word.Matcher, target) {
				return word.Reason, true
			}
		}
	}
	return "", false
}

// permitted reports whether every target is covered by a stored permission.
func permitted(tool string, a *core.Access, approvals []core.Approval) bool {
	for _, target := range a.Targets {
		covered := false
		for _, word := range approvals {
			covered = covered || word.Decision == core.DecisionAllow && word.Tool == tool && covers(word.Matcher, target)
		}
		if !covered {
			return false
		}
	}
	return len(a.Targets) > 0
}

// covers reports whether a matcher covers a target: "go test *" covers go test and go test ./core, "docs/**" covers every file below
// docs, "./**" every file of the workspace, and anything else only itself. "*", which earlier versions stored for every file of every
// workspace, permits nothing any more.
func covers(matcher, target string) bool {
	if matcher == target || matcher == core.EveryFile {
		return true
	}
	if command, ok := strings.CutSuffix(matcher, " *"); ok {
		return target == command || strings.HasPrefix(target, command+" ")
	}
	if folder, ok := strings.CutSuffix(matcher, "/**"); ok {
		return strings.HasPrefix(target, folder+"/")
	}
	return false
}

// matchers returns what an answer is stored for: each target, or what its prefix covers.
func matchers(a *core.Access, wide bool) []string {
	all := []string{}
	for i, target := range a.Targets {
		matcher := target
		if wide && i < len(a.Prefixes) && a.Prefixes[i] != "" {
			matcher = a.Prefixes[i]
			if !a.NamesFiles() {
				matcher += " *"
			}
		}
		all = append(all, matcher)
	}
	return all
}

// Coverage describes what a permission for the prefixes of a call covers, for the user; nothing if some target has no prefix.
func Coverage(a *core.Access) []string {
	words := []string{}
	for i := range a.Targets {
		if i >= len(a.Prefixes) || a.Prefixes[i] == "" {
			return []string{}
		}
		prefix := a.Prefixes[i]
		folder, isFolder := strings.CutSuffix(prefix, "/**")
		switch {
		case prefix == core.EveryFile:
			words = append(words, "every file of this workspace")
		case a.NamesFiles() && isFolder:
			words = append(words, "every file below "+folder+"/ of this workspace")
		case a.Effect == core.EffectNetwork:
			words = append(words, "every page of "+prefix)
		default:
			words = append(words, "every command that begins with "+prefix)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

// permit decides on a call and asks the user if the rules leave it open. reason is why not, for the model.
func (r *run) permit(ctx context.Context, call *core.ToolCall, a *core.Access) (allowed bool, reason string, err error) {
	v := judge(r.task.Mode, call.Name, a, r.approvals)
	if v.decision != "" {
		call.Unasked = v.unasked
		return v.decision == core.DecisionAllow, v.reason, nil
	}
	q := Question{SessionID: r.row.SessionID, RunID: r.row.ID, Call: *call, Access: *a}
	if r.task.Ask == nil {
		r.refused = append(r.refused, Refusal{Tool: call.Name, Title: a.Title}) // by one goroutine: only permitted calls run in parallel
		r.emit(Event{
			Type: EventNotice, Question: &q,
			Text: "permission denied, as no user is available to approve it: " + a.Title + " (the mode yolo permits everything, or permit it once in the window or at a terminal)",
		})
		return false, "no user is available to approve this call. Continue without it, or explain what you need.", nil
	}
	r.emit(Event{Type: EventQuestion, Question: &q})
	answer, err := awaitUser(ctx, r, func(ctx context.Context) (Answer, error) { return r.task.Ask(ctx, q) })
	r.emit(Event{Type: EventAnswered, Question: &q})
	if err != nil {
		return false, "", err
	}
	return answer.Decision == core.DecisionAllow, answer.Reason, r.remember(ctx, &q, answer)
}

// remember stores an answer that is valid for more than this call. A risky call is asked about each time, but a refusal
// of it is stored.
func (r *run) remember(ctx context.Context, q *Question, answer Answer) error {
	if answer.Scope == core.ScopeOnce || answer.Scope == "" || q.Access.Risk != "" && answer.Decision == core.DecisionAllow {
		return nil
	}
	scope := answer.Scope
	if scope == core.ScopeAlways && q.Access.NamesFiles() {
		scope = core.ScopeWorkspace // the same path is another file elsewhere
	}
	for _, matcher := range matchers(&q.Access, answer.Wide) {
		word := core.Approval{
			ID: core.NewID(r.Now()), Scope: scope, SessionID: r.row.SessionID, WorkspacePath: r.row.WorkspacePath, Tool: q.Call.Name,
			Matcher: matcher, Decision: answer.Decision, Reason: answer.Reason, CreatedAtMs: r.Now(),
		}
		if err := r.Store.Approve(context.WithoutCancel(ctx), word); err != nil {
			return err
		}
		r.approvals = append(r.approvals, word)
	}
	return nil
}

// isStop reports whether an error only means that the run is to stop.
func isStop(err error) bool {
	_, interrupted := errors.AsType[Interrupt](err)
	return interrupted || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || core.CodeOf(err) == core.Canceled
}
