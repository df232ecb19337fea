package window

import (
	"context"

	"coppice/app/internal/guard"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// call runs a method of the window on the library, once that is open.
func call[T any](b *Bindings, f func(context.Context, *sqlite.DB) (T, error)) (T, error) {
	var result T
	err := guard.Run(func() error {
		ctx, db, err := b.library.get()
		if err != nil {
			return err
		}
		result, err = f(ctx, db)
		return err
	})
	return result, err
}

// change runs a method that writes, and tells the window what is stale then.
func (b *Bindings) change(ids []string, f func(context.Context, *sqlite.DB) error) error {
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) { return true, f(ctx, db) })
	if err != nil {
		return err
	}
	b.changes.tell(changedLibrary)
	for _, id := range ids {
		b.changes.tell(id)
	}
	return nil
}

// failure is what a rejected promise carries.
type failure struct {
	Code    core.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint"`
}

// formatError makes errors objects for the window; Wails alone would pass on their text.
func formatError(err error) any {
	return failure{Code: core.CodeOf(err), Message: err.Error(), Hint: core.HintOf(err)}
}
