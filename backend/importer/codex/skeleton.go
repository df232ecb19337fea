package codex

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
	"coppice/backend/pages"
)

// skeleton is the result of the first pass over a file and those it continues. It holds no text but the first prompt and names, and apart
// from these no pointers: a file may have a million records.
type skeleton struct {
	file    core.SourceFile
	files   []*opened         // those it continues, the oldest first, and itself
	own     int16             // which of files is the file itself
	entries pages.List[entry] // in the order of the lines; entry 0 is no entry
	asides  pages.List[aside] // in the order of the lines
	nodes   pages.List[node]  // the messages; node 0 represents the position before the first one
	tip     int32             // the node that the session continues from

	meta      meta
	facts     facts
	endBytes  int64               // after the last complete line of the file itself
	names     names               // of turns, models and tools
	settings  []setting           // of entries and asides
	numbers   map[int32]int32     // by entry: of calls without an id and of their results
	nameless  int32               // calls without an id
	answered  int32               // results without an id
	segments  []int32             // the first entry of each
	pieces    []piece             // of reasoning, in the order of the entries; nil after the first pass
	hasItems  bool                // something is written for the model; some versions wrote for the screen only
	spent     pages.List[expense] // in the order of the lines; what a message used is added up in the first of its own. Number 0 is no expense
	lastUsage *counts             // the latest totals
	spawned   map[string]uint64   // thread of a subagent → a hash of the id of the call that started it
	turn      turn
	lastMs    int64
	reader    twopass.Reader
}

// entry is a record with content, as far as the tree needs it.
type entry struct {
	twopass.Position        // Source is an index of files
	key              uint64 // what distinguishes it from others of its class: a hash of its words, or of its call's id
	next             int32  // the next record of the same message; 0: none
	twin             int32  // the record that repeats it for the screen; 0: none
	tool             int32  // of a call, its result and what is shown of it: in names
	setting          int32  // in settings
	class            class
	dropped          bool // another record has the same content
}

// aside is a record that is not a message.
type aside struct {
	twopass.Position
	before int32 // in entries: the next one
	turns  int32 // that are rolled back
	name   int32 // in names: its type
	after  int32 // the message it came after
	mark   mark
}

// mark is the use of an aside.
type mark uint8

const (
	rollback mark = iota // it rolls back turns
	kept                 // it is stored beside the messages
	unknown              // it is stored, and this version does not know its meaning
)

// setting is what many records have in common.
type setting struct {
	turnID int32 // in names
	model  int32 // in names
	timeMs int64 // of the record before one without a time; 0 for those that have one
}

// turn is the state of the first pass.
type turn struct {
	id     int32  // in names
	model  int32  // in names
	begun  bool   // a segment has begun since the last entry
	worked bool   // something besides prompts occurred in the segment
	closed bool   // the file records its end
	notice uint64 // a hash of the latest report; 0: nothing since the prompt
}

// scan is the first pass over a file and those it continues.
func scan(ctx context.Context, file core.SourceFile, own *opened) (*skeleton, error) {
	s := &skeleton{file: file, names: newNames(), numbers: map[int32]int32{}, turn: turn{begun: true}, reader: twopass.NewReader()}
	s.entries.Add(entry{})
	s.nodes.Add(node{})
	s.spent.Add(expense{})
	if err := s.readMeta(own); err != nil {
		return nil, err
	}
	if err := s.scanBases(ctx); err != nil {
		s.close()
		return nil, err
	}
	s.files = append(s.files, own)
	if err := s.scanFile(ctx, own, base{}); err != nil {
		s.close()
		return nil, err
	}
	s.pair()
	s.arrange()
	s.pieces, s.segments = nil, nil
	return s, nil
}

// close closes the files it continues; its own belongs to the caller.
func (s *skeleton) close() {
	for _, f := range s.files[:max(0, len(s.files)-1)] {
		f.close()
	}
}

// scanFile scans the newest of files, up to an end if another file continues it.
func (s *skeleton) scanFile(ctx context.Context, from *opened, end base) error {
	endBytes, err := jsonl.Scan(ctx, from, from.size, func(l jsonl.Line) bool { return !end.reached(l.Offset) && s.line(l, end) })
	if end.rollout == "" {
		s.endBytes = endBytes
	}
	return err
}

