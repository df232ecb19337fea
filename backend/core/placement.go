package core

// Node is what determines a message's position: its parent, and whether it is a prompt.
type Node struct {
	UID       string
	ParentUID string // empty for a root
	IsPrompt  bool
}

// Planner assigns positions to messages one by one, in the order of creation. The zero value is ready.
type Planner struct {
	Skeleton Skeleton
	places   map[string]Placement
}

// Add assigns a position. A uid that exists already, or a parent that is missing, is an Invalid error.
func (p *Planner) Add(n Node) (Placement, error) {
	if p.places == nil {
		p.places = map[string]Placement{}
	}
	if n.UID == "" {
		return Placement{}, E(Invalid, "message %d has no uid", len(p.places))
	}
	if _, ok := p.places[n.UID]; ok {
		return Placement{}, E(Invalid, "duplicate message %q", n.UID)
	}
	parent, err := p.parent(n)
	if err != nil {
		return Placement{}, err
	}
	place, err := p.Skeleton.Append(parent, n.IsPrompt)
	if err != nil {
		return Placement{}, Wrap(Invalid, err, "place message %q", n.UID)
	}
	p.places[n.UID] = place
	return place, nil
}

func (p *Planner) parent(n Node) (*Position, error) {
	if n.ParentUID == "" {
		return nil, nil // a root has no parent
	}
	place, ok := p.places[n.ParentUID]
	if !ok {
		return nil, E(Invalid, "the parent %q of message %q does not come before it", n.ParentUID, n.UID)
	}
	at := place.Position()
	return &at, nil
}

// Placement returns the placement of a message.
func (p *Planner) Placement(uid string) (Placement, bool) {
	place, ok := p.places[uid]
	return place, ok
}

// Plan assigns positions to all messages of a session. The nodes are in the order of creation, a parent before its
// children; the positions are in the same order.
func Plan(nodes []Node) ([]Placement, *Skeleton, error) {
	planner := Planner{places: make(map[string]Placement, len(nodes))}
	places := make([]Placement, 0, len(nodes))
	for _, n := range nodes {
		place, err := planner.Add(n)
		if err != nil {
			return nil, nil, err
		}
		places = append(places, place)
	}
	return places, &planner.Skeleton, nil
}

// ParentsFirst returns an order, as indexes into nodes, that puts a parent before its children and otherwise keeps the
// given one: a parent that comes too late moves to just before its first child. A parent that is not among the nodes
// counts as placed. Messages that are each other's ancestors, or a duplicate uid, are an Invalid error.
func ParentsFirst(nodes []Node) ([]int, error) {
	index := make(map[string]int, len(nodes))
	for i, n := range nodes {
		if _, ok := index[n.UID]; ok {
			return nil, E(Invalid, "duplicate message %q", n.UID)
		}
		index[n.UID] = i
	}
	const climbing, placed = 1, 2 // 0: not visited yet
	state := make([]byte, len(nodes))
	order, chain := make([]int, 0, len(nodes)), []int{}
	for i := range nodes {
		for at, ok := i, true; ok && state[at] != placed; at, ok = index[nodes[at].ParentUID] {
			if state[at] == climbing {
				return nil, E(Invalid, "message %q is its own ancestor", nodes[at].UID)
			}
			state[at] = climbing
			chain = append(chain, at)
			if nodes[at].ParentUID == "" {
				break
			}
		}
		for ; len(chain) > 0; chain = chain[:len(chain)-1] {
			at := chain[len(chain)-1]
			state[at] = placed
			order = append(order, at)
		}
	}
	return order, nil
}

// Placement is the position of a message in its session's tree.
type Placement struct {
	Seq    int64 `json:"seq" db:"seq"`
	Turn   int64 `json:"turn" db:"turn"`
	Branch int64 `json:"branch" db:"branch"`
	Depth  int64 `json:"depth" db:"depth"`
}
