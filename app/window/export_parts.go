package window

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// ExportParts are what the user can choose to export of a session.
type ExportParts struct {
	PathMessages int64          `json:"pathMessages"`
	TurnNode     int64          `json:"turnNode"` // n<TurnNode>: the turn at the end of the path; -1 for an empty path
	TurnMessages int64          `json:"turnMessages"`
	Branches     []ExportBranch `json:"branches"`    // at most maxExportBranches, by number
	BranchCount  int64          `json:"branchCount"` // outside the trash
}

// ExportBranch is a branch that can be chosen: the path to its last message.
type ExportBranch struct {
	LeafUID  string `json:"leafUid"`
	Node     int64  `json:"node"`  // of its first turn
	Title    string `json:"title"` // the label or the beginning of its first turn
	Messages int64  `json:"messages"`
	OnPath   bool   `json:"onPath"` // the path ends in it
}

// maxExportBranches is how many branches the user can choose from.
const maxExportBranches = 500

// exportPartsOf returns what can be exported of a session. The path ends at a message, if empty at the head.
func exportPartsOf(ctx context.Context, db *sqlite.DB, sessionID, leafUID string) (ExportParts, error) {
	parts := ExportParts{TurnNode: -1, Branches: []ExportBranch{}}
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
				LeafUID: last[b.Number].LastUID, Node: opening.Number, Title: opening.Label, Messages: b.TipDepth + 1, OnPath: b.Number == end.Branch,
			}
			if branch.Title == "" {
				branch.Title = opening.Preview
			}
			parts.Branches = append(parts.Branches, branch)
		}
	}
	return parts, nil
}
