package window

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"coppice/app/internal/present"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// Unsaid is what a person said to a run that was over before its model heard it.
type Unsaid struct {
	SessionID string   `json:"sessionId"`
	Text      string   `json:"text"`
	Cites     []string `json:"cites"` // the uids of messages that it is about; never nil
}

// unsaidKey is where it is kept from the closing of one window to the opening of the next.
const unsaidKey = statePrefix + "unsaid"

// TakeUnsaid returns what was said to runs that are over and was not heard, and forgets it: it is the person's again.
func (b *Bindings) TakeUnsaid() ([]Unsaid, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]Unsaid, error) {
		kept, err := keptUnsaid(ctx, db)
		if err != nil {
			return nil, err
		}
		if len(kept) > 0 {
			if err := db.PutSetting(ctx, unsaidKey, "[]"); err != nil {
				return nil, err
			}
		}
		return lists.NonNil(append(kept, b.runs.takeUnsaid()...)), nil
	})
}

// keepUnsaid keeps what nobody has taken for the next window.
func (b *Bindings) keepUnsaid() {
	left := b.runs.takeUnsaid()
	if len(left) == 0 {
		return
	}
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) {
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
	for i := range kept { // one of an older version has none
		kept[i].Cites = lists.NonNil(kept[i].Cites)
	}
	return kept, nil
}

// takeUnsaid empties the queues of the runs that are over.
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

// takeUnsaid empties the queue of a run that is over.
func (l *liveRun) takeUnsaid() []engine.Said {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running || len(l.queue) == 0 {
		return nil
	}
	said := l.queue
	l.queue, l.handed = nil, 0
	l.changed()
	return said
}
