package render

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
)

// at sets the time of a message in seconds.
func at(seconds int64, m core.Message) core.Message {
	m.CreatedAtMs = 1763712000000 + seconds*1000
	return m
}

// summaryOf is a work in one line: time, steps, files, phases.
func summaryOf(w Work) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%ds steps=%d calls=%d files=%d +%d-%d failed=%d denied=%d stopped=%d", w.WorkedMs/1000, w.Steps, w.Calls, w.Files, w.Added, w.Removed, w.Failed, w.Denied, w.Interrupted)
	for _, p := range w.Phases {
		fmt.Fprintf(&out, " | %s %ds", p.Kind, p.WorkedMs/1000)
		if p.Searches > 0 {
			fmt.Fprintf(&out, " searches=%d", p.Searches)
		}
		for _, i := range p.Items {
			fmt.Fprintf(&out, " %s(%d", i.Text, i.Calls)
			if i.Failed > 0 {
				fmt.Fprintf(&out, " failed=%d", i.Failed)
			}
			if i.Added+i.Removed > 0 {
				fmt.Fprintf(&out, " +%d-%d", i.Added, i.Removed)
			}
			out.WriteString(")")
		}
	}
	return out.String()
}

func failing(id, words string) core.Part {
	result := answers(id, text(words))
	result.IsError = true
	return result
}

