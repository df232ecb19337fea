package geminicli

import (
	"bytes"
	"context"
	"hash/maphash"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
	"coppice/backend/importer/twopass"
	"coppice/backend/jsontext"
)

// skeleton is the result of the first pass over a file.
type skeleton struct {
	file     core.SourceFile
	outliner *jsondoc.Outliner // of an old file; nil: it has lines
	reader   twopass.Reader
	buffer   twopass.Buffer
	seed     maphash.Seed // of the hashes of words
	nodes    []node       // node 0 represents the position before the first message
	byID     map[string]int32
	aliases  map[string]int32 // ids under which a checkpoint repeats messages
	path     []int32          // the nodes of the current conversation
	again    *opened          // the record that was read again last
	extra    []extra
	spawned  map[string]int32 // agent id → the message with its call
	facts    facts
	endBytes int64
	lastMs   int64
}

// node is a message in the file; its tool results become another one.
type node struct {
	id      string
	parent  int32
	at      address // its newest version
	place   int32   // on the path, from 1; 0: it is not on it
	timeMs  int64   // of its first version
	results bool    // there are results of its tools
	saying  uint64  // a hash of its words; 0: it has none
}

// address is the position of a message or another record.
type address struct {
	twopass.Position
	element jsondoc.Element // of an old file, which has no lines
	index   int32           // which message of a checkpoint; -1: it is none
}

// extra is a record that is stored beside the messages.
type extra struct {
	at    address
	after int32
	kind  string
}

// scan is the first pass over a file.
func scan(ctx context.Context, file core.SourceFile) (*skeleton, error) {
	s := &skeleton{file: file, reader: twopass.NewReader(), seed: maphash.MakeSeed(), nodes: make([]node, 1), byID: map[string]int32{}, aliases: map[string]int32{}}
	if !hasLines(file) {
		return s, s.scanObject(ctx)
	}
	var err error
	s.endBytes, err = jsonl.Scan(ctx, file.Data, file.SizeBytes, s.line)
	return s, err
}

// hasLines reports whether the first line of a file is an object of its own.
func hasLines(file core.SourceFile) bool {
	const headBytes = 64 << 10
	head := make([]byte, min(headBytes, file.SizeBytes))
	n, _ := file.Data.ReadAt(head, 0) // the pass will report what is wrong
	first, _, several := bytes.Cut(bytes.TrimLeft(head[:n], "\ufeff \t\r\n"), []byte("\n"))
	if jsontext.Check(bytes.TrimSpace(first)) != "" {
		return false
	}
	return several && gjson.ParseBytes(first).IsObject() && !gjson.GetBytes(first, "messages").Exists() && !gjson.GetBytes(first, "history").Exists()
}

// line reads a line; all lines are wanted.
func (s *skeleton) line(l jsonl.Line) bool {
	return s.reader.First(l, &s.file, 0, func(o gjson.Result, at twopass.Position) bool {
		s.record(o, address{Position: at, index: -1})
		return true
	})
}

// record handles the object of a line. The order of the checks is that of Gemini CLI.
func (s *skeleton) record(o gjson.Result, at address) {
	switch {
	case o.Get("$rewindTo").Type == gjson.String:
		s.rewind(jsonl.Text(o.Get("$rewindTo")))
	case o.Get("id").Type == gjson.String && classOf(o) != unknown:
		s.message(o, at)
	case o.Get("$set").IsObject():
		s.set(o.Get("$set"), at)
	case o.Get("sessionId").Exists() && o.Get("projectHash").Exists():
		s.facts.head(o)
	default:
		s.keep(o, at)
	}
}

func (s *skeleton) keep(o gjson.Result, at address) {
	kind := strings.Clone(jsonl.Text(o.Get("type")))
	s.extra = append(s.extra, extra{at, s.tip(), kind})
}

// tip returns the newest message of the current conversation.
func (s *skeleton) tip() int32 {
	if len(s.path) == 0 {
		return 0
	}
	return s.path[len(s.path)-1]
}

