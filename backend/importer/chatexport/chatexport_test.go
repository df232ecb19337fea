package chatexport

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"coppice/backend/core"
)

// read lists the ids of the conversations of a file, and what is wrong with it.
func read(t *testing.T, name string, data []byte) (ids, problems []string) {
	t.Helper()
	file := core.SourceFile{
		Path: name, SizeBytes: int64(len(data)), Data: bytes.NewReader(data), Progress: func(int64) {},
		Problem: func(line int64, message string) { problems = append(problems, fmt.Sprint(line, " ", message)) },
	}
	cursors := 0
	for in, err := range Read(t.Context(), file, func(_ *Conversation, v gjson.Result) (core.Incoming, bool) {
		return core.Incoming{
			Header: core.Header{Session: core.Session{SourceID: v.Get("id").String()}},
		}, v.Get("id").Exists()
	}) {
		if err != nil {
			problems = append(problems, err.Error())
			break
		}
		ids = append(ids, in.Session.SourceID)
		if in.Cursor != nil {
			cursors++
		}
	}
	if len(ids) > 0 && cursors != 1 {
		t.Errorf("%d cursors", cursors)
	}
	return ids, problems
}

// pack makes a zip without compression, a name before each contents.
func pack(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: zip.Store})
		if err == nil {
			_, err = w.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	whole := pack(t, "conversations-001.json", `[{"id":"c"}]`, "conversations-000.json", `[{"id":"a"},{"id":"b"}]`, "projects.json", `[{"id":"x"}]`)
	for name, c := range map[string]struct {
		data     []byte
		ids      string
		problems int
	}{
		"list": {[]byte(`[{"id":"a"}, {}, {"id":"b"}]`), "a b", 0}, "one": {[]byte(` {"id":"a"}`), "a", 0}, "empty": {nil, "", 1}, "nothing in it": {[]byte(`[]`), "", 0},
		"not objects": {[]byte(`[1,{"id":"a"},"b"]`), "a", 2}, "damaged": {[]byte(`[{"id":"a"},{"id":tru},{"id":"b"}`), "a b", 2}, "one, cut": {[]byte(`{"id":"a"`), "", 1},
		"zip": {whole, "a b c", 0}, "damaged file in a zip": {bytes.Replace(whole, []byte(`{"id":"b"}`), []byte(`{"id":"d"}`), 1), "a d c", 1},
		"two lists": {[]byte(`[{"id":"a"}][{"id":"b"}]`), "a", 1}, "two objects": {[]byte(`{"id":"a"}{"id":"b"}`), "a", 1},
		"cut file in a zip": {pack(t, "conversations.json", `[{"id":"a"},{"i`, "x/conversations_2.json", `[{"id":"b"}]`), "a b", 1}, "zip of something else": {pack(t, "a.json", "[]"), "", 0},
		"cut zip": {whole[:len(whole)-40], "", 1},
	} {
		ids, problems := read(t, "export", c.data)
		if strings.Join(ids, " ") != c.ids || len(problems) != c.problems {
			t.Errorf("%s: %v, %v", name, ids, problems)
		}
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, err := Open(core.SourceFile{SizeBytes: 12, Data: strings.NewReader(`[{"id":"a"}]`), Progress: func(int64) {}})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.Conversations(ctx) {
		if err == nil {
			t.Error("it goes on")
		}
	}
}

func TestCircles(t *testing.T) {
	tree := Arrange([]Node{{ID: "self", Parent: "self"}, {ID: "a", Parent: "c", TimeMs: 3}, {ID: "b", Parent: "a"}, {ID: "c", Parent: "b"}, {ID: "d", Parent: "gone"}}, 2)
	if tree.Circles != 2 || len(tree.Positions) != 5 || tree.Above("c") != 3 || tree.Above("gone") != -1 {
		t.Errorf("%+v", tree)
	}
}

// TestArrange checks random forests: parents come first, nothing is older than its parent, and the children of a skipped node have its
// nearest ancestor as their parent.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "nodes")
		nodes := make([]Node, n)
		for i := range nodes {
			nodes[i] = Node{ID: fmt.Sprint(i), Parent: fmt.Sprint(rapid.IntRange(-1, n).Draw(t, "parent")), TimeMs: rapid.Int64Range(0, 20).Draw(t, "time"), Skip: rapid.Bool().Draw(t, "skip")}
		}
		tree := Arrange(nodes, 1)
		at := map[int]int64{-1: 0}
		for _, p := range tree.Positions {
			above, known := at[p.Parent]
			if _, twice := at[p.Index]; twice || !known || p.TimeMs < above || p.TimeMs < nodes[p.Index].TimeMs || nodes[p.Index].Skip {
				t.Fatalf("%+v in %+v", p, tree.Positions)
			}
			at[p.Index] = p.TimeMs
			if tree.Circles > 0 {
				continue
			}
			want := -1
			for up := nodes[p.Index].Parent; up != "-1" && up != fmt.Sprint(n); up = nodes[want].Parent {
				if _, err := fmt.Sscan(up, &want); err != nil {
					t.Fatal(err)
				}
				if !nodes[want].Skip {
					break
				}
				if next := nodes[want].Parent; next == "-1" || next == fmt.Sprint(n) {
					want = -1
					break
				}
			}
			if p.Parent != want {
				t.Fatalf("%d hangs on %d, not on %d", p.Index, p.Parent, want)
			}
		}
	})
}
