package diff

import (
	"strconv"
	"strings"
)

// IsEnvelope reports whether the text has the format of Codex' apply_patch tool.
func IsEnvelope(text string) bool { return strings.Contains(text, "*** Begin Patch") }

// Envelope reads the format of Codex' apply_patch tool: "*** Begin Patch", then per file "*** Add File: ", "*** Update
// File: " or "*** Delete File: ", and hunks that begin with "@@" and have no numbers.
func Envelope(text string) []File {
	var files []File
	var lines []string
	flush := func() {
		if len(files) > 0 && len(lines) > 0 {
			f := &files[len(files)-1]
			f.Hunks = append(f.Hunks, Numbered(0, number(f.Created), lines))
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "*** End Patch" {
			break
		}
		if f, ok := envelopeFile(line); ok {
			flush()
			files = append(files, f)
			continue
		}
		switch {
		case strings.HasPrefix(line, "*** Move to: "):
			if len(files) > 0 {
				files[len(files)-1].MovedTo = strings.TrimPrefix(line, "*** Move to: ")
			}
		case strings.HasPrefix(line, "*** "), strings.HasPrefix(line, "@@"):
			flush()
		case len(files) > 0:
			lines = append(lines, line)
		}
	}
	flush()
	return files
}

func envelopeFile(line string) (File, bool) {
	if path, ok := strings.CutPrefix(line, "*** Add File: "); ok {
		return File{Path: path, Created: true}, true
	}
	if path, ok := strings.CutPrefix(line, "*** Update File: "); ok {
		return File{Path: path}, true
	}
	if path, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
		return File{Path: path, Deleted: true}, true
	}
	return File{}, false
}

// IsUnified reports whether the text has a hunk header.
func IsUnified(text string) bool {
	return strings.HasPrefix(text, "@@ -") || strings.Contains(text, "\n@@ -")
}

// Unified reads a unified diff, as diff -u and git write it. A text without a file header is one file with the given
// path.
func Unified(path, text string) []File {
	p := unifiedReader{path: path}
	for line := range strings.Lines(text) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.flush()
	return p.files
}

type unifiedReader struct {
	path          string
	files         []File
	lines         []string
	before, after int64 // where the hunk starts
	left          int64 // remaining lines of the hunk, before and after added together
}

func (p *unifiedReader) line(line string) {
	if p.left > 0 {
		p.body(line)
		return
	}
	switch {
	case strings.HasPrefix(line, "--- "):
		p.flush()
		p.files = append(p.files, File{Path: headerPath(line[4:]), Created: headerPath(line[4:]) == ""})
	case strings.HasPrefix(line, "+++ ") && len(p.files) > 0:
		f := &p.files[len(p.files)-1]
		after := headerPath(line[4:])
		switch {
		case after == "":
			f.Deleted = true
		case f.Path == "":
			f.Path = after
		case f.Path != after:
			f.MovedTo = after
		}
	case strings.HasPrefix(line, "@@ -"):
		p.flush()
		p.header(line)
	}
}

func (p *unifiedReader) body(line string) {
	p.lines = append(p.lines, line)
	switch {
	case line == "" || line[0] == ' ':
		p.left -= 2
	case line[0] == '+' || line[0] == '-':
		p.left--
	}
}

// header reads "@@ -12,3 +14,4 @@".
func (p *unifiedReader) header(line string) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return
	}
	before, old, ok := span(fields[1])
	after, now, okAfter := span(fields[2])
	if !ok || !okAfter {
		return
	}
	p.before, p.after, p.left = before, after, old+now
	if len(p.files) == 0 {
		p.files = append(p.files, File{Path: p.path})
	}
}

func (p *unifiedReader) flush() {
	if len(p.lines) > 0 && len(p.files) > 0 {
		f := &p.files[len(p.files)-1]
		f.Hunks = append(f.Hunks, Numbered(p.before, p.after, p.lines))
	}
	p.lines, p.left = nil, 0
}

// span reads "-12,3".
func span(text string) (start, count int64, ok bool) {
	first, second, hasCount := strings.Cut(text[1:], ",")
	start, err := strconv.ParseInt(first, 10, 32)
	if err != nil || start < 0 {
		return 0, 0, false
	}
	if !hasCount {
		return start, 1, true
	}
	count, err = strconv.ParseInt(second, 10, 32)
	return start, count, err == nil && count >= 0
}

func headerPath(text string) string {
	path, _, _ := strings.Cut(text, "\t")
	path = strings.Trim(path, `"`)
	if path == "/dev/null" {
		return ""
	}
	if rest, ok := strings.CutPrefix(path, "a/"); ok {
		return rest
	}
	return strings.TrimPrefix(path, "b/")
}

// Listing reads the format of pi's edit tool: each line has its sign and, padded, one number; "..." marks a gap.
func Listing(path, text string) File {
	f := File{Path: path}
	var hunk Hunk
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		parsed, ok := listingLine(line)
		if !ok {
			f.Hunks = append(f.Hunks, hunks(hunk)...)
			hunk = nil
			continue
		}
		hunk = append(hunk, parsed)
	}
	f.Hunks = append(f.Hunks, hunks(hunk)...)
	return f
}

func listingLine(line string) (Line, bool) {
	if line == "" {
		return Line{}, false
	}
	op := Op(line[0])
	rest := strings.TrimLeft(line[1:], " ")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseInt(rest[:digits], 10, 64)
	if err != nil || op != Same && op != Added && op != Removed {
		return Line{}, false
	}
	out := Line{Op: op, Text: strings.TrimPrefix(rest[digits:], " ")}
	if op == Removed {
		out.Old = n
	} else {
		out.New = n
	}
	return out, true
}
