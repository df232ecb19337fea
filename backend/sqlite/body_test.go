package sqlite

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/packing"
)

// full is a message with something in every field.
func full() core.Message {
	cost := int64(12)
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	extra := map[string]json.RawMessage{"future": raw(`{"x":[1,2.50,"<é>"]}`)}
	return core.Message{
		UID: "full", Role: core.RoleAssistant, Kind: core.KindCompaction, Name: "Reviewer", Agent: "coder", Model: "demo/one",
		Usage: &core.Usage{
			InputTokens: 5, OutputTokens: 4, CacheReadTokens: 3, CacheWriteTokens: 2, ReasoningTokens: 1, Native: raw(`{"tier":"x"}`), Extra: extra,
		},
		CostNanoUSD: &cost, FinishReason: "stop", FinishRaw: "end_turn", Error: "it broke", CreatedAtMs: startMs,
		Origin: &core.Origin{Protocol: "p", Provider: "q", RequestModel: "r", ResponseModel: "s", ResponseID: "t", RequestID: "u", Extra: extra},
		Meta:   raw(`{"cwd":"/home"}`), Extra: extra,
		Parts: []core.Part{
			{Type: core.PartText, Text: "hello <b>&</b> \u2028 wörld", Extra: extra},
			{Type: core.PartReasoning, Redacted: true, Native: raw(`{"signature":"=="}`)},
			{Type: core.PartToolCall, ID: "t1", Name: "run", Arguments: raw(`{"b":1,"a":1.0}`), Server: true},
			{Type: core.PartToolResult, ID: "t1", IsError: true, DurationMs: 9, Structured: raw(`[null]`), Result: []core.Part{
				{Type: core.PartText, Text: "done", Extra: extra},
				{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", URI: "https://example.org/a.png", Width: 2, Height: 3, Extra: extra}},
			}},
			{Type: "hologram", Native: raw(`{"depth":3}`)},
		},
	}
}

func TestMessageSurvives(t *testing.T) {
	db := openTest(t)
	id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
	want := must(db.Append(t.Context(), id, full()))(t)
	got := must(db.Message(t.Context(), id, "full"))(t)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stored:\n%+v\nread:\n%+v", want, got)
	}
	given := full()
	given.Siblings, given.SiblingIndex = 1, 1
	if !reflect.DeepEqual(got, given) {
		t.Errorf("given:\n%+v\nread:\n%+v", given, got)
	}
}

func TestLongContentsSpill(t *testing.T) {
	db := openTest(t)
	text := strings.Repeat("0123456789äöü\n", 8000) // a cut would fall into a rune
	value := json.RawMessage(`"` + strings.Repeat("v", packing.SpillFrom) + `"`)
	image := []byte("\x89PNG not really")
	m := say("a", "", core.RoleTool)
	m.Parts = []core.Part{
		{Type: core.PartToolResult, Structured: value, Result: []core.Part{
			{Type: core.PartText, Text: text}, {Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: image}},
		}},
		{Type: core.PartText, Text: text},
		{Type: core.PartText, Text: text[:packing.SpillFrom]},
	}
	id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
	must(db.Append(t.Context(), id, m))(t)
	if m.Parts[1].Text != text || m.Parts[0].Result[1].Media.Data == nil {
		t.Error("the message that was given has changed")
	}
	got := must(db.Message(t.Context(), id, "a"))(t)
	head := got.Parts[1]
	if cut := head.Truncated; cut == nil || cut.SizeBytes != int64(len(text)) || cut.LineCount != 8000 || cut.Blob != core.Hash([]byte(text)) ||
		cut.Tail == "" || !strings.HasSuffix(text, cut.Tail) {
		t.Errorf("truncated %+v", cut)
	}
	if !strings.HasPrefix(text, head.Text) || len(head.Text) > packing.HeadBytes || len(head.Text) < packing.HeadBytes-4 || strings.ToValidUTF8(head.Text, "?") != head.Text {
		t.Errorf("the beginning is %d bytes", len(head.Text))
	}
	if p := got.Parts[2]; p.Truncated != nil {
		t.Error("a text at the limit was cut")
	}
	media := got.Parts[0].Result[1].Media
	if media.Blob != core.Hash(image) || media.SizeBytes != int64(len(image)) || media.Data != nil {
		t.Errorf("media %+v", media)
	}
	if b := must(db.Blob(t.Context(), media.Blob))(t); string(b.Data) != string(image) || b.MimeType != "image/png" {
		t.Errorf("content %+v", b)
	}
	check(t, db.Hydrate(t.Context(), &got))
	if got.Parts[1].Text != text || got.Parts[0].Result[0].Text != text || string(got.Parts[0].Structured) != string(value) || got.Parts[1].Truncated != nil {
		t.Error("it is not whole again")
	}
	digits := strings.TrimPrefix(core.Hash([]byte(text)), "sha256:")[:12]
	if b := must(db.Output(t.Context(), id, digits))(t); string(b.Data) != text {
		t.Errorf("the output has %d bytes", len(b.Data))
	}
	other := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
	for session, digits := range map[string]string{other: digits, id: strings.TrimPrefix(media.Blob, "sha256:")[:12]} {
		if _, err := db.Output(t.Context(), session, digits); core.CodeOf(err) != core.NotFound {
			t.Errorf("an output of another session, or an image: %v", err)
		}
	}
	blobs := collect(t, db.Blobs(t.Context(), id))
	if len(blobs) != 3 || blobs[0].Hash > blobs[1].Hash {
		t.Errorf("%d contents", len(blobs))
	}
	if s := must(db.Stats(t.Context()))(t); s.Blobs != 3 || s.BlobBytes > 10_000 {
		t.Errorf("stats %+v", s)
	}
	// what was read can be brought in again: it is the same content
	in := incoming("copy", got)
	copied := merged(t, db, in)
	if again := must(db.Message(t.Context(), copied, "a"))(t); again.Parts[1].Truncated == nil {
		t.Error("the copy was not cut")
	}
	wantSound(t, db)
}

