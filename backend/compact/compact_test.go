package compact

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func said(role core.Role, uid, text string) core.Message {
	return core.Message{UID: uid, Role: role, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: text}}}
}

// talk returns so many messages, of the user and the model in turn, each with a text of so many bytes.
func talk(n, bytes int) []core.Message {
	path := make([]core.Message, 0, n)
	for i := range n {
		role := core.RoleUser
		if i%2 == 1 {
			role = core.RoleAssistant
		}
		m := said(role, fmt.Sprint("m", i), strings.Repeat("x", bytes))
		m.Turn = int64(i / 2)
		path = append(path, m)
	}
	return path
}

func input(path []core.Message, strategy core.CompactionStrategy) Input {
	return Input{Path: path, Plan: Defaults(strategy, false), Fixed: FixedSize("system", nil), Sent: Messages, Why: core.WhyMessages}
}

// settle completes a compaction, with the answer of a model if it needs one.
func settle(t interface{ Fatal(...any) }, in Input, answer string) Result {
	r, err := Compact(in)
	if err == nil && r.Request != nil {
		cost := int64(7)
		m := said(core.RoleAssistant, "", answer)
		m.Usage, m.CostNanoUSD, m.Model = &core.Usage{InputTokens: 5, OutputTokens: 3}, &cost, "p/summarizer"
		r, err = r.Answered(&m)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Message.UID = "summary"
	return r
}

// AgentZero publishes: more than 50 messages or 32,000 bytes, keep the newest 10 and the system prompt, previews of 80 and 100 characters
// with the first three points, so 61 messages become 12.
func TestPublishedNumbersOfAgentZero(t *testing.T) {
	plan := Defaults(core.CompactSimple, false)
	for _, c := range []struct {
		size Size
		why  string
	}{
		{Size{Messages: 50, Bytes: 32_000}, ""},
		{Size{Messages: 51, Bytes: 1}, core.WhyMessages},
		{Size{Messages: 12, Bytes: 32_001}, core.WhyBytes},
	} {
		if why := Due(&plan, 0, c.size, Size{}, 1); why != c.why {
			t.Errorf("%+v: due because of %q, want %q", c.size, why, c.why)
		}
	}
	path := talk(60, 300)
	r := settle(t, input(path, core.CompactSimple), "")
	if r.Before.Messages != 61 || r.After.Messages != 12 || !r.Fits {
		t.Errorf("%d → %d messages, fits %t", r.Before.Messages, r.After.Messages, r.Fits)
	}
	v := ViewOf(append(path, r.Message))
	if len(v.Messages) != 10 || v.Messages[9].UID != "m59" || v.Messages[0].UID != "m50" {
		t.Errorf("kept %d messages from %s", len(v.Messages), v.Messages[0].UID)
	}
	text := allText(&r.Message)
	user, assistant := strings.Repeat("x", 80)+"...", strings.Repeat("x", 100)+"..."
	asked := strings.TrimSuffix(strings.Repeat(user+"; ", 25), "; ")
	for _, want := range []string{
		Tag + "\n", "[Context summary of 50 earlier messages]\nUser asked about: " + asked + "\n",
		"Key points discussed: " + assistant + "; " + assistant + "; " + assistant + " (+22 more)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary lacks %q:\n%s", want, text)
		}
	}
	if _, err := Compact(input(talk(10, 300), core.CompactSimple)); core.CodeOf(err) != core.Conflict {
		t.Errorf("11 messages: %v", err)
	}
}

