package tools

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/lazyregexp"
	"coppice/backend/sensitive"
	"coppice/backend/tools/sandbox"
)

// Bounds on the files of a repository that are read to judge it.
const (
	maxConfigBytes = 1 << 20
	maxIndexBytes  = 256 << 20
)

// Git implements shell.Files. The sandbox overrides the settings in sandbox.ReadingEnvironment; no other setting of the
// repository may start a program. Submodules have their own configuration, which nothing overrides.
func (w commandFiles) Git(contents bool) bool {
	if !sandbox.ShutsSockets() {
		return false
	}
	r, ok := openRepository(w.real)
	if !ok || !r.isHarmless() {
		return false
	}
	plain, secret := r.tracks()
	return plain && (!contents || !secret)
}

// repository is a git repository on disk.
type repository struct {
	private string // of this work tree: HEAD and the index
	common  string // of all work trees: the configuration and the objects
}

// openRepository returns the repository of a work tree, and reports whether there is one that git would use too.
func openRepository(workTree string) (repository, bool) {
	dotGit := filepath.Join(workTree, ".git")
	info, err := os.Lstat(dotGit)
	if err != nil {
		return repository{}, false
	}
	r := repository{private: dotGit, common: dotGit}
	if !info.IsDir() {
		to, ok := strings.CutPrefix(strings.TrimSpace(string(regular(dotGit, maxConfigBytes))), "gitdir: ")
		if !ok {
			return repository{}, false
		}
		r.private = absolute(workTree, to)
		r.common = r.private
	}
	if common := strings.TrimSpace(string(regular(filepath.Join(r.private, "commondir"), maxConfigBytes))); common != "" {
		r.common = absolute(r.private, common)
	}
	head := string(regular(filepath.Join(r.private, "HEAD"), maxConfigBytes))
	return r, gitHead.MatchString(head) && isFolder(filepath.Join(r.common, "objects")) && isFolder(filepath.Join(r.common, "refs"))
}

var gitHead = lazyregexp.New(`^(ref: refs/|[0-9a-f]{40})`)

func absolute(folder, at string) string {
	if filepath.IsAbs(at) {
		return at
	}
	return filepath.Join(folder, at)
}

func isFolder(at string) bool {
	info, err := os.Lstat(at)
	return err == nil && info.IsDir()
}

// regular returns the contents of a regular file, or nil.
func regular(at string, maxBytes int64) []byte {
	info, err := os.Lstat(at)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return nil
	}
	return data
}

// isHarmless reports whether every setting of the repository is known to start no program and to lead to no other
// folder.
func (r repository) isHarmless() bool {
	for _, at := range []string{filepath.Join(r.common, "config"), filepath.Join(r.private, "config.worktree")} {
		if _, err := os.Lstat(at); err != nil {
			continue
		}
		data := regular(at, maxConfigBytes)
		if data == nil || !isHarmlessConfig(data) {
			return false
		}
	}
	return true
}

