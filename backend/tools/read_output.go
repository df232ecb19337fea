package tools

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/tools/excerpt"
)

type readOutputArgs struct {
	Output     string `json:"output"`
	Offset     int    `json:"offset"`
	Limit      int    `json:"limit"`
	ByteOffset int    `json:"byte_offset"`
	Pattern    string `json:"pattern"`
}

// readOutput reads outputs that were cut. The library holds the whole of them.
type readOutput struct {
	find func(ctx context.Context, sessionID, outputID string) (core.Blob, error)
}

func newReadOutput(find func(ctx context.Context, sessionID, outputID string) (core.Blob, error)) Tool {
	t := define[readOutputArgs](excerpt.ReadOutput, `
		"output": {"type": "string", "description": "The name of the output, from the line that describes what was left out."},
		"offset": {"type": "integer", "minimum": 1, "description": "The number of the first line to return; 1 if left out."},
		"limit": {"type": "integer", "minimum": 1, "description": "How many lines to return; 2000 if left out, which is also the maximum."},
		"byte_offset": {"type": "integer", "minimum": 0, "description": "Return the text from this byte on, instead of lines: for an output with very long lines."},
		"pattern": {"type": "string", "description": "Return only the lines that match this regular expression (RE2)."}`, "output")
	r := readOutput{find}
	t.access = func(_ context.Context, args readOutputArgs) (core.Access, error) {
		return core.Access{Effect: core.EffectNone, Idempotent: true, Title: "Read more of the output " + core.Preview(args.Output, 40)}, args.check()
	}
	t.run = r.run
	return t
}

var outputForm = lazyregexp.New(`^[0-9a-f]{8,64}$`)

func (args readOutputArgs) check() error {
	if !outputForm.MatchString(args.Output) {
		return core.E(core.Invalid, "the argument %q must be a name such as 3f9a2c1b04de, from the line that describes what was left out", "output")
	}
	if args.ByteOffset != 0 && (args.Offset != 0 || args.Limit != 0 || args.Pattern != "") {
		return core.E(core.Invalid, "byte_offset goes without offset, limit and pattern")
	}
	return errors.Join(within("offset", cmp.Or(args.Offset, 1), 1, 1<<40), within("limit", cmp.Or(args.Limit, 1), 1, 1<<40), within("byte_offset", args.ByteOffset, 0, 1<<40))
}

func (r readOutput) run(ctx context.Context, call core.ToolCall, args readOutputArgs) (core.ToolResult, error) {
	if err := args.check(); err != nil {
		return core.ToolResult{}, err
	}
	whole, err := r.find(ctx, call.SessionID, args.Output)
	if core.CodeOf(err) == core.NotFound {
		return core.ToolResult{}, core.E(core.NotFound, "this session has no output %q", args.Output)
	}
	if err != nil {
		return core.ToolResult{}, err
	}
	text := string(whole.Data)
	switch {
	case args.Pattern != "":
		return matchingLines(text, args)
	case args.ByteOffset > 0:
		return outputBytes(text, args.ByteOffset)
	}
	return readLines(ctx, bufio.NewReader(strings.NewReader(text)), cmp.Or(args.Offset, 1), min(cmp.Or(args.Limit, excerpt.MaxLines), excerpt.MaxLines))
}

// outputBytes returns the text from a byte on, as much as one result may have.
func outputBytes(text string, from int) (core.ToolResult, error) {
	if from >= len(text) {
		return core.ToolResult{}, core.E(core.Invalid, "the output has only %s", plural(len(text), "byte"))
	}
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	end := min(from+excerpt.MaxBytes, len(text))
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	shown := text[from:end]
	if end < len(text) {
		shown += fmt.Sprintf("\n(bytes %d to %d of %d; continue with byte_offset %d)\n", from, end-1, len(text), end)
	}
	return core.TextResult(shown), nil
}

// matchingLines returns the lines that match, with their numbers, from a line on.
func matchingLines(text string, args readOutputArgs) (core.ToolResult, error) {
	pattern, err := regexp.Compile(args.Pattern)
	if err != nil {
		return core.ToolResult{}, core.E(core.Invalid, "invalid regular expression %q: %v", args.Pattern, err)
	}
	var out strings.Builder
	limit := min(cmp.Or(args.Limit, excerpt.MaxLines), excerpt.MaxLines)
	number, shown := 0, 0
	for line := range strings.Lines(text) {
		number++
		if number < args.Offset || !pattern.MatchString(strings.TrimRight(line, "\r\n")) {
			continue
		}
		row := fmt.Sprintf("%6d\t%s\n", number, clip(strings.TrimRight(line, "\r\n"), maxLineBytes))
		if shown == limit || out.Len()+len(row) > excerpt.MaxBytes {
			fmt.Fprintf(&out, "(more lines match; continue with offset %d)\n", number)
			return core.TextResult(out.String()), nil
		}
		out.WriteString(row)
		shown++
	}
	if shown == 0 {
		return core.TextResult("(no line matches)"), nil
	}
	return core.TextResult(out.String()), nil
}
