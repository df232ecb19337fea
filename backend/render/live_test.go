package render

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/render/prose"
)

// written assembles the blocks of an answer as the window does.
func written(l *Live, steps int, feed func(step int)) (html string, sent int) {
	blocks, revision := map[int64]LiveBlock{}, int64(0)
	for step := range steps {
		feed(step)
		var changed []LiveBlock
		changed, revision = l.Since(revision)
		for _, b := range changed {
			blocks[b.Index] = b
			sent += len(b.HTML)
		}
	}
	for i := range int64(len(blocks)) {
		html += blocks[i].HTML
	}
	return html, sent
}

// However an answer is split into pieces, the result is the same as if it were rendered at once.
func TestLiveEndsAsTheWhole(t *testing.T) {
	r := New()
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.SliceOfN(rapid.SampledFrom([]string{
			"A paragraph\nof two lines.", "# A heading", "- one\n- two\n\n- three\n  more of it", "1. one\n2. two", "```go\nfunc f() {\n\n\treturn\n}\n```", "~~~\n\na\n\n~~~",
			"> a quote\n> goes on", "| a | b |\n|---|---|\n| 1 | 2 |", "    indented code\n\n    more", "---", "Text with `code` and **bold**.",
		}), 1, 8).Draw(t, "blocks")
		text := strings.Join(blocks, "\n\n") + "\n"
		pieces := rapid.IntRange(1, 12).Draw(t, "pieces")
		l := r.Live()
		html, _ := written(l, pieces, func(step int) {
			from, to := len(text)*step/pieces, len(text)*(step+1)/pieces
			l.Add(core.StreamEvent{Type: core.StreamText, Text: text[from:to]})
		})
		want := r.prose.HTML(text, prose.Options{})
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if idless(bare(html)) != idless(bare(want)) {
			t.Fatalf("%q comes out as\n%s\nwant\n%s", text, html, want)
		}
	})
}

// idless removes ids, which differ on purpose.
func idless(html string) string {
	for {
		from := strings.Index(html, `id="`)
		if from < 0 {
			return html
		}
		to := strings.IndexByte(html[from+4:], '"')
		html = html[:from] + html[from+4+to+1:]
	}
}

// The cost of a long answer in small pieces is linear in its length, not quadratic.
func TestLiveSendsWhatChanged(t *testing.T) {
	l, paragraph := New().Live(), strings.Repeat("word ", 40)+"\n\n"
	const paragraphs = 200
	html, sent := written(l, paragraphs*10, func(step int) {
		part := len(paragraph) / 10
		end := (step%10 + 1) * part
		if step%10 == 9 {
			end = len(paragraph)
		}
		l.Add(core.StreamEvent{Type: core.StreamText, Text: paragraph[step%10*part : end]})
	})
	if limit := 20 * len(html); sent > limit {
		t.Errorf("%d bytes were sent of an answer of %d", sent, len(html))
	}
}

func TestLiveParts(t *testing.T) {
	l := New().Live()
	l.Add(core.StreamEvent{Type: core.StreamReasoning, Index: 0, Text: "hm <b>"})
	l.Add(core.StreamEvent{Type: core.StreamText, Index: 1, Text: "Let me look."})
	l.Add(core.StreamEvent{Type: core.StreamToolCall, Index: 2, ID: "c", Name: "read_file"})
	l.Add(core.StreamEvent{Type: core.StreamToolCall, Index: 2, Text: `{"path":"a`})
	blocks, revision := l.Since(0)
	if len(blocks) != 3 || blocks[0].Type != BlockReasoning || strings.Contains(blocks[0].HTML, "<b>") || blocks[1].Type != BlockProse ||
		blocks[2].ToolName != "read_file" || blocks[2].Text != `{"path":"a` {
		t.Errorf("blocks %+v", blocks)
	}
	if again, _ := l.Since(revision); len(again) != 0 {
		t.Errorf("sent again: %+v", again)
	}
}
