package window

import (
	"cmp"
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// ExportParts are what the user can choose to export of a session.
type ExportParts struct {
	PathMessages int64          `json:"pathMessages"`
	TurnNode     int64          `json:"turnNode"` // n<TurnNode>: the turn at the end of the path; -1 for an empty path
	TurnMessages int64          `json:"turnMessages"`
	Turns        []ExportTurn   `json:"turns"`       // of the path, the last maxExportTurns
	Branches     []ExportBranch `json:"branches"`    // at most maxExportBranches, by number
	BranchCount  int64          `json:"branchCount"` // outside the trash
}

// ExportTurn is a turn of the path.
type ExportTurn struct {
	UID      string `json:"uid"` // of its last message
	Node     int64  `json:"node"`
	Title    string `json:"title"`    // its label or the beginning of its text
	Messages int64  `json:"messages"` // on the path; the last turn has all of its messages
}

// ExportBranch is a branch that can be chosen: the path to its last message.
type ExportBranch struct {
	LeafUID  string `json:"leafUid"`
	Node     int64  `json:"node"`  // of its first turn
	Title    string `json:"title"` // the label or the beginning of its first turn
	Messages int64  `json:"messages"`
	OnPath   bool   `json:"onPath"` // the path ends in it
}

// The user can choose from so many branches and turns.
const (
	maxExportBranches = 500
	maxExportTurns    = 1000
)

// exportPartsOf returns what can be exported of a session. The path ends at a message, if empty at the head.
func exportPartsOf(ctx context.Context, db *sqlite.DB, sessionID, leafUID string) (ExportParts, error) {
	parts := ExportParts{TurnNode: -1, Turns: []ExportTurn{}, Branches: []ExportBranch{}}
	tree, err := db.Tree(ctx, sessionID)
	if err != nil {
		return parts, err
	}
	skeleton := core.NewSkeleton(tree.Branches, tree.Turns)
	hidden := skeleton.HiddenSet(core.Tops(tree.Hidden))
	end := core.Position{Branch: -1}
	window, err := db.Window(ctx, sessionID, leafUID, -1, 1)
	if err != nil {
		return parts, err
	}
	if len(window.Messages) > 0 {
		end = window.Messages[0].Position()
		parts.PathMessages, parts.TurnNode = window.Length, skeleton.TurnAt(end)
		parts.TurnMessages = tree.Turns[parts.TurnNode].Messages
		parts.Turns = exportTurns(tree, skeleton.Path(end))
	}
	first, last := map[int64]*core.Turn{}, map[int64]*core.Turn{}
	for i := range tree.Turns {
		turn := &tree.Turns[i]
		if first[turn.Branch] == nil {
			first[turn.Branch] = turn
		}
		last[turn.Branch] = turn
	}
	for _, b := range tree.Branches {
		if hidden.From(b.Number) <= b.TipDepth {
			continue
		}
		parts.BranchCount++
		if len(parts.Branches) < maxExportBranches {
			opening := first[b.Number]
			branch := ExportBranch{
				LeafUID: last[b.Number].LastUID, Node: opening.Number, Title: cmp.Or(opening.Label, opening.Preview), Messages: b.TipDepth + 1, OnPath: b.Number == end.Branch,
			}
			parts.Branches = append(parts.Branches, branch)
		}
	}
	return parts, nil
}

// exportTurns returns the last turns of a path.
func exportTurns(tree core.Tree, path core.Path) []ExportTurn {
	turns, before := []ExportTurn{}, int64(0)
	for i := range tree.Turns {
		turn := &tree.Turns[i]
		if path.Holds(turn.Top()) {
			if len(turns) > 0 {
				turns[len(turns)-1].Messages = turn.FirstDepth - before // a fork may leave the rest of a turn out
			}
			before = turn.FirstDepth
			turns = append(turns, ExportTurn{turn.LastUID, turn.Number, cmp.Or(turn.Label, turn.Preview), turn.Messages})
		}
	}
	return turns[max(0, len(turns)-maxExportTurns):]
}
