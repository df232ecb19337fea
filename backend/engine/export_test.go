package engine

import "coppice/backend/core"

// Replayable lets the tests of the protocols see what is sent for a path.
func Replayable(path []core.Message) []core.Message { return replayable(path) }
