package importertest

import (
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/importer"
)

// Stored holds the messages of one session as a library does.
type Stored struct {
	Messages []core.Message
	Head     string
	Added    []int // by file that was put in
	Changed  []int // messages whose content or parent differs from before
	Problems []core.Problem
}

// Put reads the contents of a file of one session.
func (s *Stored) Put(t Tester, f importer.Format, path string, data []byte) *Stored {
	t.Helper()
	all, problems := ReadAfter(t, f, path, data, s.Messages)
	s.Problems = append(s.Problems, problems...)
	added, changed := 0, 0
	for _, in := range all {
		for _, m := range in.Messages {
			if i := s.index(m.UID); i < 0 {
				s.Messages = append(s.Messages, m.Message)
				added++
			} else if !same(s.Messages[i], m.Message) {
				s.Messages[i] = m.Message
				changed++
			}
		}
		s.Head = in.Head
	}
	s.Added, s.Changed = append(s.Added, added), append(s.Changed, changed)
	return s
}

func (s *Stored) index(uid string) int {
	for i := range s.Messages {
		if s.Messages[i].UID == uid {
			return i
		}
	}
	return -1
}

func same(a, b core.Message) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// Totals adds up the tokens and the cost of all messages.
func (s *Stored) Totals() (input, output, costNanoUSD int64) {
	for _, m := range s.Messages {
		if m.Usage != nil {
			input += m.Usage.InputTokens
			output += m.Usage.OutputTokens
		}
		if m.CostNanoUSD != nil {
			costNanoUSD += *m.CostNanoUSD
		}
	}
	return input, output, costNanoUSD
}
