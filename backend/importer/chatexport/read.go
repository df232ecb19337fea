package chatexport

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
)

// Read yields the sessions of a file. session converts a conversation, which is an object of valid JSON; ok is false for an
// empty one. The last session carries the cursor.
func Read(
	ctx context.Context, file core.SourceFile, session func(c *Conversation, v gjson.Result) (in core.Incoming, ok bool),
) iter.Seq2[core.Incoming, error] {
	return func(yield func(core.Incoming, error) bool) {
		e, err := Open(file)
		if err != nil {
			yield(core.Incoming{}, err)
			return
		}
		var last *core.Incoming // one behind, to know which is the last
		for c, err := range e.Conversations(ctx) {
			if err != nil {
				if last == nil || yield(*last, nil) {
					yield(core.Incoming{}, err)
				}
				return
			}
			v, flaw := jsondoc.Value(c.raw)
			c.raw = nil // v has a copy
			if flaw != "" {
				c.Problem(flaw + ", skipped")
				continue
			}
			if !v.IsObject() {
				c.Problem("not a conversation, skipped")
				continue
			}
			in, ok := session(c, v)
			if !ok {
				continue
			}
			if last != nil && !yield(*last, nil) {
				return
			}
			last = &in
		}
		if last != nil {
			last.Cursor = &core.Cursor{} // exports are written once
			yield(*last, nil)
		}
	}
}
