package window

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http/httptest"
	"strconv"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
)

// skeleton is a decoded response of /skeleton/.
type skeleton struct {
	n, turns, branches, messages, headTurn, reshapes, whole int32
	columns                                                 [6][]int32 // number, parent, branch, first depth, messages, tokens
	createdAtMs, cost, estimated                            []float64
	bits                                                    []byte
	tail                                                    skeletonTail
}

func fetchSkeleton(t *testing.T, b *bindings, path string) skeleton {
	t.Helper()
	answer := httptest.NewRecorder()
	newAssets(b.program, true).ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
	data := answer.Body.Bytes()
	if answer.Code != 200 || string(data[:4]) != skeletonMagic {
		t.Fatalf("%s: %d %.200q", path, answer.Code, data)
	}
	at := 4
	number := func() int32 {
		at += 4
		return int32(binary.LittleEndian.Uint32(data[at-4:])) //nolint:gosec // keeps the bits
	}
	s := skeleton{n: number(), turns: number(), branches: number(), messages: number(), headTurn: number(), reshapes: number(), whole: number()}
	tail := number()
	at = skeletonHead
	for _, column := range []*[]float64{&s.createdAtMs, &s.cost, &s.estimated} {
		for range s.n {
			*column = append(*column, math.Float64frombits(binary.LittleEndian.Uint64(data[at:])))
			at += 8
		}
	}
	for i := range s.columns {
		for range s.n {
			s.columns[i] = append(s.columns[i], number())
		}
	}
	s.bits = data[at : at+int(s.n)]
	at += int(s.n)
	if len(data) != at+int(tail) {
		t.Fatalf("%d bytes, want %d", len(data), at+int(tail))
	}
	if err := json.Unmarshal(data[at:], &s.tail); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSkeletonIsTheTree(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	for _, session := range apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Sessions {
		tree := treeOf(t, b, session.ID)
		s := fetchSkeleton(t, b, skeletonPath+session.ID)
		if int(s.turns) != len(tree.Turns) || s.n < s.turns || int(s.branches) != len(tree.Branches) || int64(s.messages) != session.MessageCount ||
			int64(s.headTurn) != tree.HeadTurn || s.whole != 1 || s.tail.Head != tree.Head {
			t.Errorf("%s: %+v", session.Title, s)
		}
		labels := map[int64]string{}
		for _, l := range s.tail.Labels {
			labels[l.Turn] = l.Text
		}
		var tokens int64
		at := 0 // the row of the turn, of which a divided one has several
		for _, turn := range tree.Turns {
			for c, want := range []int64{turn.Number, turn.Parent, turn.Branch, turn.FirstDepth} {
				if int64(s.columns[c][at]) != want {
					t.Errorf("%s: column %d of n%d is %d, want %d", session.Title, c, turn.Number, s.columns[c][at], want)
				}
			}
			if labels[turn.Number] != turn.Label || int64(s.createdAtMs[at]) != turn.CreatedAtMs {
				t.Errorf("%s: n%d has label %q and time %f", session.Title, turn.Number, labels[turn.Number], s.createdAtMs[at])
			}
			var messages int64
			for ; at < int(s.n) && int64(s.columns[0][at]) == turn.Number; at++ {
				messages += int64(s.columns[4][at])
				tokens += int64(s.columns[5][at])
			}
			if messages != turn.Messages {
				t.Errorf("%s: n%d has %d messages, want %d", session.Title, turn.Number, messages, turn.Messages)
			}
		}
		if tokens != session.InputTokens+session.OutputTokens {
			t.Errorf("%s: %d tokens, want %d", session.Title, tokens, session.InputTokens+session.OutputTokens)
		}
	}
}

func TestSkeletonHasOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	session := branched(t, b)
	path := skeletonPath + session.ID
	if s := fetchSkeleton(t, b, path+"?after=100000000"); s.whole != 1 {
		t.Errorf("a reader that knows more than there is gets %+v", s)
	}
	all := fetchSkeleton(t, b, path)
	before := all.messages - 2
	s := fetchSkeleton(t, b, path+"?after="+strconv.Itoa(int(before)))
	if s.whole != 0 || s.n != 1 || s.columns[0][0] != all.turns-1 || s.turns != all.turns {
		t.Errorf("after m%d: %+v", before, s)
	}
	answer := httptest.NewRecorder()
	newAssets(b.program, true).ServeHTTP(answer, httptest.NewRequest("GET", skeletonPath+"none", nil))
	var failed failure
	if err := json.Unmarshal(answer.Body.Bytes(), &failed); err != nil || failed.Code != core.NotFound || answer.Code != 404 {
		t.Errorf("%d %s %v", answer.Code, answer.Body, err)
	}
}

func TestTurnsAreFound(t *testing.T) {
	t.Parallel()
	b, _ := openBindings(t)
	session := branched(t, b)
	tree := treeOf(t, b, session.ID)
	rows := apptest.Must(b.GetTurns(session.ID, []int64{0, tree.HeadTurn}))(t)
	if len(rows) == 0 || rows[0].Preview != tree.Turns[0].Preview || rows[len(rows)-1].LastUID != tree.Turns[tree.HeadTurn].LastUID {
		t.Errorf("turns %+v", rows)
	}
	word := tree.Turns[0].Preview[:8]
	if found := apptest.Must(b.FindTurnsBeginning(session.ID, word))(t); len(found) == 0 || found[0] != 0 {
		t.Errorf("turns beginning with %q: %v", word, found)
	}
	if found := apptest.Must(b.FindTurns(session.ID, word))(t); len(found) == 0 || found[0] != 0 {
		t.Errorf("turns with %q: %v", word, found)
	}
	if found := apptest.Must(b.FindTurns(session.ID, "nothing says this"))(t); found == nil || len(found) > 0 {
		t.Errorf("found %v", found)
	}
}
