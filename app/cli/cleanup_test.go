package cli

import (
	"testing"
	"time"

	"coppice/backend/core"
)

// A clock that is wrong must not decide the age of a session.
func TestClockError(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		newest, used time.Duration // relative to now
		wrong        bool
	}{
		"used today":                {-time.Hour, -time.Minute, false},
		"old messages, imported":    {-900 * 24 * time.Hour, -time.Minute, false},
		"unused for a month":        {-40 * 24 * time.Hour, -30 * 24 * time.Hour, false},
		"a message of this evening": {8 * time.Hour, 0, false},
		"a year ahead":              {-365 * 24 * time.Hour, -365 * 24 * time.Hour, true},
		"two days behind":           {48 * time.Hour, 48 * time.Hour, true},
	} {
		err := clockError(now, now.Add(test.newest), now.Add(test.used))
		if wrong := core.CodeOf(err) == core.Conflict; wrong != test.wrong || wrong && core.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
