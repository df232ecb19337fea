package core_test

import (
	"fmt"
	"slices"
	"testing"

	"coppice/backend/core"
)

// TestRequestHasher hashes the requests of a growing, shrinking and changing conversation: always as without what was hashed before.
func TestRequestHasher(t *testing.T) {
	message := func(text string) core.Message {
		return core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: text}}}
	}
	var all []core.Message
	for i := range 5 {
		all = append(all, message(fmt.Sprint(i)))
	}
	joined := message("0")
	joined.Parts = append(slices.Clip(joined.Parts), core.Part{Type: core.PartText, Text: "more"})
	requests := map[string]core.Request{}
	var order []string
	add := func(name string, messages ...core.Message) {
		requests[name] = core.Request{Model: "m", Messages: messages}
		order = append(order, name)
	}
	add("none")
	add("two", all[:2]...)
	add("four", all[:4]...)
	add("two others", all[2:4]...)
	add("three", all[:3]...)
	add("without parts", core.Message{Role: core.RoleTool}, all[1])
	add("joined", joined, all[1])
	add("five", all...)
	seen := map[string]string{}
	hasher := core.RequestHasher{}
	for _, name := range append(order, order...) {
		q := requests[name]
		got, err := hasher.Hash(&q)
		want, alone := q.Hash()
		if err != nil || alone != nil || got != want {
			t.Errorf("%s: %v %v %s, want %s", name, err, alone, got, want)
		}
		if other, there := seen[got]; there && other != name {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[got] = name
	}
}
