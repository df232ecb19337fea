package jsondoc

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// maxElements is how many elements the long lists of a document may have together: each takes 50 bytes before it is read.
const maxElements = jsontext.MaxValues

// maxMembers is how many members an object may have besides its long lists.
const maxMembers = jsontext.MaxValues / 8

// Element is the range of the text that holds an element of a list, or a member of an object.
type Element struct {
	Key    string // of a member; empty in a list
	Offset int64
	Length int64
	Line   int64 // that it begins on, from 1
	sum    uint64
}

// Outline is an object without the elements of its long lists.
type Outline struct {
	Head    gjson.Result         // valid JSON; long lists are empty in it, and members that are damaged or too large are missing
	Lists   map[string][]Element // by path; missing lists have no entry
	Keys    []string             // of the object's own members, in order
	Damage  *Damage              // where the text stops being JSON; nil: it does not
	Skipped []Damage             // members that are not valid
}

// Outliner reads outlines.
type Outliner struct {
	lists []string
	seed  maphash.Seed
}

// NewOutliner returns one for objects with long lists (or objects with many members) at the given
// paths, such as "thread.messages".
func NewOutliner(lists ...string) *Outliner {
	return &Outliner{lists: lists, seed: maphash.MakeSeed()}
}

// Outline reads the object at the scanner's position. An error is a failure of the reader, or of ctx; damage is
// recorded in the outline.
func (o *Outliner) Outline(ctx context.Context, s *Scanner) (*Outline, error) {
	out := &Outline{Lists: map[string][]Element{}}
	head, err := o.object(ctx, s, "", out)
	out.Head = gjson.ParseBytes(head)
	if damage, ok := errors.AsType[*Damage](err); ok {
		out.Damage, err = damage, nil
	}
	return out, err
}

// object reads an object and returns it without its lists. It recurses as deep as the paths of the lists are.
func (o *Outliner) object(ctx context.Context, s *Scanner, path string, out *Outline) ([]byte, error) {
	head, members := []byte{'{'}, 0
	put := func(key string, value []byte) {
		if len(head) > 1 {
			head = append(head, ',')
		}
		head = append(append(append(head, quoteKey(key)...), ':'), value...)
	}
	closed := func() []byte { return append(head, '}') }
	if err := s.Enter(); err != nil {
		return closed(), err
	}
	for {
		key, more, err := s.Next()
		if err != nil || !more {
			return closed(), err
		}
		if members++; members > maxMembers {
			return closed(), &Damage{OffsetBytes: s.offset, Line: s.line, Message: "an object of more than 131,072 members"}
		}
		if path == "" {
			out.Keys = append(out.Keys, key)
		}
		next, err := s.Peek()
		if err != nil {
			return closed(), err
		}
		full := strings.TrimPrefix(path+"."+key, ".")
		switch {
		case slices.Contains(o.lists, full) && (next == '[' || next == '{'):
			put(key, []byte{next, next + 2})
			if err := o.list(ctx, s, full, out); err != nil {
				return closed(), err
			}
		case next == '{' && o.within(full):
			inner, err := o.object(ctx, s, full, out)
			put(key, inner)
			if err != nil {
				return closed(), err
			}
		default:
			at, line := s.OffsetBytes(), s.Line()
			raw, fits, err := s.Take(max(0, core.MaxValueBytes-len(head)))
			if err != nil {
				return closed(), err
			}
			if value, damage := check(raw, fits); damage != "" {
				out.Skipped = append(out.Skipped, Damage{OffsetBytes: at, Message: damage, Line: line})
			} else {
				put(key, value)
			}
		}
	}
}

// within reports whether a list lies below a path.
func (o *Outliner) within(path string) bool {
	return slices.ContainsFunc(o.lists, func(list string) bool { return strings.HasPrefix(list, path+".") })
}

func (o *Outliner) list(ctx context.Context, s *Scanner, path string, out *Outline) error {
	if err := s.Enter(); err != nil {
		return err
	}
	out.Lists[path] = []Element{}
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key, more, err := s.Next()
		if err != nil || !more {
			return err
		}
		if n == maxElements {
			return &Damage{OffsetBytes: s.offset, Line: s.line, Message: "a list of more than 1,048,576 elements"}
		}
		e := Element{Key: key}
		if _, err := s.Peek(); err != nil {
			return err
		}
		var h maphash.Hash
		h.SetSeed(o.seed)
		s.sum, e.Line = &h, s.line
		e.Offset, e.Length, err = s.Skip()
		s.sum = nil
		if err != nil {
			return err
		}
		e.sum = h.Sum64()
		out.Lists[path] = append(out.Lists[path], e)
	}
}

// Read reads an element. A *Damage concerns this element only; an element that has changed is Invalid: the file was
// rewritten.
func (o *Outliner) Read(data io.ReaderAt, e Element) (gjson.Result, error) {
	if e.Length > core.MaxValueBytes {
		return gjson.Result{}, &Damage{OffsetBytes: e.Offset, Line: e.Line, Message: "a value of more than " + humanize.IBytes(core.MaxValueBytes) + ", skipped"}
	}
	raw := make([]byte, e.Length)
	if n, err := data.ReadAt(raw, e.Offset); n < len(raw) && err != nil && !errors.Is(err, io.EOF) {
		return gjson.Result{}, err
	}
	if maphash.Bytes(o.seed, raw) != e.sum {
		return gjson.Result{}, core.E(core.Invalid, "the file changed while it was read").WithHint("import it again")
	}
	value, damage := check(raw, true)
	if damage != "" {
		return gjson.Result{}, &Damage{OffsetBytes: e.Offset, Line: e.Line, Message: damage + ", skipped"}
	}
	return gjson.ParseBytes(value), nil
}

// check returns a value that can be parsed, or what is wrong with it. Invalid UTF-8 is replaced.
func check(raw []byte, fits bool) (value []byte, damage string) {
	if !fits {
		return nil, "a value of more than " + humanize.IBytes(core.MaxValueBytes)
	}
	if !utf8.Valid(raw) {
		raw = []byte(strings.ToValidUTF8(string(raw), "\uFFFD"))
	}
	switch damage = jsontext.Check(raw); damage {
	case "":
		return raw, ""
	case jsontext.Invalid:
		return nil, damage
	default:
		return nil, "a value that " + damage
	}
}

// Value parses a raw value, or returns what is wrong with it.
func Value(raw []byte) (gjson.Result, string) {
	value, damage := check(raw, true)
	return gjson.ParseBytes(value), damage
}