// fuseraft publishes: a trigger of 50 turns, 10 kept turns, fewer than the trigger, and a summary whose usage is the sum of what it
// replaces and of its own call.
func TestPublishedNumbersOfFuseraft(t *testing.T) {
	plan := Defaults(core.CompactLLM, false)
	if plan.TriggerTurns != 50 || plan.KeepTurns != 10 || Due(&plan, 0, Size{}, Size{}, 49) != "" || Due(&plan, 0, Size{}, Size{}, 50) != core.WhyTurns {
		t.Errorf("%+v", plan)
	}
	plan.KeepTurns = 50
	if err := Check(&plan); core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "keep_turns (50) must be less than turns (50)") {
		t.Errorf("keep = trigger: %v", err)
	}
	if window := Defaults(core.CompactWindow, false); window.TriggerTokens != 80_000 {
		t.Errorf("%+v", window)
	}
	path := talk(100, 400)
	for i := range path {
		cost := int64(i)
		path[i].Usage, path[i].CostNanoUSD = &core.Usage{InputTokens: 2, OutputTokens: 1}, &cost
	}
	r := settle(t, input(path, core.CompactLLM), "## Completed\nall of it")
	c, _ := r.Message.Compaction()
	want := core.ReplacedUsage{InputTokens: 80*2 + 5, OutputTokens: 80 + 3, CostNanoUSD: 79*80/2 + 7}
	if c.Replaced == nil || *c.Replaced != want || r.Message.Usage.InputTokens != 5 || *r.Message.CostNanoUSD != 7 {
		t.Errorf("replaced %+v, want %+v", c.Replaced, want)
	}
	if text := allText(&r.Message); !strings.Contains(text, "[CONVERSATION SUMMARY — covers turns 0–39]\n\n## Completed\nall of it") {
		t.Errorf("the summary is\n%s", text)
	}
	if v := ViewOf(append(path, r.Message)); Turns(v.Messages) != 10 {
		t.Errorf("kept %d turns", Turns(v.Messages))
	}
	long := strings.Repeat("ä", 9000)
	if got := shortened(long, maxMessageChars); got != strings.Repeat("ä", 8000)+" [TRUNCATED — 9000 chars total]" {
		t.Errorf("cut to %d characters", utf8.RuneCountInString(got))
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		plan core.ContextPlan
		want string
	}{
		{core.ContextPlan{Strategy: core.CompactSimple, TriggerMessages: 10, KeepMessages: 10}, "keep_messages (10) must be less than messages (10)"},
		{core.ContextPlan{Strategy: "clever"}, `unknown compaction strategy "clever"`},
		{core.ContextPlan{TriggerTurns: -1}, "-1 is less than 0"},
		{core.ContextPlan{TriggerPercent: 96}, "window_percent is 96"},
		{Defaults(core.CompactSimple, true), ""},
		{Defaults(core.CompactNone, true), ""},
	} {
		err := Check(&c.plan)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c.plan, err)
		}
	}
}

func TestCodeAwareKeepsCodeVerbatim(t *testing.T) {
	code := "```go\nfunc main() {\n\n\tprintln(\"ä\")\n}\n```"
	path := talk(60, 300)
	path[41].Parts[0].Text = strings.Repeat("prose ", 60) + "\n" + code + "\nmore " + strings.Repeat("prose ", 60)
	text := allText(ptr(settle(t, input(path, core.CompactCodeAware), "").Message))
	if !strings.Contains(text, code) || strings.Contains(text, strings.Repeat("prose ", 30)) {
		t.Errorf("the summary is\n%s", text)
	}
}

func ptr[T any](v T) *T { return &v }

func TestBlocks(t *testing.T) {
	text := "a\n```\ncode\n~~~\n```\nb\n~~~~\n```\n~~~~\nc\n```open"
	var got []string
	for _, b := range blocks(text) {
		got = append(got, fmt.Sprint(b.code, " ", b.text))
	}
	want := []string{"false a", "true ```\ncode\n~~~\n```", "false b", "true ~~~~\n```\n~~~~", "false c", "true ```open"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestRoleBudgetKeepsTheNewestOfEachRole(t *testing.T) {
	path := talk(40, 2000)
	path[29].Parts[0].Text = "the newest answer"
	path[28].Parts[0].Text = "the newest question"
	text := allText(ptr(settle(t, Input{
		Path: path, Plan: core.ContextPlan{Strategy: core.CompactRoleBudget, KeepMessages: 10}, Sent: Messages, Why: core.WhyMessages,
	}, "").Message))
	user, assistant, _ := strings.Cut(text, "\nAssistant:\n")
	if !strings.HasSuffix(user, "the newest question") || !strings.HasSuffix(assistant, "the newest answer") || len(user) >= len(assistant) {
		t.Errorf("%d of the user, %d of the assistant:\n%s", len(user), len(assistant), text)
	}
}

// Removing old output comes first, and makes a summary unnecessary.
func TestBlankingComesFirst(t *testing.T) {
	path := []core.Message{said(core.RoleUser, "p", "read them all")}
	for i := range 40 {
		id := fmt.Sprint("c", i)
		path = append(path,
			core.Message{UID: "a" + id, Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartToolCall, ID: id, Name: "read", Arguments: json.RawMessage(`{}`)}}},
			core.Message{UID: "r" + id, Role: core.RoleTool, Kind: core.KindMessage, Parts: []core.Part{{
				Type: core.PartToolResult, ID: id, Name: "read", Result: []core.Part{{Type: core.PartText, Text: strings.Repeat("out ", 4000)}},
			}}})
	}
	in := input(path, core.CompactLLM)
	in.WindowTokens, in.Why = 200_000, core.WhyWindow
	r, err := Compact(in)
	if err != nil || r.Request != nil {
		t.Fatalf("%v, a model is to be asked: %t", err, r.Request != nil)
	}
	c, own := r.Message.Compaction()
	if !own || c.Strategy != core.CompactBlanking || c.FirstKept != "p" || c.CoveredMessages != 0 || r.After.Tokens > 60_000 {
		t.Fatalf("%+v, after it %+v", c, r.After)
	}
	v := ViewOf(append(path, r.Message))
	if len(v.Messages) != len(path) || !strings.HasPrefix(v.Messages[2].Parts[0].Result[0].Text, "[output removed from the context: 16000 characters.") {
		t.Errorf("the first output is %.90q", v.Messages[2].Parts[0].Result[0].Text)
	}
	if last := v.Messages[len(v.Messages)-1].Parts[0].Result[0].Text; len(last) != 16_000 {
		t.Errorf("the newest output has %d bytes", len(last))
	}
	if len(path[2].Parts[0].Result[0].Text) != 16_000 {
		t.Error("the path was changed")
	}
}