// message adds a message, or a newer version of one.
func (s *skeleton) message(o gjson.Result, at address) {
	id := idOf(jsonl.Text(o.Get("id")))
	if n, repeated := s.aliases[id]; repeated {
		s.put(n)
		return
	}
	timeMs := jsonl.Millis(o.Get("timestamp"))
	if timeMs == 0 {
		timeMs = jsonl.Millis(o.Get("ts")) * 1000 // of a version that counted seconds
	}
	if timeMs == 0 {
		timeMs = s.lastMs
	}
	s.lastMs = timeMs
	s.facts.take(o, timeMs)
	if id == "" {
		id = core.DerivedID(timeMs, s.nodes[s.tip()].id, o.Raw)
	}
	n, known := s.byID[id]
	if !known {
		n = int32(len(s.nodes)) //nolint:gosec // bounded by the elements of a file
		s.nodes = append(s.nodes, node{id: id, parent: s.tip(), timeMs: timeMs})
		s.byID[id] = n
	}
	s.nodes[n].at = at
	s.nodes[n].results = hasResults(o)
	s.nodes[n].saying = s.sayingOf(o)
	s.takeSpawns(n, o)
	s.put(n)
}

// put appends a message to the path, unless it is on it.
func (s *skeleton) put(n int32) {
	if s.nodes[n].place == 0 {
		s.path = append(s.path, n)
		s.nodes[n].place = int32(len(s.path)) //nolint:gosec // bounded by the elements of a file
	}
}

// cut takes all but the first messages off the path.
func (s *skeleton) cut(length int32) {
	for _, n := range s.path[length:] {
		s.nodes[n].place = 0
	}
	s.path = s.path[:length]
}

// idOf returns an id for the file's name of a message: no message is named like the results of another one.
func idOf(called string) string {
	if strings.HasSuffix(called, resultsMark) || strings.HasSuffix(called, messageMark) {
		return called + messageMark
	}
	return strings.Clone(called)
}

// The suffixes of the ids of a message's tool results, and of ids that end so by themselves.
const (
	resultsMark = "/results"
	messageMark = "/message"
)

// set applies new values to the session. Messages in it are a checkpoint: they are the conversation from now on.
func (s *skeleton) set(o gjson.Result, at address) {
	s.facts.set(o)
	messages := o.Get("messages")
	if !messages.IsArray() {
		return
	}
	s.checkpoint(messages, at)
}

// rewind goes back to before a message. Later messages stay as a branch. A missing message means all.
func (s *skeleton) rewind(id string) {
	n, known := s.byID[idOf(id)]
	if !known {
		n, known = s.aliases[idOf(id)]
	}
	if !known {
		s.cut(0)
		return
	}
	s.cut(max(0, s.nodes[n].place-1))
}

// scanObject is the first pass over an old file, which is one object.
func (s *skeleton) scanObject(ctx context.Context) error {
	outliner, doc, err := transcript.Open(ctx, s.file, s.file.Data, s.file.SizeBytes, "messages", "history")
	if err != nil {
		return err
	}
	s.outliner = outliner
	s.facts.head(doc.Head)
	list := doc.Lists["messages"]
	if list == nil {
		list = doc.Lists["history"]
	}
	for i, e := range list {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, err := outliner.Read(s.file.Data, e)
		if err != nil {
			s.file.Problem(e.Line, err.Error())
			continue
		}
		at := address{Position: twopass.Position{Offset: e.Offset, Part: -1}, element: e, index: -1}
		if v.IsObject() && classOf(v) != unknown {
			s.message(v, at)
		} else {
			s.keep(v, at)
		}
	}
	return nil
}

// opened is a record that was read again.
type opened struct {
	at       twopass.Position
	object   gjson.Result
	messages []gjson.Result // of a checkpoint
}

// read reads a record again.
func (s *skeleton) read(at address) (gjson.Result, error) {
	if s.outliner != nil {
		return s.outliner.Read(s.file.Data, at.element)
	}
	if s.again == nil || s.again.at != at.Position {
		o, err := s.open(at.Position)
		if err != nil {
			return gjson.Result{}, err
		}
		s.again = o
	}
	if at.index < 0 {
		return s.again.object, nil
	}
	return s.again.messages[at.index], nil
}

// open parses a record again.
func (s *skeleton) open(at twopass.Position) (*opened, error) {
	object, err := s.reader.Again(s.file.Data, at, &s.buffer)
	if err != nil {
		return nil, err
	}
	o := &opened{at: at, object: object}
	jsonl.Each(o.object.Get("$set.messages"), func(_ string, m gjson.Result) bool {
		o.messages = append(o.messages, m)
		return true
	})
	return o, nil
}
