package claudecode

import (
	"context"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
)

// skeleton is the result of the first pass: the tree positions of the messages, the positions of their records in the
// file, and the facts of the session. It holds no text but the first prompt and titles.
type skeleton struct {
	threads   []*thread         // 0 is the session itself, the others are its subagents
	entries   []entry           // of the messages, in the order of the lines; entry 0 is no entry
	at        map[string]anchor // the position of a record with this uuid
	agents    map[string]int32  // agent id → thread
	calls     map[string]*call  // by the id of the tool call
	spawns    []*call           // those that run a subagent, in order
	spawned   map[string]string // agent id → the tool call that ran it
	records   []extra
	facts     facts
	keptFiles map[string]keptFiles // by the uuid of a prompt
	endBytes  int64                // after the last complete line; 0: the file is rewritten each time

	file     core.SourceFile
	allMain  bool // sidechain records are the session itself: the file of a subagent
	lastTime int64
	names    names
	// ownMessages means that there are messages that do not belong to a subagent.
	ownMessages bool
	reader      twopass.Reader
	small       bool // the records are kept for the second pass
}

// entry is a record of the file.
type entry struct {
	twopass.Position
	next     int32   // the next record of the same message; 0: none
	embedded bool    // the record is data.message of a progress record
	read     *record // of a small file; nil: it has to be read again
}

// anchor is a position in a thread.
type anchor struct{ thread, position int32 }

// extra is a record that is stored beside the messages.
type extra struct {
	entry
	after int32 // position in thread 0
	kind  string
	known bool
}

// thread is one conversation: the session's own or a subagent's.
type thread struct {
	positions []position
	nodes     []node           // parallel to positions
	ids       map[string]int32 // message.id → position
	from      int32            // the position in thread 0 where it began
	head      int32
	rewind    int32  // the position a rewind just went back to; -1: none
	agent     string // the subagent's id
	tool      string // the tool call that runs it, if the records name it
	facts     threadFacts
}

// node is what a message needs besides its position.
type node struct {
	uid         string
	first, last int32 // its records, indices of entries
}

func newThread(from int32) *thread {
	return &thread{positions: make([]position, 1), nodes: make([]node, 1), ids: map[string]int32{}, from: from, rewind: -1}
}

func (t *thread) newest() int32 { return int32(len(t.positions) - 1) } //nolint:gosec // bounded by the lines of a file

// scan is the first pass over a file.
func scan(ctx context.Context, file core.SourceFile, allMain bool) (*skeleton, error) {
	s := &skeleton{
		threads: []*thread{newThread(0)}, entries: make([]entry, 1), at: map[string]anchor{}, agents: map[string]int32{},
		calls: map[string]*call{}, spawned: map[string]string{}, keptFiles: map[string]keptFiles{}, names: names{}, reader: twopass.NewReader(),
		file: file, allMain: allMain, small: file.SizeBytes <= keptBytes,
	}
	var err error
	if isDocument(file) {
		err = scanDocument(ctx, file, s.line)
	} else {
		s.endBytes, err = jsonl.Scan(ctx, file.Data, file.SizeBytes, s.line)
	}
	if err != nil {
		return nil, err
	}
	s.entries[len(s.entries)-1].read = nil // reading the end again detects whether the file was rewritten meanwhile
	return s, nil
}

// keptBytes is the size up to which the first pass keeps the records of a file for the second one.
const keptBytes = 4 << 20

// keep keeps a record, undecoded, for the second pass.
func (s *skeleton) keep(r *record, at *entry) {
	if s.small && at.Offset >= s.file.FromBytes {
		kept := *r
		at.read = &kept
	}
}

// line reads a line; all lines are wanted.
func (s *skeleton) line(l jsonl.Line) bool {
	return s.reader.First(l, &s.file, 0, func(o gjson.Result, at twopass.Position) bool {
		s.record(readRecord(o), entry{Position: at})
		return true
	})
}

// record adds one record.
func (s *skeleton) record(r record, at entry) {
	r.keep(s.names)
	if r.timeMs == 0 {
		r.timeMs = s.lastTime
	}
	s.lastTime = r.timeMs
	kind := r.class()
	n, parent := s.locate(&r)
	s.facts.take(&r)
	switch {
	case kind == malformed:
		s.malformed(&r, at)
	case kind.isMessage():
		s.message(n, parent, kind, &r, at)
	default:
		s.beside(n, parent, &r, at)
	}
}

