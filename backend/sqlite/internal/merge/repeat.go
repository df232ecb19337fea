package merge

import "context"

// hideRepeated puts messages into the session's trash that an older version of an importer took for messages of their own, with nothing but
// such messages below them.
func hideRepeated(ctx context.Context, m *merge) (hidden bool, err error) {
	repeated := map[int32]bool{}
	for _, uid := range m.in.Repeated {
		if n := m.Nodes.Number(uid); n != 0 && !m.Nodes.At(n).Came {
			repeated[n] = true
		}
	}
	if len(repeated) == 0 {
		return false, nil
	}
	for n := int32(1); n <= m.Nodes.Count(); n++ {
		if repeated[n] {
			continue
		}
		for up := m.Nodes.At(n).Parent; repeated[up]; up = m.Nodes.At(up).Parent {
			delete(repeated, up) // something else is below it
		}
	}
	for n := range repeated {
		if repeated[m.Nodes.At(n).Parent] {
			continue
		}
		const mark = `INSERT INTO hidden (message, session, hidden_at_ms) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING`
		if _, err := m.Exec(ctx, mark, m.Nodes.At(n).ID, m.Key, m.nowMs); err != nil {
			return false, err
		}
		hidden = true
	}
	return hidden, nil
}
