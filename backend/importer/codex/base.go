package codex

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
)

// maxBases is how many rollouts one may continue in a chain. It guards against cycles.
const maxBases = 1000

// scanBases scans the rollouts that the file continues, the oldest first, each up to where the next one begins.
func (s *skeleton) scanBases(ctx context.Context) error {
	chain, err := s.bases(ctx)
	if err != nil {
		for _, c := range chain {
			c.lines.close()
		}
		return err
	}
	slices.Reverse(chain)
	s.own = int16(len(chain)) //nolint:gosec // below maxBases
	for _, c := range chain {
		s.files = append(s.files, c.lines)
	}
	for i, c := range chain {
		kept := s.files
		s.files = s.files[:i+1] // so that the newest is scanned
		err := s.scanFile(ctx, c.lines, c.end)
		s.files = kept
		if err != nil {
			return err
		}
	}
	return nil
}

type continued struct {
	lines *opened
	end   base
}

// bases opens the rollouts that the file continues, the newest first. A missing one is reported; the conversation then
// begins after it.
func (s *skeleton) bases(ctx context.Context) ([]continued, error) {
	var chain []continued
	next, seen := s.meta.base, map[string]bool{s.meta.rollout: true}
	for next.rollout != "" && len(chain) < maxBases {
		path := s.find(next.rollout)
		if path == "" || seen[next.rollout] {
			s.file.Problem(1, "it continues the rollout "+next.rollout+", which is not there: what was said before is missing")
			return chain, nil
		}
		seen[next.rollout] = true
		lines, err := openPath(ctx, path)
		if err != nil {
			return chain, err
		}
		chain = append(chain, continued{lines, next})
		m, err := metaOf(lines)
		if err != nil {
			return chain, err
		}
		if m.thread != s.meta.thread && s.meta.forkedFrom == "" {
			s.meta.forkedFrom = m.thread
		}
		if m.forkedFrom != "" {
			s.meta.forks[m.thread] = m.forkedFrom
		}
		s.meta.copied = false // the totals continue
		next = m.base
	}
	return chain, nil
}

// openPath opens a rollout by its name.
func openPath(ctx context.Context, path string) (*opened, error) {
	file, err := core.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close() //nolint:errcheck // it was only read
		return nil, err
	}
	lines, err := open(ctx, core.SourceFile{Path: path, SizeBytes: info.Size(), Data: file, Problem: func(int64, string) {}})
	if err != nil || lines.spill != "" {
		file.Close() //nolint:errcheck // it was only read
		return lines, err
	}
	lines.file = file
	return lines, nil
}

// find returns the file of a rollout: among the folders of the days, in the archive, or beside the current one. The
// plain form is preferred.
func (s *skeleton) find(rollout string) string {
	if strings.ContainsAny(rollout, `/\*?[`) {
		return ""
	}
	name := "rollout-*" + rollout + ".jsonl"
	folder := filepath.Dir(s.file.Path)
	patterns := []string{filepath.Join(escape(folder), name)}
	if home := homeOf(s.file.Path); home != "" {
		patterns = append(patterns, filepath.Join(escape(home), sessionsFolder, "*", "*", "*", name), filepath.Join(escape(home), archiveFolder, name))
	}
	for _, p := range patterns {
		for _, ending := range []string{"", ".zst"} {
			files, _ := filepath.Glob(p + ending) // only a bad pattern fails
			for _, file := range files {
				if rolloutID(file) == rollout {
					return file
				}
			}
		}
	}
	return ""
}

// escape escapes a folder's name for a pattern.
func escape(folder string) string {
	if filepath.Separator == '\\' {
		return folder // this is impossible there, and such names are rare
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(folder)
}

// homeOf returns Codex's own folder, above that of the sessions; empty if the file is elsewhere.
func homeOf(path string) string {
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if base := filepath.Base(dir); base == sessionsFolder || base == archiveFolder {
			return filepath.Dir(dir)
		}
	}
	return ""
}
