package render

import (
	"bufio"
	"io"
	"strconv"
)

// markup is HTML written in this program's source: a constant converts to it implicitly, a string from elsewhere does
// not compile.
type markup string

// markupWriter writes HTML. The first error stops it and is returned by flush.
type markupWriter struct{ w *bufio.Writer }

func newMarkupWriter(w io.Writer) *markupWriter { return &markupWriter{bufio.NewWriterSize(w, 64<<10)} }

// raw writes constant HTML.
func (w *markupWriter) raw(pieces ...markup) {
	for _, piece := range pieces {
		_, _ = w.w.WriteString(string(piece)) // bufio stores the first error for flush
	}
}

// text writes text between tags or inside a quoted attribute.
func (w *markupWriter) text(text string) { _, _ = w.w.WriteString(escape(text)) }

// number writes a number.
func (w *markupWriter) number(n int64) { _, _ = w.w.WriteString(strconv.FormatInt(n, 10)) }

// safe writes HTML from the sanitiser or the highlighter.
func (w *markupWriter) safe(html string) { _, _ = w.w.WriteString(html) }

// attribute writes a space, the name and the quoted value.
func (w *markupWriter) attribute(name markup, value string) {
	w.raw(" ", name, `="`)
	w.text(value)
	w.raw(`"`)
}

// time writes a time element.
func (w *markupWriter) time(shown, machine string) {
	w.raw("<time")
	w.attribute("datetime", machine)
	w.raw(">")
	w.text(shown)
	w.raw("</time>")
}

// Write writes an element that another package has made.
func (w *markupWriter) Write(element []byte) (int, error) { return w.w.Write(element) }

func (w *markupWriter) flush() error { return w.w.Flush() }
