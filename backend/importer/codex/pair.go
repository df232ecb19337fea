package codex

// pair drops what is said twice: Codex writes each message once for the model and once for the screen, in either
// order. Within a segment, equal words are paired first, then what is left of both kinds in order; a tool's outcome for the
// screen joins the result with its call's id. What stays alone counts for itself, once the segment has ended.
func (s *skeleton) pair() {
	results := map[uint64]int32{}
	called := map[uint64]bool{}
	for i := range s.entries {
		switch e := &s.entries[i]; e.class {
		case call:
			called[e.key] = true
		case result:
			if _, twice := results[e.key]; !twice {
				results[e.key] = int32(i) //nolint:gosec // bounded by the lines of a file
			}
		default: // pairs with its like in the segment
		}
	}
	for from := 1; from < len(s.entries); {
		to := from
		for to < len(s.entries) && s.entries[to].turn == s.entries[from].turn {
			to++
		}
		seg := segment{skeleton: s, from: int32(from), to: int32(to), results: results, called: called} //nolint:gosec // bounded by the lines of a file
		seg.pair(to < len(s.entries) || s.turn.closed || !s.hasItems())
		from = to
	}
}

// hasItems says whether anything is written for the model; some versions wrote for the screen only.
func (s *skeleton) hasItems() bool {
	for i := range s.entries {
		if c := s.entries[i].class; c != other && !c.isShown() {
			return true
		}
	}
	return false
}

// segment is a prompt and what follows it, a run of entries.
type segment struct {
	*skeleton
	from, to int32
	results  map[uint64]int32
	called   map[uint64]bool
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
		if e := &s.entries[i]; e.class == item || item == prompt && e.class == command {
			open[e.key] = append(open[e.key], i)
			items = append(items, i)
		}
	}
	paired := map[int32]bool{}
	for i := s.from; i < s.to; i++ {
		e := &s.entries[i]
		if e.class != shown {
			continue
		}
		if same := open[e.key]; len(same) > 0 {
			paired[same[0]] = true
			open[e.key] = same[1:]
			e.dropped = true
			continue
		}
		left = append(left, i)
	}
	for _, i := range items {
		if len(left) > 0 && !paired[i] {
			s.entries[left[0]].dropped = true
			left = left[1:]
		}
	}
	for _, i := range left {
		s.entries[i].dropped = !ended || s.entries[i].key == 0
	}
}

// pairThoughts drops the thoughts that an item holds too.
func (s *segment) pairThoughts(ended bool) {
	said := map[uint64]bool{}
	for i := s.from; i < s.to; i++ {
		if e := &s.entries[i]; e.class == reasoning {
			said[e.key] = true
			for _, piece := range s.pieces[i] {
				said[piece] = true
			}
		}
	}
	for i := s.from; i < s.to; i++ {
		if e := &s.entries[i]; e.class == shownReasoning {
			e.dropped = said[e.key] || e.key == 0 || !ended
			said[e.key] = true
		}
	}
}

// pairTools lets outcomes join their results.
func (s *segment) pairTools(ended bool) {
	var searches int
	for i := s.from; i < s.to; i++ {
		if e := &s.entries[i]; e.class == call && s.names.text(s.callName[e.key]) == webSearch {
			searches++
		}
	}
	for i := s.from; i < s.to; i++ {
		e := &s.entries[i]
		if e.class != shownTool {
			continue
		}
		at, answered := s.results[e.key]
		switch {
		case e.key != 0 && answered:
			if s.entries[at].twin == 0 {
				s.entries[at].twin = i
			}
			e.dropped = true
		case e.key != 0 && s.called[e.key]:
			e.dropped = true // it has no result yet, or the provider ran it
			if s.names.text(e.arg) == webSearch {
				searches--
			}
		case searches > 0 && s.names.text(e.arg) == webSearch:
			searches--
			e.dropped = true // the item of a search often has no id, or another one
		default:
			e.dropped = !ended
		}
	}
}
