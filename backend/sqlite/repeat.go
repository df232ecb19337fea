package sqlite

import "context"

// hideRepeated puts messages into the session's trash that an older version of an importer took for messages of their own, with nothing but
// such messages below them.
func (m *merge) hideRepeated(ctx context.Context) (hidden bool, err error) {
	repeated := map[int32]bool{}
	for _, uid := range m.in.Repeated {
		if n := m.nodes.number(uid); n != 0 && !m.nodes.at(n).came {
			repeated[n] = true
		}
	}
	if len(repeated) == 0 {
		return false, nil
	}
	for n := int32(1); n <= m.nodes.count(); n++ {
		if repeated[n] {
			continue
		}
		for up := m.nodes.at(n).parent; repeated[up]; up = m.nodes.at(up).parent {
			delete(repeated, up) // something else is below it
		}
	}
	for n := range repeated {
		if repeated[m.nodes.at(n).parent] {
			continue
		}
		const mark = `INSERT INTO hidden (message, session, hidden_at_ms) VALUES (?, ?, ?) ON CONFLICT (message) DO NOTHING`
		if _, err := m.Exec(ctx, mark, m.nodes.at(n).id, m.key, m.nowMs); err != nil {
			return false, err
		}
		hidden = true
	}
	return hidden, nil
}
