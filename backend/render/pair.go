package render

import "coppice/backend/core"

// spot is a part of a message in a stretch of a path, by both indexes.
type spot struct{ message, part int }

// pairing says which result belongs to which call in a stretch of a path.
type pairing struct {
	results map[spot]spot // by call
	calls   map[spot]spot // by result
}

// pair matches calls and results by id. Where an id is used again, the first open call takes the result.
func pair(messages []core.Message) pairing {
	p := pairing{results: map[spot]spot{}, calls: map[spot]spot{}}
	open := map[string][]spot{}
	for m := range messages {
		for i := range messages[m].Parts {
			part := &messages[m].Parts[i]
			at := spot{m, i}
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

// lacks says whether a call of the messages from index from on, below index to, has no result, or a result no call.
func (p pairing) lacks(messages []core.Message, from, to int, kind core.PartType) bool {
	for m := from; m < to; m++ {
		for i, part := range messages[m].Parts {
			if part.Type != kind || part.Server {
				continue
			}
			at := spot{m, i}
			_, hasResult := p.results[at]
			_, hasCall := p.calls[at]
			if !hasResult && !hasCall {
				return true
			}
		}
	}
	return false
}

// absorbed says whether the message holds nothing but results that are shown on the cards of their
// calls. One with siblings is kept, because their pager needs a place.
func (p pairing) absorbed(m int, message *core.Message) bool {
	if len(message.Parts) == 0 || message.Siblings > 1 || message.Error != "" {
		return false
	}
	for i, part := range message.Parts {
		if _, paired := p.calls[spot{m, i}]; part.Type != core.PartToolResult || !paired {
			return false
		}
	}
	return true
}