// A summary is extended, never summarized again, and stays bounded: its oldest sections go first.
func TestSummaryIsExtended(t *testing.T) {
	path := talk(60, 300)
	path[0].Parts[0].Text = "the very first question"
	firstSection := ""
	for i := range 60 {
		r := settle(t, input(path, core.CompactSimple), "")
		r.Message.UID = fmt.Sprint("s", i)
		path = append(path, r.Message)
		_, sections := former(&r.Message)
		if i == 0 {
			firstSection = sections[0]
		}
		if i == 1 && (len(sections) != 2 || sections[0] != firstSection) {
			t.Fatalf("the second summary has the sections %q", sections)
		}
		if size := len(allText(&r.Message)); size > DefaultBytes/summaryOfBytes+100 {
			t.Fatalf("summary %d has %d bytes", i, size)
		}
		if strings.Count(allText(&r.Message), Tag) != 1 {
			t.Fatalf("summary %d has the tag %d times", i, strings.Count(allText(&r.Message), Tag))
		}
		for j := range 50 {
			m := talk(2, 300)[j%2]
			m.UID = fmt.Sprint("n", i, ".", j)
			path = append(path, m)
		}
	}
	c, _ := path[len(path)-51].Compaction()
	if c.TrimmedSections == 0 {
		t.Error("no section was trimmed")
	}
	if c.CoveredMessages != 60+50*59-10 {
		t.Errorf("covers %d messages", c.CoveredMessages)
	}
}

// A summary of another tool, or of Coppice before it kept messages, replaces all that came before it, and is extended.
func TestForeignSummary(t *testing.T) {
	path := talk(20, 10)
	path = append(path, core.Message{UID: "f", Role: core.RoleUser, Kind: core.KindCompaction, Parts: []core.Part{{Type: core.PartSummary, Text: Tag + " theirs"}}})
	if v := ViewOf(path); len(v.Messages) != 0 || Covered(path) != 20 {
		t.Errorf("kept %d, covered %d", len(v.Messages), Covered(path))
	}
	for _, m := range talk(60, 300) {
		m.UID = "n" + m.UID
		path = append(path, m)
	}
	_, sections := former(ptr(settle(t, input(path, core.CompactSimple), "").Message))
	if len(sections) != 2 || sections[0] != "theirs" {
		t.Errorf("sections %q", sections)
	}
}

// What the user asked last is in the context word for word, even if the turn is cut.
func TestRequestInProgressIsKept(t *testing.T) {
	path := []core.Message{said(core.RoleUser, "p", "do *this*\nand that")}
	for i := range 60 {
		path = append(path, said(core.RoleAssistant, fmt.Sprint("a", i), strings.Repeat("thinking ", 40)))
	}
	for range 3 {
		r := settle(t, input(path, core.CompactSimple), "")
		r.Message.UID = fmt.Sprint("s", len(path))
		path = append(path, r.Message)
		if !strings.Contains(allText(&r.Message), core.RequestLine+"do *this*\nand that") {
			t.Fatalf("the summary is\n%s", allText(&r.Message))
		}
		for i := range 50 {
			path = append(path, said(core.RoleAssistant, fmt.Sprint("b", len(path), i), strings.Repeat("thinking ", 40)))
		}
	}
}