var (
	gitSection = lazyregexp.New(`^\[\s*([A-Za-z0-9.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\]\s*(.*)$`)
	gitSetting = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$`)
)

// isHarmlessConfig reports whether a configuration of git is harmless. A setting that it does not understand is not
// harmless.
func isHarmlessConfig(data []byte) bool {
	section, named := "", false
	for line := range bytes.Lines(data) {
		rest := strings.TrimSpace(string(line))
		if m := gitSection.FindStringSubmatch(rest); m != nil {
			section, named, rest = strings.ToLower(m[1]), m[2] != "" || strings.Contains(m[1], "."), m[3]
		}
		if rest == "" || rest[0] == '#' || rest[0] == ';' {
			continue
		}
		m := gitSetting.FindStringSubmatch(rest)
		if m == nil || section == "" || strings.HasSuffix(rest, `\`) || !isHarmlessSetting(section, named, strings.ToLower(m[1]), m[2]) {
			return false
		}
	}
	return true
}

// isHarmlessSetting reports whether a setting is known to start no program in a command that reads. named is true for a
// setting of a subsection. core.hooksPath and core.fsmonitor are overridden.
func isHarmlessSetting(section string, named bool, name, value string) bool {
	is := func(names string) bool { return slices.Contains(strings.Fields(names), name) }
	switch section {
	case "core":
		return is("repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf untrackedcache abbrev "+
			"sparsecheckout sparsecheckoutcone quotepath longpaths protectntfs protecthfs commentchar preloadindex fscache checkstat trustctime compression "+
			"bigfilethreshold whitespace splitindex multipackindex commitgraph hookspath") || name == "fsmonitor" && (value == "true" || value == "false")
	case "remote":
		return is("url pushurl fetch push tagopt prune prunetags mirror gh-resolved skipdefaultupdate")
	case "submodule":
		return is("active url recurse ignore branch")
	case "diff":
		return !named && is("algorithm renames renamelimit context mnemonicprefix noprefix colormoved colormovedws interhunkcontext statgraphwidth wserrorhighlight "+
			"indentheuristic submodule ignoresubmodules")
	case "merge":
		return !named && is("conflictstyle ff renames renamelimit stat log directoryrenames")
	case "log":
		return is("date decorate follow abbrevcommit showroot mailmap")
	case "extensions":
		return is("objectformat worktreeconfig refstorage relativeworktrees")
	case "lfs":
		return is("repositoryformatversion access locksverify")
	case "branch", "user", "author", "committer", "color", "column", "commit", "pull", "push", "fetch", "rebase", "init", "advice", "gc", "pack", "receive", "rerere",
		"i18n", "index", "feature", "status", "tag", "http", "alias", "maintenance", "am", "checkout", "clean", "grep", "help", "notes", "protocol", "transfer", "versionsort",
		"github-pr-owner-number":
		return true
	}
	return false
}

// Sizes in the index of git; see gitformat-index(5).
const (
	indexHeaderBytes = 12
	indexStatBytes   = 40
	indexModeAt      = 24
	modeSubmodule    = 0o160000
	flagExtended     = 0x4000
)

// tracks reports whether the index can be read and has no submodules (plain), and whether a tracked file may have
// secrets (secret).
func (r repository) tracks() (plain, secret bool) {
	at := filepath.Join(r.private, "index")
	if _, err := os.Lstat(at); err != nil {
		return true, false // nothing was ever added
	}
	hashBytes := 20
	if bytes.Contains(bytes.ToLower(regular(filepath.Join(r.common, "config"), maxConfigBytes)), []byte("sha256")) {
		hashBytes = 32
	}
	return readIndex(regular(at, maxIndexBytes), hashBytes)
}

// readIndex reads the entries of an index of version 2 to 4.
func readIndex(data []byte, hashBytes int) (plain, secret bool) {
	if len(data) < indexHeaderBytes+hashBytes || string(data[:4]) != "DIRC" {
		return false, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return false, false
	}
	rest, name := data[indexHeaderBytes:len(data)-hashBytes], ""
	for range count {
		fixed := indexStatBytes + hashBytes + 2
		if len(rest) < fixed {
			return false, false
		}
		mode := binary.BigEndian.Uint32(rest[indexModeAt:])
		if binary.BigEndian.Uint16(rest[fixed-2:])&flagExtended != 0 {
			fixed += 2
		}
		size, ok := 0, false
		if name, size, ok = indexName(rest, fixed, version, name); !ok || mode == modeSubmodule {
			return false, false
		}
		secret = secret || sensitive.Reason(name) != ""
		rest = rest[size:]
	}
	return !hasExtension(rest, "link"), secret // with a "link" extension most entries are in another file
}

// indexName returns the name of the entry that data begins with, and the size of the entry.
func indexName(data []byte, at int, version uint32, before string) (name string, size int, ok bool) {
	prefix := ""
	if version == 4 { // the name is stored as its difference from the previous name
		strip, n := uint64(0), 0
		for {
			if at+n >= len(data) || n > 4 {
				return "", 0, false
			}
			b := data[at+n]
			strip = strip<<7 | uint64(b&0x7f)
			n++
			if b&0x80 == 0 {
				break
			}
			strip++
		}
		if strip > uint64(len(before)) {
			return "", 0, false
		}
		prefix, at = before[:len(before)-int(strip)], at+n //nolint:gosec // not above the length
	}
	if at > len(data) {
		return "", 0, false
	}
	length := bytes.IndexByte(data[at:], 0)
	if length < 0 {
		return "", 0, false
	}
	size = at + length + 1
	if version < 4 {
		size = (size + 7) &^ 7
	}
	return prefix + string(data[at:at+length]), size, size <= len(data)
}

// hasExtension reports whether an extension, or data that is not understood, follows the entries of an index.
func hasExtension(data []byte, name string) bool {
	for len(data) >= 8 {
		size := uint64(binary.BigEndian.Uint32(data[4:]))
		if string(data[:4]) == name || size > uint64(len(data)-8) { //nolint:gosec // at least 8
			return true
		}
		data = data[8+size:]
	}
	return len(data) > 0
}
