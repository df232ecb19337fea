package window

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"coppice/app/internal/version"
	"coppice/app/window/internal/change"
)

func TestWindowState(t *testing.T) {
	t.Parallel()
	file := windowStateFile(filepath.Join(t.TempDir(), "new", "window.json"))
	first := file.load()
	if first.Width != windowWidth || first.Theme != themeSystem || first.Placed {
		t.Errorf("at first %+v", first)
	}
	want := windowState{Width: 1000, Height: 700, X: 5, Y: 6, Placed: true, Maximised: true, Theme: themeDark}
	if err := file.save(want); err != nil {
		t.Fatal(err)
	}
	if got := file.load(); got != want {
		t.Errorf("got %+v", got)
	}
	for _, broken := range []string{"", "{", `{"width":1,"height":1}`} {
		if err := os.WriteFile(string(file), []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := file.load(); got != first {
			t.Errorf("%q: %+v", broken, got)
		}
	}
}

// TestEventsAreThoseOfTheInterface compares the names of events with those in the file of the interface that listens to
// them.
func TestEventsAreThoseOfTheInterface(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../frontend/src/lib/api/api.ts")
	if err != nil {
		t.Fatal(err)
	}
	heard := regexp.MustCompile(`EventsOn\("(\w+)"`).FindAllStringSubmatch(string(source), -1)
	for _, name := range []string{change.Event, menuCommand} {
		found := false
		for _, match := range heard {
			found = found || match[1] == name
		}
		if !found {
			t.Errorf("nobody listens to %s", name)
		}
	}
}

func TestVersionIsThatOfThePackage(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../wails.json")
	if err != nil {
		t.Fatal(err)
	}
	var project struct {
		Info struct {
			ProductVersion string `json:"productVersion"`
		} `json:"info"`
	}
	if err := json.Unmarshal(data, &project); err != nil {
		t.Fatal(err)
	}
	if project.Info.ProductVersion != version.Number {
		t.Errorf("%s in wails.json, %s here", project.Info.ProductVersion, version.Number)
	}
}
