package term

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestImagePath(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for pasted, want := range map[string]string{
		"/tmp/a.png":                     "/tmp/a.png",
		" /tmp/a.PNG\n":                  "/tmp/a.PNG",
		`/tmp/with\ spaces.jpg`:          "/tmp/with spaces.jpg",
		`'/tmp/with spaces.jpeg'`:        "/tmp/with spaces.jpeg",
		`"/tmp/a.webp"`:                  "/tmp/a.webp",
		"file:///tmp/with%20spaces.gif":  "/tmp/with spaces.gif",
		"~/a.png":                        filepath.Join(home, "a.png"),
		"https://example.org/a.html":     "",
		"look at /tmp/a.png and improve": "",
		"/tmp/a.png\n/tmp/b.png":         "",
		"/tmp/a.svg":                     "",
		"'":                              "",
	} {
		if got := imagePath(pasted); got != want {
			t.Errorf("%q: %q, want %q", pasted, got, want)
		}
	}
}

func TestFromAppleScript(t *testing.T) {
	if got := fromAppleScript([]byte("«data PNGf89504E47»\n")); !bytes.Equal(got, []byte("\x89PNG")) {
		t.Errorf("%q", got)
	}
	for _, other := range []string{"\x89PNG", "«data PNGfxyz»"} {
		if got := fromAppleScript([]byte(other)); string(got) != other {
			t.Errorf("%q is changed to %q", other, got)
		}
	}
}
