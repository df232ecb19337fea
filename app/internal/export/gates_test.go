package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/importertest"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite"
)

// gate is one of the 20 gates of Session-Bench 0.3 (github.com/jazzyalex/session-bench), which judge the files in which agents store
// their sessions.
type gate struct {
	name  string
	check func(*gated) []string    // what is wrong
	spoil func(data []byte) []byte // breaks the gate, so that the test of a small file shows that it can fail
}

// The limits of Session-Bench.
const (
	mostProbeBytes      = 10 << 10
	leastContentPercent = 25
	mostBookkeeping     = 25 << 10
)

func gates() []gate {
	return []gate{
		// The whole file of a run has its system prompt and the tools that the model was offered, about 18 KB, because the run continues
		// from the file. A library stores them once, so the gate applies to what it grows by (TestProbeIsLean) and to the lines of the
		// transcript.
		{name: "S1 a session of one line is small", check: checkProbe, spoil: replacing(`"text":"ok"`, `"text":"`+strings.Repeat("ok ", 4000)+`"`)},
		{name: "S2 a quarter of the bytes is content", check: checkContentShare, spoil: replacing(`{"uid":`, `{"padding":"`+strings.Repeat(".", 300_000)+`","uid":`)},
		{name: "S3 no record is large but for its content", check: checkBookkeeping, spoil: replacing(`{"run":{`, `{"run":{"padding":"`+strings.Repeat(".", mostBookkeeping)+`",`)},
		{name: "C1 each event has its time", check: checkTimes, spoil: replacing(`AtMs":1`, `AtMs":-1`)},
		{name: "C2 each answer has its model", check: checkModels, spoil: replacing(`"model":"`, `"mode":"`)},
		{name: "C3 each answer has its tokens", check: checkTokens, spoil: replacing(`"inputTokens":1`, `"inputTokens":2`)},
		{name: "C4 costs in dollars", check: checkCosts, spoil: replacing(`"costNanoUsd":7`, `"costNanoUsd":8`)},
		{name: "C5 calls of tools with their whole outputs", check: checkOutputs, spoil: replacing(`one more line`, `one line`)},
		{name: "C6 the reasoning is readable", check: checkReasoning, spoil: replacing(`"type":"reasoning","text":`, `"type":"reasoning","sealed":`)},
		{name: "C7 branches and sessions of subagents are linked", check: checkThreads, spoil: replacing(`"parentUid":"`, `"parentUid":"x`)},
		{name: "T1 what an older version wrote is written as it was", check: checkGolden, spoil: replacing(`"role":`, `"author":`)},
		{name: "T2 the version of the format is declared", check: checkVersion, spoil: replacing(`"version":2,`, ``)},
		{name: "T3 the version is that of the contents", check: checkHonesty, spoil: replacing(`"version":2,`, `"version":3,`)},
		{name: "O1 grep finds what was written", check: checkGrep, spoil: replacing(`ü`, `\u00fc`)},
		// A stored session is written at once. While a run works, "coppice run --json-stream" prints its events as they happen, and
		// "coppice mirror" keeps a file per session. What applies to the export is that a session which grows only adds lines.
		{name: "O2 tail -f: lines are whole, in order, and stay", check: checkOrder, spoil: reversing},
		{name: "O3 the schema is documented", check: checkDocumented, spoil: replacing(`{"uid":`, `{"secretField":1,"uid":`)},
		// The user names the file of an export, so its location cannot change. What can is where things are in the file.
		{name: "O4 the layout is stable", check: checkLayout, spoil: reversing},
		{name: "P1 each message once", check: checkOnce, spoil: doubling},
		{name: "P2 a torn end costs one record", check: checkTornEnd, spoil: func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\n"), []byte(" ")) }},
		{name: "P3 title, folder and model are in the file", check: checkSelfContained, spoil: replacing(`"workspacePath":"`, `"elsewhere":"`)},
	}
}

// checkGates checks the lines of sessions.
func checkGates(t *testing.T, db *sqlite.DB, sessions []core.Session) {
	all := exportGated(t, db, sessions)
	all.golden, all.goldenAgain = goldenLines(t)
	for _, gate := range gates() {
		t.Run(gate.name, func(t *testing.T) {
			for i, problem := range gate.check(all) {
				if t.Error(problem); i == 20 {
					t.Fatal("and more")
				}
			}
		})
	}
}

// TestGatesCanFail breaks each gate in a small file.
func TestGatesCanFail(t *testing.T) {
	db := apptest.OpenLibrary(t)
	runOwn(t, db)
	small := exportGated(t, db, apptest.Must(Everything(t.Context(), db))(t))
	small.golden, small.goldenAgain = goldenLines(t)
	for _, gate := range gates() {
		t.Run(gate.name, func(t *testing.T) {
			if problems := gate.check(small); len(problems) > 0 {
				t.Fatalf("before: %.1000q", problems)
			}
			broken := *small
			broken.data, broken.goldenAgain = gate.spoil(small.data), gate.spoil(small.goldenAgain)
			if bytes.Equal(broken.data, small.data) {
				t.Fatal("nothing was replaced")
			}
			broken.books = readGated(broken.data)
			problems := gate.check(&broken)
			if len(problems) == 0 {
				t.Fatal("the gate accepts a file that breaks it")
			}
			t.Logf("%.200s", problems[0])
		})
	}
}

func replacing(old, with string) func([]byte) []byte {
	return func(data []byte) []byte { return bytes.ReplaceAll(data, []byte(old), []byte(with)) }
}

// reversing returns the lines of each session after its head from the last to the first.
func reversing(data []byte) []byte {
	var out [][]byte
	for _, book := range readGated(data) {
		lines := slices.Clone(book.lines)
		slices.Reverse(lines[1:])
		for _, l := range lines {
			out = append(out, l.raw)
		}
	}
	return bytes.Join(out, nil)
}

// doubling returns the lines with each message twice.
func doubling(data []byte) []byte {
	var out bytes.Buffer
	for raw := range bytes.Lines(data) {
		out.Write(raw)
		if bytes.HasPrefix(raw, []byte(`{"uid"`)) {
			out.Write(raw)
		}
	}
	return out.Bytes()
}

// goldenLines returns a file of version 1 and its export by this version.
func goldenLines(t *testing.T) (golden, again []byte) {
	t.Helper()
	golden = apptest.Must(os.ReadFile(filepath.Join("..", "..", "..", "backend", "archive", "testdata", "lines.v1.jsonl")))(t)
	db, sessions, problems := importLines(t, golden)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return golden, linesOf(t, db, sessions)
}

// TestProbeIsLean is gate S1 for the library: another session of one line adds little to its file.
func TestProbeIsLean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	const times = 30
	size := func(times int) int64 {
		db := apptest.Must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
		for range times {
			runTask(t, db, "", probe)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		return apptest.Must(os.Stat(path))(t).Size()
	}
	before := size(times)
	each := (size(times) - before) / times
	t.Logf("%d bytes for each session", each)
	if each > mostProbeBytes {
		t.Errorf("each session of one line adds %d bytes", each)
	}
}

func checkProbe(g *gated) []string {
	for _, book := range g.books {
		if book.head.Session.Task != probe || book.head.Session.Source != core.SourceCoppice {
			continue
		}
		size := 0
		for _, l := range book.lines {
			if l.kind == "format" || l.kind == "uid" {
				size += len(l.raw)
			}
		}
		if size > mostProbeBytes {
			return []string{fmt.Sprintf("the transcript of a session of one line has %d bytes", size)}
		}
		return nil
	}
	return []string{"there is no session of one line"}
}

// contentBytes returns the size of what was written: prompts, answers, reasoning, arguments and outputs. Blocks of providers, which
// repeat them or are encrypted, do not count.
func contentBytes(parts []core.Part) int {
	n := 0
	for _, p := range parts {
		n += len(p.Text) + len(p.Arguments) + contentBytes(p.Result)
	}
	return n
}

func checkContentShare(g *gated) []string {
	content := 0
	for _, book := range g.books {
		for _, m := range book.messages {
			content += contentBytes(m.Parts)
		}
	}
	if percent := content * 100 / len(g.data); percent < leastContentPercent {
		return []string{fmt.Sprintf("%d %% of the bytes are content", percent)}
	}
	return nil
}

// checkBookkeeping counts the bytes of each line but for its content: of a message also the blocks of its provider, of a record what
// the source wrote; blobs are content.
func checkBookkeeping(g *gated) (problems []string) {
	for _, book := range g.books {
		i := 0
		for _, l := range book.lines {
			rest := len(l.raw)
			switch l.kind {
			case "blob":
				continue
			case "uid":
				if i < len(book.messages) {
					rest -= contentBytes(book.messages[i].Parts)
					for _, p := range book.messages[i].Parts {
						rest -= len(p.Native) + len(p.Structured)
					}
				}
				i++
			}
			if rest > mostBookkeeping {
				problems = append(problems, fmt.Sprintf("%s: %d bytes of %.80s", book.head.Session.ID, rest, l.raw))
			}
		}
	}
	return problems
}

// checkTimes looks for a time in each line. States and blobs are contents that other lines refer to; the time of a record is in what
// the source wrote.
func checkTimes(g *gated) (problems []string) {
	for _, book := range g.books {
		for _, l := range book.lines {
			if l.kind == "state" || l.kind == "blob" || l.kind == "record" {
				continue
			}
			fields := l.fields
			if l.kind != "uid" && l.kind != "format" {
				fields = nil
				_ = json.Unmarshal(l.fields[l.kind], &fields) // none: the time is missing
			}
			if !hasTime(fields) {
				problems = append(problems, fmt.Sprintf("%s: no time in %.200s", book.head.Session.ID, l.raw))
			}
		}
	}
	return append(problems, g.compare("times", func(m *core.Message) any { return [2]int64{m.CreatedAtMs, m.FinishedAtMs} })...)
}

func hasTime(fields map[string]json.RawMessage) bool {
	for name, value := range fields {
		if n, err := strconv.ParseInt(string(value), 10, 64); strings.HasSuffix(name, "AtMs") && name != "exportedAtMs" && err == nil && n > 0 {
			return true
		}
	}
	return fields["format"] != nil
}

// compare reports the messages of the file that differ from the stored ones.
func (g *gated) compare(what string, of func(*core.Message) any) (problems []string) {
	for _, book := range g.books {
		stored := g.stored[book.head.Session.ID]
		if len(stored) != len(book.messages) {
			problems = append(problems, fmt.Sprintf("%s: %d of %d messages", book.head.Session.ID, len(book.messages), len(stored)))
			continue
		}
		for i := range stored {
			got, _ := json.Marshal(of(&book.messages[i])) // it always encodes
			want, _ := json.Marshal(of(&stored[i]))
			if !bytes.Equal(got, want) {
				problems = append(problems, fmt.Sprintf("%s, message %d, %s: %.300s, want %.300s", book.head.Session.ID, i, what, got, want))
			}
		}
	}
	return problems
}

// require reports the sources of sessions in which nothing fits, among those that record it.
func (g *gated) require(what string, sources []core.Source, fits func(*core.Message) bool) (problems []string) {
	found, there := map[core.Source]bool{}, map[core.Source]bool{}
	for _, book := range g.books {
		source := book.head.Session.Source
		there[source] = true
		found[source] = found[source] || slices.ContainsFunc(book.messages, func(m core.Message) bool { return fits(&m) })
	}
	for _, source := range sources {
		if there[source] && !found[source] {
			problems = append(problems, fmt.Sprintf("no %s in any session of %s", what, source))
		}
	}
	return problems
}

func checkModels(g *gated) []string {
	records := []core.Source{core.SourceCoppice, core.SourceClaudeCode, core.SourceCodex, core.SourceGeminiCLI, core.SourceOpenCode, core.SourcePi}
	problems := g.require("model", records, func(m *core.Message) bool { return m.IsCall() && m.Model != "" })
	return append(problems, g.compare("model", func(m *core.Message) any { return m.Model })...)
}

func checkTokens(g *gated) []string {
	records := []core.Source{core.SourceCoppice, core.SourceClaudeCode, core.SourceCodex, core.SourceGeminiCLI, core.SourceOpenCode, core.SourcePi}
	problems := g.require("usage", records, func(m *core.Message) bool { return m.IsCall() && m.Usage != nil && m.Usage.OutputTokens > 0 })
	problems = append(problems, g.compare("usage", func(m *core.Message) any { return m.Usage })...)
	for _, book := range g.books {
		input, output := int64(0), int64(0)
		for _, m := range book.messages {
			if m.Usage != nil {
				input, output = input+m.Usage.InputTokens, output+m.Usage.OutputTokens
			}
		}
		if s := book.head.Session; s.InputTokens != input || s.OutputTokens != output {
			problems = append(problems, fmt.Sprintf("%s: %d and %d tokens, in its messages %d and %d", s.ID, s.InputTokens, s.OutputTokens, input, output))
		}
	}
	return problems
}

// checkCosts leaves out what estimates would be: a file has the costs that the source recorded, as billionths of a dollar, and null
// where it recorded none, as most tools do.
func checkCosts(g *gated) []string {
	records := []core.Source{core.SourceCoppice, core.SourceOpenCode, core.SourcePi, core.SourceFuseraft}
	problems := g.require("cost", records, func(m *core.Message) bool { return m.CostNanoUSD != nil && *m.CostNanoUSD > 0 })
	problems = append(problems, g.compare("cost", func(m *core.Message) any { return m.CostNanoUSD })...)
	for _, book := range g.books {
		sum, known := int64(0), true
		for i := range book.messages {
			if m := &book.messages[i]; m.CostNanoUSD != nil {
				sum += *m.CostNanoUSD
			} else if m.IsCall() {
				known = false
			}
		}
		if s := book.head.Session; s.Source == core.SourceCoppice && (!known || s.CostNanoUSD == nil || *s.CostNanoUSD != sum) {
			problems = append(problems, fmt.Sprintf("%s: its cost is not the sum of its answers, %d", s.ID, sum))
		}
	}
	return problems
}

func checkOutputs(g *gated) []string {
	problems := g.compare("calls and outputs", func(m *core.Message) any { return toolsOf(m.Parts) })
	seen := 0
	for _, book := range g.books {
		waiting := map[string]bool{}
		for i := range book.messages {
			for _, p := range book.messages[i].Parts {
				switch p.Type {
				case core.PartToolCall:
					waiting[p.ID] = true
				case core.PartToolResult:
					seen++
					delete(waiting, p.ID)
				default:
				}
			}
		}
		if book.head.Session.Source == core.SourceCoppice && len(waiting) > 0 {
			problems = append(problems, fmt.Sprintf("%s: no output of %q", book.head.Session.ID, slices.Sorted(maps.Keys(waiting))))
		}
	}
	if seen == 0 {
		problems = append(problems, "no output of any call")
	}
	return problems
}

// toolsOf returns the calls and outputs of a message in full.
func toolsOf(parts []core.Part) (all []string) {
	for _, p := range parts {
		switch p.Type {
		case core.PartToolCall:
			all = append(all, "call "+p.ID+" "+p.Name+" "+string(p.Arguments)+p.Text)
		case core.PartToolResult:
			text := "output of " + p.ID + " " + string(p.Structured)
			for _, r := range p.Result {
				text += "\n" + r.Text
				if r.Media != nil {
					text += "\n" + r.Media.Blob
				}
			}
			all = append(all, text)
		default:
		}
	}
	return all
}

func checkReasoning(g *gated) []string {
	thoughts := func(m *core.Message) (texts []string) {
		for _, p := range m.Parts {
			if p.Type == core.PartReasoning {
				texts = append(texts, p.Text)
			}
		}
		return texts
	}
	records := []core.Source{core.SourceCoppice, core.SourceClaudeCode, core.SourceCodex, core.SourceGeminiCLI, core.SourceOpenCode, core.SourcePi}
	problems := g.require("reasoning", records, func(m *core.Message) bool { return strings.Join(thoughts(m), "") != "" })
	return append(problems, g.compare("reasoning", func(m *core.Message) any { return thoughts(m) })...)
}

// checkThreads builds the trees from the links alone, and compares their branches with those of the head.
func checkThreads(g *gated) (problems []string) {
	messages := map[string]map[string]bool{}
	for _, book := range g.books {
		uids, planner := map[string]bool{}, core.Planner{}
		for _, m := range book.messages {
			uids[m.UID] = true
			if _, err := planner.Add(core.Node{UID: m.UID, ParentUID: m.ParentUID, IsPrompt: m.IsPrompt()}); err != nil {
				problems = append(problems, fmt.Sprintf("%s: %v", book.head.Session.ID, err))
				break
			}
		}
		if got := len(planner.Skeleton.Branches); got != len(book.head.Branches) {
			problems = append(problems, fmt.Sprintf("%s: %d branches, the head has %d", book.head.Session.ID, got, len(book.head.Branches)))
		}
		messages[book.head.Session.ID] = uids
	}
	for _, book := range g.books {
		s := book.head.Session
		if parent, there := messages[s.ParentID]; there && s.ParentUID != "" && !parent[s.ParentUID] {
			problems = append(problems, fmt.Sprintf("%s: the message that its parent link names is not in %s", s.ID, s.ParentID))
		}
		if s.Relation == core.RelationSubagent && s.ParentID == "" {
			problems = append(problems, s.ID+": a session of a subagent without a link")
		}
	}
	return problems
}

// checkGolden compares each field that version 1 wrote with what this version writes for the same session.
func checkGolden(g *gated) (problems []string) {
	was, now := readGated(g.golden), readGated(g.goldenAgain)
	if len(was) != len(now) {
		return []string{fmt.Sprintf("%d sessions of %d", len(now), len(was))}
	}
	for i := range was {
		var lines []gatedLine
		for _, l := range now[i].lines {
			if slices.ContainsFunc(was[i].lines, func(old gatedLine) bool { return old.kind == l.kind }) {
				lines = append(lines, l)
			}
		}
		if len(lines) != len(was[i].lines) {
			problems = append(problems, fmt.Sprintf("session %d: %d lines of %d", i, len(lines), len(was[i].lines)))
			continue
		}
		for n, old := range was[i].lines {
			for _, lost := range lostFields("", old.raw, lines[n].raw) {
				problems = append(problems, fmt.Sprintf("session %d, line %d: %s", i, n, lost))
			}
		}
	}
	return problems
}

// lostFields returns the fields of a JSON object that another one does not have with the same value.
func lostFields(path string, was, now json.RawMessage) (lost []string) {
	var old, fields map[string]json.RawMessage
	if json.Unmarshal(was, &old) != nil || json.Unmarshal(now, &fields) != nil {
		if !bytes.Equal(bytes.TrimSpace(was), bytes.TrimSpace(now)) {
			lost = append(lost, fmt.Sprintf("%s was %.100s, is %.100s", path, was, now))
		}
		return lost
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if path == "" && (name == "version" || name == "generator" || name == "exportedAtMs") || path == "/session" && name == "deletedAtMs" {
			continue // the head of this file, and what is imported is not in the trash
		}
		if fields[name] == nil {
			lost = append(lost, path+"/"+name+" is missing")
			continue
		}
		lost = append(lost, lostFields(path+"/"+name, old[name], fields[name])...)
	}
	return lost
}

func checkVersion(g *gated) (problems []string) {
	for _, book := range g.books {
		if book.head.Format != "coppice.lines" || book.head.Version < 1 {
			problems = append(problems, fmt.Sprintf("%s: format %q, version %d", book.head.Session.ID, book.head.Format, book.head.Version))
		}
	}
	return problems
}

// checkHonesty reads what was written with the reader of the declared version: nothing is refused, unknown or lost, and the export of
// that is the same.
func checkHonesty(g *gated) (problems []string) {
	db, sessions, problems := importLines(g.t, sample(g))
	again := readGated(linesOf(g.t, db, sessions))
	byID := map[string]*gatedSession{}
	for _, book := range again {
		byID[book.head.Session.ID] = book
	}
	for _, want := range readGated(sample(g)) {
		got := byID[want.head.Session.ID]
		if got == nil || len(got.lines) != len(want.lines) {
			problems = append(problems, want.head.Session.ID+" does not come back")
			continue
		}
		for i := range want.lines {
			if i > 0 && !bytes.Equal(got.lines[i].raw, want.lines[i].raw) {
				problems = append(problems, fmt.Sprintf("%s, line %d: %.200s, want %.200s", want.head.Session.ID, i, got.lines[i].raw, want.lines[i].raw))
			}
		}
	}
	return problems
}

// sample returns the lines of the sessions with the fewest bytes of each source, and of all sessions of Coppice.
func sample(g *gated) []byte {
	var out bytes.Buffer
	count := map[core.Source]int{}
	for _, book := range g.books {
		source := book.head.Session.Source
		if count[source]++; count[source] > 3 && source != core.SourceCoppice || book.head.Session.ParentID != "" || len(book.lines) > 500 {
			continue
		}
		for _, l := range book.lines {
			out.Write(l.raw)
		}
	}
	return out.Bytes()
}

// checkGrep looks for each text as a user would: as it is, without escapes but those of quotes, backslashes and control characters.
func checkGrep(g *gated) (problems []string) {
	if !utf8.Valid(g.data) {
		problems = append(problems, "not valid UTF-8")
	}
	for _, book := range g.books {
		i := 0
		stored := g.stored[book.head.Session.ID]
		for _, l := range book.lines {
			if l.kind != "uid" || i >= len(stored) {
				continue
			}
			for _, text := range textsOf(stored[i].Parts) {
				if !bytes.Contains(l.raw, escaped(text)) {
					problems = append(problems, fmt.Sprintf("%s, message %d: not found: %.200q", book.head.Session.ID, i, text))
				}
			}
			i++
		}
	}
	return problems
}

func textsOf(parts []core.Part) (texts []string) {
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
		texts = append(texts, textsOf(p.Result)...)
	}
	return texts
}

