package window

import (
	"context"
	"strings"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// mostTurns is how many turns are told of in one answer.
const mostTurns = 500

// GetTurns returns turns of a session by their numbers, at most 500, without saying which are on the path. The tree
// they stand in comes as a skeleton, see encodeSkeleton.
func (b *Bindings) GetTurns(sessionID string, numbers []int64) ([]core.Turn, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]core.Turn, error) {
		turns, err := db.Turns(ctx, sessionID, numbers[:min(len(numbers), mostTurns)])
		return lists.NonNil(turns), err
	})
}

// FindTurns returns the numbers of the turns in which the text stands, in order. A new search in a tree ends the one before
// it with the code canceled.
func (b *Bindings) FindTurns(sessionID, text string) ([]int64, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]int64, error) {
		ctx, done := b.treeSearches.begin(ctx)
		defer done()
		turns, err := db.FindTurns(ctx, sessionID, strings.TrimSpace(text))
		return lists.NonNil(turns), err
	})
}

// FindTurnsBeginning returns the numbers of the turns whose first words begin with the text, in order.
func (b *Bindings) FindTurnsBeginning(sessionID, text string) ([]int64, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]int64, error) {
		turns, err := db.TurnsBeginning(ctx, sessionID, text)
		return lists.NonNil(turns), err
	})
}
