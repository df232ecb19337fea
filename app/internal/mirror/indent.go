package mirror

import (
	"bufio"
	"errors"
	"io"
	"os"

	"coppice/backend/durable"
)

// indentFile rewrites a file of JSON with one value per line. A session may be larger than the memory, which
// json.Indent needs for all of it.
func indentFile(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it is only read
	return durable.Write(path, func(out *os.File) error {
		buffered := bufio.NewWriter(out)
		if err := indent(buffered, bufio.NewReader(in)); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// indent copies valid JSON with two spaces per level.
func indent(out *bufio.Writer, in *bufio.Reader) error {
	depth := 0
	newline := func() {
		out.WriteByte('\n') //nolint:errcheck // Flush returns it
		for range depth {
			out.WriteString("  ") //nolint:errcheck // Flush returns it
		}
	}
	empty := false // the last character opened an object or a list
	for {
		c, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			out.WriteByte('\n') //nolint:errcheck // Flush returns it
			return nil
		}
		if err != nil {
			return err
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		closes := c == '}' || c == ']'
		if closes {
			depth--
		}
		if empty != closes { // the first value, or the end of what has values
			newline()
		}
		empty = false
		out.WriteByte(c) //nolint:errcheck // Flush returns it
		switch c {
		case '"':
			err = copyString(out, in)
		case '{', '[':
			depth++
			empty = true
		case ',':
			newline()
		case ':':
			out.WriteByte(' ') //nolint:errcheck // Flush returns it
		}
		if err != nil {
			return err
		}
	}
}

// copyString copies the rest of a string after its opening quote.
func copyString(out *bufio.Writer, in *bufio.Reader) error {
	for escaped := false; ; {
		c, err := in.ReadByte()
		if err != nil {
			return err
		}
		out.WriteByte(c) //nolint:errcheck // Flush returns it
		if c == '"' && !escaped {
			return nil
		}
		escaped = c == '\\' && !escaped
	}
}
