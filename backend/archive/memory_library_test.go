package archive_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// memoryLibrary is a minimal library in memory: it holds what each Incoming contained.
type memoryLibrary struct {
	ids   []string
	books map[string]*book
	blobs map[string]core.Blob
}

type book struct {
	session   core.Session
	planner   core.Planner
	born      []int64
	messages  []core.Message
	labels    []core.Label
	bookmarks []core.Bookmark
	hidden    []core.HiddenTop
	aliases   []core.Alias
	records   []core.Record
	runItems  []core.RunItem
}

func newMemoryLibrary() *memoryLibrary {
	return &memoryLibrary{books: map[string]*book{}, blobs: map[string]core.Blob{}}
}

// merge adds a session, or its new messages to the existing one.
func (s *memoryLibrary) merge(in core.Incoming) error {
	id := in.Session.ID
	b := s.books[id]
	fresh := b == nil
	if fresh {
		b = &book{session: in.Session}
	}
	for m, err := range in.Messages {
		if err != nil {
			return err
		}
		if _, ok := b.planner.Placement(m.UID); ok {
			continue
		}
		if err := b.append(m.Message); err != nil {
			return err
		}
	}
	if in.RunItems != nil {
		for i, err := range in.RunItems {
			if err != nil {
				return err
			}
			if fresh {
				b.runItems = append(b.runItems, i)
			}
		}
		slices.SortStableFunc(b.runItems, compareRunItems) // of lines, they come in any order
	}
	if in.Blobs != nil {
		for blob, err := range in.Blobs {
			if err != nil {
				return err
			}
			s.blobs[blob.Hash] = blob
		}
	}
	if fresh {
		b.labels, b.aliases, b.records = in.Labels, in.Aliases, slices.Collect(in.Records)
		b.bookmarks, b.hidden = in.Bookmarks, in.Hidden
		s.ids = append(s.ids, id)
		s.books[id] = b
	}
	b.session.HeadUID = in.Head()
	return nil
}

func (b *book) append(m core.Message) error {
	place, err := b.planner.Add(core.Node{UID: m.UID, ParentUID: m.ParentUID, IsPrompt: m.IsPrompt()})
	if err != nil {
		return err
	}
	m.Seq, m.Turn, m.Branch, m.Depth = place.Seq, place.Turn, place.Branch, place.Depth
	if place.Branch == int64(len(b.born)) {
		b.born = append(b.born, m.CreatedAtMs)
	}
	b.messages = append(b.messages, m)
	return nil
}

func (s *memoryLibrary) Session(_ context.Context, id string) (core.Session, error) {
	b, ok := s.books[id]
	if !ok {
		return core.Session{}, core.E(core.NotFound, "no session %q", id)
	}
	tally := b.planner.Skeleton.Tally()
	b.session.MessageCount, b.session.BranchCount, b.session.TurnCount = tally.Messages, tally.Branches, tally.Turns
	return b.session, nil
}

func (s *memoryLibrary) Tree(_ context.Context, id string) (core.Tree, error) {
	b := s.books[id]
	branches := slices.Clone(b.planner.Skeleton.Branches)
	for i := range branches {
		branches[i].CreatedAtMs = b.born[i]
	}
	return core.Tree{Session: b.session, Branches: branches}, nil
}

func (s *memoryLibrary) Messages(_ context.Context, id string) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		for _, m := range s.books[id].messages {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func (s *memoryLibrary) PathMessages(ctx context.Context, id, leaf string) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		b := s.books[id]
		if leaf == "" {
			leaf = b.session.HeadUID
		}
		end, ok := b.planner.Placement(leaf)
		if !ok {
			return
		}
		path := b.planner.Skeleton.Path(end.Position())
		for m, err := range s.Messages(ctx, id) {
			if path.Holds(core.Position{Branch: m.Branch, Depth: m.Depth}) && !yield(m, err) {
				return
			}
		}
	}
}

func (s *memoryLibrary) Hydrate(context.Context, *core.Message) error { return nil }

func (s *memoryLibrary) Bookmarks(_ context.Context, id string) ([]core.Bookmark, error) {
	return s.books[id].bookmarks, nil
}

func (s *memoryLibrary) Hidden(_ context.Context, id string) ([]core.HiddenTop, error) {
	return s.books[id].hidden, nil
}

func (s *memoryLibrary) Labels(_ context.Context, id string) ([]core.Label, error) {
	return s.books[id].labels, nil
}

func (s *memoryLibrary) Aliases(_ context.Context, id string) ([]core.Alias, error) {
	return s.books[id].aliases, nil
}

func (s *memoryLibrary) Records(_ context.Context, id string) iter.Seq2[core.Record, error] {
	return func(yield func(core.Record, error) bool) {
		for _, r := range s.books[id].records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (s *memoryLibrary) RunItems(_ context.Context, id string) iter.Seq2[core.RunItem, error] {
	return func(yield func(core.RunItem, error) bool) {
		for _, i := range s.books[id].runItems {
			if !yield(i, nil) {
				return
			}
		}
	}
}

// compareRunItems orders items by their kind, states by their hash.
func compareRunItems(a, b core.RunItem) int {
	kind := func(i core.RunItem) int {
		return slices.Index([]bool{
			i.State != nil, i.Run != nil, i.Request != nil, i.Approval != nil, i.Exec != nil, i.Change != nil, i.Draft != nil, i.Wake != nil, i.Copied != nil,
			i.Restore != nil, i.Queued != nil, i.Checkpoint != nil,
		}, true)
	}
	if a.State != nil && b.State != nil {
		return strings.Compare(a.State.Hash, b.State.Hash)
	}
	return kind(a) - kind(b)
}

func (s *memoryLibrary) Blob(_ context.Context, hash string) (core.Blob, error) {
	b, ok := s.blobs[hash]
	if !ok {
		return core.Blob{}, core.E(core.NotFound, "no blob %q", hash)
	}
	return b, nil
}

// read imports a file into the library and returns the problems as "line: message".
func (s *memoryLibrary) read(t testing.TB, data []byte) []string {
	t.Helper()
	problems := []string{}
	file := core.SourceFile{
		Path: "test.json", SizeBytes: int64(len(data)), Data: bytes.NewReader(data),
		Problem: func(line int64, message string) { problems = append(problems, fmt.Sprintf("%d: %s", line, message)) },
	}
	for in, err := range archive.Read(context.Background(), file) {
		if err == nil {
			err = s.merge(in)
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", core.CodeOf(err), err))
		}
	}
	return problems
}

// write exports sessions as JSON, lines as WriteLines does.
func write(t testing.TB, from archive.Library, ids []string, asLines bool, opts archive.Options) []byte {
	t.Helper()
	if opts.Generator == "" {
		opts.Generator, opts.NowMs = "Coppice test", 1_790_000_000_000
	}
	var out bytes.Buffer
	export := archive.Write
	if asLines {
		export = archive.WriteLines
	}
	if err := export(context.Background(), &out, from, ids, opts); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func mentions(problems []string, want string) bool {
	return slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, want) })
}
