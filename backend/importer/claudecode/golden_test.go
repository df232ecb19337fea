package claudecode

import (
	"strings"
	"testing"

	"coppice/backend/importer/importertest"
)

// TestGoldenUIDs checks the uids of messages against those of version 1 of this reader: merging libraries depends on
// them.
func TestGoldenUIDs(t *testing.T) {
	s := &script{}
	s.user("q", "", "<ide_opened_file>the file fence.md</ide_opened_file>\nmend the fence")
	s.reply("a1", "q", "m1", fieldsOf{"type": "text", "text": "I will"})
	s.reply("a2", "a1", "m1", fieldsOf{"type": "text", "text": "now"})
	s.user("alone", "a2", "<ide_opened_file>the file fence.md</ide_opened_file>")
	s.record("", "", fieldsOf{"uuid": nil, "type": "user", "message": fieldsOf{"role": "user", "content": "without an id"}})
	s.record("e", "alone", fieldsOf{"type": "assistant", "isApiErrorMessage": true, "message": fieldsOf{"id": "e", "model": "<synthetic>", "content": []any{fieldsOf{"type": "text", "text": "API Error"}}}})
	var got []string
	for _, m := range importertest.One(t, Format(), scriptSession+".jsonl", s.lines).Messages {
		got = append(got, m.UID)
	}
	if want := strings.Fields(goldenUIDs); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const goldenUIDs = `
q
a1
alone
019cb737-ac08-7181-b2a9-89117133ba6d
e
`
