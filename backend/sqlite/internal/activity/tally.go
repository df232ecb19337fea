// Package activity counts what was done when: tokens, costs and tool calls by quarter of an hour, model and agent, one row per session.
package activity

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// QuarterMs is a quarter of an hour. The offset of every time zone is a multiple of it, so a day of any zone is made of whole ones.
const QuarterMs = 15 * 60 * 1000

// Counts are what a tally adds up; subtracting what was added gives nothing again.
type Counts [14]int64

// CountMessages and the constants after it are the indexes of Counts.
const (
	CountMessages = iota
	CountSteps
	CountUnmetered
	CountUnpriced
	CountPriced // messages whose cost is known
	CountInput
	CountOutput
	CountCacheRead
	CountCacheWrite
	CountReasoning
	CountCost
	CountEstimated   // messages whose cost is estimated
	CountEstimate    // that of these, at list price
	CountUnestimated // steps of which some cost is neither known nor estimated
)

// formerCounts is how many counts versions without estimates have stored.
const formerCounts = CountEstimated

// Add adds other counts; a sign of -1 subtracts them.
func (c *Counts) Add(other *Counts, sign int64) {
	for i := range c {
		c[i] += sign * other[i]
	}
}

// AddBounded adds counts of which some may come from a damaged or absurd source: negative ones count as 0, and a sum ends at a limit.
func (c *Counts) AddBounded(other *Counts) {
	const most = math.MaxInt64 / 2
	for i := range c {
		c[i] = min(c[i]+min(max(other[i], 0), most), most)
	}
}

// countsOf returns what one message counts.
func countsOf(m *core.Message) Counts {
	c := Counts{CountMessages: 1}
	if m.IsCall() {
		c[CountSteps] = 1
		if m.Usage == nil {
			c[CountUnmetered] = 1
		}
		if m.CostNanoUSD == nil {
			c[CountUnpriced] = 1
		}
	}
	if u := m.Usage; u != nil {
		c[CountInput], c[CountOutput] = u.InputTokens, u.OutputTokens
		c[CountCacheRead], c[CountCacheWrite], c[CountReasoning] = u.CacheReadTokens, u.CacheWriteTokens, u.ReasoningTokens
	}
	if m.CostNanoUSD != nil {
		c[CountPriced], c[CountCost] = 1, *m.CostNanoUSD
	}
	if e := m.Estimate.NanoUSD; e != nil {
		c[CountEstimated], c[CountEstimate] = 1, *e
	}
	if m.IsUnpriced() {
		c[CountUnestimated] = 1
	}
	return c
}

// TallyKey identifies what is counted together: a quarter of an hour, a model, and an agent or a tool. N is the type of names: strings, or
// their numbers in the file.
type TallyKey[N cmp.Ordered] struct {
	Quarter int64 // since 1970; 0: unknown
	Model   N
	Agent   N // the one that called the model; empty for other messages and for tools
	tool    N // empty for messages
}

// Tally counts what was done in a session.
type Tally[N cmp.Ordered] struct {
	Spent map[TallyKey[N]]Counts
	Tools map[TallyKey[N]]int64 // calls
	// Former is set if a version without agents has counted some of it.
	Former bool
}

// NewTally returns an empty tally.
func NewTally[N cmp.Ordered]() Tally[N] {
	return Tally[N]{Spent: map[TallyKey[N]]Counts{}, Tools: map[TallyKey[N]]int64{}}
}

// WithoutAgents returns a tally that sums up all agents.
func (t Tally[N]) WithoutAgents() Tally[N] {
	sum := Tally[N]{Spent: map[TallyKey[N]]Counts{}, Tools: t.Tools, Former: t.Former}
	for at, c := range t.Spent {
		sum.AddSpent(TallyKey[N]{Quarter: at.Quarter, Model: at.Model}, &c, 1)
	}
	return sum
}

// AddSpent adds counts to a key; a sign of -1 subtracts them. A key whose counts are all 0 is removed.
func (t Tally[N]) AddSpent(at TallyKey[N], c *Counts, sign int64) {
	sum := t.Spent[at]
	sum.Add(c, sign)
	if sum == (Counts{}) {
		delete(t.Spent, at)
		return
	}
	t.Spent[at] = sum
}

func (t Tally[N]) addCalls(at TallyKey[N], n int64) {
	if t.Tools[at] += n; t.Tools[at] == 0 {
		delete(t.Tools, at)
	}
}

