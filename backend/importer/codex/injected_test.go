package codex

import (
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/importer/importertest"
)

const pluginsText = "<recommended_plugins>\nHere is a list of plugins\n</recommended_plugins>"

// kinds appends a user's item that names the kinds of its blocks.
func (s *script) kinds(texts []string, kinds ...string) {
	blocks := []object{}
	for _, text := range texts {
		blocks = append(blocks, object{"type": "input_text", "text": text})
	}
	s.item(object{
		"type": "message", "role": "user", "content": blocks,
		"internal_chat_message_metadata_passthrough": object{"turn_id": turnID(1), "content_item_kinds": kinds},
	})
}

// TestInjected checks that what Codex adds in the user's name is neither a prompt nor the title.
func TestInjected(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(s *script)
		want  string
	}{
		{"by its mark", func(s *script) {
			s.says("user", "input_text", pluginsText)
			s.prompt("mend the fence")
		}, `user/meta text "` + strings.ReplaceAll(pluginsText, "\n", `\n`) + `"
user text "mend the fence"`},
		{"by its kind", func(s *script) {
			s.kinds([]string{"plain words of a hook"}, "hooks.additional_context")
			s.kinds([]string{"mend the fence"}, "user.text")
		}, `user/meta text "plain words of a hook"
user text "mend the fence"`},
		{"the user's words that look injected", func(s *script) {
			s.kinds([]string{"<recommended_plugins> is what I mean"}, "user.text")
		}, `user text "<recommended_plugins> is what I mean"`},
		{"beside the user's words", func(s *script) {
			s.kinds([]string{"from a hook", "mend the fence"}, "hooks.additional_context", "user.text")
		}, `user text "from a hook" text "mend the fence"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := begin(scriptThread, nil)
			s.starts(1)
			test.write(s)
			s.reply("done")
			s.ends(1)
			r := read(t, s)
			if got := strings.TrimSuffix(r.Parts(), "\nassistant text \"done\""); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if want := "mend the fence"; r.Title != want && !strings.Contains(test.want, "is what I mean") || strings.Contains(r.Task, "hook") {
				t.Errorf("title %q, task %q", r.Title, r.Task)
			}
			prompts := 0
			for _, m := range r.Messages {
				if m.IsPrompt() {
					prompts++
					if got := m.Preview(80); strings.Contains(got, "hook") {
						t.Errorf("preview %q", got)
					}
				}
			}
			if prompts != 1 {
				t.Errorf("%d prompts", prompts)
			}
		})
	}
}

// TestInjectedMark checks that an injected block of a prompt is marked.
func TestInjectedMark(t *testing.T) {
	s := begin(scriptThread, nil)
	s.starts(1)
	s.kinds([]string{"from a hook", "mend the fence"}, "hooks.additional_context", "user.text")
	parts := read(t, s).Messages[0].Parts
	if !parts[0].Injected || parts[1].Injected || parts[0].Type != core.PartText {
		t.Errorf("%+v", parts)
	}
}

// TestGoldenUIDs checks the uids of messages against those of version 2 of this reader: merging libraries depends on
// them.
func TestGoldenUIDs(t *testing.T) {
	s := begin(scriptThread, nil)
	s.says("user", "input_text", "# AGENTS.md instructions for /home/ada/garden")
	s.says("user", "input_text", "<environment_context>\n<cwd>/home/ada/garden</cwd>\n</environment_context>")
	s.says("user", "input_text", pluginsText)
	s.turn(1, "1")
	s.turn(2, "2")
	s.rolledBack(1)
	s.starts(3)
	s.kinds([]string{"from a hook", "q3"}, "hooks.additional_context", "user.text")
	s.event(object{"type": "user_message", "message": "q3"})
	s.says("user", "input_text", "<user_shell_command>ls</user_shell_command>")
	s.event(object{"type": "agent_message", "message": "shown only"})
	s.event(object{"type": "turn_aborted", "turn_id": turnID(3), "reason": "interrupted"})
	s.record("compacted", object{"message": "so far"})
	r := importertest.One(t, Format(), scriptPath, s.lines)
	var got []string
	for _, m := range r.Messages {
		if m.Role != core.RoleSystem { // a notice may come between
			got = append(got, m.UID)
		}
	}
	if want := strings.Fields(goldenUIDs); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const goldenUIDs = `
00000000-0000-7dc3-af5b-c06b9d1d4a48
00000000-0000-79c9-8286-6712794fb889
00000000-0000-794f-aaed-275db333fea8
00000000-0000-7c6e-a155-a1f4cd9c0bdc
00000000-0000-7536-8e99-39854a9521bf
00000000-0000-7e51-8068-c65d67c07a3b
00000000-0000-7db7-a34b-48b15f02942f
00000000-0000-70e1-930b-d9912059b21b
00000000-0000-7985-bbe3-6734383dc953
00000000-0000-70ed-b429-485249f2994b
00000000-0000-71ad-91f1-ea8283b5538c
00000000-0000-7fe7-af8d-96274ecb8ece
00000000-0000-770b-b1de-4d51ac1eec02
00000000-0000-7ad6-8f3c-8426fd86f244
00000000-0000-72bc-bdeb-ddad174a5ace
`
