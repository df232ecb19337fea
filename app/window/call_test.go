package window

import (
	"testing"

	"coppice/backend/core"
)

func TestFailuresCarryTheirRemedy(t *testing.T) {
	t.Parallel()
	err := core.Wrap(core.Unavailable, core.E(core.Busy, "a run is active").WithRemedy(core.TakeOver), "start a run")
	if got, ok := formatError(err).(failure); !ok || got.Remedy != core.TakeOver || got.Hint != "If that machine is off, take the session over" {
		t.Errorf("failure %+v", got)
	}
}
