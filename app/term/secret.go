package term

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"coppice/backend/core"
)

// maxSecretBytes is longer than any key.
const maxSecretBytes = 16 << 10

// AskSecret reads a line that is not shown while it is typed; from a pipe it reads the first line.
func (t Terminal) AskSecret(what string) (string, error) {
	if in, ok := t.In.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		_, _ = io.WriteString(t.Err, what+": ") // nobody is there to tell
		secret, err := term.ReadPassword(int(in.Fd()))
		t.Say("")
		return string(secret), core.Wrap(core.Canceled, err, "read the key")
	}
	line, err := bufio.NewReader(io.LimitReader(t.In, maxSecretBytes)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", core.Wrap(core.Unavailable, err, "read the key")
	}
	return strings.TrimRight(line, "\r\n"), nil
}
