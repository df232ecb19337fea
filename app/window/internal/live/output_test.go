package live

import (
	"fmt"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render"
)

// TestOutput requires that a call shows the last lines of its output from its begin until its result is stored.
func TestOutput(t *testing.T) {
	r := newRun(render.New(), nil)
	r.tell = func() {}
	shown := func() string {
		calls := r.Since(0, 0).Calls
		if len(calls) == 0 {
			return "no calls"
		}
		return calls[0].Output
	}
	exec := &core.ToolExec{CallID: "c1", Name: "run_command", Result: &core.Part{}}
	r.Output("c1", "before its begin")
	r.observe(engine.Event{Type: engine.EventToolBegins, Exec: exec})
	for i := range 10_000 {
		r.Output("c1", fmt.Sprintf("\x1b[32mline\x1b[0m %d of a long output\n", i))
	}
	r.Output("c1", "10%\r20%")
	r.Output("c2", "of no call")
	want := "line 9995 of a long output\nline 9996 of a long output\nline 9997 of a long output\nline 9998 of a long output\nline 9999 of a long output\n20%"
	if got := shown(); got != want {
		t.Errorf("while it runs: %q", got)
	}
	r.observe(engine.Event{Type: engine.EventToolEnds, Exec: exec})
	if got := shown(); !strings.HasSuffix(got, "20%") {
		t.Errorf("after its end: %q", got)
	}
	r.observe(engine.Event{Type: engine.EventMessage, Message: &core.Message{Role: core.RoleTool, UID: "m2"}})
	if got := shown(); got != "no calls" || len(r.outputs) > 0 {
		t.Errorf("after its result: %q", got)
	}
}
