package chatgpt

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// countTruth counts in the raw file of one conversation, without the importer. ChatGPT records no tokens.
func countTruth(t importertest.Tester, data []byte) (n importertest.Counts) {
	t.Helper()
	var file []struct {
		Mapping map[string]struct {
			Parent  string
			Message *struct {
				Author    struct{ Role string }
				Recipient string
				Content   struct {
					ContentType string `json:"content_type"`
					Parts       []any
					Thoughts    []struct{ Content string }
				}
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file) != 1 {
		t.Fatalf("%d conversations, %v", len(file), err)
	}
	leads := map[string]bool{}
	for _, node := range file[0].Mapping {
		leads[node.Parent] = true
	}
	for id, node := range file[0].Mapping {
		m := node.Message
		if m == nil || m.Author.Role == "system" {
			continue // what the export puts before the first prompt
		}
		n.Messages++
		if !leads[id] {
			n.Branches++
		}
		switch {
		case m.Author.Role == "tool":
			n.Results++
		case m.Author.Role == "assistant" && m.Recipient != "all":
			n.Calls++
		}
		for _, thought := range m.Content.Thoughts {
			if thought.Content != "" {
				n.Reasoning++
			}
		}
		if m.Content.ContentType == "reasoning_recap" {
			n.Reasoning++
		}
		for _, part := range m.Content.Parts {
			if _, picture := part.(map[string]any); picture && m.Author.Role != "tool" {
				n.Media++
			}
		}
	}
	return n
}

// TestCounts compares the importer's result for any conversation with a count of its file.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := begin()
		s.add("sys", "root", "system", text(""), object{"metadata": object{"is_visually_hidden_from_conversation": true}})
		s.user("q", "sys")
		for i := range rapid.IntRange(0, 30).Draw(t, "messages") {
			id, parent := fmt.Sprint("m", i), rapid.SampledFrom(s.order[2:]).Draw(t, "parent")
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				s.user(id, parent)
			case 1:
				s.says(id, parent)
			case 2:
				s.add(id, parent, "assistant", object{"content_type": "code", "language": "python", "text": "print(1)"}, object{"recipient": "python"})
			case 3:
				s.add(id, parent, "tool", object{"content_type": "execution_output", "text": "1"}, object{"author": object{"role": "tool", "name": "python"}})
			case 4:
				s.add(id, parent, "assistant", object{"content_type": "thoughts", "thoughts": []any{object{"summary": "One", "content": "a"}, object{"content": "b"}}}, nil)
			case 5:
				s.add(id, parent, "assistant", object{"content_type": "reasoning_recap", "content": "Thought for a second"}, nil)
			default:
				s.add(id, parent, "user", object{"content_type": "multimodal_text", "parts": []any{
					object{"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-shed", "width": 3}, "look",
				}}, nil)
			}
		}
		data := export(s)
		got := importertest.One(t, Format(), path, data)
		if have, want := got.Count(), countTruth(t, data); have != want {
			t.Fatalf("got  %+v\nwant %+v", have, want)
		}
	})
}
