package engine

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/lazyregexp"
	"coppice/backend/sensitive"
)

// Bounds on what instructions import.
const (
	importDepth = 5  // files in a row that import the next one
	maxImports  = 50 // files in all
)

// importer reads the files that instructions import with @PATH.
type importer struct {
	root *os.Root
	seen []string // paths that were read: each file is read once, and a cycle ends
	left int      // how many more files are read
}

// withImports adds to each file those that it imports, after it. bound returns the folder that a file may import from.
func withImports(root *os.Root, files []Instruction, bound func(path string) string) []Instruction {
	im := &importer{root: root, left: maxImports}
	for _, file := range files {
		im.seen = append(im.seen, file.Path)
	}
	var all []Instruction
	for _, file := range files {
		all = append(all, file)
		all = append(all, im.imports(&file, bound(file.Path), importDepth)...)
	}
	return all
}

// importsWithin returns the folder of a file: without a repository nothing holds a file and those beside its folder together.
func importsWithin(file string) string { return path.Dir(file) }

// imports returns the files that a file imports, each followed by those that it imports itself.
func (im *importer) imports(file *Instruction, bound string, depth int) []Instruction {
	if depth == 0 {
		return nil
	}
	var all []Instruction
	for _, reference := range references(file.Text) {
		target := path.Join(path.Dir(file.Path), reference)
		if im.left == 0 || slices.Contains(im.seen, target) || !mayImport(target, bound) {
			continue
		}
		data, cut, err := readInstruction(im.root, filepath.FromSlash(target))
		text := instructionText(data)
		if err != nil || text == "" || bytes.IndexByte(data, 0) >= 0 {
			continue // the reference stays a text, such as the name of a user or of a package
		}
		im.left--
		im.seen = append(im.seen, target)
		one := Instruction{Path: target, Text: text, Cut: cut, Importer: file.Path}
		all = append(all, one)
		all = append(all, im.imports(&one, bound, depth-1)...)
	}
	return all
}

// mayImport reports whether a file is below the bound.
func mayImport(target, bound string) bool {
	below, err := filepath.Rel(filepath.FromSlash(bound), filepath.FromSlash(target))
	return err == nil && filepath.IsLocal(below) && filepath.IsLocal(filepath.FromSlash(target))
}

// isPrivate reports whether a file, or the file that it links to, belongs to git or may hold secrets: as an instruction, it would be sent
// to every model.
func isPrivate(root *os.Root, name string) bool {
	real, err := filepath.EvalSymlinks(filepath.Join(root.Name(), name))
	if err != nil {
		return true
	}
	folder, err := filepath.EvalSymlinks(root.Name())
	if err != nil {
		return true
	}
	below, err := filepath.Rel(folder, real)
	if err != nil {
		return true
	}
	below = filepath.ToSlash(below)
	return sensitive.Reason(below) != "" || slices.Contains(strings.Split(strings.ToLower(below), "/"), ".git")
}

var (
	codeSpan  = lazyregexp.New("`+[^`]*`+")
	reference = lazyregexp.New(`(?:^|[\s(])@([^\s()]+)`)
)

// references returns the paths after @ in a text of Markdown, but for those in code.
func references(text string) []string {
	var found []string
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fence = trimmed[:3]
			continue
		}
		for _, m := range reference.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
			name := strings.TrimRight(m[1], `.,;:!?"'*_`)
			if name != "" && !strings.HasPrefix(name, "~") && !path.IsAbs(name) {
				found = append(found, name)
			}
		}
	}
	return found
}
