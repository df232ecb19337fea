package claudecode

import (
	"strconv"

	"coppice/backend/core"
)

// derivedUID returns an id for a record that has none, the same at every import.
func derivedUID(raw string, timeMs int64, at entry) string {
	return core.DerivedID(timeMs, raw, strconv.Itoa(int(at.Line)), strconv.Itoa(int(at.Part)))
}
