package archive_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// withParts returns a session of one message.
func withParts(parts ...core.Part) core.Incoming {
	in := small(0)
	in.Session.HeadUID = "m"
	in.Head = func() string { return "m" }
	in.Messages = func(yield func(core.IncomingMessage, error) bool) {
		yield(core.IncomingMessage{Message: core.Message{UID: "m", Role: core.RoleUser, Kind: core.KindMessage, Parts: parts}}, nil)
	}
	return in
}

// TestLargeContentsComeBack exports contents that are larger than any value the reader holds, and imports them again. Libraries of older versions
// have contents of up to 256 MiB.
func TestLargeContentsComeBack(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 100 MiB several times")
	}
	picture := make([]byte, 100<<20) // 133 MiB in base64
	_, _ = rand.NewChaCha8([32]byte{1}).Read(picture)
	in := withParts(
		core.Part{Type: core.PartText, Text: "look at this"},
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", SizeBytes: int64(len(picture)), Data: picture}},
	)
	first := openLibrary(t)
	if _, err := core.Merge(t.Context(), first, in); err != nil {
		t.Fatal(err)
	}
	for _, asLines := range []bool{false, true} {
		data := write(t, first, []string{"session-0"}, asLines, archive.Options{})
		second := openLibrary(t)
		if ids := readInto(t, second, data); len(ids) != 1 {
			t.Fatalf("as lines %t: imported %v", asLines, ids)
		}
		if b, err := second.Blob(t.Context(), core.Hash(picture)); err != nil || !bytes.Equal(b.Data, picture) {
			t.Errorf("as lines %t: the content is not the same: %d bytes, %v", asLines, len(b.Data), err)
		}
		if again := write(t, second, []string{"session-0"}, asLines, archive.Options{}); !bytes.Equal(again, data) {
			t.Errorf("as lines %t: a second export differs", asLines)
		}
	}
}

// TestLargeTextsAreWrittenAsBlobs exports a message that cannot be read again as one value: each control character takes six bytes of
// JSON. Its texts are written as blobs, and the message comes back with the same content hash.
func TestLargeTextsAreWrittenAsBlobs(t *testing.T) {
	long := strings.Repeat("\x01", 23<<20)
	structured := []byte(`"` + strings.Repeat("x", 17<<20) + `"`)
	for name, part := range map[string]core.Part{
		"a text":             {Type: core.PartText, Text: long},
		"a structured value": {Type: core.PartToolResult, Structured: structured},
		"a tool's output":    {Type: core.PartToolResult, Result: []core.Part{{Type: core.PartText, Text: long}}},
	} {
		first := openLibrary(t)
		if _, err := core.Merge(t.Context(), first, withParts(part)); err != nil {
			t.Fatal(err)
		}
		for _, asLines := range []bool{false, true} {
			data := write(t, first, []string{"session-0"}, asLines, archive.Options{})
			second := openLibrary(t)
			readInto(t, second, data)
			again := write(t, second, []string{"session-0"}, asLines, archive.Options{})
			if !bytes.Equal(again, data) || !bytes.Contains(data, []byte("data\":\"")) {
				t.Errorf("%s, as lines %t: %d bytes come back as %d", name, asLines, len(data), len(again))
			}
			for m, err := range second.Messages(t.Context(), "session-0") {
				if err == nil {
					err = second.Hydrate(t.Context(), &m)
				}
				got := m.Parts[0]
				if len(got.Result) > 0 {
					got = got.Result[0]
				}
				if err != nil || got.Text != part.Text && got.Text != long || string(got.Structured) != string(part.Structured) {
					t.Errorf("%s: %d bytes of text, %d structured, %v", name, len(got.Text), len(got.Structured), err)
				}
			}
		}
	}
}

