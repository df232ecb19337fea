package tools

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // for the size of an image
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sensitive"
	"coppice/backend/tools/excerpt"
)

const maxImageBytes = 5 << 20 // the largest that providers accept

type readFileArgs struct {
	Path   string `json:"path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

type readFile struct{ *workspace }

func newReadFile(w *workspace) Tool {
	t := define[readFileArgs]("read_file", `
		"path": {"type": "string", "description": "The file, relative to the workspace."},
		"offset": {"type": "integer", "minimum": 1, "description": "The number of the first line to read; 1 if left out."},
		"limit": {"type": "integer", "minimum": 1, "description": "How many lines to read; 2000 if left out, which is also the maximum."}`, "path")
	r := readFile{w}
	t.access, t.run = r.access, r.read
	return t
}

func (r readFile) access(_ context.Context, args readFileArgs) (core.Access, error) {
	a := core.Access{Effect: core.EffectRead, Idempotent: true, Title: "Read " + args.Path}
	at, err := r.locate(args.Path)
	if err != nil {
		return a, err
	}
	a.Targets, a.Prefixes, a.Risk = []string{at}, []string{folderPrefix(at)}, sensitive.Reason(at)
	a.Title = "Read " + at
	return a, nil
}

func (r readFile) read(ctx context.Context, _ core.ToolCall, args readFileArgs) (core.ToolResult, error) {
	from, limit := cmp.Or(args.Offset, 1), cmp.Or(args.Limit, excerpt.MaxLines)
	if err := errors.Join(within("offset", from, 1, 1<<40), within("limit", limit, 1, 1<<40)); err != nil {
		return core.ToolResult{}, err
	}
	at, err := r.locate(args.Path)
	if err != nil {
		return core.ToolResult{}, err
	}
	file, size, err := r.open(at)
	if err != nil {
		return core.ToolResult{}, err
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	in := bufio.NewReaderSize(file, 64<<10)
	beginning, err := in.Peek(8000)
	if err != nil && !errors.Is(err, io.EOF) {
		return core.ToolResult{}, explain(err, at)
	}
	kind := http.DetectContentType(beginning)
	switch {
	case size == 0:
		return core.TextResult("(the file is empty)"), nil
	case slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind):
		return readImage(in, at, kind, size)
	case isBinary(beginning):
		return core.ToolResult{}, core.E(core.Invalid, "%s is binary (%s, %d bytes) and is not shown", at, kind, size)
	}
	return readLines(ctx, in, from, min(limit, excerpt.MaxLines))
}

// open opens a regular file for reading. If the file does not exist, the error suggests similar names.
func (w *workspace) open(at string) (*os.File, int64, error) {
	info, err := w.root.Stat(at)
	if err != nil {
		return nil, 0, w.suggest(explain(err, at), at)
	}
	if info.IsDir() {
		return nil, 0, core.E(core.Invalid, "%s is a folder; list_files shows what is in it", at)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, core.E(core.Invalid, "%s is not a regular file", at)
	}
	file, err := core.OpenRegularIn(w.root, at)
	if err != nil {
		return nil, 0, explain(err, at)
	}
	return file, info.Size(), nil
}

// suggest adds similar names to the error for a missing file.
func (w *workspace) suggest(err error, at string) error {
	if core.CodeOf(err) != core.NotFound {
		return err
	}
	entries, listed := w.folder(path.Dir(at))
	if listed != nil {
		return core.E(core.NotFound, "%s does not exist, nor does its folder", at)
	}
	stem := func(name string) string { return strings.ToLower(strings.TrimSuffix(name, path.Ext(name))) }
	var alike []string
	for _, e := range entries {
		a, b := stem(e.Name()), stem(path.Base(at))
		if a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a)) && len(alike) < 5 {
			alike = append(alike, path.Join(path.Dir(at), e.Name()))
		}
	}
	if len(alike) == 0 {
		return err
	}
	return core.E(core.NotFound, "%s does not exist; there is %s", at, strings.Join(alike, ", "))
}

func readImage(in io.Reader, at, kind string, size int64) (core.ToolResult, error) {
	if size > maxImageBytes {
		return core.ToolResult{}, core.E(core.Invalid, "%s is too large for an image (%d bytes; the maximum is %d)", at, size, maxImageBytes)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxImageBytes+1))
	if err != nil {
		return core.ToolResult{}, explain(err, at)
	}
	media := core.Media{MimeType: kind, Name: path.Base(at), SizeBytes: int64(len(data)), Data: data}
	if config, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil { // the size of WebP images stays unknown
		media.Width, media.Height = int64(config.Width), int64(config.Height)
	}
	return core.ToolResult{Parts: []core.Part{{Type: core.PartMedia, Media: &media}}}, nil
}

// readLines numbers the lines starting at from, at most limit of them.
func readLines(ctx context.Context, in *bufio.Reader, from, limit int) (core.ToolResult, error) {
	var out strings.Builder
	number, shown, more := 0, 0, false
	for {
		line, cut, err := nextLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return core.ToolResult{}, core.Wrap(core.CodeOf(err), err, "read line %d", number+1)
		}
		number++
		if number < from || more {
			continue
		}
		text := fmt.Sprintf("%6d\t%s\n", number, clip(readable(line), maxLineBytes))
		if cut {
			text = strings.TrimSuffix(text, "\n") + "… (a very long line)\n"
		}
		if more = shown == limit || out.Len()+len(text) > excerpt.MaxBytes; !more {
			out.WriteString(text)
			shown++
		}
	}
	switch {
	case shown == 0:
		return core.ToolResult{}, core.E(core.Invalid, "the file has only %s", plural(number, "line"))
	case more:
		fmt.Fprintf(&out, "(lines %d to %d of %d; continue with offset %d)\n", from, from+shown-1, number, from+shown)
	case from > 1:
		fmt.Fprintf(&out, "(lines %d to %d of %d)\n", from, from+shown-1, number)
	}
	return core.TextResult(out.String()), nil
}

const maxKeptLine = 16 << 10 // of a line, whatever its length

// nextLine returns the next line without its line ending, and reports whether the line was cut.
func nextLine(in *bufio.Reader) (line []byte, cut bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		room := max(maxKeptLine-len(line), 0)
		cut = cut || len(piece) > room
		line = append(line, piece[:min(len(piece), room)]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0, err == nil:
			return bytes.TrimRight(line, "\r\n"), cut, nil
		default:
			return nil, false, err
		}
	}
}
