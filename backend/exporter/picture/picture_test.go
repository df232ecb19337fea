package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/exporter/picture"
)

// comb returns a tree whose trunk of turns has a side branch at each.
func comb(teeth int) core.Tree {
	tree := core.Tree{Session: core.Session{ID: "s1", Title: "A comb", MessageCount: int64(3 * teeth)}, Branches: []core.Branch{{Parent: -1, ForkDepth: -1, TipDepth: int64(2*teeth - 1)}}}
	for i := range int64(teeth) {
		tree.Turns = append(tree.Turns, core.Turn{Number: 2 * i, Parent: 2*i - 2, FirstDepth: 2 * i, Messages: 2, Preview: fmt.Sprint("trunk ", i), OnPath: true, FirstUID: fmt.Sprint("a", i)},
			core.Turn{Number: 2*i + 1, Parent: 2 * i, Branch: i + 1, FirstDepth: 2*i + 2, Messages: 1, Preview: fmt.Sprint("tooth ", i), FirstUID: fmt.Sprint("b", i)})
		tree.Branches = append(tree.Branches, core.Branch{Number: i + 1, Parent: 0, ForkDepth: 2*i + 1, TipDepth: 2*i + 2})
	}
	tree.Turns[0].Parent = -1
	return tree
}

// elements parses an SVG and returns its elements by name, and its text.
func elements(t *testing.T, svg []byte) (count map[string]int, text string) {
	t.Helper()
	count = map[string]int{}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return count, text
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			count[token.Name.Local]++
		case xml.CharData:
			text += string(token)
		}
	}
}

func TestSVG(t *testing.T) {
	tree := comb(3)
	tree.Session.Title = `<script>alert(1)</script> & "quotes" ` + "\x00\u202e"
	tree.Turns[2].Label, tree.Turns[3].Preview = "]]> the <fix>", "</text><image href='http://example.org'/>"
	var out bytes.Buffer
	if err := picture.SVG(&out, tree, picture.ThemeAuto); err != nil {
		t.Fatal(err)
	}
	count, text := elements(t, out.Bytes())
	if count["circle"] != 6 || count["path"] != 5 || count["script"]+count["image"] != 0 {
		t.Errorf("%v", count)
	}
	for _, want := range []string{"<script>alert(1)</script>", "]]> the <fix>", "</text><image href='http://example.org'/>", "prefers-color-scheme", "6 turns · 4 branches · 9 messages"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x00\u202e") {
		t.Error("a hidden character")
	}
}

// Hidden turns are left out, and a tooth follows the turn that it forks from.
func TestOrder(t *testing.T) {
	tree := comb(3)
	tree.Hidden = []core.HiddenTop{{UID: "b1", Turn: 3, Branch: 2, Depth: 4}}
	var out bytes.Buffer
	if err := picture.SVG(&out, tree, picture.ThemeDark); err != nil {
		t.Fatal(err)
	}
	_, text := elements(t, out.Bytes())
	last := -1
	for _, want := range []string{"trunk 0", "tooth 0", "trunk 1", "trunk 2", "tooth 2"} {
		at := strings.Index(text, want)
		if at <= last {
			t.Errorf("%s is at %d in %s", want, at, text)
		}
		last = at
	}
	if strings.Contains(text, "tooth 1") || strings.Contains(text, "prefers-color-scheme") {
		t.Error(text)
	}
}

func TestPNG(t *testing.T) {
	for _, theme := range []picture.Theme{picture.ThemeLight, picture.ThemeDark} {
		var out bytes.Buffer
		if err := picture.PNG(&out, comb(3), theme); err != nil {
			t.Fatal(err)
		}
		drawn, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		background := drawn.At(0, 0)
		colors := map[any]bool{}
		for x := range drawn.Bounds().Dx() {
			for y := range drawn.Bounds().Dy() {
				colors[drawn.At(x, y)] = true
			}
		}
		r, _, _, _ := background.RGBA()
		if isDark := r < 0x8000; isDark != (theme == picture.ThemeDark) || len(colors) < 50 {
			t.Errorf("%s: background %v, %d colors", theme, background, len(colors))
		}
	}
}

// A tree of any size becomes a picture that can be opened, and the picture states what it leaves out.
func TestLargeTrees(t *testing.T) {
	chain := core.Tree{Session: core.Session{Title: "A chain"}, Branches: []core.Branch{{Parent: -1, ForkDepth: -1, TipDepth: 99_999}}}
	for i := range int64(100_000) {
		chain.Turns = append(chain.Turns, core.Turn{Number: i, Parent: i - 1, FirstDepth: i, Messages: 1})
	}
	for name, tree := range map[string]core.Tree{"comb": comb(10_000), "chain": chain} {
		var svg, pixels bytes.Buffer
		if err := errors.Join(picture.SVG(&svg, tree, picture.ThemeAuto), picture.PNG(&pixels, tree, picture.ThemeLight)); err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(&pixels)
		count, text := elements(t, svg.Bytes())
		if err != nil || config.Height > 16_000 || count["circle"] > 2500 || !strings.Contains(text, "not drawn") {
			t.Errorf("%s: %d high, %v, %v", name, config.Height, count, err)
		}
	}
}
