// Package otlp writes sessions as spans of OpenTelemetry in the JSON of its protocol, with the attributes of the conventions for
// generative AI (semantic-conventions-genai 0.1), so that viewers of traces open them. It is one of the formats that only leave
// Coppice: nothing reads them back.
//
// Each turn is a trace: a span invoke_agent for the turn, below it a span chat for each answer and a span execute_tool for each call of a
// tool.
package otlp

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"iter"
	"strconv"

	"coppice/backend/core"
)

// Writer writes sessions to a stream, each as a resource of its own. Close must be called at the end.
type Writer struct {
	out     *bufio.Writer
	scope   scope
	written bool // a session was
}

// NewWriter returns a Writer. version is that of the program that writes.
func NewWriter(to io.Writer, version string) *Writer {
	return &Writer{out: bufio.NewWriter(to), scope: scope{Name: "coppice", Version: version}}
}

// Session writes a session with its turns by number and messages that are complete and in an order in which parents come first. Only the
// open calls and one span for each turn are in memory.
func (w *Writer) Session(session core.Session, turns []core.Turn, messages iter.Seq2[core.Message, error]) error {
	if err := w.begin(session); err != nil {
		return err
	}
	t := tracer{session: session, parents: turns, emit: w.span, byTurn: map[int64]*turn{}, calls: map[string]call{}}
	for m, err := range messages {
		if err != nil {
			return err
		}
		if err := t.add(&m); err != nil {
			return err
		}
	}
	if err := t.finish(); err != nil {
		return err
	}
	_, err := w.out.WriteString("]}]}")
	return core.Wrap(core.Unavailable, err, "write the spans")
}

// begin writes what is before the first span of a session.
func (w *Writer) begin(session core.Session) error {
	before := ",\n"
	if !w.written {
		before = `{"resourceSpans":[` + "\n"
	}
	w.written = true
	resource := resource{Attributes: attributes{}.
		text("service.name", string(session.Source)).
		text("gen_ai.conversation.id", cmp.Or(session.SourceID, session.ID)).
		text("coppice.session.id", session.ID).
		text("coppice.session.title", session.Title)}
	head, err := json.Marshal(resource)
	if err != nil {
		return core.Wrap(core.Internal, err, "encode session %s", session.ID)
	}
	of, err := json.Marshal(w.scope)
	if err != nil {
		return core.Wrap(core.Internal, err, "encode the scope")
	}
	_, err = w.out.WriteString(before + `{"resource":` + string(head) + `,"scopeSpans":[{"scope":` + string(of) + `,"spans":[`)
	return core.Wrap(core.Unavailable, err, "write the spans")
}

// span writes a span.
func (w *Writer) span(s *span, first bool) error {
	line, err := json.Marshal(s)
	if err != nil {
		return core.Wrap(core.Internal, err, "encode span %s", s.Name)
	}
	if !first {
		line = append([]byte(",\n"), line...)
	}
	_, err = w.out.Write(line)
	return core.Wrap(core.Unavailable, err, "write the spans")
}

// Close ends the document and writes what is buffered.
func (w *Writer) Close() error {
	end := "\n]}\n"
	if !w.written {
		end = `{"resourceSpans":[]}` + "\n"
	}
	_, err := w.out.WriteString(end)
	return core.Wrap(core.Unavailable, cmp.Or(err, w.out.Flush()), "write the spans")
}

// nanos returns Unix milliseconds as the protocol writes times: nanoseconds as a decimal string.
func nanos(ms int64) string {
	if ms <= 0 {
		return "0"
	}
	return strconv.FormatInt(ms, 10) + "000000"
}