func TestCount(t *testing.T) {
	ask := at(0, said(core.RoleUser, text("do it")))
	read := said(core.RoleAssistant, calls("1", "Read", `{"file_path":"/w/a.go"}`))
	lasted := answers("1", text("ok"))
	lasted.DurationMs = 3_600_000
	for _, c := range []struct {
		name     string
		messages []core.Message
		want     string
	}{
		{"an answer alone", []core.Message{ask, at(8, said(core.RoleAssistant, text("done")))}, "8s steps=1 calls=0 files=0 +0-0 failed=0 denied=0 stopped=0 | answered 8s"},
		{
			"the night between two messages is a pause",
			[]core.Message{ask, at(5, read), at(6, said(core.RoleTool, answers("1", text("x")))), at(30_000, said(core.RoleAssistant, text("good morning")))},
			"6s steps=2 calls=1 files=0 +0-0 failed=0 denied=0 stopped=0 | explored 6s a.go(1)",
		},
		{
			"a call that lasted an hour worked for an hour",
			[]core.Message{ask, at(5, read), at(3605, said(core.RoleTool, lasted))},
			"3605s steps=1 calls=1 files=0 +0-0 failed=0 denied=0 stopped=0 | explored 3605s a.go(1)",
		},
		{
			"edits of one file are one item",
			[]core.Message{
				ask, at(1, said(core.RoleAssistant,
					calls("1", "Edit", `{"file_path":"/w/a.go","old_string":"x","new_string":"y\nz"}`),
					calls("2", "Edit", `{"file_path":"/w/a.go","old_string":"q","new_string":""}`),
					calls("3", "Write", `{"file_path":"/w/b.go","content":"1\n2\n3\n4\n5\n"}`))),
				at(2, said(core.RoleTool, answers("1", text("ok")), answers("2", text("ok")), answers("3", text("ok")))),
			},
			"2s steps=1 calls=3 files=2 +7-2 failed=0 denied=0 stopped=0 | edited 2s b.go(1 +5-0) a.go(2 +2-2)",
		},
		{
			"failures come first, a failed edit changed nothing",
			[]core.Message{
				ask, at(1, said(core.RoleAssistant, calls("1", "Bash", `{"command":"make"}`), calls("2", "Bash", `{"command":"make test"}`),
					calls("3", "Edit", `{"file_path":"/w/a.go","old_string":"x","new_string":"y"}`))),
				at(2, said(core.RoleTool, answers("1", text("ok")), failing("2", "exit 1"), failing("3", "not found"))),
			},
			"2s steps=1 calls=3 files=0 +0-0 failed=2 denied=0 stopped=0 | edited 0s a.go(1 failed=1) | ran 2s make test(1 failed=1) make(1)",
		},
		{
			"denied and interrupted are not failed",
			[]core.Message{
				ask, at(1, said(core.RoleAssistant, calls("1", "Bash", `{"command":"rm"}`), calls("2", "Bash", `{"command":"sleep 9"}`))),
				at(2, said(core.RoleTool, failing("1", "The user doesn't want to proceed with this tool use."), failing("2", "[Request interrupted by user for tool use]"))),
			},
			"2s steps=1 calls=2 files=0 +0-0 failed=0 denied=1 stopped=1 | ran 2s rm(1) sleep 9(1)",
		},
		{
			"the user's time for an answer is not work",
			[]core.Message{
				ask, at(1, said(core.RoleAssistant, calls("1", "AskUserQuestion", `{"question":"which?"}`))),
				at(200, said(core.RoleTool, answers("1", text("the first")))), at(203, said(core.RoleAssistant, text("fine"))),
			},
			"4s steps=2 calls=1 files=0 +0-0 failed=0 denied=0 stopped=0 | asked 1s which?(1) | answered 3s",
		},
		{
			"searches are counted, not listed; a call without a result counts",
			[]core.Message{ask, at(1, said(core.RoleAssistant, calls("1", "Grep", `{"pattern":"x"}`), calls("2", "Bash", `{"command":"rg x | head -3"}`)))},
			"1s steps=1 calls=2 files=0 +0-0 failed=0 denied=0 stopped=0 | explored 1s searches=1 rg x | head -3(1)",
		},
	} {
		if got := summaryOf(shared().Count(c.messages, "/w")); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Many items are cut, and their number is known.
func TestCountCutsItems(t *testing.T) {
	messages := []core.Message{at(0, said(core.RoleUser, text("go")))}
	for i := range 20 {
		messages = append(messages, at(int64(i), said(core.RoleAssistant, calls(fmt.Sprint(i), "Read", fmt.Sprintf(`{"file_path":"/w/%d.go"}`, i)))))
	}
	got := shared().Count(messages, "/w").Phases[0]
	if len(got.Items) != maxItems || got.Omitted != 12 || got.Items[0].Text != "0.go" {
		t.Errorf("got %+v", got)
	}
}

func TestOnlyLooks(t *testing.T) {
	for command, want := range map[string]bool{
		"ls -la": true, "cd src && rg -n foo | head -20": true, "sed -n '1,20p' a.go": true, "sed -i s/a/b/ a.go": false, "git log --oneline": true,
		"git commit -m x": false, "go test ./...": false, "cat a > b": false, "cat a 2>/dev/null": true, "echo $(rm -rf /)": false, "cd /tmp": false, "": false,
		"/usr/bin/grep x y": true, "find . -delete": false, "go doc fmt": true,
	} {
		if got := onlyLooks(command); got != want {
			t.Errorf("%q: got %v", command, got)
		}
	}
}

func TestStateOf(t *testing.T) {
	call := calls("1", "Bash", `{}`)
	interrupted := failing("1", "")
	interrupted.Structured = []byte(`{"stdout":"","interrupted":true}`)
	done := answers("1", text("the build was interrupted by user input"))
	for name, c := range map[string]struct {
		result core.Part
		want   ToolState
	}{
		"failed":                 {failing("1", "exit status 1"), ToolFailed},
		"denied":                 {failing("1", "User rejected the edit"), ToolDenied},
		"interrupted in words":   {failing("1", "[Request interrupted by user]"), ToolInterrupted},
		"interrupted in data":    {interrupted, ToolInterrupted},
		"only text of a success": {done, ToolDone},
	} {
		if got := stateOf(&call, &c.result); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// The detail of an edit does not repeat the path, which is in the line of the call and above its diff.
func TestDetailOfAnEditHasNoPath(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"replace_all":false,"file_path":"/w/a.go","old_string":"a","new_string":"b"}`: "",
		`{"replace_all":true,"file_path":"/w/a.go","old_string":"a","new_string":"b"}`:  "replace_all",
		`{"file_path":"/w/a.go"}`: "file_path",
	} {
		call := calls("1", "Edit", arguments)
		names := []string{}
		for _, f := range shared().detail(&call, nil, "/w").Arguments {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %q", arguments, got)
		}
	}
}
