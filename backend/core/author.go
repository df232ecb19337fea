package core

// AgentCost is what an agent took of a session. Model is the one that it used last.
type AgentCost struct {
	Agent string `json:"agent" db:"agent"`
	ModelCost
}

// AgentTurn is what an agent did in a row, or a prompt of the user.
type AgentTurn struct {
	Agent       string `json:"agent"` // empty: the user
	Turn        int64  `json:"turn"`
	Branch      int64  `json:"branch"`
	ParentUID   string `json:"parentUid"` // of the first message
	Aside       bool   `json:"aside"`     // in a run beside another one: those with the same ParentUID worked in parallel
	FirstUID    string `json:"firstUid"`
	LastUID     string `json:"lastUid"`
	Text        string `json:"text"`  // the beginning of its last text
	Steps       int64  `json:"steps"` // model calls
	Tokens      int64  `json:"tokens"`
	CostNanoUSD *int64 `json:"costNanoUsd"` // of the steps whose cost is known; nil: none is known
	StartedAtMs int64  `json:"startedAtMs"`
}
