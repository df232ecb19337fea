package cli

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/patch"
	"coppice/backend/sqlite"
	"coppice/backend/toolcall"
)

// maxBlamedBytes is more than a file that somebody reads line by line has.
const maxBlamedBytes = 16 << 20

// blamedLine is a line of a file with the change that wrote it; nil: no stored change did.
type blamedLine struct {
	Line  int64           `json:"line"` // from 1
	Text  string          `json:"text"`
	Touch *core.FileTouch `json:"touch"`
	maybe *core.FileTouch // the newest change that added a short line with this text
}

func newBlameCmd(s *term.Shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "blame FILE[:LINE]",
		Short: "Show which session and turn wrote the lines of a file",
		Long: `Show which session and turn wrote the lines of a file, or one line of it. It is the newest stored change that added a
line with the same text. A short line, such as a bracket, rather belongs to the change that wrote the line above it.`,
		Args: takes("FILE[:LINE]"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, line, text, err := readBlamed(args[0])
			if err != nil {
				return err
			}
			return s.With(cmd.Context(), func(db *sqlite.DB) error {
				lines, err := blame(cmd.Context(), db, file, strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
				if err != nil {
					return err
				}
				if line > 0 {
					lines = lines[line-1 : line]
				}
				if asJSON {
					return s.PrintJSON(lines)
				}
				return s.Buffered(func(s *term.Shell) error { return printBlame(s, lines) })
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

var lineSuffix = lazyregexp.New(`^(.+):([1-9][0-9]{0,8})$`)

// readBlamed reads FILE or FILE:LINE; line is 0 for the whole file. A file whose name ends with a number wins.
func readBlamed(arg string) (file string, line int, text string, err error) {
	data, err := core.ReadRegular(arg, maxBlamedBytes)
	if match := lineSuffix.FindStringSubmatch(arg); errors.Is(err, fs.ErrNotExist) && match != nil {
		arg = match[1]
		line, _ = strconv.Atoi(match[2]) // at most nine digits
		data, err = core.ReadRegular(arg, maxBlamedBytes)
	}
	if err != nil {
		return "", 0, "", core.Wrap(core.NotFound, err, "read the file")
	}
	if count := strings.Count(strings.TrimSuffix(string(data), "\n"), "\n") + 1; line > count {
		return "", 0, "", core.E(core.Invalid, "%s has no line %d: it has %s", arg, line, present.Count(int64(count), "line"))
	}
	return arg, line, string(data), nil
}

// blame assigns the lines to changes, from the newest change to the oldest.
func blame(ctx context.Context, db *sqlite.DB, file string, texts []string) ([]blamedLine, error) {
	touches, err := touchesOf(ctx, db, file, 0)
	if err != nil {
		return nil, err
	}
	lines := make([]blamedLine, len(texts))
	for i, text := range texts {
		lines[i] = blamedLine{Line: int64(i + 1), Text: strings.TrimSuffix(text, "\r")}
	}
	for i := range touches {
		if touches[i].Failed {
			continue
		}
		added, err := addedLines(ctx, db, &touches[i])
		if err != nil {
			return nil, err
		}
		claim(lines, &touches[i], added)
	}
	for i := range lines {
		if lines[i].Touch == nil {
			lines[i].Touch = lines[i].maybe
		}
	}
	return lines, nil
}

// claim assigns to a change the lines that it added and that no newer one did.
func claim(lines []blamedLine, touch *core.FileTouch, added map[string]bool) {
	for i := range lines {
		l := &lines[i]
		if l.Touch != nil || !added[l.Text] {
			continue
		}
		if !isShort(l.Text) || i > 0 && lines[i-1].Touch == touch {
			l.Touch = touch
		} else if l.maybe == nil {
			l.maybe = touch
		}
	}
}

// isShort reports whether a line says too little to recognise it.
func isShort(line string) bool {
	n := 0
	for _, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n < 4
}

// addedLines returns the lines that a change added.
func addedLines(ctx context.Context, db *sqlite.DB, touch *core.FileTouch) (map[string]bool, error) {
	m, err := db.Message(ctx, touch.SessionID, touch.MessageUID)
	if err == nil {
		err = db.Hydrate(ctx, &m)
	}
	if err != nil {
		return nil, err
	}
	added, tools := map[string]bool{}, toolcall.Known()
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != core.PartToolCall || p.ID != touch.CallID {
			continue
		}
		for _, file := range tools.Call(p).Changes(nil) {
			if file.Path == touch.Path || len(m.Parts) == 1 {
				addLines(added, file)
			}
		}
	}
	return added, nil
}

func addLines(added map[string]bool, file patch.File) {
	for _, hunk := range file.Hunks {
		for _, line := range hunk.Lines {
			if line.Op == patch.Added {
				added[strings.TrimRight(line.Text, "\r\n")] = true
			}
		}
	}
}

func printBlame(s *term.Shell, lines []blamedLine) error {
	for i := range lines {
		l, by := &lines[i], ""
		if t := l.Touch; t != nil {
			by = t.SessionID[:min(len(t.SessionID), 13)] + " n" + strconv.FormatInt(t.Turn, 10) + "  " + present.Moment(t.CreatedAtMs)
		}
		if err := s.Printf("%-36s %5d  %s\n", by, l.Line, present.Safe(l.Text)); err != nil {
			return err
		}
	}
	return nil
}
