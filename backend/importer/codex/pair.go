package codex

import (
	"cmp"
	"slices"
	"sort"
)

// pair drops duplicates: Codex writes each message once for the model and once for the screen, in either order. Within a
// segment, equal texts are paired first, then the rest of both kinds in order; a tool's outcome for the screen joins the
// result with its call's id. A record without a counterpart counts by itself, once the segment has ended.
func (s *skeleton) pair() {
	calls, results := s.byKey(call), s.byKey(result)
	for _, i := range results {
		e := s.entries.At(i)
		e.tool = s.toolOf(calls, i)
	}
	pieces := s.pieces
	for n, from := range s.segments {
		to, ended := s.entries.Len(), s.turn.begun || s.turn.closed || !s.hasItems
		if n+1 < len(s.segments) {
			to, ended = s.segments[n+1], true
		}
		own := sort.Search(len(pieces), func(i int) bool { return pieces[i].of >= to })
		seg := segment{skeleton: s, from: from, to: to, pieces: pieces[:own], calls: calls, results: results}
		seg.pair(ended)
		pieces = pieces[own:]
	}
}

// byKey returns the entries of a class in the order of their keys, and those of the same in the order of the lines.
func (s *skeleton) byKey(c class) []int32 {
	var all []int32
	for i := range s.entries.Len() {
		if s.entries.At(i).class == c {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.entries.At(a).key, s.entries.At(b).key), cmp.Compare(a, b))
	})
	return all
}

// firstOf returns the first of some entries by key that has the key.
func (s *skeleton) firstOf(byKey []int32, key uint64) (i int32, found bool) {
	at, found := slices.BinarySearchFunc(byKey, key, func(i int32, key uint64) int { return cmp.Compare(s.entries.At(i).key, key) })
	if !found {
		return 0, false
	}
	return byKey[at], true
}

// toolOf returns the tool of the call that a result answers, in names: the nearest one of its id above it, because some
// models reuse ids. 0 if there is no such call.
func (s *skeleton) toolOf(calls []int32, result int32) int32 {
	key := s.entries.At(result).key
	behind := sort.Search(len(calls), func(at int) bool {
		k := s.entries.At(calls[at]).key
		return k > key || k == key && calls[at] > result
	})
	if behind == 0 || s.entries.At(calls[behind-1]).key != key {
		return 0
	}
	return s.entries.At(calls[behind-1]).tool
}

// segment is a prompt and what follows it, a run of entries.
type segment struct {
	*skeleton
	from, to       int32
	pieces         []piece // of its reasoning
	calls, results []int32 // of the whole file, by key
}

func (s *segment) pair(ended bool) {
	s.pairWords(prompt, shownPrompt, ended)
	s.pairWords(reply, shownReply, ended)
	s.pairThoughts(ended)
	s.pairTools(ended)
}

// pairWords pairs messages.
func (s *segment) pairWords(item, shown class, ended bool) {
	open := map[uint64][]int32{}
	var items, left []int32
	for i := s.from; i < s.to; i++ {
		if e := s.entries.At(i); e.class == item || item == prompt && (e.class == command || e.class == insertedLate) {
			open[e.key] = append(open[e.key], i)
			items = append(items, i)
		}
	}
	paired := map[int32]bool{}
	for i := s.from; i < s.to; i++ {
		e := s.entries.At(i)
		if e.class != shown {
			continue
		}
		key := e.words()
		if same := open[key]; len(same) > 0 {
			paired[same[0]] = true
			open[key] = same[1:]
			e.dropped = true
			continue
		}
		left = append(left, i)
	}
	for _, i := range items {
		if len(left) > 0 && !paired[i] && s.entries.At(i).class != insertedLate {
			s.entries.At(left[0]).dropped = true
			left = left[1:]
		}
	}
	for _, i := range left {
		s.entries.At(i).dropped = !ended || s.entries.At(i).key == 0
	}
}

// pairThoughts drops the thoughts that an item also holds.
func (s *segment) pairThoughts(ended bool) {
	said := map[uint64]bool{}
	for i := s.from; i < s.to; i++ {
		if e := s.entries.At(i); e.class == reasoning {
			said[e.key] = true
		}
	}
	for _, p := range s.pieces {
		said[p.key] = true
	}
	for i := s.from; i < s.to; i++ {
		if e := s.entries.At(i); e.class == shownReasoning {
			e.dropped = said[e.key] || e.key == 0 || !ended
			said[e.key] = true
		}
	}
}

// pairTools joins outcomes with their results.
func (s *segment) pairTools(ended bool) {
	var searches int
	for i := s.from; i < s.to; i++ {
		if e := s.entries.At(i); e.class == call && s.names.text(e.tool) == webSearch {
			searches++
		}
	}
	for i := s.from; i < s.to; i++ {
		e := s.entries.At(i)
		if e.class != shownTool {
			continue
		}
		at, answered := s.firstOf(s.results, e.key)
		_, called := s.firstOf(s.calls, e.key)
		switch {
		case e.key != 0 && answered:
			if answer := s.entries.At(at); answer.twin == 0 {
				answer.twin = i
			}
			e.dropped = true
		case e.key != 0 && called:
			e.dropped = true // it has no result yet, or the provider ran it
			if s.names.text(e.tool) == webSearch {
				searches--
			}
		case searches > 0 && s.names.text(e.tool) == webSearch:
			searches--
			e.dropped = true // the item of a search often has no id, or another one
		default:
			e.dropped = !ended
		}
	}
}
