package window

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/adrg/xdg"

	"coppice/app/internal/find"
	"coppice/app/internal/hand"
	"coppice/app/internal/original"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// SessionBindings list sessions and change them.
type SessionBindings struct{ *program }

// ListSessions returns a page of sessions.
func (b *SessionBindings) ListSessions(filter core.SessionFilter) (SessionPage, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (SessionPage, error) {
		sessions, err := db.Sessions(ctx, filter)
		if err != nil {
			return SessionPage{}, err
		}
		page := SessionPage{Sessions: lists.NonNil(sessions), Total: filter.Offset + int64(len(sessions))}
		if isLast := int64(len(sessions)) < filter.Limit; isLast && (len(sessions) > 0 || filter.Offset == 0) {
			return page, nil // counting would read every session again
		}
		page.Total, err = db.CountSessions(ctx, filter)
		return page, err
	})
}

// GetFacets returns the values by which sessions can be filtered.
func (b *SessionBindings) GetFacets() (core.Facets, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Facets, error) { return db.Facets(ctx) })
}

// fileNames is how many names of files SuggestFiles returns.
const fileNames = 8

// SuggestFiles returns names of changed files that begin with prefix, and in how many sessions.
func (b *SessionBindings) SuggestFiles(prefix string) ([]core.Facet, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Facet, error) {
		return db.FileNames(ctx, prefix, fileNames)
	})
}

// GetSession returns the session that ref refers to.
func (b *SessionBindings) GetSession(ref string) (core.Session, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Session, error) { return find.Session(ctx, db, ref) })
}

// RenameSession sets the title of a session.
func (b *SessionBindings) RenameSession(id, title string) error {
	return b.change(change.Session, []string{id}, func(ctx context.Context, db *sqlite.DB) error { return db.Rename(ctx, id, title) })
}

// PinSessions pins or unpins sessions.
func (b *SessionBindings) PinSessions(ids []string, pinned bool) error {
	return b.change(change.Session, ids, func(ctx context.Context, db *sqlite.DB) error { return db.Pin(ctx, ids, pinned) })
}

// TagSessions adds a tag to sessions, or removes it, and returns the ids of those that changed.
func (b *SessionBindings) TagSessions(ids []string, tag string, remove bool) (changed []string, err error) {
	changed = []string{}
	err = b.change(change.Session, ids, func(ctx context.Context, db *sqlite.DB) (err error) {
		changed, err = db.TagSessions(ctx, ids, tag, remove)
		return err
	})
	return changed, err
}

// RenameTag gives a tag another name in every session.
func (b *SessionBindings) RenameTag(from, to string) error {
	return b.change(change.List, nil, func(ctx context.Context, db *sqlite.DB) error { return db.RenameTag(ctx, from, to) })
}

// ColorTag sets the color of a tag; an empty one removes it.
func (b *SessionBindings) ColorTag(tag, color string) error {
	return b.change(change.List, nil, func(ctx context.Context, db *sqlite.DB) error { return db.ColorTag(ctx, tag, core.Color(color)) })
}

// ArchiveSessions moves sessions to the archive, or restores them from it.
func (b *SessionBindings) ArchiveSessions(ids []string, archived bool) error {
	return b.change(change.Session, ids, func(ctx context.Context, db *sqlite.DB) error { return db.Archive(ctx, ids, archived) })
}

// TrashSessions moves sessions to the trash.
func (b *SessionBindings) TrashSessions(ids []string) error {
	return b.change(change.Session, ids, func(ctx context.Context, db *sqlite.DB) error { return db.Trash(ctx, ids) })
}

// RestoreSessions restores sessions from the trash.
func (b *SessionBindings) RestoreSessions(ids []string) error {
	return b.change(change.Session, ids, func(ctx context.Context, db *sqlite.DB) error { return db.Restore(ctx, ids) })
}

// PurgeSessions deletes sessions in the trash, or all of the trash if ids is empty, and returns how many it deleted.
func (b *SessionBindings) PurgeSessions(ids []string) (int64, error) {
	removed, kind := int64(0), change.Session
	if len(ids) == 0 {
		kind = change.List
	}
	err := b.change(kind, ids, func(ctx context.Context, db *sqlite.DB) (err error) {
		removed, err = db.Purge(ctx, ids)
		return err
	})
	return removed, err
}

