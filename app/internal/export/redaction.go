package export

import (
	"context"
	"io"

	"coppice/backend/render/redact"
	"coppice/backend/sqlite"
)

// redactor returns what replaces secrets; nil if nothing is replaced.
func (e Plan) redactor() *redact.Redactor {
	if !e.Redact {
		return nil
	}
	return redact.With(redact.Options{Words: e.Words, Keep: e.Keep, OnHit: e.onHit})
}

// Finding is a value that a redacted export replaces, or that stays.
type Finding struct {
	ID     string      `json:"id"` // for Plan.Keep
	Kind   redact.Kind `json:"kind"`
	Value  string      `json:"value"`
	Count  int64       `json:"count"`
	Places []Place     `json:"places"` // the first ones, at most maxPlaces; never nil
	Kept   bool        `json:"kept"`
}

// Place is where a value occurs.
type Place struct {
	Session string `json:"session"`
	Before  string `json:"before"`
	After   string `json:"after"`
}

// maxPlaces is how many places of a value a preview shows.
const maxPlaces = 50

// Preview returns what a redacted export replaces, each value once in the order of its first place. It reads everything
// that the export would write.
func (e Plan) Preview(ctx context.Context, db *sqlite.DB) ([]Finding, error) {
	e.Redact, e.Progress = true, nil
	findings, index := []Finding{}, map[string]int{}
	kept := map[string]bool{}
	for _, id := range e.Keep {
		kept[id] = true
	}
	sessions := e.Sessions
	for i := range sessions {
		e.Sessions = sessions[i : i+1]
		e.onHit = func(hit redact.Hit) {
			at, known := index[hit.ID]
			if !known {
				at = len(findings)
				index[hit.ID] = at
				findings = append(findings, Finding{ID: hit.ID, Kind: hit.Kind, Value: hit.Value, Places: []Place{}, Kept: kept[hit.ID]})
			}
			f := &findings[at]
			f.Count++
			place := Place{Session: sessions[i].ID, Before: hit.Before, After: hit.After}
			if len(f.Places) < maxPlaces {
				f.Places = append(f.Places, place)
			}
		}
		if err := e.To(ctx, db, io.Discard); err != nil {
			return nil, err
		}
	}
	return findings, nil
}
