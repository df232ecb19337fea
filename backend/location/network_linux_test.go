package location

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestNetworkOf(t *testing.T) {
	for _, test := range []struct {
		kind          uint32
		mounted, want string
	}{
		{unix.EXT4_SUPER_MAGIC, "", ""},
		{unix.TMPFS_MAGIC, "", ""},
		{unix.BTRFS_SUPER_MAGIC, "", ""},
		{unix.OVERLAYFS_SUPER_MAGIC, "", ""},
		{unix.NFS_SUPER_MAGIC, "", "NFS"},
		{0xff534d42, "", "SMB"},
		{unix.V9FS_MAGIC, "", "9p"},
		{unix.FUSE_SUPER_MAGIC, "fuse.sshfs", "sshfs"},
		{unix.FUSE_SUPER_MAGIC, "fuse.rclone", "rclone"},
		{unix.FUSE_SUPER_MAGIC, "fuseblk", ""},
		{unix.FUSE_SUPER_MAGIC, "", ""},
	} {
		if got := networkOf(test.kind, func() string { return test.mounted }); got != test.want {
			t.Errorf("type %x mounted as %q is %q, want %q", test.kind, test.mounted, got, test.want)
		}
	}
}

func TestTypeIn(t *testing.T) {
	const mounts = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /home/ada/far\040away rw,nosuid shared:2 - fuse.sshfs host:/srv rw
41 22 0:36 / /home/ada/disk rw - fuseblk /dev/sdb1 rw
`
	for path, want := range map[string]string{
		"/home/ada": "ext4", "/home/ada/far away/x": "fuse.sshfs", "/home/ada/far away": "fuse.sshfs", "/home/ada/disk/x": "fuseblk", "/home/ada/diskette": "ext4",
	} {
		if got := typeIn(mounts, path); got != want {
			t.Errorf("%s is on %q, want %q", path, got, want)
		}
	}
}

// This machine's own file systems are local: a bind mount is not a network.
func TestNetworkHere(t *testing.T) {
	if got := Network(t.TempDir()); got != "" && got != "9p" {
		t.Errorf("the folder of a test is on %q", got)
	}
}
