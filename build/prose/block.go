package main

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// block is prose from a file, without the signs of a comment.
type block struct {
	line int // of its first line, counted from 1
	text string
}

func (b block) lines() int { return strings.Count(b.text, "\n") + 1 }

// reader returns the function that reads the prose of a file, or nil for a file without prose of this project.
func reader(name string) func(string) ([]block, error) {
	if strings.Contains(name, "/testdata/") || strings.Contains(name, "/wailsjs/") || name == "docs/glossary.md" {
		return nil
	}
	switch path.Ext(name) {
	case ".go":
		return goComments
	case ".ts", ".tsx":
		return scriptComments
	case ".md":
		return markdown
	default:
		return nil
	}
}

func goComments(source string) ([]block, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var blocks []block
	for _, group := range file.Comments {
		var lines []string
		for _, comment := range group.List {
			lines = append(lines, strings.TrimPrefix(comment.Text, "//"))
		}
		blocks = append(blocks, block{files.Position(group.Pos()).Line, strings.Join(lines, "\n")})
	}
	return blocks, nil
}

var (
	// lineComment needs a space on both sides of the slashes, which addresses and most patterns do not have.
	lineComment = regexp.MustCompile(`(?:^|\s)//(?:\s|$)`)
	blockStart  = regexp.MustCompile(`^\s*\{?/\*`)
)

// scriptComments reads TypeScript line by line: a block comment starts a line.
func scriptComments(source string) ([]block, error) {
	prose := make([]string, 0, strings.Count(source, "\n")+1)
	inBlock := false
	for line := range strings.Lines(source) {
		start := blockStart.FindStringIndex(line)
		at := lineComment.FindStringIndex(line)
		switch {
		case inBlock || start != nil:
			text, _, ended := strings.Cut(line, "*/")
			inBlock = !ended
			prose = append(prose, strings.TrimLeft(text, " \t/*{"))
		case at != nil:
			prose = append(prose, line[at[1]:])
		default:
			prose = append(prose, "")
		}
	}
	return paragraphs(prose), nil
}

var (
	fence    = regexp.MustCompile("^\\s*(?:```|~~~)")
	codeSpan = regexp.MustCompile("`[^`\n]*`")
)

// markdown reads prose without its code.
func markdown(source string) ([]block, error) {
	prose := make([]string, 0, strings.Count(source, "\n")+1)
	inCode := false
	for line := range strings.Lines(source) {
		switch {
		case fence.MatchString(line):
			inCode = !inCode
			prose = append(prose, "")
		case inCode:
			prose = append(prose, "")
		default:
			prose = append(prose, codeSpan.ReplaceAllString(line, "code"))
		}
	}
	return paragraphs(prose), nil
}

// paragraphs joins lines up to an empty one, so that a phrase is found across the end of a line.
func paragraphs(prose []string) []block {
	var blocks []block
	var open []string
	for i, line := range append(prose, "") {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" {
			open = append(open, line)
			continue
		}
		if len(open) > 0 {
			blocks = append(blocks, block{i + 1 - len(open), strings.Join(open, "\n")})
		}
		open = nil
	}
	return blocks
}
