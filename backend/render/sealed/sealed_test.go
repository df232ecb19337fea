package sealed

import (
	"bytes"
	"compress/gzip"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// seal returns a page that holds a text.
func seal(t *testing.T, passphrase, text string) string {
	t.Helper()
	var out bytes.Buffer
	err := Write(&out, passphrase, []string{"sha256-style"}, []string{"sha256-script"}, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// open decrypts a page as its script does.
func open(page, passphrase string) (string, error) {
	data := func(name string) string {
		return regexp.MustCompile(`data-` + name + `="([^"]*)"`).FindStringSubmatch(page)[1]
	}
	salt, err := base64.StdEncoding.DecodeString(data("salt"))
	if err != nil {
		return "", err
	}
	prefix, err := base64.StdEncoding.DecodeString(data("prefix"))
	if err != nil {
		return "", err
	}
	rounds, err := strconv.Atoi(data("iterations"))
	if err != nil {
		return "", err
	}
	key, err := pbkdf2.Key(sha256.New, passphrase, salt, rounds, 32)
	if err != nil {
		return "", err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(page, `data-iterations="600000">`)
	text, _, _ = strings.Cut(text, "</script>")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var packed []byte
	for i, line := range lines {
		chunk, err := base64.StdEncoding.DecodeString(line)
		if err != nil {
			return "", err
		}
		nonce := binary.BigEndian.AppendUint32(prefix[:7:7], uint32(i))
		last := byte(0)
		if i == len(lines)-1 {
			last = 1
		}
		if packed, err = aead.Open(packed, append(nonce, last), chunk, nil); err != nil {
			return "", err
		}
	}
	unzipper, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	plain, err := io.ReadAll(unzipper)
	return string(plain), err
}

func TestSealedPages(t *testing.T) {
	random := make([]byte, 2<<20)
	for i := range random {
		random[i] = byte(rand.IntN(256))
	}
	for _, text := range []string{"", "<!doctype html><p>secret words</p>", string(random)} {
		page := seal(t, "correct horse", text)
		if got, err := open(page, "correct horse"); err != nil || got != text {
			t.Errorf("%d bytes came back as %d, %v", len(text), len(got), err)
		}
		if _, err := open(page, "wrong horse"); err == nil {
			t.Error("a wrong passphrase opens the page")
		}
		if strings.Contains(page, "secret words") {
			t.Error("the page shows its text")
		}
	}
	page := seal(t, "p", string(random))
	lines := strings.Split(page, "\n")
	first := 0
	for i, line := range lines {
		if strings.HasPrefix(line, `<script type="application/octet-stream"`) {
			first = i + 1
		}
	}
	for name, damage := range map[string]func([]string) []string{
		"exchanged": func(l []string) []string { l[first], l[first+1] = l[first+1], l[first]; return l },
		"left out":  func(l []string) []string { return append(l[:first], l[first+1:]...) },
		"cut":       func(l []string) []string { return append(l[:first+2], "</script>") },
	} {
		changed := strings.Join(damage(append([]string(nil), lines...)), "\n")
		if _, err := open(changed, "p"); err == nil {
			t.Errorf("chunks %s: the page still opens", name)
		}
	}
	if a, b := seal(t, "p", "x"), seal(t, "p", "x"); a == b {
		t.Error("two pages are alike")
	}
}

func TestSealedPolicy(t *testing.T) {
	page := seal(t, "p", "x")
	want := "default-src 'none'; img-src data:; style-src 'sha256-style' '" + hash(style) + "'; script-src 'sha256-script' '" + hash(script) +
		"'; base-uri 'none'; form-action 'none'"
	if !strings.Contains(page, `content="`+want+`"`) {
		t.Errorf("the policy is not %s", want)
	}
	if strings.Contains(strings.ToLower(style+script), "</") {
		t.Error("the script or the style can end its element")
	}
}

func TestSealedErrors(t *testing.T) {
	if err := Write(io.Discard, "", nil, nil, nil); err == nil {
		t.Error("an empty passphrase is accepted")
	}
	broken := errors.New("broken")
	if err := Write(io.Discard, "p", nil, nil, func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