// locate returns the thread of a record, and the index of its parent there.
func (s *skeleton) locate(r *record) (n, parent int32) {
	up, known := s.at[r.parent]
	known = known && r.parent != ""
	if !known && r.parent == "" && r.logicalParent != "" {
		up, known = s.at[r.logicalParent]
	}
	if r.sidechain && !s.allMain {
		return s.locateSidechain(r, up, known)
	}
	main := s.threads[0]
	switch {
	case known && up.thread == 0:
		return 0, up.position
	case known:
		return 0, s.threads[up.thread].from
	case main.rewind == 0 && r.hasParent && r.parent == "":
		return 0, 0 // a new beginning after a rewind to the empty conversation
	default:
		return 0, main.newest() // a compaction, a lost parent, or another start of the tool
	}
}

func (s *skeleton) locateSidechain(r *record, up anchor, known bool) (n, parent int32) {
	if known && up.thread != 0 {
		return up.thread, up.position
	}
	id := r.agentID
	if id == "" {
		id = r.uuid
	}
	n = s.agent(id)
	return n, s.threads[n].newest()
}

// agent returns the thread of an agent, a new one for a new agent.
func (s *skeleton) agent(id string) int32 {
	n, known := s.agents[id]
	if !known {
		n = int32(len(s.threads)) //nolint:gosec // bounded by the lines of a file
		s.threads = append(s.threads, newThread(s.threads[0].newest()))
		s.threads[n].agent = id
		s.agents[id] = n
	}
	return n
}

// message adds a record that is a message, or another part of one.
func (s *skeleton) message(n, parent int32, kind class, r *record, at entry) {
	s.keep(r, &at)
	if r.uuid == "" {
		r.uuid = derivedUID(r.all.Raw, r.timeMs, at)
	}
	if _, twice := s.at[r.uuid]; twice {
		return // a replayed record: the first one counts
	}
	s.ownMessages = s.ownMessages || !r.sidechain
	t := s.threads[n]
	s.entries = append(s.entries, at)
	index := int32(len(s.entries) - 1) //nolint:gosec // bounded by the lines of a file
	p, more := t.ids[r.messageID]
	more = more && (kind == reply || kind == synthetic)
	if more {
		s.entries[t.nodes[p].last].next = index
		t.nodes[p].last = index
	} else {
		p = t.add(position{parent: parent, class: kind, timeMs: r.timeMs}, node{uid: r.uuid, first: index, last: index})
		if r.messageID != "" && (kind == reply || kind == synthetic) {
			t.ids[r.messageID] = p
		}
	}
	s.at[r.uuid] = anchor{n, p}
	t.facts.take(kind, r)
	switch kind {
	case reply:
		s.takeCalls(anchor{n, p}, r)
	case result:
		s.takeResults(r)
	default: // nothing else has another half
	}
}

// add appends a position.
func (t *thread) add(p position, n node) int32 {
	p.certain = t.rewind >= 0 && t.rewind == p.parent
	t.rewind = -1
	t.positions = append(t.positions, p)
	t.nodes = append(t.nodes, n)
	t.head = t.newest()
	return t.head
}

// beside adds a record that is not a message.
func (s *skeleton) beside(n, parent int32, r *record, at entry) {
	if r.uuid != "" {
		if _, twice := s.at[r.uuid]; !twice {
			s.at[r.uuid] = anchor{n, parent}
		}
	}
	if r.kind == "progress" && readReport(r.data).kind == "agent_progress" {
		s.agentProgress(r, at)
		return
	}
	if r.kind == "last-prompt" && r.all.Get("rewound").Bool() {
		s.rewound(jsonl.Text(r.all.Get("leafUuid")))
		return
	}
	if r.kind == "file-history-snapshot" {
		s.snapshot(r, at.Offset)
	}
	if keep, known := keepRecord(r); keep && n == 0 {
		s.keep(r, &at)
		s.records = append(s.records, extra{entry: at, after: s.threads[0].newest(), kind: s.names.one(recordName(r)), known: known})
	}
}

func (s *skeleton) malformed(r *record, at entry) {
	if at.Offset >= s.file.FromBytes {
		s.file.Problem(int64(at.Line), "record of type "+r.kind+" without a message, kept as it is")
	}
	s.records = append(s.records, extra{entry: at, after: s.threads[0].newest(), kind: r.kind})
}

// rewound records that the user went back to a record, or to before the first message.
func (s *skeleton) rewound(leaf string) {
	t := s.threads[0]
	a, known := s.at[leaf]
	if leaf != "" && (!known || a.thread != 0) {
		return
	}
	t.head, t.rewind = a.position, a.position
}
