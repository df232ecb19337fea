package engine

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/team"
)

// changeTeam writes a message of the user that changes the team, and applies it. It reports false for any other message. The next request
// stores the changed team; a run that is killed before that finds the message on the path, see changeAgain.
func (r *run) changeTeam(ctx context.Context, uid string, parts []core.Part) (bool, error) {
	if r.task.Team == nil {
		return false, nil
	}
	change, ok := team.ParseChange(textOf(parts))
	if !ok {
		return false, nil
	}
	if _, err := r.append(ctx, core.Message{UID: uid, Role: core.RoleUser, Kind: core.KindCommand, Name: team.ChangeName, Parts: parts}); err != nil {
		return true, err
	}
	if err := r.apply(ctx, change); err != nil {
		r.emit(Event{Type: EventNotice, Text: "the team is not changed: " + err.Error()})
		return true, nil
	}
	r.emit(Event{Type: EventNotice, Text: "the team is changed: " + textOf(parts)})
	return true, nil
}

// changeAgain applies the changes of a path that no request may have stored: those after the last answer. A change that is applied twice
// is the same, and one that failed fails again.
func (r *run) changeAgain(ctx context.Context, path []core.Message) {
	from := len(path)
	for from > 0 && path[from-1].Role != core.RoleAssistant {
		from--
	}
	for i := from; i < len(path); i++ {
		if change, ok := team.ParseChange(textOf(path[i].Parts)); ok && team.IsChange(&path[i]) {
			_ = r.apply(ctx, change) // reported when it was requested
		}
	}
}

func (r *run) apply(ctx context.Context, change team.Change) error {
	t := r.task.Team
	if t.Change == nil {
		return core.E(core.Conflict, "this team cannot be changed")
	}
	crew, agents, err := t.Change(ctx, t.TeamRun, change)
	if err != nil {
		return err
	}
	t.Definition, t.Members, t.Agents = crew.Definition, crew.Members, agents
	return nil
}
