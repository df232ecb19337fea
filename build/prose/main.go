// Command prose counts idioms that the project's house style replaces, in the comments of Go and TypeScript files and in
// Markdown. Each folder has a ceiling in ceiling.txt: more idioms than that fail the check.
//
//	go run ./build/prose                    check every folder
//	go run ./build/prose -list backend/core print each idiom below a folder
//	go run ./build/prose -lower             lower the ceilings to today's counts
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

const ceilingFile = "build/prose/ceiling.txt"

func main() {
	list := flag.String("list", "", "print each idiom below this `folder`")
	lower := flag.Bool("lower", false, "lower the ceilings to today's counts")
	flag.Parse()
	if err := run(os.Stdout, *list, *lower); err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, list string, lower bool) error {
	text, err := os.ReadFile(ceilingFile)
	if err != nil {
		return fmt.Errorf("read ceilings: %w", err)
	}
	limits, err := parseCeilings(string(text))
	if err != nil {
		return err
	}
	paths, err := tracked()
	if err != nil {
		return err
	}
	found, goLines, err := search(paths)
	if err != nil {
		return err
	}
	if list != "" {
		printBelow(out, found, list)
		return nil
	}
	counts := countByFolder(found)
	if lower {
		return os.WriteFile(ceilingFile, []byte(lowered(limits, counts)), 0o644) //nolint:gosec // a file of the repository
	}
	printRates(out, found, goLines)
	return check(out, limits, counts, found)
}

// tracked returns the paths that Git tracks, with slashes, relative to the working folder.
func tracked() ([]string, error) {
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("list tracked files: %w", err)
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00"), nil
}

// search returns the idioms in the files, and the number of Go comment lines by folder.
func search(paths []string) ([]finding, map[string]int, error) {
	var found []finding
	goLines := map[string]int{}
	for _, path := range paths {
		read := reader(path)
		if read == nil {
			continue
		}
		source, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		if err != nil {
			return nil, nil, err
		}
		blocks, err := read(string(source))
		if err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", path, err)
		}
		for _, block := range blocks {
			found = append(found, match(path, block)...)
			if strings.HasSuffix(path, ".go") {
				goLines[folder(path)] += block.lines()
			}
		}
	}
	return found, goLines, nil
}

func printBelow(out io.Writer, found []finding, folder string) {
	prefix := strings.TrimSuffix(folder, "/")
	for _, f := range found {
		if prefix == "." || f.path == prefix || strings.HasPrefix(f.path, prefix+"/") {
			_, _ = fmt.Fprintln(out, f)
		}
	}
}

// printRates prints the idioms per 1,000 lines of Go comments; the target is below 5.
func printRates(out io.Writer, found []finding, goLines map[string]int) {
	idioms := map[string]int{}
	for _, f := range found {
		if strings.HasSuffix(f.path, ".go") {
			idioms[folder(f.path)]++
		}
	}
	var allIdioms, allLines int
	for _, name := range slices.Sorted(maps.Keys(goLines)) {
		printRate(out, name, idioms[name], goLines[name])
		allIdioms += idioms[name]
		allLines += goLines[name]
	}
	printRate(out, "all of Go", allIdioms, allLines)
}

func printRate(out io.Writer, name string, idioms, lines int) {
	if lines > 0 {
		_, _ = fmt.Fprintf(out, "%-20s %4d idioms in %5d comment lines: %5.1f per 1,000\n", name, idioms, lines, 1000*float64(idioms)/float64(lines))
	}
}
