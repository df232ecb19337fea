package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// folder returns the folder whose ceiling counts for a file: two levels below backend, else one; "." for files at the top.
func folder(name string) string {
	parts := strings.Split(path.Dir(name), "/")
	if parts[0] == "backend" && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func countByFolder(found []finding) map[string]int {
	counts := map[string]int{}
	for _, f := range found {
		counts[folder(f.path)]++
	}
	return counts
}

// parseCeilings reads lines such as "backend/core 12". A folder that is missing has the ceiling 0.
func parseCeilings(text string) (map[string]int, error) {
	limits := map[string]int{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("invalid ceiling %q: want a folder and a number", strings.TrimSpace(line))
		}
		limit, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("invalid ceiling of %s: %w", fields[0], err)
		}
		limits[fields[0]] = limit
	}
	return limits, nil
}

// lowered returns the text of the ceilings, each lowered to the count of its folder. No ceiling rises.
func lowered(limits, counts map[string]int) string {
	var out strings.Builder
	out.WriteString("# Idioms that are left in each folder; see main.go. A folder that is not listed has none.\n")
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if limit := min(limits[name], counts[name]); limit > 0 {
			fmt.Fprintf(&out, "%s %d\n", name, limit)
		}
	}
	return out.String()
}

// check fails if a folder has more idioms than its ceiling, and prints them. It asks to lower a ceiling that is too high.
func check(out io.Writer, limits, counts map[string]int, found []finding) error {
	failed := false
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] <= limits[name] {
			continue
		}
		failed = true
		for _, f := range found {
			if folder(f.path) == name {
				_, _ = fmt.Fprintln(out, f)
			}
		}
		_, _ = fmt.Fprintf(out, "%s: %d idioms, the ceiling is %d\n", name, counts[name], limits[name])
	}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if counts[name] < limits[name] {
			_, _ = fmt.Fprintf(out, "%s: %d idioms, the ceiling is %d: lower it with go run ./build/prose -lower\n", name, counts[name], limits[name])
		}
	}
	if failed {
		return errors.New("more idioms than allowed: rewrite the new ones")
	}
	return nil
}
