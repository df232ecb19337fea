package core

// Budget limits runs; 0 is no limit. Cost and tokens are counted over all runs of a session, so that resuming with a
// larger budget continues where the smaller one stopped; steps and time are counted over a run and those that continue it after an
// interruption, see Run.Unfinished.
type Budget struct {
	CostNanoUSD int64 `json:"costNanoUsd,omitempty"`
	Tokens      int64 `json:"tokens,omitempty"` // input and output
	Steps       int64 `json:"steps,omitempty"`
	TimeoutMs   int64 `json:"timeoutMs,omitempty"`
}
