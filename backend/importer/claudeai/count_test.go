package claudeai

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// countTruth counts in the raw file of one conversation, without the importer. Claude.ai records no tokens. An answer with tools
// becomes a message for each round: the words that lead to calls, their results, and the words after them.
func countTruth(t importertest.Tester, data []byte) (n importertest.Counts) {
	t.Helper()
	var file []struct {
		Messages []struct {
			UUID    string
			Parent  string `json:"parent_message_uuid"`
			Content []struct{ Type string }
			Files   []struct{}
		} `json:"chat_messages"`
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file) != 1 {
		t.Fatalf("%d conversations, %v", len(file), err)
	}
	leads := map[string]bool{}
	for _, m := range file[0].Messages {
		leads[m.Parent] = true
	}
	for _, m := range file[0].Messages {
		n.Messages++
		n.Media += int64(len(m.Files))
		if !leads[m.UUID] {
			n.Branches++
		}
		before := "text"
		for _, block := range m.Content {
			result := block.Type == "tool_result"
			if result != (before == "tool_result") {
				n.Messages++
			}
			before = block.Type
			switch block.Type {
			case "tool_use":
				n.Calls++
			case "tool_result":
				n.Results++
			case "thinking":
				n.Reasoning++
			}
		}
	}
	return n
}

// TestCounts compares the importer's result for any conversation with a count of its file.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &script{}
		uuids := []string{noUUID}
		for i := range rapid.IntRange(1, 30).Draw(t, "messages") {
			parent, uuid := rapid.SampledFrom(uuids).Draw(t, "parent"), fmt.Sprint("m", i)
			uuids = append(uuids, uuid)
			if rapid.Bool().Draw(t, "human") {
				s.add(uuid, parent, "human", []object{text("asks")}, object{"files": []object{{"file_name": "shed.png", "file_uuid": "f" + uuid}}})
				continue
			}
			var content []object
			for round := range rapid.IntRange(0, 3).Draw(t, "rounds") {
				content = append(content, object{"type": "thinking", "thinking": "hm"}, text("I look."))
				calls := rapid.IntRange(1, 3).Draw(t, "calls")
				for c := range calls {
					content = append(content, object{"type": "tool_use", "name": "clock", "input": object{}, "id": fmt.Sprint(uuid, "-", round, "-", c)})
				}
				for c := range calls {
					content = append(content, object{"type": "tool_result", "name": "clock", "tool_use_id": fmt.Sprint(uuid, "-", round, "-", c), "content": "noon"})
				}
			}
			s.add(uuid, parent, "assistant", append(content, text("It is noon.")), nil)
		}
		data := export(s)
		got := importertest.One(t, Format(), source, data)
		if have, want := got.Count(), countTruth(t, data); have != want {
			t.Fatalf("got  %+v\nwant %+v", have, want)
		}
	})
}
