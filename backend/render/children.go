package render

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/toolcall"
)

// childSessions maps calls to the sessions of the subagents that they started.
type childSessions struct {
	tools  toolcall.Tools
	byCall map[partIndex]string // the child's id
}

// childrenOf reads the session's children if the range has calls that may have started one. A child is matched with a
// call by the agent's id in the result, otherwise by the order of both.
func (r *Renderer) childrenOf(ctx context.Context, store Store, sessionID string, s *messageRange) (childSessions, error) {
	k := childSessions{tools: r.tools, byCall: map[partIndex]string{}}
	if !hasCalls(s) {
		return k, nil
	}
	sessions, err := store.Sessions(ctx, core.SessionFilter{ParentID: sessionID, Sort: core.SortCreated})
	if err != nil {
		return k, core.Wrap(core.CodeOf(err), err, "read the child sessions")
	}
	byMessage := map[string][]core.Session{}
	for i := len(sessions) - 1; i >= 0; i-- { // newest first: reversed
		byMessage[sessions[i].ParentUID] = append(byMessage[sessions[i].ParentUID], sessions[i])
	}
	for m := range s.messages {
		if children := byMessage[s.messages[m].UID]; len(children) > 0 {
			k.assign(s, m, children)
		}
	}
	return k, nil
}

func hasCalls(s *messageRange) bool {
	for m := s.from; m < s.to; m++ {
		for _, part := range s.messages[m].Parts {
			if part.Type == core.PartToolCall {
				return true
			}
		}
	}
	return false
}

// assign matches the children of one message with its calls.
func (k childSessions) assign(s *messageRange, m int, children []core.Session) {
	taken := map[string]bool{}
	var open []partIndex
	for i, part := range s.messages[m].Parts {
		if part.Type != core.PartToolCall {
			continue
		}
		at := partIndex{m, i}
		if id := named(agentID(s, at), children); id != "" {
			k.byCall[at], taken[id] = id, true
		} else if k.tools.Action(part.Name) == toolcall.Agent {
			open = append(open, at)
		}
	}
	for _, child := range children {
		if len(open) > 0 && !taken[child.ID] {
			k.byCall[open[0]] = child.ID
			open = open[1:]
		}
	}
}

// agentID returns the agent's id in the call's result.
func agentID(s *messageRange, call partIndex) string {
	result, ok := s.pairs.results[call]
	if !ok {
		return ""
	}
	data := s.messages[result.message].Parts[result.part].Structured
	for _, name := range []string{"agentId", "agent_id", "sessionId", "session_id", "metadata.sessionId"} {
		if id := gjson.GetBytes(data, name); id.Type == gjson.String && id.Str != "" {
			return id.Str
		}
	}
	return ""
}

func named(agent string, children []core.Session) string {
	if agent == "" {
		return ""
	}
	for _, child := range children {
		if child.SourceID == agent || strings.HasSuffix(child.SourceID, "/"+agent) {
			return child.ID
		}
	}
	return ""
}
