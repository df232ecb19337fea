package window

import (
	"context"

	"coppice/app/internal/find"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// titlesAtOnce is the largest number of titles that one call writes: the page waits for it.
const titlesAtOnce = 20

// TitleBindings let a model write the titles of sessions.
type TitleBindings struct{ *program }

// TitleEstimate is what a model is about to be asked for titles.
type TitleEstimate struct {
	Sessions    int64  `json:"sessions"` // whose titles are written
	Own         int64  `json:"own"`      // left out: the user gave the title
	Tokens      int64  `json:"tokens"`
	CostNanoUSD *int64 `json:"costNanoUsd"` // null: unknown
}

// TitlesWritten is how writing titles ended.
type TitlesWritten struct {
	Written     int64  `json:"written"`
	Failed      int64  `json:"failed"`
	Error       string `json:"error"`       // the first one
	CostNanoUSD *int64 `json:"costNanoUsd"` // null: some of it is unknown
}

// EstimateTitles returns what the titles of sessions by a model would cost. It calls no model.
func (b *TitleBindings) EstimateTitles(ids []string, model string) (TitleEstimate, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (TitleEstimate, error) {
		titles, err := b.titles(ctx, db, ids, model)
		if err != nil {
			return TitleEstimate{}, err
		}
		return TitleEstimate{
			Sessions: int64(len(titles.Sessions)), Own: titles.Skipped[launch.TitleOfUser], Tokens: titles.Tokens, CostNanoUSD: titles.CostNanoUSD,
		}, nil
	})
}

// WriteTitles lets a model write the titles of sessions. Titles of the user's own stay.
func (b *TitleBindings) WriteTitles(ids []string, model string) (TitlesWritten, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (TitlesWritten, error) {
		titles, err := b.titles(ctx, db, ids, model)
		if err != nil {
			return TitlesWritten{}, err
		}
		sum := int64(0)
		done := TitlesWritten{CostNanoUSD: &sum}
		for at := range titles.Sessions {
			one, stored, err := titles.Write(ctx, db, at)
			switch {
			case ctx.Err() != nil:
				return done, context.Cause(ctx)
			case core.CodeOf(err) == core.Auth:
				return done, err
			case err != nil:
				if done.Failed++; done.Error == "" {
					done.Error = err.Error()
				}
			case stored:
				done.Written++
				b.changes.Session(one.SessionID, change.Session)
			}
			if sum += value(one.CostNanoUSD); one.CostNanoUSD == nil {
				done.CostNanoUSD = nil
			}
		}
		return done, nil
	})
}

func value(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func (p *program) titles(ctx context.Context, db *sqlite.DB, ids []string, model string) (*launch.Titles, error) {
	if len(ids) > titlesAtOnce {
		return nil, core.E(core.Invalid, "%d sessions are too many at once", len(ids)).WithHint("choose at most %d", titlesAtOnce)
	}
	sessions, err := find.Sessions(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	env, err := p.launcher.UserEnv(db)
	if err != nil {
		return nil, err
	}
	return env.Titles(ctx, launch.TitleRequest{Model: model, Sessions: sessions, Named: true})
}
