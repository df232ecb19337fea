package live

import (
	"slices"
	"testing"

	"coppice/backend/core"
)

// TestJoin requires that a run that continues from where another one stopped replaces it, and that any other run is added at
// the end.
func TestJoin(t *testing.T) {
	lead, stopped := &Run{lastUID: "m2"}, &Run{run: core.Run{Lane: 1}, lastUID: "m3"}
	done, again := &Run{run: core.Run{Lane: 1}, lastUID: "m4"}, &Run{from: "m3"}
	silent, beside := &Run{run: core.Run{Lane: 1}, from: "m1"}, &Run{from: "m1", running: true}
	r := New(nil, nil, nil, nil)
	for i, one := range []*Run{lead, stopped, done, again, silent, beside} {
		r.join("s", one, int64(min(i, 1)))
	}
	if got := r.all("s"); !slices.Equal(got, []*Run{lead, again, done, silent, beside}) {
		t.Errorf("%d runs in another order", len(got))
	}
	r.join("s", &Run{running: true}, 0)
	if got := r.all("s"); len(got) != 2 || got[0] != beside {
		t.Errorf("%d runs stay beside one that moves the head", len(got)-1)
	}
}
