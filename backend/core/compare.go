package core

import "slices"

// Comparison compares two paths of a session from their fork on.
type Comparison struct {
	SessionID    string `json:"sessionId"`
	Shared       int64  `json:"shared"`       // messages that both paths begin with
	SharedTurns  int64  `json:"sharedTurns"`  // turns of these messages
	AncestorUID  string `json:"ancestorUid"`  // the last of them; empty: no common ancestor
	AncestorTurn int64  `json:"ancestorTurn"` // -1: no common ancestor
	Left         Side   `json:"left"`
	Right        Side   `json:"right"`
	RowCount     int64  `json:"rowCount"` // of the whole comparison
	From         int64  `json:"from"`     // the index of the first row in Rows
	Rows         []Pair `json:"rows"`     // never nil
}

// Side is one of the two paths, from the fork to its end. Its totals count these messages only.
type Side struct {
	LeafUID      string   `json:"leafUid"`
	Turn         int64    `json:"turn"`
	Branch       int64    `json:"branch"`
	Length       int64    `json:"length"`   // messages on the whole path
	Messages     int64    `json:"messages"` // from the fork on
	Turns        int64    `json:"turns"`
	Steps        int64    `json:"steps"` // model calls
	InputTokens  int64    `json:"inputTokens"`
	OutputTokens int64    `json:"outputTokens"`
	CostNanoUSD  *int64   `json:"costNanoUsd"` // of the steps whose cost is known; nil: none is known
	Unpriced     int64    `json:"unpriced"`    // steps whose cost is unknown
	Models       []string `json:"models"`      // that answered, most steps first; never nil
	BeganAtMs    int64    `json:"beganAtMs"`   // 0: it has no message of its own
	EndedAtMs    int64    `json:"endedAtMs"`
}

// TurnRange is the part of a turn that lies on a path.
type TurnRange struct {
	Turn     int64  `json:"turn"`
	From     int64  `json:"from"` // the depth of its first message there
	Messages int64  `json:"messages"`
	Label    string `json:"label"`
	Role     Role   `json:"role"`    // of the prompt, or of its first message
	Preview  string `json:"preview"` // the beginning of that message, as one line; empty for the end of a turn
}

// Pair is a row of the comparison. A side without messages means that its path has no counterpart.
type Pair struct {
	Left  TurnRange `json:"left"`
	Right TurnRange `json:"right"`
}

// TurnRanges returns the turns of a path from a depth on, without their texts. A path may begin within a turn, and leave
// it before its end.
func (s *Skeleton) TurnRanges(path Path, from int64) []TurnRange {
	ranges := []TurnRange{}
	for _, seg := range path.Window(from, 0) {
		turns := s.starts[seg.Branch]
		at, _ := slices.BinarySearchFunc(turns, seg.From+1, func(turn, depth int64) int { return int(s.Turns[turn].FirstDepth - depth) })
		for i := max(at-1, 0); i < len(turns) && s.Turns[turns[i]].FirstDepth <= seg.To; i++ {
			turn := s.Turns[turns[i]]
			first, last := max(turn.FirstDepth, seg.From), min(turn.FirstDepth+turn.Messages-1, seg.To)
			ranges = append(ranges, TurnRange{Turn: turn.Number, From: first, Messages: last - first + 1})
		}
	}
	return ranges
}

// Align pairs the turns of two paths. Turns that begin with the same text, if it occurs once on each path, are paired
// as far as the order allows; between them turns are paired in sequence. An empty text equals no other. It takes O(n
// log n).
func Align(left, right []TurnRange) []Pair {
	pairs := make([]Pair, 0, max(len(left), len(right)))
	l, r := 0, 0
	beside := func(toLeft, toRight int) {
		for ; l < toLeft || r < toRight; l, r = min(l+1, toLeft), min(r+1, toRight) {
			var pair Pair
			if l < toLeft {
				pair.Left = left[l]
			}
			if r < toRight {
				pair.Right = right[r]
			}
			pairs = append(pairs, pair)
		}
	}
	for _, anchor := range anchors(left, right) {
		beside(anchor.left, anchor.right)
		beside(anchor.left+1, anchor.right+1)
	}
	beside(len(left), len(right))
	return pairs
}

// anchor is a text that occurs once in each of two lists: its index in both.
type anchor struct{ left, right int }

// anchors returns the longest sequence of texts that occur once in each list and in the same order in both.
func anchors(left, right []TurnRange) []anchor {
	inLeft, inRight := onlyOnes(left), onlyOnes(right)
	var common []anchor
	for i := range left {
		if at, ok := inRight[left[i].Preview]; ok && inLeft[left[i].Preview] == i {
			common = append(common, anchor{i, at})
		}
	}
	return increasing(common)
}

// onlyOnes returns the indexes of the texts that occur once.
func onlyOnes(ranges []TurnRange) map[string]int {
	at, count := map[string]int{}, map[string]int{}
	for i := range ranges {
		if words := ranges[i].Preview; words != "" && ranges[i].Role == RoleUser {
			at[words] = i
			count[words]++
		}
	}
	for words, n := range count {
		if n > 1 {
			delete(at, words)
		}
	}
	return at
}

// increasing returns the longest subsequence whose right indexes increase, as the left ones do, by patience sorting.
func increasing(common []anchor) []anchor {
	var ends []int // the smallest last element of a subsequence of each length
	before := make([]int, len(common))
	for i, c := range common {
		length, _ := slices.BinarySearchFunc(ends, c.right, func(end, right int) int { return common[end].right - right })
		before[i] = -1
		if length > 0 {
			before[i] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, i)
		} else {
			ends[length] = i
		}
	}
	row := make([]anchor, len(ends))
	if len(ends) == 0 {
		return row
	}
	at := ends[len(ends)-1]
	for i := range slices.Backward(row) {
		row[i] = common[at]
		at = before[at]
	}
	return row
}
