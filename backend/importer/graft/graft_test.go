package graft

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// list is a file whose messages have the given words; a word in capitals sums up.
func list(cut bool, words ...string) List {
	return List{
		Len: len(words), Cut: cut, Sums: func(i int) bool { return words[i] == strings.ToUpper(words[i]) },
		UID: func(parent string, i int) string { return UID("s", parent, words[i]) },
	}
}

// library stores a file as a library does.
type library struct {
	messages []core.Message
	words    map[string]string
}

func (l *library) put(t interface{ Fatal(...any) }, cut bool, words ...string) []Position {
	past, err := Recall(context.Background(), core.SourceFile{Stored: func(context.Context, core.Source, string) iter.Seq2[core.Message, error] {
		return func(yield func(core.Message, error) bool) {
			for _, m := range l.messages {
				if !yield(m, nil) {
					return
				}
			}
		}
	}}, "x", "s")
	if err != nil {
		t.Fatal(err)
	}
	positions := past.Arrange(list(cut, words...))
	for _, p := range positions {
		if l.words == nil {
			l.words = map[string]string{}
		}
		if _, known := l.words[p.UID]; !known {
			l.messages = append(l.messages, core.Message{UID: p.UID, ParentUID: p.Parent})
		}
		l.words[p.UID] = words[p.Index]
	}
	return positions
}

// paths writes the way from a root to each leaf.
func (l *library) paths() string {
	parents, inner := map[string]string{}, map[string]bool{}
	for _, m := range l.messages {
		parents[m.UID] = m.ParentUID
		inner[m.ParentUID] = true
	}
	var all []string
	for _, m := range l.messages {
		if inner[m.UID] {
			continue
		}
		path := ""
		for uid := m.UID; uid != ""; uid = parents[uid] {
			path = l.words[uid] + path
		}
		all = append(all, path)
	}
	return strings.Join(all, " ")
}

func TestArrange(t *testing.T) {
	type file struct {
		cut   bool
		words string
	}
	for name, test := range map[string]struct {
		files []file
		want  string
	}{
		"grows":                            {[]file{{false, "ab"}, {false, "abc"}}, "abc"},
		"went another way":                 {[]file{{false, "abc"}, {false, "abd"}}, "abc abd"},
		"slides":                           {[]file{{false, "abcd"}, {true, "cde"}, {true, "efg"}}, "abcdefg"},
		"slides over the same words":       {[]file{{false, "ababa"}, {true, "bax"}}, "ababax"},
		"a gap":                            {[]file{{false, "ab"}, {true, "xy"}, {true, "xyz"}}, "abxyz"},
		"cut from the first":               {[]file{{true, "cd"}, {true, "de"}}, "cde"},
		"a sum":                            {[]file{{false, "abcd"}, {false, "aSde"}}, "abcdSe"},
		"a sum, and nothing new":           {[]file{{false, "abcd"}, {false, "aSd"}, {false, "aSde"}}, "abcdSe"},
		"a sum at the start":               {[]file{{false, "abcd"}, {false, "Scde"}, {false, "Scdef"}, {false, "Tefg"}}, "abcdSefTg"},
		"a sum of everything":              {[]file{{false, "abcd"}, {false, "S"}, {false, "Sx"}}, "abcdSx"},
		"a sum first seen":                 {[]file{{false, "Scd"}, {false, "Scde"}, {false, "Tde"}}, "ScdeT"},
		"begins anew":                      {[]file{{false, "ab"}, {false, "xy"}}, "ab xy"},
		"known words behind another start": {[]file{{false, "abc"}, {false, "xbc"}}, "abc xbc"},
	} {
		t.Run(name, func(t *testing.T) {
			var l library
			for _, f := range test.files {
				l.put(t, f.cut, strings.Split(f.words, "")...)
			}
			if got := l.paths(); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			before := len(l.messages)
			last := test.files[len(test.files)-1]
			if l.put(t, last.cut, strings.Split(last.words, "")...); len(l.messages) != before {
				t.Errorf("the same again gives %s", l.paths())
			}
		})
	}
}

// TestWindows imports any overlapping windows of a conversation: the result is the conversation.
func TestWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for i := range rapid.IntRange(1, 60).Draw(t, "length") {
			words = append(words, fmt.Sprint("w", i))
		}
		var l library
		end := rapid.IntRange(1, len(words)).Draw(t, "end")
		l.put(t, false, words[:end]...)
		for end < len(words) {
			from := rapid.IntRange(0, end-1).Draw(t, "from")
			end = rapid.IntRange(end, len(words)).Draw(t, "end")
			l.put(t, from > 0, words[from:end]...)
		}
		if got := l.paths(); got != strings.Join(words, "") {
			t.Fatal(got)
		}
	})
}

func TestDropped(t *testing.T) {
	cost := int64(7)
	past := Past{at: map[string]held{
		"a": {}, "b": {parent: "a", usage: core.Usage{InputTokens: 10, OutputTokens: 1}}, "c": {parent: "b", cost: cost}, "x": {parent: "a", cost: 100},
	}}
	usage, paid := past.Dropped([]Position{{UID: "c", Parent: "b"}, {UID: "d", Parent: "c"}})
	if usage.InputTokens != 10 || usage.OutputTokens != 1 || paid != 0 {
		t.Errorf("%+v %d", usage, paid)
	}
	if _, paid := past.Dropped([]Position{{UID: "n", Parent: "c"}}); paid != cost {
		t.Errorf("%d", paid)
	}
	if _, paid := past.Dropped([]Position{{UID: "a"}, {UID: "n", Parent: "a"}}); paid != 0 {
		t.Errorf("%d", paid)
	}
}

func TestRecallFails(t *testing.T) {
	failing := errors.New("the disk fails")
	_, err := Recall(t.Context(), core.SourceFile{Stored: func(context.Context, core.Source, string) iter.Seq2[core.Message, error] {
		return func(yield func(core.Message, error) bool) { yield(core.Message{}, failing) }
	}}, "x", "s")
	if !errors.Is(err, failing) {
		t.Error(err)
	}
}