// line reads a line, and returns false if it is after the end.
func (s *skeleton) line(l jsonl.Line, end base) bool {
	file := s.file
	if end.rollout != "" {
		file.FromBytes = math.MaxInt64 // its damage is reported when it is imported itself
	}
	return s.reader.First(l, &file, int16(len(s.files)-1), func(o gjson.Result, at twopass.Position) bool { //nolint:gosec // a few files
		r := readRecord(o)
		if end.behind(&r) {
			return false
		}
		s.record(&r, at)
		return true
	})
}

// record adds one record.
func (s *skeleton) record(r *record, at twopass.Position) {
	timeMs := r.timeMs
	if timeMs == 0 {
		r.timeMs = s.lastMs
	}
	s.lastMs = r.timeMs
	if s.meta.createdAtMs == 0 {
		s.meta.createdAtMs = r.timeMs
	}
	if s.inherited(r) {
		return
	}
	c := r.class()
	if c == other {
		s.control(r, at)
		s.notice(r, at, timeMs)
		return
	}
	s.segment(c)
	e := entry{Position: at, class: c, setting: s.setting(timeMs)}
	if s.turn.begun {
		s.segments, s.turn.begun = append(s.segments, s.entries.Len()), false
	}
	s.hasItems = s.hasItems || !c.isShown()
	e.key = s.keyOf(r, &e)
	s.facts.take(r, c)
	s.takeSpawn(r, c)
	s.entries.Add(e)
}

// setting returns the number of the setting of a record with a time; 0 for none.
func (s *skeleton) setting(timeMs int64) int32 {
	now := setting{turnID: s.turn.id, model: s.turn.model}
	if timeMs == 0 {
		now.timeMs = s.lastMs
	}
	if n := len(s.settings); n == 0 || s.settings[n-1] != now {
		s.settings = append(s.settings, now)
	}
	return int32(len(s.settings) - 1) //nolint:gosec // bounded by the lines of a file
}

// segment begins a segment if a record starts one: a prompt after anything else.
func (s *skeleton) segment(c class) {
	switch c {
	case prompt, shownPrompt, command:
		s.turn.notice = 0
		if s.turn.worked {
			s.turn.begun, s.turn.worked = true, false
		}
		s.turn.closed = false
	case reply, reasoning, call, result, compaction, shownReply, shownReasoning, shownTool:
		s.turn.worked = true
	case other, inserted, insertedLate, directive, agentWords, notice:
	}
}

// inherited reports whether a subagent has the record from the session that runs it.
func (s *skeleton) inherited(r *record) bool {
	return s.meta.parentThread != "" && r.kind != "session_meta" && r.ordinal >= 0 && r.ordinal < s.meta.ownFrom
}

// control handles a record that is not a message.
func (s *skeleton) control(r *record, at twopass.Position) {
	switch r.kind {
	case "session_meta":
		s.meta.takeMeta(r.payload)
		s.facts.cwd(jsonl.Text(r.payload.Get("cwd")))
		return
	case "turn_context":
		s.begin(jsonl.Text(r.payload.Get("turn_id")))
		s.model(jsonl.Text(r.payload.Get("model")))
		s.facts.cwd(jsonl.Text(r.payload.Get("cwd")))
		s.facts.set("effort", jsonl.Text(r.payload.Get("effort")))
		return
	case "event_msg":
		if s.event(r, at) {
			return
		}
	}
	if keep, known := keepRecord(r); keep {
		a := aside{Position: at, before: s.entries.Len(), mark: unknown, name: s.names.id(recordName(r))}
		if known {
			a.mark = kept
		}
		s.asides.Add(a)
	}
}

// event handles an event that controls the conversation, and returns false if it is judged like any other record.
func (s *skeleton) event(r *record, at twopass.Position) bool {
	switch r.sub {
	case "task_started", "turn_started":
		if s.turn.worked {
			s.turn.begun, s.turn.worked = true, false
		}
		s.begin(jsonl.Text(r.payload.Get("turn_id")))
		return true
	case "task_complete", "turn_complete":
		s.turn.closed = true
		return jsonl.Empty(r.payload.Get("error"))
	case "turn_aborted":
		s.turn.closed = true
		return false
	case "token_count":
		s.count(r, at)
		return true
	case "collab_agent_spawn_end", "sub_agent_activity", "item_completed":
		s.takeSpawnEvent(r)
	case "thread_rolled_back":
		if n := r.payload.Get("num_turns").Int(); n > 0 {
			s.asides.Add(aside{Position: at, before: s.entries.Len(), mark: rollback, turns: int32(min(n, 1<<30))}) //nolint:gosec // bounded
		}
		return true
	case "thread_settings_applied":
		s.model(jsonl.Text(r.payload.Get("thread_settings.model")))
		return true
	case "thread_name_updated":
		s.facts.name = jsonl.Title(jsonl.Text(r.payload.Get("thread_name")))
	}
	return false
}

