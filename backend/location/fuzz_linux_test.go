package location

import (
	"strings"
	"testing"
)

// FuzzMounts reads any list of mounts. A type comes from the list, and a later mount of the same folder covers the earlier one.
func FuzzMounts(f *testing.F) {
	f.Add("36 35 98:0 / / rw,noatime master:1 - ext4 /dev/root rw\n40 36 0:5 / /home/a\\040b rw - fuse.sshfs host: rw\n", "/home/a b/x")
	f.Add("1 2 3 4 / - - a", "/")
	f.Add(" - x\n\\777 \\04", "relative")
	f.Fuzz(func(t *testing.T, mountinfo, path string) {
		kind := typeIn(mountinfo, path)
		if !strings.Contains(mountinfo, kind) {
			t.Fatalf("%q is not in %q", kind, mountinfo)
		}
		if strings.HasPrefix(path, "/") {
			if got := typeIn(mountinfo+"\n1 2 0:1 / / rw - tmpfs none rw\n", path); got != "tmpfs" && kind == "" {
				t.Errorf("%q lies in %q", path, got)
			}
		}
		for _, word := range []string{"/a b", path} {
			escaped := strings.NewReplacer("\\", `\134`, " ", `\040`, "\t", `\011`, "\n", `\012`).Replace(word)
			if unescape(escaped) != word {
				t.Errorf("%q comes back as %q", word, unescape(escaped))
			}
		}
	})
}
