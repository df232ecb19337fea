package archive

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"coppice/backend/core"
)

func docs(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDocsNameEveryField compares docs/format.md with the types: every field that is written is described.
func TestDocsNameEveryField(t *testing.T) {
	text := docs(t)
	for _, v := range []any{
		header{},
		session{},
		blobHead{},
		branch{},
		lineHeader{},
		recordLine{},
		core.Message{},
		core.Part{},
		core.Usage{},
		core.Origin{},
		core.Media{},
		core.Truncated{},
		core.Label{},
		core.Alias{},
		core.Record{},
		stateLine{},
		core.RunState{},
		runLine{},
		core.Budget{},
		requestLine{},
		approvalLine{},
		execLine{},
		changeLine{},
		draftLine{},
		wakeLine{},
		copiedLine{},
		restoreLine{},
		queuedLine{},
		checkpointLine{},
	} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(v)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			if !strings.Contains(text, "`"+name+"`") && !strings.Contains(text, `{"`+name+`":{…}}`) {
				t.Errorf("%T: %q is not documented", v, name)
			}
		}
	}
}

// TestDocsExample imports the example of docs/format.md without a problem.
func TestDocsExample(t *testing.T) {
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(docs(t))
	if example == nil {
		t.Fatal("there is no example")
	}
	data := []byte(example[1])
	file := core.SourceFile{
		Data: bytes.NewReader(data), SizeBytes: int64(len(data)),
		Problem: func(line int64, message string) { t.Errorf("line %d: %s", line, message) },
	}
	sessions := 0
	for in, err := range Read(context.Background(), file) {
		if err != nil {
			t.Fatal(err)
		}
		sessions++
		tally := core.Planner{}
		for m, err := range in.Messages {
			if err != nil {
				t.Fatal(err)
			}
			place, err := tally.Add(core.Node{UID: m.UID, ParentUID: m.ParentUID, IsPrompt: m.IsPrompt()})
			if err != nil || place != (core.Placement{Seq: m.Seq, Turn: m.Turn, Branch: m.Branch, Depth: m.Depth}) {
				t.Errorf("%s stands at %+v, %v", m.UID, place, err)
			}
		}
	}
	if sessions != 1 {
		t.Errorf("%d sessions", sessions)
	}
}
