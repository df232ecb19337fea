package location

import (
	"strings"

	"golang.org/x/sys/unix"
)

// Network returns the name of the network file system that a path is on; empty for a local disk.
func Network(path string) string {
	var info unix.Statfs_t
	if err := unix.Statfs(path, &info); err != nil {
		return ""
	}
	return networkOf(uint32(info.Type), func() string { return mountedAs(path) }) //nolint:gosec // 32 bits hold the type
}

// networkOf names a file system by its type; see statfs(2). All of FUSE has one type: the mount's name identifies it.
func networkOf(kind uint32, mounted func() string) string {
	names := map[uint32]string{
		unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.V9FS_MAGIC: "9p",
		unix.AFS_SUPER_MAGIC: "AFS", unix.AFS_FS_MAGIC: "AFS", unix.CEPH_SUPER_MAGIC: "Ceph", unix.CODA_SUPER_MAGIC: "Coda", 0x0BD00BD0: "Lustre",
		0x786f4256: "a folder of VirtualBox's host", 0xbacbacbc: "a folder of VMware's host",
	}
	if kind != unix.FUSE_SUPER_MAGIC {
		return names[kind]
	}
	local := map[string]bool{"fuseblk": true, "fuse.ntfs-3g": true, "fuse.exfat": true, "fuse.bindfs": true, "fuse.mergerfs": true, "fuse.gocryptfs": true, "fuse.encfs": true}
	name := mounted()
	if name == "" || local[name] {
		return ""
	}
	return strings.TrimPrefix(name, "fuse.")
}
