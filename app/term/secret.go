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

// maxSecretBytes is the limit on the size of a secret. No API key is as long.
const maxSecretBytes = 16 << 10

// TypesSecrets reports whether the user types what AskSecret reads, and so may mistype it.
func (t Terminal) TypesSecrets() bool {
	in, ok := t.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// AskSecret reads a line without showing it while the user types. From a pipe it reads the first line.
func (t Terminal) AskSecret(what string) (string, error) {
	if in, ok := t.In.(*os.File); ok && t.TypesSecrets() {
		_, _ = io.WriteString(t.Err, what+": ") // an error could not be shown anywhere
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
