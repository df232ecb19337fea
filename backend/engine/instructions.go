package engine

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Instruction is a file with a project's instructions for agents.
type Instruction struct {
	Path string // slash-separated, relative to the outermost folder that is read
	Text string // not empty; only the beginning of a long file
	Cut  bool
}

// Bounds on the instructions, which every call of a model pays for.
const (
	instructionBytes    = 32 << 10 // of one file
	allInstructionBytes = 64 << 10
)

// instructionNames are the files that are read, in this order.
var instructionNames = [...]string{"AGENTS.md", "CLAUDE.md"}

// ReadInstructions reads AGENTS.md and CLAUDE.md in a workspace and the folders above it up to the top of its git
// repository; without a repository up to but not including home; if the workspace is not below home either, in the
// workspace alone. The outermost come first. Two files of a folder with the same content are read once. If all together
// are too long, the outermost are left out. Links that lead out of the top folder are not followed. A file that cannot
// be read is an Unavailable error.
func ReadInstructions(workspacePath, home string) ([]Instruction, error) {
	top := instructionTop(workspacePath, home)
	below, err := filepath.Rel(top, workspacePath)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "read the instructions of %s", workspacePath)
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "read the instructions of %s", workspacePath)
	}
	defer func() { _ = root.Close() }()
	var all []Instruction
	for _, folder := range foldersTo(below) {
		here, err := readFolderInstructions(root, folder)
		if err != nil {
			return nil, err
		}
		all = append(all, here...)
	}
	return withinBounds(all), nil
}

// instructionTop returns the outermost folder to read.
func instructionTop(workspacePath, home string) string {
	if top, found := gitTop(workspacePath); found && (home == "" || top != home) {
		return top
	}
	top := workspacePath
	if home == "" || !strings.HasPrefix(workspacePath, home+string(filepath.Separator)) {
		return top
	}
	for filepath.Dir(top) != home {
		top = filepath.Dir(top)
	}
	return top
}

// foldersTo returns a folder and those above it, from the outermost: ".", a and a/b for a/b.
func foldersTo(below string) []string {
	folders := []string{"."}
	if below == "." {
		return folders
	}
	for i, r := range below {
		if r == filepath.Separator {
			folders = append(folders, below[:i])
		}
	}
	return append(folders, below)
}

func readFolderInstructions(root *os.Root, folder string) ([]Instruction, error) {
	var here []Instruction
	for _, name := range instructionNames {
		path := filepath.Join(folder, name)
		text, cut, err := readInstruction(root, path)
		if err != nil {
			return nil, core.Wrap(core.Unavailable, err, "read the instructions in %s", path)
		}
		if text == "" || slices.ContainsFunc(here, func(i Instruction) bool { return addsNothing(i, text) }) {
			continue
		}
		here = append(here, Instruction{Path: filepath.ToSlash(path), Text: text, Cut: cut})
	}
	return here, nil
}

// addsNothing reports whether a text adds nothing: it is the same, or only points to the other file.
func addsNothing(i Instruction, text string) bool {
	return i.Text == text || strings.TrimSpace(text) == "@"+instructionNames[0]
}

// readInstruction returns the beginning of a file as text; empty if there is no such file to read.
func readInstruction(root *os.Root, path string) (text string, cut bool, err error) {
	info, err := root.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false, nil // including a link that leads out
	}
	file, err := core.OpenRegularIn(root, path)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, instructionBytes+1))
	if err != nil {
		return "", false, err
	}
	if cut = len(data) > instructionBytes; cut {
		data = data[:instructionBytes]
		if end := bytes.LastIndexByte(data, '\n'); end > 0 {
			data = data[:end]
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(string(data), "\x00", ""), "\uFFFD")), cut, nil
}

// withinBounds leaves out the outermost files if all together are too long.
func withinBounds(all []Instruction) []Instruction {
	total := 0
	for i, instruction := range slices.Backward(all) {
		if total += len(instruction.Text); total > allInstructionBytes {
			return all[i+1:]
		}
	}
	return all
}
