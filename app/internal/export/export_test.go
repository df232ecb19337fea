package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/formats"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// planted holds secrets of every kind. The last one can only be recognized by the name of its field.
var planted = struct{ text, json string }{
	text: "ask ann@example.org about /home/ann/notes and sk-" + "proj-" + strings.Repeat("a1B2", 10),
	json: `{"password":"correct-horse","x-api-key":"battery","note":"ann@example.org in /home/ann"}`,
}

func leaks() []string {
	return []string{"ann@example", "/home/ann", "sk-" + "proj", "correct-horse", "battery"}
}

// plant fills every text of a struct with a secret, except ids and fields with a fixed set of values.
func plant(v reflect.Value) {
	raw, text := reflect.TypeFor[json.RawMessage](), reflect.TypeFor[string]()
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case field.Type() == raw:
			field.SetBytes([]byte(planted.json))
		case field.Type() == reflect.TypeFor[map[string]json.RawMessage]():
			field.Set(reflect.ValueOf(map[string]json.RawMessage{"x": json.RawMessage(planted.json), "apiKey": json.RawMessage(`"battery"`)}))
		case field.Type() == reflect.TypeFor[[]string]():
			field.Set(reflect.ValueOf([]string{planted.text}))
		case field.Type() == text && !isID(name):
			field.SetString(planted.text)
		}
	}
}

func isID(name string) bool {
	return name == "FinishReason" || name == "StopReason" || regexp.MustCompile(`(ID|UID|Blob|Hash)$`).MatchString(name)
}

func planting[T any](value T) T {
	plant(reflect.ValueOf(&value).Elem())
	return value
}

