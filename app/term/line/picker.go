package line

import (
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// Picker lets the user choose one of several rows with the arrow keys, and narrow them by typing words to search for. The terminal is in raw
// mode.
type Picker struct {
	In    func() ([]byte, error)     // waits for input and returns it; nothing after the size has changed
	Out   io.Writer                  // the terminal
	Size  func() (width, height int) // the size of the terminal
	Title string                     // a line above the rows
	Rows  func(words string, width int) (head string, rows []string, err error)
	Mark  func(row string) string // adds the style of the chosen row

	words    buffer
	head     string
	rows     []string
	problem  string // why the words select nothing
	chosen   int
	searched string // the words that the rows belong to
	width    int    // the width that the rows were made for; 0: there are no rows yet
	drawn    []int  // the columns of each row on the screen
}

// The marks before the rows, and how many lines are not rows.
const (
	chosenMark = "❯ "
	otherMark  = "  "
	otherLines = 4
)

// Pick returns the index of the chosen row among those that Rows has returned last. The error is io.EOF if the user chooses none with Esc or
// Ctrl+D, ErrInterrupted after Ctrl+C, or an error of In.
func (p *Picker) Pick() (int, error) {
	defer func() { p.write(p.erase()) }()
	var typed []byte
	for {
		p.search()
		p.draw()
		more, err := p.In()
		if err != nil {
			return 0, err
		}
		typed = append(typed, more...)
		if len(typed) == 1 && typed[0] == 0x1b { // Esc: other keys that begin with it arrive at once
			return 0, io.EOF
		}
		for {
			k, n := decode(typed)
			if n == 0 {
				break
			}
			typed = typed[n:]
			if done, err := p.key(k); done || err != nil {
				return p.chosen, err
			}
		}
	}
}

func (p *Picker) key(k key) (done bool, err error) {
	if k.code == up || k.code == down || k.code == enter {
		p.search() // for words that arrived with the key
	}
	switch k.code {
	case insert, paste:
		p.words.insert(strings.ReplaceAll(k.text, "\n", " "))
	case backspace:
		p.words.remove(max(p.words.at-1, 0), p.words.at)
	case word:
		p.words.remove(p.words.wordStart(), p.words.at)
	case toStart:
		p.words.set("", "")
	case up:
		p.chosen = max(p.chosen-1, 0)
	case down, complete:
		p.chosen = max(min(p.chosen+1, len(p.rows)-1), 0)
	case enter:
		return len(p.rows) > 0, nil
	case interrupt:
		return false, ErrInterrupted
	case finish:
		return false, io.EOF
	default:
	}
	return false, nil
}

// search updates the rows if the words or the width have changed.
func (p *Picker) search() {
	width, _ := p.Size()
	if p.width == width && p.searched == p.words.text() {
		return
	}
	if p.searched != p.words.text() {
		p.chosen = 0
	}
	p.searched, p.width, p.problem = p.words.text(), width, ""
	head, rows, err := p.Rows(p.searched, max(width-1-len(otherMark), 1))
	switch {
	case err != nil: // the words are not complete, perhaps: the rows stay
		p.problem = err.Error()
	case len(rows) == 0:
		p.head, p.rows, p.problem = "", nil, "nothing matches"
	default:
		p.head, p.rows = head, rows
	}
	p.chosen = max(min(p.chosen, len(p.rows)-1), 0)
}

// draw shows the title, the words, and the rows around the chosen one.
func (p *Picker) draw() {
	width, height := p.Size()
	lines := []string{p.Title, "search: " + p.words.text() + "▏"}
	if p.problem != "" {
		lines = append(lines, p.problem)
	} else {
		lines = append(lines, otherMark+p.head)
	}
	room := max(height-otherLines, 1)
	first := max(min(p.chosen-room/2, len(p.rows)-room), 0)
	for i := first; i < min(first+room, len(p.rows)); i++ {
		if i == p.chosen {
			lines = append(lines, chosenMark+p.rows[i])
		} else {
			lines = append(lines, otherMark+p.rows[i])
		}
	}
	out := p.erase()
	p.drawn = p.drawn[:0]
	for i, line := range lines {
		line = cut(line, width-1)
		p.drawn = append(p.drawn, uniseg.StringWidth(line))
		if strings.HasPrefix(line, chosenMark) && p.Mark != nil {
			line = p.Mark(line)
		}
		if i > 0 {
			out += "\r\n"
		}
		out += line
	}
	p.write(out)
}

// erase returns the output that removes what was drawn, also if the terminal is narrower now and has wrapped it.
func (p *Picker) erase() string {
	if len(p.drawn) == 0 {
		return ""
	}
	width, _ := p.Size()
	up := 0
	for _, columns := range p.drawn {
		up += max((columns+width-1)/max(width, 1), 1)
	}
	p.drawn = p.drawn[:0]
	return moveUp(up-1) + "\x1b[J"
}

func (p *Picker) write(text string) { _, _ = io.WriteString(p.Out, text) } // the user sees an error of the terminal

// cut returns the beginning of a line that fits a width.
func cut(line string, width int) string {
	if uniseg.StringWidth(line) <= width {
		return line
	}
	var b strings.Builder
	used := 0
	for _, character := range split(line) {
		if used += uniseg.StringWidth(character); used > width-1 {
			break
		}
		b.WriteString(character)
	}
	return b.String() + "…"
}
