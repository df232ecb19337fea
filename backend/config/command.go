package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
)

// CommandsFolder holds the user's own commands, one Markdown file each, in the folder of the configuration and in that of a workspace.
const CommandsFolder = "commands"

// maxCommands is how many files of a folder of commands are read.
const maxCommands = 500

// maxDescriptionRunes is the most of a description that is shown.
const maxDescriptionRunes = 200

// Command is a prompt with a name, which a user sends as /NAME ARGUMENTS.
type Command struct {
	Name        string
	Description string // one line; the beginning of the prompt where the file has none
	Takes       string // what its arguments are; empty: unknown
	Source      string // the file, as it is shown
	prompt      string
	layer       int // 1: the user's, 2: the workspace's
}

// readCommands reads the commands of the user, and those of the workspace.
func (s *Settings) readCommands(withWorkspace bool) error {
	own, err := s.readCommandFolder(1, os.DirFS(Folder()), CommandsFolder)
	if err != nil {
		return err
	}
	s.Commands = own
	if !withWorkspace {
		return nil
	}
	root, err := openWorkspace(s.Workspace)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	theirs, err := s.readCommandFolder(2, root.FS(), path.Join(WorkspaceFolder, CommandsFolder))
	if err != nil {
		return err
	}
	s.Commands = slices.DeleteFunc(s.Commands, func(c Command) bool { return hasCommand(theirs, c.Name) })
	s.Commands = append(s.Commands, theirs...)
	slices.SortFunc(s.Commands, func(a, b Command) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

func hasCommand(commands []Command, name string) bool {
	return slices.ContainsFunc(commands, func(c Command) bool { return c.Name == name })
}

// readCommandFolder reads the files of a folder; none if the folder does not exist.
func (s *Settings) readCommandFolder(layer int, files fs.FS, folder string) ([]Command, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, core.Wrap(core.Invalid, err, "read the commands in %s", folder)
	}
	var commands []Command
	for _, entry := range entries {
		name, isMarkdown := strings.CutSuffix(entry.Name(), ".md")
		if !isMarkdown || entry.IsDir() {
			continue
		}
		file := path.Join(folder, entry.Name())
		problem := func(text, hint string) { s.Problems = append(s.Problems, Problem{origin{File: file}, text, hint}) }
		switch {
		case len(commands) == maxCommands:
			problem(fmt.Sprintf("the folder holds more than %d commands", maxCommands), "remove the others")
			return commands, nil
		case !agentForm.MatchString(name):
			problem("invalid name of a command", "small letters, digits, - and _")
			continue
		}
		data, err := readBounded(files, file)
		if err != nil {
			return nil, core.Wrap(core.Invalid, err, "read the command %s", file)
		}
		front, prompt := splitFrontMatter(data)
		if prompt == "" {
			problem("the command has no prompt", "write it below the front matter")
			continue
		}
		first, _, _ := strings.Cut(prompt, "\n")
		commands = append(commands, Command{
			Name: name, Source: file, prompt: prompt, layer: layer, Takes: cmp.Or(front["argument-hint"], front["argument_hint"]),
			Description: core.Cut(cmp.Or(front["description"], strings.TrimLeft(first, "# ")), maxDescriptionRunes),
		})
	}
	return commands, nil
}

// argumentUse is where a prompt takes its arguments.
var argumentUse = lazyregexp.New(`\$(ARGUMENTS\b|[1-9])`)

// Prompt returns the text of the command with its arguments: all of them for $ARGUMENTS, the words for $1 to $9. A prompt that takes none
// is followed by them.
func (c *Command) Prompt(arguments string) string {
	arguments = strings.TrimSpace(arguments)
	if !argumentUse.MatchString(c.prompt) {
		return strings.TrimSpace(c.prompt + "\n\n" + arguments)
	}
	words := splitWords(arguments)
	return argumentUse.ReplaceAllStringFunc(c.prompt, func(use string) string {
		if use == "$ARGUMENTS" {
			return arguments
		}
		if at := int(use[1] - '1'); at < len(words) {
			return words[at]
		}
		return ""
	})
}

// splitWords splits at blanks, but for those within quotes.
func splitWords(text string) []string {
	var words []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'' && !inWord: // an apostrophe within a word is part of it
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
			}
			inWord = false
			word.Reset()
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// Expand returns the prompt of a text such as "/review docs", if it names a command.
func (s *Settings) Expand(text string) (prompt string, command *Command) {
	name, isCommand := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !isCommand {
		return text, nil
	}
	arguments := ""
	if end := strings.IndexAny(name, " \t\n"); end >= 0 {
		name, arguments = name[:end], name[end:]
	}
	for i := range s.Commands {
		if s.Commands[i].Name == name {
			return s.Commands[i].Prompt(arguments), &s.Commands[i]
		}
	}
	return text, nil
}