// begin sets the turn of the following records.
func (s *skeleton) begin(turnID string) {
	if turnID == "" {
		return
	}
	if id := s.names.id(turnID); id != s.turn.id {
		if s.turn.closed && s.turn.worked { // what has ended does not continue
			s.turn.begun, s.turn.worked = true, false
		}
		s.turn.id = id
	}
	s.turn.closed = false
}

func (s *skeleton) model(name string) {
	if name != "" {
		s.turn.model = s.names.id(name)
		s.facts.model = s.names.text(s.turn.model)
	}
}

// keyOf returns what distinguishes a record from others of its class.
func (s *skeleton) keyOf(r *record, e *entry) uint64 {
	switch e.class {
	case call, result, shownTool:
		return s.keyOfTool(r, e)
	case reasoning:
		return s.keyOfThoughts(r)
	case shownPrompt, shownReply, shownReasoning:
		words := strings.TrimSpace(shownText(r))
		if words == "" && showsPictures(r) {
			return picturesOnly
		}
		return hash(words)
	case compaction:
		return hash(jsonl.Text(r.payload.Get("message")) + jsonl.Text(r.payload.Get("encrypted_content")) + jsonl.Text(r.payload.Get("window_id")))
	default:
		return hash(strings.TrimSpace(contentText(r.payload)))
	}
}

// picturesOnly is the key of a record that shows pictures without text.
const picturesOnly = 1

// words returns the key of the entry's text; pictures alone, and the item that repeats them, have none.
func (e *entry) words() uint64 {
	if e.key == picturesOnly {
		return 0
	}
	return e.key
}

// keyOfTool connects a call with its results. Without an id, a result belongs to the oldest call that has none.
func (s *skeleton) keyOfTool(r *record, e *entry) uint64 {
	id := callID(r)
	switch {
	case e.class == shownTool:
		e.tool = s.names.id(shownName(r))
		return hash(id)
	case id != "":
	case e.class == call:
		s.nameless++
		id = s.number(s.nameless)
	case s.answered < s.nameless:
		s.answered++
		id = s.number(s.answered)
	}
	if e.class == call {
		e.tool = s.names.id(toolName(r))
	}
	return hash(id)
}

// number gives the next entry a number instead of a call's id, and returns the id derived from it.
func (s *skeleton) number(n int32) string {
	s.numbers[s.entries.Len()] = n
	return namelessID(n)
}

// namelessID replaces the id of a call that has none.
func namelessID(n int32) string { return "call-" + strconv.Itoa(int(n)) }

// piece is a part of the reasoning of an entry.
type piece struct {
	key uint64 // a hash of its words
	of  int32  // in entries
}

// keyOfThoughts also records the pieces of reasoning, because each of them is shown by itself.
func (s *skeleton) keyOfThoughts(r *record) uint64 {
	pieces := thoughts(r.payload)
	all := strings.Join(pieces, "\n")
	if len(pieces) > 1 {
		pieces = append(pieces, all)
	}
	for _, p := range pieces {
		s.pieces = append(s.pieces, piece{hash(strings.TrimSpace(p)), s.entries.Len()})
	}
	return hash(all + jsonl.Text(r.payload.Get("encrypted_content")))
}

// toolName returns the name of a call's tool.
func toolName(r *record) string {
	for _, path := range []string{"name", "function.name", "tool"} {
		if name := jsonl.Text(r.payload.Get(path)); name != "" {
			return name
		}
	}
	return strings.TrimSuffix(r.sub, "_call")
}

// hash returns a hash of a text, FNV-1a of 64 bits (RFC 9923); 0 for an empty one.
func hash(text string) uint64 {
	if text == "" {
		return 0
	}
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
