package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coppice/backend/core"
	"coppice/backend/team"
)

// parallelBranches is how many branches of a team work at once.
const parallelBranches = 4

// branch is the work of an agent in a branch of its own, below the message that all branches have in common.
type branch struct {
	team.Branch
	tip    string // its last message; empty: none yet
	text   string // its answer
	done   bool
	reason core.StopReason // why it stopped before its end
	err    error
}

// runBranches lets the agents of the branches work in parallel, and joins their answers. Each branch is a run aside, which only reads; one
// that a killed process has finished is not run again, and one that it has begun continues.
func (r *run) runBranches(ctx context.Context, s core.TeamState, turn team.Turn) (core.TeamState, core.StopReason, error) {
	t := r.task.Team
	fork, joined, err := r.fork(ctx)
	if err != nil {
		return s, "", err
	}
	s.StartUID, s.Cites = fork, nil
	what := team.BranchesOf(&t.Definition, &s)
	branches := make([]branch, len(what))
	ask := oneAtATime(r.task.Ask)
	var out sync.Mutex // so that an answer follows the name of its agent
	free := make(chan struct{}, parallelBranches)
	var wait sync.WaitGroup
	for i := range what {
		branches[i] = branch{Branch: what[i]}
		if r.task.From != "" && !joined { // the user has chosen the message to continue from: the branches are new
			continue
		}
		if err := r.findBranch(ctx, &branches[i], fork); err != nil {
			return s, "", err
		}
	}
	r.emitBranches(branches)
	for i := range branches {
		if b := &branches[i]; !b.done {
			wait.Go(func() {
				free <- struct{}{}
				r.runBranch(ctx, b, s, ask, &out)
				<-free
			})
		}
	}
	wait.Wait()
	var answers []team.Answer
	for i := range branches {
		b := &branches[i]
		if b.err != nil || b.reason != "" {
			return s, b.reason, errors.Join(context.Cause(ctx), b.err)
		}
		answers = append(answers, team.Answer{Agent: b.Title(), Text: b.text})
		s.Cites = append(s.Cites, b.tip)
	}
	if err := r.recount(ctx); err != nil {
		return s, "", err
	}
	next, text := team.Joined(&t.Definition, s, answers, turn)
	if text == "" {
		return next, "", nil
	}
	if r.answer = text; joined {
		return next, "", nil
	}
	_, err = r.append(ctx, core.Message{
		Role: core.RoleUser, Kind: core.KindMeta, Name: core.JoinName, Parts: []core.Part{{Type: core.PartText, Text: text}}, Meta: core.CitingMeta(s.Cites),
	})
	return next, "", err
}

// emitBranches reports that the agents of branches begin their turns.
func (r *run) emitBranches(branches []branch) {
	var names, titles []string
	for i := range branches {
		if b := &branches[i]; !b.done {
			names, titles = append(names, b.Agent), append(titles, b.Title())
		}
	}
	switch names = slices.Compact(names); {
	case len(names) == 0:
	case len(names) == 1 && len(titles) > 1:
		r.emit(Event{Type: EventTurn, Agents: names, Text: fmt.Sprintf("%s works on %d parts in parallel", names[0], len(titles))})
	case len(names) == 1:
		r.emit(Event{Type: EventTurn, Agents: names, Text: names[0]})
	default:
		r.emit(Event{Type: EventTurn, Agents: names, Text: strings.Join(names, ", ") + " work in parallel"})
	}
}

// fork returns the message that branches begin below: the head, or the message before it if the answers of the branches are joined there.
func (r *run) fork(ctx context.Context) (uid string, joined bool, err error) {
	path, err := r.pathOfTurn(ctx)
	if n := len(path); err == nil && n > 1 && path[n-1].Name == core.JoinName && path[n-1].Kind == core.KindMeta {
		return path[n-2].UID, true, nil
	}
	return r.head, false, err
}

// asking asks the user to permit a call, see Task.Ask.
type asking = func(context.Context, Question) (Answer, error)

