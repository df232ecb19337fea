package shell

import (
	"path"
	"slices"
	"strings"
)

// forbidden returns why a command must never run, even with permission; empty: it may. folder is the folder that an
// earlier command of the line changed to.
func forbidden(program string, words []word, folder word) string {
	args := words[1:]
	switch {
	case program == "mkfs", strings.HasPrefix(program, "mkfs."),
		slices.Contains([]string{"mke2fs", "mkswap", "wipefs", "blkdiscard", "sfdisk", "sgdisk", "fdisk", "parted"}, program):
		return "it formats a disk"
	case slices.Contains([]string{"shutdown", "reboot", "halt", "poweroff"}, program),
		(program == "init" || program == "telinit") && slices.ContainsFunc(args, func(w word) bool { return w.text == "0" || w.text == "6" }),
		(program == "systemctl" || program == "loginctl") && slices.ContainsFunc(args, stopsMachine):
		return "it stops the machine"
	case program == "kill" && len(args) > 1 && slices.ContainsFunc(args[1:], func(w word) bool { return w.text == "-1" }):
		return "it ends every process"
	case program == "dd" && slices.ContainsFunc(args, func(w word) bool { return isDisk(strings.TrimPrefix(w.text, "of=")) && w.text[0] == 'o' }),
		slices.Contains([]string{"tee", "cp", "mv", "shred", "truncate"}, program) && slices.ContainsFunc(args, func(w word) bool { return isDisk(w.text) }):
		return "it overwrites a disk"
	}
	return destroys(program, args, folder)
}

func stopsMachine(w word) bool {
	return slices.Contains([]string{"poweroff", "reboot", "halt", "kexec", "suspend", "hibernate", "emergency", "rescue"}, w.text)
}

// destroys returns why a command counts as deleting, moving or exposing the system or the home folder; empty: it does
// not.
func destroys(program string, args []word, folder word) string {
	vital := slices.ContainsFunc(args, func(w word) bool { return !strings.HasPrefix(w.text, "-") && isVital(w) })
	recursive := hasFlag(args, "rR", "--recursive")
	switch program {
	case "rm", "shred", "srm", "rimraf", "trash":
		inVital := isVital(folder) && slices.ContainsFunc(args, func(w word) bool { return isEverything(w.text) })
		if hasFlag(args, "", "--no-preserve-root") || (recursive || program == "rimraf") && (vital || inVital) {
			return "it deletes the system or the home folder"
		}
	case "chmod", "chown", "chgrp", "setfacl":
		if recursive && vital {
			return "it changes who may use the system or the home folder"
		}
	case "mv":
		if len(args) > 1 && slices.ContainsFunc(args[:len(args)-1], isVital) {
			return "it moves the system or the home folder"
		}
	case "find":
		deletes := slices.ContainsFunc(args, func(w word) bool {
			return w.text == "-delete" || w.text == "rm" || w.text == "shred" || strings.HasSuffix(w.text, "/rm")
		})
		if deletes && vital && !slices.ContainsFunc(args, func(w word) bool { return w.text == "-name" || w.text == "-iname" || w.text == "-path" }) {
			return "it deletes the system or the home folder"
		}
	}
	return ""
}

// isEverything reports whether a relative path means everything in the folder.
func isEverything(text string) bool {
	return slices.Contains([]string{".", "./", "*", "./*", ".*", "..", "../*"}, text)
}

// isVital reports whether a word names the root of the file system, a system folder, a home folder, or everything in
// one of them.
func isVital(w word) bool {
	at := w.text
	if cut := strings.IndexByte(at, '{'); w.braces && cut >= 0 {
		at = at[:cut] // one of its words may be this
	}
	if !strings.HasPrefix(at, "/") && !w.tilde {
		return false
	}
	for {
		before := at
		for _, all := range []string{"/", "/.", "/*", "/.*", "/**", "/?*", "/.[!.]*"} {
			at = strings.TrimSuffix(at, all)
		}
		if at == before {
			break
		}
	}
	if w.tilde && !strings.Contains(at, "/") {
		return true // ~, or another user's
	}
	at = path.Clean("/" + at)
	folder, name := path.Split(at)
	switch folder {
	case "/":
		return name == "" || w.pattern && strings.ContainsAny(name, "*?[") || slices.Contains([]string{
			"bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "opt", "proc", "root", "run", "sbin", "srv", "sys", "usr", "var",
			"Users", "System", "Library", "Applications", "Volumes", "private", "nix", "c", "mnt", "media",
		}, name)
	case "/home/", "/Users/", "/mnt/":
		return true
	}
	return false
}

// isDisk reports whether a path is a device that holds a file system.
func isDisk(at string) bool {
	name, ok := strings.CutPrefix(path.Clean(at), "/dev/")
	return ok && slices.ContainsFunc([]string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "loop", "mem", "kmem"},
		func(kind string) bool { return strings.HasPrefix(name, kind) })
}

// hasFlag reports whether args has one of the short options, alone or combined with others, or the long one, which may
// be shortened.
func hasFlag(args []word, short string, long ...string) bool {
	return slices.ContainsFunc(args, func(w word) bool { return isFlag(w.text, short, long...) })
}

func isFlag(text, short string, long ...string) bool {
	if strings.HasPrefix(text, "--") {
		name, _, _ := strings.Cut(text, "=")
		return len(name) > 3 && slices.ContainsFunc(long, func(l string) bool { return strings.HasPrefix(l, name) })
	}
	return len(text) > 1 && text[0] == '-' && strings.ContainsAny(text[1:], short)
}