// TestBlobsByHand reads blobs as other programs may write them.
func TestBlobsByHand(t *testing.T) {
	words := []byte("words in a file?>") // base64 with a slash
	hash := core.Hash(words)
	good := fmt.Sprintf(`{"hash":%q,"mimeType":"text/plain","sizeBytes":17,"data":"d29yZHMgaW4gYSBmaWxlPz4="}`, hash)
	message := `{"uid":"m","role":"user","parts":[{"type":"media","media":{"mimeType":"text/plain","blob":"` + hash + `"}}]}`
	for _, test := range []struct {
		name, blob string
		found      bool
		problem    string // empty: none
	}{
		{"as it is written", good, true, ""},
		{"in another order, with white space", fmt.Sprintf(` { "data" : "d29yZHMgaW4gYSBmaWxlPz4=" , "hash" : %q }`, hash), true, ""},
		{"a slash that is escaped", strings.Replace(good, "Pz4=", `Pz4\/`, 1), false, "is left out"},
		{"an unknown member", strings.Replace(good, `"mimeType"`, `"later":[{"data":"}"}],"mimeType"`, 1), true, ""},
		{"a size that is a lie", strings.Replace(good, ":17,", ":9000000000000000000,", 1), true, ""},
		{"a negative size", strings.Replace(good, ":17,", ":-9000000000000000000,", 1), true, ""},
		{"no base64", strings.Replace(good, "d29y", `!\"!!`, 1), false, "is left out"},
		{"data of another type", strings.Replace(good, `"d29yZHMgaW4gYSBmaWxlPz4="`, `{"a":["b"]}`, 1), false, "data in base64 are expected"},
		{"a hash of another type", strings.Replace(good, `"`+hash+`"`, `7`, 1), false, "it is left out"},
		{"no object", `7`, false, "it is left out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, data := range []string{
				`{"format":"coppice.session","version":1,"session":{"id":"a"},"messages":[` + message + `],"blobs":[` + test.blob + `]}`,
				`{"format":"coppice.lines","version":1,"session":{"id":"a"}}` + "\n" + message + "\n" + `{"blob":` + test.blob + "}\n",
				`{"format":"coppice.lines","version":1,"session":{"id":"a"}}` + "\n" + message + "\n" + `{ "blob" : ` + test.blob + "}",
			} {
				s := newMemoryLibrary()
				problems := s.read(t, []byte(data))
				if _, found := s.blobs[hash]; found != test.found || len(s.ids) != 1 {
					t.Errorf("found %t, %d sessions, problems %q\n%s", found, len(s.ids), problems, data)
				}
				if (test.problem != "") != (len(problems) == 1) || test.problem != "" && !mentions(problems, test.problem) {
					t.Errorf("problems %q, want %q\n%s", problems, test.problem, data)
				}
			}
		})
	}
}

// TestArchiveBounds reads values beyond the bounds, each of which is reported; the session beside it is imported.
func TestArchiveBounds(t *testing.T) {
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	dense := "[" + strings.Repeat("{},", jsontext.MaxValues) + "{}]"
	for name, test := range map[string]struct{ message, problem string }{
		"depth of a message":        {`{"uid":"m","role":"user","meta":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "exceeded max depth"},
		"depth of a large message":  {`{"uid":"m","role":"user","meta":"` + strings.Repeat("x", jsontext.MaxValues) + `","extra":` + deep + `}`, jsontext.TooDeep},
		"count of values":           {`{"uid":"m","role":"user","meta":` + dense + `}`, jsontext.TooDense},
		"size of a message":         {`{"uid":"m","role":"user","text":"` + strings.Repeat("x", 2*core.MaxValueBytes) + `"}`, "a single value of more than 128 MiB"},
		"a name of a million bytes": {`{"uid":"m","role":"user","` + strings.Repeat("n", 1<<20) + `":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bad := `{"session":{"id":"bad"},"messages":[` + test.message + `]}`
			good := `{"session":{"id":"good"},"messages":[{"uid":"g","role":"user"}]}`
			s := newMemoryLibrary()
			problems := s.read(t, []byte(`{"format":"coppice.archive","version":1,"sessions":[`+"\n"+bad+",\n"+good+"\n]}"))
			if test.problem == "" {
				if len(s.ids) != 2 || len(problems) > 0 {
					t.Errorf("imported %v, problems %.300q", s.ids, problems)
				}
				return
			}
			if len(s.ids) != 1 || s.ids[0] != "good" || len(problems) != 1 || !mentions(problems, test.problem) || len(problems[0]) > 300 {
				t.Errorf("imported %v, problems %.300q", s.ids, problems)
			}
		})
	}
}
