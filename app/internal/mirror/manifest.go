package mirror

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/durable"
)

// ownFolder is the folder of a mirror that holds what an update needs to know.
const ownFolder = ".coppice"

// manifest lists what a mirror has written.
type manifest struct {
	Format   string           `json:"format"`
	Version  int              `json:"version"`
	Sessions map[string]entry `json:"sessions"` // by id
	Index    entry            `json:"index"`
}

// entry lists the files of a session.
type entry struct {
	Fingerprint string `json:"fingerprint"` // of everything that the files depend on
	// Files holds the SHA-256 of each file, by its path relative to the folder, with slashes. While a file is being
	// replaced it has two, so that an update that is interrupted recognizes its own files.
	Files map[string][]string `json:"files"`
}

const (
	manifestFormat  = "coppice.mirror"
	manifestVersion = 1
)

func manifestPath() string { return path.Join(ownFolder, "mirror.json") }

// readManifest returns the manifest of a folder, an empty one if it has none. Errors: TooNew, and Corrupt, because
// without it no file is known to be Coppice's own.
func readManifest(root *os.Root) (*manifest, error) {
	m := &manifest{Format: manifestFormat, Version: manifestVersion}
	data, err := root.ReadFile(manifestPath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, core.Wrap(core.Unavailable, err, "read %s", manifestPath())
	case json.Unmarshal(data, m) != nil || m.Format != manifestFormat:
		return nil, core.E(core.Corrupt, "read %s: it is damaged", filepath.Join(root.Name(), manifestPath())).
			WithHint("Remove it and the files of the mirror, or choose another folder")
	case m.Version > manifestVersion:
		return nil, core.E(core.TooNew, "read %s: a newer Coppice wrote it", filepath.Join(root.Name(), manifestPath()))
	}
	if m.Sessions == nil {
		m.Sessions = map[string]entry{}
	}
	return m, nil
}

func (m *manifest) save(root *os.Root) error {
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return core.Wrap(core.Internal, err, "write the manifest of a mirror")
	}
	err = durable.Write(filepath.Join(root.Name(), filepath.FromSlash(manifestPath())), func(f *os.File) error {
		_, err := f.Write(append(data, '\n'))
		return err
	})
	return unavailable(err, root.Name())
}
