package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// delegateName is the name of the tool that gives an agent a job.
const delegateName = "task"

// answerRunes is how much of the answer of another agent is returned to the one that gave it the job.
const answerRunes = 20_000

// Delegation lets an agent give jobs to others, each in a session of its own below that of the run.
type Delegation struct {
	// Mode returns what an agent may do by itself.
	Mode func(agent string) core.Mode
	// Prepare returns the task of an agent for a job of a parent, with what it runs with. release frees its resources; it is never nil.
	Prepare func(ctx context.Context, agent string, parent *Task) (task Task, release func(), err error)
}

// Child is where the session of a delegated job is.
type Child struct {
	ID        string // of the session: the same for the same call, so that a job that was interrupted continues
	ParentID  string
	ParentUID string // the message with the call
}

// childID returns the id of the session of a call: a UUIDv7 with the time of the message.
func childID(call *core.ToolCall) string {
	digest := strings.TrimPrefix(core.Hash([]byte(call.SessionID+"\x00"+call.MessageUID+"\x00"+call.ID)), "sha256:")
	at := strings.ReplaceAll(call.MessageUID, "-", "")
	if len(at) < 12 || strings.Trim(at[:12], "0123456789abcdef") != "" {
		at = digest[20:32]
	}
	variant := string("89ab"[digest[3]%4])
	return fmt.Sprintf("%s-%s-7%s-%s%s-%s", at[:8], at[8:12], digest[:3], variant, digest[4:7], digest[8:20])
}

// delegate is the tool that gives an agent a job.
type delegate struct{ run *run }

type delegateArgs struct {
	Agent  string `json:"agent"`
	Prompt string `json:"prompt"`
}

// Spec describes the tool.
func (d delegate) Spec() core.ToolSpec {
	parameters, err := jsontext.Encode(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"agent", "prompt"},
		"properties": map[string]any{
			"agent":  map[string]any{"type": "string", "enum": d.run.task.Agent.Delegates, "description": "Who does the job."},
			"prompt": map[string]any{"type": "string", "description": "The job, with everything that the agent needs to know: it sees nothing of this conversation."},
		},
	})
	if err != nil { // texts are always encoded
		parameters = json.RawMessage(`{"type":"object"}`)
	}
	return core.ToolSpec{
		Name: delegateName, Parameters: parameters,
		Description: "Gives another agent a job of its own, such as to explore a part of the code, and returns its answer. Use it for work whose details you do not need. " +
			"Several jobs of agents that only read run at the same time if you call the tool several times in one answer.",
	}
}

// Access returns what the job may touch: the calls of the agent are permitted one by one.
func (d delegate) Access(_ context.Context, arguments json.RawMessage) (core.Access, error) {
	args, err := d.args(arguments)
	if err != nil {
		return core.Access{}, err
	}
	access := core.Access{
		Effect: core.EffectNone, Idempotent: true, Targets: []string{args.Agent},
		Title: "Ask " + args.Agent + ": " + core.Cut(strings.Join(strings.Fields(args.Prompt), " "), 100), Preview: args.Prompt,
	}
	if strictest(d.run.task.Delegation.Mode(args.Agent), d.run.task.Mode) == core.ModePlan {
		access.Effect = core.EffectRead // so that several run at once
	}
	return access, nil
}

// Run lets the agent do the job. A job that was interrupted continues in its session, and one that was done is not done again.
func (d delegate) Run(ctx context.Context, call core.ToolCall) core.ToolResult {
	args, err := d.args(call.Arguments)
	if err != nil {
		return core.ErrorResult(err.Error())
	}
	parent := d.run.task
	task, release, err := parent.Delegation.Prepare(ctx, args.Agent, parent)
	defer release()
	if err != nil {
		return core.ErrorResult("the job cannot begin: " + err.Error())
	}
	d.restrict(&task)
	child := Child{ID: childID(&call), ParentID: call.SessionID, ParentUID: call.MessageUID}
	prompt := []core.Part{{Type: core.PartText, Text: args.Prompt}}
	session, err := d.run.Store.Session(ctx, child.ID)
	switch {
	case core.CodeOf(err) == core.NotFound:
		task.Child, task.Prompt = &child, prompt
	case err != nil:
		return core.ErrorResult(err.Error())
	default:
		if answer, ok := d.finished(ctx, args.Agent, &session); ok {
			return answer
		}
		task.SessionID = child.ID
		if session.MessageCount == 0 {
			task.Prompt = prompt
		}
	}
	stoppable, stopped, endWatch := d.stoppable(ctx, child.ID)
	result, err := d.run.Run(stoppable, task)
	endWatch()
	session, unread := d.run.Store.Session(context.WithoutCancel(ctx), child.ID)
	if unread != nil {
		return core.ErrorResult("the job failed: " + errorText(err, unread))
	}
	answer := jobAnswer(args.Agent, &session, result.Answer)
	if stopped() && ctx.Err() == nil {
		answer.IsError = true
		answer.Parts = append([]core.Part{{Type: core.PartText, Text: "The user stopped the job. What it did so far:"}}, answer.Parts...)
		return answer
	}
	if err != nil {
		answer.IsError = true
		answer.Parts = append([]core.Part{{Type: core.PartText, Text: "The job failed: " + err.Error()}}, answer.Parts...)
	}
	return answer
}

