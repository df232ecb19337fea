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
		told    bool
	}{
		{core.Session{Task: "tidy up"}, false},
		{core.Session{IncompleteStart: true}, false},
		{core.Session{IncompleteStart: true, Task: "tidy up"}, true},
	} {
		note := missingStart(test.session)
		if told := strings.HasSuffix(note, "Its original task was:\ntidy up"); told != test.told || !told && note != "" {
			t.Errorf("%+v: %q", test.session, note)
		}
	}
}
