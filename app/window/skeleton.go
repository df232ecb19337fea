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

// skeletonPath is where the window fetches a session's tree by its id: all of it, or with
// ?after=SEQ&reshapes=N what has come after the message of that number.
const skeletonPath = "/skeleton/"

// serveSkeleton answers with a session's tree as columns, see encodeSkeleton; with the error as JSON where there is none.
func (b *Bindings) serveSkeleton(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("session")
	shape, err := call(b, func(ctx context.Context, db *sqlite.DB) (core.Shape, error) {
		b.changes.watch(id)
		return db.Shape(ctx, id, queryNumber(r, "after", -1), queryNumber(r, "reshapes", 0))
	})
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if err != nil {
		header.Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_ = json.NewEncoder(w).Encode(formatError(err)) // the window went away
		return
	}
	data := encodeSkeleton(&shape)
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the window went away
}

// queryNumber returns a number of the address, or another where there is none.
func queryNumber(r *http.Request, name string, otherwise int64) int64 {
	n, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil {
		return otherwise
	}
	return n
}

// skeletonMagic begins a skeleton; its last letter is the version of the layout.
const skeletonMagic = "CSK1"

// skeletonHead is the length of what stands before the columns, so that those of eight bytes are aligned.
const skeletonHead = 40

// Bits of a turn in a skeleton. Above them stands the status of the run that began with it: 0 for none, else 1 + its
// place in runStatuses.
const (
	skeletonPrompt = 1 << iota
	skeletonTools
	skeletonCompacted
	skeletonPriced // the cost is known
	skeletonRun    = iota
)

// runStatuses are in the order of their numbers in a skeleton.
func runStatuses() []core.Status {
	return []core.Status{core.StatusRunning, core.StatusSuccess, core.StatusPartial, core.StatusFailed, core.StatusInterrupted, core.StatusHibernated}
}

// skeletonTail is what of a skeleton are words.
type skeletonTail struct {
	Head   string          `json:"head"`
	Labels []skeletonLabel `json:"labels"`
	// The turns that are bookmarked, the one that the main path ends with (-1: none), and the tops of what is in the trash.
	Bookmarks []int64       `json:"bookmarks"`
	Main      int64         `json:"main"`
	Hidden    []skeletonTop `json:"hidden"`
	// Checkpoints tell of the first one of each turn that has one.
	Checkpoints []core.TurnCheckpoint `json:"checkpoints"`
}

type skeletonLabel struct {
	Turn  int64      `json:"turn"`
	Text  string     `json:"text"`
	Color core.Color `json:"color"`
}

// skeletonTop is the top of a subtree in the trash.
type skeletonTop struct {
	Branch int64 `json:"branch"`
	Depth  int64 `json:"depth"`
}

// encodeSkeleton lays a tree out as little-endian columns, which the window reads as typed arrays without touching each
// turn. frontend/src/lib/skeleton.ts reads it.
//
//	bytes 0–3   CSK1
//	bytes 4–39  int32 each: turns in the columns, turns, branches, messages, turn of the head, reshapes, 1 where it is
//	            the whole tree, bytes of the tail, 0
//	float64[n]  time of creation in ms; cost in nano-USD (whole numbers, exact to nine million dollars)
//	int32[n]    number, parent, branch, first depth, messages, tokens
//	uint8[n]    bits
//	tail        skeletonTail as JSON: the uid of the head, the labels, what is marked and hidden, the checkpoints
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
	words, _ := json.Marshal(tail) // plain strings and numbers
	n := len(s.Changed)
	data := append(make([]byte, 0, skeletonHead+n*(2*8+6*4+1)+len(words)), skeletonMagic...)
	whole := int64(0)
	if s.IsWhole {
		whole = 1
	}
	for _, number := range []int64{int64(n), s.Turns, s.Branches, s.Messages, s.HeadTurn, s.Reshapes, whole, int64(len(words)), 0} {
		data = appendInt32(data, number)
	}
	for _, column := range []func(*core.TurnShape) float64{
		func(t *core.TurnShape) float64 { return float64(t.CreatedAtMs) },
		func(t *core.TurnShape) float64 {
			if t.CostNanoUSD == nil {
				return 0
			}
			return float64(*t.CostNanoUSD)
		},
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

// appendInt32 appends a number; one that is too large, as only tokens could be, becomes the largest.
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
