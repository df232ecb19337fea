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

// UnsentMessage is a message that was queued for a run and not sent to its model before the run ended.
type UnsentMessage struct {
	SessionID string   `json:"sessionId"`
	Text      string   `json:"text"`
	Cites     []string `json:"cites"` // the uids of messages that Text refers to; never nil
}

// unsentKey is the setting that stores these messages until the next window opens.
const unsentKey = statePrefix + "unsaid" // libraries have it under this name

// storeUnsent stores the messages that the page has not taken, for the next window.
func (p *program) storeUnsent() {
	left := p.runs.takeUnsent()
	if len(left) == 0 {
		return
	}
	_, err := call(p, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		stored, err := storedUnsent(ctx, db)
		if err != nil {
			return false, err
		}
		data, err := json.Marshal(append(stored, left...))
		if err != nil {
			return false, core.Wrap(core.Internal, err, "store unsent messages")
		}
		return true, db.PutSetting(ctx, unsentKey, string(data))
	})
	if err != nil {
		slog.Error("store unsent messages", slog.Any("error", err))
	}
}

func storedUnsent(ctx context.Context, db *sqlite.DB) ([]UnsentMessage, error) {
	text, err := db.Setting(ctx, unsentKey)
	if err != nil || text == "" {
		return nil, err
	}
	var stored []UnsentMessage
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return nil, core.Wrap(core.Corrupt, err, "read unsent messages")
	}
	for i := range stored { // an older version stored none
		stored[i].Cites = lists.NonNil(stored[i].Cites)
	}
	return stored, nil
}

// takeUnsent empties the queues of the ended runs and returns their messages.
func (r *runs) takeUnsent() []UnsentMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []UnsentMessage
	for id, lives := range r.lives {
		for _, live := range lives {
			for _, queued := range live.takeUnsent() {
				all = append(all, UnsentMessage{SessionID: id, Text: present.Text(queued.Parts), Cites: lists.NonNil(queued.Cites)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b UnsentMessage) int { return cmp.Compare(a.SessionID, b.SessionID) })
	return all
}

// takeUnsent empties the queue of an ended run and returns its messages.
func (l *liveRun) takeUnsent() []engine.QueuedMessage {
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
