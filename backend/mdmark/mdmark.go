// Package mdmark writes and reads the marks of a Markdown export: comments that carry its structure, so that the document can be
// imported again. Renderers do not show them.
//
//	<!-- m17 {"uid":"…","role":"assistant","lines":1} -->   the message whose text follows
//	<!-- part 2 {"type":"tool_call","id":"…"} -->           the part whose text follows
//	<!-- note -->                                           what follows is not text of a message
//
// Text of messages cannot contain a mark: an export escapes tags outside of code, and a reader skips code between fences.
package mdmark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"coppice/backend/core"
)

// Format is the value of "format" in the front matter, Version that of "version" in a document with marks.
const (
	Format  = "coppice.markdown"
	Version = 1
)

// Note is the line before text of the export itself.
const Note = open + "note" + end

const (
	open = "<!-- "
	end  = " -->"
)

// Message describes a message. Its text follows, up to the mark of the next message, without what follows a Note.
type Message struct {
	Seq  int64  `json:"-"` // m<Seq>
	UID  string `json:"uid"`
	Role string `json:"role"`
	Kind string `json:"kind,omitempty"` // empty: message
	// Parent is the uid of the parent, empty for a root. nil: the message before it in the document.
	Parent *string `json:"parent,omitempty"`
	// ParentTurn is the turn of the parent, for a document without that message.
	ParentTurn   *int64      `json:"parentTurn,omitempty"`
	Turn         *int64      `json:"turn,omitempty"`    // the turn that begins with it; nil: that of the message before it
	Lines        int         `json:"lines,omitempty"`   // how many lines of the export follow before the message's own text
	Heading      int         `json:"heading,omitempty"` // the level of its first-level headings; 0: 3
	IsNotice     bool        `json:"notice,omitempty"`
	AtMs         int64       `json:"atMs,omitempty"`
	FinishedAtMs int64       `json:"finishedAtMs,omitempty"`
	Name         string      `json:"name,omitempty"`
	Agent        string      `json:"agent,omitempty"`
	Model        string      `json:"model,omitempty"`
	Usage        *core.Usage `json:"usage,omitempty"`
	CostNanoUSD  *int64      `json:"costNanoUsd,omitempty"`
	FinishReason string      `json:"finishReason,omitempty"`
	Error        string      `json:"error,omitempty"`
	Label        string      `json:"label,omitempty"` // of the turn that begins with it
}

// Part describes a part of a message. Its text follows, up to the next mark.
type Part struct {
	Index int           `json:"-"`
	Type  core.PartType `json:"type"`
	// Of is the seq of the message that has the part; nil: the one whose mark precedes. Results are written with their calls.
	Of         *int64          `json:"of,omitempty"`
	IsInner    bool            `json:"inner,omitempty"` // it belongs to the result before it
	ID         string          `json:"id,omitempty"`
	Name       string          `json:"name,omitempty"`
	Arguments  json.RawMessage `json:"arguments,omitempty"` // of a call; missing if they are long
	Server     bool            `json:"server,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	DurationMs int64           `json:"durationMs,omitempty"`
	Injected   bool            `json:"injected,omitempty"`
	Redacted   bool            `json:"redacted,omitempty"`
	IsVerbatim bool            `json:"verbatim,omitempty"` // its text is between fences, not Markdown
	LeftOut    int64           `json:"leftOut,omitempty"`  // the lines of a result that the document does not have
	MimeType   string          `json:"mimeType,omitempty"`
	Blob       string          `json:"blob,omitempty"`
}

// MaxArguments is the longest JSON of arguments that a mark carries.
const MaxArguments = 2000

// String returns the mark as a line.
func (m *Message) String() string {
	return open + "m" + strconv.FormatInt(m.Seq, 10) + " " + inert(m) + end
}

// String returns the mark as a line.
func (p *Part) String() string { return open + "part " + strconv.Itoa(p.Index) + " " + inert(p) + end }

// inert returns a value as JSON without characters that end a comment or that are not visible.
func inert(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "{}" // a field of JSON is damaged; the rest of the document is whole
	}
	if !bytes.ContainsFunc(data, isHidden) {
		return string(data)
	}
	var out strings.Builder
	for _, r := range strings.ToValidUTF8(string(data), "\uFFFD") {
		switch {
		case !isHidden(r):
			out.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// isHidden reports whether a character of JSON, which is then inside a string, is not visible.
func isHidden(r rune) bool {
	return r >= 0x7F && (unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp) || r == utf8.RuneError)
}

// IsMark reports whether a line begins as a mark of a message or a part, or is Note.
func IsMark(line []byte) bool {
	return bytes.HasPrefix(line, []byte(open+"m")) || bytes.HasPrefix(line, []byte(open+"part ")) || string(line) == Note
}

// ParseMessage returns the mark on a line; false if the line has another mark or a damaged one.
func ParseMessage(line []byte) (m Message, ok bool) {
	number, data, ok := cut(line, open+"m")
	if !ok || json.Unmarshal(data, &m) != nil || m.UID == "" {
		return m, false
	}
	m.Seq = number
	return m, true
}

// ParsePart returns the mark on a line; false if the line has another mark or a damaged one.
func ParsePart(line []byte) (p Part, ok bool) {
	number, data, ok := cut(line, open+"part ")
	if !ok || json.Unmarshal(data, &p) != nil || p.Type == "" || number > 1<<20 {
		return p, false
	}
	p.Index = int(number)
	return p, true
}

// cut returns the number and the JSON of a mark with a prefix.
func cut(line []byte, prefix string) (number int64, data []byte, ok bool) {
	rest, isPrefixed := bytes.CutPrefix(line, []byte(prefix))
	rest, isEnded := bytes.CutSuffix(rest, []byte(end))
	digits, data, isSpaced := bytes.Cut(rest, []byte(" "))
	number, err := strconv.ParseInt(string(digits), 10, 64)
	return number, data, isPrefixed && isEnded && isSpaced && err == nil && number >= 0
}
