package tools

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/sensitive"
	"coppice/backend/tools/shell"
)

// Bounds on what is read to judge one command.
const (
	maxExpanded  = 1000   // paths that a pattern expands to
	maxLookedAt  = 20_000 // files below a folder
	tooManyFiles = "it reads too many files to look for secrets among them"
)

// commandFiles answers the questions of package shell about the workspace. A command may read without permission what
// read_file may.
type commandFiles struct{ *workspace }

// Find implements shell.Files.
func (w commandFiles) Find(p shell.Path) shell.Finding {
	text := p.Text
	if p.Folder != "" && !filepath.IsAbs(text) && !strings.HasPrefix(text, "~") {
		text = p.Folder + "/" + text // not joined: .. after a link does not lead to the lexical parent
	}
	if !p.Pattern {
		return w.findOne(text, p.Use)
	}
	names, complete := w.expand(text)
	all := shell.Finding{Open: complete}
	for _, name := range names {
		found := w.findOne(name, p.Use)
		all.Open = all.Open && found.Open
		all.Secret = firstOf(all.Secret, found.Secret)
	}
	if len(names) == 0 {
		all.Secret = tooManyFiles
	}
	return all
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// findOne looks at one path.
func (w commandFiles) findOne(name string, use shell.Use) shell.Finding {
	at, err := w.locate(name)
	if err != nil { // outside the workspace
		return shell.Finding{Secret: secretUnless(use == shell.UseNames, filepath.ToSlash(name))}
	}
	secret := sensitive.Reason(at)
	info, err := w.root.Stat(at)
	switch {
	case err != nil: // missing, or no path at all
		return shell.Finding{Open: secret == ""}
	case use == shell.UseNames:
		return shell.Finding{Open: secret == ""}
	case secret == "" && info.IsDir() && use >= shell.UseTree:
		return w.findBelow(at, use)
	}
	return shell.Finding{Open: secret == "", Secret: secret}
}

func secretUnless(not bool, at string) string {
	if not {
		return ""
	}
	return sensitive.Reason(at)
}

// findBelow looks at all files below a folder. Which of them are hidden or ignored depends on the program, so the
// result is open only if no file has a secret.
func (w commandFiles) findBelow(folder string, use shell.Use) shell.Finding {
	all := w.searchSecrets(folder, false)
	if all.Secret != "" && use == shell.UseVisibleTree {
		all.Secret = w.searchSecrets(folder, true).Secret
	}
	return all
}

// searchSecrets looks for a secret below a folder. visible leaves out hidden files and, in a repository, ignored ones.
func (w commandFiles) searchSecrets(folder string, visible bool) shell.Finding {
	found := shell.Finding{Open: true}
	_, noRepository := w.root.Lstat(".git")
	count := 0
	for e, err := range w.walk(context.Background(), folder, 0, !visible || noRepository != nil) {
		if err != nil {
			return shell.Finding{}
		}
		if count++; count > maxLookedAt {
			return shell.Finding{Secret: tooManyFiles}
		}
		if visible && isHidden(strings.TrimPrefix(e.path, folder+"/")) {
			continue
		}
		at := e.path
		if e.Type()&fs.ModeSymlink != 0 {
			to, err := w.locate(e.path)
			if err != nil {
				found.Open = false
				continue
			}
			at = to
		}
		if e.IsDir() {
			continue // walked to on its own
		}
		if secret := sensitive.Reason(at); secret != "" {
			return shell.Finding{Secret: secret}
		}
	}
	return found
}

func isHidden(at string) bool {
	return slices.ContainsFunc(strings.Split(at, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// expand returns the paths that a pattern may expand to, possibly some that it does not, or the pattern itself if
// nothing matches. complete is false, and names is empty, if the pattern leads outside the workspace or to too many
// paths.
func (w commandFiles) expand(pattern string) (names []string, complete bool) {
	rest, err := w.relative(pattern)
	if err != nil {
		return []string{pattern}, false
	}
	names = []string{"."}
	for part := range strings.SplitSeq(rest, "/") {
		var next []string
		for _, at := range names {
			if !strings.ContainsAny(part, "*?[") {
				next = append(next, at+"/"+part)
				continue
			}
			folder, err := w.locate(at)
			if err != nil {
				return []string{pattern}, false
			}
			entries, err := w.folder(folder)
			if err != nil {
				continue // not a folder
			}
			for _, e := range entries {
				if mayMatch(part, e.Name()) {
					next = append(next, at+"/"+e.Name())
				}
			}
		}
		if len(next) > maxExpanded {
			return nil, false
		}
		names = next
	}
	if len(names) == 0 {
		return []string{pattern}, true
	}
	return names, true
}

// mayMatch reports whether a segment of a pattern may match a name. It does not evaluate character sets.
func mayMatch(part, name string) bool {
	if strings.HasPrefix(name, ".") && (part[0] == '*' || part[0] == '?') {
		return false
	}
	if strings.ContainsAny(part, `[\`) {
		return true
	}
	matched, err := path.Match(part, name)
	return err != nil || matched
}
