package archive

import (
	"bufio"
	"io"
	"iter"
)

// writer writes JSON, one element of an array per line. It keeps its first error and then writes nothing more.
type writer struct {
	out      *bufio.Writer
	redactor Redactor // nil: none
	err      error
}

func newWriter(to io.Writer, redactor Redactor) *writer {
	return &writer{out: bufio.NewWriterSize(to, 256<<10), redactor: redactor}
}

func (w *writer) text(s string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(s)
	}
}

// value writes v on one line.
func (w *writer) value(v any) {
	if data := w.encoded(v); w.err == nil {
		_, w.err = w.out.Write(data)
	}
}

func (w *writer) encoded(v any) []byte {
	if w.err != nil {
		return nil
	}
	data, err := encode(v)
	if err == nil && w.redactor != nil {
		data = w.redactor.JSON(data)
	}
	w.err = err
	return data
}

// object writes v, a struct, without its closing brace, so that members can follow.
func (w *writer) object(v any) {
	if data := w.encoded(v); w.err == nil {
		_, w.err = w.out.Write(data[:len(data)-1])
	}
}

// member writes the first member of an object.
func (w *writer) member(name string, v any) {
	w.text(`"` + name + `":`)
	w.value(v)
}

// list writes a further member, an array.
func (w *writer) list(name string, values []any) {
	w.text(",\n\"" + name + "\":[")
	for i, v := range values {
		w.text(separator(i))
		w.value(v)
	}
	w.close(len(values))
}

// writeArray writes a further member, an array whose elements are not all in memory.
func writeArray[T any](w *writer, name string, values iter.Seq2[T, error], write func(T)) error {
	w.text(",\n\"" + name + "\":[")
	count := 0
	for v, err := range values {
		if err != nil {
			return err
		}
		w.text(separator(count))
		write(v)
		count++
		if w.err != nil {
			return w.err
		}
	}
	w.close(count)
	return w.err
}

func (w *writer) close(count int) {
	if count > 0 {
		w.text("\n")
	}
	w.text("]")
}

func (w *writer) flush() error {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}
