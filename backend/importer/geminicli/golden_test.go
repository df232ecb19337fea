package geminicli

import (
	"strings"
	"testing"

	"coppice/backend/importer/importertest"
)

// TestGoldenUIDs checks the uids of messages against those of version 1 of this reader: merging libraries depends on
// them.
func TestGoldenUIDs(t *testing.T) {
	const history = `{"history":[{"role":"user","parts":[{"text":"This is the Gemini CLI. Today is Monday."}]},{"role":"model","parts":[{"text":"Got it. Thanks for the context!"}]},
{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"ls","args":{"p":"."}}}]},
{"role":"user","parts":[{"functionResponse":{"id":"c","name":"ls","response":{"output":"a.md"}}}]},{"role":"model","parts":[{"text":"a"}]}]}`
	s := begin()
	s.prompt("q1")
	s.works("a1")
	s.reply("a1/results")
	var got []string
	for _, r := range []importertest.Session{importertest.One(t, Format(), "/g/tmp/garden/checkpoint-a.json", []byte(history)), read(t, s)} {
		for _, m := range r.Messages {
			got = append(got, m.UID)
		}
	}
	if want := strings.Fields(goldenUIDs); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const goldenUIDs = `
00000000-0000-72c2-8e64-c59131cae531
00000000-0000-7f4f-9c7c-3a64516d29d7
00000000-0000-74dc-84b9-146b278e66ca
00000000-0000-73b4-b75f-f1cba9b7ce39
00000000-0000-7146-a686-ead05e653cd4
00000000-0000-7413-aa35-e8e9d95efb16
q1
a1
a1/results
a1/results/message
`