// escaped returns a text as JSON has to escape it.
func escaped(text string) []byte {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c == '"' || c == '\\':
			quoted := jsontext.AppendString(nil, string(rune(c)))
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = append(out, c)
		}
	}
	return out
}

func checkOrder(g *gated) (problems []string) {
	if !bytes.HasSuffix(g.data, []byte("\n")) {
		problems = append(problems, "the last line does not end")
	}
	for _, book := range g.books {
		seen := map[string]bool{"": true}
		for i, m := range book.messages {
			if m.Seq != int64(i) || !seen[m.ParentUID] {
				problems = append(problems, fmt.Sprintf("%s: message %d comes as number %d", book.head.Session.ID, m.Seq, i))
			}
			seen[m.UID] = true
		}
	}
	return problems
}

// TestLinesGrowAtTheEnd is gate O2 for a session that grows: the earlier lines of messages stay as they were, but for the last one, which
// may not have been finished.
func TestLinesGrowAtTheEnd(t *testing.T) {
	files := importertest.Samples(t, "claude-code/growth/*.jsonl")
	data := apptest.Must(os.ReadFile(slices.MaxFunc(files, func(a, b string) int {
		return int(apptest.Must(os.Stat(a))(t).Size() - apptest.Must(os.Stat(b))(t).Size())
	})))(t)
	lines := slices.Collect(bytes.Lines(data))
	db, path := apptest.OpenLibrary(t), filepath.Join(t.TempDir(), "grows.jsonl")
	im := importer.Importer{Library: db, Formats: formats.All()}
	before := [][]byte{nil}
	for _, part := range []int{4, 3, 2, 1} {
		if err := os.WriteFile(path, bytes.Join(lines[:len(lines)/part], nil), 0o600); err != nil {
			t.Fatal(err)
		}
		apptest.Must(im.Import(t.Context(), []string{path}, ""))(t)
		var now [][]byte
		for _, book := range readGated(linesOf(t, db, apptest.Must(Everything(t.Context(), db))(t))) {
			for _, l := range book.lines {
				if l.kind == "uid" {
					written, _, _ := bytes.Cut(l.raw, []byte(`,"meta":{"checkpoint"`)) // counts files, which later records name
					now = append(now, written)
				}
			}
		}
		if len(now) <= len(before) {
			t.Errorf("%d messages after %d", len(now), len(before))
		}
		for i := range min(len(before)-1, len(now)) {
			if !bytes.Equal(before[i], now[i]) {
				t.Errorf("line %d changed:\n%s\n%s", i, before[i], now[i])
			}
		}
		before = now
	}
}

