package exporter_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// TestRandomConversations hands random conversations to every tool, as those of the tool itself and as those of another one.
func TestRandomConversations(t *testing.T) {
	for _, to := range targets() {
		for _, native := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/native=%v", to.source, native), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					c := writer{t: t, to: to.source}
					for range rapid.IntRange(1, 8).Draw(t, "turns") {
						c.turn()
					}
					handOver(t, c.path, to, native)
				})
			})
		}
	}
}

// writer writes a random conversation with the traits of imported ones.
type writer struct {
	t    *rapid.T
	to   core.Source
	path []core.Message
	ids  int
}

func (w *writer) add(role core.Role, kind core.Kind, parts ...core.Part) {
	n := len(w.path)
	m := core.Message{UID: core.DerivedID(int64(1_790_000_000_000+n*1000), fmt.Sprint(n)), Role: role, Kind: kind, Parts: parts, CreatedAtMs: int64(1_790_000_000_000 + n*1000)}
	if role == core.RoleAssistant {
		m.Model = "a-model"
	}
	w.path = append(w.path, m)
}

func (w *writer) chance(what string) bool { return rapid.IntRange(0, 3).Draw(w.t, what) == 0 }

// words returns a text that no tool takes for one of its own.
func (w *writer) words() core.Part {
	return core.Part{Type: core.PartText, Text: "w" + rapid.StringN(0, 20, 60).Draw(w.t, "words")}
}

func (w *writer) image() core.Part {
	return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(w.t, "image")}}
}

func (w *writer) turn() {
	if w.chance("compaction") {
		w.add(core.RoleUser, core.KindCompaction, core.Part{Type: core.PartSummary, Text: fmt.Sprintf("<state_snapshot>%d", len(w.path))})
	}
	prompt := []core.Part{w.words()}
	if w.chance("image") {
		prompt = append(prompt, w.image())
	}
	if w.chance("empty text") {
		prompt = append(prompt, core.Part{Type: core.PartText})
	}
	w.add(core.RoleUser, core.KindMessage, prompt...)
	for range rapid.IntRange(0, 3).Draw(w.t, "steps") {
		w.step()
	}
	if !w.chance("interrupted") {
		w.add(core.RoleAssistant, core.KindMessage, w.words())
	}
	if w.chance("notice") {
		w.add(core.RoleSystem, core.KindMeta, core.Part{Type: core.PartText, Text: "no network"})
		w.path[len(w.path)-1].Error = "no network"
	}
}

// step adds an answer with calls, and results that may be late, in another order, in several messages, or missing.
func (w *writer) step() {
	var answer, results []core.Part
	if w.chance("reasoning") {
		answer = append(answer, core.Part{Type: core.PartReasoning, Text: "hm"})
	}
	if w.chance("text") {
		answer = append(answer, w.words())
	}
	for range rapid.IntRange(1, 3).Draw(w.t, "calls") {
		call, result := w.call()
		answer = append(answer, call)
		if !w.chance("missing") {
			results = append(results, result)
		}
	}
	w.add(core.RoleAssistant, core.KindMessage, answer...)
	if w.to == core.SourceGeminiCLI || w.to == core.SourceOpenCode { // which store results with their calls
		if len(results) > 0 {
			w.add(core.RoleTool, core.KindMessage, results...)
		}
		return
	}
	for len(results) > 0 {
		n := rapid.IntRange(1, len(results)).Draw(w.t, "together")
		w.add(core.RoleTool, core.KindMessage, results[:n]...)
		if results = results[n:]; len(results) > 0 && w.chance("late") {
			w.add(core.RoleAssistant, core.KindMessage, w.words())
		}
	}
}

func (w *writer) call() (call, result core.Part) {
	if !w.chance("id again") || w.ids == 0 {
		w.ids++
	}
	call = core.Part{Type: core.PartToolCall, ID: fmt.Sprint("call_", w.ids), Name: rapid.SampledFrom([]string{"Bash", "edit", "mcp.x"}).Draw(w.t, "tool")}
	if w.to == core.SourceCodex && w.chance("input") {
		call.Text = w.words().Text
	} else {
		call.Arguments, _ = json.Marshal(map[string]any{"command": w.words().Text, "n": 1.5}) // it always encodes
	}
	result = core.Part{Type: core.PartToolResult, ID: call.ID, Name: call.Name, IsError: w.chance("failed")}
	switch rapid.IntRange(0, 3).Draw(w.t, "result") {
	case 0: // no output
	case 1:
		result.Result = []core.Part{{Type: core.PartText, Text: `{"output":"x","metadata":{"exit_code":1}}`}}
	case 2:
		result.Result = []core.Part{w.words()}
		if !result.IsError || w.to != core.SourceOpenCode { // whose failed tools have no files
			result.Result = append(result.Result, w.image())
		}
	default:
		result.Result = []core.Part{w.words()}
	}
	return call, result
}
