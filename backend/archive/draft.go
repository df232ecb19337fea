package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"coppice/backend/core"
)

// draft is a session as it was found in the file: checked, but with its long lists still in the file.
type draft struct {
	at        int64 // its offset
	session   core.Session
	found     bool // there is a session object
	labels    []core.Label
	aliases   []core.Alias
	bookmarks []core.Bookmark
	hidden    []core.HiddenTop
	planner   core.Planner // the tree of the messages seen so far
	newest    string       // the last message
	problem   *problem     // why it cannot be imported; only the first reason, since others may follow from it

	messages list[core.Message] // nil: none
	records  list[core.Record]
	blobs    blobList
	runs     runList
	runLists map[runKind]list[json.RawMessage] // what runs reads of a document
	hasRuns  bool                              // there are lines for runs to read
}

// list iterates over a list in the file. Elements of the wrong type come with an error, which ends the iteration if
// take returns it.
type list[T any] func(ctx context.Context, take func(at int64, v T, misfit error) error) error

// listAt returns the list that begins at the position of t.
func listAt[T any](t text) list[T] {
	return func(ctx context.Context, take func(int64, T, error) error) error {
		from := t
		return each(ctx, &from, take)
	}
}

// blobList iterates over the blobs of a session, with their data.
type blobList func(ctx context.Context, take func(at int64, b blob, misfit error) error) error

// blobsAt returns the list that begins at the position of t.
func blobsAt(t text) blobList {
	return func(ctx context.Context, take func(int64, blob, error) error) error {
		from := t
		return from.blobs(ctx, true, take)
	}
}

// spoil records what is wrong with the session. It returns the error if reading cannot continue.
func (d *draft) spoil(err error) error {
	f, ok := errors.AsType[*problem](err)
	if !ok {
		return err
	}
	if d.problem == nil {
		d.problem = f
	}
	if f.misfit {
		return nil
	}
	return err
}

// refuse spoils the session for a reason other than its JSON.
func (d *draft) refuse(at int64, format string, args ...any) {
	if d.problem == nil {
		d.problem = &problem{at: at, message: fmt.Sprintf(format, args...), misfit: true}
	}
}

func (d *draft) sawSession(at int64, s session) {
	if d.found {
		d.refuse(at, "a second session object")
		return
	}
	d.found, d.session = true, s.Session
	switch {
	case d.session.ID == "" && d.session.SourceID == "":
		d.refuse(at, "it has neither id nor sourceId")
	case d.session.Source == "":
		d.session.Source = core.SourceCoppice
	case !slices.Contains(core.Sources(), d.session.Source):
		d.refuse(at, "its source %q is unknown", d.session.Source)
	}
	if d.session.Status == "" {
		d.session.Status = core.StatusIdle
	}
	if !slices.Contains(core.Statuses(), d.session.Status) {
		d.refuse(at, "its status %q is unknown", d.session.Status)
	}
	ended(&d.session)
}

// checkMessage checks a message and its position in the tree.
func (d *draft) checkMessage(at int64, m core.Message, misfit error) error {
	if misfit != nil || d.problem != nil {
		return d.spoil(misfit)
	}
	complete(&m)
	if reason := odd(&m); reason != "" {
		d.refuse(at, "message %q: %s", m.UID, reason)
		return nil
	}
	if _, err := d.planner.Add(core.Node{UID: m.UID, ParentUID: m.ParentUID, IsPrompt: m.IsPrompt()}); err != nil {
		d.refuse(at, "%v", err)
		return nil
	}
	d.newest = m.UID
	return nil
}

func (d *draft) checkRecord(at int64, r core.Record, misfit error) error {
	if misfit == nil && len(r.Body) == 0 {
		d.refuse(at, "a record has no body")
	}
	return d.spoil(misfit)
}

// complete fills in what files written by hand may leave out.
func complete(m *core.Message) {
	if m.Kind == "" {
		m.Kind = core.KindMessage
	}
}

func odd(m *core.Message) string {
	switch m.Role {
	case core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool:
	default:
		return fmt.Sprintf("its role %q is unknown", m.Role)
	}
	switch m.Kind {
	case core.KindMessage, core.KindMeta, core.KindCommand, core.KindCompaction, core.KindBranchSummary:
	default:
		return fmt.Sprintf("its kind %q is unknown", m.Kind)
	}
	return ""
}

// name returns the name of the session in a report.
func (d *draft) name() string {
	switch {
	case d.session.Title != "":
		return fmt.Sprintf("session %q", core.Preview(d.session.Title, 60))
	case d.session.ID != "":
		return "session " + core.Preview(d.session.ID, 60)
	case d.session.SourceID != "":
		return "session " + core.Preview(d.session.SourceID, 60)
	}
	return "the session"
}

// verdict returns why the session cannot be imported, or nil.
func (d *draft) verdict() *problem {
	if d.problem == nil && !d.found {
		d.refuse(d.at, "no session object")
	}
	if d.problem == nil {
		return nil
	}
	return &problem{at: d.problem.at, message: d.name() + " was not imported: " + d.problem.message}
}
