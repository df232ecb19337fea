// Package window is the window: the methods that its page calls, the runs it shows as they go on, files for the page, menus and
// dialogs. It is the only package that knows Wails.
package window

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"coppice/app/internal/find"
	"coppice/app/internal/indexing"
	"coppice/app/internal/library"
	"coppice/backend/launch"

	"coppice/app/internal/guard"

	"coppice/app/internal/version"

	"coppice/app/internal/present"

	"coppice/backend/lists"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/render/plain"
	"coppice/backend/sqlite"
)

// Bindings are the methods the window calls. Each is guarded: a panic becomes an error, because
// Wails would leave the promise unsettled. Arguments carry no secrets, because Wails logs them.
type Bindings struct {
	library      *libraryHandle
	host         host
	changes      *changes
	jobs         *jobs
	indexing     *indexing.Indexer
	render       *render.Renderer
	searches     latest
	counts       latest
	treeSearches latest // in one session's tree
	comparisons  latest // of files
	window       windowStateFile
	watching     sync.WaitGroup
	following    following

	runs     *runs
	launcher *launch.Launcher
	trust    *config.Answers
	focused  atomic.Bool // the person looks at the window
}

// newBindings returns the methods of a window on the library. Nothing is opened yet.
func newBindings(h host, window windowStateFile) *Bindings {
	changes := &changes{emit: h.emit}
	b := &Bindings{host: h, changes: changes, jobs: newJobs(changes), indexing: indexing.New(func() { changes.tell(changedIndex) }), render: render.New(), window: window}
	b.focused.Store(true)
	b.trust = &config.Answers{}
	b.launcher = launch.New(version.Number, b.trust)
	b.following.changes = changes
	b.runs = newRuns(changes, b.render, b.notify)
	b.library = newLibraryHandle(func(ctx context.Context, db *sqlite.DB) {
		b.wearOwn(ctx, db)
		if db.Refusal() != nil {
			return // it is only read
		}
		library.Sweep(ctx, db)
		b.watching.Go(func() { watchLibrary(ctx, db, changes, b.indexing) })
		b.watching.Go(func() { b.backUpInBackground(ctx, db) })
		b.watching.Go(func() { b.checkIfLeftOpen(ctx, db) })
		b.watching.Go(func() { b.indexing.Keep(ctx, db) })
		b.watching.Go(func() { countActivity(ctx, db, changes) })
		b.following.resume(ctx, db)
	})
	return b
}

// notify tells a person who looks elsewhere what a session does.
func (b *Bindings) notify(sessionID, what string) {
	if b.focused.Load() {
		return
	}
	title, err := call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		session, err := db.Session(ctx, sessionID)
		return present.SessionTitle(session), err
	})
	if err != nil { // the notice counts, not its title
		title = "Coppice"
	}
	b.host.notify(present.Cut(plain.Visible(title), noticeColumns), plain.Visible(what))
}

// noticeColumns is how much of a title fits into a notification.
const noticeColumns = 60

// close ends what is going on and closes the library. What jobs have finished stays.
func (b *Bindings) close() error {
	b.focused.Store(true) // who closes the window knows
	b.runs.stopAll()
	b.keepUnsaid()
	b.library.stop()
	b.jobs.wait()
	b.watching.Wait()
	b.following.wait()
	return b.library.close()
}

// ListSessions returns a page of sessions.
func (b *Bindings) ListSessions(filter core.SessionFilter) (SessionPage, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (SessionPage, error) {
		sessions, err := db.Sessions(ctx, filter)
		if err != nil {
			return SessionPage{}, err
		}
		page := SessionPage{Sessions: lists.NonNil(sessions), Total: filter.Offset + int64(len(sessions))}
		if isLast := int64(len(sessions)) < filter.Limit; isLast && (len(sessions) > 0 || filter.Offset == 0) {
			return page, nil // counting would go through every session once more
		}
		page.Total, err = db.CountSessions(ctx, filter)
		return page, err
	})
}

// GetFacets returns what sessions can be filtered by.
func (b *Bindings) GetFacets() (core.Facets, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Facets, error) { return db.Facets(ctx) })
}

// GetSession returns one session by any reference to it.
func (b *Bindings) GetSession(ref string) (core.Session, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Session, error) { return find.Session(ctx, db, ref) })
}

// RenameSession sets the title.
func (b *Bindings) RenameSession(id, title string) error {
	return b.change([]string{id}, func(ctx context.Context, db *sqlite.DB) error { return db.Rename(ctx, id, title) })
}

// PinSessions pins or unpins.
func (b *Bindings) PinSessions(ids []string, pinned bool) error {
	return b.change(ids, func(ctx context.Context, db *sqlite.DB) error { return db.Pin(ctx, ids, pinned) })
}

// ArchiveSessions puts sessions into the archive or takes them out.
func (b *Bindings) ArchiveSessions(ids []string, archived bool) error {
	return b.change(ids, func(ctx context.Context, db *sqlite.DB) error { return db.Archive(ctx, ids, archived) })
}

// TrashSessions moves sessions to the trash.
func (b *Bindings) TrashSessions(ids []string) error {
	return b.change(ids, func(ctx context.Context, db *sqlite.DB) error { return db.Trash(ctx, ids) })
}

// RestoreSessions takes sessions out of the trash.
func (b *Bindings) RestoreSessions(ids []string) error {
	return b.change(ids, func(ctx context.Context, db *sqlite.DB) error { return db.Restore(ctx, ids) })
}

