package tools_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/tools"
	"coppice/backend/tools/excerpt"
)

// library holds outputs as the library does, for one session.
type library map[string]core.Blob

func (l library) find(_ context.Context, sessionID, outputID string) (core.Blob, error) {
	for hash, blob := range l {
		if sessionID == "" && strings.HasPrefix(hash, "sha256:"+outputID) {
			return blob, nil
		}
	}
	return core.Blob{}, core.E(core.NotFound, "no output %s", outputID)
}

// What an excerpt leaves out is read with the arguments that the excerpt names, until nothing is missing.
func TestReadOutput(t *testing.T) {
	t.Parallel()
	l := library{}
	b := newBenchWith(t, nil, tools.Options{FindOutput: l.find})
	var lines strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&lines, "line %d\n", i+1)
	}
	for name, c := range map[string]struct{ text, first, last string }{
		"many lines":   {lines.String(), `"offset": 667`, "  2450\tline 2450\n(lines 667 to 2450 of 9000; continue with offset 2451)\n"},
		"one long one": {strings.Repeat("é", 40_000), `"byte_offset": 10000`, "(bytes 10000 to 39999 of 80000; continue with byte_offset 40000)\n"},
	} {
		part, blobs := excerpt.Part(c.text, int64(len(c.text)), 1, excerpt.MaxBytes, excerpt.MaxLines)
		l[blobs[0].Hash] = blobs[0]
		args := regexp.MustCompile(`read_output (\{.*?\}) returns them`).FindStringSubmatch(part.Text)
		if args == nil || !strings.Contains(args[1], c.first) {
			t.Fatalf("%s: %.200q in %q", name, args, part.Text[9000:11000])
		}
		got := b.succeeds("read_output", args[1])
		if !strings.HasSuffix(got, c.last) || len(got) > excerpt.MaxBytes+100 {
			t.Errorf("%s: %d bytes, %q", name, len(got), got[max(len(got)-200, 0):])
		}
	}
	id := excerpt.OutputID(core.Hash([]byte(lines.String())))
	for args, want := range map[string]string{
		`{"output": "` + id + `", "offset": 8999}`:                             "  8999\tline 8999\n  9000\tline 9000\n(lines 8999 to 9000 of 9000)\n",
		`{"output": "` + id + `", "pattern": "^line 89.9$", "limit": 2}`:       "  8909\tline 8909\n  8919\tline 8919\n(more lines match; continue with offset 8929)\n",
		`{"output": "` + id + `", "pattern": "^line 89.9$", "offset": 8985}`:   "  8989\tline 8989\n  8999\tline 8999\n",
		`{"output": "` + id + `", "pattern": "nothing"}`:                       "(no line matches)",
		`{"output": "` + id + `", "byte_offset": ` + fmt.Sprint(lines.Len()-5): "9000\n",
	} {
		if !strings.HasSuffix(args, "}") {
			args += "}"
		}
		if got := b.succeeds("read_output", args); got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
	b.fails("read_output", `{"output": "`+id+`", "offset": 9001}`, "has only 9000 lines")
	b.fails("read_output", `{"output": "0123456789ab"}`, `this session has no output "0123456789ab"`)
	b.fails("read_output", `{"output": "%"}`, "must be a name such as")
	b.fails("read_output", `{"output": "`+id+`", "pattern": "("}`, "invalid regular expression")
	b.fails("read_output", `{"output": "`+id+`", "byte_offset": 4, "offset": 2}`, "byte_offset goes without")
	if a, err := b.access("read_output", `{"output": "`+id+`"}`); err != nil || a.Effect != core.EffectNone {
		t.Errorf("%+v %v", a, err)
	}
}