// A content may come after the message that refers to it, or not at all.
func TestMissingContents(t *testing.T) {
	db := openTest(t)
	data := []byte("an image")
	m := say("a", "", core.RoleUser)
	m.Parts = []core.Part{
		{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Blob: core.Hash(data)}},
		{Type: core.PartText, Text: "beginn", Truncated: &core.Truncated{SizeBytes: 10, Blob: core.Hash([]byte("lost"))}},
	}
	in := incoming("one", m)
	in.Blobs = func(yield func(core.Blob, error) bool) {
		_ = yield(core.Blob{Hash: core.Hash(data), MimeType: "image/png", Data: data}, nil) &&
			yield(core.Blob{Hash: core.Hash([]byte("unwanted")), Data: []byte("unwanted")}, nil)
	}
	id := merged(t, db, in)
	if b := must(db.Blob(t.Context(), core.Hash(data)))(t); string(b.Data) != "an image" {
		t.Errorf("content %+v", b)
	}
	for _, missing := range []string{"lost", "unwanted"} {
		_, err := db.Blob(t.Context(), core.Hash([]byte(missing)))
		wantCode(t, err, core.NotFound)
	}
	got := must(db.Message(t.Context(), id, "a"))(t)
	check(t, db.Hydrate(t.Context(), &got))
	if got.Parts[1].Text != "beginn" || got.Parts[1].Truncated == nil {
		t.Errorf("part %+v", got.Parts[1])
	}
	wantSound(t, db)
}