// plantedLibrary returns a library that holds one session with a secret in every text, and a second session without
// secrets.
func plantedLibrary(t *testing.T) *sqlite.DB {
	t.Helper()
	db := apptest.OpenLibrary(t)
	whole := []byte(strings.Repeat("a line of a long output\n", 50) + planted.text + "\n")
	attached := []byte("name: x\n" + planted.text + "\n")
	media := func(hash string) *core.Media {
		m := planting(core.Media{})
		m.MimeType, m.Blob = "text/plain", hash
		return &m
	}
	call := planting(core.Part{Type: core.PartToolCall, ID: "call-1"})
	call.Name = "run " + planted.text
	result := planting(core.Part{Type: core.PartToolResult, ID: "call-1"})
	inner := planting(core.Part{Type: core.PartText})
	inner.Truncated = &core.Truncated{SizeBytes: int64(len(whole)), LineCount: 51, Blob: core.Hash(whole), Shown: true}
	result.Result = []core.Part{inner, {Type: core.PartMedia, Media: media(core.Hash(attached))}}
	usage, origin := planting(core.Usage{InputTokens: 1}), planting(core.Origin{})
	var messages []core.IncomingMessage
	add := func(uid string, role core.Role, parts ...core.Part) {
		m := planting(core.Message{UID: uid, Role: role, Kind: core.KindMessage})
		if len(messages) > 0 {
			m.ParentUID = messages[len(messages)-1].UID
		}
		m.Parts, m.Usage, m.Origin = parts, &usage, &origin
		messages = append(messages, core.IncomingMessage{Message: m})
	}
	add("m-0", core.RoleUser, planting(core.Part{Type: core.PartText}), core.Part{Type: core.PartMedia, Media: media(core.Hash(attached))})
	add("m-1", core.RoleAssistant, planting(core.Part{Type: core.PartReasoning}), planting(core.Part{Type: core.PartText}),
		planting(core.Part{Type: core.PartSummary}), planting(core.Part{Type: core.PartOther}), planting(core.Part{Type: "later"}), call)
	add("m-2", core.RoleTool, result)
	sessions := []core.Session{planting(core.Session{}), {Title: "Nothing to hide"}}
	for i, session := range sessions {
		session.ID = []string{"01930000-0000-7000-8000-00000000000a", "01940000-0000-7000-8000-00000000000b"}[i]
		session.Source, session.Status, session.Relation = core.SourceCoppice, core.StatusIdle, core.RelationNone
		in := core.Incoming{
			Header: core.Header{Session: session, Labels: []core.Label{planting(core.Label{UID: "m-0"})}, Aliases: []core.Alias{{Source: core.SourceClaudeCode, SourceID: "copy-1", SourcePath: planted.text, HeadUID: "m-2"}}},
			Head:   func() string { return "m-2" },
			Messages: func(yield func(core.IncomingMessage, error) bool) {
				for _, m := range messages {
					if !yield(m, nil) {
						return
					}
				}
			},
			Records: slices.Values([]core.Record{planting(core.Record{AfterUID: "m-1"})}),
			Blobs: func(yield func(core.Blob, error) bool) {
				_ = yield(core.Blob{Hash: core.Hash(whole), MimeType: "text/plain", Data: whole}, nil) &&
					yield(core.Blob{Hash: core.Hash(attached), MimeType: planted.text, Data: attached}, nil)
			},
		}
		if i == 1 {
			messages = messages[:0]
			in.Head, in.Labels, in.Records, in.Aliases, in.Blobs = func() string { return "" }, nil, slices.Values([]core.Record{}), nil, nil
		}
		if _, err := core.Merge(t.Context(), db, in); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// plainly returns the written text with its base64 decoded.
func plainly(data []byte) string {
	text := string(data)
	for _, packed := range regexp.MustCompile(`[A-Za-z0-9+/]{20,}={0,2}`).FindAllString(text, -1) {
		if undone, err := base64.StdEncoding.DecodeString(packed); err == nil {
			text += "\n" + string(undone)
		}
	}
	return text
}

// TestRedactedExportsHoldNoSecret exports a session with a secret in each of its texts, in every format and scope,
// alone and with others. It searches all that was written for the secrets, including file names.
func TestRedactedExportsHoldNoSecret(t *testing.T) {
	db := plantedLibrary(t)
	all, err := db.Sessions(t.Context(), core.SessionFilter{})
	if err != nil || len(all) != 2 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	for _, format := range Formats() {
		for _, scope := range []render.Scope{render.ScopePath, render.ScopeAlternatives, render.ScopeTree} {
			if (Plan{Format: format, Scope: string(scope)}).Check() != nil {
				continue
			}
			for _, sessions := range [][]core.Session{all[:1], all[1:], all} {
				for _, redacted := range []bool{true, false} {
					folder := t.TempDir()
					e := Plan{Sessions: sessions, Format: format, Scope: string(scope), Redact: redacted}
					if _, err := e.ToPath(t.Context(), db, filepath.Join(folder, "out."+format)); err != nil {
						t.Fatalf("%s %s: %v", format, scope, err)
					}
					found := secretsIn(t, folder)
					if redacted && len(found) > 0 {
						t.Errorf("%s, %s, %d sessions: %q", format, scope, len(sessions), found)
					}
					if !redacted && len(sessions) == 2 && len(found) == 0 {
						t.Errorf("%s, %s: the secrets are not where they were planted", format, scope)
					}
				}
			}
		}
	}
}

// secretsIn returns the secrets that occur in the files below a folder and in their names.
func secretsIn(t *testing.T, folder string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(plainly(data), `\/`, "/")
		for _, leak := range leaks() {
			if at := strings.Index(text, leak); at >= 0 {
				found = append(found, filepath.Ext(path)+": "+text[max(0, at-60):min(len(text), at+60)])
			}
		}
		if strings.Contains(entry.Name(), "example") {
			found = append(found, entry.Name())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRedactedArchivesAreWhole imports a redacted archive again.
func TestRedactedArchivesAreWhole(t *testing.T) {
	db := plantedLibrary(t)
	session, err := db.Session(t.Context(), "01930000-0000-7000-8000-00000000000a")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{JSON, Lines} {
		path := filepath.Join(t.TempDir(), "out."+format)
		if _, err := (Plan{Sessions: []core.Session{session}, Format: format, Redact: true}).ToPath(t.Context(), db, path); err != nil {
			t.Fatal(err)
		}
		library := apptest.OpenLibrary(t)
		im := importer.Importer{Library: library, Formats: formats.All()}
		if report, err := im.Import(t.Context(), []string{path}, ""); err != nil || report.Imported != 1 {
			t.Fatalf("%+v, %v", report, err)
		}
		again := apptest.Must(library.Session(t.Context(), session.ID))(t)
		window := apptest.Must(library.Window(t.Context(), session.ID, "", 0, 10))(t)
		view := apptest.Must(render.New().Window(t.Context(), library, again, window))(t)
		card := view.Messages[1].Blocks[len(view.Messages[1].Blocks)-1]
		detail := apptest.Must(render.New().Detail(t.Context(), library, again, "m-1", card.Part, card.ResultUID))(t)
		if len(detail.Result) == 0 || !detail.Result[0].Shown {
			t.Fatalf("%s: %+v", format, detail.Result)
		}
		blob, err := library.Blob(t.Context(), detail.Result[0].Blob)
		if err != nil || int64(len(blob.Data)) != detail.Result[0].SizeBytes || !bytes.Contains(blob.Data, []byte("[redacted email 1]")) {
			t.Errorf("%s: the whole of an output: %v, %s", format, err, blob.Data)
		}
	}
}
