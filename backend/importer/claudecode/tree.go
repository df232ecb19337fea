package claudecode

// The input of the tree: one entry per message, in file order, so that a parent always has a smaller index than its
// children. Entry 0 represents the position before the first message.
type position struct {
	parent  int32 // by the records
	class   class
	certain bool // the source marks the beginning of an alternative here
	timeMs  int64
}

// tree is the result: one parent per position, with a smaller index. If the source branched only because of the way it
// records, there is one chain in file order.
type tree struct {
	parents []int32
	region  []int32        // the chain of a position
	tail    []int32        // by region: its last position
	last    []int32        // by region: the newest region that forks off its tail; 0: none
	forked  map[int32]bool // positions whose children are alternatives
	cut     map[int32]bool // positions that begin an alternative
}

// arrange decides which children of a position are alternatives, that is, the user went back and continued differently,
// and arranges everything else in chains.
func arrange(positions []position) *tree {
	t := &tree{
		parents: make([]int32, len(positions)), region: make([]int32, len(positions)),
		tail: []int32{0}, last: []int32{0}, forked: map[int32]bool{}, cut: map[int32]bool{},
	}
	t.decide(positions)
	for i := int32(1); int(i) < len(positions); i++ {
		p := positions[i].parent
		r := t.region[p]
		for !t.cut[i] && t.last[r] != 0 {
			r = t.last[r] // it trails behind the alternative written last
		}
		t.parents[i] = t.tail[r]
		if t.cut[i] {
			r = t.fork(r)
		}
		t.region[i] = r
		t.tail[r] = i
	}
	return t
}

// fork opens a region at the tail of region r. From now on r does not grow.
func (t *tree) fork(r int32) int32 {
	n := int32(len(t.tail)) //nolint:gosec // at most one per position
	t.tail = append(t.tail, 0)
	t.last = append(t.last, 0)
	t.last[r] = n
	return n
}

// continuesAt returns the parent of a new message whose recorded parent is p.
func (t *tree) continuesAt(p int32) int32 {
	if t.forked[p] {
		return t.tail[t.region[p]]
	}
	return p
}

// Facts about the subtree of a position, by the source's own links.
const (
	hasAnsweredPrompt = 1 << iota // a prompt that got an answer, or the last one of the file
	hasPrompt
	hasReply
	leadsToReply // a reply follows before any other prompt
)

// decide fills forked and cut.
func (t *tree) decide(positions []position) {
	below := subtreeFacts(positions)
	children := make([]int32, len(positions))
	for _, p := range positions[1:] {
		children[p.parent]++
	}
	byParent := map[int32][]int32{}
	for i := 1; i < len(positions); i++ {
		if p := positions[i].parent; children[p] > 1 {
			byParent[p] = append(byParent[p], int32(i)) //nolint:gosec // indices are int32 throughout
		}
	}
	for p, kids := range byParent {
		if ways := alternatives(positions, below, kids); len(ways) > 1 {
			t.forked[p] = true
			for _, k := range ways {
				t.cut[k] = true
			}
		}
	}
}

// alternatives returns those children that begin an alternative. An alternative needs a prompt that was answered:
// parallel tool results, hooks, command stubs, comments on a rejected edit and interrupted answers have none. Copies
// that a compaction wrote at one time are not alternatives either. If the source records a rewind, any message begins
// an alternative.
func alternatives(positions []position, below []uint8, kids []int32) []int32 {
	needed := uint8(hasAnsweredPrompt)
	for _, k := range kids {
		if positions[k].certain {
			needed = hasPrompt | hasReply
		}
	}
	var ways []int32
	times := map[int64]bool{}
	for _, k := range kids {
		at := positions[k].timeMs
		if !positions[k].certain && (below[k]&needed == 0 || at != 0 && times[at]) {
			continue
		}
		times[at] = true
		ways = append(ways, k)
	}
	return ways
}

// subtreeFacts works backwards, so that children come before their parents.
func subtreeFacts(positions []position) []uint8 {
	below := make([]uint8, len(positions))
	lastSeen := false
	for i := len(positions) - 1; i > 0; i-- {
		p := positions[i]
		f := below[i]
		opens := p.class == prompt || p.class == command && f&leadsToReply != 0
		switch {
		case p.class == reply:
			f |= hasReply | leadsToReply
		case opens:
			f |= hasPrompt
			if f&leadsToReply != 0 || !lastSeen {
				f |= hasAnsweredPrompt
			}
			lastSeen = true
			f &^= leadsToReply
		}
		below[i] = f
		below[p.parent] |= f
	}
	return below
}
