package opencode

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/foreigndb/foreigndbtest"
	"coppice/backend/importer/importertest"
)

// counted is the part of the rows of both versions that is counted.
type counted struct {
	Role, Type string
	Tokens     struct {
		Input, Output, Reasoning int64
		Cache                    struct{ Read, Write int64 }
	}
	State struct{ Status string }
	// Content is of 2.x: what were parts.
	Content []counted
}

func (c *counted) spend(n *importertest.Counts) {
	n.Input += c.Tokens.Input + c.Tokens.Cache.Read + c.Tokens.Cache.Write
	n.Output += c.Tokens.Output + c.Tokens.Reasoning
}

// part counts a part and reports whether it is a tool that has ended.
func (c *counted) part(n *importertest.Counts) (ended bool) {
	switch c.Type {
	case "tool":
		n.Calls++
		if c.State.Status == "completed" || c.State.Status == "error" {
			n.Results++
			return true
		}
	case "reasoning":
		n.Reasoning++
	case "file":
		n.Media++
	}
	return false
}

// rowsOf reads what a query of a database returns: one column of JSON.
func rowsOf(t testing.TB, db *foreigndbtest.DB, query string, args ...any) (all []counted) {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // only read
	for rows.Next() {
		var data []byte
		var c counted
		if err := rows.Scan(&data); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// legacyTruth counts in the tables of 1.x, without the importer. An answer is a message for each call of the model, and one for the
// results of the tools of each.
func legacyTruth(t testing.TB, db *foreigndbtest.DB) (n importertest.Counts) {
	t.Helper()
	n.Branches = 1
	ids, err := db.Query(`SELECT id FROM message ORDER BY time_created`)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for ids.Next() {
		var id string
		if err := ids.Scan(&id); err != nil {
			t.Fatal(err)
		}
		all = append(all, id)
	}
	if err := ids.Close(); err != nil {
		t.Fatal(err)
	}
	for _, id := range all {
		info := rowsOf(t, db, `SELECT data FROM message WHERE id = ?`, id)[0]
		calls, ended, finished := int64(0), map[int64]bool{}, false
		for _, p := range rowsOf(t, db, `SELECT data FROM part WHERE message_id = ? ORDER BY id`, id) {
			switch p.Type {
			case "step-start":
				calls++
			case "step-finish":
				finished = true
				p.spend(&n)
			}
			if p.part(&n) {
				ended[calls] = true
			}
		}
		n.Messages += max(calls, 1) + int64(len(ended))
		if !finished {
			info.spend(&n)
		}
	}
	return n
}

// currentTruth counts in the tables of 2.x, without the importer.
func currentTruth(t testing.TB, db *foreigndbtest.DB) (n importertest.Counts) {
	t.Helper()
	n.Branches = 1
	for _, kind := range []string{"user", "assistant", "system", "synthetic"} {
		for _, m := range rowsOf(t, db, `SELECT data FROM session_message WHERE type = ?`, kind) {
			n.Messages++
			m.spend(&n)
			results := int64(0)
			for _, p := range m.Content {
				if p.part(&n) {
					results = 1
				}
			}
			n.Messages += results
		}
	}
	return n
}

// TestCounts compares what the importer makes of any database with a count of its rows.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(t.TempDir(), "opencode.db")
		db := create(t, path, legacySchema, currentSchema)
		truth := currentTruth
		if rapid.Bool().Draw(rt, "1.x") {
			truth = legacyTruth
			someTalk(rt).inTables(t, db)
		} else {
			inCurrent(t, db, fields{"id": "ses_1", "title": "any"}, someRows(rt)...)
		}
		all, problems := readDB(t, path)
		if len(all) != 1 || len(problems) != 0 {
			rt.Fatalf("%d sessions, %v", len(all), problems)
		}
		if got, want := all[0].Count(), truth(t, db); got != want {
			rt.Fatalf("got  %+v\nwant %+v", got, want)
		}
	})
}

// someState draws how far a tool has come.
func someState(t *rapid.T) fields {
	return rapid.SampledFrom([]fields{
		{"status": "pending", "input": fields{}},
		{"status": "running", "input": fields{"command": "ls"}},
		completed(fields{"command": "ls"}, "a.md"),
		{"status": "error", "input": fields{}, "error": "no"},
	}).Draw(t, "state")
}

func someTokens(t *rapid.T) fields {
	return tokens(rapid.IntRange(0, 9000).Draw(t, "input"), rapid.IntRange(0, 900).Draw(t, "output"))
}

// someTalk draws a conversation of 1.x.
func someTalk(t *rapid.T) *talk {
	k := begin("ses_1")
	k.prompt("q")
	for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
		if rapid.IntRange(0, 2).Draw(t, "prompt") == 0 {
			k.add("user", nil, fields{"type": "text", "text": "q"}, fields{"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"})
			continue
		}
		var parts []fields
		told := rapid.Bool().Draw(t, "told by step")
		for step := range rapid.IntRange(1, 3).Draw(t, "steps") {
			parts = append(parts, fields{"type": "step-start"}, fields{"type": "reasoning", "text": "hm"})
			for tool := range rapid.IntRange(0, 3).Draw(t, "tools") {
				parts = append(parts, toolPart(fmt.Sprint("call_", i, step, tool), "bash", someState(t)))
			}
			parts = append(parts, fields{"type": "text", "text": "a"})
			if told {
				parts = append(parts, fields{"type": "step-finish", "reason": "stop", "cost": 0.001, "tokens": someTokens(t)})
			}
		}
		k.add("assistant", fields{"modelID": "claude-sonnet-4", "providerID": "anthropic", "cost": 0.001, "tokens": someTokens(t)}, parts...)
	}
	return k
}

// someRows draws a conversation of 2.x.
func someRows(t *rapid.T) []row {
	all := []row{{"msg_000", "user", fields{"text": "q"}}}
	for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
		r := row{id: fmt.Sprintf("msg_%03d", i+1), kind: rapid.SampledFrom([]string{"user", "assistant", "assistant", "system", "synthetic", "model-switched"}).Draw(t, "type")}
		r.data = fields{"text": "words"}
		if r.kind == "assistant" {
			content := []fields{{"type": "text", "text": "a"}, {"type": "reasoning", "text": "hm"}}
			for tool := range rapid.IntRange(0, 3).Draw(t, "tools") {
				content = append(content, fields{"type": "tool", "id": fmt.Sprint("call_", i, tool), "name": "bash", "state": someState(t)})
			}
			r.data = fields{"model": fields{"id": "gpt-5", "providerID": "openai"}, "content": content, "cost": 0.001, "tokens": someTokens(t)}
		}
		all = append(all, r)
	}
	return all
}
