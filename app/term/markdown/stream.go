package markdown

import (
	"strings"

	"coppice/backend/lazyregexp"
)

// Stream lays out a text that arrives in pieces, block by block.
type Stream struct {
	renderer *Renderer
	pending  string // the blocks that are not finished
	begun    bool   // a block has been laid out
	within   bool   // the pending text continues the list before it
}

// NewStream returns a Stream of a text that has not begun.
func (r *Renderer) NewStream() *Stream { return &Stream{renderer: r} }

// Add appends a piece, and returns the lines of the blocks that it finishes.
func (s *Stream) Add(piece string, width int) []string {
	s.pending += piece
	end, within := finished(s.pending)
	if end == 0 {
		return nil
	}
	lines := s.lines(s.pending[:end], width)
	s.pending, s.within = s.pending[end:], within
	return lines
}

// The length from which an unfinished block is shown without its layout, which would be computed again with each piece, and how much of it.
const (
	longBlock = 8 << 10
	restBytes = 4 << 10
)

// Rest returns the lines of the blocks that are not finished; of a long one only the last lines, as they are written.
func (s *Stream) Rest(width int) []string {
	if len(s.pending) > longBlock {
		return Wrap(strings.ToValidUTF8(s.pending[len(s.pending)-restBytes:], ""), width)
	}
	begun := s.begun
	lines := s.lines(s.pending, width)
	s.begun = begun
	return lines
}

// IsEmpty reports whether all text is laid out.
func (s *Stream) IsEmpty() bool { return s.pending == "" }

// End returns the lines of what is left, and ends the text.
func (s *Stream) End(width int) []string {
	lines := s.lines(s.pending, width)
	*s = Stream{renderer: s.renderer}
	return lines
}

// lines lays out blocks, after an empty line if they are not the first ones.
func (s *Stream) lines(source string, width int) []string {
	if strings.TrimSpace(source) == "" {
		return nil
	}
	lines := s.renderer.Lines(source, width)
	if s.begun && !s.within {
		lines = append([]string{""}, lines...)
	}
	s.begun = true
	return lines
}

// longList is the length from which a list is laid out item by item.
const longList = 2 << 10

var (
	fence    = lazyregexp.New("^ {0,3}(`{3,}|~{3,})")
	listMark = lazyregexp.New(`^([-*+]|\d{1,9}[.)])[ \t]`)
	heading  = lazyregexp.New(`^#{1,6}[ \t]`)
	unclear  = lazyregexp.New(`^([-*+]|\d{1,9}[.)]?)$`) // of a line that has not ended: it may become a mark of a list
)

// finished returns the length of the blocks at the beginning of a text that no more text can change. within means that what follows continues
// the list before it.
func finished(text string) (end int, within bool) {
	var open string // the fence of the code that the line is in
	isList, isFence, afterBlank, from := false, false, false, 0
	for at := 0; at < len(text); {
		line, _, ended := strings.Cut(text[at:], "\n")
		next := at + len(line) + 1
		switch {
		case open != "":
			if closing := strings.TrimSpace(line); ended && strings.HasPrefix(closing, open) && strings.Trim(closing, open[:1]) == "" {
				open = ""
				if isFence {
					end, within, from, isFence, isList = next, false, next, false, false
				}
			}
		case strings.TrimSpace(line) == "":
			afterBlank = true
		case !ended && unclear.MatchString(line):
			return end, within
		default:
			isItem := listMark.MatchString(line)
			begins := at == from || afterBlank && line[0] != ' ' && line[0] != '\t' && (!isList || !isItem)
			if begins && at > from {
				end, within, from = at, false, at
			} else if isList && isItem && at-from > longList {
				end, within, from = at, true, at
			}
			if begins {
				isList, isFence = isItem, false
			}
			if found := fence.FindStringSubmatch(line); found != nil {
				open, isFence = found[1], begins
			} else if begins && ended && heading.MatchString(line) {
				end, within, from = next, false, next
			}
			afterBlank = false
		}
		if !ended {
			break
		}
		at = next
	}
	return min(end, len(text)), within
}
