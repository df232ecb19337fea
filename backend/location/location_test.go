package location

import (
	"os"
	"path/filepath"
	"testing"
)

func local(string) string { return "" }

func TestSynced(t *testing.T) {
	for _, test := range []struct{ marker, library, program, root string }{
		{"Dropbox/notes/", "Dropbox/coppice.db", "Dropbox", "Dropbox"},
		{"box/.dropbox.cache/", "box/a/b/coppice.db", "Dropbox", "box"},
		{"OneDrive - Example/", "OneDrive - Example/x/coppice.db", "OneDrive", "OneDrive - Example"},
		{"Google Drive/", "Google Drive/My Drive/coppice.db", "Google Drive", "Google Drive"},
		{"drive/.tmp.driveupload/", "drive/coppice.db", "Google Drive", "drive"},
		{"Library/CloudStorage/OneDrive-Example/", "Library/CloudStorage/OneDrive-Example/coppice.db", "OneDrive", "Library/CloudStorage/OneDrive-Example"},
		{"Library/Mobile Documents/com~apple~CloudDocs/", "Library/Mobile Documents/com~apple~CloudDocs/coppice.db", "iCloud Drive", "Library/Mobile Documents/com~apple~CloudDocs"},
		{"cloud/.sync_0123abc.db", "cloud/coppice.db", "Nextcloud", "cloud"},
		{"cloud/._sync_0123abc.db", "cloud/coppice.db", "ownCloud", "cloud"},
		{"st[1]/.stfolder/", "st[1]/deep/er/coppice.db", "Syncthing", "st[1]"},
		{"Dropbox-clone/", "Dropbox-clone/coppice.db", "", ""},
		{"beside/.stfolder/", "mine/coppice.db", "", ""},
		{"plain/", "plain/coppice.db", "", ""},
	} {
		home := t.TempDir()
		marker := filepath.Join(home, filepath.FromSlash(test.marker))
		if err := os.MkdirAll(filepath.Dir(marker), 0o700); err != nil {
			t.Fatal(err)
		}
		if test.marker[len(test.marker)-1] == '/' {
			if err := os.MkdirAll(marker, 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(marker, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		got := Of(filepath.Join(home, filepath.FromSlash(test.library)), local)
		root := ""
		if test.root != "" {
			root = filepath.Join(home, filepath.FromSlash(test.root))
		}
		if got.Synced != test.program || filepath.Base(got.Folder) != filepath.Base(root) {
			t.Errorf("%s beside %s: %+v, want %q in %q", test.library, test.marker, got, test.program, root)
		}
	}
}

// The nearest existing folder determines the file system.
func TestNetworkOfNewLibrary(t *testing.T) {
	folder, asked := t.TempDir(), ""
	r := Of(filepath.Join(folder, "new", "folder", "coppice.db"), func(path string) string { asked = path; return "NFS" })
	if real, _ := filepath.EvalSymlinks(folder); r.Network != "NFS" || asked != folder && asked != real {
		t.Errorf("%+v, asked for %s", r, asked)
	}
}