// An output that is too long for the window is cut, and one that follows it is not cut because of that.
func TestLongOutputIsCutOnce(t *testing.T) {
	result := func(id string, chars int) []core.Message {
		return []core.Message{
			{UID: "a" + id, Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartToolCall, ID: id, Name: "read", Arguments: json.RawMessage(`{}`)}}},
			{UID: "r" + id, Role: core.RoleTool, Kind: core.KindMessage, Parts: []core.Part{{
				Type: core.PartToolResult, ID: id, Name: "read", Result: []core.Part{{Type: core.PartText, Text: strings.Repeat("ä", chars)}},
			}}},
		}
	}
	output := func(path []core.Message) string {
		m := Messages(path)
		return m[len(m)-1].Parts[0].PlainText()
	}
	path := append([]core.Message{said(core.RoleUser, "p", "read")}, result("1", 20_000)...)
	in := input(path, core.CompactSimple)
	in.Why, in.WindowTokens = core.WhyWindow, 4000
	path = append(path, settle(t, in, "").Message)
	if got := output(path); !strings.HasSuffix(got, " [TRUNCATED — 20000 chars total]") || !utf8.ValidString(got) {
		t.Fatalf("the output is %.100q…", got)
	}
	path = append(path, result("2", 3000)...)
	path = append(path, result("3", 1000)...)
	in.Path = path
	r := settle(t, in, "")
	r.Message.UID = "second"
	if got := output(append(path, r.Message)); got != strings.Repeat("ä", 1000) {
		t.Errorf("the newest output is %.100q…", got)
	}
}

func TestExcessNamesWhatDoesNotFit(t *testing.T) {
	path := []core.Message{said(core.RoleUser, "a", "old"), said(core.RoleAssistant, "b", "old"), said(core.RoleUser, "c", strings.Repeat("x", 40_000))}
	in := input(path, core.CompactSimple)
	in.Why, in.WindowTokens = core.WhyOverflow, 4000
	for i := range 200 {
		path = append([]core.Message{said(core.RoleAssistant, fmt.Sprint("o", i), "older words")}, path...)
	}
	in.Path = path
	r := settle(t, in, "")
	if r.Fits || !strings.HasPrefix(r.Excess, "the newest turn is too large: the system prompt and the tools have about 1 tokens, the newest turn 10004; 3200 are") {
		t.Errorf("fits %t: %s", r.Fits, r.Excess)
	}
}

// anyPath draws a conversation.
func anyPath(t *rapid.T, turns int) []core.Message {
	texts := rapid.SampledFrom([]string{"", "short", "ein längerer Satz mit Umlauten, 日本語 and 🙂 ", "```go\nx := 1\n```\n", strings.Repeat("many words ", 30), strings.Repeat("日本語", 200)})
	path := []core.Message{}
	id := 0
	add := func(m core.Message) {
		m.UID, m.Kind = fmt.Sprint("u", len(path)), core.KindMessage
		if m.Role == core.RoleAssistant {
			m.Usage = &core.Usage{InputTokens: 3, OutputTokens: 1}
		}
		path = append(path, m)
	}
	for turn := range rapid.IntRange(1, turns).Draw(t, "turns") {
		_ = turn
		add(core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: "? " + texts.Draw(t, "prompt")}}})
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			m := core.Message{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartText, Text: texts.Draw(t, "answer")}}}
			results := core.Message{Role: core.RoleTool}
			for range rapid.IntRange(1, 3).Draw(t, "calls") {
				id++
				m.Parts = append(m.Parts, core.Part{Type: core.PartToolCall, ID: fmt.Sprint("c", id), Name: "read", Arguments: json.RawMessage(`{"path":"a.go"}`)})
				results.Parts = append(results.Parts, core.Part{Type: core.PartToolResult, ID: fmt.Sprint("c", id), Name: "read", Result: []core.Part{{Type: core.PartText, Text: strings.Repeat(texts.Draw(t, "output"), 5)}}})
			}
			add(m)
			add(results)
		}
		add(core.Message{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartText, Text: "! " + texts.Draw(t, "end")}}})
	}
	if rapid.Bool().Draw(t, "open") {
		add(core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: "now? " + texts.Draw(t, "open prompt")}}})
	}
	return path
}

