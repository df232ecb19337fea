package window

import (
	"context"
	"strings"

	"coppice/app/internal/find"

	"coppice/app/internal/present"

	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// mostComparedRows is how many rows of a comparison are told in one answer.
const mostComparedRows = 500

// Compare sets the paths to two messages side by side, from where they part, and returns some of its rows.
func (b *Bindings) Compare(sessionID, leftUID, rightUID string, from, limit int64) (core.Comparison, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (core.Comparison, error) {
		b.changes.watch(sessionID)
		return db.Compare(ctx, sessionID, leftUID, rightUID, from, min(max(limit, 1), mostComparedRows))
	})
}

// CompareWords compares what is said in a stretch of either path, word by word.
func (b *Bindings) CompareWords(sessionID string, left, right render.Place) (render.WordDiff, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (render.WordDiff, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return render.WordDiff{}, err
		}
		return b.render.CompareWords(ctx, db, session, left, right)
	})
}

// CompareFiles returns what two branches did to files, from where they part. A new one ends the one before it with the
// code canceled, because long branches take a while.
func (b *Bindings) CompareFiles(sessionID, leftUID, rightUID string) (render.FileEffects, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (render.FileEffects, error) {
		ctx, done := b.comparisons.begin(ctx)
		defer done()
		session, left, right, err := find.Branches(ctx, db, sessionID, leftUID, rightUID)
		if err != nil {
			return render.FileEffects{}, err
		}
		return b.render.Effects(ctx, db, session, left, right)
	})
}

// CompareFile returns what two branches made of a file, by its path in CompareFiles.
func (b *Bindings) CompareFile(sessionID, leftUID, rightUID, path string) (render.FileComparison, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (render.FileComparison, error) {
		session, left, right, err := find.Branches(ctx, db, sessionID, leftUID, rightUID)
		if err != nil {
			return render.FileComparison{}, err
		}
		return b.render.CompareFile(ctx, db, session, left, right, path)
	})
}

// Answer is the last thing a model said on a path.
type Answer struct {
	UID  string `json:"uid"` // empty: nothing was said
	Turn int64  `json:"turn"`
	Text string `json:"text"`
	Cut  bool   `json:"cut"` // Text is only the beginning
}

const (
	answerReach = 200 // so many messages from the end are looked through for an answer
	answerRunes = 24_000
)

// GetAnswer returns the last answer in words on the path to a leaf, from a depth on, to be cited.
func (b *Bindings) GetAnswer(sessionID, leafUID string, from int64) (Answer, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (Answer, error) {
		window, err := db.Window(ctx, sessionID, leafUID, -answerReach, 0)
		if err != nil {
			return Answer{}, err
		}
		for i := len(window.Messages) - 1; i >= 0; i-- {
			message := &window.Messages[i]
			if message.Depth < from || message.Role != core.RoleAssistant {
				continue
			}
			if text := strings.TrimSpace(present.Text(message.Parts)); text != "" {
				short := core.Cut(text, answerRunes)
				return Answer{UID: message.UID, Turn: message.Turn, Text: short, Cut: short != text}, nil
			}
		}
		return Answer{}, nil
	})
}
