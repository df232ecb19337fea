//go:build !desktop && !dev && !bindings

package window

import (
	"context"

	"coppice/backend/core"
)

// Open returns an error: this build does not include the window.
func Open(context.Context, string, func(error)) error {
	return core.E(core.Invalid, "this build of Coppice has no window").
		WithHint("make run builds and opens it; coppice --help lists the commands")
}
