// Package hand hands a path of a session over to another tool: it writes a new session of that tool, which continues from the end of
// the path. Files that exist are never touched.
package hand

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"

	"coppice/app/internal/export"
	"coppice/app/internal/guard"
	"coppice/app/internal/original"
	"coppice/app/internal/version"
	"coppice/backend/core"
	"coppice/backend/durable"
	"coppice/backend/exporter"
	"coppice/backend/render/redact"
	"coppice/backend/sqlite"
)

// Plan describes what is handed over.
type Plan struct {
	Session   core.Session
	LeafUID   string // the end of the path; empty: the head
	To        string // the name of a target, see Targets
	Workspace string // empty: that of the session
	Output    string // a file, or a folder if it exists or ends in a separator; empty: where the tool looks for its sessions
	Redact    bool
	Worktree  bool                // continue in a new worktree of the workspace's repository
	Home      string              // the user's home folder
	Env       func(string) string // see os.Getenv
	NowMs     int64
}

// Handed is the new session.
type Handed struct {
	Path    string `json:"path"`
	ID      string `json:"id"`      // in the tool
	Command string `json:"command"` // continues it, as a line for a POSIX shell
	Folder  string `json:"folder"`  // the workspace, in which the command continues
	Tool    string `json:"tool"`    // its name for users
	Reason  string `json:"reason"`  // why the command cannot run now; empty: it can
}

// Write writes the new session.
func (p *Plan) Write(ctx context.Context, db *sqlite.DB) (_ Handed, err error) {
	t, err := targetNamed(p.To)
	if err != nil {
		return Handed{}, err
	}
	leaf, err := p.leaf(ctx, db)
	if err != nil {
		return Handed{}, err
	}
	if p.Worktree {
		undo, failure := p.addWorktree(ctx, leaf)
		if failure != nil {
			return Handed{}, failure
		}
		defer func() {
			if err != nil {
				undo()
			}
		}()
	}
	c, err := p.conversation(t, leaf)
	if err != nil {
		return Handed{}, err
	}
	path, err := p.path(t, &c)
	if err != nil {
		return Handed{}, err
	}
	if err := export.MustNotOwn(db, path); err != nil {
		return Handed{}, err
	}
	c.Messages = p.messages(ctx, db, leaf.UID, c.Native)
	if err := create(path, func(w io.Writer) error { return t.write(w, c) }); err != nil {
		return Handed{}, err
	}
	return handed(t, &c, path), nil
}

func create(path string, write func(io.Writer) error) error {
	err := durable.Create(path, func(file *os.File) error {
		return guard.Run(func() error { return write(file) })
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return core.E(core.Invalid, "hand over to %s: the file exists", path).WithHint("choose another name with --output")
	case core.CodeOf(err) == core.Internal:
		return core.Wrap(core.Unavailable, err, "write %s", path)
	}
	return err
}

// leaf returns the end of the path.
func (p *Plan) leaf(ctx context.Context, db *sqlite.DB) (core.Message, error) {
	uid := cmp.Or(p.LeafUID, p.Session.HeadUID)
	if uid == "" {
		return core.Message{}, core.E(core.Invalid, "hand over session %s: it has no messages on the path", p.Session.ID)
	}
	return db.Node(ctx, p.Session.ID, uid)
}

// conversation returns what is written, but for its messages.
func (p *Plan) conversation(t target, leaf core.Message) (exporter.Conversation, error) {
	session := p.Session
	note := "This session continues a conversation of %s, session %s, from message m%d on (turn n%d). Coppice %s wrote it."
	native := session.Source == t.source
	if !native {
		note += " Calls of tools are described as [Called …] and [Result of …]: call your own tools as usual, and do not write such descriptions."
	}
	c := exporter.Conversation{
		ID: t.newID(p.NowMs), WrittenMs: p.NowMs, Native: native, Verbatim: native && !p.Redact,
		Note: fmt.Sprintf(note, original.ToolName(session.Source), cmp.Or(session.SourceID, session.ID), leaf.Seq, leaf.Turn, version.Number),
	}
	if session.Title != "" {
		c.Title = fmt.Sprintf("%s (n%d)", session.Title, leaf.Turn)
	}
	if p.Redact {
		r := redact.New()
		c.Note, c.Title = r.Text(c.Note), r.Text(c.Title)
	}
	folder := cmp.Or(p.Workspace, session.WorkspacePath)
	if folder == "" {
		return c, core.E(core.Invalid, "hand over session %s: its workspace is unknown", session.ID).WithHint("name a folder with --workspace")
	}
	if p.Workspace != "" {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			return c, core.Wrap(core.Invalid, err, "find %s", folder)
		}
		folder = absolute
	}
	c.Folder = folder
	if info, err := os.Stat(folder); p.Output == "" && (err != nil || !info.IsDir()) {
		return c, core.E(core.Invalid, "hand over session %s: its workspace %s does not exist on this machine", session.ID, folder).
			WithHint("name another folder with --workspace, or a file with --output")
	}
	return c, nil
}