// stopEvery is how often a job looks whether its end was requested, which any process may do.
const stopEvery = 400 * time.Millisecond

// stoppable returns a context for the job in a session that is cancelled when its end is requested. stopped reports whether it was; end
// frees the resources.
func (d delegate) stoppable(ctx context.Context, sessionID string) (job context.Context, stopped func() bool, end func()) {
	job, cancel := context.WithCancel(ctx)
	var requested atomic.Bool
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(stopEvery)
		defer tick.Stop()
		for {
			select {
			case <-job.Done():
				return
			case <-tick.C:
			}
			if taken, err := d.run.Store.TakeStop(job, sessionID); err == nil && taken { // an error is that of the next write, too
				requested.Store(true)
				cancel()
			}
		}
	})
	return job, requested.Load, func() {
		cancel()
		watching.Wait()
	}
}

func errorText(errs ...error) string {
	for _, err := range errs {
		if err != nil {
			return err.Error()
		}
	}
	return ""
}

// restrict lets a job do no more than its parent: the stricter of both modes, the tools that both have, and what the parent has left of its
// limits. A job gives no jobs itself.
func (d delegate) restrict(task *Task) {
	parent := d.run.task
	task.Mode = strictest(task.Mode, parent.Mode)
	task.Tools = ChooseTools(parent.Agent, ChooseTools(task.Agent, task.Tools))
	task.Renew, task.Delegation, task.Team, task.Observe = nil, nil, nil, nil
	task.Ask, task.HibernateAfterMs = parent.Ask, 0
	spent := d.run.spent
	spent.add(&d.run.row)
	task.Budget.CostNanoUSD = least(task.Budget.CostNanoUSD, parent.Budget.CostNanoUSD, spent.costNanoUSD)
	task.Budget.Tokens = least(task.Budget.Tokens, parent.Budget.Tokens, spent.tokens)
}

// least returns the smaller of a limit and what is left of another one; 0 is no limit.
func least(own, limit, used int64) int64 {
	if limit == 0 {
		return own
	}
	left := max(limit-used, 1)
	if own == 0 {
		return left
	}
	return min(own, left)
}

// jobResult is the result of a job as data.
type jobResult struct {
	SessionID   string      `json:"sessionId"`
	Agent       string      `json:"agent"`
	Status      core.Status `json:"status"`
	StopReason  string      `json:"stopReason"`
	Steps       int64       `json:"steps"`
	Tokens      int64       `json:"tokens"`
	CostNanoUSD *int64      `json:"costNanoUsd"`
}

// finished returns the result of a job that was done before; ok is false if it was not.
func (d delegate) finished(ctx context.Context, agent string, s *core.Session) (answer core.ToolResult, ok bool) {
	path, err := d.run.Store.Conversation(ctx, s.ID, "")
	if err != nil || len(path) == 0 {
		return answer, false
	}
	if _, err := d.run.claim(ctx, s.ID, &Task{}); err != nil { // ends the run of a process that was killed
		return answer, false
	}
	last := &path[len(path)-1]
	return jobAnswer(agent, s, textOf(last.Parts)), last.Role == core.RoleAssistant && isAnswer(last)
}

func jobAnswer(agent string, s *core.Session, answer string) core.ToolResult {
	steps := fmt.Sprintf("%d steps", s.StepCount)
	if s.StepCount == 1 {
		steps = "1 step"
	}
	cost := "cost unknown"
	if nano := s.CostNanoUSD; nano != nil {
		cost = fmt.Sprintf("$%d.%06d", *nano/1_000_000_000, *nano%1_000_000_000/1000)
	}
	result := core.TextResult(fmt.Sprintf("%s\n\n(%s: %s, %d tokens, %s, session %s)", core.Cut(answer, answerRunes), agent, steps, s.InputTokens+s.OutputTokens, cost, s.ID))
	structured, err := json.Marshal(jobResult{s.ID, agent, s.Status, s.StopReason, s.StepCount, s.InputTokens + s.OutputTokens, s.CostNanoUSD})
	if err == nil {
		result.Structured = structured
	}
	return result
}

func (d delegate) args(arguments json.RawMessage) (delegateArgs, error) {
	var args delegateArgs
	if err := json.Unmarshal(arguments, &args); err != nil {
		return args, core.Wrap(core.Invalid, err, "read the arguments")
	}
	if known := d.run.task.Agent.Delegates; !slices.Contains(known, args.Agent) {
		return args, core.E(core.Invalid, "unknown agent %q: want one of %s", args.Agent, strings.Join(known, ", "))
	}
	if strings.TrimSpace(args.Prompt) == "" {
		return args, core.E(core.Invalid, "the prompt is empty")
	}
	return args, nil
}

// strictest returns the mode that permits less.
func strictest(a, b core.Mode) core.Mode {
	order := []core.Mode{core.ModePlan, core.ModeConfirmAll, core.ModeConfirmSensitive, core.ModeYolo}
	if slices.Index(order, b) < slices.Index(order, a) {
		return b
	}
	return a
}
