package line

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// pickFrom returns what a user picks who types chunks.
func pickFrom(all []string, chunks ...string) (string, string, error) {
	var out bytes.Buffer
	var rows []string
	p := Picker{
		In: typist(io.Discard, chunks...).In, Out: &out, Size: func() (int, int) { return 40, 8 }, Title: "Which?",
		Rows: func(words string, _ int) (string, []string, error) {
			if words == "(" {
				return "", nil, errors.New("a parenthesis is open")
			}
			rows = nil
			for _, one := range all {
				if strings.Contains(one, words) {
					rows = append(rows, one)
				}
			}
			return "NAME", rows, nil
		},
	}
	i, err := p.Pick()
	if err != nil {
		return "", out.String(), err
	}
	return rows[i], out.String(), nil
}

func TestPick(t *testing.T) {
	all := []string{"one", "two", "three", "four", "five", "six", "seven"}
	for _, tc := range []struct {
		name   string
		chunks []string
		want   string
		err    error
	}{
		{"the first", []string{"\r"}, "one", nil},
		{"down and up", []string{"\x1b[B", "\x1b[B", "\x1b[B", "\x1b[A", "\r"}, "three", nil},
		{"not beyond the last", []string{strings.Repeat("\x1b[B", 20) + "\r"}, "seven", nil},
		{"not before the first", []string{"\x1b[A\r"}, "one", nil},
		{"words", []string{"o", "\x1b[B", "u", "\r"}, "four", nil},
		{"words and Enter at once", []string{"fi\r"}, "five", nil},
		{"Enter without a row", []string{"x", "x\r", "\x7f\x7f", "e\x1b[B\r"}, "three", nil},
		{"words are removed", []string{"zzz", "\x15", "\r"}, "one", nil},
		{"a paste", []string{"\x1b[200~six\n\x1b[201~\x7f", "\r"}, "six", nil},
		{"words with a mistake leave the rows", []string{"(", "\x7f", "\r"}, "one", nil},
		{"Esc", []string{"t", "\x1b"}, "", io.EOF},
		{"Ctrl+D", []string{"\x04"}, "", io.EOF},
		{"Ctrl+C", []string{"t\x03"}, "", ErrInterrupted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, out, err := pickFrom(all, tc.chunks...)
			if got != tc.want || !errors.Is(err, tc.err) {
				t.Errorf("%q, %v", got, err)
			}
			if !strings.HasSuffix(out, "\x1b[J") {
				t.Errorf("the rows stay on the screen: %q", out)
			}
		})
	}
	_, out, _ := pickFrom(all, "(", "\x1b")
	if !strings.Contains(out, "a parenthesis is open") {
		t.Errorf("%q", out)
	}
}
