package replay

import (
	"strconv"

	"coppice/backend/core"
)

// similarEnough is the lowest similarity at which a prompt gets the answer of a recorded one.
const similarEnough = 0.5

// find returns the answer to a conversation, and counts it.
func (m *Model) find(messages []core.Message) (*answer, error) {
	var here position
	for i := range messages {
		here = here.after(&messages[i])
	}
	if exact := m.answers[here.key]; len(exact) > 0 {
		return m.next(here.key, exact), nil
	}
	nearest := m.nearest(here)
	if nearest < 0 {
		return nil, core.E(core.NotFound, "the session %s has no answer to %q after %d tool results", m.name, shorten(here.text), here.steps).
			WithHint("Use a prompt of the recorded session, in the same words")
	}
	return m.next(strconv.Itoa(nearest)+" "+strconv.Itoa(here.steps), m.prompts[nearest].steps[here.steps]), nil
}

// nearest returns the index of the most similar prompt that was answered at this step, the first if several are equal;
// -1 if none is similar.
func (m *Model) nearest(here position) int {
	nearest, best := -1, similarEnough
	words := wordSet(here.text)
	for i, p := range m.prompts {
		if here.steps >= len(p.steps) || len(p.steps[here.steps]) == 0 {
			continue
		}
		if s := similarity(words, p.words); s > best || (s == best && nearest < 0) {
			nearest, best = i, s
		}
	}
	return nearest
}

func (m *Model) next(key string, answers []*answer) *answer {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	n := m.played[key]
	m.played[key]++
	return answers[n%len(answers)]
}

func shorten(text string) string {
	runes := []rune(text)
	if len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return text
}
