package location

import "golang.org/x/sys/unix"

// Network returns the name of the network file system that a path is on; empty for a local disk.
func Network(path string) string {
	var info unix.Statfs_t
	if err := unix.Statfs(path, &info); err != nil {
		return ""
	}
	return map[string]string{"nfs": "NFS", "smbfs": "SMB", "afpfs": "AFP", "webdav": "WebDAV", "macfuse": "FUSE", "osxfuse": "FUSE"}[unix.ByteSliceToString(info.Fstypename[:])]
}
