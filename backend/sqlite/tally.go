package sqlite

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"coppice/backend/core"
)

// quarterMs is a quarter of an hour. The offset of every time zone is a multiple of it, so a day of any zone is made of whole ones.
const quarterMs = 15 * 60 * 1000

// counts are what a tally adds up; subtracting what was added gives nothing again.
type counts [11]int64

const (
	countMessages = iota
	countSteps
	countUnmetered
	countUnpriced
	countPriced // messages whose cost is known
	countInput
	countOutput
	countCacheRead
	countCacheWrite
	countReasoning
	countCost
)

func (c *counts) add(other *counts, sign int64) {
	for i := range c {
		c[i] += sign * other[i]
	}
}

// addBounded adds counts of which some may come from a damaged or absurd source: negative ones count as 0, and a sum ends at a limit.
func (c *counts) addBounded(other *counts) {
	const most = math.MaxInt64 / 2
	for i := range c {
		c[i] = min(c[i]+min(max(other[i], 0), most), most)
	}
}

// countsOf returns what one message counts.
func countsOf(m *core.Message) counts {
	c := counts{countMessages: 1}
	if m.IsCall() {
		c[countSteps] = 1
		if m.Usage == nil {
			c[countUnmetered] = 1
		}
		if m.CostNanoUSD == nil {
			c[countUnpriced] = 1
		}
	}
	if u := m.Usage; u != nil {
		c[countInput], c[countOutput] = u.InputTokens, u.OutputTokens
		c[countCacheRead], c[countCacheWrite], c[countReasoning] = u.CacheReadTokens, u.CacheWriteTokens, u.ReasoningTokens
	}
	if m.CostNanoUSD != nil {
		c[countPriced], c[countCost] = 1, *m.CostNanoUSD
	}
	return c
}

// occasion is when something was done, and with what. N is the type of names: strings, or their numbers in the file.
type occasion[N cmp.Ordered] struct {
	quarter int64 // since 1970; 0: nobody knows
	model   N
	tool    N // empty for what is not about one
}

// tally says what was done in a session.
type tally[N cmp.Ordered] struct {
	spent map[occasion[N]]counts
	tools map[occasion[N]]int64 // calls
}

func newTally[N cmp.Ordered]() tally[N] {
	return tally[N]{map[occasion[N]]counts{}, map[occasion[N]]int64{}}
}

func (t tally[N]) addSpent(at occasion[N], c *counts, sign int64) {
	sum := t.spent[at]
	sum.add(c, sign)
	if sum == (counts{}) {
		delete(t.spent, at)
		return
	}
	t.spent[at] = sum
}

func (t tally[N]) addCalls(at occasion[N], n int64) {
	if t.tools[at] += n; t.tools[at] == 0 {
		delete(t.tools, at)
	}
}

// tallyMessage counts a message, or takes it away with a sign of -1.
func tallyMessage(t tally[string], m *core.Message, sign int64) {
	at := occasion[string]{quarter: max(m.CreatedAtMs, 0) / quarterMs, model: m.Model}
	c := countsOf(m)
	t.addSpent(at, &c, sign)
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartToolCall && p.Name != "" {
			at.tool = p.Name
			t.addCalls(at, sign)
		}
	}
}

// translate gives the names of a tally their numbers, or the other way round.
func translate[N, M cmp.Ordered](from tally[N], name func(N) M) tally[M] {
	to := newTally[M]()
	for at, c := range from.spent {
		to.addSpent(occasion[M]{quarter: at.quarter, model: name(at.model)}, &c, 1)
	}
	for at, n := range from.tools {
		to.addCalls(occasion[M]{at.quarter, name(at.model), name(at.tool)}, n)
	}
	return to
}

func inOrder[N cmp.Ordered](a, b occasion[N]) int {
	return cmp.Or(cmp.Compare(a.quarter, b.quarter), cmp.Compare(a.model, b.model), cmp.Compare(a.tool, b.tool))
}

// encode writes a tally as it is stored: varints in order of time. First how many entries of tokens there are, each of which begins
// with the quarters since the one before it and goes on with the model and the counts; then those of tools, with model, tool and calls.
func encode(t tally[int64]) []byte {
	data := binary.AppendUvarint(nil, uint64(len(t.spent)))
	put := func(values ...int64) {
		for _, v := range values {
			data = binary.AppendUvarint(data, uint64(v)) //nolint:gosec // bits, not a number
		}
	}
	before := int64(0)
	for _, at := range slices.SortedFunc(maps.Keys(t.spent), inOrder) {
		c := t.spent[at]
		put(at.quarter-before, at.model)
		put(c[:]...)
		before = at.quarter
	}
	before = 0
	for _, at := range slices.SortedFunc(maps.Keys(t.tools), inOrder) {
		put(at.quarter-before, at.model, at.tool, t.tools[at])
		before = at.quarter
	}
	return data
}

// varints reads what encode wrote; after damage it is at its end and bad.
type varints struct {
	data []byte
	bad  bool
}

func (s *varints) next() int64 {
	if len(s.data) > 0 && s.data[0] < 0x80 { // most of them
		v := int64(s.data[0])
		s.data = s.data[1:]
		return v
	}
	v, n := binary.Uvarint(s.data)
	if n <= 0 {
		s.data, s.bad = nil, true
		return 0
	}
	s.data = s.data[n:]
	return int64(v) //nolint:gosec // bits, not a number
}

// each calls spent and then calls for what encode wrote, in order; false for what it did not write.
func each(data []byte, spent func(quarter, model int64, c *counts), calls func(quarter, model, tool, n int64)) bool {
	s := varints{data: data}
	quarter := int64(0)
	var c counts
	for n := s.next(); n > 0; n-- {
		quarter += s.next()
		model := s.next()
		for i := range c {
			c[i] = s.next()
		}
		if s.bad {
			return false
		}
		spent(quarter, model, &c)
	}
	quarter = 0
	for len(s.data) > 0 {
		quarter += s.next()
		model, tool, n := s.next(), s.next(), s.next()
		if s.bad {
			return false
		}
		calls(quarter, model, tool, n)
	}
	return !s.bad
}

// decode reads what encode wrote.
func decode(data []byte) (tally[int64], error) {
	t := newTally[int64]()
	ok := each(data,
		func(quarter, model int64, c *counts) {
			t.addSpent(occasion[int64]{quarter: quarter, model: model}, c, 1)
		},
		func(quarter, model, tool, n int64) { t.addCalls(occasion[int64]{quarter, model, tool}, n) })
	if !ok {
		return t, damaged("what was done in a session is not written as it should be")
	}
	return t, nil
}