// ListLinks returns the splits and grafts that connect a session with others.
func (b *SessionBindings) ListLinks(sessionID string) ([]core.Link, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Link, error) {
		links, err := db.Links(ctx, sessionID)
		return lists.NonNil(links), err
	})
}

// GetOriginal returns how the session continues in the tool it came from.
func (b *SessionBindings) GetOriginal(sessionID string) (original.Command, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (original.Command, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return original.Command{}, err
		}
		return original.Of(&session, exec.LookPath), nil
	})
}

// RevealSession shows the workspace of a session in the file manager, or the file that the session was imported from.
func (b *SessionBindings) RevealSession(sessionID string, file bool) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (struct{}, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return struct{}{}, err
		}
		path := session.WorkspacePath
		if file {
			path = session.SourcePath
		}
		if path == "" {
			return struct{}{}, core.E(core.NotFound, "the session has no such path")
		}
		return struct{}{}, reveal(path)
	})
	return err
}

// ListAgentCosts returns the tokens and costs of a session by agent.
func (b *SessionBindings) ListAgentCosts(sessionID string) ([]core.AgentCost, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.AgentCost, error) {
		costs, err := db.AgentCosts(ctx, sessionID)
		return lists.NonNil(costs), err
	})
}

// mostAgentTurns is the largest number of turns of agents that ListAgentTurns returns.
const mostAgentTurns = 1000

// ListAuthors returns the agents of a session that has several, in the order of their colors: those of its team first. It is empty for
// one agent.
func (b *SessionBindings) ListAuthors(sessionID string) ([]string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]string, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return nil, err
		}
		team, err := launch.SessionTeam(ctx, db, session)
		if err != nil {
			return nil, err
		}
		authors := []string{}
		for i := range team.Agents {
			authors = append(authors, team.Agents[i].Name)
		}
		answered, err := db.Authors(ctx, session.ID)
		for _, name := range answered {
			if !slices.Contains(authors, name) {
				authors = append(authors, name)
			}
		}
		if len(authors) < 2 {
			authors = []string{}
		}
		return authors, err
	})
}

// ListAgentTurns returns what the agents of a session did in a row, and the prompts between: the last 1000.
func (b *SessionBindings) ListAgentTurns(sessionID string) ([]core.AgentTurn, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.AgentTurn, error) {
		return db.AgentTurns(ctx, sessionID, mostAgentTurns)
	})
}

// ListModelCosts returns the tokens and costs of a session by model.
func (b *SessionBindings) ListModelCosts(sessionID string) ([]core.ModelCost, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.ModelCost, error) {
		costs, err := db.ModelCosts(ctx, sessionID)
		return lists.NonNil(costs), err
	})
}

// HandRequest describes what is handed over to another tool.
type HandRequest struct {
	SessionID string `json:"sessionId"`
	LeafUID   string `json:"leafUid"` // the end of the path; empty: the head
	To        string `json:"to"`      // see hand.Targets
	Redact    bool   `json:"redact"`
	Worktree  bool   `json:"worktree"` // in a new worktree of the repository
}

// HandOver writes a new session of another tool, which continues from the end of a path, and returns the command that continues it there.
func (b *SessionBindings) HandOver(request HandRequest) (hand.Handed, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (hand.Handed, error) {
		session, err := db.Session(ctx, request.SessionID)
		if err != nil {
			return hand.Handed{}, err
		}
		plan := hand.Plan{
			Session: session, LeafUID: request.LeafUID, To: request.To, Redact: request.Redact, Worktree: request.Worktree, Home: xdg.Home, Env: os.Getenv,
			NowMs: time.Now().UnixMilli(),
		}
		handed, err := plan.Write(ctx, db)
		if err != nil { // its hint is for the command line
			return handed, core.E(core.CodeOf(err), "%v", err)
		}
		return handed, nil
	})
}