func TestPreview(t *testing.T) {
	for want, parts := range map[string][]core.Part{
		"":                       {},
		"a b":                    {{Type: core.PartText, Text: " \n"}, {Type: core.PartText, Text: "\ta\r\n b\u00a0\u200b"[:6]}},
		"(scripted) hi":          {{Type: core.PartText, Text: "*(scripted)*\n\nhi"}},
		"read_file":              {{Type: core.PartToolCall, Name: "read_file"}},
		"out":                    {{Type: core.PartToolResult, Result: []core.Part{{Type: core.PartText, Text: "out"}}}},
		"image/png":              {{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png"}}},
		"a hill.png":             {{Type: core.PartMedia, Media: &core.Media{Name: "a hill.png", MimeType: "image/png"}}, {Type: core.PartMedia, Media: &core.Media{}}},
		"What is this?":          {{Type: core.PartMedia, Media: &core.Media{Name: "a hill.png"}}, {Type: core.PartText, Text: "What is this?"}},
		strings.Repeat("ä", 160): {{Type: core.PartText, Text: strings.Repeat("ä", 300)}},
	} {
		if got := excerpt.Preview(parts); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whatever a message says comes back as it was given.
func FuzzMessage(f *testing.F) {
	f.Add("hello", `{"a":1}`, []byte{1, 2})
	f.Add(strings.Repeat("long ", 20_000), `[]`, []byte{})
	f.Add("(\xb5/\xfd looks like zstd", `"\ud800"`, []byte("x"))
	db := openTest(f)
	id := must(db.CreateSession(f.Context(), core.Session{}))(f).ID
	f.Fuzz(func(t *testing.T, text, value string, data []byte) {
		m := core.Message{Role: core.RoleUser, Parts: []core.Part{
			{Type: core.PartText, Text: strings.ToValidUTF8(text, "�")},
			{Type: core.PartToolCall, Arguments: json.RawMessage(value)},
			{Type: core.PartMedia, Media: &core.Media{Data: data}},
		}}
		stored := must(db.Append(t.Context(), id, m))(t)
		got := must(db.Message(t.Context(), id, stored.UID))(t)
		check(t, db.Hydrate(t.Context(), &got))
		if got.Parts[0].Text != m.Parts[0].Text {
			t.Fatalf("read %+v", got.Parts)
		}
		if arguments := got.Parts[1].Arguments; json.Valid([]byte(value)) && string(arguments) != string(packing.Compact(json.RawMessage(value))) {
			t.Fatalf("arguments %s, want %s", arguments, value)
		}
		if b := must(db.Blob(t.Context(), core.Hash(data)))(t); string(b.Data) != string(data) {
			t.Fatalf("content %q, want %q", b.Data, data)
		}
	})
}

// The content hash, by which an import finds changed messages, is that of existing libraries.
func TestContentHashStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := full()
		m.Name, m.Model = rapid.String().Draw(t, "name"), rapid.SampledFrom([]string{"", "a \"b\" \\ \x00 \xff é \u2028 \U0010FFFF"}).Draw(t, "model")
		m.CreatedAtMs = rapid.Int64().Draw(t, "time")
		usage, cost := core.Usage{}, int64(-1)
		if rapid.Bool().Draw(t, "usage") {
			m.Usage.InputTokens = rapid.Int64().Draw(t, "input")
			usage = *m.Usage
		} else {
			m.Usage = nil
		}
		if rapid.Bool().Draw(t, "cost") {
			cost = *m.CostNanoUSD
		} else {
			m.CostNanoUSD = nil
		}
		h := sha256.New()
		fmt.Fprintf(h, "%q %q %q %q %q %q %d %t %d %d %d %d %d %d\nthe body", m.Kind, m.Role, m.Name, m.Agent, m.Model, m.FinishReason, m.CreatedAtMs,
			m.Usage != nil, usage.InputTokens, usage.OutputTokens, usage.CacheReadTokens, usage.CacheWriteTokens, usage.ReasoningTokens, cost)
		if got, want := packing.ContentHash(&m, []byte("the body")), int64(binary.BigEndian.Uint64(h.Sum(nil))); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}

// A body is what encoding/json makes of it.
func TestBodyIsWhatEncodingJSONMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage(`null`), json.RawMessage(` { "a" : [ 1.0 , "<é>" ] }`), json.RawMessage(`{half`)})
		extra := rapid.SampledFrom([]map[string]json.RawMessage{nil, {}, {"z": json.RawMessage(`1`), "a<": json.RawMessage(` "\u2028" `)}})
		m := core.Message{
			FinishRaw: rapid.String().Draw(t, "finishRaw"), Error: rapid.String().Draw(t, "error"), Meta: raw.Draw(t, "meta"), Extra: extra.Draw(t, "extra"),
		}
		want := packing.Body{FinishRaw: m.FinishRaw, Error: m.Error, Meta: m.Meta, Extra: m.Extra}
		if rapid.Bool().Draw(t, "usage") {
			m.Usage = &core.Usage{Native: raw.Draw(t, "native"), Extra: extra.Draw(t, "usage extra")}
			want.UsageNative, want.UsageExtra = m.Usage.Native, m.Usage.Extra
		}
		if rapid.Bool().Draw(t, "origin") {
			m.Origin = &core.Origin{Provider: "<p>", Extra: extra.Draw(t, "origin extra")}
			want.Origin = m.Origin
		}
		got, err := packing.EncodeBody(nil, &m)
		rest, wantErr := jsontext.Encode(&want)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if err != nil {
			return
		}
		whole := `{"parts":[]}`
		if string(rest) != "{}" {
			whole = `{"parts":[],` + string(rest[1:])
		}
		if string(got) != whole {
			t.Fatalf("%s, want %s", got, whole)
		}
	})
}
