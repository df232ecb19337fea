package diff

import (
	"slices"
	"strconv"
	"strings"

	"coppice/backend/patch"
)

// IsEnvelope reports whether the text has the format of Codex' apply_patch tool.
func IsEnvelope(text string) bool { return strings.Contains(text, "*** Begin Patch") }

// Envelope returns what can be shown of a patch of Codex' apply_patch tool, even if it could not be applied.
func Envelope(text string) []patch.File {
	files, _ := patch.Envelope(text) // damage is shown as it is written
	for i := range files {
		files[i].Hunks = slices.DeleteFunc(files[i].Hunks, func(h patch.Hunk) bool { return len(h.Lines) == 0 })
	}
	return files
}

// IsUnified reports whether the text has a hunk header.
func IsUnified(text string) bool {
	return strings.HasPrefix(text, "@@ -") || strings.Contains(text, "\n@@ -")
}

// Unified reads a unified diff, as diff -u and git write it. A text without a file header is one file with the given
// path.
func Unified(path, text string) []patch.File {
	p := unifiedReader{path: path}
	for line := range strings.Lines(text) {
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.flush()
	return p.files
}

type unifiedReader struct {
	path          string
	files         []patch.File
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
		p.files = append(p.files, patch.File{Path: headerPath(line[4:]), Created: headerPath(line[4:]) == ""})
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
		p.files = append(p.files, patch.File{Path: p.path})
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
func Listing(path, text string) patch.File {
	f := patch.File{Path: path}
	var hunk patch.Hunk
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		parsed, ok := listingLine(line)
		if !ok {
			f.Hunks = append(f.Hunks, hunks(hunk)...)
			hunk = patch.Hunk{}
			continue
		}
		hunk.Lines = append(hunk.Lines, parsed)
	}
	f.Hunks = append(f.Hunks, hunks(hunk)...)
	return f
}

func listingLine(line string) (patch.Line, bool) {
	if line == "" {
		return patch.Line{}, false
	}
	op := patch.Op(line[0])
	rest := strings.TrimLeft(line[1:], " ")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseInt(rest[:digits], 10, 64)
	if err != nil || op != patch.Same && op != patch.Added && op != patch.Removed {
		return patch.Line{}, false
	}
	out := patch.Line{Op: op, Text: strings.TrimPrefix(rest[digits:], " ")}
	if op == patch.Removed {
		out.Old = n
	} else {
		out.New = n
	}
	return out, true
}
