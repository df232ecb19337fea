// Package picture draws the tree of a session as SVG or PNG: a row for each turn, side branches indented below the turn that they
// fork from. Large trees are drawn without turns between forks, and bounded.
package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// Theme is the set of colors of a picture.
type Theme string

// The themes. An SVG without a theme follows that of its viewer.
const (
	ThemeAuto  Theme = ""
	ThemeLight Theme = "light"
	ThemeDark  Theme = "dark"
)

// ParseTheme returns the theme of that name.
func ParseTheme(name string) (Theme, error) {
	switch theme := Theme(name); theme {
	case ThemeAuto, ThemeLight, ThemeDark:
		return theme, nil
	}
	return "", core.E(core.Invalid, "unknown theme %q", name).WithHint("one of: %s, %s", ThemeLight, ThemeDark)
}

// The measures of a picture, in pixels.
const (
	width     = 960
	rowHeight = 26
	laneWidth = 20
	margin    = 24
	headRoom  = 64 // of the title
	footRoom  = 40
	dot       = 5
	textSize  = 13
	titleSize = 18
	maxLanes  = 24 // deeper branches are drawn in the last lane
)

// Limits of the rows: a picture with more of them cannot be opened.
const (
	wholeTurns = 150 // up to which number each turn has a row
	maxSVGRows = 2500
	maxPNGRows = 600
)

// row is a turn of the picture.
type row struct {
	turn    *core.Turn
	lane    int
	parent  int // the index of the row of the turn before; -1: none
	skipped int // turns between both that have no row
	onPath  bool
}

// chart is a tree as rows.
type chart struct {
	title, facts string
	rows         []row
	left         int // turns at forks that have no row, because there are too many
}

func (c *chart) height() int { return headRoom + len(c.rows)*rowHeight + footRoom }

// x returns the middle of a row's dot.
func (r *row) x() float64 { return float64(margin + dot + min(r.lane, maxLanes)*laneWidth) }

// y returns the middle of the row with that index.
func y(index int) float64 { return float64(headRoom + index*rowHeight + rowHeight/2) }

// newChart arranges the turns outside the trash.
func newChart(tree core.Tree, maxRows int) chart {
	t := treeOf(tree)
	kept, left := t.keep(maxRows)
	c := chart{title: titleOf(tree.Session), facts: factsOf(&t, tree), left: left}
	t.arrange(&c, kept)
	return c
}

func titleOf(s core.Session) string {
	for _, title := range []string{s.Title, s.Name, s.Task} {
		if title = strings.TrimSpace(title); title != "" {
			return title
		}
	}
	return "Untitled session"
}

func factsOf(t *turns, tree core.Tree) string {
	return fmt.Sprintf("%s · %s · %s", counted(int64(t.count), "turn"), counted(int64(len(tree.Branches)), "branch"), counted(tree.Session.MessageCount, "message"))
}

func counted(n int64, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return humanize.Comma(n) + " " + noun
}

// words returns what a row shows beside its dot, at most as many characters as fit.
func (r *row) words() (number, label, text, note string) {
	number = fmt.Sprintf("n%d", r.turn.Number)
	if r.skipped > 0 {
		note = "after " + counted(int64(r.skipped), "more turn")
	}
	room := int((width-margin-r.x()-16)/7.2) - len(number) - utf8.RuneCountInString(note) - 4
	label = clipped(visible(r.turn.Label), min(room, 40))
	text = visible(r.turn.Preview)
	if text == "" {
		text = "(no text)"
	}
	return number, label, clipped(text, room-utf8.RuneCountInString(label)), note
}

// clipped returns a text of at most some characters.
func clipped(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return core.Cut(text, max(runes-1, 0)) + "…"
}

// foot returns what the picture leaves out; empty for nothing.
func (c *chart) foot() string {
	var notes []string
	skipped := 0
	for i := range c.rows {
		skipped += c.rows[i].skipped
	}
	if skipped > 0 {
		notes = append(notes, "Turns between forks without a label are not drawn.")
	}
	if c.left > 0 {
		notes = append(notes, counted(int64(c.left), "turn")+" at forks of the smallest branches are not drawn.")
	}
	return strings.Join(notes, " ")
}
