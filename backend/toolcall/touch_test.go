package toolcall_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"coppice/backend/core"
	"coppice/backend/toolcall"
)

func TestTouches(t *testing.T) {
	call := func(name, arguments string) []core.Part {
		return []core.Part{{Type: core.PartToolCall, ID: "c1", Name: name, Arguments: json.RawMessage(arguments)}}
	}
	for _, c := range []struct {
		what  string
		parts []core.Part
		want  []toolcall.Touch
	}{
		{"a read changes nothing", call("Read", `{"file_path":"/a/b.go"}`), nil},
		{"a command changes nothing that is known", call("Bash", `{"command":"rm b.go"}`), nil},
		{"an edit", call("Edit", `{"file_path":"/a/b.go","old_string":"x\ny","new_string":"x\nz\nw"}`), []toolcall.Touch{{CallID: "c1", Path: "/a/b.go", Added: 2, Removed: 1}}},
		{"a new file", call("write_file", `{"path":"b.go","content":"1\n2\n3\n"}`), []toolcall.Touch{{CallID: "c1", Path: "b.go", Added: 3}}},
		{"a removed file", call("delete_file", `{"path":"b.go"}`), []toolcall.Touch{{CallID: "c1", Path: "b.go"}}},
		{
			"a patch of two files, one of them twice",
			call("apply_patch", `{"input":"*** Begin Patch\n*** Update File: a.go\n@@\n-1\n+2\n*** Add File: b.go\n+x\n*** Update File: a.go\n@@\n+3\n*** End Patch\n"}`),
			[]toolcall.Touch{{CallID: "c1", Path: "a.go", Added: 2, Removed: 1}, {CallID: "c1", Path: "b.go", Added: 1}},
		},
		{"an edit without a path", call("Edit", `{"old_string":"x","new_string":"y"}`), nil},
		{"arguments that are not JSON", call("Edit", `{"file_path":`), nil},
	} {
		got, outcomes := toolcall.Known().Touches(c.parts)
		if !reflect.DeepEqual(got, c.want) || outcomes != nil {
			t.Errorf("%s: %+v, %+v; want %+v", c.what, got, outcomes, c.want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	result := func(structured string, failed bool) []core.Part {
		return []core.Part{{Type: core.PartToolResult, ID: "c1", IsError: failed, Structured: json.RawMessage(structured)}}
	}
	for _, c := range []struct {
		what  string
		parts []core.Part
		want  []toolcall.Outcome
	}{
		{"a result without a change", result(`{"stdout":"ok"}`, false), nil},
		{"an error", result(``, true), []toolcall.Outcome{{CallID: "c1", Failed: true}}},
		{
			"the patch of Claude Code", result(`{"filePath":"/a/b.go","structuredPatch":[{"oldStart":1,"newStart":1,"lines":[" x","-y","+z","+w"]}]}`, false),
			[]toolcall.Outcome{{CallID: "c1", Touched: []toolcall.Touch{{CallID: "c1", Path: "/a/b.go", Added: 2, Removed: 1}}}},
		},
	} {
		touches, got := toolcall.Known().Touches(c.parts)
		if !reflect.DeepEqual(got, c.want) || touches != nil {
			t.Errorf("%s: %+v, %+v; want %+v", c.what, got, touches, c.want)
		}
	}
}
