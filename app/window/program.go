package window

import (
	"context"
	"sync"
	"sync/atomic"

	"coppice/app/internal/indexing"
	"coppice/app/internal/library"
	"coppice/app/internal/mirror"
	"coppice/app/internal/present"
	"coppice/app/internal/secrets"
	"coppice/app/internal/version"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/job"
	"coppice/app/window/internal/live"
	"coppice/app/window/internal/texts"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/render"
	"coppice/backend/render/plain"
	"coppice/backend/sqlite"
)

// program is the state that the bindings share: the library of the window and the work on it.
type program struct {
	library      *libraryHandle
	host         host
	changes      *change.Notifier
	jobs         *job.Jobs
	indexing     *indexing.Indexer
	render       *render.Renderer
	searches     latest
	counts       latest
	treeSearches latest // searches in the tree of one session
	pathSearches latest // searches in a path
	comparisons  latest // comparisons of files
	window       windowStateFile
	passphrases  passphrases
	mirrorError  atomic.Pointer[string] // of the last update of the mirror; nil: it succeeded
	watching     sync.WaitGroup
	following    following

	runs     *live.Runs
	launcher *launch.Launcher
	trust    *config.Answers
	focused  atomic.Bool // the user looks at the window
	texts    texts.Shown // of the language on screen

	agentZero atomic.Pointer[string] // the passphrase of encrypted sessions of AgentZero; nil: that of the environment
}

// newProgram returns a program that has not opened a library.
func newProgram(h host, window windowStateFile) *program {
	changes := &change.Notifier{Emit: h.emit}
	p := &program{host: h, changes: changes, jobs: job.New(changes), indexing: indexing.New(func() { changes.Library(change.Index) }), render: render.New(), window: window}
	p.indexing.Derived = func() { changes.Library(change.List) }
	p.focused.Store(true)
	p.trust = &config.Answers{}
	p.launcher = launch.New(version.Number, p.trust)
	p.following.changes = changes
	p.runs = live.New(changes, p.render, p.notify, p.texts.Now)
	p.library = newLibraryHandle(p.attend)
	return p
}

// attend starts the background work on a library that has been opened.
func (p *program) attend(ctx context.Context, db *sqlite.DB) {
	p.applyLibraryTheme(ctx, db)
	if db.IsEncrypted() {
		go p.lockWhenAsked(ctx) // locking waits for what is watching
	}
	if db.Refusal() != nil {
		return // it is open read-only
	}
	library.Sweep(ctx, db)
	p.watching.Go(func() { watchLibrary(ctx, db, p.changes, p.indexing) })
	p.watching.Go(func() { p.backUpInBackground(ctx, db) })
	p.watching.Go(func() { p.checkIfLeftOpen(ctx, db) })
	p.watching.Go(func() { p.indexing.Keep(ctx, db) })
	p.watching.Go(func() { countActivity(ctx, db, p.changes) })
	p.watching.Go(func() { p.wakeSessions(ctx, db) })
	p.watching.Go(func() {
		mirror.Keep(ctx, db, p.noteMirror)
	})
	p.watching.Go(func() { secrets.Keep(ctx, db, func() { p.changes.Library(change.List) }) })
	p.following.resume(ctx, db)
}

// notify sends a notification about a session, unless the user looks at the window or has turned such notifications off.
func (p *program) notify(reason live.Notice, sessionID, what string) {
	if p.focused.Load() {
		return
	}
	wanted := true
	title, err := call(p, func(ctx context.Context, db *sqlite.DB) (string, error) {
		if settings, err := windowSettings(ctx, db); err == nil {
			wanted = reason == live.NoticeQuestion && !settings.MuteQuestions || reason == live.NoticeEnd && !settings.MuteEnds
		}
		session, err := db.Session(ctx, sessionID)
		return present.SessionTitle(session), err
	})
	if !wanted {
		return
	}
	if core.CodeOf(err) == core.Auth { // the library is locked
		what = ""
	}
	if err != nil { // send the notification without the title
		title = "Coppice"
	}
	p.host.notify(present.Cut(plain.Visible(title), noticeColumns), plain.Visible(what))
}

// noticeColumns is the maximum width of a notification's title.
const noticeColumns = 60

// close ends all work and closes the library. What jobs have finished is kept.
func (p *program) close() error {
	p.focused.Store(true) // the user is closing the window and needs no notification
	p.runs.StopAll()
	p.library.stop()
	p.jobs.Wait()
	p.watching.Wait()
	p.runs.StopAll() // one that woke meanwhile
	p.following.wait()
	return p.library.close()
}