// TallyMessage counts a message, or takes it away with a sign of -1.
func TallyMessage(t Tally[string], m *core.Message, sign int64) {
	at := TallyKey[string]{Quarter: max(m.CreatedAtMs, 0) / QuarterMs, Model: m.Model}
	c := countsOf(m)
	by := at
	if m.IsCall() || m.Role == core.RoleUser && m.Model != "" && m.Usage != nil { // the latter: a call that wrote a summary
		by.Agent = m.Agent
	}
	t.AddSpent(by, &c, sign)
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartToolCall && p.Name != "" {
			at.tool = p.Name
			t.addCalls(at, sign)
		}
	}
}

// Translate gives the names of a tally their numbers, or the other way round.
func Translate[N, M cmp.Ordered](from Tally[N], name func(N) M) Tally[M] {
	to := NewTally[M]()
	to.Former = from.Former
	for at, c := range from.Spent {
		to.AddSpent(TallyKey[M]{Quarter: at.Quarter, Model: name(at.Model), Agent: name(at.Agent)}, &c, 1)
	}
	for at, n := range from.Tools {
		to.addCalls(TallyKey[M]{Quarter: at.Quarter, Model: name(at.Model), tool: name(at.tool)}, n)
	}
	return to
}

func inOrder[N cmp.Ordered](a, b TallyKey[N]) int {
	return cmp.Or(cmp.Compare(a.Quarter, b.Quarter), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.tool, b.tool))
}

// Encode writes a tally as it is stored: varints in order of time. First the layout, then how many entries of tokens there are, each of which
// begins with the quarters since the one before it followed by the model, the agent and the counts; then those of tools, with model, tool
// and calls.
//
// The layout is a varint of 0 and one of the constants below. Versions without estimates wrote none, and began with the number of entries:
// 0 only for a tally of nothing, which ended there.
func Encode(t Tally[int64]) []byte {
	layout := byte(layoutAgents)
	if t.Former {
		layout = layoutFormer
	}
	data := binary.AppendUvarint([]byte{0, layout}, uint64(len(t.Spent)))
	put := func(values ...int64) {
		for _, v := range values {
			data = binary.AppendUvarint(data, uint64(v)) //nolint:gosec // bits, not a number
		}
	}
	before := int64(0)
	for _, at := range slices.SortedFunc(maps.Keys(t.Spent), inOrder) {
		c := t.Spent[at]
		put(at.Quarter-before, at.Model, at.Agent)
		put(c[:]...)
		before = at.Quarter
	}
	before = 0
	for _, at := range slices.SortedFunc(maps.Keys(t.Tools), inOrder) {
		put(at.Quarter-before, at.Model, at.tool, t.Tools[at])
		before = at.Quarter
	}
	return data
}

// The layouts of tallies. The index activity_former finds the rows that do not have layoutAgents.
const (
	layoutEstimates = 1 // without agents
	layoutAgents    = 2
	layoutFormer    = 3 // with agents, of which those of former entries are unknown
)

// IsFormer reports whether a version without agents has counted some of what Encode wrote.
func IsFormer(data []byte) bool {
	return len(data) < 2 || data[0] != 0 || data[1] != layoutAgents
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

// EachCount calls spent and then calls for what encode wrote, in order; false for what it did not write.
func EachCount(data []byte, spent func(quarter, model, agent int64, c *Counts), calls func(quarter, model, tool, n int64)) bool {
	s := varints{data: data}
	quarter := int64(0)
	layout, stored, entries := int64(0), formerCounts, s.next()
	if entries == 0 && len(s.data) > 0 {
		if layout, stored = s.next(), len(Counts{}); layout < layoutEstimates || layout > layoutFormer {
			return false
		}
		entries = s.next()
	}
	for n := entries; n > 0; n-- {
		var c Counts
		quarter += s.next()
		model, agent := s.next(), int64(0)
		if layout >= layoutAgents {
			agent = s.next()
		}
		for i := range stored {
			c[i] = s.next()
		}
		if stored == formerCounts {
			c[CountUnestimated] = c[CountUnpriced]
		}
		if s.bad {
			return false
		}
		spent(quarter, model, agent, &c)
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

// Decode reads what encode wrote.
func Decode(data []byte) (Tally[int64], error) {
	t := NewTally[int64]()
	t.Former = IsFormer(data)
	ok := EachCount(data,
		func(quarter, model, agent int64, c *Counts) {
			t.AddSpent(TallyKey[int64]{Quarter: quarter, Model: model, Agent: agent}, c, 1)
		},
		func(quarter, model, tool, n int64) {
			t.addCalls(TallyKey[int64]{Quarter: quarter, Model: model, tool: tool}, n)
		})
	if !ok {
		return t, conn.Damaged("what was done in a session is not written as it should be")
	}
	return t, nil
}
