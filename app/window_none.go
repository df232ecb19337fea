//go:build !desktop && !dev && !bindings

package app

import (
	"context"

	"coppice/backend/core"
)

// openWindow says that this build has none.
func openWindow(context.Context, *shell) error {
	return core.E(core.Invalid, "this build of Coppice has no window").
		WithHint("make run builds and opens it; coppice --help lists the commands")
}
