package pi

import (
	"context"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
)

// skeleton is the result of the first pass over a file.
type skeleton struct {
	file    core.SourceFile
	reader  twopass.Reader
	buffer  twopass.Buffer
	entries []entry // in the order of the lines; entry 0 represents the position before the first one
	nodes   []node  // the messages; node 0 represents the position before the first one
	byID    map[string]int32
	uids    map[string]int // how often a message occurred at the same time
	lanes   map[string]int32
	lane    string // the lane of the latest record
	labels  map[int32]label
	marked  []int32 // the entries that have a label or had one, in order

	facts    facts
	endBytes int64
	lastMs   int64
}

// entry is a record of the file.
type entry struct {
	twopass.Position
	node  int32 // the message it belongs to or comes after
	next  int32 // the next entry of the same message; 0: none
	class class
}

// node is a message.
type node struct {
	uid    string
	parent int32
	first  int32 // entry
	last   int32
	timeMs int64
}

type label struct {
	text  string // empty: it was removed
	atMs  int64
	isNew bool // since the last import
}

// mainLane is the lane of the user's conversation.
const mainLane = "main"

// scan is the first pass over a file.
func scan(ctx context.Context, file core.SourceFile) (*skeleton, error) {
	s := &skeleton{
		file: file, reader: twopass.NewReader(), entries: make([]entry, 1), nodes: make([]node, 1), byID: map[string]int32{}, uids: map[string]int{},
		lanes: map[string]int32{}, labels: map[int32]label{},
	}
	var err error
	s.endBytes, err = jsonl.Scan(ctx, file.Data, file.SizeBytes, s.line)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// line reads a line; all lines are wanted.
func (s *skeleton) line(l jsonl.Line) bool {
	return s.reader.First(l, &s.file, 0, func(o gjson.Result, at twopass.Position) bool {
		s.record(o, at)
		return true
	})
}

// record handles the object of a line.
func (s *skeleton) record(v gjson.Result, at twopass.Position) {
	kind := jsonl.Text(v.Get("kind"))
	if kind == "lane" {
		s.move(v)
	}
	isEntry := kind == "" || kind == "entry"
	e := entry{Position: at, class: classOf(v)}
	above := s.above(v, isEntry)
	e.node = s.entries[above].node
	if timeMs := jsonl.Millis(v.Get("timestamp")); timeMs > 0 {
		s.lastMs = timeMs
	}
	n := int32(len(s.entries)) //nolint:gosec // bounded by the lines of a file
	switch {
	case e.class == control:
		s.control(v, at)
		if isHead(v) {
			return
		}
	case e.class.isMessage():
		e.node = s.message(v, e.class, above, n)
		s.facts.take(v, e.class)
	}
	s.entries = append(s.entries, e)
	if !isEntry {
		return
	}
	if id := jsonl.Text(v.Get("id")); id != "" {
		s.byID[strings.Clone(id)] = n
	}
	s.lane = strings.Clone(jsonl.Text(v.Get("lane")))
	s.lanes[s.lane] = n
}

// move sets the position of a lane.
func (s *skeleton) move(v gjson.Result) {
	n, known := s.byID[jsonl.Text(v.Get("leafId"))]
	if known || v.Get("leafId").Type == gjson.Null {
		s.lanes[strings.Clone(jsonl.Text(v.Get("lane")))] = n
	}
}

// above returns the parent of a record. In version 1, and if the parent is damaged, it is the previous entry.
func (s *skeleton) above(v gjson.Result, isEntry bool) int32 {
	before := int32(len(s.entries) - 1) //nolint:gosec // bounded by the lines of a file
	parent := v.Get("parentId")
	switch {
	case !isEntry:
		return before
	case parent.Type == gjson.Null && parent.Exists():
		return 0
	}
	if n, known := s.byID[jsonl.Text(parent)]; known {
		return n
	}
	return before
}

// message adds a message. The results of one answer's tools follow each other and become one message.
func (s *skeleton) message(v gjson.Result, c class, above, n int32) int32 {
	parent := s.entries[above].node
	if c == result && s.entries[above].class == result && s.nodes[parent].last == above {
		s.entries[above].next = n
		s.nodes[parent].last = n
		return parent
	}
	s.nodes = append(s.nodes, node{uid: s.uid(v), parent: parent, first: n, last: n, timeMs: s.lastMs})
	return int32(len(s.nodes) - 1) //nolint:gosec // bounded by the lines of a file
}

// uid returns an id derived from a message's content and time. pi's own ids are short and change when a file is
// converted to a newer version; this way a copy of a session is recognised by its first message.
func (s *skeleton) uid(v gjson.Result) string {
	said := v.Get("message").Raw
	if said == "" {
		said = jsonl.Text(v.Get("summary")) + v.Get("content").Raw
	}
	kind := jsonl.Text(v.Get("type"))
	uid := core.DerivedID(s.lastMs, string(core.SourcePi), kind, said)
	again := s.uids[uid]
	s.uids[uid]++
	if again > 0 {
		uid = core.DerivedID(s.lastMs, string(core.SourcePi), kind, said, strconv.Itoa(again))
	}
	return uid
}

// control handles a record about the session or other entries.
func (s *skeleton) control(v gjson.Result, at twopass.Position) {
	kind := jsonl.Text(v.Get("type"))
	if kind == "" {
		kind = jsonl.Text(v.Get("fact"))
	}
	switch kind {
	case "label":
		s.label(v, at)
	case "session_info", "name":
		s.facts.name = strings.Clone(first(v, "name", "value"))
	default:
		if isHead(v) {
			s.facts.head(v)
		}
	}
}

// label names an entry, or removes its name.
func (s *skeleton) label(v gjson.Result, at twopass.Position) {
	n, known := s.byID[first(v, "targetId", "entryId")]
	if !known {
		return
	}
	if _, marked := s.labels[n]; !marked {
		s.marked = append(s.marked, n)
	}
	s.labels[n] = label{text: strings.Clone(strings.TrimSpace(first(v, "label", "value"))), atMs: s.lastMs, isNew: at.Offset >= s.file.FromBytes}
}

// named returns the names of messages that were named or renamed since the last import, removed names first.
func (s *skeleton) named() []core.Label {
	counts := map[int32]label{}
	var order []int32
	for _, n := range s.marked {
		node := s.entries[n].node
		if _, there := counts[node]; !there {
			order = append(order, node)
		}
		counts[node] = newer(counts[node], s.labels[n])
	}
	var back, given []core.Label
	isNew := false
	for _, node := range order {
		if node == 0 {
			continue
		}
		l := counts[node]
		isNew = isNew || l.isNew
		named := core.Label{UID: s.nodes[node].uid, Text: l.text, CreatedAtMs: l.atMs}
		if l.text == "" {
			back = append(back, named)
		} else {
			given = append(given, named)
		}
	}
	if !isNew {
		return nil
	}
	return append(back, given...)
}

// newer returns which of two names of a message counts: the newest, and a removed one only if there is no other.
func newer(a, b label) label {
	counts := b
	if a.text != "" && b.text == "" || (a.text == "") == (b.text == "") && a.atMs > b.atMs {
		counts = a
	}
	counts.isNew = a.isNew || b.isNew
	return counts
}

// head returns where the session continues: at the last entry, of the main lane if there are lanes. A lane may have been moved
// since.
func (s *skeleton) head() string {
	n, known := s.lanes[mainLane]
	if !known {
		n = s.lanes[s.lane]
	}
	return s.nodes[s.entries[n].node].uid
}

// read reads a record again.
func (s *skeleton) read(at twopass.Position) (gjson.Result, error) {
	return s.reader.Again(s.file.Data, at, &s.buffer)
}

// first returns the first non-empty text of several members.
func first(v gjson.Result, paths ...string) string {
	for _, path := range paths {
		if text := jsonl.Text(v.Get(path)); text != "" {
			return text
		}
	}
	return ""
}
