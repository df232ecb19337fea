package render

import "coppice/backend/core"

// partIndex is the position of a part in a range of a path, by the indexes of the message and the part.
type partIndex struct{ message, part int }

// pairing matches results and calls in a range of a path.
type pairing struct {
	results map[partIndex]partIndex // by call
	calls   map[partIndex]partIndex // by result
}

// pair matches calls and results by id. If an id is reused, the first open call gets the result.
func pair(messages []core.Message) pairing {
	p := pairing{results: map[partIndex]partIndex{}, calls: map[partIndex]partIndex{}}
	open := map[string][]partIndex{}
	for m := range messages {
		for i := range messages[m].Parts {
			part := &messages[m].Parts[i]
			at := partIndex{m, i}
			switch part.Type {
			case core.PartToolCall:
				open[part.ID] = append(open[part.ID], at)
			case core.PartToolResult:
				if waiting := open[part.ID]; len(waiting) > 0 {
					p.results[waiting[0]], p.calls[at] = at, waiting[0]
					open[part.ID] = waiting[1:]
				}
			default:
			}
		}
	}
	return p
}

// lacks reports whether a call of the messages from index from on, below index to, has no result, or a result no call.
func (p pairing) lacks(messages []core.Message, from, to int, kind core.PartType) bool {
	for m := from; m < to; m++ {
		for i, part := range messages[m].Parts {
			if part.Type != kind || part.Server {
				continue
			}
			at := partIndex{m, i}
			_, hasResult := p.results[at]
			_, hasCall := p.calls[at]
			if !hasResult && !hasCall {
				return true
			}
		}
	}
	return false
}

// absorbed reports whether the message has only results that are shown on the cards of their calls. A message with
// siblings is not absorbed, because their pager needs it.
func (p pairing) absorbed(m int, message *core.Message) bool {
	if len(message.Parts) == 0 || message.Siblings > 1 || message.Error != "" {
		return false
	}
	for i, part := range message.Parts {
		if _, paired := p.calls[partIndex{m, i}]; part.Type != core.PartToolResult || !paired {
			return false
		}
	}
	return true
}
