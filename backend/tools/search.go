package tools

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"coppice/backend/core"
	"coppice/backend/sensitive"
	"coppice/backend/tools/excerpt"
)

const (
	maxHits          = 250
	maxHitBytes      = 400 // of a line in the result
	maxSearchedBytes = 32 << 20
)

type searchArgs struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	Context    int    `json:"context"`
	IgnoreCase bool   `json:"ignore_case"`
	All        bool   `json:"all"`
}

type search struct{ *workspace }

func newSearch(w *workspace) Tool {
	t := define[searchArgs]("search", `
		"pattern": {"type": "string", "description": "A regular expression (RE2), matched line by line."},
		"path": {"type": "string", "description": "The folder or file to search, relative to the workspace; the whole workspace if left out."},
		"glob": {"type": "string", "description": "Search only files that match this glob, such as *.go or src/**/*.ts."},
		"context": {"type": "integer", "minimum": 0, "maximum": 20, "description": "How many lines to show before and after each match."},
		"ignore_case": {"type": "boolean"},
		"all": {"type": "boolean", "description": "Also search files that .gitignore excludes."}`, "pattern")
	s := search{w}
	t.access = func(_ context.Context, args searchArgs) (core.Access, error) {
		return w.looks("Search", args.Pattern, args.Path)
	}
	t.run = s.search
	return t
}

// matches is the state of a search.
type matches struct {
	pattern *regexp.Regexp
	context int
	out     strings.Builder
	hits    int
	files   int
	full    bool // the result is full
	skipped int  // files that are too large
}

func (s search) search(ctx context.Context, _ core.ToolCall, args searchArgs) (core.ToolResult, error) {
	if err := within("context", args.Context, 0, 20); err != nil {
		return core.ToolResult{}, err
	}
	expression := args.Pattern
	if args.IgnoreCase {
		expression = "(?i)" + expression
	}
	pattern, err := regexp.Compile(expression)
	if err != nil {
		return core.ToolResult{}, core.E(core.Invalid, "invalid regular expression %q: %v", args.Pattern, err)
	}
	glob, err := globOf(cmp.Or(args.Glob, "**"))
	if err != nil {
		return core.ToolResult{}, err
	}
	from, err := s.locate(cmp.Or(args.Path, "."))
	if err != nil {
		return core.ToolResult{}, err
	}
	h := &matches{pattern: pattern, context: args.Context}
	if err := s.searchIn(ctx, h, from, glob, args.All); err != nil {
		return core.ToolResult{}, err
	}
	return core.TextResult(h.report(args.Pattern)), nil
}

// searchIn searches a file, or all files below a folder. It searches files that may have secrets only if they are named.
func (s search) searchIn(ctx context.Context, h *matches, from, glob string, all bool) error {
	info, err := s.root.Stat(from)
	if err != nil {
		return s.suggest(explain(err, from), from)
	}
	if !info.IsDir() {
		return s.file(ctx, h, from)
	}
	for e, err := range s.walk(ctx, from, 0, all) {
		if err != nil {
			return err
		}
		if !e.Type().IsRegular() || sensitive.Reason(e.path) != "" {
			continue
		}
		if matched, err := doublestar.Match(glob, under(e.path, from)); err != nil || !matched {
			continue
		}
		if err := s.file(ctx, h, e.path); err != nil && ctx.Err() != nil {
			return err // another error with one file is no reason to stop
		}
		if h.full {
			return nil
		}
	}
	return nil
}

// file searches one file.
func (s search) file(ctx context.Context, h *matches, at string) error {
	file, size, err := s.open(at)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	if size > maxSearchedBytes {
		h.skipped++
		return nil
	}
	in := bufio.NewReaderSize(file, 64<<10)
	if beginning, err := in.Peek(8000); err != nil && !errors.Is(err, io.EOF) || isBinary(beginning) {
		return err
	}
	return h.read(ctx, in, at)
}

// read searches lines. It remembers as many lines before a match as may be shown.
func (h *matches) read(ctx context.Context, in *bufio.Reader, at string) error {
	var before []string
	after, last, found := 0, 0, false
	for number := 1; !h.full; number++ {
		line, _, err := nextLine(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if number%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case h.pattern.Match(line):
			if !found {
				found = true
				h.files++
			} else if h.context > 0 && number-len(before) > last+1 {
				h.out.WriteString("--\n")
			}
			for i, text := range before {
				h.show(at, number-len(before)+i, '-', text)
			}
			h.hit(at, number, string(line))
			before, after, last = nil, h.context, number
		case after > 0:
			h.show(at, number, '-', string(line))
			after, last = after-1, number
		case h.context > 0:
			if len(before) == h.context {
				before = before[1:]
			}
			before = append(before, string(line))
		}
	}
	return nil
}

func (h *matches) hit(at string, number int, line string) {
	h.hits++
	h.show(at, number, ':', line)
	h.full = h.hits == maxHits || h.out.Len() > excerpt.MaxBytes-2*maxHitBytes
}

func (h *matches) show(at string, number int, sign byte, line string) {
	fmt.Fprintf(&h.out, "%s%c%d%c %s\n", at, sign, number, sign, clip(readable([]byte(line)), maxHitBytes))
}

// report returns the result for the model.
func (h *matches) report(pattern string) string {
	switch {
	case h.hits == 0:
		h.out.WriteString("No match for " + pattern + ".\n")
	case h.full:
		fmt.Fprintf(&h.out, "(the first %s; there may be more: narrow the pattern, the path or the glob)\n", plural(h.hits, "match"))
	default:
		fmt.Fprintf(&h.out, "(%s in %s)\n", plural(h.hits, "match"), plural(h.files, "file"))
	}
	if h.skipped > 0 {
		fmt.Fprintf(&h.out, "(%s left out as too large)\n", plural(h.skipped, "file"))
	}
	return h.out.String()
}
