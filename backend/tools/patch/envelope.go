package patch

import (
	"fmt"
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

// parseEnvelope reads the lines between begin and end; a missing end, and text around the envelope, are accepted.
func parseEnvelope(text string) ([]File, error) {
	var files []File
	var file *File
	lines := strings.Split(text, "\n")
	from := 0
	for strings.TrimSpace(lines[from]) != begin {
		if from++; from == len(lines) {
			return nil, fmt.Errorf("%s must be on a line of its own", begin)
		}
	}
	for i, line := range lines[from+1:] {
		if strings.TrimSpace(line) == end {
			break
		}
		if op, path, ok := header(line); ok {
			if path == "" {
				return nil, fmt.Errorf("line %d of the patch names no file", from+i+2)
			}
			files = append(files, File{Op: op, Path: path})
			file = &files[len(files)-1]
			continue
		}
		if file == nil {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil, fmt.Errorf("line %d of the patch comes before any *** Add File, *** Update File or *** Delete File: %q", from+i+2, line)
		}
		if err := file.take(line); err != nil {
			return nil, fmt.Errorf("line %d of the patch: %w", from+i+2, err)
		}
	}
	for _, f := range files {
		f.trim()
		if f.Op == Update && len(f.Hunks) == 0 && f.MovedTo == "" {
			return nil, fmt.Errorf("the patch has *** Update File: %s without any change to it", f.Path)
		}
	}
	return files, nil
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
func header(line string) (Op, string, bool) {
	for prefix, op := range map[string]Op{addFile: Add, delFile: Delete, update: Update} {
		if path, ok := strings.CutPrefix(line, prefix); ok {
			return op, strings.TrimSpace(path), true
		}
	}
	return "", "", false
}

// take adds a line to the file.
func (f *File) take(line string) error {
	switch f.Op {
	case Delete:
		if strings.TrimSpace(line) != "" {
			return fmt.Errorf("a deleted file has no lines: %q", line)
		}
		return nil
	case Add:
		text, ok := strings.CutPrefix(line, "+")
		if !ok && line != "" {
			return fmt.Errorf("each line of an added file begins with +: %q", line)
		}
		if ok {
			f.add(Line{Op: '+', Text: text})
		}
		return nil
	default:
		return f.takeUpdate(line)
	}
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
		f.add(Line{Op: ' ', bare: true}) // an empty context line; models leave out the space before it
		return nil
	}
	switch line[0] {
	case ' ', '-', '+':
		f.add(Line{Op: line[0], Text: line[1:]})
		return nil
	}
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
