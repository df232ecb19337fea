package engine

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Instruction is a file with a project's instructions for agents.
type Instruction struct {
	Path     string // slash-separated, relative to the outermost folder that is read; of the user's own, from the home folder on
	Text     string // not empty; only the beginning of a long file
	Cut      bool
	Importer string // the path of the file that imports this one; empty: none
	User     bool   // the user wrote it for all projects: it is no part of the workspace
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
// workspace alone. The outermost come first, each followed by the files that it imports. Two files of a folder with the
// same content are read once. If all together are too long, imported files are left out, and then the outermost. Links
// that lead out of the top folder are not followed. A file that cannot be read is an Unavailable error.
func ReadInstructions(workspacePath, home string) ([]Instruction, error) {
	top, isRepository := instructionTop(workspacePath, home)
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
	bound := importsWithin
	if isRepository {
		bound = func(string) string { return "." }
	}
	return withinBounds(withImports(root, all, bound)), nil
}

// ReadUserInstructions reads AGENTS.md and CLAUDE.md in the folder of the user's configuration, and the files there that they
// import. They count in every workspace.
func ReadUserInstructions(folder, home string) ([]Instruction, error) {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "read the instructions in %s", folder)
	}
	defer func() { _ = root.Close() }()
	all, err := readFolderInstructions(root, ".")
	if err != nil {
		return nil, err
	}
	all = withinBounds(withImports(root, all, func(string) string { return "." }))
	shown := func(name string) string {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if below, err := filepath.Rel(home, path); err == nil && home != "" && filepath.IsLocal(below) {
			path = filepath.Join("~", below)
		}
		return filepath.ToSlash(path)
	}
	for i := range all {
		all[i].User, all[i].Path = true, shown(all[i].Path)
		if all[i].Importer != "" {
			all[i].Importer = shown(all[i].Importer)
		}
	}
	return all, nil
}

// instructionTop returns the outermost folder to read, and whether it is the top of a repository.
func instructionTop(workspacePath, home string) (top string, isRepository bool) {
	if top, found := gitTop(workspacePath); found && (home == "" || top != home) {
		return top, true
	}
	top = workspacePath
	if home == "" || !strings.HasPrefix(workspacePath, home+string(filepath.Separator)) {
		return top, false
	}
	for filepath.Dir(top) != home {
		top = filepath.Dir(top)
	}
	return top, false
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
		data, cut, err := readInstruction(root, path)
		text := instructionText(data)
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

// readInstruction returns the beginning of a file; none if there is no such file to read.
func readInstruction(root *os.Root, path string) (data []byte, cut bool, err error) {
	info, err := root.Stat(path)
	if err != nil || !info.Mode().IsRegular() || isPrivate(root, path) {
		return nil, false, nil // including a link that leads out
	}
	file, err := core.OpenRegularIn(root, path)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = file.Close() }()
	data, err = io.ReadAll(io.LimitReader(file, instructionBytes+1))
	if err != nil {
		return nil, false, err
	}
	if cut = len(data) > instructionBytes; cut {
		data = data[:instructionBytes]
		if end := bytes.LastIndexByte(data, '\n'); end > 0 {
			data = data[:end]
		}
	}
	return data, cut, nil
}

// instructionText returns the bytes of a file as text.
func instructionText(data []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(string(data), "\x00", ""), "\uFFFD"))
}

// withinBounds leaves out the outermost files if all together are too long, and imported files that do not fit beside the others.
func withinBounds(all []Instruction) []Instruction {
	room, first := allInstructionBytes, 0
	for i, instruction := range slices.Backward(all) {
		if instruction.Importer != "" {
			continue
		}
		if room -= len(instruction.Text); room < 0 {
			first, room = i+1, room+len(instruction.Text)
			break
		}
	}
	var kept []Instruction
	for _, instruction := range all[first:] {
		if instruction.Importer == "" {
			kept = append(kept, instruction)
		} else if len(instruction.Text) <= room && slices.ContainsFunc(kept, func(i Instruction) bool { return i.Path == instruction.Importer }) {
			room -= len(instruction.Text)
			kept = append(kept, instruction)
		}
	}
	return kept
}
