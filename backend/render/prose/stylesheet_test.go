package prose

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

// frontendSheet is the window's copy of Stylesheet.
const frontendSheet = "../../../frontend/src/prose.css"

func TestFrontendHasTheStylesheet(t *testing.T) {
	want := "/* Generated from backend/render/prose/prose.css: go test ./backend/render/prose -update */\n" + Stylesheet()
	if update() {
		if err := os.WriteFile(frontendSheet, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(frontendSheet)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run the test with -update", frontendSheet)
	}
}

func TestStylesheetStylesEveryClassOfCode(t *testing.T) {
	classes := regexp.MustCompile(`return "([a-z]+)"`)
	source, err := os.ReadFile("../highlight/highlight.go")
	if err != nil {
		t.Fatal(err)
	}
	found := classes.FindAllStringSubmatch(string(source), -1)
	if len(found) < 8 {
		t.Fatalf("found only %d classes in highlight.go", len(found))
	}
	for _, class := range found {
		if !strings.Contains(Stylesheet(), ".chroma-"+class[1]) {
			t.Errorf("no rule for .chroma-%s", class[1])
		}
	}
}

// TestMain defines -update, which writes the expected outputs.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "write golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func update() bool { return flag.Lookup("update").Value.String() == "true" }
