package claudecode

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// TestRandomTreesComeBack writes random trees of turns the way Claude Code would, with all its habits of recording, and
// reads the same trees back.
func TestRandomTreesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s script
		tips := []string{""}        // where a turn may continue, by the source's links
		ends := []string{""}        // the last message there
		want := map[string]string{} // message → parent
		for n := range rapid.IntRange(1, 12).Draw(t, "turns") {
			from := len(tips) - 1
			if rapid.Bool().Draw(t, "rewind") {
				from = rapid.IntRange(0, len(tips)-1).Draw(t, "to")
			}
			if from == 0 && n > 0 {
				s.rewound("")
			} else if from < len(tips)-1 && rapid.Bool().Draw(t, "told") {
				s.rewound(ends[from])
			}
			tip, end := randomTurn(t, &s, n, tips[from], ends[from], want)
			tips, ends = append(tips, tip), append(ends, end)
		}
		r := readOne(t, s.lines)
		if len(r.messages) != len(want) {
			t.Fatalf("%d messages, want %d\n%s", len(r.messages), len(want), s.lines)
		}
		for _, m := range r.messages {
			if m.ParentUID != want[m.UID] {
				t.Fatalf("%s under %q, want %q\n%s\n%s", m.UID, m.ParentUID, want[m.UID], r.shape(), s.lines)
			}
		}
		if r.head != ends[len(ends)-1] {
			t.Fatalf("head %s, want %s", r.head, ends[len(ends)-1])
		}
	})
}

// randomTurn writes a prompt below tip, tool calls and an answer. It returns the parent of the next turn, and the
// turn's last message.
func randomTurn(t *rapid.T, s *script, n int, tip, end string, want map[string]string) (newTip, newEnd string) {
	name := func(kind string, i int) string { return fmt.Sprintf("%s%d.%d", kind, n, i) }
	message := func(uid string) { want[uid] = end; end = uid }
	structural := func(i int) {
		switch rapid.SampledFrom([]string{"", "", "progress", "attachment", "system"}).Draw(t, "between") {
		case "progress":
			tip = s.progress(name("p", i), tip, "hook_progress")
		case "attachment":
			tip = s.attachment(name("x", i), tip, "total_tokens_reminder")
		case "system":
			tip = s.system(name("s", i), tip, "stop_hook_summary", nil)
		}
	}
	tip = s.user(name("q", 0), tip, "prompt")
	message(tip)
	structural(0)
	for i := range rapid.IntRange(0, 3).Draw(t, "steps") {
		id := name("m", i)
		var callers []string
		for c := range rapid.IntRange(1, 3).Draw(t, "parallel") {
			tip = s.calls(name("c", i*10+c), tip, id, name("t", i*10+c))
			callers = append(callers, tip)
		}
		message(callers[0])
		last := tip
		for c, caller := range callers { // each result is a child of the record of its call; so is progress
			if rapid.Bool().Draw(t, "progress") {
				s.progress(name("pp", i*10+c), caller, "bash_progress")
			}
			last = s.result(name("r", i*10+c), caller, name("t", i*10+c))
			message(last)
		}
		tip = last
		structural(10 + i)
	}
	tip = s.says(name("a", 0), tip, "answer")
	message(tip)
	structural(20)
	return tip, end
}

// FuzzRead reads arbitrary bytes. The result is always a valid tree, see readings.
func FuzzRead(f *testing.F) {
	var s script
	s.turn("1", s.progress("p0", "", "hook_progress"))
	s.turn("2", "a1")
	s.rewound("a1")
	s.result("r", s.calls("c", "a1", "m", "t"), "t")
	s.record("k", "", fieldsOf{"type": "user", "isSidechain": true, "isCompactSummary": true, "message": fieldsOf{"content": []any{"x"}}})
	f.Add(s.lines, 0)
	f.Add(s.lines, len(s.lines)/2)
	f.Add([]byte(`{"type":"user","uuid":"a","parentUuid":"a","message":{}}{"type":"assistant","uuid":"b","message":{"id":"","content":{}}}`), 0)
	f.Add([]byte(`{"type":"progress","uuid":"p","data":{"type":"agent_progress","agentId":"g","message":{"type":"user","uuid":"i","message":{"content":"x"}}}}`), 0)
	f.Add([]byte("{\"loglines\":[\n{\"type\":\"user\",\"message\":{\"content\":\"x\"}},7,{\"type\":\"user\"}],\"x\":{}}"), 0)
	f.Fuzz(func(t *testing.T, data []byte, from int) {
		readings(t, "/p/agent-x.jsonl", data, int64(max(0, min(from, len(data)))))
		readings(t, "/p/y.jsonl", data, 0)
	})
}

// TestSkeletonIsSmall checks that the first pass does not hold the text of a file in memory.
func TestSkeletonIsSmall(t *testing.T) {
	var s script
	last := ""
	const turns, size = 200, 50_000
	for i := range turns {
		last = s.says(fmt.Sprint("a", i), s.user(fmt.Sprint("q", i), last, strings.Repeat("words ", size/6)), strings.Repeat("more ", size/5))
		last = s.progress(fmt.Sprint("p", i), last, "hook_progress")
	}
	before := heap()
	skeleton, err := scan(context.Background(), core.SourceFile{
		Path: "/p/x.jsonl", SizeBytes: int64(len(s.lines)), Data: bytes.NewReader(s.lines), Problem: func(int64, string) {},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	if held := heap() - before; held > turns*3*1000 {
		t.Errorf("the skeleton of %d records holds %d bytes of %d", turns*3, held, len(s.lines))
	}
	runtime.KeepAlive(skeleton)
	runtime.KeepAlive(s)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