// path returns the absolute path of the new file.
func (p *Plan) path(t target, c *exporter.Conversation) (string, error) {
	if p.Output != "" && !export.IsFolder(p.Output) {
		path, err := filepath.Abs(p.Output)
		return path, core.Wrap(core.Invalid, err, "find %s", p.Output)
	}
	path, err := t.path(p, c)
	if p.Output != "" {
		path, err = filepath.Join(p.Output, t.fileName(c)), nil
	}
	if err != nil {
		return "", err
	}
	path, err = filepath.Abs(path)
	return path, core.Wrap(core.Invalid, err, "find %s", path)
}

// messages reads the path, one message at a time, each with its whole texts and files.
func (p *Plan) messages(ctx context.Context, db *sqlite.DB, leafUID string, native bool) iter.Seq2[core.Message, error] {
	var redactor *redact.Redactor
	if p.Redact {
		redactor = redact.New()
	}
	whole := func(yield func(core.Message, error) bool) {
		for m, err := range db.PathMessages(ctx, p.Session.ID, leafUID) {
			if err == nil {
				err = load(ctx, db, &m)
			}
			if err == nil && redactor != nil {
				m = redactor.Message(m)
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
	if native {
		return exporter.Paired(whole)
	}
	return exporter.Plain(exporter.Paired(whole))
}

// load puts long texts back whole, and reads the bytes of media. What is missing stays a reference.
func load(ctx context.Context, db *sqlite.DB, m *core.Message) error {
	if err := db.Hydrate(ctx, m); err != nil {
		return err
	}
	for lists := [][]core.Part{m.Parts}; len(lists) > 0; lists = lists[1:] {
		for i := range lists[0] {
			part := &lists[0][i]
			if len(part.Result) > 0 {
				lists = append(lists, part.Result)
			}
			if part.Media == nil || part.Media.Blob == "" {
				continue
			}
			content, err := db.Blob(ctx, part.Media.Blob)
			if core.CodeOf(err) == core.NotFound {
				continue
			} else if err != nil {
				return err
			}
			media := *part.Media
			media.Data = content.Data
			part.Media = &media
		}
	}
	return nil
}

// handed describes the new session with the command that continues it.
func handed(t target, c *exporter.Conversation, path string) Handed {
	id := t.id(c)
	command := original.Of(&core.Session{Source: t.source, SourceID: id, SourcePath: path, WorkspacePath: c.Folder}, exec.LookPath)
	h := Handed{Path: path, ID: id, Command: command.Text, Folder: c.Folder, Tool: command.Tool, Reason: command.Reason}
	if t.source == core.SourceOpenCode { // it reads sessions from its database
		h.Command = original.Line(c.Folder, []string{"opencode", "import", path}, command.Args)
	}
	return h
}