// For every conversation and strategy, the context after a compaction fits or the excess is named, keeps the newest messages, never
// separates a call from its result, has valid text, and a second compaction changes nothing.
func TestCompactProperties(t *testing.T) {
	for _, strategy := range []core.CompactionStrategy{core.CompactSimple, core.CompactCodeAware, core.CompactRoleBudget, core.CompactLLM, core.CompactWindow} {
		t.Run(string(strategy), func(t *testing.T) {
			compacted := 0
			rapid.Check(t, func(t *rapid.T) {
				path := anyPath(t, 40)
				in := input(path, strategy)
				in.WindowTokens = rapid.SampledFrom([]int64{0, 2000, 8000, 32_000}).Draw(t, "window")
				in.Plan = Defaults(strategy, in.WindowTokens > 0)
				if in.Plan.KeepTurns > 1 {
					in.Plan.TriggerTurns, in.Plan.KeepTurns = 12, 3
				}
				in.Fixed = FixedSize("the system prompt", nil)
				for range 2 {
					if in.Why = Due(&in.Plan, in.WindowTokens, in.size(in.Path), in.Fixed, Turns(Messages(in.Path))); in.Why == "" {
						return
					}
					r, err := Compact(in)
					if core.CodeOf(err) == core.Conflict && in.Why == core.WhyBytes {
						return // the kept messages are larger than the trigger
					}
					if err == nil && r.Request != nil {
						checkRequest(t, &in, r.Request)
						m := said(core.RoleAssistant, "", rapid.SampledFrom([]string{"ok", strings.Repeat("日本語", 20_000)}).Draw(t, "summary"))
						r, err = r.Answered(&m)
					}
					if core.CodeOf(err) == core.Conflict {
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					compacted++
					checkCompacted(t, &in, &r)
					r.Message.UID = fmt.Sprint("s", len(in.Path))
					in.Path = append(in.Path[:len(in.Path):len(in.Path)], r.Message)
					if next := in.size(in.Path); next != r.After {
						t.Fatalf("the context has %+v, announced %+v", next, r.After)
					}
				}
			})
			if compacted == 0 {
				t.Error("no conversation was compacted")
			}
		})
	}
}

func checkRequest(t *rapid.T, in *Input, q *core.Request) {
	if tokens := SizeOf(q.Messages).Tokens; in.WindowTokens >= 8000 && tokens > in.WindowTokens {
		t.Fatalf("the request for the summary has %d tokens of %d", tokens, in.WindowTokens)
	}
	if len(q.Tools) > 0 || !utf8.ValidString(q.Messages[0].Parts[0].Text) {
		t.Fatal("the request for the summary has tools, or no valid text")
	}
}

func checkCompacted(t *rapid.T, in *Input, r *Result) {
	path := append(in.Path[:len(in.Path):len(in.Path)], r.Message)
	messages := Messages(path)
	size := SizeOf(messages).Plus(in.Fixed)
	if limit := in.limit(); r.Fits && limit > 0 && size.Tokens > limit || !r.Fits && r.Excess == "" {
		t.Fatalf("%+v does not fit %d, said to fit: %t", size, limit, r.Fits)
	}
	if r.Fits && in.Plan.TriggerMessages > 0 && size.Messages > in.Plan.TriggerMessages {
		t.Fatalf("%d messages", size.Messages)
	}
	if in.WindowTokens >= 8000 && !r.Fits {
		t.Fatalf("does not fit a large window: %+v", size)
	}
	if messages[0].Kind != core.KindCompaction || !strings.HasPrefix(allText(&messages[0]), Tag) || !utf8.ValidString(allText(&messages[0])) {
		t.Fatalf("the context begins with %+v", messages[0])
	}
	last, newest := &in.Path[len(in.Path)-1], &messages[len(messages)-1]
	if last.UID != newest.UID && last.Kind != core.KindCompaction {
		t.Fatalf("the newest message is %s, not %s", newest.UID, last.UID)
	}
	open := map[string]bool{}
	for i := range messages {
		for _, p := range messages[i].Parts {
			switch p.Type {
			case core.PartToolCall:
				open[p.ID] = true
			case core.PartToolResult:
				if !open[p.ID] {
					t.Fatalf("the result %s has no call", p.ID)
				}
				delete(open, p.ID)
			default:
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("calls without results: %v", open)
	}
	prompt := newestPrompt(in.Path)
	context := strings.Builder{}
	for i := range messages {
		context.WriteString(allText(&messages[i]) + "\n")
	}
	if head := core.Cut(prompt, 100); !strings.Contains(context.String(), head) {
		t.Fatalf("the newest prompt is missing: %q", head)
	}
	if again := Messages(path); !reflect.DeepEqual(again, messages) || !reflect.DeepEqual(Messages(messages), messages) {
		t.Fatal("the view of the view differs")
	}
}
