package core

// SearchOrder is the order of hits.
type SearchOrder string

// The search orders.
const (
	Newest    SearchOrder = "newest"    // the default
	Relevance SearchOrder = "relevance" // of the newest, the best matches first; not for a substring or a regular expression
)

// SearchQuery describes what to search for in the text of messages.
type SearchQuery struct {
	Text      string      `json:"text"`      // in the language of docs/search.md
	Substring bool        `json:"substring"` // Text is searched verbatim, ignoring case
	Regex     bool        `json:"regex"`     // Text is a Go regular expression
	Filter    string      `json:"filter"`    // an additional condition, in the language
	SessionID string      `json:"sessionId"` // empty: everywhere but in the trash
	FromID    string      `json:"fromId"`    // the session that the search was started in, for in:session; empty: SessionID
	Order     SearchOrder `json:"order"`
	Typing    bool        `json:"typing"` // the end of Text is still being typed: its last word may be a prefix
	Limit     int64       `json:"limit"`  // 0: 50
	// Before is Found.Next of an answer to this query: the search continues there. 0: it begins with the newest message.
	Before int64 `json:"before"`
	// WithinMs is the approximate time limit of a search that reads texts; it returns what it has found by then. 0: no limit.
	WithinMs int64 `json:"withinMs"`
}

// Found is the result of a search.
type Found struct {
	Hits []Hit `json:"hits"` // never nil
	// Total is the number of matching messages; More means that there are more.
	Total int64 `json:"total"`
	More  bool  `json:"more"`
	// Uncounted means that Total and the counts of sessions cover Hits only: HitCount returns the rest.
	Uncounted bool `json:"uncounted"`
	// Next is the Before of the query that continues the search; 0: the search is complete.
	Next int64 `json:"next"`
	// Looked is the number of messages that were read because no index covers them, and LookedToMs the time of the oldest of
	// them.
	Looked     int64 `json:"looked"`
	LookedToMs int64 `json:"lookedToMs"`
	// Loose means that no message has the words: these contain the text verbatim, possibly within words.
	Loose bool `json:"loose"`
	// Pending is the number of messages that are not in the index yet and were not searched.
	Pending int64 `json:"pending"`
	// Hint describes what part of the query may have been meant differently; empty: none.
	Hint string `json:"hint"`
}

// Mark is a range of a snippet, in UTF-16 code units for the screen.
type Mark struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Hit is a message that a search found.
type Hit struct {
	SessionID    string `json:"sessionId"`
	SessionTitle string `json:"sessionTitle"`
	SessionHits  int64  `json:"sessionHits"` // hits in this session among Found.Total
	Source       Source `json:"source"`
	UID          string `json:"uid"`
	Seq          int64  `json:"seq"`
	Turn         int64  `json:"turn"`
	Branch       int64  `json:"branch"`
	OnPath       bool   `json:"onPath"`           // on the path to the session's head
	Hidden       bool   `json:"hidden,omitempty"` // in the trash of its session
	Role         Role   `json:"role"`
	Where        string `json:"where"`    // the part: text, reasoning, tool_call, tool_result, summary; empty if no text was searched for
	Part         int64  `json:"part"`     // its index in the message's parts
	Snippet      string `json:"snippet"`  // one line around the first match
	Marks        []Mark `json:"marks"`    // the matches in Snippet, in order
	MarkFrom     int64  `json:"markFrom"` // the first of Marks
	MarkTo       int64  `json:"markTo"`
	CreatedAtMs  int64  `json:"createdAtMs"`
}

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

// AddTo adds the counts to a search result.
func (c HitCount) AddTo(f *Found) {
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

// Append appends the result of the search that continued this one.
func (f *Found) Append(next Found) {
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

// PathHit is a message of a path that contains a text.
type PathHit struct {
	UID      string `json:"uid"`
	Depth    int64  `json:"depth"`
	Part     int64  `json:"part"`    // its index in the message's parts
	Snippet  string `json:"snippet"` // one line around the first match
	MarkFrom int64  `json:"markFrom"`
	MarkTo   int64  `json:"markTo"`
}

// PathHits are the messages of a path that contain a text, by depth.
type PathHits struct {
	Hits      []PathHit `json:"hits"`      // never nil
	More      bool      `json:"more"`      // there are more hits on the path
	Elsewhere int64     `json:"elsewhere"` // messages of other branches that contain it
}
