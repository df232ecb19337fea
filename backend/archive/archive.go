// Package archive reads and writes Coppice's own JSON: one session, several, or one line per
// message. docs/format.md describes it field by field.
//
// Both directions stream. Writing holds one message or one blob at a time. Reading passes over the file twice: once to
// find the sessions and check them, so that damage is reported before anything is written, and once to yield their
// messages.
package archive

import (
	"bytes"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// Version is the version this program writes. It is raised when an older program would misread
// the file; fields and part types that are merely new do not raise it, because they survive unread.
const Version = 2

// The formats: the values of the field "format".
const (
	formatSession = "coppice.session" // one session
	formatArchive = "coppice.archive" // several
	formatLines   = "coppice.lines"   // one JSON value per line: a header, then messages
)

// session is core.Session with fields that its own JSON leaves out.
type session struct {
	core.Session
	Meta json.RawMessage `json:"meta,omitempty"`
	// Estimates are not part of an archive: these take the place of the fields of the session.
	EstimatedNanoUSD *int64 `json:"estimatedCostNanoUsd,omitempty"`
	UnpricedCount    int64  `json:"unpricedCalls,omitempty"`
}

// sessionOf removes what is specific to this machine: another one cannot continue a run that is active here.
func sessionOf(s core.Session) session {
	s.SourceGoneMs, s.IncompleteStart = 0, false
	s.EstimatedNanoUSD, s.UnpricedCount = nil, 0
	s.TouchedCount, s.LinesAdded, s.LinesRemoved, s.FailedCount, s.Project, s.LastAnswer = 0, 0, 0, 0, "", ""
	if s.TitleOrigin.Yields(core.TitleTool) { // another library derives it, or takes it from the tool
		s.TitleOrigin = core.TitleUnknown
	}
	ended(&s)
	return session{Session: s}
}

// ended marks a session as interrupted if a run of Coppice is active in it.
func ended(s *core.Session) {
	if s.Source == core.SourceCoppice && s.Status == core.StatusRunning {
		s.Status, s.StopReason = core.StatusInterrupted, string(core.StopTerminated)
	}
}

// branch is core.Branch without the fields that only the store needs.
type branch struct {
	Number      int64 `json:"number"`
	Parent      int64 `json:"parent"`
	ForkDepth   int64 `json:"forkDepth"`
	TipDepth    int64 `json:"tipDepth"`
	CreatedAtMs int64 `json:"createdAtMs"`
}

// encode returns v as JSON on one line, in valid UTF-8.
func encode(v any) ([]byte, error) {
	data, err := jsontext.Encode(v)
	if err != nil {
		return nil, err
	}
	return mend(data), nil
}

// mend writes invalid UTF-8 as U+FFFD. The encoder does so too, but as an escape, which would change when it is read
// and written again.
func mend(data []byte) []byte {
	const replacement = "\uFFFD"
	data = bytes.ToValidUTF8(data, []byte(replacement))
	escape := []byte(`\ufffd`)
	if !bytes.Contains(data, escape) {
		return data
	}
	var out bytes.Buffer
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] != '\\':
			out.WriteByte(data[i])
		case bytes.HasPrefix(data[i:], escape):
			out.WriteString(replacement)
			i += len(escape) - 1
		default: // two bytes, so that the second backslash of \\ufffd is skipped
			out.Write(data[i : i+2])
			i++
		}
	}
	return out.Bytes()
}
