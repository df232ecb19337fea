package core_test

import (
	"testing"

	"coppice/backend/core"
)

// TestCheckpoint reads the checkpoint of a message, and ignores what other programs write under that name.
func TestCheckpoint(t *testing.T) {
	for meta, want := range map[string]core.Checkpoint{
		``:                          {},
		`{"cites":["a"]}`:           {},
		`{"checkpoint":true}`:       {},
		`{"checkpoint":{}}`:         {},
		`{"checkpoint":{"id":7}}`:   {},
		`{"text":"\"checkpoint\""}`: {},
		`{"checkpoint":{"id":"k"}}`: {ID: "k"},
		`{"checkpoint":{"id":"k","fileCount":-1}}`:                 {},
		`{"queued":true,"checkpoint":{"id":"k","fileCount":3}}`:    {ID: "k", FileCount: 3},
		`{"checkpoint":{"id":"k","fileCount":3,"other":["kept"]}}`: {ID: "k", FileCount: 3},
	} {
		m := core.Message{Meta: []byte(meta)}
		got, ok := m.Checkpoint()
		if got != want || ok != (want.ID != "") {
			t.Errorf("%s: %+v, %v", meta, got, ok)
		}
	}
}
