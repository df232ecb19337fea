package sqlite

import (
	"context"
	"strings"

	"coppice/backend/core"
)

// keeps says whether a message stays as it is though a copy of its session has another form of it: that of a session with an id of its own
// must have more parts; that of the same session in another place must not be an earlier one.
func (m *merge) keeps(ctx context.Context, id int64, form *core.Message) (bool, error) {
	if m.own() && !m.elsewhere() {
		return false, nil
	}
	var row messageRow
	const stored = `SELECT uid, body, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens FROM messages WHERE id = ?`
	if err := m.Get(ctx, &row, stored, id); err != nil {
		return false, err
	}
	is, err := decodeMessage(m.tx, &row)
	if err != nil {
		return false, err
	}
	if !m.own() {
		return len(is.Parts) >= len(form.Parts), nil
	}
	return isEarlier(form, &is), nil
}

// isEarlier says whether a form of a message is one that the other has grown out of.
func isEarlier(form, grown *core.Message) bool {
	last := len(form.Parts) - 1
	switch {
	case last+1 != len(grown.Parts):
		return last+1 < len(grown.Parts)
	case grown.Usage != nil && (form.Usage == nil || form.Usage.OutputTokens < grown.Usage.OutputTokens):
		return true
	case last < 0:
		return false
	}
	said, says := form.Parts[last].Text, grown.Parts[last].Text
	return len(said) < len(says) && strings.HasPrefix(says, said)
}
