package patch

import (
	"fmt"
	"slices"
	"strings"
)

const (
	begin     = "*** Begin Patch"
	end       = "*** End Patch"
	addFile   = "*** Add File: "
	delFile   = "*** Delete File: "
	update    = "*** Update File: "
	moveTo    = "*** Move to: "
	endOfFile = "*** End of File"
)

// Envelope reads the format of Codex' apply_patch tool: the lines between begin and end. A missing end, and text around the
// envelope, are accepted. It always returns what can be shown of the patch; the error is the first reason why it cannot be
// applied.
func Envelope(text string) ([]File, error) {
	r := envelopeReader{}
	lines := strings.Split(text, "\n")
	from := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) == begin }) + 1
	if from == 0 {
		r.fail(fmt.Errorf("%s must be on a line of its own", begin))
	}
	for i, line := range lines[from:] {
		if strings.TrimSpace(line) == end {
			break
		}
		r.take(strings.TrimSuffix(line, "\r"), from+i+1)
	}
	for i := range r.files {
		f := &r.files[i]
		f.trim()
		if !f.Created && !f.Deleted && len(f.Hunks) == 0 && f.MovedTo == "" {
			r.fail(fmt.Errorf("the patch has *** Update File: %s without any change to it", f.Path))
		}
	}
	return r.files, r.err
}

// envelopeReader reads an envelope line by line.
type envelopeReader struct {
	files []File
	err   error // the first one
}

func (r *envelopeReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *envelopeReader) take(line string, number int) {
	if f, ok := header(line); ok {
		if f.Path == "" {
			r.fail(fmt.Errorf("line %d of the patch names no file", number))
		}
		r.files = append(r.files, f)
		return
	}
	if len(r.files) == 0 {
		if strings.TrimSpace(line) != "" {
			r.fail(fmt.Errorf("line %d of the patch comes before any *** Add File, *** Update File or *** Delete File: %q", number, line))
		}
		return
	}
	if err := r.files[len(r.files)-1].take(line); err != nil {
		r.fail(fmt.Errorf("line %d of the patch: %w", number, err))
	}
}

// trim removes the empty lines at the end of each hunk: most of them only separate it from the next.
func (f *File) trim() {
	for i := range f.Hunks {
		lines := f.Hunks[i].Lines
		for len(lines) > 0 && lines[len(lines)-1].bare {
			lines = lines[:len(lines)-1]
		}
		f.Hunks[i].Lines = lines
	}
}

// header reads a line that begins a file.
func header(line string) (File, bool) {
	for prefix, f := range map[string]File{addFile: {Created: true}, delFile: {Deleted: true}, update: {}} {
		if path, ok := strings.CutPrefix(line, prefix); ok {
			f.Path = strings.TrimSpace(path)
			return f, true
		}
	}
	return File{}, false
}

// take adds a line to the file. A line that does not belong there is added as an unchanged one, and is an error.
func (f *File) take(line string) error {
	switch {
	case f.Deleted:
		if strings.TrimSpace(line) == "" {
			return nil
		}
		f.add(Line{Op: Same, Text: line})
		return fmt.Errorf("a deleted file has no lines: %q", line)
	case f.Created:
		text, ok := strings.CutPrefix(line, "+")
		switch {
		case ok:
			f.add(Line{Op: Added, New: f.next(), Text: text})
			return nil
		case line == "":
			return nil
		}
		f.add(Line{Op: Same, Text: line})
		return fmt.Errorf("each line of an added file begins with +: %q", line)
	default:
		return f.takeUpdate(line)
	}
}

// next returns the number of the next line of a created file.
func (f *File) next() int64 {
	if len(f.Hunks) == 0 {
		return 1
	}
	return int64(len(f.Hunks[0].Lines)) + 1
}

func (f *File) takeUpdate(line string) error {
	if path, ok := strings.CutPrefix(line, moveTo); ok {
		f.MovedTo = strings.TrimSpace(path)
		return nil
	}
	if after, ok := strings.CutPrefix(line, "@@"); ok {
		f.Hunks = append(f.Hunks, Hunk{After: sectionOf(after)})
		return nil
	}
	if strings.TrimSpace(line) == endOfFile {
		if len(f.Hunks) > 0 {
			f.Hunks[len(f.Hunks)-1].AtEnd = true
		}
		return nil
	}
	if line == "" {
		f.add(Line{Op: Same, bare: true}) // an empty context line; models leave out the space before it
		return nil
	}
	switch Op(line[0]) {
	case Same, Removed, Added:
		f.add(Line{Op: Op(line[0]), Text: line[1:]})
		return nil
	}
	f.add(Line{Op: Same, Text: line})
	return fmt.Errorf("a line begins with a blank, - or +, or is a *** or @@ line: %q", line)
}

// sectionOf returns the line of the file that an @@ line names. The numbers of a unified diff are not trusted here.
func sectionOf(after string) string {
	if numbers, section, ok := strings.Cut(after, "@@"); ok && strings.HasPrefix(strings.TrimSpace(numbers), "-") {
		after = section
	}
	return strings.TrimSpace(after)
}

func (f *File) add(line Line) {
	if len(f.Hunks) == 0 {
		f.Hunks = append(f.Hunks, Hunk{})
	}
	last := &f.Hunks[len(f.Hunks)-1]
	last.Lines = append(last.Lines, line)
}
