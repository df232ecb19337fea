package window

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// skeletonPath is the path of a session's tree; the session's id follows. The response is the whole tree, or with
// ?after=SEQ&reshapes=N the turns that changed after the message with that number.
const skeletonPath = "/skeleton/"

// serveSkeleton serves a session's tree as columns, see encodeSkeleton, or an error as JSON.
func (p *program) serveSkeleton(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("session")
	shape, err := call(p, func(ctx context.Context, db *sqlite.DB) (core.Shape, error) {
		p.changes.Watch(id)
		return db.Shape(ctx, id, queryNumber(r, "after", -1), queryNumber(r, "reshapes", 0))
	})
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if err != nil {
		serveError(w, http.StatusNotFound, err)
		return
	}
	data := encodeSkeleton(&shape)
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the window closed
}

// queryNumber returns a number in the query of the URL, or otherwise if it is missing or invalid.
func queryNumber(r *http.Request, name string, otherwise int64) int64 {
	n, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil {
		return otherwise
	}
	return n
}

// skeletonMagic is the start of a skeleton. Its last character is the version of the layout.
const skeletonMagic = "CSK3"

// skeletonHead is the length of the header before the columns. It keeps columns of eight bytes aligned.
const skeletonHead = 40

// Bits of a turn in a skeleton. The bits from skeletonRun on hold the status of the run that started with the turn: 0
// without a run, else 1 + the index in runStatuses.
const (
	skeletonPrompt = 1 << iota
	skeletonTools
	skeletonCompacted
	skeletonPriced // the cost is known
	skeletonRun    = iota
)

// runStatuses returns the statuses in the order of their numbers in a skeleton.
func runStatuses() []core.Status {
	return []core.Status{core.StatusRunning, core.StatusSuccess, core.StatusPartial, core.StatusFailed, core.StatusInterrupted, core.StatusHibernated}
}

// skeletonTail is the part of a skeleton that is encoded as JSON.
type skeletonTail struct {
	Head   string          `json:"head"`
	Labels []skeletonLabel `json:"labels"`
	// The bookmarked turns, the last turn of the main path (-1: no main path), and the tops of the subtrees in the trash.
	Bookmarks []int64       `json:"bookmarks"`
	Main      int64         `json:"main"`
	Hidden    []skeletonTop `json:"hidden"`
	// Checkpoints holds the first checkpoint of each turn that has one.
	Checkpoints []core.TurnCheckpoint `json:"checkpoints"`
}

type skeletonLabel struct {
	Turn  int64      `json:"turn"`
	Text  string     `json:"text"`
	Color core.Color `json:"color"`
}

// skeletonTop is the top message of a subtree in the trash.
type skeletonTop struct {
	Branch int64 `json:"branch"`
	Depth  int64 `json:"depth"`
}

// encodeSkeleton encodes a tree as little-endian columns, which the page reads as typed arrays without decoding each turn.
// frontend/src/lib/tree/skeleton.ts reads it.
//
// A divided turn has a row for each of its ranges (core.TurnShape), all with its number.
//
//	bytes 0–3   CSK3
//	bytes 4–39  int32 each: rows in the columns, turns, branches, messages, turn of the head, reshapes, 1 if it is
//	            the whole tree, bytes of the tail, depth of the head
//	float64[n]  time of creation in ms; cost in nano-USD (whole numbers, exact to nine million dollars), 0 without one; list
//	            price of the calls without a cost, likewise
//	int32[n]    number, parent, branch, first depth, messages, tokens
//	uint8[n]    bits
//	tail        skeletonTail as JSON: the uid of the head, labels, bookmarks, main path, trash, checkpoints
func encodeSkeleton(s *core.Shape) []byte {
	tail := skeletonTail{
		Head: s.Head, Labels: make([]skeletonLabel, len(s.Labels)),
		Bookmarks: make([]int64, len(s.Bookmarks)), Main: s.Main, Hidden: make([]skeletonTop, len(s.Hidden)), Checkpoints: s.Checkpoints,
	}
	for i, l := range s.Labels {
		tail.Labels[i] = skeletonLabel{Turn: l.Turn, Text: l.Text, Color: l.Color}
	}
	for i, b := range s.Bookmarks {
		tail.Bookmarks[i] = b.Turn
	}
	for i, top := range s.Hidden {
		tail.Hidden[i] = skeletonTop{top.Branch, top.Depth}
	}
	words, _ := json.Marshal(tail) // strings and numbers only: no error is possible
	n := len(s.Changed)
	data := append(make([]byte, 0, skeletonHead+n*(3*8+6*4+1)+len(words)), skeletonMagic...)
	whole := int64(0)
	if s.IsWhole {
		whole = 1
	}
	for _, number := range []int64{int64(n), s.Turns, s.Branches, s.Messages, s.HeadTurn, s.Reshapes, whole, int64(len(words)), s.HeadDepth} {
		data = appendInt32(data, number)
	}
	for _, column := range []func(*core.TurnShape) float64{
		func(t *core.TurnShape) float64 { return float64(t.CreatedAtMs) },
		func(t *core.TurnShape) float64 { return orZero(t.CostNanoUSD) },
		func(t *core.TurnShape) float64 { return orZero(t.EstimatedNanoUSD) },
	} {
		for i := range s.Changed {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(column(&s.Changed[i])))
		}
	}
	for _, column := range []func(*core.TurnShape) int64{
		func(t *core.TurnShape) int64 { return t.Number },
		func(t *core.TurnShape) int64 { return t.Parent },
		func(t *core.TurnShape) int64 { return t.Branch },
		func(t *core.TurnShape) int64 { return t.FirstDepth },
		func(t *core.TurnShape) int64 { return t.Messages },
		func(t *core.TurnShape) int64 { return t.Tokens },
	} {
		for i := range s.Changed {
			data = appendInt32(data, column(&s.Changed[i]))
		}
	}
	for i := range s.Changed {
		data = append(data, skeletonBits(&s.Changed[i]))
	}
	return append(data, words...)
}

// orZero returns an amount as a number of eight bytes.
func orZero(nanoUSD *int64) float64 {
	if nanoUSD == nil {
		return 0
	}
	return float64(*nanoUSD)
}

// appendInt32 appends a number, limited to the range of int32. Only a number of tokens could exceed it.
func appendInt32(data []byte, n int64) []byte {
	return binary.LittleEndian.AppendUint32(data, uint32(int32(min(max(n, math.MinInt32), math.MaxInt32)))) //nolint:gosec // within bounds
}

func skeletonBits(t *core.TurnShape) byte {
	bits := 0
	if t.HasPrompt {
		bits |= skeletonPrompt
	}
	if t.HasTools {
		bits |= skeletonTools
	}
	if t.IsCompacted {
		bits |= skeletonCompacted
	}
	if t.CostNanoUSD != nil {
		bits |= skeletonPriced
	}
	if t.Run == "" {
		return byte(bits)
	}
	for i, status := range runStatuses() {
		if t.Run == status {
			bits |= (i + 1) << skeletonRun
		}
	}
	return byte(bits)
}
