//go:build !desktop && !dev && !bindings

package app

import (
	"context"

	"coppice/backend/core"
)

// openWindow returns an error: this build has no window.
func openWindow(context.Context, string, func(error)) error {
	return core.E(core.Invalid, "this build of Coppice has no window").
		WithHint("make run builds and opens it; coppice --help lists the commands")
}
