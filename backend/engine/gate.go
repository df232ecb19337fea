package engine

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"coppice/backend/core"
	"coppice/backend/team"
)

// noUser is why a gate fails that no user was available to decide. The agent cannot mend that, so the run ends.
const noUser = "no user is available to approve it"

// failedOutputRunes is how much of the output of a failed command the agent is sent.
const failedOutputRunes = 2000

// maxGateFileBytes is the size of the largest file that a gate reads.
const maxGateFileBytes = 1 << 20

// checkGates checks what a turn has to pass before the work is handed over. why is empty if it passes.
func (r *run) checkGates(ctx context.Context, gates []core.TeamGate, turn team.Turn) (why string, err error) {
	for i := range gates {
		switch gate := &gates[i]; {
		case team.NeedsEvidence(gate):
			why, err = r.checkEvidence(ctx, gate, turn)
		case gate.Command != "":
			why, err = r.checkCommand(ctx, gate.Command)
		case gate.Approve != "":
			why, err = r.checkApproval(ctx, gate.Approve)
		}
		if err != nil || why != "" {
			return why, err
		}
	}
	return "", nil
}

// checkEvidence checks a gate against the files of the workspace and what the session has done.
func (r *run) checkEvidence(ctx context.Context, gate *core.TeamGate, turn team.Turn) (why string, err error) {
	root, err := os.OpenRoot(r.task.WorkspacePath)
	if err != nil {
		return "the workspace cannot be opened: " + err.Error(), nil
	}
	defer func() { _ = root.Close() }()
	evidence := team.Evidence{Read: func(name string) ([]byte, error) { return readGateFile(root, name) }}
	if gate.Exists == "" && gate.Judged == "" {
		path, err := r.path(ctx)
		if err != nil {
			return "", err
		}
		var session team.Turn
		for i := range path {
			if m := &path[i]; m.Role == core.RoleAssistant && len(ownCalls(m)) > 0 {
				if err := r.gather(ctx, m, path[i+1:], &session); err != nil {
					return "", err
				}
			}
		}
		evidence.Wrote, evidence.Passed = session.Wrote, session.Passed
	}
	return team.Check(gate, &turn, &evidence), nil
}

// readGateFile reads a file of the workspace.
func readGateFile(root *os.Root, name string) ([]byte, error) {
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxGateFileBytes+1))
	if err == nil && len(data) > maxGateFileBytes {
		err = core.E(core.Invalid, "it is larger than %d bytes", maxGateFileBytes)
	}
	return data, err
}

func (r *run) checkApproval(ctx context.Context, question string) (why string, err error) {
	if r.task.Ask == nil {
		r.refused = append(r.refused, Refusal{Tool: handoffName, Title: question})
		r.emit(Event{Type: EventNotice, Text: "stopped, as no user is available to approve the hand-over: " + question})
		return noUser, nil
	}
	approved, err := r.approve(ctx, question)
	if err == nil && !approved {
		why = "the user has refused: " + question
	}
	return why, err
}

// approve asks the user a question.
func (r *run) approve(ctx context.Context, question string) (bool, error) {
	q := Question{
		SessionID: r.row.SessionID, RunID: r.row.ID, Call: core.ToolCall{SessionID: r.row.SessionID, Name: handoffName, Arguments: json.RawMessage("{}")},
		Access: core.Access{Effect: core.EffectNone, Title: question, Risk: "the team asks for your decision"},
		Gate:   true,
	}
	r.emit(Event{Type: EventQuestion, Question: &q})
	answer, err := awaitUser(ctx, r, func(ctx context.Context) (Answer, error) { return r.task.Ask(ctx, q) })
	r.emit(Event{Type: EventAnswered, Question: &q})
	return answer.Decision == core.DecisionAllow, err
}

// checkCommand runs a command that must succeed. It needs the permission that a call of the agent would need; an agent that only plans
// does not run it by itself, so that the user is asked.
func (r *run) checkCommand(ctx context.Context, command string) (why string, err error) {
	tool := r.task.Team.Command
	arguments, err := json.Marshal(map[string]string{"command": command})
	if err != nil || tool == nil {
		return "the command " + command + " cannot be run", err
	}
	access, err := tool.Access(ctx, arguments)
	if err != nil {
		return "the command " + command + " cannot be run: " + err.Error(), nil
	}
	call := core.ToolCall{SessionID: r.row.SessionID, ID: core.NewID(r.Now()), Name: tool.Spec().Name, Arguments: arguments}
	if r.task.Mode == core.ModePlan {
		r.task.Mode = core.ModeConfirmSensitive
		defer func() { r.task.Mode = core.ModePlan }()
	}
	refusals := len(r.refused)
	allowed, reason, err := r.permit(ctx, &call, &access)
	switch {
	case err != nil:
		return "", err
	case !allowed && len(r.refused) > refusals:
		return noUser, nil
	case !allowed:
		return "the command " + command + " was not permitted: " + reason, nil
	}
	result := protect(ctx, tool, call)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if !result.IsError {
		r.emit(Event{Type: EventNotice, Text: "gate passed: " + command})
		return "", nil
	}
	r.emit(Event{Type: EventNotice, Text: "gate failed: " + command})
	return "the command " + command + " fails:\n" + core.Cut(strings.TrimSpace(textOf(result.Parts)), failedOutputRunes), nil
}
