package core

// HitCount is the number of messages that a search would find without a limit.
type HitCount struct {
	Total    int64         `json:"total"`
	More     bool          `json:"more"`     // there are more than Total, where counting stopped
	Sessions []SessionHits `json:"sessions"` // those with hits, in no order; never nil
}

// SessionHits is the number of counted messages in a session.
type SessionHits struct {
	SessionID string `json:"sessionId"`
	Hits      int64  `json:"hits"`
}

// Tell adds the counts to a search result.
func (c HitCount) Tell(f *Found) {
	f.Total, f.More, f.Uncounted = c.Total, c.More, false
	bySession := make(map[string]int64, len(c.Sessions))
	for _, s := range c.Sessions {
		bySession[s.SessionID] = s.Hits
	}
	f.share(bySession)
}

// Tally counts the present hits, in all and by session.
func (f *Found) Tally() {
	bySession := map[string]int64{}
	for i := range f.Hits {
		bySession[f.Hits[i].SessionID]++
	}
	f.share(bySession)
	f.Total = int64(len(f.Hits))
}

func (f *Found) share(bySession map[string]int64) {
	for i := range f.Hits {
		f.Hits[i].SessionHits = bySession[f.Hits[i].SessionID]
	}
}

// GoOn appends the result of the search that continued this one.
func (f *Found) GoOn(next Found) {
	hits, looked := append(f.Hits, next.Hits...), f.Looked+next.Looked
	loose := f.Loose || next.Loose
	if next.LookedToMs == 0 {
		next.LookedToMs = f.LookedToMs
	}
	if len(f.Hits) > 0 {
		next.Hint = f.Hint
	}
	*f = next
	f.Hits, f.Looked, f.Loose = hits, looked, loose
	if !f.Uncounted {
		f.Tally()
	}
}
