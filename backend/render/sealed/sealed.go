// Package sealed writes a page that only a passphrase opens: the real page, compressed and encrypted, inside a page that
// asks for the passphrase and decrypts it in the browser, offline.
//
// The key is derived from the passphrase by PBKDF2 with HMAC-SHA-256. The text is compressed by gzip and encrypted by
// AES-256-GCM in chunks, each with a nonce of a random prefix, the number of the chunk, and whether it is the last one,
// so that chunks cannot be exchanged, repeated or left out.
package sealed

import (
	"bufio"
	"compress/gzip"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

//go:embed page.css
var style string

//go:embed page.js
var script string

const (
	// iterations of PBKDF2, as OWASP advises for HMAC-SHA-256.
	iterations = 600_000
	saltBytes  = 16
	// prefixBytes of a nonce are random; four are the number of the chunk, one is 1 for the last chunk.
	prefixBytes = 7
	chunkBytes  = 256 << 10
)

// Write writes a page that shows what write writes, after the passphrase was entered. The policy of the page allows the
// scripts and styles with the given hashes ('sha256-…') besides its own.
func Write(w io.Writer, passphrase string, styles, scripts []string, write func(io.Writer) error) error {
	if passphrase == "" {
		return errors.New("the passphrase is empty")
	}
	out := bufio.NewWriterSize(w, 64<<10)
	s, err := newSealer(out, passphrase)
	if err != nil {
		return err
	}
	begin(out, s, append(styles, hash(style)), append(scripts, hash(script)))
	zipper := gzip.NewWriter(s)
	if err := write(zipper); err != nil {
		return err
	}
	if err := errors.Join(zipper.Close(), s.close()); err != nil {
		return err
	}
	_, _ = out.WriteString("</script>\n<script>" + script + "</script>\n</body>\n</html>\n")
	return out.Flush()
}

// hash returns the hash of an inline element for a policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func begin(out *bufio.Writer, s *sealer, styles, scripts []string) {
	policy := "default-src 'none'; img-src data:; style-src"
	for _, one := range styles {
		policy += " '" + one + "'"
	}
	policy += "; script-src"
	for _, one := range scripts {
		policy += " '" + one + "'"
	}
	policy += "; base-uri 'none'; form-action 'none'"
	_, _ = fmt.Fprintf(out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Encrypted session</title>
<style>%s</style>
</head>
<body>
<main>
<h1>Encrypted session</h1>
<p>This page was exported by Coppice and encrypted. It opens here, without a connection.</p>
<form id="form">
<label for="passphrase">Passphrase</label>
<input id="passphrase" type="password" autocomplete="off" required>
<button id="open" type="submit">Open</button>
<p id="status" role="status"></p>
</form>
<noscript><p>Scripts are off. Allow them for this page to open it.</p></noscript>
</main>
<script type="application/octet-stream" id="sealed" data-salt="%s" data-prefix="%s" data-iterations="%d">
`, policy, style, base64.StdEncoding.EncodeToString(s.salt), base64.StdEncoding.EncodeToString(s.nonce[:prefixBytes]), iterations)
}

// sealer encrypts what is written to it, and writes each chunk as a line of base64.
type sealer struct {
	out   *bufio.Writer
	aead  cipher.AEAD
	salt  []byte
	nonce [12]byte
	count uint32
	plain []byte
}

func newSealer(out *bufio.Writer, passphrase string) (*sealer, error) {
	s := &sealer{out: out, salt: make([]byte, saltBytes)}
	_, _ = rand.Read(s.salt) // never fails
	_, _ = rand.Read(s.nonce[:prefixBytes])
	key, err := pbkdf2.Key(sha256.New, passphrase, s.salt, iterations, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	s.aead, err = cipher.NewGCM(block)
	return s, err
}

func (s *sealer) Write(p []byte) (int, error) {
	s.plain = append(s.plain, p...)
	for len(s.plain) > chunkBytes { // the last chunk is written by close
		if err := s.seal(s.plain[:chunkBytes], false); err != nil {
			return 0, err
		}
		s.plain = append(s.plain[:0], s.plain[chunkBytes:]...)
	}
	return len(p), nil
}

func (s *sealer) close() error { return s.seal(s.plain, true) }

func (s *sealer) seal(plain []byte, isLast bool) error {
	binary.BigEndian.PutUint32(s.nonce[prefixBytes:], s.count)
	s.count++
	if isLast {
		s.nonce[11] = 1
	}
	_, err := s.out.WriteString(base64.StdEncoding.EncodeToString(s.aead.Seal(nil, s.nonce[:], plain, nil)) + "\n")
	return err
}