// PurgeSessions removes sessions in the trash for good; all of it where ids is empty. It returns how many.
func (b *Bindings) PurgeSessions(ids []string) (int64, error) {
	removed := int64(0)
	err := b.change(ids, func(ctx context.Context, db *sqlite.DB) (err error) {
		removed, err = db.Purge(ctx, ids)
		return err
	})
	return removed, err
}

// GetWindow returns a stretch of the path that ends at leafUID; the path to the head where that is empty.
func (b *Bindings) GetWindow(sessionID, leafUID string, from, limit int64) (render.WindowView, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (render.WindowView, error) {
		b.changes.watch(sessionID)
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return render.WindowView{}, err
		}
		window, err := db.Window(ctx, session.ID, leafUID, from, limit)
		if err != nil {
			return render.WindowView{}, err
		}
		return b.render.Window(ctx, db, session, window)
	})
}

// GetToolDetail returns what opens under the tool card of a message's part. resultUID is what the card's block says.
func (b *Bindings) GetToolDetail(sessionID, uid string, part int64, resultUID string) (render.ToolDetail, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (render.ToolDetail, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return render.ToolDetail{}, err
		}
		return b.render.Detail(ctx, db, session, uid, part, resultUID)
	})
}

// GetMessageMarkdown returns a message as Markdown, for the clipboard.
func (b *Bindings) GetMessageMarkdown(sessionID, uid string) (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		message, err := db.Message(ctx, sessionID, uid)
		if err != nil {
			return "", err
		}
		if err := db.Hydrate(ctx, &message); err != nil {
			return "", err
		}
		return b.render.MessageMarkdown(message), nil
	})
}

// GetTree returns the tree of turns.
func (b *Bindings) GetTree(sessionID string) (core.Tree, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Tree, error) {
		b.changes.watch(sessionID)
		return db.Tree(ctx, sessionID)
	})
}

// ListSiblings returns the alternatives at a message's place, itself included, in the order of creation.
func (b *Bindings) ListSiblings(sessionID, uid string) ([]core.Sibling, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]core.Sibling, error) {
		siblings, err := db.Siblings(ctx, sessionID, uid)
		return lists.NonNil(siblings), err
	})
}

// Locate returns where to show a node: a message's uid, m17, n3 or a label.
func (b *Bindings) Locate(sessionID, node string) (Location, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (Location, error) {
		message, err := db.Node(ctx, sessionID, node)
		if err != nil {
			return Location{}, err
		}
		leaf, err := db.Leaf(ctx, sessionID, message.UID)
		return Location{SessionID: sessionID, LeafUID: leaf.UID, UID: message.UID, Depth: message.Depth, Turn: message.Turn, Branch: message.Branch, LeafTurn: leaf.Turn}, err
	})
}

// Visit remembers the leaf a person looks at, so that Locate comes back to it.
func (b *Bindings) Visit(sessionID, leafUID string) error {
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		return true, db.Visit(ctx, sessionID, leafUID)
	})
	return err
}

// MoveHead makes the next message a child of the node.
func (b *Bindings) MoveHead(sessionID, node string) (core.Session, error) {
	var session core.Session
	err := b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		message, err := db.Node(ctx, sessionID, node)
		if err != nil {
			return err
		}
		session, err = db.MoveHead(ctx, sessionID, message.UID)
		return err
	})
	return session, err
}

// SetLabel names the turn of a message; an empty text removes the name.
func (b *Bindings) SetLabel(sessionID, uid, text string) error {
	return b.change([]string{sessionID}, func(ctx context.Context, db *sqlite.DB) error {
		return db.SetLabel(ctx, sessionID, uid, strings.TrimSpace(text))
	})
}

// Search looks for messages. A new search ends the one before it with the code canceled.
func (b *Bindings) Search(query core.SearchQuery) (core.Found, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Found, error) {
		ctx, done := b.searches.begin(ctx)
		defer done()
		return db.Search(ctx, query)
	})
}

// CountHits counts what a search of words would find without a limit. A new count ends the one before it with the code canceled.
func (b *Bindings) CountHits(query core.SearchQuery) (core.HitCount, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.HitCount, error) {
		ctx, done := b.counts.begin(ctx)
		defer done()
		return db.CountHits(ctx, query)
	})
}

// GetIndexing returns how far messages are put into the index that Search asks; without a total there is nothing to do that takes long.
func (b *Bindings) GetIndexing() (at core.Progress, err error) {
	err = guard.Run(func() error {
		at = b.indexing.Progress()
		return nil
	})
	return at, err
}

// GetAbout describes the program and its file.
func (b *Bindings) GetAbout() (About, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (About, error) {
		stats, err := db.Stats(ctx)
		return About{Version: version.Full(), Stats: stats}, err
	})
}

// OpenURL opens a link of the schemes http, https and mailto in the person's browser.
func (b *Bindings) OpenURL(link string) error {
	return guard.Run(func() error {
		parsed, err := url.Parse(link)
		if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https" && parsed.Scheme != "mailto") {
			return core.E(core.Invalid, "only links of http, https and mailto are opened")
		}
		b.host.openURL(parsed.String())
		return nil
	})
}

// RevealFile shows a file that Coppice wrote in the person's file manager.
func (b *Bindings) RevealFile(path string) error {
	return guard.Run(func() error {
		if !b.jobs.wrote(path) {
			return core.E(core.Denied, "Coppice did not write %s", path)
		}
		return reveal(path)
	})
}
