package claudecode

import (
	"strconv"

	"coppice/backend/core"
)

// derivedUID returns an id for a record that has none, the same at every import.
func derivedUID(raw string, timeMs int64, at spot) string {
	return core.DerivedID(timeMs, raw, strconv.FormatInt(at.number, 10), strconv.Itoa(int(at.part)))
}
