package window

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// Unsaid is a message that was queued for a run and not sent to its model before the run ended.
type Unsaid struct {
	SessionID string   `json:"sessionId"`
	Text      string   `json:"text"`
	Cites     []string `json:"cites"` // the uids of messages that Text refers to; never nil
}

// unsaidKey is the setting that stores these messages until the next window opens.
const unsaidKey = statePrefix + "unsaid"

// storeUnsaid stores the messages that the page has not taken, for the next window.
func (p *program) storeUnsaid() {
	left := p.runs.takeUnsaid()
	if len(left) == 0 {
		return
	}
	_, err := call(p, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		kept, err := keptUnsaid(ctx, db)
		if err != nil {
			return false, err
		}
		data, err := json.Marshal(append(kept, left...))
		if err != nil {
			return false, core.Wrap(core.Internal, err, "keep what was not heard")
		}
		return true, db.PutSetting(ctx, unsaidKey, string(data))
	})
	if err != nil {
		slog.Error("keeping what was not heard", slog.Any("error", err))
	}
}

func keptUnsaid(ctx context.Context, db *sqlite.DB) ([]Unsaid, error) {
	text, err := db.Setting(ctx, unsaidKey)
	if err != nil || text == "" {
		return nil, err
	}
	var kept []Unsaid
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, core.Wrap(core.Corrupt, err, "read what was not heard")
	}
	for i := range kept { // an older version stored none
		kept[i].Cites = lists.NonNil(kept[i].Cites)
	}
	return kept, nil
}

// takeUnsaid empties the queues of the ended runs and returns their messages.
func (r *runs) takeUnsaid() []Unsaid {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Unsaid
	for id, lives := range r.lives {
		for _, live := range lives {
			for _, said := range live.takeUnsaid() {
				all = append(all, Unsaid{SessionID: id, Text: present.Text(said.Parts), Cites: lists.NonNil(said.Cites)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Unsaid) int { return cmp.Compare(a.SessionID, b.SessionID) })
	return all
}

// takeUnsaid empties the queue of an ended run and returns its messages.
func (l *liveRun) takeUnsaid() []engine.QueuedMessage {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running || len(l.queue) == 0 {
		return nil
	}
	said := l.queue
	l.queue, l.taken = nil, 0
	l.changed()
	return said
}
