package app

import (
	"context"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// library is the open library of the window. It opens after the window, which shows what goes
// wrong with it; methods called before wait.
type library struct {
	opened chan struct{} // closed when the fields below are set
	ctx    context.Context
	cancel context.CancelFunc
	db     *sqlite.DB
	err    error
}

func newLibrary() *library { return &library{opened: make(chan struct{})} }

// open opens the file at path. It is called once.
func (l *library) open(ctx context.Context, path string) {
	defer close(l.opened)
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.err = guarded(func() (err error) {
		l.db, err = sqlite.Open(ctx, path, sqlite.Options{})
		return err
	})
}

// get waits until the library is open. The context ends when the window closes.
func (l *library) get() (context.Context, *sqlite.DB, error) {
	<-l.opened
	if l.err != nil {
		return nil, nil, l.err
	}
	if l.db == nil || l.ctx.Err() != nil {
		return nil, nil, core.E(core.Canceled, "the window is closing")
	}
	return l.ctx, l.db, nil
}

// stop ends what is going on; no method gets the library any more.
func (l *library) stop() {
	<-l.opened
	if l.cancel != nil {
		l.cancel()
	}
}

// close closes the file.
func (l *library) close() error {
	<-l.opened
	if l.db == nil {
		return nil
	}
	return l.db.Close()
}
