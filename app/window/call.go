package window

import (
	"context"

	"coppice/app/internal/guard"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/remedy"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// call runs f on the library as soon as the library is open. A panic becomes an error.
func call[T any](p *program, f func(context.Context, *sqlite.DB) (T, error)) (T, error) {
	var result T
	err := guard.Run(func() error {
		ctx, db, err := p.library.get()
		if err != nil {
			return err
		}
		result, err = f(ctx, db)
		return err
	})
	return result, err
}

// change runs f, which writes, and reports the kind of change for each session, or for the library if ids is empty.
func (p *program) change(kind change.Kind, ids []string, f func(context.Context, *sqlite.DB) error) error {
	_, err := call(p, func(ctx context.Context, db *sqlite.DB) (bool, error) { return true, f(ctx, db) })
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		p.changes.Library(kind)
	}
	for _, id := range ids {
		p.changes.Session(id, kind)
	}
	return nil
}

// failure is the value of a rejected promise.
type failure struct {
	Code    core.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint"`
	// Remedy is the kind of remedy, for a button beside the hint; empty if none is known.
	Remedy core.RemedyKind `json:"remedy"`
}

// formatError returns an error as an object for the page. By default Wails passes only its text.
func formatError(err error) any {
	_, help := core.HelpOf(err)
	return failure{Code: core.CodeOf(err), Message: err.Error(), Hint: remedy.Hint(err), Remedy: help.Kind}
}