// checkDocumented looks for each field in docs/format.md, but for what is stored as the source, a model or a tool wrote it.
func checkDocumented(g *gated) []string {
	text := string(apptest.Must(os.ReadFile(filepath.Join("..", "..", "..", "docs", "format.md")))(g.t))
	unknown, known := map[string]bool{}, map[string]bool{}
	for _, book := range g.books {
		for _, l := range book.lines {
			for _, name := range fieldsOf(gjson.ParseBytes(l.raw)) {
				if known[name] {
					continue
				}
				known[name] = strings.Contains(text, "`"+name+"`") || strings.Contains(text, `{"`+name+`":{…}}`)
				if !known[name] {
					unknown["not documented: "+name+" of a line "+l.kind] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(unknown))
}

// fieldsOf returns the names of all fields of a value, at any depth, but for those inside of a field that the format does not describe.
func fieldsOf(value gjson.Result) (names []string) {
	if !value.IsObject() && !value.IsArray() {
		return nil
	}
	value.ForEach(func(key, inner gjson.Result) bool {
		if value.IsObject() {
			names = append(names, key.String())
		}
		if !slices.Contains([]string{"meta", "native", "arguments", "structured", "body", "state", "citations", "attachment", "block"}, key.String()) {
			names = append(names, fieldsOf(inner)...)
		}
		return true
	})
	return names
}

// checkLayout compares the order of the kinds of lines with that of docs/format.md.
func checkLayout(g *gated) (problems []string) {
	order := []string{
		"format", "uid", "state", "run", "request", "approval", "toolExecution", "fileChange", "draft", "wake", "copiedState", "restore",
		"queuedMessage", "checkpoint", "record", "blob",
	}
	for _, book := range g.books {
		last := -1
		for _, l := range book.lines {
			at := slices.Index(order, l.kind)
			if at < last {
				problems = append(problems, fmt.Sprintf("%s: a line %q after a line %q", book.head.Session.ID, l.kind, order[last]))
				break
			}
			last = at
		}
	}
	return problems
}

func checkOnce(g *gated) (problems []string) {
	for _, book := range g.books {
		seen := map[string]bool{}
		for _, m := range book.messages {
			if seen[m.UID] {
				problems = append(problems, fmt.Sprintf("%s: %s twice", book.head.Session.ID, m.UID))
			}
			seen[m.UID] = true
		}
		if len(seen) != len(g.stored[book.head.Session.ID]) || int64(len(seen)) != book.head.Session.MessageCount {
			problems = append(problems, fmt.Sprintf("%s: %d of %d messages", book.head.Session.ID, len(seen), book.head.Session.MessageCount))
		}
	}
	return problems
}

// checkTornEnd cuts the file in a line, for readers line by line and for the importer.
func checkTornEnd(g *gated) (problems []string) {
	data := sample(g)
	last := bytes.LastIndex(data, []byte("\n{\"uid\":"))
	if last < 0 {
		return []string{"there are no lines of messages"}
	}
	records := len(slices.Collect(bytes.Lines(data)))
	cut := bytes.LastIndexByte(bytes.TrimSuffix(data, []byte("\n")), '\n') + 10
	torn := data[:cut]
	read := 0
	for _, book := range readGated(torn) {
		read += len(book.lines)
	}
	if read < records-1 {
		problems = append(problems, fmt.Sprintf("%d of %d records can be read", read, records))
	}
	for _, torn := range [][]byte{torn, data[:last+20]} {
		_, sessions, reports := importLines(g.t, torn)
		got, want := int64(0), bytes.Count(torn[:bytes.LastIndexByte(torn, '\n')], []byte("\n{\"uid\":"))
		for _, s := range sessions {
			got += s.MessageCount
		}
		if got != int64(want) || len(reports) == 0 {
			problems = append(problems, fmt.Sprintf("%d messages imported of %d whole ones, %q", got, want, reports))
		}
	}
	return problems
}

func checkSelfContained(g *gated) (problems []string) {
	for _, book := range g.books {
		s := book.head.Session
		if len(book.messages) > 0 && s.Title == "" && s.Task != "" {
			problems = append(problems, s.ID+": no title")
		}
		if s.Source == core.SourceCoppice && (s.Title == "" || s.WorkspacePath == "" || s.Model == "") {
			problems = append(problems, fmt.Sprintf("%s: title %q, folder %q, model %q", s.ID, s.Title, s.WorkspacePath, s.Model))
		}
	}
	return problems
}
