package codex

import (
	"context"
	"hash/fnv"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// skeleton is what the first pass keeps of a file and of those it continues. It holds no text but the first prompt and names.
type skeleton struct {
	file    core.SourceFile
	files   []*opened // those it continues, the oldest first, and itself
	entries []entry   // in the order of the lines; entry 0 stands for none
	nodes   []node    // the messages; node 0 stands for the place before the first one
	tip     int32     // the node that the session continues from

	meta      meta
	facts     facts
	endBytes  int64              // after the last whole line of the file itself
	names     names              // of turns, models and tools
	callName  map[uint64]int32   // by the hash of a call's id: the tool's name
	nameless  int32              // calls without an id
	answered  int32              // results without an id
	pieces    map[int32][]uint64 // by entry: hashes of the pieces of its reasoning; nil behind the first pass
	usage     []counts           // by number of a node; 0 is that of those which are not told
	lastUsage *counts            // the totals said last
	spent     []expense          // in the order of the lines; nil behind the first pass
	turn      turn
	lastMs    int64
	seed      maphash.Seed // of the lines' sums, by which the second pass sees that the file was rewritten
}

// spot is where a record stands.
type spot struct {
	offset int64
	sum    uint32
	length int32
	number int32 // of the line
	file   int16 // in files
	part   int16 // which object of the line; -1: it is the only one
}

// entry is a record, as far as the tree needs it.
type entry struct {
	spot
	timeMs  int64
	key     uint64 // what tells it from others of its class: a hash of its words, or of its call's id
	next    int32  // the next record of the same message; 0: none
	twin    int32  // the record that says the same for the screen; 0: none
	turn    int32  // the segment it lies in
	turnID  int32  // in names
	model   int32  // in names
	arg     int32  // of a rollback: how many turns; of a kept record: its type, in names; of a call without an id and its result: their number
	class   class
	mark    mark
	dropped bool // another record says the same
}

// mark says what a record does that is no message.
type mark uint8

const (
	noMark   mark = iota
	rollback      // takes back the last arg turns
	kept          // is kept beside the messages
	unknown       // is kept, and this version does not know what it means
)

// turn is where the first pass is.
type turn struct {
	number int32 // of the segment
	id     int32 // in names
	model  int32 // in names
	worked bool  // something but prompts was said in it
	closed bool  // the file says that it has ended
}

// scan is the first pass over a file and those it continues.
func scan(ctx context.Context, file core.SourceFile, own *opened) (*skeleton, error) {
	s := &skeleton{
		file: file, entries: make([]entry, 1), nodes: make([]node, 1), names: newNames(), callName: map[uint64]int32{}, pieces: map[int32][]uint64{}, usage: make([]counts, 1),
		seed: maphash.MakeSeed(),
	}
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
	s.pieces, s.spent = nil, nil
	s.entries = slices.Clone(s.entries) // without the room to grow, which may be a quarter of it
	return s, nil
}

// close lets go of the files it continues; its own belongs to the caller.
func (s *skeleton) close() {
	for _, f := range s.files[:max(0, len(s.files)-1)] {
		f.close()
	}
}

// scanFile takes in the newest of files, up to an end where it is one that is continued.
func (s *skeleton) scanFile(ctx context.Context, from *opened, end base) error {
	endBytes, err := jsonl.Scan(ctx, from, from.size, func(l jsonl.Line) bool { return !end.reached(l.Offset) && s.line(l, end) })
	if end.rollout == "" {
		s.endBytes = endBytes
	}
	return err
}

// line takes in a line; false means that it lies behind the end.
func (s *skeleton) line(l jsonl.Line, end base) bool {
	file := s.file
	if end.rollout != "" {
		file.FromBytes = math.MaxInt64 // its damage is told where it is imported itself
	}
	objects := jsonl.Records(l, &file)
	at := spot{offset: l.Offset, length: int32(len(l.Text)), part: -1, number: int32(l.Number), file: int16(len(s.files) - 1)} //nolint:gosec // below MaxLine
	if len(objects) > 0 {
		at.sum = uint32(maphash.Bytes(s.seed, l.Text)) //nolint:gosec // half of it tells enough
	}
	for i, o := range objects {
		if len(objects) > 1 {
			at.part = int16(min(i, 1<<15-1)) //nolint:gosec // bounded
		}
		r := readRecord(o)
		if end.behind(&r) {
			return false
		}
		s.record(&r, at)
	}
	return true
}

// record takes in one record.
func (s *skeleton) record(r *record, at spot) {
	if r.timeMs == 0 {
		r.timeMs = s.lastMs
	}
	s.lastMs = r.timeMs
	if s.meta.createdAtMs == 0 {
		s.meta.createdAtMs = r.timeMs
	}
	e := entry{spot: at, timeMs: r.timeMs, class: r.class()}
	switch {
	case s.inherited(r):
		return
	case e.class == other:
		s.control(r, &e)
	default:
		s.segment(e.class)
		e.key = s.keyOf(r, &e)
		s.facts.take(r, e.class)
	}
	if e.class == other && e.mark == noMark {
		return
	}
	e.turn, e.turnID, e.model = s.turn.number, s.turn.id, s.turn.model
	s.makeRoom(at.offset)
	s.entries = append(s.entries, e)
}

// roomFrom is from how many entries on it is told how many there will be.
const roomFrom = 4096

// makeRoom grows the entries to what the file will need, going by what lies before an offset: growing by and by, a large file's
// would be held twice.
func (s *skeleton) makeRoom(offset int64) {
	n := int64(len(s.entries))
	if n < roomFrom || n < int64(cap(s.entries)) || offset == 0 {
		return
	}
	left := float64(s.files[len(s.files)-1].size-offset) / float64(offset) * float64(n)
	s.entries = slices.Grow(s.entries, int(left*1.02)+roomFrom)
}

// segment says where a record's segment begins: with a prompt after anything else.
func (s *skeleton) segment(c class) {
	switch c {
	case prompt, shownPrompt, command:
		if s.turn.worked {
			s.turn.number++
			s.turn.worked = false
		}
		s.turn.closed = false
	case reply, reasoning, call, result, compaction, shownReply, shownReasoning, shownTool:
		s.turn.worked = true
	case other, inserted, directive, agentWords:
	}
}

// inherited says whether a subagent has the record from the session that runs it.
func (s *skeleton) inherited(r *record) bool {
	return s.meta.parentThread != "" && r.kind != "session_meta" && r.ordinal >= 0 && r.ordinal < s.meta.ownFrom
}

// control takes in a record that is no message.
func (s *skeleton) control(r *record, e *entry) {
	switch r.kind {
	case "session_meta":
		s.meta.takeMeta(r.payload)
		s.facts.cwd(jsonl.Text(r.payload.Get("cwd")))
		return
	case "turn_context":
		s.begin(jsonl.Text(r.payload.Get("turn_id")))
		s.model(jsonl.Text(r.payload.Get("model")))
		s.facts.cwd(jsonl.Text(r.payload.Get("cwd")))
		s.facts.said("effort", jsonl.Text(r.payload.Get("effort")))
		return
	case "event_msg":
		if s.event(r, e) {
			return
		}
	}
	if keep, known := keepRecord(r); keep {
		e.mark = unknown
		if known {
			e.mark = kept
		}
		e.arg = s.names.id(recordName(r))
	}
}

// event takes in an event that steers; false means that it is judged like any other record.
func (s *skeleton) event(r *record, e *entry) bool {
	switch r.sub {
	case "task_started", "turn_started":
		if s.turn.worked {
			s.turn.number++
			s.turn.worked = false
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
		s.count(r, e.spot)
		return true
	case "thread_rolled_back":
		if n := r.payload.Get("num_turns").Int(); n > 0 {
			e.mark, e.arg = rollback, int32(min(n, 1<<30)) //nolint:gosec // bounded
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

// begin says which turn the following records belong to.
func (s *skeleton) begin(turnID string) {
	if turnID == "" {
		return
	}
	s.turn.id = s.names.id(turnID)
	s.turn.closed = false
}

func (s *skeleton) model(name string) {
	if name != "" {
		s.turn.model = s.names.id(name)
		s.facts.model = s.names.text(s.turn.model)
	}
}

// keyOf returns what tells a record from others of its class.
func (s *skeleton) keyOf(r *record, e *entry) uint64 {
	switch e.class {
	case call, result, shownTool:
		return s.keyOfTool(r, e)
	case reasoning:
		return s.keyOfThoughts(r)
	case shownPrompt, shownReply, shownReasoning:
		return hash(strings.TrimSpace(shownText(r)))
	case compaction:
		return hash(jsonl.Text(r.payload.Get("message")) + jsonl.Text(r.payload.Get("encrypted_content")) + jsonl.Text(r.payload.Get("window_id")))
	default:
		return hash(strings.TrimSpace(contentText(r.payload)))
	}
}

// keyOfTool connects a call with its results. Where there is no id, a result belongs to the oldest call that has none.
func (s *skeleton) keyOfTool(r *record, e *entry) uint64 {
	id := callID(r)
	switch {
	case e.class == shownTool:
		e.arg = s.names.id(shownName(r))
		return hash(id)
	case id != "":
	case e.class == call:
		s.nameless++
		e.arg = s.nameless
		id = namelessID(e.arg)
	case s.answered < s.nameless:
		s.answered++
		e.arg = s.answered
		id = namelessID(e.arg)
	}
	if e.class == call {
		s.callName[hash(id)] = s.names.id(toolName(r))
	}
	return hash(id)
}

// namelessID stands for the id of a call that has none.
func namelessID(n int32) string { return "call-" + strconv.Itoa(int(n)) }

// keyOfThoughts notes the pieces of reasoning, too, because each of them is shown for itself.
func (s *skeleton) keyOfThoughts(r *record) uint64 {
	pieces := thoughts(r.payload)
	hashes := make([]uint64, 0, len(pieces)+1)
	for _, p := range append(pieces, strings.Join(pieces, "\n")) {
		hashes = append(hashes, hash(strings.TrimSpace(p)))
	}
	s.pieces[int32(len(s.entries))] = hashes //nolint:gosec // bounded by the lines of a file
	return hash(strings.Join(pieces, "\n") + jsonl.Text(r.payload.Get("encrypted_content")))
}

// toolName is what the tool of a call is called.
func toolName(r *record) string {
	for _, path := range []string{"name", "function.name", "tool"} {
		if name := jsonl.Text(r.payload.Get(path)); name != "" {
			return name
		}
	}
	return strings.TrimSuffix(r.sub, "_call")
}

// hash returns a number that stands for a text; 0 for none.
func hash(text string) uint64 {
	if text == "" {
		return 0
	}
	h := fnv.New64a()
	io.WriteString(h, text) //nolint:errcheck,gosec // never fails
	return h.Sum64()
}
