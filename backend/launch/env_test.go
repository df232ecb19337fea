package launch

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

func TestMissingStart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		session core.Session
		hasTask bool
	}{
		{core.Session{Task: "tidy up"}, false},
		{core.Session{IncompleteStart: true}, false},
		{core.Session{IncompleteStart: true, Task: "tidy up"}, true},
	} {
		note := missingStart(test.session)
		if hasTask := strings.HasSuffix(note, "Its original task was:\ntidy up"); hasTask != test.hasTask || !hasTask && note != "" {
			t.Errorf("%+v: %q", test.session, note)
		}
	}
}
