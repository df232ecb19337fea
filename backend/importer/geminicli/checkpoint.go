package geminicli

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// checkpoint sets the messages of the conversation from now on. Messages that are no longer on the path stay as a
// branch.
//
// A checkpoint with a summary that was not seen before comes from /compress. It leaves no branch: the summary follows the
// conversation that it replaces in the context, and the turns that the checkpoint retains under new ids are not repeated.
func (s *skeleton) checkpoint(messages gjson.Result, at address) {
	var all []gjson.Result
	jsonl.Each(messages, func(_ string, m gjson.Result) bool {
		all = append(all, m)
		return true
	})
	before := slices.Clone(s.path)
	s.cut(0)
	for i, m := range all {
		at.index = int32(i) //nolint:gosec // bounded by the elements of a line
		if s.compresses(m) {
			s.resume(before)
			s.alias(all[i+1:], before)
		}
		if m.IsObject() && classOf(m) != unknown {
			s.message(m, at)
		} else {
			s.keep(m, at)
		}
	}
	s.inOrder()
}

// compresses reports whether a message is a summary that was not seen before.
func (s *skeleton) compresses(m gjson.Result) bool {
	if !m.IsObject() || classOf(m) != compaction {
		return false
	}
	_, known := s.byID[idOf(jsonl.Text(m.Get("id")))]
	return !known
}

// resume restores a path.
func (s *skeleton) resume(path []int32) {
	s.cut(0)
	s.path = slices.Clone(path)
	s.number()
}

// inOrder sorts the path by age, parents before their children: Gemini CLI lists a summary before the turns that it retains.
func (s *skeleton) inOrder() {
	if slices.IsSorted(s.path) {
		return
	}
	slices.Sort(s.path)
	s.number()
}

func (s *skeleton) number() {
	for i, n := range s.path {
		s.nodes[n].place = int32(i + 1) //nolint:gosec // bounded by the elements of a file
	}
}

// alias finds the messages that a checkpoint repeats under new ids: they are the end of the previous path, so both are
// compared from their ends.
func (s *skeleton) alias(retained []gjson.Result, path []int32) {
	end := len(path)
	for _, m := range slices.Backward(retained) {
		id := idOf(jsonl.Text(m.Get("id")))
		if _, known := s.byID[id]; known || id == "" || !m.IsObject() || classOf(m) == synthetic {
			continue
		}
		isAnswers, key := classOf(m) == answers, s.sayingOf(m)
		for k := end - 1; k >= 0; k-- {
			n := &s.nodes[path[k]]
			if isAnswers && n.results {
				s.aliases[id], end = path[k], k+1 // its calls are repeated before it
				break
			}
			if key != 0 && key == n.saying {
				s.aliases[id], end = path[k], k
				break
			}
		}
	}
}

// repeated returns the ids that checkpoints gave to existing messages, and those of their tools' results.
func (s *skeleton) repeated() []string {
	if s.file.FromBytes > 0 {
		return nil // this version has read the beginning
	}
	var all []string
	for _, id := range slices.Sorted(maps.Keys(s.aliases)) {
		all = append(all, id, id+resultsMark)
	}
	return all
}

// sayingOf returns a hash of a message's content, in Gemini CLI's form or the API's; 0 if it is empty.
func (s *skeleton) sayingOf(m gjson.Result) uint64 {
	said := []string{strings.TrimSpace(words(content(m)))}
	add := func(call gjson.Result) bool {
		said = append(said, jsonl.Text(call.Get("name")))
		return true
	}
	jsonl.Each(m.Get("toolCalls"), func(_ string, c gjson.Result) bool { return add(c) })
	jsonl.Each(content(m), func(_ string, p gjson.Result) bool {
		return !p.Get("functionCall").IsObject() || add(p.Get("functionCall"))
	})
	if len(said) == 1 && said[0] == "" {
		return 0
	}
	return maphash.String(s.seed, kindOf(m)+"\x00"+strings.Join(said, "\x00"))
}
