package wake

import (
	"context"
	"errors"
	"testing"
	"time"

	"coppice/backend/core"
)

func TestWatch(t *testing.T) {
	t.Parallel()
	library := library{wakes: []core.Wake{
		{ID: "bad", SessionID: "a", Kind: core.WakeTime, AtMs: 1, Active: true},
		{ID: "good", SessionID: "b", Kind: core.WakeTime, AtMs: 1, Active: true},
	}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	now := time.UnixMilli(1000)
	starts := map[string]int{}
	checks := 0
	w := Watcher{
		Library: library, every: time.Millisecond, Failed: func(err error) { t.Error(err) },
		Now: func() time.Time {
			if checks++; checks == 200 {
				cancel()
			}
			return now
		},
		Sweep: func(context.Context) {},
		Start: func(_ context.Context, call Call) error {
			starts[call.WakeID]++
			if call.WakeID == "bad" {
				return errors.New("no key")
			}
			return nil
		},
	}
	w.Watch(ctx)
	if starts["bad"] != 1 || starts["good"] < 2 { // the library of the test keeps the condition of a session that was started
		t.Errorf("%v", starts)
	}
	w.tried["bad"] = now
	w.check(t.Context())
	if starts["bad"] != 2 {
		t.Error("it is never tried again")
	}
}