// oneAtATime returns a function that asks the user one question at a time.
func oneAtATime(ask asking) asking {
	if ask == nil {
		return nil
	}
	var asked sync.Mutex
	return func(ctx context.Context, q Question) (Answer, error) {
		asked.Lock()
		defer asked.Unlock()
		return ask(ctx, q)
	}
}

// findBranch finds what a killed process has done of a branch.
func (r *run) findBranch(ctx context.Context, b *branch, fork string) error {
	for at := fork; ; at = b.tip {
		runs, err := r.Store.RunsAside(ctx, r.row.SessionID, at)
		if err != nil {
			return err
		}
		before := b.tip
		for _, one := range runs {
			if one.Agent != b.Agent || one.TipUID == "" {
				continue
			}
			same := at != fork || b.Node == ""
			if !same {
				if same, err = r.isOfNode(ctx, one.TipUID, fork, b.Node); err != nil {
					return err
				}
			}
			if same {
				b.tip = one.TipUID
			}
		}
		if b.tip == before {
			break
		}
	}
	if b.tip == "" {
		return nil
	}
	path, err := r.Store.Conversation(ctx, r.row.SessionID, b.tip)
	if err != nil {
		return err
	}
	last := &path[len(path)-1]
	if b.done = last.Role == core.RoleAssistant && isAnswer(last); b.done {
		b.text = textOf(last.Parts)
	}
	return nil
}

// isOfNode reports whether the branch that a message ends was begun for a node: the state of its first request has it.
func (r *run) isOfNode(ctx context.Context, tip, fork, node string) (bool, error) {
	path, err := r.Store.Conversation(ctx, r.row.SessionID, tip)
	if err != nil {
		return false, err
	}
	first := slices.IndexFunc(path, func(m core.Message) bool { return m.UID == fork }) + 1
	for i := first; i < len(path); i++ {
		if path[i].Role != core.RoleAssistant {
			continue
		}
		q, ok, err := r.Store.RequestOf(ctx, r.row.SessionID, path[i].UID)
		return ok && q.State.Team != nil && q.State.Team.State.Node == node, err
	}
	return false, nil
}

// runBranch lets the agent of a branch work to the end of its turn.
func (r *run) runBranch(ctx context.Context, b *branch, s core.TeamState, ask asking, out sync.Locker) {
	crew := *r.task.Team
	crew.State = b.Start(s)
	from := b.tip
	if from == "" {
		from = s.StartUID
	}
	limits := r.task.Budget
	limits.Steps, limits.TimeoutMs = 0, 0 // those of the run count for all of its branches
	task := Task{
		SessionID: r.row.SessionID, From: from, Aside: true, Team: &crew, Instructions: r.task.Instructions, Tools: r.task.Tools, Renew: r.task.Renew,
		Servers: r.task.Servers, Inactive: r.task.Inactive, Budget: limits, WorkspacePath: r.task.WorkspacePath, Ask: ask,
		Observe: func(e Event) {
			out.Lock()
			defer out.Unlock()
			r.observeBranch(&e, b)
		},
	}
	result, err := r.Run(ctx, task)
	b.text, b.err = result.Answer, err
	if err == nil && result.Run.StopReason != core.StopTeamDone {
		b.reason = result.Run.StopReason
	}
}

// observeBranch reports what a branch has written as events of the run. Pieces of answers are not reported: several are written at once.
func (r *run) observeBranch(e *Event, b *branch) {
	switch e.Type {
	case EventMessage:
		b.tip = e.Message.UID
		if e.Message.Role == core.RoleAssistant && isAnswer(e.Message) {
			r.emit(Event{Type: EventNotice, Text: b.Title() + " has answered"})
		}
		r.emit(Event{Type: EventMessage, Message: e.Message})
	case EventQuestion, EventAnswered:
		r.emit(Event{Type: e.Type, Question: e.Question})
	case EventToolBegins, EventToolEnds:
		r.emit(Event{Type: e.Type, Exec: e.Exec})
	case EventTurn:
		r.emit(Event{Type: EventTurn, Text: e.Text, Agents: e.Agents})
	case EventNotice, EventStarted, EventDelta, EventRetry, EventTotals, EventEnded:
	}
}
