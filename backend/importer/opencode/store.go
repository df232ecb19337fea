package opencode

import (
	"cmp"
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// store is where the messages of sessions are stored.
type store interface {
	// each yields the messages of a session in order. Damage is reported and left out.
	each(ctx context.Context, session string) iter.Seq2[raw, error]
}

// raw is a message as OpenCode keeps it. It is valid until the next one is read.
type raw struct {
	id    string
	kind  string // of a message of 2.x; empty: it is one of 1.x
	info  gjson.Result
	parts []gjson.Result // of a message of 1.x
	again bool           // a message of 2.x that came before as one of 1.x
	rowMs int64          // when its row was made; 0: it has none
}

// timeMs returns when a message was begun, by its own time, else by its row.
func (r raw) timeMs() int64 {
	return cmp.Or(jsonl.Millis(r.info.Get("time.created")), r.rowMs)
}

// role returns the role of a message.
func (r raw) role() string {
	if r.kind != "" {
		return r.kind
	}
	return jsonl.Text(r.info.Get("role"))
}

// object parses a text that should hold one JSON object.
func object(text []byte) (gjson.Result, bool) {
	all := jsonl.Parse(text)
	if len(all) != 1 {
		return gjson.Result{}, false
	}
	return all[0], true
}
