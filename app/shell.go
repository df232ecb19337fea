package app

import (
	"bufio"
	"context"
	"errors"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// shell is what every command is given.
type shell struct {
	terminal
	db           string // the flag --db
	keepsNothing bool   // the library is thrown away
	trust        *config.Answers
}

// open opens the library. A command calls it after it has checked its arguments, so that help
// and mistakes touch no file.
func (s *shell) open(ctx context.Context) (*sqlite.DB, error) {
	path, err := libraryPath(s.db)
	if err != nil {
		return nil, err
	}
	s.warnOfLocation(path)
	return sqlite.Open(ctx, path, sqlite.Options{Fallback: true})
}

// with runs f with the library open.
func (s *shell) with(ctx context.Context, f func(*sqlite.DB) error) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	return s.use(ctx, db, f)
}

// use runs f with an open library, and closes that.
func (s *shell) use(ctx context.Context, db *sqlite.DB, f func(*sqlite.DB) error) (err error) {
	defer func() { err = errors.Join(err, db.Close()) }()
	if refusal := db.Refusal(); refusal != nil {
		s.say("reading only: %s", oneLine(refusal.Error()))
		return f(db)
	}
	sweep(ctx, db)
	if err := f(db); err != nil {
		return err
	}
	s.backUpDaily(ctx, db)
	return nil
}

// buffered runs f with an output that is written in large pieces.
func (s *shell) buffered(f func(*shell) error) error {
	out := bufio.NewWriterSize(s.out, 64<<10)
	inner := *s
	inner.out = out
	if err := f(&inner); err != nil {
		return errors.Join(err, out.Flush())
	}
	return core.Wrap(core.Unavailable, out.Flush(), "write the result")
}

// findSession finds a session by any reference to it.
func findSession(ctx context.Context, db *sqlite.DB, ref string) (core.Session, error) {
	session, err := db.Session(ctx, ref)
	if core.CodeOf(err) == core.NotFound && core.HintOf(err) == "" {
		return session, core.E(core.NotFound, "there is no session %q", ref).WithHint("coppice sessions lists all of them")
	}
	return session, err
}

// findSessions returns the sessions that several references name, each once.
func findSessions(ctx context.Context, db *sqlite.DB, refs []string) ([]core.Session, error) {
	sessions := make([]core.Session, 0, len(refs))
	seen := map[string]bool{}
	for _, ref := range refs {
		session, err := findSession(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		if !seen[session.ID] {
			seen[session.ID] = true
			sessions = append(sessions, session)
		}
	}
	return sessions, nil
}

// findNode finds a message by a NODE. A bare number is a turn's, as trees print it in JSON.
func findNode(ctx context.Context, db *sqlite.DB, session core.Session, node string) (core.Message, error) {
	message, err := db.Node(ctx, session.ID, node)
	if core.CodeOf(err) == core.NotFound && isNumber(node) {
		message, err = db.Node(ctx, session.ID, "n"+node)
	}
	if core.CodeOf(err) == core.NotFound && core.HintOf(err) == "" {
		return message, core.E(core.NotFound, "there is no %q in %s", node, nameOf(session)).
			WithHint("a NODE is n3, m17, a message uid or a label; coppice tree %s shows them", session.ID)
	}
	return message, err
}

func isNumber(text string) bool {
	for _, r := range text {
		if r < '0' || r > '9' {
			return false
		}
	}
	return text != ""
}

// ids returns the ids of sessions.
func ids(sessions []core.Session) []string {
	all := make([]string, len(sessions))
	for i, s := range sessions {
		all[i] = s.ID
	}
	return all
}

// findTurn finds the turn of the node that a person names.
func findTurn(ctx context.Context, db *sqlite.DB, session core.Session, name string) (core.Turn, error) {
	node, err := findNode(ctx, db, session, name)
	if err != nil {
		return core.Turn{}, err
	}
	turns, err := db.Turns(ctx, session.ID, []int64{node.Turn})
	if err == nil && len(turns) == 0 {
		err = core.E(core.NotFound, "session %s has no turn n%d", session.ID, node.Turn)
	}
	if err != nil {
		return core.Turn{}, err
	}
	return turns[0], nil
}
